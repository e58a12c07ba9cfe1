"""Random positions of 1958, with stacks and riders, judged twice: by the adjudicator and by the book's sentences."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest

from judge.adjudicate import adjudicate
from judge.adjudicate.outcome import Result
from judge.adjudicate.riding import Aboard, Ashore
from judge.board.load import load_board
from judge.board.model import Board, province_of
from judge.board.phase import Phase
from judge.board.position import Position, numbered
from judge.board.unit import ABOARD, Unit
from judge.orders.model import Hold, Move, Order, Support
from judge.orders.reader import read_line
from judge.orders.reading import ReadOptions
from judge.orders.spelled import order_words
from judge.variants import rules_for
from judge.variants.calhamer1958 import bases_of, first_capital, with_numbers
from tests.support.positions_1958 import MOST_MOVES, compare, melee
from tests.support.rulebook_1958 import Back, Country, Embark, Go, Off, Piece, Rulebook1958, Verdict

RULES = rules_for("1958")
ROUNDS, MANY = 400, 30_000
"""Positions of the ordinary test and of the long one."""


@cache
def board() -> Board:
    return load_board(Path(__file__).resolve().parents[2] / "maps" / "calhamer1958")


FOREIGN = RULES.with_choices({"foreign_boarding": "yes"})


def crowded(chance: Random, *, foreign: bool = False) -> Position:
    """Some fourteen units around a capital, with stacks and riders; with `foreign` ones fleets carry anybody's."""
    here = chance.choice([first_capital(board(), power) for power in board().powers])
    near = {here}
    for _ in range(2):
        near |= {
            province_of(to)
            for kind in "AF"
            for place in list(near)
            for at in board().standings(kind, place)
            for to in board().reach(kind, at)
        }
    powers = chance.sample(list(board().powers), 3)
    owner = next(power for power in board().powers if first_capital(board(), power) == here)
    powers = list(dict.fromkeys((owner, *powers)))[:3]
    units: list[Unit] = []
    for place in chance.sample(sorted(near), min(len(near), 14)):
        kinds = [kind for kind in "AF" if board().standings(kind, place)]
        kind, power = chance.choice(kinds), chance.choice(powers)
        at = chance.choice(list(board().standings(kind, place)))
        own = [
            kind
            for kind, where in (("A", [first_capital(board(), power)]), ("F", bases_of(board(), power)))
            if place in where
        ]
        for kind_there in own if chance.random() < 0.8 else ():
            spots = list(board().standings(kind_there, place))
            for _ in range(chance.choice((1, 2))):
                units.append(Unit(len(units) + 1, kind_there, chance.choice(spots), power, place))
        if not own:
            units.append(Unit(len(units) + 1, kind, at, power, at))
            if kind == "F" and chance.random() < 0.4:
                whose = chance.choice(powers) if foreign else power
                units.append(Unit(len(units) + 1, "A", place, whose, place).marked(ABOARD, str(len(units))))
    return Position(board(), Phase.read("S1901M"), tuple(units), {}, next_id=len(units) + 1)


def orders_for(chance: Random, position: Position, *, foreign: bool = False) -> list[Order]:
    """Possible orders, so that they meet."""
    orders: dict[int, Order] = {}
    for unit in position.units:
        carriers = position.units if foreign else position.of(unit.power)
        fleets = [f for f in carriers if f.kind == "F" and unit.kind == "A"]
        if unit.aboard:
            if board().can_stand("A", unit.at) and chance.random() < 0.6:
                orders[unit.id] = Ashore(unit)
            continue
        near = [
            f for f in fleets if f.at != unit.at and any(province_of(to) == unit.at for to in board().reach("F", f.at))
        ]
        beside = [f for f in fleets if province_of(f.at) == unit.at]
        if (near or beside) and chance.random() < 0.3:
            orders[unit.id] = Aboard(unit, chance.choice([*near, *beside]))
        elif chance.random() < 0.6:
            occupied = [to for to in board().reach(unit.kind, unit.at) if position.at(province_of(to))]
            orders[unit.id] = Move(unit, chance.choice(occupied or list(board().reach(unit.kind, unit.at))))
    for unit in position.units:
        if unit.id in orders or unit.aboard or chance.random() < 0.2:
            continue
        reach = {province_of(to) for to in board().reach(unit.kind, unit.at)}
        helped: list[Order] = [
            Support(unit, order.unit, order.to)
            for order in orders.values()
            if isinstance(order, Move) and province_of(order.to) in reach and order.unit.id != unit.id
        ]
        helped += [Support(unit, other) for other in position.units if province_of(other.at) in reach]
        orders[unit.id] = chance.choice(helped) if helped else Hold(unit)
    return list(orders.values())


def test_what_letters_call_a_unit_is_read_back() -> None:
    options = ReadOptions(kinds=RULES.kinds(), no_mistakes=True)
    drawn = RULES.board(board())
    for seed in range(40):
        chance = Random(seed)
        position = crowded(chance)
        position = replace(position, board=drawn, units=numbered(tuple(with_numbers(position.units))))
        for order in orders_for(chance, position):
            unit: Unit = order.unit  # type: ignore[union-attr]
            words = order_words(order, drawn, reader=unit.power)
            (reading,) = read_line(words, position, unit.power, options=options)
            assert reading.order == order, (seed, words, reading)


def test_the_adjudicator_agrees_with_the_rulebook() -> None:
    _agree(ROUNDS)


@pytest.mark.long
def test_they_agree_on_many_thousand_positions() -> None:
    _agree(MANY)


def _agree(rounds: int) -> None:
    drawn = RULES.board(board())
    for seed in range(rounds):
        line = melee(Random(seed), drawn)
        assert compare(drawn, RULES, line) == [], (seed, line.line)


def test_where_fleets_carry_anybody_they_agree() -> None:
    _agree_aboard(ROUNDS)


@pytest.mark.long
def test_where_fleets_carry_anybody_they_agree_on_many_thousand_positions() -> None:
    _agree_aboard(MANY)


def _agree_aboard(rounds: int) -> None:
    for seed in range(rounds):
        chance = Random(seed)
        position = crowded(chance, foreign=True)
        _same(position, orders_for(chance, position, foreign=True))


def _by_the_book(position: Position, orders: list[Order]) -> Verdict | None:
    pieces = [Piece(unit.id, unit.power, unit.kind, unit.at, unit.aboard or None) for unit in position.units]
    given: dict[int, object] = {}
    for order in orders:
        match order:
            case Move(unit, to):
                given[unit.id] = Go(to)
            case Support(unit, of, to):
                given[unit.id] = Back(of.id, province_of(to) if to else None)
            case Aboard(unit, of):
                given[unit.id] = Embark(of.id)
            case Ashore(unit):
                given[unit.id] = Off()
    if sum(isinstance(order, Go) for order in given.values()) > MOST_MOVES:
        return None
    countries = {key: Country(first_capital(board(), key), tuple(bases_of(board(), key))) for key in board().powers}
    return Rulebook1958(board(), pieces, given, countries, foreign_boarding=True).verdict()


def _same(position: Position, orders: list[Order]) -> bool:
    """Whether a position could be compared: the book has an answer. They agree on it, or this fails."""
    expected = _by_the_book(position, orders)
    if expected is None:
        return False
    result = adjudicate(position, orders, FOREIGN)
    moved = {o.order.unit.id for o in result.outcomes if isinstance(o.order, Move) and o.results[0] is Result.OK}
    beaten = {each.unit.id for each in (*result.after.dislodged, *result.destroyed)}
    after = {(unit.id, unit.at, unit.aboard or None) for unit in result.after.units}
    shown = ([str(unit) + f" {unit.power}" for unit in position.units], [str(order) for order in orders])
    assert moved == expected.moved, shown
    assert beaten == set(expected.dislodged), shown
    assert after == expected.after, shown
    assert result.after.status(FOREIGN.stacks(result.after)) == (), shown
    return True


# ---- small positions, whatever is ordered

SMALL = (
    "ENGLAND A LON, ENGLAND F LON, GERMANY F NTH, GERMANY F YOR",
    "ENGLAND A NTH [2], ENGLAND F NTH, ENGLAND A BEL, GERMANY F HOL",
    "FRANCE A BEL [2], FRANCE F BEL, FRANCE F ENC, GERMANY A HOL",
    "FRANCE A PAR, FRANCE A PAR, FRANCE A GAS, GERMANY A BUR",
    "FRANCE F BRE, FRANCE F BRE, FRANCE A GAS, ENGLAND F ENC",
    "TURKEY A CON, TURKEY F CON, TURKEY A BUL, RUSSIA F BLA",
    "FRANCE A HOL [2], ENGLAND F HOL, ENGLAND A BEL, GERMANY F KIE",
)
"""Units by power; [n]: aboard the n-th of them."""


def _standing(line: str) -> Position:
    units = []
    for number, words in enumerate(map(str.split, line.split(", ")), 1):
        power, kind, at, *on = words
        unit = Unit(number, kind, at, power, at)
        units.append(unit.marked(ABOARD, on[0].strip("[]")) if on else unit)
    return Position(board(), Phase.read("S1901M"), tuple(units), {}, next_id=len(units) + 1)


def _possible(position: Position, unit: Unit) -> list[Order]:
    """Whatever a unit could be ordered, among the places where somebody stands and two of those between."""
    if unit.aboard:
        return [Hold(unit), Ashore(unit)] if board().can_stand("A", unit.at) else [Hold(unit)]
    here = {province_of(each.at) for each in position.units}
    ways = [to for to in board().reach(unit.kind, unit.at) if province_of(to) in here]
    free = [to for to in board().reach(unit.kind, unit.at) if province_of(to) not in here][:1]
    found: list[Order] = [Hold(unit), *(Move(unit, to) for to in (*ways, *free))]
    reach = {province_of(to) for to in board().reach(unit.kind, unit.at)}
    for other in position.units:
        if other.id == unit.id:
            continue
        if province_of(other.at) in reach:
            found.append(Support(unit, other))
        if not other.aboard:
            goals = (to for to in board().reach(other.kind, other.at) if province_of(to) in reach & here)
            found += [Support(unit, other, to) for to in goals]
        if unit.kind == "A" and other.kind == "F":
            found.append(Aboard(unit, other))
    return found


@pytest.mark.parametrize("line", SMALL)
def test_small_positions_agree_whatever_is_ordered(line: str) -> None:
    _every(line, stride=61)


@pytest.mark.long
@pytest.mark.parametrize("line", SMALL)
def test_small_positions_agree_in_every_single_order(line: str) -> None:
    _every(line, stride=1)


def _every(line: str, stride: int) -> None:
    position = _standing(line)
    choices = product(*(_possible(position, unit) for unit in position.units))
    compared = sum(_same(position, list(orders)) for orders in islice(choices, 0, None, stride))
    assert compared

"""What holds in every season and every winter of 1914, whatever is ordered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from judge.adjudicate import Adjudication, adjudicate
from judge.adjudicate.exhaustive import Exhaustive, TooTangled
from judge.board.model import province_of
from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS, Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.daemon.robots import think
from judge.languages import Language, speak
from judge.orders.model import Build, Convoy, Hold, Move, Order, Support, UnitOrder
from judge.rules import Rules
from judge.rules.business import Deed
from judge.variants.pulsipher1914.ledger import told_entry
from judge.variants.pulsipher1914.orders import Cover, Raid, Rebase, Segments, Train
from judge.variants.pulsipher1914.state import (
    BOMBER,
    BOOK,
    COUNTRIES,
    FIRST_YEAR,
    GREATS,
    HAD,
    MINORS,
    TIES,
    CountryState,
)
from judge.variants.pulsipher1914.winter import PRICES, UPKEEP
from tests.variants.pulsipher1914.play import RULES, board


def points(position: Position) -> dict[str, int]:
    return {name: n for name in COUNTRIES if (n := CountryState(position).points.get(name, 0))}


def some_orders(position: Position, chance: Random) -> Iterator[Order]:
    """An order for most units, of every kind, good and bad."""
    here = position.board
    for unit in position.units:
        if unit.kind == BOMBER:
            code = chance.choice(here.centres)
            yield chance.choice((Raid(unit, code), Raid(unit, code, True), Cover(unit, code), Rebase(unit, code)))
            continue
        ways = here.reach(unit.kind, unit.at)
        other = chance.choice(position.units)
        to = chance.choice(ways)
        roll = chance.random()
        if roll < 0.4:
            yield Move(unit, to)
        elif roll < 0.6 and other.kind != BOMBER and other.id != unit.id:
            yield Support(unit, other, chance.choice((None, *here.reach(other.kind, other.at))))
        elif roll < 0.7 and unit.kind == "F":
            yield Segments(unit, f"- {to}", f"- {chance.choice(here.reach('F', to))}")
        elif roll < 0.8 and unit.kind == "A":
            yield Train(unit, (to, chance.choice(here.reach("A", to))))
        elif roll < 0.9 and unit.kind == "F" and other.kind == "A":
            yield Convoy(unit, other, chance.choice(here.centres))
        elif roll < 0.95:
            yield Hold(unit)


def some_deeds(position: Position, chance: Random) -> Iterator[Deed]:
    for power in GREATS:
        minor = chance.choice(list(MINORS)).title()
        yield Deed(power, "influence", (str(chance.randint(1, 9)), minor))
        yield Deed(power, "give", (str(chance.randint(1, 4)), "to", chance.choice(list(GREATS))))
        yield Deed(power, "ally", (chance.choice(list(GREATS)),))
        yield Deed(power, "claim", (minor, "with", chance.choice(list(GREATS))))


def check_season(result: Adjudication) -> None:
    before, after = points(result.before), points(result.after)
    entries = result.after.marks.get("season", {}).get("spent", "")
    spent = {name: int(n) for name, _, n in (each.partition("=") for each in entries.split(",") if each)}
    for name in COUNTRIES:
        if CountryState(result.after).is_out(name):
            continue  # who surrenders has no account any more
        assert after.get(name, 0) == before.get(name, 0) - spent.get(name, 0) >= 0, name


def check_winter(result: Adjudication, orders: list[Order]) -> None:
    """The ledger sums up: what each country has is what it had, with its entries."""
    before, after, state = points(result.before), points(result.after), CountryState(result.after)
    for name in COUNTRIES:
        entries = [line for line in state.get(name, "book").splitlines() if line[0] in "+-"]
        change = sum(int(line.split()[0]) for line in entries)
        assert after.get(name, 0) == before.get(name, 0) + change >= 0, (name, entries)
        if result.before.phase.year < FIRST_YEAR:
            continue  # the units of 1914 are maintained already
        if state.player(name) and state.player(name) == CountryState(result.before).player(name):
            paid = -sum(int(line.split()[0]) for line in entries if "maintenance" in line)
            new = [o for o in result.outcomes if isinstance(o.order, Build) and o.ok and o.order.power == name]
            assert paid % UPKEEP == 0
            lost = sum(o.reason == "no-supply-line" and o.order.unit.power == name for o in result.outcomes)  # type: ignore[union-attr]
            alive = len(result.after.of(name)) + lost
            assert alive == paid // UPKEEP + len(new), (name, entries)
            assert all(PRICES[each.order.kind] for each in new)  # type: ignore[union-attr]


class InMarks(Language):
    """Another language, in which each message that it is asked for stands in marks."""

    def text(self, message: str) -> str:
        return f"\u27e6{message}\u27e7"


def check_ledger(result: Adjudication) -> None:
    """Each entry has one of the forms of which other languages know: what stands in no marks is a sum and a place."""
    state, here = CountryState(result.after), result.after.board
    for name in COUNTRIES:
        for entry in state.get(name, BOOK).splitlines():
            if entry.startswith(HAD):
                continue
            with speak(InMarks("xx", "Marks")):
                told = told_entry(entry, here)
            bare = re.sub(r"^[+-]\d+ ", "", re.sub("\u27e6.*\u27e7", "", told)).strip()
            assert not bare or bare in here.spelled.values(), (entry, told)


def check_board(result: Adjudication) -> None:
    after = result.after
    places = Counter(province_of(unit.at) for unit in after.units if unit.kind != BOMBER)
    assert all(number == 1 for number in places.values()), places
    assert len({unit.id for unit in after.units}) == len(after.units)
    told = Counter(str(o.order.unit) for o in result.outcomes if isinstance(o.order, UnitOrder))
    assert all(number <= 2 for number in told.values())


@pytest.mark.parametrize("seed", range(4))
def test_points_neither_appear_nor_vanish(seed: int) -> None:
    """Games by dice, with every kind of order; bombers and shortage come with the years."""
    chance = Random(seed)
    position = RULES.start(board())
    position = replace(position, phase=Phase.read("W1916A"))
    for _ in range(36):
        orders: list[Order] = []
        deeds: list[Deed] = []
        if position.phase.kind is MOVES:
            orders = list(some_orders(position, chance))
        elif position.phase.kind is RETREATS:
            state = CountryState(position)
            for power in COUNTRIES:
                orders += think(position, power, RULES, chance) if state.player(power) else []
        else:
            deeds = list(some_deeds(position, chance))
            sites = [Build(p, k, at) for p in GREATS for at in position.centres(p) for k in "AFB"]
            orders = chance.sample(sites, min(6, len(sites)))
        result = adjudicate(position, orders, RULES, deeds=deeds)
        check_board(result)
        check_ledger(result)
        if position.phase.kind is ADJUSTMENTS:
            check_winter(result, orders)
        else:
            check_season(result)
        position = result.after
        if RULES.winner(position):
            break


def test_a_permission_and_who_is_paid_first_are_for_one_season() -> None:
    position = replace(RULES.start(board()), phase=Phase.read("S1915M"))
    deeds = [
        Deed("GERMANY", "permit", ("France", "A", "Par", "to", "occupy", "Ber")),
        Deed("GERMANY", "pay", ("first", "A", "Mun")),
    ]
    after = CountryState(adjudicate(position, (), RULES, deeds=deeds).after)
    assert not list(after.permits())
    assert not after.get("GERMANY", TIES)


def a_battle(chance: Random) -> tuple[Position, list[Order]]:
    """Some units of the five, and plain orders; fleets stay out of centres."""
    here = board()
    spots = [(k, at) for at in here.locations() for k in "AF" if here.can_stand(k, at)]
    taken: set[str] = set()
    units: list[Unit] = []
    for kind, at in chance.sample(spots, 26):
        if province_of(at) not in taken:
            taken.add(province_of(at))
            units.append(Unit(len(units) + 1, kind, at, chance.choice(list(GREATS)), at))
    start = RULES.start(here)
    position = replace(start, phase=Phase.read("S1915M"), units=tuple(units), next_id=99)
    orders: list[Order] = []
    for unit in units:
        ways = [
            to
            for to in here.reach(unit.kind, unit.at)
            if unit.kind == "A" or not here.provinces[province_of(to)].centre
        ]
        other = chance.choice(units)
        roll = chance.random()
        if roll < 0.5 and ways:
            orders.append(Move(unit, chance.choice(ways)))
        elif roll < 0.9 and other.id != unit.id:
            orders.append(Support(unit, other))
    moves = {order.unit.id: order for order in orders if isinstance(order, Move)}
    near = list(moves.values())
    for n, order in enumerate(orders):
        if isinstance(order, Support) and near:
            reach = {province_of(to) for to in here.reach(order.unit.kind, order.unit.at)}
            helped = [m for m in near if province_of(m.to) in reach and m.unit.id != order.unit.id]
            if helped and chance.random() < 0.7:
                move = chance.choice(helped)
                orders[n] = Support(order.unit, move.unit, move.to)
    return position, orders


def agree(seed: int) -> bool:
    """Whether a second resolver finds the same once those acts are left out that were not paid for."""
    chance = Random(f"purse {seed}")
    position, orders = a_battle(chance)
    state = CountryState(position)
    for power in GREATS:
        state.points[power] = chance.randint(0, 12)
    position = state.applied(position)
    result = adjudicate(position, orders, RULES)
    check_board(result)
    check_season(result)
    short = {o.order.unit.id for o in result.outcomes if o.reason == "not-paid"}  # type: ignore[union-attr]
    told = CountryState(result.after)
    shorts = [line for name in COUNTRIES for line in told.get(name, "book").splitlines() if line.startswith("not paid")]
    weak = {unit.id for unit in position.units for line in shorts if f": {unit}: defence" in line}
    left = [order for order in orders if order.unit.id not in short]  # type: ignore[union-attr]
    moved_away = {o.unit.id for o in orders if isinstance(o, Move) and o.unit.id in short}
    left = [o for o in left if not (isinstance(o, Support) and o.of.id in moved_away)]
    try:
        plain = Exhaustive(position, left, Rules())
        plain.weak = frozenset(weak)
        second = plain.settled()
    except TooTangled:
        return False
    moved = {o.order.unit.id for o in result.outcomes if isinstance(o.order, Move) and o.ok}
    ousted = {o.order.unit.id for o in result.outcomes if o.dislodged}  # type: ignore[union-attr]
    assert moved == set(second.moved), seed
    assert ousted == set(second.dislodged), seed
    return True


def test_a_second_resolver_agrees_with_purses() -> None:
    assert sum(agree(seed) for seed in range(60)) > 55


@pytest.mark.long
def test_a_second_resolver_agrees_with_many_purses() -> None:
    assert sum(agree(seed) for seed in range(60, 5060)) > 4900

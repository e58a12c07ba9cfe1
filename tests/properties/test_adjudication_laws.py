"""Laws that hold for every movement phase, whatever the position and whoever ordered what."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.adjudicate import Adjudication, Result, adjudicate
from judge.adjudicate.bout import OPEN
from judge.adjudicate.duty import duties
from judge.adjudicate.knots import untie
from judge.adjudicate.lower import lower
from judge.adjudicate.solve import Solver
from judge.board.load import load_board
from judge.board.model import Board, province_of
from judge.board.position import Position, start_position
from judge.board.unit import Unit
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.rules import RULES_1976, Rules
from judge.variants import rules_for
from tests.support.tangles import crowded, tangled

MAPS = Path(__file__).parents[2] / "maps"
NAMES = ("1976", "1982", "2000", "2023", "datc", "thundar")

laws = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
chances = st.randoms(use_true_random=False)


@cache
def standard() -> Board:
    return load_board(MAPS / "standard")


def phase(random: Random) -> tuple[Position, list[Order], Rules]:
    position = crowded(random, standard(), random.randint(6, 22), random.choice((2, 3, 4, 7)))
    return position, tangled(random, position), rules_for(random.choice(NAMES))


def ends(result: Adjudication) -> dict[str, tuple[Result, ...]]:
    return {str(outcome.order): outcome.results for outcome in result.outcomes}


@laws
@given(chances)
def test_the_order_of_submission_means_nothing(random: Random) -> None:
    position, orders, rules = phase(random)
    first = adjudicate(position, orders, rules)
    random.shuffle(orders)
    second = adjudicate(position, orders, rules)
    assert first == second


@laws
@given(chances)
def test_the_order_of_the_units_means_nothing(random: Random) -> None:
    position, orders, rules = phase(random)
    units = list(position.units)
    random.shuffle(units)
    other = Position(position.board, position.phase, tuple(units), position.owners)
    first, second = adjudicate(position, orders, rules), adjudicate(other, orders, rules)
    assert set(first.after.units) == set(second.after.units)
    assert set(first.after.dislodged) == set(second.after.dislodged)
    assert ends(first) == ends(second)


@laws
@given(chances)
def test_other_names_for_the_powers_mean_nothing(random: Random) -> None:
    position, orders, rules = phase(random)
    names = sorted(position.board.powers)
    renamed = dict(zip(names, random.sample(names, len(names)), strict=True))

    def rename(unit: Unit) -> Unit:
        return unit._replace(power=renamed[unit.power])

    other = Position(position.board, position.phase, tuple(map(rename, position.units)), position.owners)
    changed = [_rebound(order, rename) for order in orders]
    first, second = adjudicate(position, orders, rules), adjudicate(other, changed, rules)
    assert ends(first) == ends(second)
    assert tuple(map(rename, first.after.units)) == second.after.units


def _rebound(order: Order, change: object) -> Order:
    """The same order for changed units."""
    assert callable(change)
    if isinstance(order, Move):
        return Move(change(order.unit), order.to, order.via)
    if isinstance(order, Support):
        return Support(change(order.unit), change(order.of), order.to)
    if isinstance(order, Convoy):
        return Convoy(change(order.unit), change(order.of), order.to)
    assert isinstance(order, Hold)
    return Hold(change(order.unit))


@laws
@given(chances)
def test_a_board_read_backwards_means_nothing(random: Random) -> None:
    """The same board with its provinces and borders listed in reverse, every border turned round."""
    position, orders, rules = phase(random)
    other = Position(backwards(), position.phase, position.units, position.owners)
    first, second = adjudicate(position, orders, rules), adjudicate(other, orders, rules)
    assert first.after.units == second.after.units
    assert first.after.dislodged == second.after.dislodged
    assert ends(first) == ends(second)


@cache
def backwards() -> Board:
    board = standard()
    borders = tuple(type(each)(each.b, each.a, each.kinds, each.closures) for each in reversed(board.borders))
    provinces = MappingProxyType(dict(reversed(list(board.provinces.items()))))
    return Board(board.key, board.title, provinces, board.powers, borders, board.first_phase, board.victory)


@laws
@given(chances)
def test_nobody_both_succeeds_and_is_dislodged(random: Random) -> None:
    position, orders, rules = phase(random)
    for outcome in adjudicate(position, orders, rules).outcomes:
        if isinstance(outcome.order, Move):
            assert not (outcome.ok and outcome.dislodged)


@laws
@given(chances)
def test_at_most_one_unit_stands_in_a_space_and_nobody_is_lost_or_made(random: Random) -> None:
    position, orders, rules = phase(random)
    result = adjudicate(position, orders, rules)
    spaces = Counter(province_of(unit.at) for unit in result.after.units)
    assert max(spaces.values()) == 1
    gone = [each.unit for each in (*result.after.dislodged, *result.destroyed)]
    assert sorted(unit.id for unit in (*result.after.units, *gone)) == sorted(unit.id for unit in position.units)


@laws
@given(chances)
def test_retreats_lead_to_empty_uncontested_spaces_and_never_to_the_attacker(random: Random) -> None:
    position, orders, rules = phase(random)
    result = adjudicate(position, orders, rules)
    taken = {province_of(unit.at) for unit in result.after.units}
    bounced = Counter(
        province_of(outcome.order.to)
        for outcome in result.outcomes
        if isinstance(outcome.order, Move) and outcome.results[0] is Result.BOUNCED
    )
    for each in result.after.dislodged:
        attack = next(o for o in result.outcomes if isinstance(o.order, Move) and o.order.unit == each.by)
        for option in each.options:
            assert province_of(option) not in taken
            assert option in position.board.reach(each.unit.kind, each.unit.at)
            assert bounced[province_of(option)] < 2 or rules.dislodged_effect == "never"
            if attack.reason == "moved":
                assert province_of(option) != province_of(attack.order.unit.at)  # type: ignore[union-attr]


@laws
@given(chances)
def test_no_power_dislodges_its_own(random: Random) -> None:
    position, orders, rules = phase(random)
    result = adjudicate(position, orders, rules)
    for each in (*result.after.dislodged, *result.destroyed):
        assert each.by is not None
        assert each.by.power != each.unit.power


@laws
@given(chances)
def test_one_more_support_never_weakens_a_move(random: Random) -> None:
    """Outside knots, where a support may bring a paradox about."""
    position, orders, rules = phase(random)
    before = adjudicate(position, orders, rules)
    moves = [o.order for o in before.outcomes if isinstance(o.order, Move) and o.ok]
    idle = [order for order in orders if isinstance(order, Hold)]
    for move in moves[:3]:
        for order in idle[:3]:
            helped = [each for each in orders if each is not order] + [Support(order.unit, move.unit, move.to)]
            if _tangled(position, orders, rules) or _tangled(position, helped, rules):
                continue
            assert adjudicate(position, helped, rules).of(move.unit).ok


def _tangled(position: Position, orders: list[Order], rules: Rules) -> bool:
    solver = Solver(lower(position, orders, rules))
    solver.solve()
    return solver.tangled


@laws
@given(chances)
def test_no_question_is_left_open(random: Random) -> None:
    position, orders, rules = phase(random)
    solver = Solver(lower(position, orders, rules))
    solver.solve()
    if solver.tangled:
        untie(solver)
    assert OPEN not in (*solver.fate, *solver.standing, *solver.carried.values())


@laws
@given(chances)
def test_every_failure_names_a_culprit_or_a_fault(random: Random) -> None:
    position, orders, rules = phase(random)
    for outcome in adjudicate(position, orders, rules).outcomes:
        if outcome.results[0] in (Result.BOUNCED, Result.CUT) and outcome.reason != "paradox":
            assert outcome.by
        if outcome.reason in ("stood-off", "held", "head-to-head") and outcome.strengths:
            assert outcome.strengths[0] <= outcome.strengths[1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_never_has_more_units_than_centres(name: str, seed: int) -> None:
    random = Random(seed)
    position = start_position(standard())
    identities = {unit.id for unit in position.units}
    while position.phase.year < 1909:
        after = adjudicate(position, _anything(random, position), rules_for(name)).after
        fresh = {unit.id for unit in after.units} - {unit.id for unit in position.units}
        fresh -= {each.unit.id for each in position.dislodged}
        assert not fresh & identities
        identities |= fresh
        assert len(after.units) + len(after.dislodged) <= 34
        if position.phase.kind == "A":
            for power in position.board.powers:
                assert len(after.of(power)) <= len(after.centres(power))
        position = after


def _anything(random: Random, position: Position) -> list[Order]:
    if position.phase.kind == "M":
        return tangled(random, position)
    orders: list[Order] = []
    for power, duty in duties(position, RULES_1976).items():
        orders += [Retreat(each.unit, random.choice(each.options)) for each in duty.retreats]
        orders += [Build(power, *random.choice(duty.sites)) for _ in range(duty.builds)]
        orders += [Disband(random.choice(position.of(power))) for _ in range(duty.removals)]
    return orders

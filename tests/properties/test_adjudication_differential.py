"""Two adjudicators that share no code agree: the one that ships, and the exhaustive one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.adjudicate import adjudicate
from judge.adjudicate.bout import YES
from judge.adjudicate.exhaustive import Exhaustive
from judge.adjudicate.exhaustive import Settled as Expected
from judge.adjudicate.knots import untie
from judge.adjudicate.lower import lower
from judge.adjudicate.settle import is_vacant
from judge.adjudicate.solve import Solver
from judge.board.load import load_board
from judge.board.model import Board, province_of
from judge.board.position import Position
from judge.orders.model import Move, Order
from judge.rules import CHOICES, RULES_1976, Rules
from judge.variants import rules_for
from tests.support.cases import Case, position_of, read_file, read_order, rules_named
from tests.support.tangles import crowded, tangled

MAPS = Path(__file__).parents[2] / "maps"
CASES = [read_file(path) for path in sorted((Path(__file__).parents[1] / "cases").rglob("*.case"))]
MOST_MOVES = 9
"""With more movers than this the exhaustive resolver takes too long."""


@cache
def standard() -> Board:
    return load_board(MAPS / "standard")


def settled(position: Position, orders: list[Order], rules: Rules) -> Expected:
    """The production result in the terms of the exhaustive one."""
    bout = lower(position, orders, rules)
    solver = Solver(bout)
    solver.solve()
    if solver.tangled:
        untie(solver)
    ids = [unit.id for unit in position.units]
    ousted = solver.dislodgements()
    moved = {number for number in bout.moving() if solver.fate[number] == YES}
    empty = [space for space, movers in enumerate(bout.movers) if movers and _left_empty(solver, space, ousted)]
    return Expected(
        {ids[number] for number in moved},
        {ids[victim]: ids[attacker] for victim, attacker in ousted.items()},
        {bout.chart.codes[space] for space in empty if not is_vacant(solver, space, bout.occupant[space])},
    )


def _left_empty(solver: Solver, space: int, ousted: dict[int, int]) -> bool:
    """Whether nobody stands in a space after the moves."""
    there = solver.occupant[space]
    stays = there >= 0 and solver.fate[there] != YES and there not in ousted
    return not stays and all(solver.fate[mover] != YES for mover in solver.movers[space])


def agree(position: Position, orders: list[Order], rules: Rules) -> None:
    if sum(isinstance(order, Move) for order in orders) <= MOST_MOVES:
        listing = "; ".join(f"{order.unit.power[:3]} {order}" for order in orders if hasattr(order, "unit"))
        assert settled(position, orders, rules) == Exhaustive(position, orders, rules).solve(), (
            f"under {rules.key} {rules.differences()}: {listing}"
        )


def any_rules(random: Random) -> Rules:
    """A preset, at times with a choice answered otherwise."""
    rules = random.choice([rules_for(name) for name in ("1976", "1982", "2000", "2023", "datc", "thundar")])
    while random.random() < 0.4:
        name = random.choice(sorted(CHOICES))
        rules = rules.with_choices({name: random.choice([answer.value for answer in CHOICES[name]])})
    return rules


@pytest.mark.parametrize("case", [case for case in CASES if case.board == "standard"], ids=lambda case: case.title)
def test_over_every_case(case: Case) -> None:
    for name, stages in case.stages.items():
        position = position_of(case, standard())
        for lines in stages:
            orders = [read_order(line.text, position, line.power) for line in lines if line.given]
            if position.phase.kind == "M":
                agree(position, orders, rules_named(name))
            position = adjudicate(position, orders, rules_named(name)).after


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_over_crowded_corners(random: Random) -> None:
    position = crowded(random, standard(), random.randint(6, 13), random.choice((2, 3, 3, 4)))
    agree(position, tangled(random, position), any_rules(random))


def test_over_a_seeded_sample() -> None:
    _many(range(400))


@pytest.mark.long
def test_over_tens_of_thousands() -> None:
    _many(range(1_000_000, 1_040_000))


def _many(seeds: range) -> None:
    for seed in seeds:
        random = Random(seed)
        position = crowded(random, standard(), random.randint(7, 14), random.choice((2, 3, 3, 4, 6)))
        agree(position, tangled(random, position), any_rules(random))


def test_over_rotations_and_head_to_head_moves() -> None:
    """Every unit of a dense corner moves or supports; no convoys."""
    for seed in range(300):
        random = Random(seed)
        position = crowded(random, standard(), random.randint(5, 9), 2)
        orders: list[Order] = []
        for unit in position.units:
            near = [goal for goal in standard().reach(unit.kind, unit.at) if position.at(province_of(goal))]
            if near:
                orders.append(Move(unit, random.choice(near)))
        agree(position, orders, RULES_1976)

"""The European Variant in random positions around its mountains and its railway: they are judged twice, by the
adjudicator and by the sentences of the rules; and what holds whatever is ordered, most of it foolish.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import MappingProxyType

import pytest

from judge.adjudicate import adjudicate
from judge.adjudicate.explain import explain_all
from judge.adjudicate.legality import legality
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Convoy, Move, Order, Rail, Support
from judge.variants import rules_for
from tests.support.archipelago import board_named
from tests.support.positions_1976 import compare
from tests.support.positions_european import compare_year, melee
from tests.support.positions_winter import compare_adjustments, compare_retreats
from tests.support.rulebook_european import RulebookEuropean
from tests.support.rulebook_winter import homes_of_european

RULES = rules_for("european")
NORTH = "NCO LAP MUR NWY SWE NWG BRS EDI CLY NSN FIN NSC SKA HEB ARK WHI ICE NAO ARC"
EAST = "MOS PER OMS ORE KAZ LVN MIN STP VOL ARK KHA"
ALPS = "TYR MUN MIL VEN SWI PIE MAR VIE TRI PRA LYO LOR BUR"
AREAS = tuple(area.split() for area in (NORTH, EAST, ALPS))
POWERS = ("RUSSIA", "GREAT BRITAIN", "GERMANY")
ROUNDS, MANY = 150, 30_000
"""Positions of the ordinary tests and of the long ones."""


@pytest.fixture(scope="module")
def board() -> Board:
    return RULES.board(board_named("european"))


def made_up(board: Board, chance: Random) -> tuple[Position, list[Order]]:
    """A position of some neighbours, and orders for most of them."""
    area = chance.choice(AREAS)
    units: list[Unit] = []
    for province in area:
        if chance.random() < 0.6:
            kind, at = chance.choice([(kind, at) for kind in "AF" for at in board.standings(kind, province)])
            unit = Unit(len(units) + 1, kind, at, chance.choice(POWERS), at)
            came = chance.choice(board.reach(kind, at) or (at,))
            known = kind == "A" and at in ("NCO", "TYR")
            units.append(unit._replace(marks=(("entered", "S1892M"), ("entered_from", came))) if known else unit)
    phase = Phase.read(chance.choice(("S1892M", "F1892M", "F1892M")))
    position = Position(board, phase, tuple(units), MappingProxyType({}), next_id=len(units) + 1)
    orders = [order for unit in units for order in _ordered(board, unit, units, area, chance)]
    return position, orders


def _ordered(board: Board, unit: Unit, units: Sequence[Unit], area: list[str], chance: Random) -> list[Order]:
    draw, other = chance.random(), chance.choice(units)
    near = board.reach(unit.kind, unit.at) or (unit.at,)
    if draw < 0.5:
        return [Move(unit, chance.choice(near))]
    if draw < 0.6 and unit.kind == "A":
        return [Rail(unit, chance.choice(("OMS", "MOS", "PER")))] if draw < 0.55 else [Move(unit, chance.choice(area))]
    if other is unit or draw > 0.9:
        return []
    if draw > 0.8 and unit.kind == "F":
        return [Convoy(unit, other, chance.choice(area))]
    return [Support(unit, other, chance.choice((None, *near, *board.reach(other.kind, other.at))))]


@pytest.mark.parametrize("seed", range(8))
def test_laws_of_the_mountains(board: Board, seed: int) -> None:
    chance = Random(seed)
    for _ in range(150):
        position, orders = made_up(board, chance)
        result = adjudicate(position, orders, RULES)
        after = result.after
        assert after.status() == ()
        assert len(after.units) + len(after.dislodged) + len(result.destroyed) == len(position.units)
        assert all(explain_all(result))
        for order in orders:
            legality(order, position, RULES)
        chance.shuffle(orders)
        again = adjudicate(position, orders, RULES).after
        assert {str(unit) for unit in again.units} == {str(unit) for unit in after.units}


def test_moves_agree_with_the_rulebook(board: Board) -> None:
    _moves_agree(board, ROUNDS)


@pytest.mark.long
def test_moves_agree_with_the_rulebook_many_thousand_times(board: Board) -> None:
    _moves_agree(board, MANY)


def _moves_agree(board: Board, rounds: int) -> None:
    for seed in range(rounds):
        crowd = melee(Random(seed), board)
        book = RulebookEuropean(board, crowd.pieces, crowd.orders, crowd.phase)
        verdict = book.verdict()
        assert verdict is None or compare(board, RULES, crowd, book, verdict) == [], (seed, crowd.line)


def test_a_year_agrees_with_the_rulebook(board: Board) -> None:
    """Spring, Summer, and the Fall with what is remembered of them; December; the winter."""
    _year_agrees(board, ROUNDS)


@pytest.mark.long
def test_years_agree_with_the_rulebook_many_thousand_times(board: Board) -> None:
    _year_agrees(board, MANY)


def _year_agrees(board: Board, rounds: int) -> None:
    for seed in range(rounds):
        assert compare_year(Random(seed), board, RULES) == [], seed
        assert compare_retreats(Random(seed), board, RULES) == [], seed
        assert compare_adjustments(Random(seed), board, RULES, homes_of_european) == [], seed

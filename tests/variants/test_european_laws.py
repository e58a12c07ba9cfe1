"""What holds in the European Variant whatever is ordered: positions around its mountains and its railway are made up at
random, and orders for them, most of them foolish.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import MappingProxyType

import pytest

from judge.adjudicate import Adjudication, adjudicate
from judge.adjudicate.explain import explain_all
from judge.adjudicate.legality import legality
from judge.adjudicate.outcome import Result
from judge.board.model import Board, province_of
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Convoy, Move, Order, Rail, Support
from judge.variants import rules_for
from tests.support.archipelago import board_named

RULES = rules_for("european")
NORTH = "NCO LAP MUR NWY SWE NWG BRS EDI CLY NSN FIN NSC SKA HEB ARK WHI ICE NAO ARC"
EAST = "MOS PER OMS ORE KAZ LVN MIN STP VOL ARK KHA"
ALPS = "TYR MUN MIL VEN SWI PIE MAR VIE TRI PRA LYO LOR BUR"
AREAS = tuple(area.split() for area in (NORTH, EAST, ALPS))
POWERS = ("RUSSIA", "GREAT BRITAIN", "GERMANY")


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
        before = {unit.id: unit for unit in position.units}
        for unit in after.units:
            _check_memory(before[unit.id], unit)
            if position.phase.season == "F" and unit.kind == "A" and unit.at != before[unit.id].at:
                _check_fall(result, before[unit.id], unit)
        if position.phase.season == "F":
            assert all("NCO" not in (d.unit.at, *d.options) for d in after.dislodged if d.unit.kind == "A")
        chance.shuffle(orders)
        again = adjudicate(position, orders, RULES).after
        assert {str(unit) for unit in again.units} == {str(unit) for unit in after.units}


def _check_memory(was: Unit, unit: Unit) -> None:
    """Only armies in two provinces are remembered, and whence they came is where they were."""
    if was.at == unit.at:
        assert unit.marks == was.marks
    elif unit.at in ("NCO", "TYR") and unit.kind == "A":
        assert dict(unit.marks)["entered_from"] == province_of(was.at)
    else:
        assert unit.marks == ()


def _check_fall(result: Adjudication, was: Unit, unit: Unit) -> None:
    """Nobody passed the Norse Coast without cover, the Swiss passes, or the ridge that it came over from behind."""
    if "NCO" in (was.at, unit.at):
        covers = (o for o in result.outcomes if isinstance(o.order, Support) and o.order.unit.at == "NWG")
        assert any(o.order.of.id == was.id and o.results[0] is Result.OK for o in covers)  # type: ignore[union-attr]
    assert {was.at, unit.at} not in ({"SWI", south} for south in ("MAR", "PIE", "MIL", "TYR"))
    assert (dict(was.marks).get("entered_from"), was.at, unit.at) not in result.before.board.ridges

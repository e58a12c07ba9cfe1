"""What is wrong with a position is told all at once, by codes; a position that is played has nothing wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position, start_position
from judge.board.status import Stack
from judge.board.unit import Dislodged, Unit

PARIS = Unit(1, "A", "PAR", "FRANCE")
BEATEN = Unit(2, "A", "BUR", "FRANCE")
ATTACKER = Unit(3, "A", "BUR", "GERMANY")

Falsify = Callable[[Position], Position]


@pytest.fixture
def retreat(standard: Board) -> Position:
    """A French army has been driven out of Burgundy."""
    waiting = (Dislodged(BEATEN, ("GAS", "PIC"), ATTACKER._replace(at="MUN")),)
    return Position(standard, Phase.read("S1901R"), (PARIS, ATTACKER), {"PAR": "FRANCE"}, waiting, next_id=4)


def waits(**changed: Any) -> Falsify:
    """The unit in Burgundy waits otherwise."""
    return lambda position: replace(position, dislodged=(position.dislodged[0]._replace(**changed),))


def stands(**changed: Any) -> Falsify:
    """The army in Paris is another one."""
    return lambda position: replace(position, units=(position.units[0]._replace(**changed), position.units[1]))


FALSE: Mapping[str, tuple[Falsify, str]] = {
    "no-power": (stands(power="ATLANTIS"), "PAR"),
    "no-kind": (stands(kind="X"), "PAR"),
    "no-place": (stands(at="XYZ"), "XYZ"),
    "cannot-stand": (stands(at="NTH"), "NTH"),
    "same-unit": (stands(id=3), "BUR"),
    "crowded": (stands(at="BUR"), "BUR"),
    "no-centre": (lambda position: replace(position, owners={"BUR": "FRANCE"}), "BUR"),
    "not-retreating": (lambda position: replace(position, phase=Phase.read("F1901M")), "BUR"),
    "no-attacker": (lambda position: replace(position, units=(PARIS,)), "BUR"),
    "cannot-retreat": (waits(options=("PAR",)), "PAR"),
}


def test_a_position_that_can_be_played_has_an_empty_status(standard: Board, retreat: Position) -> None:
    assert start_position(standard).status() == ()
    assert retreat.status() == ()


@pytest.mark.parametrize("code", FALSE)
def test_each_falsification_is_found_alone(code: str, retreat: Position) -> None:
    falsify, where = FALSE[code]
    assert [(flaw.code, flaw.where) for flaw in falsify(retreat).status()] == [(code, where)]


def test_everything_that_is_wrong_is_told_at_once(retreat: Position) -> None:
    wrong = retreat
    for code in ("no-power", "no-centre", "cannot-retreat"):
        wrong = FALSE[code][0](wrong)
    assert {flaw.code for flaw in wrong.status()} == {"no-power", "no-centre", "cannot-retreat"}


def test_units_may_stand_together_where_the_rules_say_so(standard: Board) -> None:
    two = Position(standard, Phase.read("S1901M"), (PARIS, BEATEN._replace(at="PAR")), {})
    assert [flaw.where for flaw in two.status()] == ["PAR"]
    assert two.status({"PAR": Stack("FRANCE", 2)}) == ()
    assert [flaw.code for flaw in two.status({"PAR": Stack("GERMANY", 2)})] == ["crowded"]

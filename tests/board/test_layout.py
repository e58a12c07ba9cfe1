"""The layout that a position carries before moves: units and spaces as numbers."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position, start_position
from judge.board.unit import Unit


def test_a_position_before_moves_knows_where_its_units_stand(standard: Board) -> None:
    position = start_position(standard)
    layout = position.layout
    assert layout is not None
    for number, unit in enumerate(position.units):
        space = layout.at[number]
        assert layout.chart.space[unit.at] == space
        assert layout.occupant[space] == layout.number[unit.id] == number
        assert (layout.identity[number], layout.kind[number], layout.power[number]) == (unit.id, unit.kind, unit.power)
    assert sum(there >= 0 for there in layout.occupant) == len(position.units)


def test_fleets_at_sea_are_marked_and_those_in_port_are_not(standard: Board) -> None:
    units = (Unit(1, "F", "NTH", "ENGLAND"), Unit(2, "F", "LON", "ENGLAND"), Unit(3, "A", "EDI", "ENGLAND"))
    layout = Position(standard, Phase.read("S1901M"), units, MappingProxyType({})).layout
    assert layout is not None
    assert list(layout.chart.provinces(layout.fleets)) == ["NTH"]


@pytest.mark.parametrize("phase", ["S1901R", "W1901A"])
def test_no_other_phase_has_a_layout(standard: Board, phase: str) -> None:
    assert replace(start_position(standard), phase=Phase.read(phase)).layout is None


def test_a_changed_position_has_a_layout_of_its_own(standard: Board) -> None:
    before = start_position(standard)
    after = replace(before, units=before.units[:3])
    assert after.layout is not None
    assert len(after.layout.at) == 3


def test_a_unit_off_the_board_leaves_the_position_without_a_layout(standard: Board) -> None:
    lost = Unit(1, "A", "ATL", "ENGLAND")
    assert Position(standard, standard.first_phase, (lost,), MappingProxyType({})).layout is None


def test_no_unit_is_a_layout_too(standard: Board) -> None:
    layout = Position(standard, standard.first_phase, (), MappingProxyType({})).layout
    assert layout is not None
    assert layout.at == ()


def test_the_layout_is_no_part_of_the_value(standard: Board) -> None:
    one, other = start_position(standard), start_position(standard)
    assert one == other
    assert one.layout is not other.layout
    assert "layout" not in repr(one)

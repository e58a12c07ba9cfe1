"""Fewer players than powers (XIV.2): powers that are nobody's, and World War I."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import pytest

from judge.adjudicate import adjudicate
from judge.board.model import Board
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Order
from judge.orders.reader import read_line
from judge.variants import rules_for
from tests.variants.test_whole_games import started

Make = Callable[..., Position]

TWO = rules_for("two")


def orders(position: Position, *lines: str) -> list[Order]:
    """Each line is "FRANCE A Mar - Spa"."""
    read = (read_line(line.partition(" ")[2], position, line.partition(" ")[0]) for line in lines)
    return [reading.order for (reading,) in read if reading.order is not None]


@pytest.mark.parametrize(
    ("preset", "players", "year", "nobodys"),
    [
        ("six", 6, 1870, {"ITALY"}),
        ("five", 5, 1801, {"GERMANY", "ITALY"}),
        ("four", 4, 1901, set()),
        ("three", 3, 1901, set()),
        ("three-otherwise", 3, 1901, set()),
        ("two", 2, 1914, {"ITALY"}),
    ],
)
def test_each_table_has_its_players_and_its_year(preset: str, players: int, year: int, nobodys: set[str]) -> None:
    game = started(preset).game
    assert len(game.seats) == players
    assert game.phase is not None and game.phase.year == year
    assert set(game.unplayed) == nobodys


def test_what_a_neutral_power_has_to_remove_goes_as_in_civil_disorder(position: Make) -> None:
    winter = position("italy  A VEN, A ROM, F NAP", "owns italy ROM NAP", phase="W1901A")
    after = adjudicate(winter, (), rules_for("six")).after
    assert {str(unit) for unit in after.of("ITALY")} == {"A ROM", "A VEN"}, "all stand at home; the fleet goes first"


# -- World War I ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("year", "reached"), [(1901, "TYR"), (1902, "VEN")])
def test_italy_is_entered_only_after_the_first_year(position: Make, year: int, reached: str) -> None:
    before = position("austria  A TYR", "france  F ION", phase=f"S{year}M")
    after = adjudicate(before, orders(before, "AUSTRIA A Tyr - Ven"), TWO).after
    assert after.units[0].at == reached


def test_nobody_retreats_into_neutral_italy(position: Make) -> None:
    before = position("austria  A TYR", "germany  A MUN, A BOH", "france  A MAR")
    lines = ("GERMANY A Mun - Tyr", "GERMANY A Boh S A Mun - Tyr")
    (lost,) = adjudicate(before, orders(before, *lines), TWO).after.dislodged
    assert set(lost.options) == {"TRI", "VIE"}


@pytest.mark.parametrize(("lot", "side"), [(0, "ENGLAND"), (1, "AUSTRIA")])
def test_the_coin_is_flipped_before_the_first_adjustments(position: Make, lot: int, side: str) -> None:
    retreats = position("italy  A ROM", phase="F1901R")
    winter = adjudicate(retreats, (), TWO, lot=lot).after
    assert winter.marks["ITALY"]["joins"] == side
    assert TWO.authority(winter, "ITALY") is None, "it joins in Spring"
    spring = adjudicate(winter, (), TWO, lot=1 - lot).after
    assert TWO.authority(spring, "ITALY") == side
    later = adjudicate(replace(spring, phase=TWO.calendar.read("F1902R")), (), TWO, lot=1 - lot).after
    assert TWO.authority(later, "ITALY") == side, "once"


def test_twenty_four_units_of_a_side_win(board: Board) -> None:
    places = [code for code in board.provinces if board.can_stand("A", code)][:24]
    empty = Position(board, TWO.calendar.read("S1902M"), (), MappingProxyType({}))

    def with_units(count: int, joined: int) -> Position:
        units = [Unit(n, "A", at, ("ENGLAND", "FRANCE", "RUSSIA")[n % 3], at) for n, at in enumerate(places[:count], 1)]
        units += [Unit(90 + n, "A", at, "ITALY", at) for n, at in enumerate(places[count : count + joined])]
        marks = MappingProxyType({"ITALY": MappingProxyType({"joins": "ENGLAND"})})
        return replace(empty, units=tuple(units), marks=marks)

    assert TWO.winner(with_units(23, 0)) is None
    assert TWO.winner(with_units(24, 0)) in ("ENGLAND", "FRANCE", "RUSSIA")
    assert TWO.winner(with_units(21, 3)) in ("ENGLAND", "FRANCE", "RUSSIA", "ITALY"), "Italy counts for whom it joined"
    assert TWO.winner(with_units(20, 3)) is None

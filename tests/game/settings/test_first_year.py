"""The year in which a game begins: another one than the board's moves what is counted from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge.board.load import load_board
from judge.board.phase import Phase
from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.settings import bundles
from judge.report.core.houserules import agreed, in_prose
from tests.support.builders import Table
from tests.variants.rule_systems import enter

MAPS = Path(__file__).resolve().parents[3] / "maps"


def seasons(table: Table) -> tuple[str, str]:
    return table.game.settings.draw_from, table.game.end_after


def test_a_game_begins_in_the_year_that_is_set() -> None:
    table = Table(MAPS, {"begins": "1870"}).seated().started()
    assert str(table.game.phase) == "S1870M"
    assert table.game.phase_title == "Spring 1870 moves"
    table.process()
    table.process()
    assert str(table.game.phase) == "S1871M"


def test_the_seasons_of_a_preset_are_counted_from_it() -> None:
    assert seasons(Table(MAPS, {"first_year": "1870"}, preset="houserules-003")) == ("F1874", "")
    assert seasons(Table(MAPS, preset="houserules-003")) == ("F1905", "")


def test_a_season_that_is_written_beside_the_year_is_meant_as_it_stands() -> None:
    both = {"first_year": "1914", "draw_from": "F1918", "end_after": "F1920"}
    assert seasons(Table(MAPS, both)) == ("F1918", "F1920")


def test_a_preset_that_says_its_year_says_its_seasons(monkeypatch: pytest.MonkeyPatch) -> None:
    late = {"first_year": "1914", "draw_from": "F1916", "nmr": "grace"}
    monkeypatch.setitem(bundles.HOUSE_PRESETS, "late", late)
    assert seasons(Table(MAPS, preset="late")) == ("F1916", "")
    assert seasons(Table(MAPS, {"first_year": "1801"}, preset="late")) == ("F1916", "")


def test_what_was_set_before_the_year_moves_with_it_and_the_gamemaster_reads_it() -> None:
    table = Table(MAPS, {"draw_from": "F1905", "end_after": "F1910"})
    answer = table.tell(cmd.ChangeSettings("first_year", "1801"), table.gm)
    assert isinstance(answer, Decision)
    assert "draw_from moves with it to F1805. end_after moves with it to F1810." in answer.said
    assert seasons(table) == ("F1805", "F1810")
    table.tell(cmd.ChangeSettings("first_year", "board"), table.gm)
    assert seasons(table) == ("F1905", "F1910")


def test_the_end_that_a_board_has_moves_too() -> None:
    board = load_board(MAPS / "standard")
    assert board.begun_in(0) is board and board.begun_in(1901) is board
    moved = replace(board, last_phase=Phase.read("W1910A")).begun_in(1801)
    assert (str(moved.first_phase), str(moved.last_phase)) == ("S1801M", "W1810A")


def test_it_is_fixed_once_the_game_has_begun() -> None:
    table = Table(MAPS).seated().started()
    answer = table.tell(cmd.ChangeSettings("first_year", "1870"), table.gm)
    assert isinstance(answer, Refusal) and answer.slug == "frozen"


def test_no_year_is_refused_with_an_example() -> None:
    answer = Table(MAPS).tell(cmd.ChangeSettings("begins", "Spring"), Table(MAPS).gm)
    assert isinstance(answer, Refusal) and "set first_year 1870" in answer.sentence


def test_house_rules_say_it() -> None:
    said = str(in_prose(agreed(Table(MAPS, {"first_year": "1870"}).game), title="Standard"))
    assert "rule-first-year" in said
    assert "rule-first-year" not in str(in_prose(agreed(Table(MAPS).game), title="Standard"))


def test_another_first_year_moves_a_system_that_begins_in_the_winter() -> None:
    table = Table(MAPS, {"rules": "chaos", "players": "34", "first_year": "1870"})
    assert str(table.game.rules.start(table.game.board).phase) == "W1869A"


# -- Settings that name a season are held to the years of the game itself --


@pytest.fixture(autouse=True)
def _rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    enter(monkeypatch)


@pytest.mark.parametrize(("preset", "season", "known"), [
    ("standard", "J1905", False), ("standard", "F1905", True), ("standard", "W1905", True),
    ("long-year", "J1905", True), ("long-year", "U1905", False), ("february", "D1905", True),
])  # fmt: skip
@pytest.mark.parametrize("name", ["draw_from", "end_after"])
def test_a_season_that_the_years_do_not_have_is_refused(preset: str, name: str, season: str, *, known: bool) -> None:
    table = Table(MAPS, preset=preset)
    table.tell(cmd.ChangeSettings(name, season), table.gm)
    answer = table.answer
    assert isinstance(answer, Decision if known else Refusal)
    if isinstance(answer, Refusal):
        assert f"the years of this game have no season {season}" in answer.sentence

"""What a zine prints once a year of a game, read from its recorded history; and of all games together."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from judge.board.load import available_boards, load_board
from judge.game.core import commands as cmd
from judge.game.core.model import Game
from judge.zine.figures import statistics_csv, statistics_json
from judge.zine.issue import Statistics, StatTable
from judge.zine.own import abbreviations
from judge.zine.statistics import (
    ACROSS,
    OPENING_NAMES,
    GameResult,
    centres_tables,
    game_statistics,
    is_due,
    openings_table,
    results_table,
)
from tests.support import sample
from tests.support.builders import NAMES, Table, as_anonymous

MAPS = Path(__file__).resolve().parents[2] / "maps"


@pytest.fixture(scope="module")
def played() -> Table:
    """The rulebook's sample game until the first adjustments of 1902 are due."""
    return sample.sample_game(MAPS, 4)


def block(table: Table, game: Game | None = None) -> Statistics:
    return game_statistics(game or table.game, table.events, lambda person: NAMES[person - 1])


def titled(statistics: Statistics, title: str) -> StatTable:
    return next(table for table in statistics.tables if table.title == title)


def test_centres_by_year_stand_in_a_table_and_in_a_graph(played: Table) -> None:
    table = titled(block(played), "Centres by year")
    assert table.columns == ("Power", "1900", "1901")
    assert table.rows[3] == ("Germany", "3", "5")
    assert table.numbers == (1, 2)
    (graph,) = block(played).graphs
    assert graph.labels == ("1900", "1901")
    assert {line.name: line.values for line in graph.lines}["Russia"] == (4.0, 6.0)


def test_the_grid_shows_who_owned_each_centre_when_a_year_was_over(played: Table) -> None:
    table = titled(block(played), "Owners of centres")
    owners = dict(row for row in table.rows if len(row) == 2)
    assert len(owners) == 34
    assert (owners["Greece"], owners["Kiel"], owners["Belgium"]) == ("AUS", "GER", "-")
    assert "AUS Austria-Hungary" in table.notes[0]


def test_openings_are_named_where_the_hobby_has_a_name_and_told_order_by_order(played: Table) -> None:
    openings = {row[0]: row[1] for row in titled(block(played), "Openings").rows}
    assert openings["England"] == "Northern Opening: A LVP - YOR, F EDI - NWG, F LON - NTH"
    assert openings["Germany"] == "A BER - KIE, A MUN - RUH, F KIE - DEN"
    counted = openings_table([(played.game, played.events)] * 2)
    assert counted is not None and ("Germany", openings["Germany"], "2") in counted.rows


def test_every_order_that_makes_a_named_opening_is_of_the_units_that_begin(played: Table) -> None:
    board = played.game.board
    start = played.game.rules.start(board)
    for power, openings in OPENING_NAMES.items():
        for name, orders in openings:
            for at, to in orders.items():
                unit = next(one for one in start.of(power) if one.at[:3] == at)
                assert not to or to in {where[:3] for where in board.reach(unit.kind, unit.at)}, (name, at, to)


def test_players_are_told_with_the_time_that_they_played_and_why_they_went() -> None:
    table = sample.sample_game(MAPS, 1)
    table.tell(cmd.Vacate("FRANCE"), table.gm)
    rows = titled(block(table), "Players").rows
    assert ("France", "Cleo", "the start", "Fall '01", "removed by the GM") in rows
    assert ("", "nobody: a standby is wanted", "", "", "") in rows
    assert ("England", "Ben", "the start", "", "") in rows


def test_nobody_is_named_while_a_game_is_played_without_names(played: Table) -> None:
    told = repr(block(played, as_anonymous(played.game)))
    assert not [name for name in NAMES if name in told]
    assert "secret" in told


def test_the_block_is_due_once_when_a_year_was_counted(played: Table) -> None:
    begun = Table(MAPS).seated().started()
    assert [is_due(begun.game, 0), is_due(played.game, 0), is_due(played.game, 1901)] == [False, True, False]
    assert not block(begun).graphs and titled(block(begun), "Players")
    assert "Openings" not in [table.title for table in block(begun).tables]


def test_a_long_game_has_tables_beside_each_other_of_so_many_years(played: Table) -> None:
    long = replace(played.game, chart={year: {"FRANCE": 5} for year in range(1900, 1900 + ACROSS + 3)})
    first, second = centres_tables(long)
    assert (first.title, len(first.columns)) == ("Centres by year, 1900 to 1911", ACROSS + 1)
    assert (second.title, second.rows) == ("Centres by year, 1912 to 1914", (("France", "5", "5", "5"),))


def test_abbreviations_part_the_powers_of_every_board() -> None:
    for name in available_boards(MAPS):
        board = load_board(MAPS / name)
        short = abbreviations(board)
        assert len(set(short.values())) == len(board.powers), name


def test_results_stand_in_the_order_in_which_games_ended_and_irregular_ones_are_marked() -> None:
    table = results_table([
        GameResult("dawn", began=date(2027, 2, 1)),
        GameResult("verdun", "2027AZrb32", began=date(2027, 1, 1), ended=date(2028, 5, 1), result="France wins"),
        GameResult("old", "2026C", began=date(2026, 1, 1), ended=date(2027, 1, 1), result="Draw", irregular=True),
        GameResult("next"),
    ])  # fmt: skip
    assert [row[0] for row in table.rows] == ["OLD", "VERDUN", "DAWN", "NEXT"]
    assert [row[1] for row in table.rows] == ["2026C*", "2027AZrb32", "", ""]
    assert [row[5] for row in table.rows] == ["Draw", "France wins", "goes on", "has not begun"]
    assert "irregular" in table.notes[0]


def test_the_tables_go_along_for_programs(played: Table) -> None:
    """Every cell beside the first of its row has a line of the CSV; the JSON holds the tables as they are shown."""
    shown = block(played)
    lines = list(csv.DictReader(io.StringIO(statistics_csv(shown))))
    found = {(line["table"], line["row"], line["column"]): line["value"] for line in lines}
    assert found["Centres by year", "Germany", "1901"] == "5"
    assert found["Owners of centres", "Kiel", "1901"] == "GER"
    told = json.loads(statistics_json(shown))
    assert (told["format"], told["version"]) == ("judge-statistics", 1)
    assert [table["title"] for table in told["tables"]] == [table.title for table in shown.tables]
    assert len(lines) == sum(len(row) - 1 for table in told["tables"] for row in table["rows"])

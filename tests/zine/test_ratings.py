"""Ratings as a zine prints them: a table for each method with its source, replacements apart and marked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from judge.game.core.parts import Tenure
from judge.game.settings.values import SYSTEM_NAMES, USUAL_SYSTEMS
from judge.game.table.scoring import Placing, Score, points_of
from judge.report.played.chart import AVERAGED
from judge.service.people.ratings import FinishedGame
from judge.zine.statistics import METHODS, RECOMMENDED, Reckoning, ratings_block, ratings_of

NAMES = dict(enumerate(("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal"), 1))
COUNTS = {"AUSTRIA": 4, "ENGLAND": 0, "FRANCE": 9, "GERMANY": 7, "ITALY": 7, "RUSSIA": 3, "TURKEY": 4}
"""The drawn game on which the systems are usually shown."""


def term(person: int, since: str = "", until: str = "", why: str = "") -> Tenure:
    return Tenure(person, since, until, why)


def game(key: str = "verdun", *, russia: Sequence[Tenure] = (term(6),), press: str = "full") -> FinishedGame:
    players = {power: (term(n),) for n, power in enumerate(COUNTS, 1)} | {"RUSSIA": tuple(russia)}
    placings = tuple(
        Placing(power, count, "shared" if count else "eliminated", players[power]) for power, count in COUNTS.items()
    )
    at = datetime(2027, 1, 1, tzinfo=UTC) + timedelta(days=len(key))
    return FinishedGame(key, ("standard", "1976"), Score("draw", at, placings, press))


def test_there_is_a_method_for_each_system_and_two_that_move_figures() -> None:
    assert {*METHODS} == {*SYSTEM_NAMES, "elo", "ghost"}
    assert {*RECOMMENDED} <= {*METHODS}
    averaged = {key for key in USUAL_SYSTEMS if METHODS[key].reckoning is Reckoning.AVERAGE}
    assert averaged == AVERAGED, "the letter on ratings reckons as zines do"
    for method in METHODS.values():
        assert method.source in method.note and method.rule in method.note


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_one_game_ranks_its_players_by_its_points(system: str) -> None:
    one = game()
    worth = points_of(one.score.placings)[system]
    found = ratings_of([one], NAMES.__getitem__).rankings[system]
    assert {row.player: row.points for row in found} == {
        NAMES[n]: pytest.approx(worth[power], abs=1e-4) for n, power in enumerate(COUNTS, 1)
    }
    assert [row.points for row in found] == sorted((row.points for row in found), reverse=True)


def test_equals_have_one_rank_and_the_next_rank_counts_them() -> None:
    ranks = {row.player: row.rank for row in ratings_of([game()], NAMES.__getitem__).rankings["squares"]}
    assert ranks == {"Cleo": 1, "Dora": 2, "Emil": 2, "Ada": 4, "Gus": 4, "Fay": 6, "Ben": 7}


def test_points_of_some_methods_add_up_and_of_others_are_averages() -> None:
    twice = ratings_of([game("one"), game("second")], NAMES.__getitem__).rankings
    points = {method: {row.player: row.points for row in rows}["Cleo"] for method, rows in twice.items()}
    assert points["calhamer"] == pytest.approx(2 / 6, abs=1e-4)
    assert points["c-diplo"] == 48
    assert points["elo"] > 1500 and points["ghost"] > 100


def test_a_replacement_is_rated_apart_and_marked_with_the_phase() -> None:
    taken = game(russia=(term(6, until="F1903M", why="nmr"), term(8, since="S1904M")))
    ratings = ratings_of([taken], NAMES.__getitem__)
    assert all(row.player != "Hal" for rows in ratings.rankings.values() for row in rows)
    (played,) = ratings.replacements
    assert (played.player, played.powers, played.since) == ("Hal", ("RUSSIA",), "S1904")
    assert played.points["c-diplo"] == 4
    block = ratings_block(ratings)
    assert block.tables[-1].title == "Replacements"
    assert block.tables[-1].rows[0][:4] == ("Hal", "VERDUN", "Russia", "from S1904")
    fay = next(row for row in ratings.rankings["dsi"] if row.player == "Fay")
    assert (fay.left, fay.points) == (1, 0.0)


def test_each_table_names_its_method_and_source_and_says_how_many_are_left_out() -> None:
    block = ratings_block(ratings_of([game()], NAMES.__getitem__, RECOMMENDED), shown=3)
    assert [table.title for table in block.tables] == [METHODS[method].title for method in RECOMMENDED]
    assert all(table.notes[0] == "And 4 more." and "Source: " in table.notes[-1] for table in block.tables)
    assert not ratings_block(ratings_of([], NAMES.__getitem__)).tables


def test_a_game_without_press_moves_ghost_ratings_by_a_quarter() -> None:
    def move(press: str) -> float:
        rows = ratings_of([game(press=press)], NAMES.__getitem__).rankings["ghost"]
        return next(row.points for row in rows if row.player == "Ben") - 100

    assert move("none") * 4 == pytest.approx(move("full"), abs=1e-3)

"""Garrisons: an army that is nobody's stands in every neutral supply centre."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.adjudicate import Adjudication, adjudicate
from judge.adjudicate.duty import duty
from judge.board.model import Board
from judge.board.position import Position
from judge.cli.adjudicate import adjudicate_command
from judge.game.repair.importing import Imported, read_import
from judge.orders.model import Order
from judge.orders.reader import read_line
from judge.variants import rules_for
from tests.support.builders import Table

Make = Callable[..., Position]

RULES = rules_for("garrisons")
MAPS = Path(__file__).resolve().parents[2] / "maps"
NEUTRAL = ["BEL", "BUL", "DEN", "GRE", "HOL", "NWY", "POR", "RUM", "SER", "SPA", "SWE", "TUN"]


@pytest.fixture
def garrisoned(board: Board) -> Board:
    return RULES.board(board)


def played(position: Position, *lines: str) -> Adjudication:
    """Each line is "FRANCE A Mar - Spa"."""
    orders: list[Order] = []
    for line in lines:
        power, _, text = line.partition(" ")
        readings = read_line(text, position, power)
        assert [reading.problem for reading in readings] == [None], (line, readings)
        orders += [reading.order for reading in readings if reading.order is not None]
    return adjudicate(position, orders, RULES)


def stand(position: Position, power: str) -> list[str]:
    return sorted(str(unit) for unit in position.of(power))


def test_an_army_stands_in_each_neutral_centre_and_owns_nothing(garrisoned: Board) -> None:
    first = RULES.start(garrisoned)
    assert stand(first, "GARRISONS") == [f"A {code}" for code in NEUTRAL]
    assert first.centres("GARRISONS") == ()
    assert len(first.units) == 22 + 12


def test_no_player_has_them(board: Board, garrisoned: Board) -> None:
    assert RULES.for_players(garrisoned) == tuple(board.powers)


def test_one_army_does_not_walk_into_a_neutral_centre(garrisoned: Board) -> None:
    after = played(RULES.start(garrisoned), "FRANCE A Mar - Spa").after
    assert "A MAR" in stand(after, "FRANCE")


def test_two_drive_the_garrison_out_and_the_centre_is_theirs_in_winter(position: Make, garrisoned: Board) -> None:
    fall = position("france  A MAR, A GAS", "garrisons  A SPA, A POR", phase="F1901M", board=garrisoned)
    retreats = played(fall, "FRANCE A Mar - Spa", "FRANCE A Gas S A Mar - Spa").after
    winter = adjudicate(retreats, (), RULES).after
    assert winter.phase.season == "W"
    assert stand(winter, "GARRISONS") == ["A POR"]
    assert winter.centres("FRANCE") == ("SPA",)


def test_anybody_may_support_a_garrison(position: Make, garrisoned: Board) -> None:
    before = position("france  A MAR, A GAS", "italy  F WES", "garrisons  A SPA", board=garrisoned)
    attack = ("FRANCE A Mar - Spa", "FRANCE A Gas S A Mar - Spa")
    assert played(before, *attack, "ITALY F Wes S A Spa").after.dislodged == ()


def test_garrisons_neither_own_nor_build_nor_remove(position: Make, garrisoned: Board) -> None:
    fall = position("france  A MAR", "garrisons  A SPA, A POR", phase="F1901M", board=garrisoned)
    retreats = adjudicate(fall, (), RULES).after
    after = adjudicate(retreats, (), RULES).after
    assert after.phase.season == "W"
    assert after.centres("GARRISONS") == ()
    due = duty(after, "GARRISONS", RULES)
    assert (due.builds, due.removals) == (0, 0)
    assert stand(adjudicate(after, (), RULES).after, "GARRISONS") == ["A POR", "A SPA"]


def test_no_player_may_order_one(garrisoned: Board) -> None:
    (reading,) = read_line("A Spa - Por", RULES.start(garrisoned), "FRANCE")
    assert reading.problem is not None
    assert reading.problem.sentence == "The army in Spain belongs to Garrisons; nobody can order it."


@pytest.mark.parametrize("by", ["draw", "units", "centres"])
def test_they_share_no_result(by: str) -> None:
    settings = {"end_after": "S1901", "short_winner": by}
    table = Table(MAPS, settings, preset="garrisons").seated().started()
    table.process()
    assert table.game.ending is not None
    assert "GARRISONS" not in table.game.ending.powers
    assert "RUSSIA" in table.game.ending.powers


def test_a_game_from_elsewhere_gives_them_no_centres_either(garrisoned: Board) -> None:
    found = read_import("France: A Bel, A Par\nGarrisons: A Spa", "S1903M", garrisoned, RULES)
    assert isinstance(found, Imported)
    assert (found.position.owners["BEL"], found.position.owners.get("SPA")) == ("FRANCE", None)


def test_the_command_knows_the_board_that_is_played_on() -> None:
    phase = {"phase": "S1901M", "units": {"FRANCE": ["A MAR"], "GARRISONS": ["A SPA"]}, "centers": {}, "dislodged": {}}
    line = json.dumps({"id": 1, **phase, "orders": {"FRANCE": ["A MAR - SPA"]}})
    result = CliRunner().invoke(adjudicate_command, ["--rules", "garrisons", "--jsonl"], input=line)
    assert json.loads(result.stdout)["units"] == {"FRANCE": ["A MAR"], "GARRISONS": ["A SPA"]}

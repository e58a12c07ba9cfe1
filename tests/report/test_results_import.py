"""A results letter of ours, pasted back for import, is the very position that it reports."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from judge.board.position import Position
from judge.board.unit import Unit
from judge.daemon.robots import think_of_turn
from judge.game.core.commands import OrderLine, Submit
from judge.game.repair.importing import Imported, read_import
from judge.mail.letters import Printer
from judge.report.core.letter import Kind
from judge.report.mailing import letters_for
from tests.support.builders import Table, cast_of
from tests.support.sample import sample_game

ROOT = Path(__file__).parents[2]
PRESS = Printer(ROOT / "templates")
ROUNDS = 12


def pasted_back(table: Table) -> Imported:
    """The last results letter to France, read as an import."""
    letters = letters_for(table.before, table.last, table.game, cast_of())
    letter = next(letter for letter in letters if letter.kind is Kind.RESULTS and letter.seat == "3")
    text = PRESS.print(Kind.RESULTS, json.loads(letter.frozen())["view"]).text
    found = read_import(text, "", table.game.board, table.game.rules)
    assert isinstance(found, Imported), found
    return found


def facts(position: Position) -> dict[str, object]:
    """All of a position but the numbers of its units and who drove whom out."""

    def named(unit: Unit) -> tuple[str, str, str]:
        return unit.power, unit.kind, unit.at

    return {
        "phase": str(position.phase),
        "units": sorted(named(unit) for unit in position.units),
        "owners": dict(position.owners),
        "retreats": sorted((named(lost.unit), sorted(lost.options)) for lost in position.dislodged),
    }


@pytest.mark.parametrize("turns", range(1, 7))
def test_the_sample_game_is_taken_over_as_it_stands(turns: int) -> None:
    table = sample_game(ROOT / "maps", turns)
    found = pasted_back(table)
    assert facts(found.position) == facts(table.running.position)
    assert found.doubts == ()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_so_is_a_game_of_robots(seed: int) -> None:
    table = Table(ROOT / "maps").seated().started()
    chance = Random(seed)
    for _ in range(ROUNDS):
        for power in table.game.board.powers:
            lines = [OrderLine(n, str(order)) for n, order in enumerate(think_of_turn(table.running, power, chance), 1)]
            table.tell(Submit(tuple(lines)), table.player(power))
        table.process()
        assert table.game.position is not None
        found = pasted_back(table)
        assert facts(found.position) == facts(table.game.position)
        assert found.doubts == ()

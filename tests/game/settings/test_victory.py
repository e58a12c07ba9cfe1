"""The number of centres that win, as a setting of a game."""

from pathlib import Path

import pytest

from judge.game.core import commands as cmd
from judge.game.core.commands import Refusal
from judge.game.core.model import Stage
from judge.report.core.houserules import in_short
from tests.report.conftest import spoken
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"
FRANCE = (("A Mar - Spa", "F Bre - Mao"), ("F Mao - Por",))
GERMANY = (("A Mun - Ruh", "F Kie - Den"), ("A Ruh - Hol",))


def played(victory: str, **others: tuple[tuple[str, ...], ...]) -> Table:
    """The first year, in which France takes two centres, and others what they are told to."""
    table = Table(MAPS, {"victory": victory}).seated().started()
    for turn in range(2):
        for power, lines in {"FRANCE": FRANCE, **others}.items():
            table.orders(power, *lines[turn])
        table.process()
    return table


def test_who_reaches_the_number_wins() -> None:
    table = played("5")
    assert table.game.stage is Stage.ENDED and table.game.ending is not None
    assert (table.game.ending.how, table.game.ending.powers) == ("win", ("FRANCE",))
    assert played("6").game.stage is Stage.RUNNING


def test_with_equal_numbers_the_game_goes_on() -> None:
    assert played("5", GERMANY=GERMANY).game.stage is Stage.RUNNING


def test_it_is_in_the_house_rules_and_fixed_once_the_game_has_begun() -> None:
    table = Table(MAPS, {"victory": "15"})
    told = " ".join(spoken(one.text) for one in in_short(table.game))
    assert "The game is won with 15 centres" in told
    table.tell(cmd.ChangeSettings("centres to win", "16 centres"), table.gm)
    assert table.game.rules.needed(table.game.board) == 16
    refused = table.seated().started().tell(cmd.ChangeSettings("victory", "18"), table.gm)
    assert isinstance(refused, Refusal) and "cannot change once the game has started" in refused.sentence


@pytest.mark.parametrize(
    ("preset", "number", "why"),
    [
        ("standard", "4", "it must be from 5 to 34 here"),
        ("standard", "35", "it must be from 5 to 34 here"),
        ("two", "20", "the rules two decide who wins: 24 units, not centres"),
        ("1958", "20", "decide who wins: 18 units, not centres"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused_with_the_reason(preset: str, number: str, why: str) -> None:
    table = Table(MAPS, preset=preset)
    refused = table.tell(cmd.ChangeSettings("victory", number), table.gm)
    assert isinstance(refused, Refusal) and why in refused.sentence

"""A game that is over stays as it was played: what may still change is what still means something, and no more."""

import pytest

from judge.board.phase import PhaseKind
from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.core.model import Stage
from judge.game.settings.table import TABLE
from judge.game.table.deciding import TakePreset
from tests.game.conftest import MAPS
from tests.support.builders import Table

STILL = {
    "press", "broadcast_press", "partial_press", "observer_press", "watch_press", "recall", "listed", "about",
    "press_from_observers", "press_from_editors",
}  # fmt: skip
"""Players go on writing to each other, and the game is still in the list."""
OTHER = {"about": "A game among friends.", "recall": "1h", "press": "white, grey"}
"""A value that is none of the usual ones, where the example may be one."""


@pytest.fixture(scope="module")
def over() -> Table:
    table = Table(MAPS).seated().started()
    table.tell(cmd.EndGame("by agreement"), table.gm)
    return table


@pytest.mark.parametrize("name", TABLE)
def test_a_setting_changes_after_the_end_only_where_it_still_means_something(over: Table, name: str) -> None:
    before = over.game.settings
    answer = over.tell(cmd.ChangeSettings(name, OTHER.get(name, TABLE[name].examples[0])), over.gm)
    if name in STILL:
        assert isinstance(answer, Decision)
    else:
        assert isinstance(answer, Refusal) and over.game.settings == before
        assert f"has ended, so {name} stays as it was played" in answer.sentence and "`about`" in answer.sentence


def test_neither_does_a_preset(over: Table) -> None:
    assert isinstance(over.tell(TakePreset("houserules-003"), over.gm), Refusal)


def test_press_does_not_wait_for_a_report_that_never_comes(over: Table) -> None:
    for actor in (over.player("FRANCE"), over.gm):
        answer = over.tell(cmd.SendPress("Well played.", everyone=True, postal=True), actor)
        assert isinstance(answer, Refusal) and answer.mend == "press to all"
        assert isinstance(over.tell(cmd.SendPress("Well played.", everyone=True), actor), Decision)


def test_a_phase_without_press_ends_with_the_game() -> None:
    table = Table(MAPS, {"minor_press": "no"}).seated().started()
    while table.running.position.phase.kind is PhaseKind.MOVES:
        table.orders("GERMANY", "A Mun - Ruh", "F Kie - Hol" if table.running.position.phase.year == 1901 else "")
        table.process()
    france, words = table.player("FRANCE"), cmd.SendPress("Well played.", ("ENGLAND",))
    assert isinstance(table.tell(words, france), Refusal)
    table.tell(cmd.EndGame(), table.gm)
    assert table.game.stage is Stage.ENDED and isinstance(table.tell(words, france), Decision)

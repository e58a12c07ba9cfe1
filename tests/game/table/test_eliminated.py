"""A power without units and centres: its player reads on, and moves nothing of the others' game."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from judge.acts.absences import Away
from judge.game.clock.extensions import CallExtensionVote
from judge.game.clock.turnover import SplitTurn
from judge.game.core import commands as cmd
from judge.game.core.commands import Refusal
from judge.game.repair.correcting import CorrectPosition
from judge.game.table.substitutes import GiveProxy
from judge.game.talk.ballots import ObjectHeadlines, ProposeAmendment, ProposeConcession, ProposeDraw, ProposePoll, Vote
from tests.support.builders import START, Table

MAPS = Path(__file__).resolve().parents[3] / "maps"

LATER = START + timedelta(days=3)


@pytest.fixture
def without_france() -> Table:
    table = Table(MAPS).seated().started()
    gone = "remove A Par; remove A Mar; remove F Bre; centre Par Germany; centre Mar Germany; centre Bre England"
    table.tell(CorrectPosition(gone), table.gm)
    assert "FRANCE" not in table.game.survivors
    return table


@pytest.mark.parametrize(
    "act",
    [
        cmd.Extend(),  # even on account of the correction that has just been made
        CallExtensionVote(),
        cmd.Wait(on=True),
        Vote(aye=True),
        ProposeDraw(),
        Away(LATER, LATER + timedelta(days=2)),
        ProposeConcession("ENGLAND"),
        ProposePoll("Shall we stop?"),
        ProposeAmendment("3d", "moves"),
        ObjectHeadlines(),
        GiveProxy("GERMANY"),
        SplitTurn(),
    ],
    ids=lambda act: type(act).__name__,
)
def test_what_an_eliminated_player_asks_for_changes_nothing(without_france: Table, act: cmd.Command) -> None:
    before = without_france.game
    answer = without_france.tell(act, without_france.player("FRANCE"))
    assert isinstance(answer, Refusal), answer
    assert without_france.game is before


def test_nobody_waits_for_an_eliminated_player(without_france: Table) -> None:
    table = without_france
    assert table.game.position is not None and table.game.deadline is not None
    for power in table.game.survivors:
        table.orders(power, *[f"{unit.kind} {unit.at} H" for unit in table.game.position.of(power)])
    table.tick(table.game.deadline.at)
    assert str(table.game.phase) == "F1901M"


def test_a_proxy_is_given_to_nobody_who_is_out(without_france: Table) -> None:
    answer = without_france.tell(GiveProxy("FRANCE"), without_france.player("GERMANY"))
    assert isinstance(answer, Refusal)

"""The weekly letter to the Gamemaster of several games."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import staffed
from tests.support.standing import seated

WEEK = timedelta(days=7)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[LocalJudge]:
    """A Gamemaster of two games: one open, one on hold."""
    stage = seated(tmp_path, stage="open", config=staffed)
    seat_everybody(stage, "verdun")
    stage.begin()
    stage.advance(WEEK)
    stage.send(GM, 'hold reason "summer"', to="judge+verdun@judge.test")
    yield stage
    stage.close()


def weekly(stage: LocalJudge) -> list[str]:
    found = [letter for letter in stage.inbox(GM) if letter.subject == "your games: what waits for you"]
    return [" ".join(letter.text.split()) for letter in found]


def test_a_gamemaster_of_several_games_reads_once_a_week_what_waits(desk: LocalJudge) -> None:
    before = len(weekly(desk))
    desk.advance(WEEK)
    assert len(weekly(desk)) == before + 1
    assert "baltic: 0 of 7 have joined." in weekly(desk)[-1]
    assert "verdun: it is on hold since" in weekly(desk)[-1]
    desk.send(player_of("FRANCE"), "list")
    assert len(weekly(desk)) == before + 1


def test_whoever_pauses_their_reminders_gets_none(desk: LocalJudge) -> None:
    desk.send(GM, "pause my reminders")
    before = len(weekly(desk))
    desk.advance(WEEK)
    assert len(weekly(desk)) == before


def test_a_gamemaster_of_one_game_gets_none(table: LocalJudge) -> None:
    table.send(GM, "hold", to="judge+baltic@judge.test")
    table.advance(2 * WEEK)
    assert not weekly(table)

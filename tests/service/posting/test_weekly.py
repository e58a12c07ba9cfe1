"""The operator's letter about the week: what was done, and first of all what wants a look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.config import Config
from judge.pace import Pace
from judge.service.upkeep.backups import back_up
from judge.service.upkeep.wellbeing import send_weekly
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from tests.service.conftest import OPERATOR, staffed
from tests.support.keep_schema import SPRING
from tests.support.standing import seated

WEEK = timedelta(days=7)


def weekly(var: Path) -> Config:
    return replace(staffed(var), weekly=Pace.read("Monday 08:00"))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LocalJudge]:
    """A game that begins on a Friday."""
    stage = seated(tmp_path, config=weekly)
    stage.begin()
    assert not send_weekly(stage.judge), "there is no week to tell of yet"
    yield stage
    stage.close()


def next_letter(stage: LocalJudge) -> ReceivedLetter:
    """The letter of the Monday after the next one."""
    stage.advance(WEEK)
    assert send_weekly(stage.judge)
    stage.settle()
    return stage.inbox(OPERATOR)[-1]


def flat(letter: ReceivedLetter) -> str:
    return " ".join(letter.text.split())


def test_a_good_week(stage: LocalJudge) -> None:
    for power, orders in SPRING.items():
        stage.send(player_of(power), orders, subject="baltic")
    back_up(stage.judge.config, stage.folder / "b", stage.clock)
    stage.advance(timedelta(days=1))
    back_up(stage.judge.config, stage.folder / "c", stage.clock)
    stage.advance(timedelta(days=2))
    assert send_weekly(stage.judge)
    stage.settle()
    letter = stage.inbox(OPERATOR)[-1]
    assert "the week" in letter.subject
    told = flat(letter)
    assert "Mails that came this week: 7; answered or passed on 7." in told, "nothing is said of what there is none of"
    assert "Phases played: 1." in told and "1 running now" in told and "Nothing wants a look" in told
    assert not send_weekly(stage.judge), "once a week"


def test_what_wants_a_look_comes_first_with_its_mend(stage: LocalJudge) -> None:
    with stage.judge.store.write() as unit:
        unit.outbox.pause("535 authentication failed")
    stage.advance(WEEK)
    assert send_weekly(stage.judge)
    with stage.judge.store.write() as unit:
        unit.outbox.resume()
    stage.settle()
    letter = stage.inbox(OPERATOR)[-1]
    told = flat(letter)
    assert "something wants a look" in letter.subject
    assert told.index("535 authentication failed") < told.index("Mails that came")
    assert "judge outbox resume" in told and "There is no backup: judge backup" in told


def test_a_quiet_week_has_its_letter_too(stage: LocalJudge) -> None:
    first = next_letter(stage)
    assert "Mails that came this week: 0. " in flat(first)
    second = next_letter(stage)
    assert second.message_id != first.message_id


def test_nobody_to_write_to_and_nothing_wished(tmp_path: Path) -> None:
    for config in (lambda var: replace(weekly(var), operator=""), staffed):
        stage = LocalJudge(None, config=config)
        stage.begin()
        stage.advance(3 * WEEK)
        assert not send_weekly(stage.judge)
        stage.close()

"""A database that can take nothing for a while (a full disk, a lock): turns that fall due meanwhile wait for the mails
that were put off, monitoring and the operator hear of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.daemon.running import Daemon
from judge.game.core.model import Running
from judge.service.core.judge import open_judge
from judge.service.intake.door import Refusals
from judge.service.upkeep.wellbeing import warn_of_room
from judge.store import StoreCrowded, StoreFull
from judge.store.acceptance import Receipt
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import rehearsal_config
from judge.transport.ports import Arrival, TemporaryTrouble
from tests.support.standing import seated

FRANCE = player_of("FRANCE")
FULL = StoreFull("the database cannot be written (database or disk is full)")
MINUTE = timedelta(minutes=1)


@pytest.fixture
def stage(tmp_path: Path) -> LocalJudge:
    """A game that runs, and whose time can be told."""
    stage = seated(tmp_path)
    stage.begin()
    return stage


@pytest.fixture
def daemon(stage: LocalJudge, tmp_path: Path) -> Iterator[Daemon]:
    stage.close()
    config = replace(rehearsal_config(tmp_path), smtp_listen="", operator="op@x.test")
    running = Daemon(open_judge(config, clock=stage.clock, careless=True))
    running.beat()
    yield running
    running.stop()


def game(daemon: Daemon) -> Running:
    with daemon.judge.store.read() as view:
        found = daemon.judge.keeper.load(view, "baltic")
    assert isinstance(found, Running)
    return found


def at(daemon: Daemon, stage: LocalJudge, moment: datetime) -> None:
    """Set the clocks, as a night passes: the steady one with the wall's."""
    stage.clock.set(moment)
    daemon._watch = type(daemon._watch)(daemon._reading())


def put_off(daemon: Daemon, monkeypatch: pytest.MonkeyPatch, trouble: Exception) -> None:
    """One mail comes and cannot be stored."""

    def refuse(_mail: object) -> Future[Receipt]:
        future: Future[Receipt] = Future()
        future.set_exception(trouble)
        return future

    judge = daemon.judge
    mail = Arrival(b"\nhelp\n", "smtp", "k", FRANCE, (judge.config.address,), judge.clock.now(), "")
    with monkeypatch.context() as patch:
        patch.setattr(daemon.writer, "submit", refuse)
        with pytest.raises(TemporaryTrouble):
            daemon.door.take(mail).result(60)


@pytest.mark.parametrize("trouble", [FULL, StoreCrowded("too many mails wait for the disk")])
def test_a_turn_waits_for_the_mails_that_were_put_off_before_it(
    daemon: Daemon, stage: LocalJudge, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    due = game(daemon).deadline.at
    at(daemon, stage, due - MINUTE)
    put_off(daemon, monkeypatch, trouble)
    at(daemon, stage, due + MINUTE)
    daemon.beat()
    waited = not game(daemon).deadline.called
    assert waited == (trouble is FULL), "a flood holds nobody up"
    if waited:
        at(daemon, stage, due + 20 * MINUTE)
        put_off(daemon, monkeypatch, trouble)
        daemon.beat()
        at(daemon, stage, due + 40 * MINUTE)
        daemon.beat()
        assert not game(daemon).deadline.called, "the trouble has come back; half an hour counts from its end"
        at(daemon, stage, due + 51 * MINUTE)
        daemon.beat()
        assert game(daemon).deadline.called


def test_the_span_is_told_once() -> None:
    noon = datetime(2027, 1, 8, 12, tzinfo=UTC)
    refusals = Refusals()
    refusals.note(FULL, noon, noon + MINUTE)
    refusals.note(FULL, noon - MINUTE, noon)
    assert refusals.taken() == (noon - MINUTE, noon + MINUTE)
    assert refusals.taken() is None


def test_a_judge_that_cannot_write_is_not_ready_until_it_can(daemon: Daemon, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_words: object, **_more: object) -> None:
        raise FULL

    with monkeypatch.context() as patch:
        patch.setattr("judge.daemon.continuity.advance_marker", full)
        with pytest.raises(StoreFull):
            daemon.beat()
        assert daemon.findings() == [str(FULL)]
        assert b"judge_ready 0.0" in daemon.measures.text()
    daemon.beat()
    assert daemon.findings() == []
    assert b"judge_ready 1.0" in daemon.measures.text()


def test_the_operator_hears_of_a_disk_that_fills_while_a_letter_can_be_written(daemon: Daemon) -> None:
    assert not warn_of_room(daemon.judge, usage=lambda _: (10**12, 0, 10**11))
    assert warn_of_room(daemon.judge, usage=lambda _: (10**12, 0, 10**8))
    assert not warn_of_room(daemon.judge, usage=lambda _: (10**12, 0, 10**8)), "once a day"
    with daemon.judge.store.read() as view:
        assert [line.kind for line in view.outbox.list() if line.delivery.address == "op@x.test"] == ["alert"]

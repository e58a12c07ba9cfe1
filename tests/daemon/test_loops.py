"""The loops of the daemon: whatever one of them falls over, it begins again and the log says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from judge.daemon.running import STUCK, Daemon
from judge.service.core.judge import Judge, JudgeSubject, open_judge
from judge.service.turning import sweep as turning
from judge.store import StoreTrouble
from judge.testing.under_test import rehearsal_config

PATIENCE = 60.0


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    judge = open_judge(replace(rehearsal_config(tmp_path), smtp_listen=""), upgrade=True, careless=True)
    daemon = Daemon(judge)
    yield daemon
    daemon.stop()


@pytest.mark.parametrize("trouble", [KeyError("anna@x.test"), StoreTrouble("the disk is full")])
def test_a_loop_that_falls_is_named_and_begins_again(
    daemon: Daemon, caplog: pytest.LogCaptureFixture, trouble: Exception
) -> None:
    begun: list[Exception] = []

    def run() -> None:
        begun.append(trouble)
        if len(begun) == 1:
            raise trouble
        daemon.ask_to_stop()

    daemon._spawn("watch", run)
    daemon._threads[-1].join(PATIENCE)
    assert len(begun) == 2 and not daemon._threads[-1].is_alive()
    (record,) = (record for record in caplog.records if record.name == "judge.daemon")
    assert record.levelname == "ERROR" and record.threadName == "watch"


def test_a_daemon_whose_sweeps_end_is_alive(daemon: Daemon) -> None:
    daemon._pulse -= STUCK + 1
    assert not daemon.alive(), "no sweep for longer than any takes"
    daemon.beat()
    assert daemon.alive()


def test_trouble_with_the_database_is_no_reason_to_be_started_anew(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        raise StoreTrouble("the disk is full")

    monkeypatch.setattr(daemon, "_note_heartbeat", fails)
    daemon._pulse -= STUCK + 1
    with pytest.raises(StoreTrouble):
        daemon.beat()
    assert daemon.alive()
    monkeypatch.undo()


def test_what_is_slow_beside_the_games_keeps_no_turn_and_no_mail_waiting(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An issue of a zine takes a minute to make: it is made in a thread of its own, which a wrong clock stops too."""
    done: list[str] = []

    def make(judge: Judge, keys: Sequence[str]) -> int:
        done.extend(keys)
        return len(keys)

    slow = JudgeSubject(prefix="slow-", known=lambda view, key: False, due=lambda view, now: ["issue"], sweep=make)
    monkeypatch.setattr(turning, "all_subjects", lambda: (slow,))
    daemon.beat()
    assert done == []
    daemon.tend()
    assert done == ["issue"]
    daemon.door.closed = "the clock stepped"
    daemon.tend()
    assert done == ["issue"]

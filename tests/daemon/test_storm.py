"""While many turns are processed at once the judge stays awake: mail is heard and answered meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from judge.daemon import running as daemon_module
from judge.daemon.running import Daemon
from judge.service.core.judge import Judge, open_judge
from judge.service.turning.barrier import Surroundings
from judge.store.rows import DeliveryState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import rehearsal_config
from judge.transport.ports import Arrival
from tests.support.standing import seated

FRANCE = player_of("FRANCE")
PATIENCE = 60.0


class SlowSweeps:
    """Sweeps that last until they are let go, and of which each is counted when it begins."""

    def __init__(self) -> None:
        self.begun = 0
        self.go = threading.Event()

    def __call__(self, judge: Judge, around: Surroundings, **_more: object) -> int:
        self.begun += 1
        self.go.wait(PATIENCE)
        return 0


@pytest.fixture
def sweeps(monkeypatch: pytest.MonkeyPatch) -> SlowSweeps:
    slow = SlowSweeps()
    monkeypatch.setattr(daemon_module, "sweep", slow)
    monkeypatch.setattr(daemon_module, "BREATH", 0.0)
    monkeypatch.setattr(daemon_module, "SWEEP_EVERY", 86400)
    return slow


@pytest.fixture
def idle(tmp_path: Path, sweeps: SlowSweeps) -> Iterator[Daemon]:
    """A judge whose only game is due, and of which no thread runs yet."""
    stage: LocalJudge = seated(tmp_path)
    stage.begin()
    due = stage.game("baltic").deadline
    assert due is not None
    stage.close()
    stage.clock.set(due.at)
    made = Daemon(open_judge(replace(rehearsal_config(tmp_path), smtp_listen=""), clock=stage.clock, careless=True))
    yield made
    sweeps.go.set()
    made.stop()


@pytest.fixture
def daemon(idle: Daemon) -> Daemon:
    """The same at work."""
    idle.start()
    return idle


def ask(daemon: Daemon, what: str) -> None:
    """A player asks something; returns when the mail is stored."""
    judge = daemon.judge
    text = f"From: {FRANCE}\nTo: {judge.config.address}\nMessage-ID: <{what[5:]}@players.test>\nSubject: x\n\n{what}\n"
    mail = Arrival(text.encode(), "smtp", what, FRANCE, (judge.config.address,), judge.clock.now(), "")
    daemon.door.take(mail).result(PATIENCE)


def answered(daemon: Daemon) -> int:
    """How many of the mails are answered by now."""
    with daemon.judge.store.read() as view:
        lines = view.outbox.list(address=FRANCE, states=(DeliveryState.SENT,), limit=1000)
        return sum(view.letters.get(line.delivery.letter_id).mail_id is not None for line in lines)


def until(found: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not found() and time.monotonic() < end:
        time.sleep(0.01)
    return found()


def test_mail_is_answered_while_turns_are_processed(daemon: Daemon, sweeps: SlowSweeps) -> None:
    """The first mail asks for a sweep, because something is due; the next ones are answered while that lasts."""
    for what in ("help orders", "help press", "help deadlines"):
        before = answered(daemon)
        ask(daemon, what)
        assert until(partial(lambda least: answered(daemon) > least, before)), "no answer waits for the turns"
    assert until(lambda: sweeps.begun == 1) and not sweeps.go.is_set()
    sweeps.go.set()
    assert until(lambda: sweeps.begun > 1), (
        "what was asked for during a sweep is looked at after it, and not 30 s later"
    )
    assert not daemon._due.is_set(), "what is still due is no reason to look again and again"


def test_a_turn_does_not_wait_for_mail_that_comes_without_end(
    idle: Daemon, sweeps: SlowSweeps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is stored when a sweep begins is heard before its turns; what comes meanwhile is not."""
    hear, comes = idle.worker.hear_group, iter(("press", "deadlines", "votes"))

    def hear_while_more_comes(**which: int) -> int:
        if (heard := hear(**which)) and (topic := next(comes, "")):
            ask(idle, f"help {topic}")
        return heard

    monkeypatch.setattr(idle.worker, "hear_group", hear_while_more_comes)
    sweeps.go.set()
    ask(idle, "help orders")
    idle.beat()
    assert sweeps.begun == 1 and next(comes, "") == "deadlines", "there is always one more mail to be heard"

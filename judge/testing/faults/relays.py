"""The relay refuses, hangs, or is not there."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from judge.testing.clock import FileClock
from judge.testing.faults.breakage import MANY, fault
from judge.testing.faults.findings import Findings
from judge.testing.faults.players import games_for
from judge.testing.faults.trial import Trial
from judge.testing.sink import HANG
from judge.testing.understudy import beside, read, write


def _moody(mood: str, seconds: float) -> Callable[[Path, int], Findings]:
    def play(folder: Path, scale: int) -> Findings:
        with Trial(folder, games=games_for(MANY * (scale + 1))) as trial:
            trial.load(MANY)
            trial.relay.mood = mood
            with trial.under_load(MANY * scale):
                time.sleep(seconds)
            trial.recover()
            return trial.findings()

    return play


fault("relay-450", "the relay puts every recipient off")(_moody("450 4.2.1 Mailbox busy, try again later", 2))
fault("relay-421", "the relay closes its door")(_moody("421 4.3.2 Service closing, try again later", 2))
fault("relay-550", "the relay refuses every recipient")(_moody("550 5.7.1 Message rejected as spam", 2))
fault("relay-552", "every mailbox is full")(_moody("552 5.2.2 Mailbox full", 2))
fault("relay-hangs", "the relay takes the line and says nothing")(_moody(HANG, 5))


@fault("relay-gone", "nobody answers at the relay's port")
def relay_gone(folder: Path, scale: int) -> Findings:
    """It vanishes in the middle of a load and comes back."""
    with Trial(folder) as trial:
        with trial.under_load(MANY * scale):
            trial.relay.stop()
        trial.load(MANY)
        time.sleep(2)
        trial.relay.start()
        trial.recover()
        return trial.findings()


@fault("relay-too-fast", "the provider says that we are too fast, and has its rest, by a clock that is told the time")
def relay_too_fast(folder: Path, scale: int) -> Findings:
    """Nothing more goes there for a while; then everything goes without anybody's help."""
    clock = FileClock(folder / "clock")
    clock.set(datetime(2027, 1, 8, 12, tzinfo=UTC))
    with Trial(folder, clock=clock) as trial:
        trial.relay.mood = "421 4.7.0 Too many messages from your address, slow down"
        trial.load(MANY * scale)
        _pass(trial, clock, timedelta(minutes=1))
        trial.relay.mood = ""
        for _ in range(6):
            _pass(trial, clock, timedelta(minutes=30))
        trial.noticed.append(f"{len(trial.relay.mails)} letters had arrived three hours later")
        trial.recover()
        return trial.findings()


@fault("relay-away-for-six-hours", "six hours without a relay, by a clock that is told the time")
def relay_away(folder: Path, scale: int) -> Findings:
    """The judge tries and waits as its table says; everything arrives in the end without anybody's help."""
    clock = FileClock(folder / "clock")
    clock.set(datetime(2027, 1, 8, 12, tzinfo=UTC))
    with Trial(folder, clock=clock) as trial:
        trial.load(MANY)
        trial.relay.stop()
        for _ in range(12):
            trial.load(5 * scale)
            _pass(trial, clock, timedelta(minutes=30))
        trial.noticed.append(f"{len(trial.relay.mails)} letters had arrived after six hours without a relay")
        trial.relay.start()
        for _ in range(12):
            _pass(trial, clock, timedelta(minutes=30))
        trial.noticed.append(f"{len(trial.relay.mails)} letters had arrived six hours later")
        trial.recover()
        return trial.findings()


def _pass(trial: Trial, clock: FileClock, by: timedelta) -> None:
    """Let time pass, and wait until the judge has done what it can at that moment."""
    clock.set(clock.now() + by)
    number = str(int(read(beside(clock.path, "told")) or 0) + 1)
    write(beside(clock.path, "ask"), number)
    trial.daemon.wait(lambda: read(beside(clock.path, "told")) == number and trial.at_rest())

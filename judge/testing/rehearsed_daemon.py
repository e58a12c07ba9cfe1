"""The daemon as `judge run --clock-file PATH` starts it for a rehearsal: everything is real but the time.

Beside the clock's file lie three more, by which the rehearsal speaks to it: PATH.ask (a number: sweep now), PATH.told
(the last number obeyed) and PATH.kill (the arrow at which to die, by SIGKILL).
"""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from judge.config import Config
from judge.daemon.running import Daemon
from judge.service.core.judge import Judge, open_judge
from judge.testing.casting import Chance
from judge.testing.doubles import FileClock, MortalStore, ShiftedClock, is_shift, kill_process

_PAUSE = 0.01


def beside(clock: Path, what: str) -> Path:
    """One of the files beside a clock's file."""
    return clock.with_name(f"{clock.name}.{what}")


def read(path: Path) -> str:
    """What stands in a file, "" where there is none."""
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""


def write(path: Path, text: str) -> None:
    """Put a text in the place of a file, whole or not at all."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(text, encoding="ascii")
    draft.replace(path)


class RehearsedDaemon(Daemon):
    """A daemon whose clock stands still and jumps, and which therefore has no alarm: it is told when to sweep."""

    def __init__(self, judge: Judge, clock: FileClock) -> None:
        self._place = clock.path
        mortal = MortalStore(judge.store, lambda: read(beside(self._place, "kill")), self._die)
        super().__init__(replace(judge, store=mortal))

    def start(self) -> None:
        super().start()
        threading.Thread(target=self._obey, name="prompter", daemon=True).start()

    def _obey(self) -> None:
        done = read(beside(self._place, "told"))
        while not self._stop.wait(_PAUSE):
            asked = read(beside(self._place, "ask"))
            if asked != done:
                self._guarded(self.beat)
                self._guarded(self.tend)
                self.wake_post()
                write(beside(self._place, "told"), asked)
                done = asked

    def _die(self, arrow: str) -> None:
        beside(self._place, "kill").unlink()
        kill_process(arrow)

    def _tend_subjects(self) -> None:
        """Do nothing by itself: it is told when."""

    def _set_alarm(self) -> bool:
        """Nothing is due before somebody says so: this clock has no alarm."""
        return False

    def _clock_is_sane(self) -> bool:
        """Always: jumps of this clock are intended."""
        return True


def rehearsal_daemon(config: Config, clock_file: Path) -> Daemon:
    """The daemon whose time stands in a file: a moment that stands still, or seconds by which its clock is wrong. Lots
    fall the same way in every run.
    """
    lot = Chance(1).lot
    if is_shift(clock_file):
        return Daemon(open_judge(config, clock=ShiftedClock(clock_file), lot=lot, upgrade=True))
    clock = FileClock(clock_file)
    return RehearsedDaemon(open_judge(config, clock=clock, lot=lot, upgrade=True), clock)

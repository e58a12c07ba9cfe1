"""Clocks that stand still until somebody moves them: for tests and rehearsals.

`FakeClock` lives in one process; `FileClock` reads its time from a file, so that a rehearsal can move the clock of a
judge that runs in another process.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from judge.clock import SystemClock


class FakeClock:
    """A `judge.clock.Clock` that is set by hand; it never runs backwards, unless it is made to `step`.

    >>> clock = FakeClock(datetime(1901, 3, 1, 12, tzinfo=UTC))
    >>> clock.advance(timedelta(hours=25)).isoformat()
    '1901-03-02T13:00:00+00:00'
    """

    def __init__(self, start: datetime) -> None:
        self._now = _aware(start)

    def now(self) -> datetime:
        """The moment that the clock was last set to."""
        return self._now

    def set(self, moment: datetime) -> datetime:
        """Set the clock. Raises ValueError for a moment that has passed, or a naive one."""
        moment = _aware(moment)
        if moment < self._now:
            raise ValueError(
                f"the clock shows {self._now:%Y-%m-%dT%H:%MZ}; it cannot go back to {moment:%Y-%m-%dT%H:%MZ}"
            )
        self._now = moment
        return moment

    def advance(self, by: timedelta) -> datetime:
        """Set the clock on."""
        return self.set(self._now + by)

    def step(self, by: timedelta) -> datetime:
        """Somebody set the machine's clock wrong, or right again: the one way in which it may go back."""
        self._now += by
        return self._now


class FileClock:
    """A `judge.clock.Clock` whose time stands in a file, as ISO text; whoever may write the file may move it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def now(self) -> datetime:
        """The moment in the file. Raises OSError or ValueError where there is none."""
        return _aware(datetime.fromisoformat(self.path.read_text(encoding="ascii").strip()))

    def set(self, moment: datetime) -> datetime:
        """Write a new time; readers see the old or the new one, never half of it."""
        moment = _aware(moment)
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        draft.write_text(moment.isoformat(), encoding="ascii")
        os.replace(draft, self.path)
        return moment


class ShiftedClock:
    """A `judge.clock.Clock` that goes like the machine's, wrong by the seconds that stand in a file: "+172800"."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._true = SystemClock()

    def now(self) -> datetime:
        """The true moment, and the file's seconds on top. Raises OSError or ValueError where there are none."""
        return self._true.now() + timedelta(seconds=float(self.path.read_text(encoding="ascii")))


def is_shift(path: Path) -> bool:
    """Whether a clock's file holds seconds ("+90", "-3600") instead of a moment."""
    return path.read_text(encoding="ascii").startswith(("+", "-"))


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} names no zone; write it with a Z at its end")
    return moment.astimezone(UTC)

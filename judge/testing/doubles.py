"""What stands in for things that a judge trusts: clocks that stand still until somebody moves them, a process that dies
at a commit, maps with an error.

Everything that survives a crash goes through a commit, so a crash is described by the commit next to it. The arrows
are those of the flow: raw bytes -> inbox -> desk -> letters composed -> handed to the relay -> noted as sent.

`FakeClock` lives in one process; `FileClock` reads its time from a file, so that a rehearsal can move the clock of a
judge that runs in another process.

A judge that is started on such a copy adjudicates wrongly wherever the border counts, with the same orders and the same
rules: what a Gamemaster has `rollback` and `amend` for. The product knows nothing of it; the rehearsal names another
folder of maps, as any operator may.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from judge.clock import SystemClock
from judge.store import Store, Transaction, View
from judge.store.rows import DeliveryState, LetterState, MailState


class Killed(BaseException):
    """The judge died here. Not an Exception: no loop of ours may survive it."""


class Arrow(StrEnum):
    """Where the judge dies: next to the commit that ..."""

    BEFORE_INBOX = "before-inbox-commit"
    """... stores a mail; its sender was told nothing and will offer it again."""
    AFTER_INBOX = "after-inbox-commit"
    BEFORE_DESK = "before-desk-commit"
    """... settles a mail, with the events and letters that it caused."""
    AFTER_DESK = "after-desk-commit"
    BEFORE_TURN = "before-turn-commit"
    """... brings what the clock caused: reminders, late calls, results."""
    AFTER_TURN = "after-turn-commit"
    AFTER_COMPOSE = "after-compose"
    """... keeps the bytes of a letter."""
    BEFORE_SEND = "before-send"
    """... takes deliveries in hand, before the relay hears of them."""
    AFTER_SEND = "after-send"
    """... would note that the relay took a letter: it will go a second time, with the same Message-ID."""


class _Marks(NamedTuple):
    mails: int
    settled: int
    copies: int
    uncomposed: int
    in_hand: int
    sent: int


class MortalStore(Store):
    """A store that is told where to die. `armed` names the arrow, "" for none; `die` may spare it once more."""

    def __init__(self, store: Store, armed: Callable[[], str], die: Callable[[str], None]) -> None:
        # The same open database under another skin: everything but `write` is inherited and shared.
        self.__dict__.update(vars(store))
        self._armed = armed
        self._die = die

    @contextmanager
    def write(self, *, shared: bool = False) -> Iterator[Transaction]:
        """One transaction, which may be cut off by the simulated crash."""
        armed = self._armed()
        if not armed:
            with super().write(shared=shared) as unit:
                yield unit
            return
        with super().write(shared=shared) as unit:
            before = _marks(unit, armed)
            yield unit
            reached = _reached(before, _marks(unit, armed))
            self._strike(reached & _BEFORE_COMMIT)
        self._strike(reached - _BEFORE_COMMIT)

    def _strike(self, reached: set[Arrow]) -> None:
        armed = self._armed()
        if armed in reached:
            self._die(armed)


_BEFORE_COMMIT = {Arrow.BEFORE_INBOX, Arrow.BEFORE_DESK, Arrow.BEFORE_TURN, Arrow.AFTER_SEND}


def _marks(view: View | Transaction, armed: str) -> _Marks:
    waiting = (LetterState.COMPOSING,) if armed == Arrow.AFTER_COMPOSE else ()
    mails, copies = view.inbox.counts(), view.outbox.counts()
    total = sum(mails.values())
    return _Marks(
        mails=total,
        settled=total - mails.get(MailState.NEW, 0),
        copies=sum(copies.values()),
        uncomposed=len(view.outbox.list(letter_states=waiting, limit=100_000)) if waiting else 0,
        in_hand=copies.get(DeliveryState.LEASED, 0),
        sent=copies.get(DeliveryState.SENT, 0),
    )


def _reached(before: _Marks, after: _Marks) -> set[Arrow]:
    """Between which arrows a transaction stands, by what it changed."""
    reached: set[Arrow] = set()
    if after.mails > before.mails:
        reached |= {Arrow.BEFORE_INBOX, Arrow.AFTER_INBOX}
    elif after.settled != before.settled:
        reached |= {Arrow.BEFORE_DESK, Arrow.AFTER_DESK}
    elif after.copies > before.copies:
        reached |= {Arrow.BEFORE_TURN, Arrow.AFTER_TURN}
    if after.uncomposed < before.uncomposed:
        reached.add(Arrow.AFTER_COMPOSE)
    if after.in_hand > before.in_hand:
        reached.add(Arrow.BEFORE_SEND)
    if after.sent > before.sent:
        reached.add(Arrow.AFTER_SEND)
    return reached


def raise_killed(arrow: str) -> None:
    """Die in process."""
    raise Killed(arrow)


def kill_process(_arrow: str) -> None:
    """Kill this process with SIGKILL."""
    os.kill(os.getpid(), signal.SIGKILL)


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


_BORDER = re.compile(r"([A-Z]{3})-([A-Z]{3})")


def misprinted(maps: Path, folder: Path, border: str, *, board: str = "standard") -> Path:
    """A copy of the maps in `folder`, in which nobody passes between the two provinces of `border` ("TYR-VEN").

    Raises ValueError for what is no border of the board.
    """
    match = _BORDER.fullmatch(border.upper())
    if match is None:
        raise ValueError(f"{border!r} is no border; write it like TYR-VEN")
    shutil.copytree(maps, folder, dirs_exist_ok=True)
    sheet = folder / board / "board.toml"
    text = sheet.read_text(encoding="utf-8")
    for one, other in (match.groups(), match.groups()[::-1]):
        line = re.search(rf'^{one} = ".*\b{other}\b.*"$', text, re.MULTILINE)
        if line is not None:
            sheet.write_text(text.replace(line[0], re.sub(rf" {other}\b", "", line[0])), encoding="utf-8")
            return folder
    raise ValueError(f"there is no border {border} on the board {board}")

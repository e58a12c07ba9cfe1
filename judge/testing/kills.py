"""Simulated crashes: a store whose process dies just before or after a commit of a certain kind.

Everything that survives a crash goes through a commit, so a crash is described by the commit next to it. The arrows
are those of the flow: raw bytes -> inbox -> desk -> letters composed -> handed to the relay -> noted as sent.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import NamedTuple

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

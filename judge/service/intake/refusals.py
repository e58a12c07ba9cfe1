"""Mails that the door put off because the database could not take them: who sent them tries again."""

from __future__ import annotations

import threading
from datetime import datetime

from judge.store import StoreCrowded, StoreTrouble

Span = tuple[datetime, datetime]


class Refusals:
    """From when to when mails were put off, until somebody asks. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._span: Span | None = None

    def note(self, trouble: StoreTrouble, arrived: datetime, now: datetime) -> None:
        """A mail that arrived then was put off now. Too many at a time count as none: whoever floods the door could
        hold up every turn by it.
        """
        if isinstance(trouble, StoreCrowded):
            return
        with self._lock:
            since, until = self._span or (arrived, now)
            self._span = (min(since, arrived), max(until, now))

    def taken(self) -> Span | None:
        """The span, which is forgotten by that; None if nothing was put off."""
        with self._lock:
            span, self._span = self._span, None
            return span

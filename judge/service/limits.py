"""Limits on what we write: nobody is flooded by us, whatever he, his program or a forger sends.

Answers are counted in memory: they are safe to lose, and a count must not cost a write for each mail. Mails without
proof are counted in the database, because whoever guesses passwords must not win by a restart.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock

ANSWERS = 60
"""Answers that one person gets in an hour."""

EMPTY_ANSWERS = 10
"""Of these, answers to mails in which nothing was asked for: a program that answers each letter without the marks of
one (RFC 3834) falls silent by this."""

UNPROVED = 5
"""Mails without proof, for one person in a day, that are asked back; what comes on top is put aside in silence."""

WRONG_PASSWORDS = 5
"""Wrong passwords, for one person in a day, after which no password is believed until tomorrow."""

HOUR = timedelta(hours=1)
_REMEMBERED = 10_000


@dataclass
class _Count:
    since: datetime
    number: int = 0


@dataclass
class Tally:
    """Counts per key within an hour that begins with the first one; several threads may share it."""

    _counts: OrderedDict[str, _Count] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, key: str, now: datetime) -> int:
        """Count one more; returns how many there were in this hour, this one included.

        >>> from datetime import UTC
        >>> tally, noon = Tally(), datetime(1901, 3, 1, 12, tzinfo=UTC)
        >>> tally.add("a", noon), tally.add("a", noon), tally.add("a", noon + HOUR)
        (1, 2, 1)
        """
        with self._lock:
            count = self._counts.get(key)
            if count is None or not timedelta() <= now - count.since < HOUR:
                count = self._counts[key] = _Count(now)
                self._counts.move_to_end(key)
                while len(self._counts) > _REMEMBERED:
                    self._counts.popitem(last=False)
            count.number += 1
            return count.number

    def until(self, key: str) -> datetime | None:
        """When the key's hour ends."""
        with self._lock:
            count = self._counts.get(key)
            return count.since + HOUR if count else None

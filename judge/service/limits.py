"""Limits on what we write: nobody is flooded by us, whatever he, his program or a forger sends.

Mails without proof are counted in the database, because whoever guesses passwords must not win by a restart. Answers
must not cost a write for each mail: they are counted in memory, and what other processes, or this one in an earlier
life, have answered is read back from the inbox: once at the beginning, and again for whoever comes near a limit.
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

NEAR = 0.5
"""Where this share of a limit is used up, other processes may have brought it about that it is reached; so they may
again each time that this share of what was left is used up."""

HOUR = timedelta(hours=1)
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Count:
    """What was answered within the hour that began at `since`, and how much of it asked for nothing."""

    since: datetime
    answers: int = 0
    empty: int = 0
    near: bool = False
    """Whether it is time to ask what other processes have answered: a limit is near, and not reached for sure."""

    @property
    def over(self) -> int:
        """How many are too many, the last one included; 0 or less: none."""
        return max(self.answers - ANSWERS, self.empty - EMPTY_ANSWERS)


@dataclass
class _Hour:
    since: datetime
    mails: dict[int, bool] = field(default_factory=dict)
    """Which mails, and whether they asked for nothing. A mail that is heard again counts once."""

    look: float = NEAR
    """The share of a limit at which others are asked next."""

    said: bool = False
    """Whether its author was told that there are no more answers."""


class Tally:
    """Answers within an hour that begins with the first one, by whom they went to; several threads may share it."""

    def __init__(self) -> None:
        self._hours: OrderedDict[str, _Hour] = OrderedDict()
        self._lock = Lock()
        self.remembers = False
        """Whether it was told what had been answered before."""

    def add(self, whom: str, mail: int, now: datetime, *, empty: bool) -> Count:
        """Count one more; returns how many there were in this hour, this one included.

        >>> from datetime import UTC
        >>> tally, noon = Tally(), datetime(1901, 3, 1, 12, tzinfo=UTC)
        >>> tally.add("a", 1, noon, empty=True).answers, tally.add("a", 2, noon, empty=False).answers
        (1, 2)
        >>> tally.add("a", 3, noon + HOUR, empty=True)
        Count(since=datetime.datetime(1901, 3, 1, 13, 0, tzinfo=datetime.timezone.utc), answers=1, empty=1, near=False)
        """
        with self._lock:
            hour = self._hours.get(whom)
            if hour is None or not timedelta() <= now - hour.since < HOUR:
                hour = self._hours[whom] = _Hour(now)
                self._hours.move_to_end(whom)
                while len(self._hours) > _REMEMBERED:
                    self._hours.popitem(last=False)
            hour.mails[mail] = empty
            answers, idle = len(hour.mails), sum(hour.mails.values())
            used = max(answers / ANSWERS, idle / EMPTY_ANSWERS)
            near = hour.look < used <= 1
            if near:
                hour.look = used + (1 - used) * NEAR
            return Count(hour.since, answers, idle, near)

    def say_so(self, whom: str) -> bool:
        """Whether this process has not yet thought of saying that there are no more answers in this hour."""
        with self._lock:
            hour = self._hours.get(whom)
            if hour is None or hour.said:
                return False
            hour.said = True
            return True

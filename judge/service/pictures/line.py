"""The line of pictures that are to be drawn, and how long each has to wait in it."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from datetime import timedelta
from itertools import count
from queue import PriorityQueue
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

_FIRST_GUESS = timedelta(milliseconds=200)
"""What a picture is thought to take before any was drawn."""
_LEARNT = 0.1
"""How much the last picture tells about the next one."""


class WaitingLine(Generic[T]):
    """Urgent ones first, else as they came. Safe to use from several threads."""

    def __init__(self) -> None:
        self._queue: PriorityQueue[tuple[int, int, T | None]] = PriorityQueue()
        self._serial = count()
        self._places: dict[T, tuple[int, int]] = {}
        self._given, self._served = [0, 0], [0, 0]
        self._pace = _FIRST_GUESS
        self._lock = threading.Lock()

    def put(self, one: T, *, urgent: bool) -> None:
        """Put one in."""
        rank = 0 if urgent else 1
        with self._lock:
            self._places[one] = rank, self._given[rank]
            self._given[rank] += 1
        self._queue.put((rank, next(self._serial), one))

    def take(self) -> T | None:
        """The next one, as soon as there is one; None after `wake`."""
        _, _, one = self._queue.get()
        if one is not None:
            with self._lock:
                rank, _ = self._places.pop(one)
                self._served[rank] += 1
        return one

    def wake(self) -> None:
        """Let whoever takes, or takes next, go on with nothing."""
        self._queue.put((-1, next(self._serial), None))

    def took(self, time: timedelta) -> None:
        """How long the last one has taken."""
        self._pace += (time - self._pace) * _LEARNT

    def wait(self, one: T) -> timedelta:
        """How long it will be until this one is done, by what others took; for one that is not in line, one's time."""
        with self._lock:
            rank, place = self._places.get(one, (0, self._served[0]))
            ahead = place - self._served[rank] + (rank and self._given[0] - self._served[0])
        return self._pace * (ahead + 1)

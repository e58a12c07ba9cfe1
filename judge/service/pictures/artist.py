"""Drawing pictures, in this process or in others that can be given up, in the order of their line."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Hashable
from contextlib import suppress
from datetime import timedelta
from enum import IntEnum
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from queue import LifoQueue
from typing import Generic, Protocol, TypeVar

from judge.draw import BoardPictures
from judge.draw.parts import can_be_read
from judge.report.played.results import BIG, PART
from judge.service.core.judge import Shelf
from judge.service.pictures.sketch import Sketch, part_of, picture_of

WIDTH = 900
"""Pixels across a picture in a letter, for a page that is 1000 units wide."""
BIG_WIDTH, _BIG_COLOURS = 1700, 64
"""Pixels across a large picture, for such a page, and its colours."""
WIDE_WIDTH, PART_WIDTH, PART_OCTETS = 1100, 704, 43_000
"""Pixels across a whole board that shows parts beside it, and across a part: two for each of the 352 on which a
telephone shows it; octets that a part may have. Two parts, their whole board and the words of a letter of results are a
mail of a quarter of a megabyte (`python -m tests.bench.weights`).
"""

LONGEST = 20.0
"""Seconds after which a drawing is given up; the first one of a board takes a second or two."""
_BEGINNING = 60.0
"""Seconds in which the drawing process must have begun: at the lowest priority, on a machine that is busy."""


class CannotDraw(Exception):
    """A picture could not be made; the message says why."""


class GivenUp(CannotDraw):
    """Whoever drew it ended, or took too long. That says little about the picture: another attempt may succeed."""


class Artist(Protocol):
    """Draws one picture after the other."""

    def draw(self, sketch: Sketch) -> bytes:
        """A picture as a file, in the form that it is to have. Raises CannotDraw."""
        ...

    def close(self) -> None:
        """Stop drawing."""
        ...


class Easel:
    """Draws in this process; what all pictures of a board share is prepared once."""

    def __init__(self, maps: Path) -> None:
        from judge.raster import Plates

        self._shelf, self._pictures, self._plates = Shelf(maps), BoardPictures(maps), Plates()

    def draw(self, sketch: Sketch) -> bytes:
        """The file. Raises CannotDraw, whatever went wrong: a picture must never stop a letter."""
        from judge.raster import finished_png, part_png, plain_png, to_pdf

        try:
            picture = picture_of(sketch, self._shelf, self._pictures)
            form, extent = sketch.shown.form, sketch.shown.extent
            if form == "pdf":
                return to_pdf(picture)
            if extent == PART:
                part = part_of(sketch, picture, self._shelf(sketch.settings).board)
                return part.svg().encode("utf-8") if form == "svg" else part_png(part, PART_WIDTH, PART_OCTETS)
            if form == "svg":
                return picture.svg().encode("utf-8")
            if extent == BIG:
                return plain_png(picture.svg(), picture.pixels(BIG_WIDTH), _BIG_COLOURS)
            if can_be_read(picture.topology):
                return finished_png(picture, picture.pixels(WIDTH), self._plates)
            return finished_png(picture, WIDE_WIDTH, self._plates, hard=True)
        except Exception as error:
            raise CannotDraw(f"{type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Nothing to close."""


class Atelier:
    """A process beside this one that draws; it begins with the first picture. For one thread."""

    def __init__(self, maps: Path, *, longest: float = LONGEST) -> None:
        self._maps, self._longest = maps, longest
        self._process: multiprocessing.process.BaseProcess | None = None
        self._line: Connection | None = None

    def draw(self, sketch: Sketch) -> bytes:
        """The file. Raises CannotDraw; a drawing that takes too long is given up with its process."""
        try:
            line = self._opened()
            line.send(sketch)
            if not line.poll(self._longest):
                raise GivenUp(f"it took more than {self._longest:g} seconds")
            done: bytes | str = line.recv()
        except CannotDraw:
            self.close()
            raise
        except Exception as error:  # closed by another thread, a pipe fails in more ways than those of a pipe
            self.close()
            raise GivenUp(f"the process that draws ended ({type(error).__name__})") from error
        if isinstance(done, str):
            raise CannotDraw(done)
        return done

    def close(self) -> None:
        """End the drawing process, whatever it is doing."""
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(5.0)
        self._process = self._line = None

    def _opened(self) -> Connection:
        if self._line is None:
            context = multiprocessing.get_context("spawn")
            self._line, other = context.Pipe()
            process = context.Process(target=_draw_on_demand, args=(other, self._maps), daemon=True)
            process.start()
            self._process = process
            other.close()
            if not self._line.poll(_BEGINNING):
                raise GivenUp(f"the process that draws did not begin within {_BEGINNING:g} seconds")
            self._line.recv()
        return self._line


def _draw_on_demand(line: Connection, maps: Path) -> None:
    """The main loop of the drawing process, until its pipe is closed. It runs at a low priority. What a terminal sends
    to all of a judge's processes is for the judge, which says when this one is to end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(5)
    with suppress(EOFError, OSError):
        easel = Easel(maps)
        line.send("ready")
        while True:
            sketch = line.recv()
            try:
                done: bytes | str = easel.draw(sketch)
            except CannotDraw as error:
                done = str(error)
            line.send(done)


class Studio:
    """Several ateliers, for as many threads; one more begins only when all that have begun are at work."""

    def __init__(self, maps: Path, ateliers: int, *, longest: float = LONGEST) -> None:
        self._all = [Atelier(maps, longest=longest) for _ in range(ateliers)]
        self._free: LifoQueue[Atelier] = LifoQueue()
        for atelier in reversed(self._all):
            self._free.put(atelier)

    def draw(self, sketch: Sketch) -> bytes:
        """The file. Raises CannotDraw."""
        atelier = self._free.get()
        try:
            return atelier.draw(sketch)
        finally:
            self._free.put(atelier)

    def close(self) -> None:
        """End all drawing processes, whatever they are doing."""
        for atelier in self._all:
            atelier.close()


T = TypeVar("T", bound=Hashable)

_FIRST_GUESS = timedelta(milliseconds=200)
"""What a picture is thought to take before any was drawn."""
_LEARNT = 0.1
"""How much the last picture tells about the next one."""


class Rank(IntEnum):
    """Who asks for a picture: an answer to a mail, a letter to many, a letter that shows another one already."""

    ANSWER, LETTER, MORE = range(3)


class WaitingLine(Generic[T]):
    """By rank, within one as they came; for so many `hands` that take from it. Safe to use from several threads."""

    def __init__(self, hands: int = 1) -> None:
        self._hands = hands
        self._ranks: dict[Rank, dict[T, int]] = {rank: {} for rank in Rank}
        self._serials = {rank: count() for rank in Rank}
        self._pace = _FIRST_GUESS
        self._woken = 0
        self._news = threading.Condition()

    def put(self, one: T, rank: Rank) -> bool:
        """Put one in, or move it up to a better rank. Returns whether it was not in line."""
        with self._news:
            was = self._rank(one)
            if was is not None and was <= rank:
                return False
            if was is not None:
                del self._ranks[was][one]
            self._ranks[rank][one] = next(self._serials[rank])
            self._news.notify()
            return was is None

    def __contains__(self, one: T) -> bool:
        with self._news:
            return self._rank(one) is not None

    def drop(self, one: T, rank: Rank) -> bool:
        """Take one out that nobody of a better rank has asked for. Returns whether it was there."""
        with self._news:
            return self._ranks[rank].pop(one, None) is not None

    def take(self) -> T | None:
        """The next one, as soon as there is one; None after `wake`."""
        with self._news:
            while True:
                if self._woken:
                    self._woken -= 1
                    return None
                for waiting in self._ranks.values():
                    if waiting:
                        one = next(iter(waiting))
                        del waiting[one]
                        return one
                self._news.wait()

    def wake(self) -> None:
        """Let whoever takes, or takes next, go on with nothing: as many as there are hands."""
        with self._news:
            self._woken = self._hands
            self._news.notify_all()

    def took(self, time: timedelta) -> None:
        """How long the last one has taken. One that took very long, as the first of a process does, says little."""
        with self._news:
            self._pace += (min(time, 2 * self._pace) - self._pace) * _LEARNT

    def wait(self, one: T, rank: Rank) -> timedelta:
        """How long it will be until this one is done, by what others took; for one that is not in line, if it were put
        in with this rank now.
        """
        with self._news:
            rank = min(rank, was) if (was := self._rank(one)) is not None else rank
            ahead = sum(len(waiting) for better, waiting in self._ranks.items() if better < rank)
            waiting = self._ranks[rank]
            # Of its own rank no more can be ahead than came between the first that is left and this one.
            ahead += waiting[one] - next(iter(waiting.values())) if one in waiting else len(waiting)
            return self._pace * (ahead // self._hands + 1)

    def _rank(self, one: T) -> Rank | None:
        return next((rank for rank, waiting in self._ranks.items() if one in waiting), None)

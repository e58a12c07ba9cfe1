"""Drawing pictures, in this process or in a second one that can be given up, in the order of their line."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Hashable
from contextlib import suppress
from datetime import timedelta
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from queue import PriorityQueue
from typing import Generic, Protocol, TypeVar

from judge.draw import BoardPictures
from judge.report.played.pictures import BIG, PART
from judge.service.core.systems import Shelf
from judge.service.pictures.sketch import Sketch, part_of, picture_of

WIDTH = 900
"""Pixels across a picture in a letter, for a page that is 1000 units wide."""
BIG_WIDTH, PART_WIDTH, _BIG_COLOURS = 1700, 640, 64
"""Pixels across a large picture, for such a page, and across a part, which a telephone shows on 352; colours of a large
picture.
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
                return part.svg().encode("utf-8") if form == "svg" else part_png(part, PART_WIDTH)
            if form == "svg":
                return picture.svg().encode("utf-8")
            if extent == BIG:
                return plain_png(picture.svg(), picture.pixels(BIG_WIDTH), _BIG_COLOURS)
            return finished_png(picture, picture.pixels(WIDTH), self._plates)
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

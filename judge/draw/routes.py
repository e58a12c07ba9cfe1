"""Lines from unit to unit that go round names and other units where they can.

Each line is tried straight and with several bends; the bend that crosses least is taken. What a line crosses is looked
up on a coarse grid of the page, on which names weigh most, then units, then lines drawn before.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

from judge.draw.measures import DOT, UNIT, label_size, label_type
from judge.draw.paths import at
from judge.draw.topology import Point, Topology

_CELL = 5
_LABEL, _TOKEN, _DOT, _LINE = 6, 9, 3, 2
_BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.46, -0.46)

_NEAR = 34.0
"""A straight line that shows less than this between two units is a hop instead: an arrow needs room for its head, and
a cross for itself.
"""
_HOPS = (0.7, -0.7, 0.95, -0.95)

Box = tuple[float, float, float, float]
"""Middle x and y, width, height."""


class Obstacles:
    """The grid of one picture: weights of what stands in the way."""

    def __init__(self, topology: Topology, naming: str) -> None:
        self._columns = int(topology.width) // _CELL + 3
        self._round = topology.width if topology.seam else 0.0
        key = ("obstacles", naming)
        if key not in topology.memo:
            self._cells = bytearray(self._columns * (int(topology.height) // _CELL + 3))
            self._names(topology, naming)
            topology.memo[key] = bytes(self._cells)
        self._cells = bytearray(topology.memo[key])

    def _names(self, topology: Topology, naming: str) -> None:
        for code, spot in topology.spots[naming].items():
            width, height = label_size(spot.lines, label_type(naming, sea=topology.wet(code)))
            self.put((*spot.label, width, height), _LABEL)
            if spot.dot:
                self.put((*spot.dot, DOT, DOT), _DOT)

    def put(self, box: Box, weight: int) -> None:
        """Something in the way."""
        for index in self._in(box):
            self._cells[index] = min(255, self._cells[index] + weight)

    def take(self, box: Box, weight: int) -> None:
        """Something out of the way again."""
        for index in self._in(box):
            self._cells[index] = max(0, self._cells[index] - weight)

    def put_token(self, middle: Point) -> None:
        """A unit."""
        self.put((*middle, *UNIT), _TOKEN)

    def take_token(self, middle: Point) -> None:
        """No unit, for whoever starts or ends there."""
        self.take((*middle, *UNIT), _TOKEN)

    def cost(self, points: Iterable[Point]) -> int:
        """What a line through these points crosses."""
        cells, columns, count = self._cells, self._columns, len(self._cells)
        total = 0
        for x, y in self._onto(points):
            index = int(y / _CELL) * columns + int(x / _CELL)
            total += cells[index] if 0 <= index < count else 20
        return total

    def lay(self, points: Iterable[Point]) -> None:
        """A line, which later ones cross if they must but do not follow."""
        for index in {int(y / _CELL) * self._columns + int(x / _CELL) for x, y in self._onto(points)}:
            if 0 <= index < len(self._cells):
                self._cells[index] = min(255, self._cells[index] + _LINE)

    def _onto(self, points: Iterable[Point]) -> Iterable[Point]:
        """The points where they are seen, on a page that can be gone round."""
        return [(x % self._round, y) for x, y in points] if self._round else points

    def _in(self, box: Box) -> Iterable[int]:
        x, y, width, height = box
        left, right = int((x - width / 2) / _CELL), int((x + width / 2) / _CELL)
        top, bottom = int((y - height / 2) / _CELL), int((y + height / 2) / _CELL)
        for row in range(max(0, top), bottom + 1):
            for column in range(max(0, left), right + 1):
                if (index := row * self._columns + column) < len(self._cells):
                    yield index


@dataclass(frozen=True, slots=True)
class Route:
    """A line as drawn: its path data, points along it from start to end, its last direction (of length 1)."""

    path: str
    points: tuple[Point, ...]

    @property
    def end(self) -> Point:
        """Where it ends."""
        return self.points[-1]

    @property
    def direction(self) -> Point:
        """Where it points at its end, as a vector of length 1."""
        (ax, ay), (bx, by) = self.points[-2], self.points[-1]
        length = hypot(bx - ax, by - ay) or 1.0
        return (bx - ax) / length, (by - ay) / length

    def along(self, part: float) -> Point:
        """The point after this part of the way, 0 to 1."""
        return self.points[round(part * (len(self.points) - 1))]


def route(obstacles: Obstacles, start: Point, end: Point, *, leave: float, stop: float) -> Route:
    """The best line between two units, starting `leave` from the one and ending `stop` before the other."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    count = max(8, int(length / 5))
    best: tuple[float, list[Point], Point] | None = None
    hop = leave + stop > length - _NEAR and stop > leave
    for bend in _HOPS if hop else _BENDS:
        control = _control(start, end, bend)
        points = [_quadratic(start, control, end, n / count) for n in range(count + 1)]
        cost = obstacles.cost(points) + 26 * abs(bend) + 60 * bend * bend + 0.02 * length * abs(bend)
        if best is None or cost < best[0]:
            best = (cost, points, control)
        if cost == 0:
            break
    assert best is not None
    kept = _trimmed(best[1], leave, stop, 1.6 * length if hop else length)
    obstacles.lay(kept)
    return Route(_curve(kept), tuple(kept))


def bow(start: Point, end: Point, *, leave: float, stop: float) -> Route:
    """A line that swings from one place to another over whatever lies between."""
    control = _control(start, end, -0.18 if end[0] < start[0] else 0.18)
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    points = [_quadratic(start, control, end, n / 24) for n in range(25)]
    kept = _trimmed(points, leave, stop, length)
    return Route(_curve(kept), tuple(kept))


def chain(obstacles: Obstacles, stops: Sequence[Point], *, leave: float, stop: float) -> Route:
    """A line through others, as a thread through beads: a convoy's. Where it turns back on itself its legs part, so
    that there and back are two lines.
    """
    points = _thread(stops)
    if any(_turns_back(*three) for three in zip(stops, stops[1:], stops[2:], strict=False)):
        points = min((_legs(stops, bend) for bend in (0.16, -0.16, 0.26, -0.26)), key=obstacles.cost)
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(points))
    kept = _trimmed(points, leave, stop, length)
    obstacles.lay(kept)
    return Route(_curve(kept), tuple(kept))


def _thread(stops: Sequence[Point]) -> list[Point]:
    points: list[Point] = [stops[0]]
    for n in range(len(stops) - 1):
        around = (stops[max(0, n - 1)], stops[n], stops[n + 1], stops[min(len(stops) - 1, n + 2)])
        points += [_through(around, part / 16) for part in range(1, 17)]
    return points


def _legs(stops: Sequence[Point], bend: float) -> list[Point]:
    """From stop to stop, each leg bent to the same side of its own direction."""
    points: list[Point] = [stops[0]]
    for a, b in itertools.pairwise(stops):
        points += [_quadratic(a, _control(a, b, bend), b, n / 16) for n in range(1, 17)]
    return points


def _turns_back(a: Point, b: Point, c: Point) -> bool:
    """Whether the way from b to c is nearly that from b to a: by less than forty degrees."""
    (ux, uy), (vx, vy) = (a[0] - b[0], a[1] - b[1]), (c[0] - b[0], c[1] - b[1])
    return ux * vx + uy * vy > 0.77 * (hypot(ux, uy) * hypot(vx, vy))


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _control(start: Point, end: Point, bend: float) -> Point:
    (ax, ay), (bx, by) = start, end
    return (ax + bx) / 2 - (by - ay) * bend, (ay + by) / 2 + (bx - ax) * bend


def _quadratic(a: Point, b: Point, c: Point, t: float) -> Point:
    u = 1 - t
    return (
        u * u * a[0] + 2 * u * t * b[0] + t * t * c[0],
        u * u * a[1] + 2 * u * t * b[1] + t * t * c[1],
    )


def _through(around: tuple[Point, Point, Point, Point], t: float) -> Point:
    """A point of the smooth line from the second of four points to the third (Catmull and Rom)."""
    x, y = (
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
        for a, b, c, d in zip(*around, strict=True)
    )
    return x, y


def _trimmed(points: list[Point], leave: float, stop: float, length: float) -> list[Point]:
    """Without what lies nearer to the ends than these distances, if that leaves a line."""
    leave, stop = min(leave, length * 0.25), min(stop, length * 0.35)
    start, end = points[0], points[-1]
    kept = [
        point
        for point in points
        if hypot(point[0] - start[0], point[1] - start[1]) >= leave
        and hypot(point[0] - end[0], point[1] - end[1]) >= stop
    ]
    return kept if len(kept) > 2 else points


def _curve(points: Sequence[Point]) -> str:
    """Path data through points: every third, and the curve between them drawn smooth."""
    few = [*points[:-1:3], points[-1]]
    if len(few) < 3:
        return "M" + "L".join(at(point) for point in few)
    path = f"M{at(few[0])}"
    for n in range(1, len(few) - 1):
        end = _middle(few[n], few[n + 1]) if n < len(few) - 2 else few[n + 1]
        path += f"Q{at(few[n])} {at(end)}"
    return path

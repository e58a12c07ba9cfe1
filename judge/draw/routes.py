"""Lines from unit to unit that go round names and other units where they can.

Each line is tried straight, with several bends, and through the borders that its ends have in common; what crosses
least is taken. What a line crosses is looked up on a coarse grid of the page, on which units weigh most, then names,
then land that is none of its business, then lines drawn before. `python -m tests.bench.layout` counts what is left.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot, inf

from judge.draw.cells import CELL, cells_of
from judge.draw.measures import DOT, UNIT, Box, label_size, label_type
from judge.draw.paths import at
from judge.draw.seam import nearer
from judge.draw.topology import Point, Topology

_LABEL, _TOKEN, _DOT, _LINE, _BEYOND = 6, 9, 3, 2, 20
"""What it costs a line to go over a cell of a name, a unit, a centre's dot or another line, and beyond the page."""
_DETOUR, _LONGER = 12.0, 0.12
"""What a line costs that keeps to the ground of its two places, and each page unit by which it is longer than straight.
"""
_BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.46, -0.46, 0.62, -0.62)
"""How far a line may bend to either side, as a part of its length."""
_BENT, _MUCH, _LONG, _LONG_BEND = 26.0, 60.0, 160.0, 0.02
"""What a bend costs, and its square, on a line of this length or longer, and less on a shorter one; and what it costs
for each page unit of the line.
"""
_SEEN, _UNSEEN = 30.0, 6.0
"""An arrow needs room for its head, and a cross for itself: so much of a line is to be seen between its ends; what each
page unit less costs.
"""
_FOREIGN = 6.0
"""From this cost of third places on a way round them is looked for."""
_HOPS = (0.8, -0.8, 1.05, -1.05, 1.35, -1.35)
"""Bends for neighbours that stand too close for a straight arrow."""

Room = tuple[float, float]
"""Half the width and half the height of what a line leaves free about its end."""


class Obstacles:
    """The grid of one picture: weights of what stands in the way."""

    def __init__(self, topology: Topology, naming: str) -> None:
        self._topology = topology
        self._columns = int(topology.width) // CELL + 3
        self._round = topology.width if topology.seam else 0.0
        self._naming, key = naming, ("obstacles", naming)
        if key not in topology.memo:
            self._cells = bytearray(self._columns * (int(topology.height) // CELL + 3))
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
            index = int(y / CELL) * columns + int(x / CELL)
            total += cells[index] if 0 <= index < count else _BEYOND
        return total

    def abroad(self, points: Iterable[Point], ends: Collection[str]) -> float:
        """What a line through these points crosses of places that are none of these."""
        cells = cells_of(self._topology, self._naming)
        free = cells.numbers(ends)
        return sum(cells.weight(x, y, free) for x, y in self._onto(points))

    def overland(self, start: Point, end: Point, ends: Sequence[str]) -> list[Point]:
        """A way from one place to another that keeps to these two; none for nothing."""
        return cells_of(self._topology, self._naming).way(start, end, ends)

    def gates(self, start: Point, ends: Sequence[str]) -> list[Point]:
        """The middles of the borders that two places have in common, nearest to `start` on a page that goes round."""
        found = self._topology.borders.get(frozenset(ends), ())
        return [nearer(self._topology, start, point) for point in found]

    def lay(self, points: Iterable[Point]) -> None:
        """A line, which later ones cross if they must but do not follow."""
        for index in {int(y / CELL) * self._columns + int(x / CELL) for x, y in self._onto(points)}:
            if 0 <= index < len(self._cells):
                self._cells[index] = min(255, self._cells[index] + _LINE)

    def _onto(self, points: Iterable[Point]) -> Iterable[Point]:
        """The points where they are seen, on a page that can be gone round."""
        return [(x % self._round, y) for x, y in points] if self._round else points

    def _in(self, box: Box) -> Iterable[int]:
        x, y, width, height = box
        left, right = int((x - width / 2) / CELL), int((x + width / 2) / CELL)
        top, bottom = int((y - height / 2) / CELL), int((y + height / 2) / CELL)
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

    @property
    def length(self) -> float:
        """How long it is."""
        return _length(self.points)

    def along(self, part: float) -> Point:
        """The point after this part of the way, 0 to 1."""
        return self.points[round(part * (len(self.points) - 1))]

    def beside(self, part: float, far: float) -> Point:
        """The point so far to the right of that one, seen along the line; to the left of it for less than nothing."""
        n = round(part * (len(self.points) - 1))
        (x, y), (ax, ay), (bx, by) = (self.points[max(0, min(k, len(self.points) - 1))] for k in (n, n - 1, n + 1))
        length = hypot(bx - ax, by - ay) or 1.0
        return x - (by - ay) / length * far, y + (bx - ax) / length * far


def route(
    obstacles: Obstacles, start: Point, end: Point, *, leave: Room, stop: Room, ends: Sequence[str] = ()
) -> Route:
    """The best line between two units, which leaves `leave` free about the one and `stop` about the other. `ends`: the
    two places of a move, which goes over no third one if it can.
    """
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    close = bool(ends) and length < leave[0] + stop[0] + _SEEN
    count, weight = (16, 0.5) if close else (max(8, int(length / 5)), 1.0)
    best: tuple[float, list[Point]] | None = None
    middle = _middle(start, end)

    def priced(points: list[Point], cost: float, weight: float) -> tuple[float, list[Point]]:
        kept = _trimmed(points, leave, stop)
        cost += weight * (obstacles.cost(points) + (obstacles.abroad(points, ends) if ends else 0.0))
        return cost + (_UNSEEN * max(0.0, _SEEN - _length(kept)) if close else 0.0), kept

    for control in _controls(obstacles, start, end, ends, close=close):
        bend = hypot(control[0] - middle[0], control[1] - middle[1]) / length
        cost = (_BENT * bend + _MUCH * bend * bend) * min(1.0, length / _LONG) + _LONG_BEND * length * bend
        if best is not None and cost >= best[0]:
            continue
        points = [_quadratic(start, control, end, n / count) for n in range(count + 1)]
        best = min(best or (inf, []), priced(points, cost, weight), key=_first)
    assert best is not None
    if ends and obstacles.abroad(best[1], ends) > _FOREIGN and (points := obstacles.overland(start, end, ends)):
        cost = _DETOUR + _LONGER * max(0.0, _length(points) - length)
        best = min(best, priced(points, cost, 1.0), key=_first)
    kept = best[1]
    obstacles.lay(kept)
    return Route(_curve(kept), tuple(kept))


def _first(each: tuple[float, list[Point]]) -> float:
    return each[0]


def _controls(obstacles: Obstacles, start: Point, end: Point, ends: Sequence[str], *, close: bool) -> Iterator[Point]:
    """The control points of the curves that are tried."""
    yield from (_control(start, end, bend) for bend in (_BENDS + _HOPS if close else _BENDS))
    for gate in obstacles.gates(start, ends) if ends else ():
        near, far = (hypot(gate[0] - x, gate[1] - y) for x, y in (start, end))
        t = min(0.75, max(0.25, near / (near + far or 1.0)))
        yield _control_through(start, gate, end, t)


def bow(start: Point, end: Point, *, leave: Room, stop: Room) -> Route:
    """A line that swings from one place to another over whatever lies between."""
    control = _control(start, end, -0.18 if end[0] < start[0] else 0.18)
    points = [_quadratic(start, control, end, n / 24) for n in range(25)]
    kept = _trimmed(points, leave, stop)
    return Route(_curve(kept), tuple(kept))


def chain(obstacles: Obstacles, stops: Sequence[Point], *, leave: Room, stop: Room) -> Route:
    """A line through others, as a thread through beads: a convoy's. Where it turns back on itself its legs part, so
    that there and back are two lines.
    """
    points = _thread(stops)
    if any(_turns_back(*three) for three in zip(stops, stops[1:], stops[2:], strict=False)):
        points = min((_legs(stops, bend) for bend in (0.16, -0.16, 0.26, -0.26)), key=obstacles.cost)
    kept = _trimmed(points, leave, stop)
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


def _control_through(a: Point, gate: Point, c: Point, t: float) -> Point:
    """The control point of the curve that comes through a gate after this part of its way."""
    u = 1 - t
    x, y = ((g - u * u * p - t * t * q) / (2 * u * t) for g, p, q in zip(gate, a, c, strict=True))
    return x, y


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


def _length(points: Sequence[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(points))


def _trimmed(points: list[Point], leave: Room, stop: Room) -> list[Point]:
    """Without what lies nearer to the ends, if that leaves a line; else without as much of it as does."""
    (ax, ay), (bx, by) = points[0], points[-1]
    for part in (1.0, 0.75, 0.5):
        left, up, right, low = leave[0] * part, leave[1] * part, stop[0] * part, stop[1] * part
        kept = [
            (x, y)
            for x, y in points
            if (abs(x - ax) >= left or abs(y - ay) >= up) and (abs(x - bx) >= right or abs(y - by) >= low)
        ]
        if len(kept) > 2:
            return kept
    return points


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

"""The ground of a board's picture in cells of a coarse grid: whose each is, and the way between two neighbours that
keeps to their own ground, where no plain curve does (from St Petersburg to Norway round Finland).
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import hypot

from judge.draw.measures import label_size, label_type
from judge.draw.topology import Point, Topology

CELL = 5
"""Page units across a cell."""
_ABROAD, _AT_SEA = 4.0, 0.6
"""What it costs to go over a cell of a third place's land, and of its water."""
_SHORE = 0.6
"""What it costs to go along a border, beside it: a way looks better in the middle of its ground."""
_NAME = 1.5
"""What it costs to go over a cell of a name."""
_BEYOND = 12
"""Cells around the two ends and the borders between them within which a way is looked for."""
_SMOOTHED = 12
"""Times that each corner of a way is laid between those before and behind it."""
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))

Cell = tuple[int, int]


class Cells:
    """Which space each cell of a page lies in. 0 is nowhere."""

    def __init__(self, topology: Topology, naming: str) -> None:
        self._topology = topology
        self._columns, self._rows = int(topology.width) // CELL + 3, int(topology.height) // CELL + 3
        self._cells = array("H", [0]) * (self._columns * self._rows)
        self._spaces = {code: number for number, code in enumerate(topology.zones, 1)}
        self._weights = (0.0, *(_AT_SEA if topology.wet(code) else _ABROAD for code in self._spaces))
        self._named = frozenset(_named(topology, naming))
        self._ways: dict[tuple[Cell, Cell, frozenset[str]], list[Point]] = {}
        for code, number in self._spaces.items():
            for row, cuts in _cuts(topology.outlines[code], self._rows).items():
                for left, right in zip(cuts[::2], cuts[1::2], strict=False):
                    for column in range(max(0, round(left / CELL)), min(self._columns, round(right / CELL))):
                        self._cells[row * self._columns + column] = number

    def numbers(self, codes: Iterable[str]) -> frozenset[int]:
        """What stands for these spaces in the cells."""
        return frozenset(self._spaces[code] for code in codes if code in self._spaces)

    def weight(self, x: float, y: float, free: Collection[int]) -> float:
        """What it costs to be at a point of the page, where these spaces cost nothing."""
        index = int(y / CELL) * self._columns + int(x / CELL)
        if not 0 <= index < len(self._cells) or (number := self._cells[index]) in free:
            return 0.0
        return self._weights[number]

    def way(self, start: Point, end: Point, ends: Sequence[str]) -> list[Point]:
        """The cheapest way from point to point over the ground of these two places, smooth, a point for each cell's
        width; nothing where it leads beyond the page.
        """
        key = _cell(start), _cell(end), frozenset(ends)
        if key not in self._ways:
            self._ways[key] = self._found(*key)
        way = self._ways[key]
        return _spaced(_smooth([start, *way[1:-1], end])) if len(way) > 2 else []

    def _found(self, start: Cell, end: Cell, ends: frozenset[str]) -> list[Point]:
        """Middles of the cells of the cheapest way (Dijkstra's)."""
        free = self.numbers(ends)
        gates = [_cell(point) for point in self._topology.borders.get(ends, ())]
        xs, ys = zip(start, end, *gates, strict=True)
        left, right, top, low = min(xs) - _BEYOND, max(xs) + _BEYOND, min(ys) - _BEYOND, max(ys) + _BEYOND
        far, came, queue = {start: 0.0}, {start: start}, [(0.0, start)]
        while queue:
            spent, here = heappop(queue)
            if here == end:
                break
            if spent > far[here]:
                continue
            for dx, dy in _STEPS:
                there = here[0] + dx, here[1] + dy
                if not (left <= there[0] <= right and top <= there[1] <= low and 0 <= there[1] < self._rows):
                    continue
                total = spent + hypot(dx, dy) * (1.0 + self._toll(there, free))
                if total < far.get(there, total + 1):
                    far[there], came[there] = total, here
                    heappush(queue, (total, there))
        way = [end]
        while way[-1] in came and way[-1] != start:
            way.append(came[way[-1]])
        return [((x + 0.5) * CELL, (y + 0.5) * CELL) for x, y in reversed(way)]

    def _toll(self, cell: Cell, free: Collection[int]) -> float:
        """What it costs to go over a cell."""
        name = _NAME * (cell in self._named)
        if at := self._at(cell, free):
            return name + 2 * at
        return name + _SHORE * any(self._at((cell[0] + dx, cell[1] + dy), free) for dx, dy in _STEPS)

    def _at(self, cell: Cell, free: Collection[int]) -> float:
        x, y = (cell[0] + 0.5) * CELL, (cell[1] + 0.5) * CELL
        width = self._topology.width
        if self._topology.seam:
            x %= width
        elif not 0 <= x < width:
            return _ABROAD
        return self.weight(x, y, free)


def cells_of(topology: Topology, naming: str) -> Cells:
    """The ground of a board's picture under its codes or its names, worked out once."""
    key = ("ground", naming)
    if key not in topology.memo:
        topology.memo[key] = Cells(topology, naming)
    found: Cells = topology.memo[key]
    return found


def _named(topology: Topology, naming: str) -> Iterator[Cell]:
    """The cells that lie under names."""
    for code, spot in topology.spots[naming].items():
        x, y = spot.label
        wide, high = label_size(spot.lines, label_type(naming, sea=topology.wet(code)))
        (left, top), (right, low) = _cell((x - wide / 2, y - high / 2)), _cell((x + wide / 2, y + high / 2))
        yield from itertools.product(range(left, right + 1), range(top, low + 1))


def _cell(at: Point) -> Cell:
    return int(at[0] // CELL), int(at[1] // CELL)


def _cuts(rings: Iterable[Sequence[Point]], rows: int) -> Mapping[int, list[float]]:
    """Where the middles of the rows of cells cross an outline: row -> x, in order."""
    found: dict[int, list[float]] = {}
    for ring in rings:
        for (ax, ay), (bx, by) in itertools.pairwise(ring):
            (top, x), (low, u) = sorted(((ay, ax), (by, bx)))
            for row in range(max(0, round(top / CELL)), min(rows, round(low / CELL))):
                part = ((row + 0.5) * CELL - top) / (low - top) if low > top else 0.0
                found.setdefault(row, []).append(x + (u - x) * part)
    return {row: sorted(cuts) for row, cuts in found.items()}


def _smooth(points: Sequence[Point]) -> list[Point]:
    """Points of a way without the corners of its cells; its ends stay."""
    points = list(points)
    for _ in range(_SMOOTHED):
        threes = zip(points, points[1:], points[2:], strict=False)
        points = [points[0], *(_centre(*three) for three in threes), points[-1]]
    return points


def _centre(a: Point, b: Point, c: Point) -> Point:
    return (a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3


def _spaced(points: Sequence[Point]) -> list[Point]:
    """The same line with a point after each cell's width of it."""
    return [points[0], *_every(points, CELL), points[-1]]


def _every(points: Sequence[Point], step: float) -> Iterator[Point]:
    due = step
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        length = hypot(bx - ax, by - ay)
        while due < length:
            part = due / length
            yield ax + (bx - ax) * part, ay + (by - ay) * part
            due += step
        due -= length

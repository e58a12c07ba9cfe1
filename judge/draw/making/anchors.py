"""Finds room for names, units and centres: each in its own space if it fits, and never on another's.

The smallest spaces choose first. For each the possible arrangements (name above the unit, below it, beside it ...) are
tried at every place of a grid; sums over rectangles come from summed-area tables, so that all places are tried at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from judge.draw.letters import Type
from judge.draw.making.faces import polygons
from judge.draw.measures import DOT, UNIT, label_size
from judge.draw.topology import Anchors, Point

Numbers = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""Middle x and y, width, height."""

_STEP = 2  # of the grid of places that are tried
_TAKEN = -1.2  # what a point counts that is taken already


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be placed in a space. `roomy`: the label may lie partly in the sea."""

    code: str
    area: BaseGeometry
    texts: tuple[tuple[str, ...], ...]
    """Ways to write the label, each as lines."""
    type_: Type
    unit: bool
    dot: bool
    sea: bool


class Page:
    """The page as a grid of points one unit apart, with what is taken."""

    def __init__(self, width: float, height: float, water: BaseGeometry) -> None:
        self.shape = (int(height) + 1, int(width) + 1)
        self.water = self.inside(water)
        self.taken: Numbers = np.zeros(self.shape)

    def inside(self, area: BaseGeometry) -> Numbers:
        """1 at the points inside an area, else 0."""
        mask = np.zeros(self.shape, dtype=bool)
        for polygon in polygons(area):
            mask ^= self._filled(polygon)
        return mask.astype(float)

    def _filled(self, polygon: Polygon) -> NDArray[np.bool_]:
        """Even-odd filling, one row at a time."""
        mask = np.zeros(self.shape, dtype=bool)
        edges = np.array(
            [(*a, *b) for ring in (polygon.exterior, *polygon.interiors) for a, b in pairwise(ring.coords)]
        )
        low, high = np.minimum(edges[:, 1], edges[:, 3]), np.maximum(edges[:, 1], edges[:, 3])
        columns = np.arange(self.shape[1])
        for row in range(max(0, int(low.min())), min(self.shape[0], int(high.max()) + 2)):
            ax, ay, bx, by = edges[(low <= row) & (high > row)].T
            cross = np.sort(ax + (row - ay) * (bx - ax) / (by - ay))
            mask[row] = np.searchsorted(cross, columns) % 2 == 1
        return mask

    def take(self, box: Box) -> None:
        """Keep a rectangle free from now on."""
        x, y, width, height = box
        rows = slice(max(0, int(y - height / 2)), int(y + height / 2) + 1)
        self.taken[rows, max(0, int(x - width / 2)) : int(x + width / 2) + 1] = 1


def place(page: Page, wanted: list[Wanted], fixed: Mapping[str, Mapping[str, Point]]) -> dict[str, Anchors]:
    """A spot for each. `fixed`: code -> "label", "unit" or "dot" -> where it must go."""
    spots = {}
    for want in sorted(wanted, key=lambda want: (want.area.area, want.code)):
        spots[want.code] = spot = _moved(_best(page, want), fixed.get(want.code, {}))
        for box in boxes(spot, want.type_):
            page.take(box)
    return spots


def boxes(spot: Anchors, type_: Type) -> Iterator[Box]:
    """The rectangles that a spot fills: label, unit, dot."""
    width, height = label_size(spot.lines, type_)
    yield (*spot.label, width + 2, height + 1)
    if spot.unit:
        yield (*spot.unit, *UNIT)
    if spot.dot:
        yield (*spot.dot, DOT, DOT)


def aside(page: Page, area: BaseGeometry, unit: Point) -> Point:
    """Where a unit is drawn that was driven out of `unit`: beside it, in its space if there is room."""
    table = _table(np.where(page.taken > 0, -0.7, page.inside(area) + 0.35))
    best = max(
        ((unit[0] + dx, unit[1] + dy) for dx, dy in _around()),
        key=lambda at: (
            round(float(_mean(table, np.array([at[0]]), np.array([at[1]]), (0, 0, *UNIT))[0]), 3)
            - 0.006 * np.hypot(at[0] - unit[0], at[1] - unit[1])
        ),
    )
    return (round(best[0], 1), round(best[1], 1))


def _around() -> Iterator[Point]:
    for far in (1.0, 1.2, 1.4, 1.7):
        for turn in range(24):
            angle = turn * np.pi / 12
            yield float(34 * far * np.cos(angle)), float(27 * far * np.sin(angle))


def _moved(spot: Anchors, fixed: Mapping[str, Point]) -> Anchors:
    if not fixed:
        return spot
    unit = fixed.get("unit", spot.unit)
    return Anchors(spot.lines, fixed.get("label", spot.label), unit, None, fixed.get("dot", spot.dot))


# -- the best place ------------------------------------------------------------------------------------------------


def _table(values: Numbers) -> Numbers:
    table = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    table[1:, 1:] = values.cumsum(0).cumsum(1)
    return table


def _mean(table: Numbers, x: Numbers, y: Numbers, box: Box) -> Numbers:
    """The mean inside a rectangle at each of many places; what lies off the page counts nought."""
    dx, dy, width, height = box
    limit_y, limit_x = table.shape[0] - 1, table.shape[1] - 1
    left, right = (np.clip(x + dx + side * width / 2, 0, limit_x).astype(int) for side in (-1, 1))
    top, bottom = (np.clip(y + dy + side * height / 2, 0, limit_y).astype(int) for side in (-1, 1))
    total = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
    return np.asarray(total / (width * height))


def _at(mask: Numbers, x: Numbers, y: Numbers, box: Box) -> Numbers:
    """The mask at the middle of a rectangle at each of many places."""
    rows, columns = mask.shape
    row = np.clip(np.rint(y + box[1]), 0, rows - 1).astype(int)
    return np.asarray(mask[row, np.clip(np.rint(x + box[0]), 0, columns - 1).astype(int)])


def _best(page: Page, want: Wanted) -> Anchors:
    own = page.inside(want.area)
    lax = 0.0 if want.sea else 0.45
    labels = _table(np.where(page.taken > 0, _TAKEN, np.maximum(own, lax * page.water)))
    things = _table(np.where(page.taken > 0, _TAKEN, np.maximum(own, 0.12 * page.water * (not want.sea))))
    x, y = _grid(page, want.area)
    middle = _middle(want.area)
    far = np.hypot(x - middle.x, y - middle.y)
    best: tuple[float, Anchors] | None = None
    for lines in want.texts:
        width, height = label_size(lines, want.type_)
        for label, unit, dot in _arrangements(width + 3, height, want):
            scored = [(labels, label, 1.3), (things, unit, 1.2), (things, dot, 0.9)]
            parts = [(_mean(table, x, y, box), weight, box) for table, box, weight in scored if box]
            total = sum(np.minimum(mean, 1) * weight for mean, weight, _ in parts) / sum(w for _, w, _ in parts)
            worst = np.minimum.reduce([mean for mean, _, _ in parts])
            frame = _mean(things, x, y, _frame([box for _, _, box in parts], 5))
            score = total + 0.45 * worst + 0.35 * frame - 0.0016 * far - 0.02 * (len(lines) - 1) * (not want.sea)
            for thing in (unit, dot):
                score = score - (0.5 * (1 - _at(own, x, y, thing)) if thing else 0)
            top = int(np.argmax(score))
            if best is None or score[top] > best[0]:
                at = [
                    (round(float(x[top] + box[0]), 1), round(float(y[top] + box[1]), 1)) if box else None
                    for box in (label, unit, dot)
                ]
                assert at[0] is not None
                best = (float(score[top]), Anchors(lines, at[0], at[1], None, at[2]))
    assert best is not None
    return best[1]


def _grid(page: Page, area: BaseGeometry) -> tuple[Numbers, Numbers]:
    left, top, right, bottom = area.bounds
    rows, columns = page.shape
    y, x = np.mgrid[
        max(4, int(top) - 30) : min(rows - 4, int(bottom) + 30) : _STEP,
        max(4, int(left) - 40) : min(columns - 4, int(right) + 40) : _STEP,
    ]
    return x.ravel().astype(float), y.ravel().astype(float)


def _middle(area: BaseGeometry) -> ShapelyPoint:
    main = max(polygons(area), key=lambda polygon: polygon.area)
    return main.centroid if main.contains(main.centroid) else main.representative_point()


def _frame(parts: list[Box], margin: float) -> Box:
    left = min(x - w / 2 for x, _, w, _ in parts) - margin
    right = max(x + w / 2 for x, _, w, _ in parts) + margin
    top = min(y - h / 2 for _, y, _, h in parts) - margin
    bottom = max(y + h / 2 for _, y, _, h in parts) + margin
    return ((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def _arrangements(width: float, height: float, want: Wanted) -> Iterator[tuple[Box, Box | None, Box | None]]:
    """Label, unit and dot about a middle."""
    if not want.unit:
        yield (0, 0, width, height), None, None
        return
    for label, unit, dot in _layouts(width, height, dot=want.dot):
        yield (*label, width, height), (*unit, *UNIT), (*dot, DOT, DOT) if want.dot else None


def _layouts(w: float, h: float, *, dot: bool) -> Iterator[tuple[Point, Point, Point]]:
    """Middles of label, unit and dot; what a space without a dot needs no second time is left out."""
    uw, uh = UNIT
    s = DOT
    shift = (s + 2) / 2 if dot else 0
    row = w + (s + 2 if dot else 0)
    for up in (-1, 1):  # the label above the unit, or below it
        yield (shift, up * (uh / 2 + 1)), (0, -up * (h / 2 + 1)), (-row / 2 + s / 2, up * (uh / 2 + 1))
        if dot:
            yield (0, up * (uh / 2 + 1)), (-shift, -up * (h / 2 + 1)), (uw / 2 + 2, -up * (h / 2 + 1))
            yield (0, up * (uh / 2 + 1)), (shift, -up * (h / 2 + 1)), (-uw / 2 - 2, -up * (h / 2 + 1))
    for right in (1, -1):  # beside it
        for dy in (-6.0, 0.0, 6.0):
            yield (right * (uw / 2 + w / 2 + 2), dy), (0, 0), (-right * (uw / 2 + s / 2 + 1), 0)
        for up in (-1, 1):
            yield (right * (w / 2 - uw / 2 + 4), up * (uh / 2 + h / 2 + 1)), (0, 0), (-right * (uw / 2 + s / 2 + 1), 0)
        if dot:
            yield (right * (uw / 2 + 1), -s / 2), (-right * (w / 2 + 1), 0), (right * (uw / 2 + 1), h / 2 + 1)
    if dot:
        for up in (-1, 1):  # one below the other
            yield (0, up * (uh / 2 + s / 2 + 2)), (0, 0), (0, -up * (uh / 2 + s / 2 + 1))

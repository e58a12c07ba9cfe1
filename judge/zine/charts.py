"""Graphs as SVG: lines over years, each with its name at its end, told apart by marks and dashes as well as colours.

Colours are presentation attributes, which a style sheet may overrule by the classes `ink`, `grid` and `line-0` to
`line-9`; there is no style and no script in it, so that it may stand in any page, book or feed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from judge.zine.issue import Graph, GraphLine

WIDTH, HEIGHT = 760.0, 380.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 150.0, 16.0, 34.0
_INK, _GRID = "#4a463c", "#d8d1bd"
_COLOURS = (
    "#9b3d2e", "#1f4e79", "#3f7f93", "#3a3a38", "#3b6b35", "#7a4f8a", "#8a6d1b", "#b0527a", "#4f6b1f", "#6b5344",
)  # fmt: skip
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "", "5 4", "1 3", "12 4", "", "4 2")
_MARKS = ("circle", "square", "triangle", "diamond")
_APART = 15.0
"""How far the names at the ends of lines stand from each other at least."""
_SHIFT = 1.6
"""How far lines that would lie on each other are moved apart."""


@dataclass(frozen=True, slots=True)
class _Plane:
    """From values to places on the page."""

    labels: int
    top: float

    def x(self, place: int) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (place / max(1, self.labels - 1))

    def y(self, value: float) -> float:
        return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * (value / self.top)


def chart(graph: Graph) -> str:
    """The graph as one SVG element, without a declaration. It scales to the width of where it stands."""
    values = [value for line in graph.lines for value in line.values if value is not None]
    plane = _Plane(len(graph.labels), _top(max(values, default=1.0)))
    parts = [*_scale(plane, graph), *_lines(plane, graph), *_names(plane, graph.lines)]
    title = escape(graph.title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" class="chart" '
        f'font-family="Georgia, serif" font-size="13"><title>{title}</title>{"".join(parts)}</svg>'
    )


def _top(most: float) -> float:
    """The end of the scale: the next multiple of its step, above the greatest value.

    >>> _top(6), _top(17), _top(34)
    (8, 20, 40)
    """
    step = _step(most)
    return step * max(1, ceil((most + step / 4) / step))


def _step(most: float) -> int:
    return next((step for step in (1, 2, 5, 10, 20, 50, 100, 250, 500) if most / step <= 5), 1000)


def _scale(plane: _Plane, graph: Graph) -> Iterator[str]:
    for value in range(0, int(plane.top) + 1, _step(plane.top)):
        y = plane.y(value)
        yield (
            f'<path class="grid" d="M{_LEFT:g} {y:.1f}H{WIDTH - _RIGHT:g}" stroke="{_GRID}" fill="none"/>'
            f'<text class="ink" x="{_LEFT - 8:g}" y="{y + 4:.1f}" text-anchor="end" fill="{_INK}">{value}</text>'
        )
    every = max(1, ceil(len(graph.labels) / 12))
    for place, label in enumerate(graph.labels):
        if place % every == 0:
            yield (
                f'<text class="ink" x="{plane.x(place):.1f}" y="{HEIGHT - 12:g}" text-anchor="middle" '
                f'fill="{_INK}">{escape(label)}</text>'
            )


def _lines(plane: _Plane, graph: Graph) -> Iterator[str]:
    """Each line with its marks; those that run together are moved apart by less than their own breadth."""
    middle = (len(graph.lines) - 1) / 2
    for number, line in enumerate(graph.lines):
        shift = (number - middle) * _SHIFT
        points = [
            (plane.x(place), plane.y(value) + shift) for place, value in enumerate(line.values) if value is not None
        ]
        if not points:
            continue
        colour, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        marks = "".join(_mark(_MARKS[number % len(_MARKS)], x, y) for x, y in points)
        yield (
            f'<g class="line-{number % len(_COLOURS)}" stroke="{colour}" fill="{colour}" stroke-width="2">'
            f'<path d="M{path}" fill="none"{dashes}/>{marks}</g>'
        )


def _mark(shape: str, x: float, y: float) -> str:
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>'
    path = {
        "square": "m-2.5 -2.5h5v5h-5z",
        "triangle": "m0 -3.4l3.2 5.8h-6.4z",
        "diamond": "m0 -3.6l3.4 3.6l-3.4 3.6l-3.4 -3.6z",
    }[shape]
    return f'<path d="M{x:.1f} {y:.1f}{path}"/>'


def _names(plane: _Plane, lines: Sequence[GraphLine]) -> Iterator[str]:
    """The name of each line at its end, with its last value; names that would touch are moved apart."""
    ends = []
    for number, line in enumerate(lines):
        last = [value for value in line.values if value is not None]
        if last:
            ends.append((plane.y(last[-1]), number, f"{line.name} {last[-1]:g}"))
    places = _spread([y for y, _, _ in sorted(ends)], _TOP, HEIGHT - _BOTTOM)
    for place, (_, number, words) in zip(places, sorted(ends), strict=True):
        colour = _COLOURS[number % len(_COLOURS)]
        yield (
            f'<text class="line-{number % len(_COLOURS)}" x="{WIDTH - _RIGHT + 10:g}" y="{place + 4:.1f}" '
            f'fill="{colour}">{escape(words)}</text>'
        )


def _spread(places: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places in their order, each at least a line below the one before, as near to where they were as may be.

    >>> _spread([10.0, 12.0, 100.0], 0.0, 100.0)
    [10.0, 25.0, 100.0]
    """
    found: list[float] = []
    for place in places:
        found.append(max(place, found[-1] + _APART if found else top))
    limit = bottom
    for index in range(len(found) - 1, -1, -1):
        found[index] = min(found[index], limit)
        limit = found[index] - _APART
    return found

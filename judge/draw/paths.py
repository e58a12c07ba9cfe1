"""Outlines as SVG path data. Corners are rounded border by border, so that neighbours keep the very same line; cuts
between seas stay straight.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from judge.draw.topology import EDGE, Arc, Point, Topology

_Tenths = tuple[int, int]


def number(value: float) -> str:
    """The shortest text of a number to one decimal: 3, -.5, 12.4."""
    return _tenth(round(value * 10))


def _tenth(value: int) -> str:
    whole, part = divmod(abs(value), 10)
    text = f"{whole or ''}.{part}" if part else str(whole)
    return f"-{text}" if value < 0 else text


def at(point: Point) -> str:
    """A point as text: "12.4 -3"."""
    return f"{number(point[0])} {number(point[1])}"


def _packed(values: Iterable[int]) -> str:
    """Numbers in tenths, with a blank only where one is needed."""
    text, after_part = "", False
    for value in values:
        word = _tenth(value)
        if text and word[0] != "-" and not (word[0] == "." and after_part):
            text += " "
        text += word
        after_part = "." in word
    return text


def polyline(points: Sequence[Point], *, closed: bool = False) -> str:
    """Path data of a line through points, its corners rounded."""
    tenths = _tenths(points)
    if closed:
        return _blob([*tenths, tenths[0]]) + "z"
    return f"M{_packed(tenths[0])}{_onward(tenths, smooth=True)}"


def arc_path(topology: Topology, arc: Arc) -> str:
    """Path data of one border."""
    tenths = _tenths(arc.points)
    if arc.closed and not _straight(topology, arc):
        return _blob(tenths) + "z"
    return f"M{_packed(tenths[0])}{_onward(tenths, smooth=not _straight(topology, arc))}"


def zone_path(topology: Topology, code: str) -> str:
    """Path data of a space's outlines and holes."""
    key = ("path", code)
    if key not in topology.memo:
        topology.memo[key] = "".join(_ring_path(topology, ring) for ring in topology.zones[code].rings)
    path: str = topology.memo[key]
    return path


def _ring_path(topology: Topology, ring: tuple[int, ...]) -> str:
    text = ""
    for n, index in enumerate(ring):
        arc = topology.arcs[index if index >= 0 else ~index]
        tenths = _tenths(arc.points if index >= 0 else arc.points[::-1])
        if arc.closed and not _straight(topology, arc):
            text += _blob(tenths)
            continue
        if n == 0:
            text += f"M{_packed(tenths[0])}"
        text += _onward(tenths, smooth=not _straight(topology, arc))
    return text + "z"


def _straight(topology: Topology, arc: Arc) -> bool:
    return arc.b == EDGE or (topology.wet(arc.a) and topology.wet(arc.b))


def _tenths(points: Sequence[Point]) -> list[_Tenths]:
    return [(round(x * 10), round(y * 10)) for x, y in points]


def _onward(points: list[_Tenths], *, smooth: bool) -> str:
    """From the first point, which is reached already, along all others; the corners between are rounded."""
    if not smooth or len(points) < 3:
        steps = (v for (ax, ay), (bx, by) in itertools.pairwise(points) for v in (bx - ax, by - ay))
        return f"l{_packed(steps)}"
    values: list[int] = []
    x, y = points[0]
    last = len(points) - 2
    for n in range(1, last + 1):
        (cx, cy), (nx, ny) = points[n], points[n + 1]
        ex, ey = ((cx + nx) // 2, (cy + ny) // 2) if n < last else (nx, ny)
        values += [cx - x, cy - y, ex - x, ey - y]
        x, y = ex, ey
    return f"q{_packed(values)}"


def _blob(ring: list[_Tenths]) -> str:
    """A closed line with all its corners rounded; first and last point are equal."""
    corners = ring[:-1]
    middles = [((x + corners[n - 1][0]) // 2, (y + corners[n - 1][1]) // 2) for n, (x, y) in enumerate(corners)]
    values: list[int] = []
    for n, (x, y) in enumerate(corners):
        (ax, ay), (bx, by) = middles[n], middles[(n + 1) % len(corners)]
        values += [x - ax, y - ay, bx - ax, by - ay]
    return f"M{_packed(middles[0])}q{_packed(values)}"

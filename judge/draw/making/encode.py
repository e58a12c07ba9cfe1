"""Faces and spots as the JSON that `judge.draw.topology` reads."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shapely.geometry.base import BaseGeometry

from judge.draw.making.faces import EDGE, Faces
from judge.draw.topology import Anchors, Point

SCALE = 10
"""Steps of the file to a page unit."""

Corner = tuple[int, int]


def shapes(faces: Faces, kinds: Mapping[str, str]) -> dict[str, Any]:
    """The arcs, and the zones as rounds of arcs."""
    arcs: list[tuple[str, str, list[Corner]]] = []
    around: dict[str, list[int]] = defaultdict(list)
    for (a, b), border in faces.borders.items():
        for line in sorted(corners(part) for part in getattr(border, "geoms", [border])):
            if len(line) < 2:
                continue
            for side in (a, b):
                around[side].append(len(arcs))
            arcs.append((a, b, line))
    zones = {
        code: {"kind": kinds[code], "rings": _rings(numbers, arcs)}
        for code, numbers in sorted(around.items())
        if code != EDGE
    }
    return {"arcs": [[a, b, steps(line)] for a, b, line in arcs], "zones": zones}


def corners(line: BaseGeometry) -> list[Corner]:
    """The points of a line on the file's grid, none twice running."""
    points = [(round(x * SCALE), round(y * SCALE)) for x, y in line.coords]
    return [point for n, point in enumerate(points) if n == 0 or point != points[n - 1]]


def steps(points: Iterable[Corner]) -> list[int]:
    """Each point as the way from the one before."""
    flat = []
    x = y = 0
    for u, v in points:
        flat += [u - x, v - y]
        x, y = u, v
    return flat


def _rings(numbers: list[int], arcs: list[tuple[str, str, list[Corner]]]) -> list[list[int]]:
    starting: dict[Corner, list[int]] = defaultdict(list)
    for number in numbers:
        for end in (0, -1):
            starting[arcs[number][2][end]].append(number)
    left = set(numbers)
    rings = []
    for number in numbers:
        if number in left:
            rings.append(list(_round(number, left, starting, arcs)))
    return rings


def _round(
    first: int, left: set[int], starting: Mapping[Corner, list[int]], arcs: list[tuple[str, str, list[Corner]]]
) -> Iterator[int]:
    """From an arc on to the next, until the round is closed."""
    left.discard(first)
    yield first
    start, at = arcs[first][2][0], arcs[first][2][-1]
    while at != start:
        number = next((n for n in starting[at] if n in left), None)
        if number is None:
            return
        left.discard(number)
        line = arcs[number][2]
        forward = line[0] == at
        at = line[-1] if forward else line[0]
        yield number if forward else ~number


def spot_json(spot: Anchors, away: Point | None) -> dict[str, Any]:
    """A spot, without what it lacks."""
    places = {"label": spot.label, "unit": spot.unit, "away": away, "dot": spot.dot}
    return {"lines": list(spot.lines)} | {key: list(at) for key, at in places.items() if at}


def text_of(data: Mapping[str, Any]) -> str:
    """The file's text: one arc, one zone, one spot a line."""
    rows = []
    for key, value in data.items():
        if key in ("arcs", "lakes", "rivers"):
            rows.append(f"{_json(key)}:[\n" + ",\n".join(_json(each) for each in value) + "]")
        elif key == "zones":
            rows.append(f"{_json(key)}:{_table(value)}")
        elif key == "spots":
            tables = ",\n".join(f"{_json(naming)}:{_table(spots)}" for naming, spots in value.items())
            rows.append(f"{_json(key)}:{{\n{tables}}}")
        else:
            rows.append(f"{_json(key)}:{_json(value)}")
    return "{" + ",\n".join(rows) + "}\n"


def _table(value: Mapping[str, Any]) -> str:
    return "{\n" + ",\n".join(f"{_json(code)}:{_json(each)}" for code, each in value.items()) + "}"


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

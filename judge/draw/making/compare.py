"""Two topologies of one recipe, made on different machines: whether they show the same.

Machines differ in the last digits of what they compute. That tips which points of a line are left out and where a name
finds room; it moves no border by more than a few thousandths of the page, and changes nothing of what lies where.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

NEAR = 4.0
"""How far lines may lie apart, in page units (a page is 1000 wide)."""


def differences(kept: Mapping[str, Any], made: Mapping[str, Any]) -> Iterator[str]:
    """What two topologies (`topology.json`, parsed) show differently, in sentences; nothing if they show the same."""
    for key in ("board", "width", "height", "scale", "seam"):
        if kept.get(key) != made.get(key):
            yield f"{key} is {kept.get(key)}, and would be {made.get(key)}"
    yield from _sets("space", _kinds(kept), _kinds(made))
    yield from _sets("name", _names(kept), _names(made))
    yield from _sets("link", {tuple(link[:2]) for link in kept["links"]}, {tuple(link[:2]) for link in made["links"]})
    ours, theirs = _borders(kept), _borders(made)
    yield from _sets("border", set(ours), set(theirs))
    for pair in sorted(set(ours) & set(theirs)):
        if (apart := _apart(ours[pair], theirs[pair], kept["scale"])) > NEAR:
            yield f"border {' - '.join(pair)} lies {apart:.1f} away"
    for key in ("lakes", "rivers"):
        if (apart := _apart(_lines(kept[key]), _lines(made[key]), kept["scale"])) > NEAR:
            yield f"{key} lie {apart:.1f} away"


def _sets(what: str, kept: set[Any], made: set[Any]) -> Iterator[str]:
    for each in sorted(kept ^ made):
        yield f"{what} {' '.join(each)} is only in the {'file' if each in kept else 'recipe'}"


def _kinds(topology: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(code, zone["kind"]) for code, zone in topology["zones"].items()}


def _names(topology: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    spots = topology["spots"]
    return {(naming, code, " ".join(spot["lines"])) for naming in spots for code, spot in spots[naming].items()}


def _borders(topology: Mapping[str, Any]) -> Mapping[tuple[str, str], BaseGeometry]:
    found: dict[tuple[str, str], list[Sequence[int]]] = defaultdict(list)
    for a, b, steps in topology["arcs"]:
        found[a, b].append(steps)
    return {pair: _lines(parts) for pair, parts in found.items()}


def _lines(parts: Sequence[Sequence[int]]) -> BaseGeometry:
    """Lines that a file keeps as ways from point to point."""
    points = [list(zip(accumulate(steps[::2]), accumulate(steps[1::2]), strict=True)) for steps in parts]
    return shapely.MultiLineString([line for line in points if len(line) > 1])


def _apart(kept: BaseGeometry, made: BaseGeometry, scale: float) -> float:
    """How far the point of one that is farthest from the other lies away, in page units."""
    if kept.is_empty or made.is_empty:
        return 0.0 if kept.is_empty and made.is_empty else float("inf")
    return float(kept.hausdorff_distance(made)) / scale

"""A board's picture as facts: where its spaces lie, their common borders, and where names, units and centres go.

The file `topology.json` in a board's `picture` folder is made by `judge.draw.making`, or by anybody else: `lint` says
whether it fits the board's rules. Lines are kept as whole numbers, each point as its way from the point before it.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from judge.board.model import Location, province_of

Point = tuple[float, float]
EDGE = "|"
"""The other side of a border at the edge of the page."""
WET = frozenset({"sea", "water"})
"""Kinds of space that are water; "water" belongs to nobody, as does "land"."""


@dataclass(frozen=True, slots=True)
class Arc:
    """The common border of two spaces, or a piece of it; `b` may be EDGE."""

    a: str
    b: str
    points: tuple[Point, ...]

    @property
    def closed(self) -> bool:
        """Whether it is a ring: an island's whole coast."""
        return len(self.points) > 3 and self.points[0] == self.points[-1]


@dataclass(frozen=True, slots=True)
class Zone:
    """A space. `kind`: "sea", "coast", "inland"; "land" and "water" for what nobody can enter. `rings`: its
    outlines and holes, each a round of arcs by number (~n: arc n backwards).
    """

    kind: str
    rings: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Anchors:
    """Where the things of a space are drawn, each by its middle: its label's lines, a unit, a unit that was driven out,
    the centre's dot.
    """

    lines: tuple[str, ...]
    label: Point
    unit: Point | None = None
    away: Point | None = None
    dot: Point | None = None


@dataclass(frozen=True, eq=False)
class Topology:
    """One board's picture. Compared by identity: one file is read once.

    `spots`: naming ("codes", "names") -> space -> spot; `coasts`: naming -> split coast -> unit and unit driven out;
    `links`: lines between neighbours whose shapes do not touch; `schematic`: spaces are tiles and borders lines.
    """

    board: str
    width: float
    height: float
    arcs: tuple[Arc, ...]
    zones: Mapping[str, Zone]
    spots: Mapping[str, Mapping[str, Anchors]]
    coasts: Mapping[str, Mapping[Location, tuple[Point, Point]]]
    links: tuple[tuple[str, str, Point, Point], ...] = ()
    lakes: tuple[tuple[Point, ...], ...] = ()
    rivers: tuple[tuple[Point, ...], ...] = ()
    schematic: bool = False
    seam: bool = False
    """Whether the west and the east edge are one line."""
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What the drawing keeps of it from picture to picture."""

    def wet(self, space: str) -> bool:
        """Whether a space is water."""
        return space in self.zones and self.zones[space].kind in WET

    def nobodys(self, space: str) -> bool:
        """Whether nobody can enter a space."""
        return self.zones[space].kind in ("land", "water")

    def unit_at(self, naming: str, at: Location, *, driven_out: bool = False) -> Point:
        """Where a unit is drawn."""
        if (coast := self.coasts[naming].get(at)) is not None:
            return coast[driven_out]
        spot = self.spots[naming][province_of(at)]
        return (spot.away if driven_out else spot.unit) or spot.label

    @cached_property
    def outlines(self) -> Mapping[str, tuple[tuple[Point, ...], ...]]:
        """Space -> its rings as points, first and last equal; corners are not rounded."""
        return {code: tuple(self._ring(ring) for ring in zone.rings) for code, zone in self.zones.items()}

    @cached_property
    def borders(self) -> Mapping[frozenset[str], tuple[Point, ...]]:
        """Two neighbours -> the middle of each piece of their common border; none on tiles and lines."""
        found: dict[frozenset[str], tuple[Point, ...]] = {}
        for arc in self.arcs:
            if arc.b != EDGE and not self.schematic:
                pair = frozenset((arc.a, arc.b))
                found[pair] = (*found.get(pair, ()), arc.points[len(arc.points) // 2])
        return found

    def _ring(self, ring: tuple[int, ...]) -> tuple[Point, ...]:
        points: list[Point] = []
        for number in ring:
            arc = self.arcs[number].points if number >= 0 else self.arcs[~number].points[::-1]
            points += arc[1 if points else 0 :]
        return tuple(points)


def contains(rings: tuple[tuple[Point, ...], ...], at: Point) -> bool:
    """Whether a point lies inside an area given by its rings, holes included."""
    x, y = at
    inside = False
    for ring in rings:
        for (ax, ay), (bx, by) in itertools.pairwise(ring):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
    return inside


# -- the file ------------------------------------------------------------------------------------------------------


def read_topology(path: Path) -> Topology:
    """The picture in a file; raises FileNotFoundError, or ValueError for a file that is none."""
    try:
        topology = topology_from_json(json.loads(path.read_text(encoding="utf-8")))
        assert topology.outlines is not None  # worked out here, so that a round that cannot be gone is told now
        return topology
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is no picture of a board: {type(error).__name__} {error}") from error


def topology_from_json(data: Mapping[str, Any]) -> Topology:
    """The inverse of what `judge.draw.making.encode` writes."""
    scale = data["scale"]
    return Topology(
        board=data["board"],
        width=data["width"],
        height=data["height"],
        arcs=tuple(Arc(a, b, _line(steps, scale)) for a, b, steps in data["arcs"]),
        zones=MappingProxyType({
            code: Zone(zone["kind"], tuple(tuple(ring) for ring in zone["rings"]))
            for code, zone in data["zones"].items()
        }),
        spots=MappingProxyType({
            naming: MappingProxyType({code: _spot(spot) for code, spot in spots.items()})
            for naming, spots in data["spots"].items()
        }),
        coasts=MappingProxyType({
            naming: MappingProxyType({at: ((x, y), (u, v)) for at, (x, y, u, v) in coasts.items()})
            for naming, coasts in data["coasts"].items()
        }),
        links=tuple((a, b, (x, y), (u, v)) for a, b, x, y, u, v in data["links"]),
        lakes=tuple(_line(steps, scale) for steps in data["lakes"]),
        rivers=tuple(_line(steps, scale) for steps in data["rivers"]),
        seam=data.get("seam", False),
    )  # fmt: skip


def _line(steps: list[int], scale: float) -> tuple[Point, ...]:
    points = []
    x = y = 0
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        x, y = x + dx, y + dy
        points.append((x / scale, y / scale))
    return tuple(points)


def _spot(data: Mapping[str, Any]) -> Anchors:
    places = {key: (data[key][0], data[key][1]) for key in ("unit", "away", "dot") if key in data}
    return Anchors(tuple(data["lines"]), (data["label"][0], data["label"][1]), **places)

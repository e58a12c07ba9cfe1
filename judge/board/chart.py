"""The board compiled: spaces as small integers, sets of spaces as bit masks, reach as look-ups.

Compiling happens once for a board and a season (borders may be closed in some). The rules of the other modules work
on these tables, so that speed is a property of the board and the rules stay readable.

The units of a position put on the chart: numbers instead of names, ready for the moves.

A position of a movement phase carries its layout from the moment it is made, so that whoever tries orders on it, once
or a thousand times, never has to look a unit up. Nothing in a layout ever changes.

Convoy routes: chains of fleets over adjacent seas (XII.1, XII.2), as searches over bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final

from judge.board.model import Board, Location, Terrain, province_of
from judge.board.unit import ABOARD, Unit

Mask = int
"""A set of spaces: bit n stands for space n."""


class Spot:
    """What a unit of some kind can do from where it stands."""

    __slots__ = ("afloat", "exits", "near", "space", "ways")

    def __init__(self, space: int, ways: dict[Location, tuple[int, Location]], afloat: Mask) -> None:
        self.space = space
        self.afloat = afloat
        """The sea that a unit here could carry armies over; empty for armies and in port."""
        self.ways = ways
        """Target as an order may write it -> its space, and the location where the unit lands. A two-coast province
        without a coast is here only if one of its coasts can be reached (VII.3b)."""
        self.exits = tuple(sorted({(landing, target) for target, landing in ways.values()}))
        """Every way once: location and space, in alphabetical order."""
        self.near = frozenset(space for space, _ in ways.values())
        """Spaces it could enter if unopposed, hence support into (IX.1)."""


class Chart:
    """One board in one season."""

    __slots__ = (
        "board", "carried", "carriers", "cliques", "coasts", "codes", "count", "names", "seas", "season",
        "shores", "space", "spots", "touching",
    )  # fmt: skip

    def __init__(self, board: Board, season: str) -> None:
        self.board = board
        self.carried, self.carriers = board.carried, board.carriers
        self.codes = tuple(board.provinces)
        self.count = len(self.codes)
        numbers = {code: number for number, code in enumerate(self.codes)}
        self.space = {location: numbers[province_of(location)] for location in board.locations()}
        """Any location -> the number of its space."""
        self.seas: Mask = self._all(Terrain.SEA)
        self.coasts: Mask = self._all(Terrain.COAST)
        self.season = season
        self.spots = {kind: self._spots(kind) for kind in board.kinds}
        """Kind of unit -> location -> spot."""
        self.touching = [0] * self.count
        """Sea -> the seas next to it."""
        self.shores = [0] * self.count
        """Coastal space -> the seas along its coasts."""
        for border in board.borders:
            if border.kinds & board.carriers:
                self._join(self.space[border.a], self.space[border.b])
                self._join(self.space[border.b], self.space[border.a])
        self.cliques = tuple(_cliques(self.touching, self.seas))
        """The largest sets of seas that all touch each other."""

    def _all(self, terrain: Terrain) -> Mask:
        provinces = self.board.provinces.values()
        return sum(1 << number for number, each in enumerate(provinces) if each.terrain is terrain)

    def _join(self, here: int, there: int) -> None:
        if not self.seas >> there & 1:
            return
        table = self.touching if self.seas >> here & 1 else self.shores
        table[here] |= 1 << there

    def _spots(self, kind: str) -> dict[Location, Spot]:
        spots: dict[Location, Spot] = {}
        for location in self.board.locations():
            if self.board.can_stand(kind, location):
                targets = self.board.reach(kind, location, self.season)
                afloat = self.seas & 1 << self.space[location] if kind in self.carriers else 0
                spots[location] = Spot(self.space[location], self._ways(kind, targets), afloat)
        return spots

    def _ways(self, kind: str, targets: Sequence[Location]) -> dict[Location, tuple[int, Location]]:
        ways = {target: (self.space[target], target) for target in targets}
        for target in targets:
            province = province_of(target)
            if not self.board.kinds[kind].coasts:
                for coast in self.board.provinces[province].locations():
                    ways[coast] = ways[target]  # a unit that knows no coasts takes any for the province
            elif province != target and _lone_coast(province, targets):
                ways[province] = ways[target]
        return ways

    def provinces(self, mask: Mask) -> Iterator[str]:
        """The codes of a set of spaces."""
        return (self.codes[space] for space in spaces(mask))


def spaces(mask: Mask) -> Iterator[int]:
    """The numbers of a set of spaces, lowest first.

    >>> list(spaces(0b1010))
    [1, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def each(mask: Mask) -> list[Mask]:
    """The spaces of a set as sets of one.

    >>> each(0b1010)
    [2, 8]
    """
    found = []
    while mask:
        lowest = mask & -mask
        mask ^= lowest
        found.append(lowest)
    return found


def _cliques(touching: list[Mask], open_: Mask, clique: Mask = 0, done: Mask = 0) -> Iterator[Mask]:
    """Every largest clique once (Bron and Kerbosch): those of `open_` added to `clique`, and none of `done`."""
    if not open_ and not done:
        yield clique
    for sea in each(open_):
        near = touching[sea.bit_length() - 1]
        yield from _cliques(touching, open_ & near, clique | sea, done & near)
        open_ ^= sea
        done |= sea


def _lone_coast(province: str, targets: Sequence[Location]) -> bool:
    return sum(province_of(target) == province for target in targets) == 1


@lru_cache(maxsize=64)
def compile_board(board: Board, season: str) -> Chart:
    """The chart of a board in a season ("S", "F"), compiled at the first call."""
    if season and not board.has_closures:
        return compile_board(board, "")  # borders that never close look the same all year
    return Chart(board, season)


NO_UNIT: Final = -1
"""The number of the unit in an empty space."""


class Layout:
    """Where the units of a position stand. A unit's number is its place in `Position.units`."""

    __slots__ = (
        "alone", "at", "built", "chart", "claims", "fleets", "identity", "kind", "marks", "near", "number", "numbers",
        "occupant", "power", "riders", "spots", "ways",
    )  # fmt: skip

    def __init__(self, chart: Chart, units: tuple[Unit, ...]) -> None:
        """Raises KeyError for a unit that stands nowhere on the board."""
        self.chart = chart
        columns: Iterable[tuple[Any, ...]] = zip(*units, strict=True) if units else ((),) * 6
        self.identity, self.kind, places, self.power, self.built, self.marks = columns
        """The units' fields, one tuple for each."""
        known = chart.spots
        self.riders = _riders(self.marks) if any(self.marks) else _NOBODY
        """The units that are carried: they hold no place and go nowhere by themselves."""
        self.spots: tuple[Spot, ...] = tuple(
            [known[kind][at] for kind, at in zip(self.kind, places, strict=True)]
            if not self.riders
            else [
                Spot(chart.space[at], {}, 0) if number in self.riders else known[kind][at]
                for number, (kind, at) in enumerate(zip(self.kind, places, strict=True))
            ]
        )
        self.ways = tuple([spot.ways for spot in self.spots])
        """Unit -> where it could go; the spot's own, at hand."""
        self.near = tuple([spot.near for spot in self.spots])
        """Unit -> the spaces it could support into; the spot's own."""
        self.at: tuple[int, ...] = tuple([spot.space for spot in self.spots])
        """Unit -> its space."""
        numbers = [len(units)] * (1 + max(self.identity, default=0))
        for place, identity in enumerate(self.identity):
            numbers[identity] = place
        self.number = tuple(numbers)
        """Unit's id -> its number. Ids are small; one that nobody has leads to a number that nobody has, or to none."""
        occupant = [NO_UNIT] * chart.count
        fleets: Mask = 0
        claims: list[tuple[int, ...] | None] = [None] * chart.count
        for number, spot in enumerate(self.spots):
            if self.riders and number in self.riders:
                continue
            occupant[spot.space] = number
            claims[spot.space] = ()
            if spot.afloat:
                fleets |= spot.afloat
        self.occupant = tuple(occupant)
        """Space -> who holds it; of several the last, and nobody who is carried."""
        self.claims = tuple(claims)
        """Space -> who wants it, before anybody does: nobody (), and None where nobody stands either."""
        self.fleets = fleets
        """The seas with a fleet."""
        self.numbers = range(len(units))
        """Of all units."""
        self.alone = _each_alone(len(units))
        """Unit -> the group that it is by itself."""


_NOBODY: Final[frozenset[int]] = frozenset()


def _riders(marks: tuple[Any, ...]) -> frozenset[int]:
    return frozenset([number for number, each in enumerate(marks) if each and ABOARD in dict(each)])


@cache
def _each_alone(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple([(number,) for number in range(count)])


def lay_out(board: Board, season: str, units: tuple[Unit, ...]) -> Layout | None:
    """The layout of units in a season; None if one of them stands nowhere on the board, and nothing can be moved."""
    try:
        return Layout(compile_board(board, season), units)
    except KeyError:
        return None


def has_route(chart: Chart, start: int, target: int, fleets: Mask) -> bool:
    """Whether these fleets (a set of seas) form a chain from one coastal space to another."""
    ends = fleets & chart.shores[target]
    reached = fleets & chart.shores[start]
    if reached & ends:
        return True
    if not reached or not ends:
        return False
    return bool(spread(chart, reached, fleets) & ends)


def spread(chart: Chart, reached: Mask, fleets: Mask) -> Mask:
    """All the fleets that hang together with those reached so far."""
    touching = chart.touching
    fresh = reached
    while fresh:
        lowest = fresh & -fresh
        found = touching[lowest.bit_length() - 1] & fleets & ~reached
        reached |= found
        fresh = fresh ^ lowest | found
    return reached

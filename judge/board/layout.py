"""The units of a position put on the chart: numbers instead of names, ready for the moves.

A position of a movement phase carries its layout from the moment it is made, so that whoever tries orders on it, once
or a thousand times, never has to look a unit up. Nothing in a layout ever changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from judge.board.chart import Chart, Mask, Spot, compile_board
from judge.board.model import Board
from judge.board.unit import ABOARD, Unit

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

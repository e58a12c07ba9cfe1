"""The orders that 1914 has beside those of 1976: two parts of a fleet's season, the railway, a stay without capture,
and bombers. How they are written is in `kinds.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.board.model import Location
from judge.orders.model import Retreat, UnitOrder


@dataclass(frozen=True, slots=True)
class Segments(UnitOrder):
    """What a fleet does in the first and in the second part of a season (clause 11), each as a canonical line without
    the fleet: "- ENG", "S F EDI - NTH", "C A LON - BEL", "H".

    The second part names units by where they are when it begins, which nobody knows when it is written.
    """

    first: str
    then: str

    def __str__(self) -> str:
        return f"{self.unit} {self.first}, (2) {self.then}"


@dataclass(frozen=True, slots=True)
class Later(UnitOrder):
    """The second part of a fleet's order, as it is told what became of it. `unit` as it stood when it began."""

    then: str

    def __str__(self) -> str:
        return f"{self.unit} (2) {self.then}"


@dataclass(frozen=True, slots=True)
class Train(UnitOrder):
    """An army travels along a railway, through each of these provinces to the last (clause 10)."""

    route: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.unit} RR {' - '.join(self.route)}"


@dataclass(frozen=True, slots=True)
class Visit(UnitOrder):
    """Go into another country's centre without capturing it (clause 14)."""

    to: Location

    def __str__(self) -> str:
        return f"{self.unit} - {self.to} WITHOUT CAPTURE"


@dataclass(frozen=True, slots=True)
class GuestRetreat(Retreat):
    """Retreat into another country's centre, which permits it, without capturing it (clauses 13 and 14)."""

    def __str__(self) -> str:
        return f"{self.unit} R {self.to} WITHOUT CAPTURE"


@dataclass(frozen=True, slots=True)
class Rebase(UnitOrder):
    """A bomber flies to another base (clause 15)."""

    to: str

    def __str__(self) -> str:
        return f"{self.unit} BASE {self.to}"


@dataclass(frozen=True, slots=True)
class Cover(UnitOrder):
    """A bomber defends a centre against bombing (clause 15)."""

    to: str

    def __str__(self) -> str:
        return f"{self.unit} DEFENDS {self.to}"


@dataclass(frozen=True, slots=True)
class Raid(UnitOrder):
    """A bomber bombs a centre. `lost`: rather than that two points are paid where it is beaten off (clause 7)."""

    to: str
    lost: bool = False

    def __str__(self) -> str:
        return f"{self.unit} BOMBS {self.to}{' OR IS LOST' if self.lost else ''}"

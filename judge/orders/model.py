"""Orders as values. An order is bound to a unit of the position; `str(order)` is its canonical form,
and `judge.orders.reader` reads that form back to the same value.

Canonical forms carry no nationality: "A PAR - BUR", "A LON - BEL VIA", "A MAR S A PAR - BUR",
"A MAR S A PAR", "F ENG C A LON - BEL", "A PAR H", "A PAR R GAS", "A PAR D", "F BRE B", "WAIVE"; where there are
railways, "A MOS RR OMS".
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.board.model import Location
from judge.board.unit import Unit


@dataclass(frozen=True, slots=True)
class UnitOrder:
    """An order for a unit of the position: what every kind of order but builds and waived builds is below."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Hold(UnitOrder):
    """Stand (VII.1, IX.6)."""

    def __str__(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True, slots=True)
class Move(UnitOrder):
    """Go to `to`; for fleets the coast is part of it. `via`: the player wrote that it goes by convoy.

    `route` holds the sea provinces the player listed ("A LON-NTH-BEL"), in order; usually empty.
    """

    to: Location
    via: bool = False
    route: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}{' VIA' if self.via else ''}"


@dataclass(frozen=True, slots=True)
class Rail(Move):
    """Travel to `to` along a railway of the board, as far as that is open."""

    def __str__(self) -> str:
        return f"{self.unit} RR {self.to}"


@dataclass(frozen=True, slots=True)
class Support(UnitOrder):
    """Help `of` to enter `to`, or to stay where it is when `to` is None (IX.1, IX.6)."""

    of: Unit
    to: Location | None = None

    def __str__(self) -> str:
        return f"{self.unit} S {self.of}" + (f" - {self.to}" if self.to else "")


@dataclass(frozen=True, slots=True)
class Convoy(UnitOrder):
    """Carry army `of` to province `to` (XII.1)."""

    of: Unit
    to: Location

    def __str__(self) -> str:
        return f"{self.unit} C {self.of} - {self.to}"


@dataclass(frozen=True, slots=True)
class Retreat(UnitOrder):
    """A dislodged unit withdraws to `to` (XI)."""

    to: Location

    def __str__(self) -> str:
        return f"{self.unit} R {self.to}"


@dataclass(frozen=True, slots=True)
class Disband(UnitOrder):
    """A dislodged unit is given up (XI.2), or a unit is removed in the adjustments (XIII.2)."""

    def __str__(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True, slots=True)
class Build:
    """A new unit of `kind` at `at` (XIII.2)."""

    power: str
    kind: str
    at: Location

    def __str__(self) -> str:
        return f"{self.kind} {self.at} B"


@dataclass(frozen=True, slots=True)
class Waive:
    """One build left unused."""

    power: str

    def __str__(self) -> str:
        return "WAIVE"


@dataclass(frozen=True, slots=True)
class Misorder(UnitOrder):
    """What somebody wrote for a unit and that makes no sense as an order for it: the unit stands and may be
    supported in place. `text` is what was written, `reason` a stable slug such as "no-such-unit".
    """

    text: str
    reason: str

    def __str__(self) -> str:
        return f"{self.unit} H"


RetreatOrder = Retreat | Disband | Misorder
Order = UnitOrder | Build | Waive
"""Any order. Which kinds there are a rule system says (`judge.orders.kinds`)."""


def power_of(order: Order) -> str:
    """Whose order it is."""
    return order.power if isinstance(order, (Build, Waive)) else order.unit.power

"""A unit, and one that was driven out: values with an identity of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from judge.board.model import Location, province_of

Marks = tuple[tuple[str, str], ...]
"""What a rule system must remember: names and values, in alphabetical order of the names."""

NO_MARKS: Marks = ()

ORDINAL = "beside"
"""The mark of a unit that stands beside others like it: "2" for the second of two armies in Paris."""

NUMBER = "number"
"""The mark of a unit whose marker bears a number, where its rule system gives numbers."""

ABOARD = "aboard"
"""The mark of a unit that is carried: the identity of its carrier, as a text. It stands where that stands, and does not
hold the place."""


class Unit(NamedTuple):
    """One piece. `kind` is a letter of the board's kinds; `id` is unique within a game."""

    id: int
    kind: str
    at: Location
    power: str
    built: str = ""
    """The location where it was built or started; Global Diplomacy II needs its continent."""
    marks: Marks = NO_MARKS
    """What its rule system remembers of it; that system sets and clears them when it settles a phase."""

    def __str__(self) -> str:
        """As orders name it: "F STP/SC"; "A PAR#2" for the second of two that nothing else tells apart."""
        return f"{self.kind} {self.at}{self.number}" if self.marks else f"{self.kind} {self.at}"

    @property
    def number(self) -> str:
        """ "#2" for the second of several like it in one space, "" for one that stands alone."""
        found = self.mark(ORDINAL)
        return f"#{found}" if found else ""

    @property
    def aboard(self) -> int:
        """The identity of the unit that carries it; 0: none does."""
        return int(self.mark(ABOARD) or 0)

    def mark(self, name: str) -> str:
        """What is remembered under a name, or ""."""
        return dict(self.marks).get(name, "") if self.marks else ""

    def marked(self, name: str, value: str) -> Unit:
        """The unit with something remembered under a name; "": nothing any more."""
        marks = {**dict(self.marks), name: value}
        return self._replace(marks=tuple(sorted((name, value) for name, value in marks.items() if value)))


ANY = "any"
"""The mark of a unit as it is named in an order that leaves open which of several alike in one place it means."""


def any_like(unit: Unit) -> Unit:
    """A unit as an order names it that means any of those like it in its place."""
    return unit.marked(ORDINAL, "").marked(ANY, "yes")


class Dislodged(NamedTuple):
    """A unit that must retreat or disband before the next move. It is not among `Position.units`."""

    unit: Unit
    options: tuple[Location, ...]
    """Where it may go; empty: nowhere."""
    by: Unit | None = None
    """The attacker as it stood before the move; None when only the options are known."""


def names_of(units: Iterable[Unit]) -> list[str]:
    """Units as orders name them."""
    return [str(unit) for unit in units]


def by_province(units: Iterable[Unit]) -> dict[str, tuple[Unit, ...]]:
    """Province -> the units that stand there."""
    found: dict[str, tuple[Unit, ...]] = {}
    for unit in units:
        province = province_of(unit.at)
        found[province] = (*found.get(province, ()), unit)
    return found


def by_name(units: Iterable[Unit]) -> dict[str, Unit]:
    """ "A PAR" -> the unit, where exactly one answers to it."""
    named = [(str(unit), unit) for unit in units]
    found = dict(named)
    if len(found) == len(named):
        return found
    often = Counter([name for name, _ in named])
    return {name: unit for name, unit in found.items() if often[name] == 1}

"""What a rule system shows on a board beside units and owners: values that say what is to be seen, and nothing of why.

A system makes an `Extras` of a position (the question `extras` of `judge.rules`); the drawing knows no system. Numbered
units and riders are badges of units, owners of a canal and points of a space are badges of spaces, railways are lines,
continents are regions, a new kind of unit brings its outline, points and money stand beside a power's centres, and what
is counted for each power and country is a table below the map.

What an order looks like that is none of 1976 is said in the same way: by `Stroke`s (`judge.orders.kinds`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from judge.board.model import Location


@dataclass(frozen=True, slots=True)
class Badge:
    """A small plate of one to four letters. `power`: in whose colour; "" for none."""

    text: str
    power: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two places. `look`: "rail" (sleepers), "double", "dotted", or "broken" (with a cross at its end).
    `power`: in whose colour; "" for none.
    """

    a: Location
    b: Location
    look: str = "dotted"
    power: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """How an order is drawn, from its unit along `places`. `look`: "rail" (sleepers), "later" (an arrow with a 2),
    "later support" (dots), or through the air: "base" (an arrow), "raid" (a bomb at its end), "cover" (a shield).
    """

    look: str
    places: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Area:
    """Spaces with a broken line around them. `power`: in whose colour."""

    power: str
    spaces: frozenset[str]


@dataclass(frozen=True, slots=True)
class MapTableRow:
    """A row of such a table. `power`: whose it is, whose entry in the legend it is too; `cells`: for each column a text
    or the badge of a power.
    """

    power: str
    cells: tuple[str | Badge, ...]


@dataclass(frozen=True, slots=True)
class MapTable:
    """Rows of powers, which stand below the map in as many columns as find room."""

    title: str
    heads: tuple[str | Badge, ...]
    rows: tuple[MapTableRow, ...]


@dataclass(frozen=True, slots=True)
class Extras:
    """All additions to one picture. Empty by default."""

    units: Mapping[int, tuple[Badge, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Unit's id -> its badges, at most four: one for each corner."""
    spaces: Mapping[str, tuple[Badge, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Province -> its badges."""
    lines: tuple[Line, ...] = ()
    standing: tuple[Line, ...] = ()
    """Lines of the picture that says where everything stands; under orders they would be too many."""
    areas: tuple[Area, ...] = ()
    """Of that picture too."""
    regions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Province -> the region it belongs to: a broad border parts two regions, their centres have different outlines."""
    powers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Power -> what its entry in the legend says after the number of its centres."""
    owners: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Province -> the power in whose colour it is washed, where that is not what the position's owners say."""
    outlines: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Letter of a kind of unit -> SVG path data of its token about 0 0, within 27 by 21."""
    paints: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Power -> the power whose colours it has; "" for those of nobody. Who is not here has colours of its own."""
    table: MapTable | None = None
    keys: tuple[tuple[str | Badge, str], ...] = ()
    """What stands in the legend of signs: the look of a line, "area", or a badge; and what it means."""
    perched: frozenset[str] = frozenset()
    """Letters of kinds of unit that are drawn small at the corner of one of another kind that stands with them."""
    notes: tuple[str, ...] = ()
    """Lines under the legend."""


NO_EXTRAS = Extras()

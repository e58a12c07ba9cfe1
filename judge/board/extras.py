"""What a rule system shows on a board beside units and owners: values that say what is to be seen, and nothing of why.

A system makes an `Extras` of a position (the question `extras` of `judge.rules`); the drawing knows no system. Numbered
units and riders are
badges of units, owners of a canal and points of a space are badges of spaces, railways are lines, continents are
regions, a new kind of unit brings its outline, points and money stand beside a power's centres.
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
    """A line between two places. `look`: "rail" (sleepers), "double" or "dotted"."""

    a: Location
    b: Location
    look: str = "dotted"


@dataclass(frozen=True, slots=True)
class Extras:
    """All additions to one picture. Empty by default."""

    units: Mapping[int, tuple[Badge, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Unit's id -> its badges, at most four: one for each corner."""
    spaces: Mapping[str, tuple[Badge, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Province -> its badges."""
    lines: tuple[Line, ...] = ()
    regions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Province -> the region it belongs to: a broad border parts two regions, their centres have different outlines."""
    powers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Power -> what its entry in the legend says after the number of its centres."""
    owners: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Province -> the power in whose colour it is washed, where that is not what the position's owners say."""
    outlines: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Letter of a kind of unit -> SVG path data of its token about 0 0, within 27 by 21."""
    notes: tuple[str, ...] = ()
    """Lines under the legend."""


NO_EXTRAS = Extras()

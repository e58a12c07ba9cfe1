"""Phases: "S1901M" is the Spring 1901 movement phase. Which phases a year has is the calendar's business."""

from __future__ import annotations

import re
from typing import NamedTuple

SEASON_NAMES = {"S": "Spring", "U": "Summer", "F": "Fall", "W": "Winter"}
KIND_NAMES = {"M": "moves", "R": "retreats", "A": "adjustments"}

_CODE = re.compile(r"([SUFW])(\d{4})([MRA])")


class Phase(NamedTuple):
    """A year, a season ("S", "F", "W") and a kind: "M" movement, "R" retreats, "A" adjustments."""

    year: int
    season: str
    kind: str

    @classmethod
    def read(cls, code: str) -> Phase:
        """The phase of a code such as "S1901M"; raises ValueError otherwise.

        >>> Phase.read("F1902R")
        Phase(year=1902, season='F', kind='R')
        """
        match = _CODE.fullmatch(code.strip().upper())
        if match is None:
            raise ValueError(f"{code!r} is no phase; write one like S1901M, F1901R or W1901A")
        return cls(int(match[2]), match[1], match[3])

    def __str__(self) -> str:
        """The code: "S1901M"."""
        return f"{self.season}{self.year}{self.kind}"

    @property
    def title(self) -> str:
        """For people: "Spring 1901 moves"."""
        return f"{SEASON_NAMES[self.season]} {self.year} {KIND_NAMES[self.kind]}"

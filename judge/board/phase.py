"""Phases: "S1901M" is the Spring 1901 movement phase. Which phases a year has, in which order and under which names,
is the calendar's business (`judge.rules.calendar`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple


class PhaseKind(StrEnum):
    """What is ordered in a phase, which is how it is judged. Closed: rule systems only place them in their year."""

    MOVES = "M"
    RETREATS = "R"
    ADJUSTMENTS = "A"
    TALKS = "N"
    """Nothing for units: players talk, or do what their rule system has for them (negotiation, influence)."""


MOVES, RETREATS, ADJUSTMENTS, TALKS = PhaseKind
"""By names of their own: to look a member of an enumeration up takes longer than to read a short order line's verb."""


@dataclass(frozen=True, slots=True)
class Manner:
    """A kind of phase for people: its name in titles, the words that they write, the setting that says its pace."""

    name: str
    words: tuple[str, ...]
    pace: str


MANNERS: Mapping[PhaseKind, Manner] = MappingProxyType(
    {
        PhaseKind.MOVES: Manner("moves", ("m", "mov", "move", "moves", "movement", "movements"), "moves"),
        PhaseKind.RETREATS: Manner("retreats", ("r", "ret", "retreat", "retreats"), "retreats"),
        PhaseKind.ADJUSTMENTS: Manner(
            "adjustments",
            ("a", "b", "adj", "adjust", "adjustment", "adjustments", "build", "builds", "removal", "removals"),
            "adjustments",
        ),
        PhaseKind.TALKS: Manner("negotiations", ("n", "talk", "talks", "negotiation", "negotiations"), "moves"),
    }
)


@dataclass(frozen=True, slots=True)
class Season:
    """A season, or a month: `code` in the codes of phases, `name` in titles; `words`: how people write it, lower case,
    whole names last.
    """

    code: str
    name: str
    words: tuple[str, ...]


SPRING = Season("S", "Spring", ("s", "sp", "spr", "spring"))
SUMMER = Season("U", "Summer", ("u", "su", "sum", "summer"))
FALL = Season("F", "Fall", ("f", "fa", "fal", "fall", "au", "aut", "autumn"))
WINTER = Season("W", "Winter", ("w", "wi", "win", "winter"))
SEASONS = (SPRING, SUMMER, FALL, WINTER)
"""The seasons that every board knows by name; a calendar may have others."""

_CODE = re.compile(r"([A-Z]{1,2})(\d{4})([MRAN])([2-9]?)")


class Phase(NamedTuple):
    """A year, a season's code and what is ordered. `part`: 2 for the second such phase of a season, and so on."""

    year: int
    season: str
    kind: PhaseKind
    part: int = 1

    @staticmethod
    def read(code: str) -> Phase:
        """The phase of a code such as "S1901M"; raises ValueError otherwise. Calendars know whether there is one.

        >>> str(Phase.read("F1902R")), Phase.read("s1914m2").part
        ('F1902R', 2)
        """
        return _phase_of(code)

    def __str__(self) -> str:
        """The code: "S1901M"."""
        return f"{self.season}{self.year:04}{self.kind}{self.part if self.part > 1 else ''}"


@lru_cache(maxsize=1024)
def _phase_of(code: str) -> Phase:
    match = _CODE.fullmatch(code.strip().upper())
    if match is None:
        raise ValueError(f"{code!r} is no phase; write one like S1901M, F1901R or W1901A")
    return Phase(int(match[2]), match[1], PhaseKind(match[3]), int(match[4] or 1))

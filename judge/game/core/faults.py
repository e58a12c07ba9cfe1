"""A line that was asked back, as a value and as an event stores it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from judge.board.phase import Phase, PhaseKind

NOT_OUR_WORDS, TAKES_BACK, ASTRAY = "not-our-words", "takes-back", "astray"
"""Reasons of lines that may be chatter, or for another turn: they hold up early processing, but make nobody late."""

PERHAPS = "perhaps-"
"""How the reasons begin for which a sentence is asked back that may be meant for us, or be an answering machine's: "I
am out of the office until Monday".
"""


def is_wish(reason: str) -> bool:
    """Whether a line was asked back that wishes something, other than orders: it makes no set of orders wrong."""
    return reason.startswith(PERHAPS) and reason != "perhaps-orders"


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that was asked back and is not put right yet.

    What it is for: `unit` (an id), or the `site` of a build, or neither where it names none; `foreign`: it names a unit
    of somebody else; `ahead`: it was written before the position was known, and fits none of its units. `reason` is a
    slug, `sentence` what its author was told, `proposals` what to send instead; `line` is its number in the mail
    `mail`, which came at `at`.
    """

    phase: str
    text: str
    reason: str
    sentence: str
    line: int = 0
    unit: int | None = None
    site: str = ""
    foreign: bool = False
    ahead: bool = False
    proposals: tuple[str, ...] = ()
    clause: str = ""
    at: datetime | None = None
    mail: str = ""

    @property
    def adjusts(self) -> bool:
        """Whether it is for builds and removals."""
        return Phase.read(self.phase).kind is PhaseKind.ADJUSTMENTS

    @property
    def names_something(self) -> bool:
        """Whether it is known which unit or build it is for."""
        return self.unit is not None or bool(self.site)


def faults_to_json(faults: Iterable[Fault]) -> list[dict[str, Any]]:
    """As an event stores them."""
    return [
        {**asdict(fault), "proposals": list(fault.proposals), "at": fault.at.isoformat() if fault.at else None}
        for fault in faults
    ]


def faults_from_json(stored: Iterable[dict[str, Any]]) -> tuple[Fault, ...]:
    """The inverse of `faults_to_json`."""
    return tuple(
        Fault(**{**one, "proposals": tuple(one["proposals"]), "at": datetime.fromisoformat(one["at"])})
        for one in stored
    )

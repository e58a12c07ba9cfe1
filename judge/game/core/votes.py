"""What happened to a vote: it was called, somebody voted, it was closed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.game.core.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCalled(Event, told="number,kind,text,powers"):
    """`kind`: "draw" ...; `powers`: who would share; the proposer (`by`) is public at once."""

    number: int
    kind: str
    powers: tuple[str, ...] = ()
    text: str = ""
    """What is voted on, where powers do not say it: the length of an extension ("3d")."""
    choices: tuple[str, ...] = ()
    """Of a poll that is answered with one of them, and not with aye or nay."""
    until: datetime | None = None
    """The deadline that its call named for its close; None: the next results of moves, whenever they come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCast(Event, told="number"):
    number: int
    seat: str
    aye: bool
    choice: str = ""
    """Of the choices of a poll."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteClosed(Event, told="number,passed,ballots"):
    """Never silently: every vote ends with one of these. `ballots`: seat -> "aye", "nay", "silent", or the choice."""

    number: int
    passed: bool
    ballots: dict[str, str]
    why: str = ""

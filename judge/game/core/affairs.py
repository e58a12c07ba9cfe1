"""What a game keeps beside the board: press on its way, pages under seal, amendments, the deputy, practice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from judge.board.position import Position


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Press that its author may still recall: which event sent it, from which seat, and when."""

    event: int
    by: str
    at: datetime
    postal: bool = False
    veiled: bool = False
    """Whether it waits a while for its author's sake, being unsigned."""


@dataclass(frozen=True, slots=True)
class DiaryPage:
    """A page of a diary, or a statement: whose, written in which phase, and the words."""

    seat: str
    phase: str
    text: str


@dataclass(frozen=True, slots=True)
class Epilogue:
    """After the end: since when and until when statements are asked for, and whether they were handed round."""

    called_at: datetime
    until: datetime
    reminded: bool = False
    published: bool = False


@dataclass(frozen=True, slots=True)
class Amendment:
    """A rule in words, and the version of the house rules that it came with."""

    version: int
    text: str


@dataclass(frozen=True, slots=True)
class Appeal:
    """A doubt about one order of past results. `by`: whose seat; `how`: "" while it waits, "stands", "amended",
    "withdrawn".
    """

    number: int
    by: str
    phase: str
    version: int
    power: str
    order: str
    words: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class Deputy:
    """Who acts for the Gamemaster until a moment."""

    person: int
    until: datetime


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What makes a practice game a sandbox. `start`: where it began; `source`: the game from which that position is,
    "" for a board's own; `shared`: whether others may read it and go on from it; `paused`: nothing was ordered since
    its player went back or edited, so that nothing is played yet; `fading`: its player was told that it will go.
    """

    start: Position
    source: str = ""
    shared: bool = False
    paused: bool = False
    fading: bool = False


@dataclass(frozen=True, slots=True)
class Practice:
    """What makes a practice game different: it counts nowhere and has no Gamemaster. `released`: since when its phase
    `phase` is to be played as it stands; `sandbox`: where one person orders for every power, None in a lesson.
    """

    released: datetime | None = None
    phase: str = ""
    cleared: bool = False
    """Whether it is long over, and taken out of the index."""
    sandbox: Sandbox | None = None


@dataclass(frozen=True, slots=True)
class Proxy:
    """Leave to order another seat's units: which seat may, in which of its tenures, and in which phase."""

    holder: str
    tenure: int
    phase: str


@dataclass(frozen=True, slots=True)
class Substitute:
    """Leave to play for a seat's player: who does, 0 while nobody has come; until when, and in which tenure."""

    person: int
    until: datetime
    tenure: int


@dataclass(frozen=True, slots=True)
class Invitation:
    """Leave to sit down for whoever answers a letter: until when, and how it stands: "open", "accepted", "declined",
    "withdrawn"."""

    until: datetime
    state: str = "open"


@dataclass(frozen=True, slots=True)
class Hopeful:
    """Somebody who would like a seat and has none yet. `number`: what the Gamemaster may call them by."""

    number: int
    person: int
    preferences: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Gathering:
    """Who may come to the table, and who waits before it.

    `invitations`: by ticket, which only their letter names; `applicants`: whom the Gamemaster has to answer; `reserve`:
    who waits for a free seat, the first in line first; `turned_away`: who comes in only by the Gamemaster's word;
    `phrase`: the pass phrase as a hash, "" for none.
    """

    invitations: Mapping[str, Invitation] = field(default_factory=lambda: MappingProxyType({}))
    applicants: tuple[Hopeful, ...] = ()
    reserve: tuple[Hopeful, ...] = ()
    counted: int = 0
    """Hopefuls numbered so far."""
    turned_away: frozenset[int] = frozenset()
    phrase: str = ""
    fill_by: datetime | None = None
    """When a table that is not full is closed, or waits again."""
    advertised_at: datetime | None = None
    fresh: tuple[int, ...] = ()
    """The persons who have joined since the Gamemaster was last told who had."""
    fresh_since: datetime | None = None

    @property
    def hopefuls(self) -> tuple[Hopeful, ...]:
        """All who would like a seat, those first whom the Gamemaster has to answer."""
        return (*self.applicants, *self.reserve)

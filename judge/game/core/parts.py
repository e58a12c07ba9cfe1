"""What a game is made of: seats, sets of orders, lines asked back, votes, the deadline, the ending.

What a game keeps beside the board: press on its way, pages under seal, amendments, the deputy, practice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.game.instructions.kinds import FiledOrder
from judge.game.settings.table import Settings


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


NOT_OUR_WORDS, TAKES_BACK, BELOW_UNREADABLE = "not-our-words", "takes-back", "astray"
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


EMPTY: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Absence:
    """A time in which a player cannot send orders; the calendar sets no deadline in it."""

    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Tenure:
    """A time that somebody held a seat, and is over: from which phase ("": the first) to which, and why it ended
    ("nmr", "left", "removed", "replaced" ...)."""

    person: int
    since: str
    until: str
    why: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table. Powers come with the lot; the player may change, each time with a new tenure."""

    id: str
    person: int | None = None
    tenure: int = 0
    powers: tuple[str, ...] = ()
    preferences: tuple[tuple[str, ...], ...] = ()
    wait: bool = False
    wait_until: datetime | None = None
    """When the wait ends by itself; None: with the deadline."""
    waits: frozenset[str] = frozenset()
    """Phases to come for which its player has asked to wait."""
    terms: tuple[Tenure, ...] = ()
    """Who held the seat before since the start, oldest first."""
    vacant_since: datetime | None = None
    """When its last player went; None while it has one."""
    since: str = ""
    """The phase in which the present player took it over; "": they have had it from the start."""
    begun: frozenset[str] = frozenset()
    """What the present player has done: "orders" taken, "moves" printed."""
    offer: bool = False
    """Whether they may take an extension, because they have just taken over."""
    absences: tuple[Absence, ...] = ()
    proxy: Proxy | None = None
    """Who else may order its units, and in which phase."""
    substitute: Substitute | None = None
    """Who plays for its player for a while, or that somebody is looked for."""
    disorder: bool = False
    """Whether its powers stand in civil disorder while it is vacant: nobody waits for them."""

    @property
    def filled(self) -> bool:
        return self.person is not None

    def substitute_at(self, now: datetime) -> Substitute | None:
        """What the player who sits there said of a substitute, as long as it holds, found or not."""
        one = self.substitute
        return one if one is not None and self.filled and one.tenure == self.tenure and now < one.until else None

    @property
    def past(self) -> tuple[int, ...]:
        """Persons who held the seat before, oldest first."""
        return tuple(term.person for term in self.terms)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The orders in force for one power and turn: the whole set after mail number `number`."""

    power: str
    phase: str
    """First phase of the turn it was filed for."""
    number: int
    lines: tuple[FiledOrder, ...]
    faults: tuple[Fault, ...] = ()
    filed_at: datetime | None = None
    mail: str = ""
    undo: tuple[FiledOrder, ...] | None = None
    """What was on file before the last mail; None: nothing to go back to."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """An open vote."""

    number: int
    kind: str
    proposer: str
    powers: tuple[str, ...]
    called_at: datetime
    text: str = ""
    votes: Mapping[str, bool] = field(default_factory=lambda: EMPTY)
    choices: tuple[str, ...] = ()
    """Of a poll that is answered with one of them, and not with aye or nay."""
    chosen: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    until: datetime | None = None
    """The deadline that its call named; None: none, it closes with the next results of moves."""
    allowed: bool = False
    """Whether the Gamemaster has said that it may end the game although few play it."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that vote."""
        return ballot_lines(self.number, self.choices)


@dataclass(frozen=True, slots=True)
class EndedVote:
    """What became of a vote, for whoever votes on it too late."""

    kind: str
    passed: bool
    at: datetime


def ballot_lines(number: int, choices: tuple[str, ...]) -> tuple[str, ...]:
    """The lines with which one votes.

    >>> ballot_lines(3, ()), ballot_lines(3, ("Friday", "Sunday"))
    (('AYE 3', 'NAY 3'), ('vote 3 Friday', 'vote 3 Sunday'))
    """
    return tuple(f"vote {number} {choice}" for choice in choices) or (f"AYE {number}", f"NAY {number}")


@dataclass(frozen=True, slots=True)
class Grant:
    """An extension that was granted: from which seat, why ("extension", "vote", "extended" ...), what was asked."""

    at: datetime
    by: str
    why: str
    asked: str
    added: timedelta


@dataclass(frozen=True, slots=True)
class Awaited:
    """The turn waits for a word from a seat: in which phase, on which mails, from when, and until when at most."""

    phase: str
    mails: tuple[int, ...]
    came: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the turn that begins with `phase` is due. `version` counts every change, so that reminders fire once."""

    phase: Phase
    at: datetime
    version: int
    reminded: frozenset[int] = frozenset()
    """Rungs (hours before) already sent for this version."""
    late: tuple[str, ...] = ()
    """Seats called late for this version."""
    grace: datetime | None = None
    """End of the suspension that the late call began; None: not called, or no end."""
    delayed: frozenset[str] = frozenset()
    """Causes for which a delay was announced for this version."""
    called: bool = False
    """Whether the late call was made."""
    set_at: datetime | None = None
    planned: datetime | None = None
    """When the calendar meant the turn to be due, before anybody moved that."""
    called_at: datetime | None = None
    grace_set_at: datetime | None = None
    prompted: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    """Seat -> reminders sent for this version."""
    nudged: Mapping[str, datetime] = field(default_factory=lambda: EMPTY)
    """Seat -> when the Gamemaster last reminded it in this turn."""
    steps: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    """Kind of step on the ladder -> how far it has been climbed for this version."""
    grants: tuple[Grant, ...] = ()
    """Extensions of this turn, oldest first."""
    cleared_at: datetime | None = None
    """When something besides orders last stopped standing in the way of early processing: a `wait`, a hold."""
    terms: Settings | None = None
    """The settings under which the late call was made: what was promised with it holds, whatever is set later."""
    before: Deadline | None = None
    """The last deadline of this turn that came and had its late call, before another took its place."""

    @property
    def promised(self) -> datetime:
        """Until when everybody was told that there is time: the end of the grace where one runs."""
        return self.grace or self.at


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended: "win", "draw", "ended"; who won or shares. `press`: what the players could write to each other
    while it was played: "full", "public" (to everybody alone) or "none"; after the end that may change.
    """

    how: str
    powers: tuple[str, ...]
    reason: str
    at: datetime
    press: str = "full"

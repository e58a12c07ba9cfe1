"""What happened to a game. Events are the truth: append-only, versioned, enough to rebuild a game without adjudicating.

Every event says when and on whose behalf. Positions, orders and outcomes are stored as plain JSON inside the event.
`to_json` and `from_json` are inverse; an event of an older schema goes through its upcaster first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, ClassVar

import msgspec

from judge.game.instructions.upcasting import always_of_schema_1, phase_of_schema_1

Json = Any
"""Plain JSON: dicts, lists, strings, numbers, None."""

EVERYTHING = "*"
"""Among the settings that were decided: all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`at`: when, aware UTC. `by`: the seat it was done from, "judge" for the clock, "operator"."""

    VERSION: ClassVar[int] = 1
    told: ClassVar[str]
    """What the log may tell of it: names of its fields, with commas between; "made": only whether there is anything."""
    at: datetime
    by: str = "judge"
    deputy: int = 0
    """The person who did it in the Gamemaster's place, if somebody did; left out of the stored fields otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCreated(Event):
    """The first event of every game. `settings`: name -> text, complete."""

    told: ClassVar[str] = "key,gm"
    key: str
    gm: int
    settings: dict[str, str]
    decided: tuple[str, ...] = (EVERYTHING,)
    """Settings that were chosen, as far as they must be before the game opens (A85)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChanged(Event):
    told: ClassVar[str] = "name,old,new"
    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened(Event):
    told: ClassVar[str] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Event):
    """Somebody took a seat, with a new tenure (tokens of older tenures are no longer valid)."""

    told: ClassVar[str] = "person,preferences"
    seat: str
    person: int
    tenure: int
    preferences: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesChanged(Event):
    told: ClassVar[str] = "seat,preferences"
    seat: str
    preferences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatVacated(Event):
    """A seat lost its player. `why`: "left", "removed", "replaced" ...; orders on file are void (L08)."""

    told: ClassVar[str] = "seat,person,why,reason"
    seat: str
    person: int
    why: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFilled(Event):
    """A seat of a running game got a player, with a new tenure."""

    told: ClassVar[str] = "seat,person,returning"
    seat: str
    person: int
    tenure: int
    returning: bool = False
    """Whether somebody comes back after their seat fell vacant: that is free once (B25)."""
    offer: bool = False
    """Whether an extension is theirs for the asking, to get acquainted; it counts against nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowersDrawn(Event):
    """The lot: its seed, and seat -> powers. The same seed and preferences give the same assignment (A03)."""

    told: ClassVar[str] = "seed,powers"
    seed: int
    powers: dict[str, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Event):
    """`secret`: the seed of what chance does in each phase; 0 where the rules know no chance. It is told to nobody."""

    told: ClassVar[str] = ""
    position: Json
    secret: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineSet(Event):
    """The deadline of the turn that begins with `phase`. `version` counts its changes; `why` is a slug."""

    told: ClassVar[str] = "phase,deadline,why,reason"
    VERSION: ClassVar[int] = 2
    phase: str
    deadline: datetime
    version: int
    why: str = "calendar"
    reason: str = ""
    free: bool = False
    """Whether it used up one of the actor's free extensions."""
    asked: str = ""
    """What was asked for, in the judge's words: the same again within minutes is the same request (L02)."""
    beyond: tuple[str, ...] = ()
    """Seats into whose announced absence it would have fallen; it was moved on to the time after that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersFiled(Event):
    """The whole set now in force for one power, after a mail.

    `lines`: the orders in force, as `judge.game.instructions.filed` stores
    them: {"phase", "order", "text" (as written)}.
    `faults`: what was asked back and is not put right yet, as `Fault`. `mail`: which mail; `number`: 1, 2, 3 per turn.
    """

    told: ClassVar[str] = "power,phase,number,lines,faults"
    VERSION: ClassVar[int] = 2
    power: str
    phase: str
    number: int
    lines: Json
    faults: Json = field(default_factory=list)
    mail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedsFiled(Event):
    """All deeds of a power that are now on file, as `judge.game.filing.deeds` stores them."""

    told: ClassVar[str] = "power"
    power: str
    deeds: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitChanged(Event):
    """`phase`: the first of the turn to come that it is about; "": the present turn."""

    told: ClassVar[str] = "seat,on"
    VERSION: ClassVar[int] = 2
    seat: str
    on: bool
    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderDue(Event):
    """Seats with something missing are reminded; `rung` is hours before the deadline."""

    told: ClassVar[str] = "seats,rung"
    seats: tuple[str, ...]
    rung: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LateCalled(Event):
    """The deadline passed without these seats' orders; the phase is suspended until `grace` (None: no end)."""

    told: ClassVar[str] = "seats,grace"
    seats: tuple[str, ...]
    version: int
    grace: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessingDelayed(Event):
    """The time has come, but something of ours stands in the way; said once per cause (a slug) and deadline."""

    told: ClassVar[str] = "reason"
    VERSION: ClassVar[int] = 2
    reason: str
    version: int
    cause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseAdjudicated(Event):
    """One phase: where everything stood, what was ordered, what became of it, where everything stands.

    `before`, `after`: positions as JSON. `outcomes`: those of `judge.adjudicate.stored` with the words of the orders'
    authors ("text", and "filed" for a condition or a list). `version`: 1, or more when results were amended.
    """

    told: ClassVar[str] = "phase,version,missing,disorder"
    VERSION: ClassVar[int] = 2

    phase: str
    before: Json
    outcomes: Json
    after: Json
    version: int = 1
    missing: tuple[str, ...] = ()
    """Powers processed without any orders of theirs."""
    disorder: tuple[str, ...] = ()
    """Powers in civil disorder."""
    unplaced: Json = field(default_factory=list)
    """In a game that takes mistakes: lines that name nothing of their author's, as {"power", "text", "why"} (B04)."""
    deeds: Json = field(default_factory=list)
    """What powers did beside ordering units, as {"power", "word", "words"}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseSkipped(Event):
    """Nobody had anything to do: "Nothing happened." `after`: the position with the next phase."""

    told: ClassVar[str] = "phase"
    phase: str
    after: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class PressSent(Event):
    """`to`: power keys, "GM", "OBSERVERS" or "ALL"; the author is `by` and stays in the log."""

    told: ClassVar[str] = "colour,number,to,dateline,postal"
    number: int
    colour: str
    to: tuple[str, ...]
    text: str
    dateline: str = ""
    everyone: bool = False
    postal: bool = False
    """Printed in the next report, and in no letter before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCalled(Event):
    """`kind`: "draw" ...; `powers`: who would share; the proposer (`by`) is public at once (B63)."""

    told: ClassVar[str] = "number,kind,text,powers"
    number: int
    kind: str
    powers: tuple[str, ...] = ()
    text: str = ""
    """What is voted on, where powers do not say it: the length of an extension ("3d")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCast(Event):
    told: ClassVar[str] = "number"
    number: int
    seat: str
    aye: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteClosed(Event):
    """Never silently: every vote ends with one of these. `ballots`: seat -> "aye", "nay", "silent"."""

    told: ClassVar[str] = "number,passed,ballots"
    number: int
    passed: bool
    ballots: dict[str, str]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHeld(Event):
    """Deadlines are suspended; `until`: when the game goes on by itself, None: when the Gamemaster says so."""

    told: ClassVar[str] = "reason"
    VERSION: ClassVar[int] = 2
    reason: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResumed(Event):
    told: ClassVar[str] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWritten(Event):
    told: ClassVar[str] = "text"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Event):
    """`how`: "win", "draw", "concession", "limit", "ended" ...; `powers`: the winner, or all who share."""

    told: ClassVar[str] = "how,powers,reason"
    how: str
    powers: tuple[str, ...] = ()
    reason: str = ""


def kinds() -> Mapping[str, type[Event]]:
    """Every kind of event by name, those of the features too."""
    return {kind.__name__: kind for kind in Event.__subclasses__()}


def to_json(event: Event) -> dict[str, Json]:
    """An event's fields as plain JSON; moments as ISO text in UTC ("2026-03-01T12:00:00Z")."""
    data: dict[str, Json] = msgspec.to_builtins(event)
    if not event.deputy:
        del data["deputy"]
    return data


Upcaster = Callable[[dict[str, Json]], dict[str, Json]]


def _faults_as_values(data: dict[str, Json]) -> dict[str, Json]:
    """Faults were mere texts: what they were for is not known, nor why they were no orders."""
    asked = {"phase": data["phase"], "reason": "", "sentence": "", "line": 0, "unit": None, "site": "", "clause": ""}
    asked |= {"foreign": False, "ahead": False, "proposals": [], "at": data["at"], "mail": ""}
    return {**data, "faults": [{**asked, "text": text} for text in data.get("faults", ())]}


UPCASTERS: dict[tuple[str, int], Upcaster] = {
    ("PhaseAdjudicated", 1): phase_of_schema_1,
    ("DeadlineSet", 1): lambda data: {**data, "beyond": []},
    ("GameHeld", 1): lambda data: {**data, "until": None},
    ("OrdersFiled", 1): _faults_as_values,
    ("WaitChanged", 1): lambda data: {**data, "phase": ""},
    ("ProcessingDelayed", 1): lambda data: {**data, "cause": ""},
    ("LadderStep", 1): lambda data: {**data, "reason": ""},
    ("AlwaysChanged", 1): always_of_schema_1,
}
"""(kind, version) -> what turns its fields into those of version + 1."""


def from_json(kind: str, version: int, data: Mapping[str, Json]) -> Event:
    """The event of stored fields. Raises KeyError for a kind this program does not know, msgspec.ValidationError for
    fields that are no such event's.
    """
    cls = _kinds()[kind]
    while version < cls.VERSION:
        data = UPCASTERS[kind, version](dict(data))
        version += 1
    return msgspec.convert(data, cls)


@cache
def _kinds() -> Mapping[str, type[Event]]:
    return kinds()


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderStep(Event):
    """A rung after the reminders and beside the late call.

    `kind`: "hint" (to the GM), "grace" (number: day), "standby", "waiting" (for a replacement), "wanted" (number:
    week), "overdue" (number: hours; `reason`: what stands in the way), "word" (number: a vote that waits for the
    Gamemaster). `seats`: those whom it is about.
    """

    told: ClassVar[str] = "kind,number,seats"
    VERSION: ClassVar[int] = 2
    kind: str
    number: int
    seats: tuple[str, ...]
    version: int
    reason: str = ""

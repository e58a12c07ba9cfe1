"""What happened to a game. Events are the truth: append-only, versioned, enough to rebuild a game without judging.

Events as the log stores them: plain JSON and back, the positions in them, and what makes an older schema the present
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from typing import Any, ClassVar

import msgspec

from judge.board.model import Board
from judge.board.position import Position, position_from_json
from judge.game.core.immutable import remembered_briefly
from judge.game.instructions.kinds import always_of_schema_1, phase_of_schema_1

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

    def __init_subclass__(cls, *, told: str | None = None, version: int = 1) -> None:
        """`class NoteAdded(Event, told="text")`. Slots make a dataclass twice, the second time without these."""
        if told is not None:
            cls.told, cls.VERSION = told, version


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCreated(Event, told="key,gm"):
    """The first event of every game. `settings`: name -> text, complete."""

    key: str
    gm: int
    settings: dict[str, str]
    decided: tuple[str, ...] = (EVERYTHING,)
    """Settings that were chosen, as far as they must be before the game opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChanged(Event, told="name,old,new"):
    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened(Event, told=""):
    """The game is on the list of openings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Event, told="person,preferences"):
    """Somebody took a seat, with a new tenure (tokens of older tenures are no longer valid)."""

    seat: str
    person: int
    tenure: int
    preferences: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesChanged(Event, told="seat,preferences"):
    seat: str
    preferences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatVacated(Event, told="seat,person,why,reason"):
    """A seat lost its player. `why`: "left", "removed", "replaced" ...; orders on file are void."""

    seat: str
    person: int
    why: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFilled(Event, told="seat,person,returning"):
    """A seat of a running game got a player, with a new tenure."""

    seat: str
    person: int
    tenure: int
    returning: bool = False
    """Whether somebody comes back after their seat fell vacant: that is free once."""
    offer: bool = False
    """Whether they may take an extension to get to know the game; it does not count as one of theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowersDrawn(Event, told="seed,powers"):
    """The lot: its seed, and seat -> powers. The same seed and preferences give the same assignment."""

    seed: int
    powers: dict[str, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Event, told=""):
    """`secret`: the seed of what chance does in each phase; 0 where the rules know no chance. It is told to nobody."""

    position: Json
    secret: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineSet(Event, told="phase,deadline,why,reason", version=2):
    """The deadline of the turn that begins with `phase`. `version` counts its changes; `why` is a slug."""

    phase: str
    deadline: datetime
    version: int
    why: str = "calendar"
    reason: str = ""
    free: bool = False
    """Whether it used up one of the actor's free extensions."""
    asked: str = ""
    """What was asked for, in the judge's words: the same again within minutes is the same request."""
    beyond: tuple[str, ...] = ()
    """Seats into whose announced absence it would have fallen; it was moved on to the time after that."""
    holidays: tuple[str, ...] = ()
    """Days without deadlines on which it would have fallen, as the setting has them; it was moved on past them."""
    span: timedelta | None = None
    """What was granted of what it was moved by; None: all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersFiled(Event, told="power,phase,number,lines,faults", version=2):
    """The whole set now in force for one power, after a mail.

    `lines`: the orders in force, as `judge.game.instructions.kinds` stores
    them: {"phase", "order", "text" (as written)}.
    `faults`: what was asked back and is not put right yet, as `Fault`. `mail`: which mail; `number`: 1, 2, 3 per turn.
    """

    power: str
    phase: str
    number: int
    lines: Json
    faults: Json = field(default_factory=list)
    mail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedsFiled(Event, told="power"):
    """All deeds of a power that are now on file, as `judge.game.filing.submitting` stores them."""

    power: str
    deeds: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitChanged(Event, told="seat,on", version=2):
    """`phase`: the first of the turn to come that it is about; "": the present turn."""

    seat: str
    on: bool
    phase: str = ""
    until: datetime | None = None
    """When it ends by itself, if before the deadline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderDue(Event, told="seats,rung"):
    """Seats with something missing are reminded; `rung` is hours before the deadline."""

    seats: tuple[str, ...]
    rung: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LateCalled(Event, told="seats,grace"):
    """The deadline passed without these seats' orders; the phase is suspended until `grace` (None: no end)."""

    seats: tuple[str, ...]
    version: int
    grace: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderStep(Event, told="kind,number,seats", version=2):
    """A rung after the reminders and beside the late call.

    `kind`: "hint" (to the GM), "grace" (number: day), "standby", "waiting" (for a replacement), "vacant" (to the GM),
    "wanted" (number: week), "overdue" (number: hours; `reason`: what stands in the way), "word" (number: a vote
    that waits for the Gamemaster). `seats`: those whom it is about.
    """

    kind: str
    number: int
    seats: tuple[str, ...]
    version: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessingDelayed(Event, told="reason", version=2):
    """The time has come, but something of ours stands in the way; said once per cause (a slug) and deadline."""

    reason: str
    version: int
    cause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseAdjudicated(Event, told="phase,version,missing,disorder", version=2):
    """One phase: where everything stood, what was ordered, what became of it, where everything stands.

    `before`, `after`: positions as JSON. `outcomes`: those of `judge.adjudicate.outcome` with the words of the orders'
    authors ("text", and "filed" for a condition or a list). `version`: 1, or more when results were amended.
    """

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
    """In a game that takes mistakes: lines that name nothing of their author's, as {"power", "text", "why"}."""
    deeds: Json = field(default_factory=list)
    """What powers did beside ordering units, as {"power", "word", "words"}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseSkipped(Event, told="phase"):
    """Nobody had anything to do: "Nothing happened." `after`: the position with the next phase."""

    phase: str
    after: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class PressSent(Event, told="colour,number,to,dateline,postal"):
    """`to`: power keys, "GM", "OBSERVERS", "EDITORS" or "ALL"; the author is `by` and stays in the log."""

    number: int
    colour: str
    to: tuple[str, ...]
    text: str
    dateline: str = ""
    everyone: bool = False
    postal: bool = False
    """Printed in the next report, and in no letter before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHeld(Event, told="reason", version=2):
    """Deadlines are suspended; `until`: when the game goes on by itself, None: when the Gamemaster says so."""

    reason: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResumed(Event, told=""):
    """The calendar of a game on hold runs again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWritten(Event, told="text"):
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Event, told="how,powers,reason"):
    """`how`: "win", "draw", "concession", "limit", "ended" ...; `powers`: the winner, or all who share."""

    how: str
    powers: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamemasterChanged(Event, told="person,before"):
    """`person` is the Gamemaster now, with a new tenure: tokens of the one before are no longer valid."""

    person: int
    before: int
    tenure: int


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


def kinds() -> Mapping[str, type[Event]]:
    """Every kind of event by name, those of the features too, and of `judge.acts`."""
    import_module("judge.acts")
    return {kind.__name__: kind for kind in Event.__subclasses__()}


@remembered_briefly
def position_of(stored: Mapping[str, Json], board: Board) -> Position:
    """The position that an event holds, made once for all who ask for it while its turn is played and told."""
    return position_from_json(stored, board)


def to_json(event: Event) -> dict[str, Json]:
    """An event's fields as plain JSON; moments as ISO text in UTC ("2026-03-01T12:00:00Z")."""
    data: dict[str, Json] = msgspec.to_builtins(event)
    if not event.deputy:
        del data["deputy"]
    return data


def all_to_json(events: Iterable[Event]) -> list[dict[str, Json]]:
    """Several events' fields as plain JSON."""
    return [to_json(event) for event in events]


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


def all_from_json(stored: Iterable[tuple[str, int, Mapping[str, Json]]]) -> list[Event]:
    """Several events of (kind, version, stored fields); raises what `from_json` does."""
    return [from_json(kind, version, data) for kind, version, data in stored]


@cache
def _kinds() -> Mapping[str, type[Event]]:
    return kinds()

"""One game as a value: seats, position, deadline, orders on file, votes. Built only by `judge.game.evolve`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.game.settings import Settings
from judge.rules import Rules

_EMPTY: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class System:
    """What the service looks up for a game's `map` and `rules`: the board and the answers to the rules' questions."""

    board: Board
    rules: Rules


class Stage(StrEnum):
    """Where a game is in its life."""

    FORMING = "forming"
    """Created; the GM is still setting it up."""
    OPEN = "open"
    """On the list of openings; players join."""
    RUNNING = "running"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table. Powers come with the lot; the player may change, each time with a new tenure."""

    id: str
    person: int | None = None
    tenure: int = 0
    powers: tuple[str, ...] = ()
    preferences: tuple[tuple[str, ...], ...] = ()
    wait: bool = False
    extensions_used: int = 0
    past: tuple[int, ...] = ()
    """Persons who held the seat before, oldest first."""

    @property
    def filled(self) -> bool:
        return self.person is not None


@dataclass(frozen=True, slots=True)
class FiledLine:
    """One order on file. `order` is canonical text, bound to the unit by `unit` (an id) when it is for one."""

    phase: str
    unit: int | None
    order: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The orders in force for one power and turn: the whole set after mail number `number`."""

    power: str
    phase: str
    """First phase of the turn it was filed for."""
    number: int
    lines: tuple[FiledLine, ...]
    faults: tuple[str, ...] = ()
    filed_at: datetime | None = None
    mail: str = ""


@dataclass(frozen=True, slots=True)
class Ballot:
    """An open vote."""

    number: int
    kind: str
    proposer: str
    powers: tuple[str, ...]
    called_at: datetime
    votes: Mapping[str, bool] = field(default_factory=lambda: _EMPTY)


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
    """Reasons for which a delay was announced for this version."""
    called: bool = False
    """Whether the late call was made."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended: "win", "draw", "ended"; who won or shares."""

    how: str
    powers: tuple[str, ...]
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Game:
    """The whole state of one game after `seq` events."""

    key: str
    system: System
    gm: int
    settings: Settings
    created_at: datetime
    seq: int = 1
    stage: Stage = Stage.FORMING
    seats: Mapping[str, Seat] = field(default_factory=lambda: _EMPTY)
    tenures: Mapping[str, int] = field(default_factory=lambda: _EMPTY)
    """Seat id -> the last tenure ever given, so that a token of a former holder never comes alive again."""
    position: Position | None = None
    deadline: Deadline | None = None
    turn_opened_at: datetime | None = None
    """When the present phase was reached."""
    sheets: Mapping[str, Sheet] = field(default_factory=lambda: _EMPTY)
    """Power -> its orders on file for the current turn."""
    votes: Mapping[int, Ballot] = field(default_factory=lambda: _EMPTY)
    votes_called: int = 0
    press_sent: int = 0
    held_since: datetime | None = None
    held_reason: str = ""
    results_version: int = 1
    chart: Mapping[int, Mapping[str, int]] = field(default_factory=lambda: _EMPTY)
    """Year -> power -> centres at its end; the year before the first holds the start."""
    ending: Ending | None = None
    seed: int | None = None
    """Of the lot, once drawn."""
    gm_tenure: int = 1
    notes: tuple[str, ...] = ()
    """GM commentary waiting for the next report."""

    @property
    def board(self) -> Board:
        return self.system.board

    @property
    def rules(self) -> Rules:
        return self.system.rules

    @property
    def phase(self) -> Phase | None:
        """The current phase, once started."""
        return self.position.phase if self.position else None

    def seat_of(self, power: str) -> Seat | None:
        """The seat that plays a power."""
        return next((seat for seat in self.seats.values() if power in seat.powers), None)

    def seat_held_by(self, person: int) -> Seat | None:
        """The seat a person holds now."""
        return next((seat for seat in self.seats.values() if seat.person == person), None)

    @property
    def survivors(self) -> tuple[str, ...]:
        """Powers that still have a unit or a centre, in the board's order (ruling 12a)."""
        if self.position is None:
            return tuple(self.board.powers)
        alive = {unit.power for unit in self.position.units}
        alive |= {lost.unit.power for lost in self.position.dislodged} | set(self.position.owners.values())
        return tuple(power for power in self.board.powers if power in alive)

    @property
    def active_seats(self) -> tuple[Seat, ...]:
        """Filled seats with a surviving power: who may vote and counts in votes (B66a)."""
        alive = set(self.survivors)
        return tuple(s for s in self.seats.values() if s.filled and alive.intersection(s.powers))

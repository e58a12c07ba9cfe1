"""One game as a value: seats, position, deadline, orders on file, votes. Built only by `judge.game.core.evolve`.

What a game remembers of its last phases, so that results can be taken back: no file is opened for that.

Memory is bounded and rebuilt from the log with everything else; how far back it reaches is the same for everybody.

The rule system that a game is played by: its board, and the answers to the questions of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from types import MappingProxyType
from typing import TypeVar

from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.game.core.events import EVERYTHING, PhaseAdjudicated
from judge.game.core.immutable import altered, remembered, retyped
from judge.game.core.parts import (
    EMPTY,
    Amendment,
    Appeal,
    Awaited,
    Ballot,
    Deadline,
    Deputy,
    DiaryPage,
    EndedVote,
    Ending,
    Epilogue,
    Gathering,
    Outgoing,
    Practice,
    Sandbox,
    Seat,
    Sheet,
)
from judge.game.instructions.facts import Withdrawal
from judge.game.instructions.kinds import FiledOrder
from judge.game.settings.redrawn import divided
from judge.game.settings.table import Settings
from judge.orders.model import UnitOrder
from judge.orders.spelled import listed
from judge.rules import Rules
from judge.rules.business import Deed
from judge.rules.calendar import Calendar


@dataclass(frozen=True, slots=True)
class System:
    """What the service looks up for a game's `map` and `rules`: the board and the answers to the rules' questions."""

    board: Board
    rules: Rules


@remembered
def for_players(system: System) -> tuple[str, ...]:
    """The powers that players may have, in the board's order."""
    return system.rules.for_players(system.board)


@remembered
def _survivors(position: Position, seats: Mapping[str, Seat], system: System, rules: Rules) -> tuple[str, ...]:
    """Powers that players may have, or that a seat has beside them, and that are still in the game; in the board's
    order. Seats are as long as nobody comes or goes the same mapping.
    """
    board = system.board
    held = {power for seat in seats.values() for power in seat.powers if not board.powers[power].minor}
    given = held.union(for_players(system))
    alive = rules.alive(position)
    return tuple([power for power in board.powers if power in given and power in alive])


class Stage(StrEnum):
    """Where a game is in its life."""

    FORMING = "forming"
    """Created; the GM is still setting it up."""
    OPEN = "open"
    """On the list of openings; players join."""
    RUNNING = "running"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Played:
    """A phase that can be taken back: its outcomes and the whole game as it stood before. `reached`: the position that
    the game came to with it, where that was corrected by hand afterwards; else None.
    """

    event: PhaseAdjudicated
    before: Running
    reached: Position | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """Phases that were taken back; the first waits to be processed again with the same orders.

    `taken`: what was played of them, oldest first; `due`: when the turn after the last was due, and which phase that
    was; `held`: whether the game was on hold already, and `held_reason` why; `ending`: how it had ended, if it had;
    `position`: where the game stood behind the last.
    """

    phase: str
    reason: str
    since: datetime
    taken: tuple[Played, ...]
    due: tuple[str, datetime] | None = None
    held: bool = False
    held_reason: str = ""
    held_until: datetime | None = None
    ending: Ending | None = None
    position: Position | None = None

    @property
    def played_at(self) -> datetime:
        """When the first of them was processed."""
        return self.taken[0].event.at


@dataclass(frozen=True)  # without slots, so that `altered` can take it over whole
class Game:
    """The whole state of one game after `seq` events."""

    key: str
    system: System
    gm: int
    settings: Settings
    created_at: datetime
    seq: int = 1
    stage: Stage = Stage.FORMING
    seats: Mapping[str, Seat] = field(default_factory=lambda: EMPTY)
    tenures: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    """Seat id -> the last tenure ever given, so that a token of a former holder never becomes valid again."""
    position: Position | None = None
    deadline: Deadline | None = None
    turn_opened_at: datetime | None = None
    """When the present phase was reached."""
    sheets: Mapping[str, Sheet] = field(default_factory=lambda: EMPTY)
    """Power -> its orders on file for the current turn."""
    votes: Mapping[int, Ballot] = field(default_factory=lambda: EMPTY)
    votes_called: int = 0
    ended_votes: Mapping[int, EndedVote] = field(default_factory=lambda: EMPTY)
    returns: Mapping[int, int] = field(default_factory=lambda: EMPTY)
    """Person -> how often they came back to a seat that had fallen vacant."""
    extensions: Mapping[int, int] = field(default_factory=lambda: EMPTY)
    """Person -> how many of their free extensions they have used, in whatever seat."""
    barred: frozenset[int] = frozenset()
    """Persons whom the Gamemaster took from the table: they come back only through them."""
    kept: Mapping[str, Mapping[str, tuple[tuple[str, ...], ...]]] = field(default_factory=lambda: EMPTY)
    """Power -> phase to come -> lines kept for it, one group for each mail."""
    always: Mapping[str, tuple[UnitOrder, ...]] = field(default_factory=lambda: EMPTY)
    """Power -> orders that stand wherever nothing else is ordered, for the unit that stands there."""
    deeds: Mapping[str, tuple[Deed, ...]] = field(default_factory=lambda: EMPTY)
    """Power -> what it does in the present phase beside ordering its units, where the rules know such business."""
    plans: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=lambda: EMPTY)
    """Seat -> name -> lines of a plan."""
    played: Mapping[str, tuple[FiledOrder, ...]] = field(default_factory=lambda: EMPTY)
    """Power -> its orders in the last movement phase."""
    withdrawals: tuple[Withdrawal, ...] = ()
    """Since the last moves."""
    split: str = ""
    """The phase from which the present turn is divided: a player asked (6E), or it asks what none could foresee."""
    rules_version: int = 1
    """Counts the changes of the house rules since the start (9A)."""
    amendments: tuple[Amendment, ...] = ()
    """Rules in words that were carried by vote."""
    appeals: Mapping[int, Appeal] = field(default_factory=lambda: EMPTY)
    """Number -> a doubt about results, answered or not."""
    appeals_made: int = 0
    press_sent: int = 0
    outgoing: Mapping[int, Outgoing] = field(default_factory=lambda: EMPTY)
    """Number of press -> what can be recalled of it; the last few."""
    diaries: tuple[DiaryPage, ...] = ()
    """Sealed until the end."""
    statements: Mapping[str, DiaryPage] = field(default_factory=lambda: EMPTY)
    """Seat -> what it has to say about the game, "" for nothing; sealed until the end, or until all have spoken."""
    epilogue: Epilogue | None = None
    held_since: datetime | None = None
    held_until: datetime | None = None
    """When a game on hold goes on by itself; None: when the Gamemaster says so."""
    held_reason: str = ""
    results_version: int = 1
    chart: Mapping[int, Mapping[str, int]] = field(default_factory=lambda: EMPTY)
    """Year -> power -> centres at its end; the year before the first holds the start."""
    ending: Ending | None = None
    seed: int | None = None
    """Of the lot, once drawn."""
    secret: int = 0
    """Of what chance does in each phase, where the rules ask for that."""
    gm_tenure: int = 1
    notes: tuple[str, ...] = ()
    """GM commentary waiting for the next report."""
    headline: str = ""
    """What the Gamemaster wants at the top of the next report."""
    past: tuple[Played, ...] = ()
    """The last phases played, oldest first: as far back as results can be taken back."""
    versions: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    """Phase -> how many versions of its results were published, for phases that were taken back or corrected."""
    replay: Replay | None = None
    reopened: str = ""
    """The phase that everybody orders again after its results were taken back; it is not processed early."""
    awaited: Mapping[str, Awaited] = field(default_factory=lambda: EMPTY)
    """Seat -> the word for which a turn waited last: once for each phase, however many mails there are."""
    courtesy: bool = False
    """Whether a correction allows an extension that counts against nobody: once, for the player who asks first."""
    deputy: Deputy | None = None
    editors: tuple[int, ...] = ()
    heir: int = 0
    """The person to whom the Gamemaster has offered the game."""
    imported: Position | None = None
    """Where the game begins, if not at the board's set-up."""
    begins: datetime | None = None
    """When it begins by itself; counts while it is open."""
    gathering: Gathering = field(default_factory=Gathering)
    practice: Practice | None = None
    """Of a practice game; None: it counts."""
    decided: frozenset[str] = frozenset({EVERYTHING})
    """Names of settings that somebody chose."""

    @property
    def board(self) -> Board:
        return self.system.board

    @property
    def rules(self) -> Rules:
        """The answers to the rules' questions, with this game's own division of the year into turns."""
        if not self.settings.seasons and not self.split:
            return self.system.rules
        return divided(self.system.rules, self.settings.seasons, self.split)

    @property
    def end_after(self) -> str:
        """The season after which the game ends, as its settings say, else its board; "": none."""
        last = self.board.last_phase
        return self.settings.end_after or (f"{last.season}{last.year:04}" if last else "")

    @property
    def sandbox(self) -> Sandbox | None:
        """What makes it a sandbox; None for any other game."""
        return self.practice.sandbox if self.practice is not None else None

    @property
    def calendar(self) -> Calendar:
        """The phases of this game's years, in its own turns."""
        return self.rules.calendar

    @property
    def terms(self) -> Settings:
        """The settings that rule the waiting for orders: those of the late call, once it was made."""
        promised = self.deadline.terms if self.deadline is not None else None
        return promised or self.settings

    @property
    def phase(self) -> Phase | None:
        """The current phase, once started."""
        return self.position.phase if self.position else None

    @property
    def phase_title(self) -> str:
        """The current phase for people: "Spring 1901 moves"; "" before the start."""
        return self.calendar.title(self.position.phase) if self.position else ""

    @property
    def deliberates(self) -> bool:
        """Whether players do business in the current phase: it is played at its deadline whatever is ordered."""
        at, rules = self.position, self.rules
        return at is not None and "deliberates" in rules.around and rules.deliberates(at)

    def lot(self, phase: Phase) -> int:
        """The number that chance has drawn for a phase: the same whenever the phase is played again."""
        return int.from_bytes(sha256(f"{self.secret}/{phase}".encode()).digest()[:8], "big")

    def named(self, powers: Iterable[str]) -> str:
        """Powers by name, in the language that is spoken: "Austria-Hungary, England and France"."""
        return listed(self.board.powers[power].told for power in powers)

    def seat_of(self, power: str) -> Seat | None:
        """The seat that plays a power."""
        return next((seat for seat in self.seats.values() if power in seat.powers), None)

    def seat_held_by(self, person: int) -> Seat | None:
        """The seat a person holds now."""
        return next((seat for seat in self.seats.values() if seat.person == person), None)

    def is_deputy(self, person: int, now: datetime) -> bool:
        """Whether a person acts for the Gamemaster now."""
        return self.deputy is not None and self.deputy.person == person and now <= self.deputy.until

    def seat_played_by(self, person: int, now: datetime) -> Seat | None:
        """The seat a person plays now: which they hold, or that of a player whose substitute they are."""
        if (held := self.seat_held_by(person)) is not None or self.stage is not Stage.RUNNING or not person:
            return held
        found = ((seat, seat.substitute_at(now)) for seat in self.seats.values())
        return next((seat for seat, one in found if one is not None and one.person == person), None)

    def extensions_left(self, seat: Seat) -> int:
        """How many free extensions whoever holds a seat has left: they are theirs, and leaving does not renew them."""
        return max(0, self.settings.extensions - self.extensions.get(seat.person or 0, 0))

    @property
    def survivors(self) -> tuple[str, ...]:
        """Powers that players may have, or that the rules have put under one, with a unit or a centre left; in the
        board's order.
        """
        if self.position is None:
            return for_players(self.system)
        return _survivors(self.position, self.seats, self.system, self.rules)

    @property
    def sharers(self) -> tuple[str, ...]:
        """Survivors that somebody plays: who shares a draw, or the result at the time limit."""
        played = {power for seat in self.seats.values() if seat.filled for power in seat.powers}
        return tuple(power for power in self.survivors if power in played)

    @property
    def unplayed(self) -> frozenset[str]:
        """Powers without a seat or in civil disorder: nobody is asked for orders, and their units stand (XIV)."""
        if self.position is None:
            return frozenset()
        played = {power for seat in self.seats.values() if not seat.disorder for power in seat.powers}
        return frozenset(self.board.powers) - played

    @property
    def active_seats(self) -> tuple[Seat, ...]:
        """Filled seats with a surviving power: who may vote and counts in votes (B66a)."""
        alive = set(self.survivors)
        return tuple(s for s in self.seats.values() if s.filled and alive.intersection(s.powers))


G = TypeVar("G", bound=Game)
"""A game of whatever stage, handed back as what it was."""


class Begun(Game):
    """A game that was started: running or over. It has a position."""

    position: Position

    @property
    def phase(self) -> Phase:
        """The current phase."""
        return self.position.phase


class Running(Begun):
    """A game with a turn that is due."""

    deadline: Deadline


def staged(game: Game) -> Game:
    """The game as what its stage makes it: a `Game`, one that has `Begun`, or one that is `Running`."""
    begun = game.position is not None
    stage = Running if begun and game.deadline is not None and game.stage is Stage.RUNNING else Begun if begun else Game
    return game if type(game) is stage else retyped(stage, game)


REACH = 8
"""Phases that can be taken back: more than a year. Each costs some memory in every game."""


def remember(game: Running, event: PhaseAdjudicated) -> Running:
    """The game ahead of a phase's results, with what must be known to take them back; a replay ends with them."""
    played = Played(replace(event, before=None), altered(game, past=()))  # `before` is in the game of that time
    game = altered(game, past=(*game.past, played)[-REACH:], headline="", courtesy=False)
    if event.version > 1:
        game = altered(game, versions=noted(game.versions, {event.phase: event.version}))
    if game.replay is not None and game.replay.phase == event.phase:
        game = taken_up(game, event.at)
    return game


def taken_up(game: G, now: datetime) -> G:
    """A game behind its replay: the calendar runs again, unless it was on hold before its results were taken back."""
    assert game.replay is not None
    since = now if game.replay.held else None
    return altered(
        game, replay=None, held_since=since, held_reason=game.replay.held_reason, held_until=game.replay.held_until
    )


def next_version(game: Game, phase: str) -> int:
    """The number of a phase's next results: 1, or one more than were published before."""
    return game.versions.get(phase, 0) + 1


def noted(versions: Mapping[str, int], more: Mapping[str, int]) -> Mapping[str, int]:
    """The versions published, with more of them."""
    return MappingProxyType({**versions, **more})

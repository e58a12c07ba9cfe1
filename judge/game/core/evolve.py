"""Events to state: a game is changed here and by what features register, in one registry that refuses two answers to
one question. Total over events; it never adjudicates.

A feature is a module with a command or an event of its own, and a `FEATURE` at its end. `judge.game` finds
them all and installs them; `evolve`, `decide` and the clock look here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple, Protocol, TypeVar

from judge.adjudicate.outcome import Result, outcomes_from_json
from judge.board.model import province_of
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.game.core import events as ev
from judge.game.core.events import position_of
from judge.game.core.immutable import altered, remembered_briefly
from judge.game.core.model import Begun, Game, Running, Stage, System, remember, staged
from judge.game.core.parts import Deadline, Ending, Grant, Seat, Sheet, faults_from_json
from judge.game.instructions.facts import Withdrawal
from judge.game.instructions.kinds import filed_from_json
from judge.game.settings.redrawn import OF_THE_SYSTEM, divided
from judge.game.settings.table import Settings, settings_from_text, with_setting
from judge.orders.family import units_of
from judge.orders.model import Build, Retreat, Waive

Evolver = Callable[[Any, Any], Any]
"""(game, event) -> the game after it."""

Decider = Callable[[Any, Any, Any], Any]
"""(game, command, context) -> Decision | Refusal."""

Follower = Callable[[Any, Any], tuple[Any, ...]]
"""(game after an event, the event) -> events that it brings about at once ("the vote is decided")."""


Undo = Callable[[Any, Callable[[], Any]], Any] | tuple[str, str]
"""(event of the Gamemaster's act, what gives the game ahead of it) -> the command that undoes it, or None; or, of what
nothing undoes, why it stands, and the command that comes nearest.
"""


class OwnClock(NamedTuple):
    """What a feature wants of the clock beside the calendar, and of which games."""

    next_moment: Callable[[Any], Any]
    """game -> when it next wants the clock, or None."""
    events_due: Callable[[Any, Any, Any], tuple[Any, ...]]
    """(game, now, lot) -> the events of that moment."""
    stage: Any = None
    """Of games at this stage alone; None: at any."""
    alone: bool = False
    """Of games alone that one person plays by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """What one module answers: by class of event, by class of command."""

    evolve: Mapping[type[Any], Evolver] = field(default_factory=dict)
    decide: Mapping[type[Any], Decider] = field(default_factory=dict)
    gm_only: tuple[type[Any], ...] = ()
    """Commands that only the Gamemaster (or the operator) may give."""
    grave: tuple[type[Any], ...] = ()
    """Commands of theirs that need a second proof."""
    outside: tuple[type[Any], ...] = ()
    """Commands of theirs that are letters: what has been read stays read."""
    undo: Mapping[type[Any], Undo] = field(default_factory=dict)
    follow: Mapping[type[Any], Follower] = field(default_factory=dict)
    clock: OwnClock | None = None


class TakenTwice(Exception):
    """Two features answer for one command or event: a mistake in the program, found when it starts."""


class Registry:
    """The answers of all features. Followers and clocks keep the order in which features were added."""

    def __init__(self) -> None:
        self._evolvers: dict[type[Any], Evolver] = {}
        self._deciders: dict[type[Any], Decider] = {}
        self._followers: dict[type[Any], tuple[Follower, ...]] = {}
        self._undoings: dict[type[Any], Undo] = {}
        self.gm_only: tuple[type[Any], ...] = ()
        """Commands of the Gamemaster's desk; of these, those that need a second proof, and those that are letters."""
        self.grave: tuple[type[Any], ...] = ()
        self.outside: tuple[type[Any], ...] = ()
        self._clocks: tuple[OwnClock, ...] = ()
        self._clocks_of: dict[tuple[Any, bool], tuple[OwnClock, ...]] = {}

    def add(self, features: Iterable[Feature]) -> None:
        """Add features; raises TakenTwice where one answers for what another one answers already."""
        for feature in features:
            _merge(self._evolvers, feature.evolve)
            _merge(self._deciders, feature.decide)
            _merge(self._undoings, feature.undo)
            for kind, follow in feature.follow.items():
                self._followers[kind] = (*self._followers.get(kind, ()), follow)
            self.gm_only += feature.gm_only
            self.grave += feature.grave
            self.outside += feature.outside
            self._clocks += () if feature.clock is None else (feature.clock,)
        self._clocks_of.clear()

    @property
    def evolvers(self) -> Mapping[type[Any], Evolver]:
        """Event class -> what it does to a game."""
        return MappingProxyType(self._evolvers)

    @property
    def deciders(self) -> Mapping[type[Any], Decider]:
        """Command class -> what answers it."""
        return MappingProxyType(self._deciders)

    def undo(self, event: Any) -> Undo | None:
        """What takes back the act of the Gamemaster that an event tells, as far as the event itself says."""
        return self._undoings.get(type(event))

    def clocks(self, stage: Any, *, alone: bool) -> tuple[OwnClock, ...]:
        """What wants the clock of a game beside its calendar."""
        if (stage, alone) not in self._clocks_of:
            found = (one for one in self._clocks if one.stage in (None, stage) and (alone or not one.alone))
            self._clocks_of[stage, alone] = tuple(found)
        return self._clocks_of[stage, alone]

    def is_followed(self, event: Any) -> bool:
        """Whether an event brings about others."""
        return type(event) in self._followers

    def followed_by(self, game: Any, event: Any) -> tuple[Any, ...]:
        """The events that an event brings about at once; several features may follow one event."""
        return tuple(more for follow in self._followers.get(type(event), ()) for more in follow(game, event))


def _merge(into: dict[type[Any], Any], answers: Mapping[type[Any], Any]) -> None:
    for kind, answer in answers.items():
        if kind in into:
            raise TakenTwice(f"{kind.__name__} is answered for twice: by {into[kind]!r} and by {answer!r}")
        into[kind] = answer


REGISTRY = Registry()
"""The features of this judge, added by `judge.game`."""


def modules_of(*folders: ModuleType) -> list[ModuleType]:
    """Import every module of some folders: a new one takes part by being there. In the order of their own names."""
    found = [(module.name, folder.__name__) for folder in folders for module in iter_modules(folder.__path__)]
    return [import_module(f"{folder}.{name}") for name, folder in sorted(found)]


K = TypeVar("K")
V = TypeVar("V")


class Systems(Protocol):
    """Looks up the board and rules that settings name. Raises ValueError with a sentence for names it does not know."""

    def __call__(self, settings: Settings) -> System: ...


def begin(event: ev.GameCreated, systems: Systems) -> Game:
    """The game of its first event."""
    settings = settings_from_text(event.settings)
    return Game(event.key, systems(settings), event.gm, settings, event.at, decided=frozenset(event.decided))


def evolve(game: Game, event: ev.Event, systems: Systems) -> Game:
    """The game after one more event."""
    if isinstance(event, ev.SettingChanged):
        return _counted(game, _setting_changed(game, event, systems))
    return _evolved(game, event)


@remembered_briefly
def _evolved(game: Game, event: ev.Event) -> Game:
    """A turn is played on the game as it is decided, with what follows from it, and once more by whoever stores it."""
    return _counted(game, _handler(event)(game, event))


def _counted(game: Game, changed: Game) -> Game:
    return staged(altered(_under_authority(game, changed), seq=game.seq + 1))


def evolve_all(game: Game, events: Iterable[ev.Event], systems: Systems) -> Game:
    """The game after several more."""
    for event in events:
        game = evolve(game, event, systems)
    return game


def evolve_turn(game: Begun, event: ev.Event) -> Begun:
    """As `evolve`, for the events of processing a turn, which never change board or rules."""
    after = evolve(game, event, lambda _: game.system)
    assert isinstance(after, Begun)  # nothing undoes a beginning
    return after


def _under_authority(before: Game, game: Game) -> Game:
    """Powers that are in no player's hand are for whoever orders them as the position stands (XIV.2)."""
    position, rules = game.position, game.system.rules
    if position is None or position is before.position or "authority" not in rules.around:
        return game
    given = rules.for_players(game.board)
    hands: dict[str, list[str]] = {key: [p for p in seat.powers if p in given] for key, seat in game.seats.items()}
    holders = {power: key for key, powers in hands.items() for power in powers}
    for power in game.board.powers:
        holder = holders.get(rules.authority(position, power) or "") if power not in given else None
        if holder is not None:
            hands[holder].append(power)
    lost = [p for key, seat in game.seats.items() for p in seat.powers if p not in hands[key]]
    seats = {key: replace(seat, powers=tuple(hands[key])) for key, seat in game.seats.items()}
    return altered(
        game, seats=MappingProxyType(seats), sheets=without(game.sheets, *lost), deeds=without(game.deeds, *lost),
        kept=without(game.kept, *lost), always=without(game.always, *lost),
    )  # fmt: skip


def _handler(event: ev.Event) -> Callable[[Game, Any], Game]:
    return REGISTRY.evolvers[type(event)]


def rebuild(events: Iterable[ev.Event], systems: Systems) -> Game:
    """A game from all its events; the first must be GameCreated."""
    stream = iter(events)
    first = next(stream)
    if not isinstance(first, ev.GameCreated):
        raise ValueError("a game begins with GameCreated")
    return evolve_all(begin(first, systems), stream, systems)


def put(mapping: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    return MappingProxyType({**mapping, key: value})


def without(mapping: Mapping[K, V], *keys: K) -> Mapping[K, V]:
    return MappingProxyType({k: v for k, v in mapping.items() if k not in keys})


def with_seat(game: Game, seat: Seat) -> Game:
    return altered(game, seats=put(game.seats, seat.id, seat))


def unblocked(game: Game, at: datetime) -> Game:
    """Something stood in the way of processing the turn early, and does so no longer."""
    return game if game.deadline is None else altered(game, deadline=replace(game.deadline, cleared_at=at))


_PACE = ("early", "early_delay", "no_mistakes")
"""Settings that may make early processing possible."""


def _setting_changed(game: Game, event: ev.SettingChanged, systems: Systems) -> Game:
    settings = with_setting(game.settings, event.name, event.new)
    system = systems(settings) if event.name in OF_THE_SYSTEM else game.system
    version = game.rules_version + (game.stage is Stage.RUNNING)
    decided = game.decided | {event.name}
    if event.name in _PACE:
        game = unblocked(game, event.at)
    return altered(game, settings=settings, system=system, rules_version=version, decided=decided)


def _opened(game: Game, event: ev.GameOpened) -> Game:
    return altered(game, stage=Stage.OPEN)


def _drawn(game: Game, event: ev.PowersDrawn) -> Game:
    seats = {key: replace(seat, powers=tuple(event.powers.get(key, ()))) for key, seat in game.seats.items()}
    return altered(game, seats=MappingProxyType(seats), seed=event.seed)


def _started(game: Game, event: ev.GameStarted) -> Game:
    position = position_of(event.position, game.board)
    chart = MappingProxyType({position.phase.year - 1: _count(position)})
    return altered(
        game, stage=Stage.RUNNING, position=position, chart=chart, turn_opened_at=event.at, secret=event.secret
    )


def _deadline(game: Game, event: ev.DeadlineSet) -> Game:
    # A rung that had already passed when the deadline was set would only repeat the letter that announced it.
    passed = frozenset(h for h in game.settings.reminders if event.deadline - timedelta(hours=h) <= event.at)
    phase = Phase.read(event.phase)
    deadline = Deadline(phase, event.deadline, event.version, passed, set_at=event.at, planned=event.deadline)
    if (old := game.deadline) is not None and old.phase == phase:
        grants = (*old.grants, _grant(old, event))
        planned, before = old.planned or old.at, old if old.called else old.before
        deadline = replace(deadline, planned=planned, before=before, grants=grants, nudged=old.nudged)
        deadline = replace(deadline, cleared_at=old.cleared_at)
    game = altered(game, deadline=deadline)
    if event.why == "correction":
        return altered(game, courtesy=False)
    if event.why == "takeover":
        return with_seat(game, replace(game.seats[event.by], offer=False))
    if not event.free:
        return game
    person = game.seats[event.by].person or 0
    return altered(game, extensions=put(game.extensions, person, game.extensions.get(person, 0) + 1))


def _grant(old: Deadline, event: ev.DeadlineSet) -> Grant:
    return Grant(event.at, event.by, event.why, event.asked, event.span or event.deadline - old.at)


def _filed(game: Begun, event: ev.OrdersFiled) -> Game:
    lines = filed_from_json(event.lines, game.position, event.power)
    before = game.sheets.get(event.power)
    undo = before.undo if before and before.number == event.number else before.lines if before else ()
    faults = faults_from_json(event.faults)
    sheet = Sheet(event.power, event.phase, event.number, lines, faults, event.at, event.mail, undo)
    game = altered(game, sheets=put(game.sheets, event.power, sheet))
    seat = game.seat_of(event.power)
    if seat is None or not seat.filled or "orders" in seat.begun or not lines:
        return game
    return with_seat(game, replace(seat, begun=seat.begun | {"orders"}))


def _wait(game: Game, event: ev.WaitChanged) -> Game:
    seat = game.seats[event.seat]
    if event.phase:
        waits = seat.waits | {event.phase} if event.on else seat.waits - {event.phase}
        return with_seat(game, replace(seat, waits=waits))
    by_itself = event.by == "judge"  # at a moment for which everybody has reckoned
    if seat.wait and not event.on and not by_itself and game.deadline is not None and not game.deadline.called:
        game = unblocked(game, event.at)
    return with_seat(game, replace(seat, wait=event.on, wait_until=event.until if event.on else None))


def _adjudicated(game: Running, event: ev.PhaseAdjudicated) -> Game:
    game = altered(remember(game, event), results_version=event.version, notes=(), turn_opened_at=event.at)
    game = altered(game, withdrawals=withdrawals_of(game, event))
    return _arrive(game, position_of(event.after, game.board))


def _skipped(game: Begun, event: ev.PhaseSkipped) -> Game:
    return _arrive(game, position_of(event.after, game.board))


def _arrive(game: Begun, position: Position) -> Game:
    """The next phase: keep what was written for it, count centres when a year's ownership is settled."""
    left, calendar = game.position.phase, game.calendar
    printed = {number: sent for number, sent in game.outgoing.items() if not sent.postal}
    game = altered(game, outgoing=MappingProxyType(printed))
    chart, seats, split = game.chart, game.seats, game.split
    if calendar.is_capture(left):
        chart = MappingProxyType({**chart, left.year: _count(position)})
    played = (
        {power: sheet.lines for power, sheet in game.sheets.items()} if left.kind is PhaseKind.MOVES else game.played
    )
    if split and position.phase not in divided(game.system.rules, game.settings.seasons, "").calendar.turn_of(left):
        split = ""
    if position.phase not in calendar.turn_of(left):
        turn = {str(phase) for phase in calendar.turn_of(position.phase)}
        seats = MappingProxyType({key: _next_turn(seat, turn) for key, seat in seats.items()})
    sheets = _carried(game, left, position.phase)
    played = MappingProxyType(dict(played))
    return altered(
        game, position=position, chart=chart, seats=seats, sheets=sheets, split=split, played=played,
        deeds=MappingProxyType({}),
    )  # fmt: skip


def withdrawals_of(game: Game, event: ev.PhaseAdjudicated) -> tuple[Withdrawal, ...]:
    """What became of dislodged units, as far as this phase settles it; moves begin again."""
    kind = Phase.read(event.phase).kind
    found = [] if kind is PhaseKind.MOVES else list(game.withdrawals)
    told = [
        stored
        for stored in event.outcomes
        if kind is PhaseKind.RETREATS or (kind is PhaseKind.MOVES and Result.DISBANDED in stored["results"])
    ]
    units = units_of(position_of(event.before, game.board)) if told else {}
    for order, end in outcomes_from_json(told, units):
        assert not isinstance(order, (Build, Waive))  # none but in the adjustments
        unit = order.unit
        gone = Result.DISBANDED in end.results
        if isinstance(order, Retreat) or gone:
            to = province_of(order.to) if isinstance(order, Retreat) and not gone else ""
            found.append(Withdrawal(unit.power, unit.kind, province_of(unit.at), to))
    return tuple(found)


def _next_turn(seat: Seat, turn: Collection[str]) -> Seat:
    begun = seat.begun | {"moves"} if "orders" in seat.begun else seat.begun
    waits = seat.waits - set(turn)
    return replace(seat, wait=waits != seat.waits, wait_until=None, waits=waits, offer=False, begun=begun)


def _carried(game: Game, left: Phase, reached: Phase) -> Mapping[str, Sheet]:
    """Orders for the phase just left are history; what was written for later ones stays on file."""
    if not game.sheets:
        return game.sheets
    kept: dict[str, Sheet] = {}
    history, present = str(left), str(reached)
    for power, sheet in game.sheets.items():
        lines = tuple(line for line in sheet.lines if line.phase != history)
        faults = tuple(fault for fault in sheet.faults if fault.phase != history)
        if lines or faults:
            kept[power] = replace(sheet, phase=present, lines=lines, faults=faults, undo=None)
    return MappingProxyType(kept)


def _count(position: Position) -> Mapping[str, int]:
    return MappingProxyType({power: len(position.centres(power)) for power in position.board.powers})


def _noted(game: Game, event: ev.NoteWritten) -> Game:
    return altered(game, notes=(*game.notes, event.text))


def _press_between_players(settings: Settings) -> str:
    if not settings.press or not (settings.partial_press or settings.broadcast_press):
        return "none"
    return "full" if settings.partial_press else "public"


def _ended(game: Game, event: ev.GameEnded) -> Game:
    ending = Ending(event.how, event.powers, event.reason, event.at, _press_between_players(game.settings))
    return altered(game, stage=Stage.ENDED, ending=ending, deadline=None, votes=MappingProxyType({}))


FEATURE = Feature(
    evolve={
        ev.GameOpened: _opened,
        ev.PowersDrawn: _drawn,
        ev.GameStarted: _started,
        ev.DeadlineSet: _deadline,
        ev.OrdersFiled: _filed,
        ev.WaitChanged: _wait,
        ev.PhaseAdjudicated: _adjudicated,
        ev.PhaseSkipped: _skipped,
        ev.NoteWritten: _noted,
        ev.GameEnded: _ended,
    }
)

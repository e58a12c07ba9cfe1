"""Private games for one person: practice of three phases against units that nobody orders, and sandboxes, in which one
person orders for every power, goes back, and edits the position.

In practice the other powers have no seat: their units stand, and disband where they are driven out, as in civil
disorder. A phase is played as soon as the orders are complete, or when the player says so. The game has no Gamemaster,
counts nowhere, ends by itself after the third phase or when nothing is ordered for two weeks, and is cleared away a
month later. A sandbox is such a game without end in which the player orders for every power.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from judge.adjudicate import adjudicate
from judge.board.phase import PhaseKind
from judge.board.position import Position, position_from_json, position_to_json
from judge.game.clock.clockwork import moment_of
from judge.game.clock.schedule import first_deadline
from judge.game.core import events as ev
from judge.game.core.commands import Command, Context, Decision, Lot, Refusal, Role
from judge.game.core.evolve import Feature, OwnClock, Systems, begin, evolve
from judge.game.core.model import Begun, Game, Played, Running, Stage, noted
from judge.game.core.parts import EMPTY, Practice, Sandbox
from judge.game.filing.standing import asked
from judge.game.repair.changes import changes_to_json
from judge.game.repair.correcting import rearranged
from judge.game.settings.redrawn import OF_THE_SYSTEM
from judge.game.settings.table import Settings, settings_from_text, settings_to_text
from judge.languages import tell, told_later
from judge.orders.spelled import listed
from judge.rules import Rules

PHASES = 3
"""Phases of a practice game in which its player is asked for something."""

"""How long a practice game that is over can still be looked at."""
SEAT = "1"

ALONE: Mapping[str, str] = {
    "moves": "14d",
    "retreats": "14d",
    "adjustments": "14d",
    "early_delay": "0m",
    "reminders": "none",
    "nmr": "hold",
    "extensions": "0",
    "press": "none",
    "explain": "yes",
    "listed": "no",
    "waiting_shown": "no",
}
"""The house rules of a practice game, where they are not the usual ones."""


_REST: Mapping[PhaseKind, str] = {
    PhaseKind.MOVES: told_later("; units without an order hold"),
    PhaseKind.RETREATS: told_later("; units without a retreat are disbanded"),
    PhaseKind.ADJUSTMENTS: told_later("; builds without an order lapse"),
}
"""What becomes of what was not ordered."""


@dataclass(frozen=True, slots=True)
class GoOn(Command):
    """Play the phase with what is on file; units without an order hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeBegun(ev.Event, told=""):
    """This is a practice game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseReleased(ev.Event, told="phase"):
    """The player of a practice game wants the phase played with what is on file."""

    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeCleared(ev.Event, told=""):
    """The practice game has been over for a while: its card and its seat are taken out of the index."""


def practice_game(key: str, person: int, power: str, zone: str, now: datetime, lot: Lot, systems: Systems) -> Decision:
    """All events that make a practice game and begin it. `power`: "" for one by lot."""
    settings = settings_from_text({**ALONE, "zone": zone})
    created = ev.GameCreated(at=now, key=key, gm=0, settings=settings_to_text(settings))
    game = begin(created, systems)
    seed = lot()
    powers = game.rules.for_players(game.board)
    chosen = power or powers[seed % len(powers)]
    position = game.rules.start(game.board)
    events: list[ev.Event] = [
        created,
        PracticeBegun(at=now, by=SEAT),
        ev.PlayerJoined(at=now, by=SEAT, seat=SEAT, person=person, tenure=1),
        ev.PowersDrawn(at=now, seed=seed, powers={SEAT: [chosen]}),
        ev.GameStarted(at=now, position=position_to_json(position)),
    ]
    for event in events[1:]:
        game = evolve(game, event, systems)
    due = first_deadline(game, now)
    events.append(ev.DeadlineSet(at=now, phase=str(position.phase), deadline=due, version=1, why="start"))
    return Decision(tuple(events), said=tell("Your practice game {key} has begun.", key=key))


def go_on(game: Game, command: GoOn, context: Context) -> Decision | Refusal:
    """The player will order nothing more for this phase."""
    if game.practice is None or game.stage is not Stage.RUNNING or game.position is None:
        return Refusal("not-running", tell("{game} is over.", game=game.key), mend="practice")
    if context.actor.role is not Role.PLAYER:
        return Refusal(
            "no-seat", tell("{game} is a practice game of somebody else; they alone go on in it.", game=game.key)
        )
    phase = game.position.phase
    faults = [fault for sheet in game.sheets.values() for fault in sheet.faults]
    if wrong := sorted({fault.line for fault in faults if fault.mail and fault.mail == context.actor.mail}):
        sentence = (
            tell(
                'Line {line} was not taken, so nothing is played yet. Put it right, or send "process" once more to '
                "play without it.",
                line=wrong[0],
            )
            if len(wrong) == 1
            else tell(
                'Lines {lines} were not taken, so nothing is played yet. Put them right, or send "process" once more '
                "to play without them.",
                lines=listed(map(str, wrong)),
            )
        )
        return Refusal("not-taken", sentence)
    event = PhaseReleased(at=context.now, by=context.seat, phase=str(phase))
    rest = tell(_REST[phase.kind]) if phase.kind in _REST else ""
    return Decision(
        (event,), said=tell("{phase} are played at once{rest}.", phase=game.calendar.title(phase), rest=rest)
    )


# --- the clock ----------------------------------------------------------------------------------------------------


def phases_played(game: Game) -> int:
    """How many phases were played in which the player was asked for something."""
    return sum(_was_asked(game, played) for played in game.past)


def _was_asked(game: Game, played: Played) -> bool:
    powers = {power for seat in game.seats.values() for power in seat.powers}
    position = played.before.position
    return position is not None and bool(powers.intersection(asked(position, game.rules)))


def _over(game: Game, event: ev.PhaseAdjudicated) -> tuple[ev.Event, ...]:
    if (
        game.practice is None
        or game.sandbox is not None
        or not _was_asked(game, game.past[-1])
        or phases_played(game) != PHASES
    ):
        return ()
    return (ev.GameEnded(at=event.at, how="practice"),)


def _left(game: Game, event: ev.SeatVacated) -> tuple[ev.Event, ...]:
    if game.practice is None or game.stage is not Stage.RUNNING:
        return ()
    return (ev.GameEnded(at=event.at, how="practice", reason="left"),)


# --- state --------------------------------------------------------------------------------------------------------


def _practice_begun(game: Game, event: PracticeBegun) -> Game:
    return replace(game, practice=Practice(), stage=Stage.OPEN)


def _released(game: Game, event: PhaseReleased) -> Game:
    assert game.practice is not None
    return replace(game, practice=replace(game.practice, released=event.at, phase=event.phase))


def _cleared(game: Game, event: PracticeCleared) -> Game:
    assert game.practice is not None
    return replace(game, practice=replace(game.practice, cleared=True))


KEPT = timedelta(days=30)
"""How long a sandbox stays without a mail."""
FADING = timedelta(days=5)
"""How long before that its player is told."""

_SETTINGS: Mapping[str, str] = {**ALONE, **dict.fromkeys(("moves", "retreats", "adjustments"), f"{KEPT.days}d")}
_OF_THE_BOARD = (*OF_THE_SYSTEM, "players")
"""Settings that say what is played, and with which rules."""


@dataclass(frozen=True, slots=True)
class ShareSandbox(Command):
    """Whether others may read the sandbox, and go on from it on a board of their own."""

    on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxBegun(ev.Event, told="source"):
    """This is a sandbox; `position`: where it begins, `source`: the game that it is from."""

    position: ev.Json
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxUsed(ev.Event, told=""):
    """Its player writes orders: it stays for another month, and what is complete is played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxShared(ev.Event, told="on"):
    """Others may read it, and go on from it; or may no more."""

    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxFading(ev.Event, told=""):
    """Its player is told that it will go."""


def board_settings(settings: Settings) -> dict[str, str]:
    """What a sandbox takes over from the settings of a game."""
    told = settings_to_text(settings)
    return {name: told[name] for name in _OF_THE_BOARD if told.get(name)}


def sandbox_game(
    key: str, person: int, of: Mapping[str, str], zone: str, now: datetime, lot: Lot, systems: Systems, *,
    position: Position | None = None, source: str = "",
) -> Decision:  # fmt: skip
    """All events that make a sandbox. `of`: texts of settings that say which board and rules; `position`: of the game
    `source`, None for the board's own.
    """
    settings = settings_from_text({**_SETTINGS, **of, "zone": zone})
    created = ev.GameCreated(at=now, key=key, gm=0, settings=settings_to_text(settings))
    game = begin(created, systems)
    start = _talked_over(position or game.rules.start(game.board), game.rules)
    stored, seed = position_to_json(start), lot()
    powers = list(game.rules.for_players(game.board))
    return Decision(
        (
            created,
            SandboxBegun(at=now, by=SEAT, position=stored, source=source),
            ev.PlayerJoined(at=now, by=SEAT, seat=SEAT, person=person, tenure=1),
            ev.PowersDrawn(at=now, seed=seed, powers={SEAT: powers}),
            ev.GameStarted(at=now, position=stored, secret=seed),
            ev.DeadlineSet(at=now, phase=str(start.phase), deadline=now + KEPT, version=1, why="start"),
        ),
        said=tell("Your sandbox {key} has begun.", key=key),
    )


def _talked_over(position: Position, rules: Rules) -> Position:
    """The position at the next phase in which anything is ordered: alone one has nobody to talk to."""
    while position.phase.kind is PhaseKind.TALKS:
        position = adjudicate(position, [], rules).after
    return position


def not_here(game: Game, context: Context) -> Refusal | None:
    """Why whoever asks has no sandbox here; None where it is theirs."""
    if game.sandbox is None:
        return Refusal(
            "no-sandbox",
            tell("{game} is not a sandbox. A Gamemaster takes results of a game back with `rollback`.", game=game.key),
            mend=f"sandbox {game.key}",
        )
    if context.actor.role is not Role.PLAYER or not isinstance(game, Begun):
        return Refusal("private", tell("{game} is somebody else's sandbox.", game=game.key), mend=f"sandbox {game.key}")
    return None


def share(game: Begun, command: ShareSandbox, context: Context) -> Decision | Refusal:
    """Let others read it, or no more."""
    if (refusal := not_here(game, context)) is not None:
        return refusal
    if sandbox_of(game).shared is command.on:
        return Decision(said=_said_of_sharing(game, on=command.on))
    event = SandboxShared(at=context.now, by=context.seat, on=command.on)
    return Decision((event,), said=_said_of_sharing(game, on=command.on))


def _said_of_sharing(game: Game, *, on: bool) -> str:
    if not on:
        return tell(
            "Nobody else may look into {game} now; boards that were begun from it stay with their owners.",
            game=game.key,
        )
    return tell(
        "Whoever knows its name may look into {game} now (history {game}) and begin a board "
        "of their own from it: sandbox {game}",
        game=game.key,
    )


def sandbox_of(game: Game) -> Sandbox:
    """What a game that is a sandbox knows of itself."""
    assert game.sandbox is not None
    return game.sandbox


# --- the clock ----------------------------------------------------------------------------------------------------


def next_moment(game: Game) -> datetime | None:
    """When a practice game is given up, or cleared away; of a sandbox also when its player is told that it will go."""
    if game.practice is None or game.practice.cleared:
        return None
    sandbox = game.sandbox
    if game.ending is not None:
        given_up = sandbox is not None and game.ending.how == "practice"
        return game.ending.at + (timedelta(days=1) if given_up else KEPT)
    if game.deadline is None:
        return None
    return game.deadline.at if sandbox is None or sandbox.fading else game.deadline.at - FADING


def events_due(game: Game, now: datetime, lot: Lot) -> tuple[ev.Event, ...]:
    """Give up a game in which nobody orders anything any more; clear away one that is long over. The player of a
    sandbox has a word of that some days ahead.
    """
    moment = next_moment(game)
    if moment is None or now < moment:
        return ()
    if game.stage is Stage.ENDED:
        return (PracticeCleared(at=now),)
    lapsed = ev.GameEnded(at=now, how="practice", reason="lapsed")
    if game.sandbox is None:
        return (lapsed,) if moment_of(game) is None else ()
    return (lapsed if game.sandbox.fading else SandboxFading(at=now),)


def _used(game: Game, event: ev.OrdersFiled) -> tuple[ev.Event, ...]:
    """Orders for a sandbox keep it for another month, noted once a day."""
    if game.sandbox is None or game.deadline is None:
        return ()
    stale = event.at + KEPT - game.deadline.at >= timedelta(days=1)
    return (SandboxUsed(at=event.at, by=event.by),) if stale or game.sandbox.paused else ()


# --- state --------------------------------------------------------------------------------------------------------


def _begun(game: Game, event: SandboxBegun) -> Game:
    start = position_from_json(event.position, game.board)
    return replace(game, practice=Practice(sandbox=Sandbox(start, event.source)), stage=Stage.OPEN)


def kept_on(game: Game, event: ev.Event, *, paused: bool) -> Game:
    """The sandbox after a mail to it: it stays for another month."""
    sandbox = replace(sandbox_of(game), paused=paused, fading=False)
    deadline = game.deadline and replace(game.deadline, at=event.at + KEPT)
    return replace(game, practice=Practice(sandbox=sandbox), deadline=deadline)


def _in_use(game: Game, event: SandboxUsed) -> Game:
    return kept_on(game, event, paused=False)


def _shared(game: Game, event: SandboxShared) -> Game:
    assert game.practice is not None
    return replace(game, practice=replace(game.practice, sandbox=replace(sandbox_of(game), shared=event.on)))


def _fading(game: Game, event: SandboxFading) -> Game:
    assert game.practice is not None
    return replace(game, practice=replace(game.practice, sandbox=replace(sandbox_of(game), fading=True)))


START = "start"
"""Of `StepBack`: where the sandbox began."""


@dataclass(frozen=True, slots=True)
class StepBack(Command):
    """`go back`: so many phases, or to the one named, with the orders that were given then; START: where it began."""

    phase: str = ""
    steps: int = 1


@dataclass(frozen=True, slots=True)
class EditBoard(Command):
    """`edit CHANGE; CHANGE`: units and centres are put where the words say, the phase too."""

    changes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SteppedBack(ev.Event, told="phase,void"):
    """The board stands again as ahead of `phase`; the phases `void` were not played. `start`: it is where it began."""

    phase: str
    void: tuple[str, ...]
    start: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardEdited(ev.Event, told="phase,changes"):
    """The position was put so by hand. `version`: of what stands there, for pictures; `changes`: in its author's words;
    `edits`: as facts (`judge.game.repair.changes`), none in older logs.
    """

    phase: str
    version: int
    position: ev.Json
    changes: tuple[str, ...]
    edits: tuple[ev.Json, ...] = ()


def step_back(game: Begun, command: StepBack, context: Context) -> Decision | Refusal:
    """Play no longer stands since a phase; the orders given then are on file again."""
    if (refusal := not_here(game, context)) is not None:
        return refusal
    codes = [played.event.phase for played in game.past]
    if command.phase == START:
        start = str(sandbox_of(game).start.phase)
        event = SteppedBack(at=context.now, by=context.seat, phase=start, void=tuple(codes), start=True)
        return Decision((event,), said=tell("{game} is where it began.", game=game.key))
    found = [place for place, code in enumerate(codes) if code == command.phase]
    if not codes or (command.phase and not found):
        return _not_reached(game, command.phase, codes)
    void = tuple(codes[found[0] if command.phase else -min(command.steps, len(codes)) :])
    event = SteppedBack(at=context.now, by=context.seat, phase=void[0], void=void)
    return Decision(
        (event,),
        said=tell(
            "{game} is at {void} again, with the orders that you gave then.",
            game=game.key,
            void=game.calendar.title(void[0]),
        ),
    )


def _not_reached(game: Game, phase: str, codes: Iterable[str]) -> Refusal:
    known = ", ".join(codes)
    if not known:
        return Refusal("nothing-played", tell("Nothing was played here yet, so there is no phase to go back to."))
    sentence = tell(
        "{phase} is not among the last phases that were played here: {known}.",
        phase=game.calendar.label(phase),
        known=known,
    )
    return Refusal("no-such-results", sentence, mend="back to the beginning")


def edit(game: Begun, command: EditBoard, context: Context) -> Decision | Refusal:
    """All changes or none: what is wrong with them is said at once."""
    if (refusal := not_here(game, context)) is not None:
        return refusal
    if game.stage is not Stage.RUNNING:
        return Refusal(
            "game-over", tell("{game} has been won; go back a phase and edit that.", game=game.key), mend="go back"
        )
    found = rearranged(game.position, command.changes, game.rules, sandbox_of(game).start)
    if isinstance(found, Refusal):
        return found
    version = max((game.results_version, *game.versions.values())) + 1
    event = BoardEdited(
        at=context.now, by=context.seat, phase=str(found.position.phase), version=version,
        position=position_to_json(found.position), changes=found.changes,
        edits=tuple(changes_to_json(found.made)),
    )  # fmt: skip
    return Decision((event,), said=tell("The position is changed."))


def _stepped_back(game: Begun, event: SteppedBack) -> Game:
    """As it stood then; the numbers of what was played since are given out, so that no picture shows another's."""
    then = _beginning(game) if event.start else _ahead_of(game, event.phase)
    deadline = game.deadline or then.deadline
    assert deadline is not None
    number = max(deadline.version, then.deadline.version if then.deadline else 0) + 1
    versions = {phase: max(game.versions.get(phase, 0), 1) for phase in event.void}
    seats = {key: replace(seat, wait=False, waits=frozenset()) for key, seat in game.seats.items()}
    back = replace(
        then, seq=game.seq, practice=game.practice, stage=Stage.RUNNING, ending=None, seats=MappingProxyType(seats),
        versions=noted(game.versions, versions), turn_opened_at=event.at, press_sent=game.press_sent,
        deadline=replace(deadline, phase=then.phase, version=number, set_at=event.at, called=False),
    )  # fmt: skip
    return kept_on(back, event, paused=True)


def _ahead_of(game: Begun, phase: str) -> Begun:
    place = next(i for i, played in enumerate(game.past) if played.event.phase == phase)
    return replace(game.past[place].before, past=game.past[:place])


def _beginning(game: Begun) -> Begun:
    start = sandbox_of(game).start
    return replace(
        game, position=start, chart=_chart_of(start, EMPTY), sheets=EMPTY, played=EMPTY, kept=EMPTY, deeds=EMPTY,
        withdrawals=(), split="", past=(), results_version=1,
    )  # fmt: skip


def _chart_of(position: Position, years: Mapping[int, Mapping[str, int]]) -> Mapping[int, Mapping[str, int]]:
    """The chart whose last line is what the centres are now."""
    last = position.phase.year - 1
    counts = MappingProxyType({power: len(position.centres(power)) for power in position.board.powers})
    known = years if last - 1 in years else {}
    return MappingProxyType({**{year: line for year, line in known.items() if year < last}, last: counts})


def _edited(game: Running, event: BoardEdited) -> Game:
    """Orders for units that are gone or elsewhere go; so do all where another phase is to be played."""
    position = position_from_json(event.position, game.board)
    same = position.phase == game.position.phase
    there = {unit.id for unit in game.position.units if unit in position.units}
    sheets = {
        power: replace(sheet, lines=tuple(line for line in sheet.lines if line.unit in there), undo=None)
        for power, sheet in game.sheets.items()
        if same
    }
    edited = replace(
        game, position=position, sheets=MappingProxyType(sheets), deeds=game.deeds if same else EMPTY,
        chart=game.chart if same and position.owners == game.position.owners else _chart_of(position, game.chart),
        withdrawals=game.withdrawals if same else (), split="", results_version=event.version,
        versions=noted(game.versions, {**_published(game), event.phase: event.version}),
        deadline=replace(game.deadline, phase=position.phase, version=game.deadline.version + 1),
        turn_opened_at=event.at,
    )  # fmt: skip
    return kept_on(edited, event, paused=True)


def _published(game: Game) -> dict[str, int]:
    """The versions of what was played: a phase that is played again after an edit is another."""
    return {played.event.phase: max(game.versions.get(played.event.phase, 0), 1) for played in game.past}


FEATURE = Feature(
    evolve={
        SandboxBegun: _begun,
        SandboxUsed: _in_use,
        SandboxShared: _shared,
        SandboxFading: _fading,
        SteppedBack: _stepped_back,
        BoardEdited: _edited,
        PracticeBegun: _practice_begun,
        PhaseReleased: _released,
        PracticeCleared: _cleared,
    },
    decide={
        ShareSandbox: share,
        StepBack: step_back,
        EditBoard: edit,
        GoOn: go_on,
    },
    follow={
        ev.OrdersFiled: _used,
        ev.PhaseAdjudicated: _over,
        ev.SeatVacated: _left,
    },
    clock=OwnClock(next_moment, events_due, alone=True),
)

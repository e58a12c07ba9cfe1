"""Practice: a private game of three phases for one person, against units that nobody orders.

The other powers have no seat: their units stand, and disband where they are driven out, as in civil disorder. A phase
is played as soon as the orders are complete, or when the player says so. The game has no Gamemaster, counts nowhere,
ends by itself after the third phase or when nothing is ordered for two weeks, and is cleared away a month later.
A sandbox is such a game without end in which the player orders for every power: `judge.game.table.sandbox`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.board.phase import PhaseKind
from judge.board.position import position_to_json
from judge.game.clock.clockwork import moment_of
from judge.game.clock.schedule import first_deadline
from judge.game.core import events as ev
from judge.game.core.commands import Command, Context, Decision, Lot, Refusal, Role
from judge.game.core.evolve import Systems, begin, evolve
from judge.game.core.model import Game, Played, Stage
from judge.game.core.parts import Practice
from judge.game.core.registry import Feature, OwnClock
from judge.game.filing.standing import asked
from judge.game.settings.table import settings_from_text, settings_to_text
from judge.languages import tell, told_later
from judge.orders.spelled import listed

PHASES = 3
"""Phases of a practice game in which its player is asked for something."""
KEPT = timedelta(days=30)
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
    rest = _REST.get(phase.kind, "")
    return Decision(
        (event,), said=tell("{phase} are played at once{rest}.", phase=game.calendar.title(phase), rest=rest)
    )


# --- the clock ----------------------------------------------------------------------------------------------------


def next_moment(game: Game) -> datetime | None:
    """When a practice game is given up, or cleared away."""
    if game.practice is None or game.practice.cleared or game.sandbox is not None:
        return None
    if game.ending is not None:
        return game.ending.at + KEPT
    return game.deadline.at if game.deadline is not None else None


def events_due(game: Game, now: datetime, lot: Lot) -> tuple[ev.Event, ...]:
    """Give up a game in which nobody orders anything any more; clear away one that is long over."""
    moment = next_moment(game)
    if moment is None or now < moment:
        return ()
    if game.stage is Stage.ENDED:
        return (PracticeCleared(at=now),)
    return (ev.GameEnded(at=now, how="practice", reason="lapsed"),) if moment_of(game) is None else ()


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


def _begun(game: Game, event: PracticeBegun) -> Game:
    return replace(game, practice=Practice(), stage=Stage.OPEN)


def _released(game: Game, event: PhaseReleased) -> Game:
    assert game.practice is not None
    return replace(game, practice=replace(game.practice, released=event.at, phase=event.phase))


def _cleared(game: Game, event: PracticeCleared) -> Game:
    assert game.practice is not None
    return replace(game, practice=replace(game.practice, cleared=True))


FEATURE = Feature(
    evolve={PracticeBegun: _begun, PhaseReleased: _released, PracticeCleared: _cleared},
    decide={GoOn: go_on},
    follow={ev.PhaseAdjudicated: _over, ev.SeatVacated: _left},
    clock=OwnClock(next_moment, events_due, alone=True),
)

"""Games that begin by themselves: so long after the last seat is taken, unless somebody gives theirs up again.

The time between is for preferences, and for whoever finds that they cannot play after all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from judge.game.core import events as ev
from judge.game.core.commands import Actor, Role, Start
from judge.game.core.decision import Context, Decision, Lot
from judge.game.core.model import Game, Stage
from judge.game.core.registry import Feature, OwnClock
from judge.game.table.seating import start
from judge.pace import later
from judge.spans import zone_info

CLOCK_ACTOR = Actor(Role.JUDGE, "judge")


@dataclass(frozen=True, slots=True, kw_only=True)
class StartScheduled(ev.Event, told="begins"):
    """All seats are taken: the game begins by itself at `begins`."""

    begins: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCalledOff(ev.Event, told=""):
    """The game does not begin by itself: a seat is free again, or the house rules are others."""

    free: bool = True
    """Whether a seat is free."""


def begins(game: Game) -> datetime | None:
    """When the game begins by itself; None if it does not."""
    return game.begins if game.stage is Stage.OPEN and game.practice is None else None


def _full(game: Game) -> bool:
    return game.stage is Stage.OPEN and game.practice is None and len(game.seats) >= game.settings.players


def _joined(game: Game, event: ev.PlayerJoined) -> tuple[ev.Event, ...]:
    return _schedule(game, event.at)


def _left(game: Game, event: ev.SeatVacated) -> tuple[ev.Event, ...]:
    return (StartCalledOff(at=event.at),) if begins(game) is not None else ()


def _changed(game: Game, event: ev.SettingChanged) -> tuple[ev.Event, ...]:
    """Another span counts from the change; without one the Gamemaster starts the game."""
    if event.name != "autostart":
        return ()
    if game.settings.autostart is None and begins(game) is not None:
        return (StartCalledOff(at=event.at, free=False),)
    return _schedule(game, event.at)


def _schedule(game: Game, now: datetime) -> tuple[ev.Event, ...]:
    span = game.settings.autostart
    if span is None or not _full(game):
        return ()
    return (StartScheduled(at=now, begins=later(now, span, zone_info(game.settings.zone))),)


def events_due(game: Game, now: datetime, lot: Lot) -> tuple[ev.Event, ...]:
    """The events that draw the powers and begin the game, or call that off, once its moment has come."""
    moment = begins(game)
    if moment is None or now < moment:
        return ()
    decision = start(game, Start(), Context(CLOCK_ACTOR, now, lot))
    return decision.events if isinstance(decision, Decision) else (StartCalledOff(at=now, free=False),)


def _scheduled(game: Game, event: StartScheduled) -> Game:
    return replace(game, begins=event.begins)


def _called_off(game: Game, event: StartCalledOff) -> Game:
    return replace(game, begins=None)


FEATURE = Feature(
    evolve={StartScheduled: _scheduled, StartCalledOff: _called_off},
    follow={ev.PlayerJoined: _joined, ev.SeatVacated: _left, ev.SettingChanged: _changed},
    clock=OwnClock(begins, events_due, stage=Stage.OPEN),
)

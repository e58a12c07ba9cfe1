"""Turns touched by an outage of the judge, or by time that it lost: their deadlines move, and all are told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.game.clock.schedule import moved
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game, Running
from judge.game.core.parts import Deadline
from judge.game.core.registry import Feature
from judge.languages import tell
from judge.pace import to_wall
from judge.spans import zone_info

LONG = timedelta(hours=2)
"""An outage that lasts longer moves the deadlines it touched."""
NEAR = timedelta(hours=24)
"""A deadline this near after the outage was touched by it too: the last hours are when orders are written."""

Away = tuple[datetime, datetime]
"""From when to when the judge was not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraceMoved(ev.Event, told="until"):
    """The suspension after a late call ends at another moment."""

    until: datetime
    version: int
    why: str = ""
    """ "outage", "restored", "returned"."""


def touched(deadline: Deadline, away: Away, *, least: timedelta = LONG) -> bool:
    """Whether an outage took away time that the players of this turn had been given."""
    since, until = away
    if until - since <= least or deadline.called:
        return False
    return (deadline.set_at or since) <= since and since < deadline.at <= until + NEAR


def make_up(game: Game, away: Away, now: datetime) -> tuple[ev.Event, ...]:
    """Give the time back; harmless when asked again, because what is set after the outage is not touched by it."""
    return give_back(game, away, now, why="outage", reason=_words(game, away))


def give_back(
    game: Game, away: Away, now: datetime, *, why: str, reason: str = "", least: timedelta = LONG
) -> tuple[ev.Event, ...]:
    """The deadline, or the end of grace, moved by a time longer than `least` in which the judge was of no use."""
    if not isinstance(game, Running) or game.held_since is not None:
        return ()
    since, until = away
    if touched(game.deadline, away, least=least):
        at = game.deadline.at + (until - since)
        judge = Actor(Role.JUDGE, "judge")
        return (moved(game, at, Context(judge, now), why=why, reason=reason),)
    return _grace(game.deadline, away, now, why=why, least=least)


def _grace(deadline: Deadline, away: Away, now: datetime, *, why: str, least: timedelta) -> tuple[ev.Event, ...]:
    since, until = away
    if deadline.grace is None or until - since <= least or (deadline.grace_set_at or since) > since:
        return ()
    if not since < deadline.grace <= until + NEAR:
        return ()
    return (GraceMoved(at=now, until=deadline.grace + (until - since), version=deadline.version, why=why),)


def _words(game: Game, away: Away) -> str:
    zone = zone_info(game.settings.zone)
    since, until = (f"{to_wall(moment, zone):%a %d %b %H:%M}" for moment in away)
    return tell(
        "the judge was out of reach from {since} to {until} ({zone})", since=since, until=until, zone=game.settings.zone
    )


def _moved(game: Game, event: GraceMoved) -> Game:
    if game.deadline is None or game.deadline.version != event.version:
        return game
    return replace(game, deadline=replace(game.deadline, grace=event.until, grace_set_at=event.at))


@dataclass(frozen=True, slots=True)
class TellLostTime(Command):
    """The judge was restored: what happened between these two moments is not known any more."""

    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLost(ev.Event, told="since,until"):
    """The game goes on from where it stood at `since`; what came up to `until` is lost."""

    since: datetime
    until: datetime


def tell_lost_time(game: Game, command: TellLostTime, context: Context) -> Decision | Refusal:
    """Tell the table, and give the time back however short it was: letters of it are of no use to anybody now."""
    if context.actor.role is not Role.JUDGE:
        return Refusal("judge-only", tell("Only the judge itself can do that."))
    told = TimeLost(at=context.now, by=str(Role.JUDGE), since=command.since, until=command.until)
    lost = (command.since, command.until)
    return Decision((told, *give_back(game, lost, context.now, why="restored", least=timedelta())))


def _nothing(game: Game, event: TimeLost) -> Game:
    return game


FEATURE = Feature(
    evolve={TimeLost: _nothing, GraceMoved: _moved},
    decide={TellLostTime: tell_lost_time},
)

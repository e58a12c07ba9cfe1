"""Turns touched by an outage of the judge: their deadlines move, so that nobody is late through our fault (L21).

Deadlines, and ends of grace, that an outage of more than two hours touched move by its length: the players lose no
time. A shorter one changes nothing but the moment of processing; mail that came meanwhile is read first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.game.clock.schedule import moved
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Role
from judge.game.core.decision import Context
from judge.game.core.model import Game, Running
from judge.game.core.parts import Deadline
from judge.game.core.registry import Feature
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
    return f"the judge was out of reach from {since} to {until} ({game.settings.zone})"


def _moved(game: Game, event: GraceMoved) -> Game:
    if game.deadline is None or game.deadline.version != event.version:
        return game
    return replace(game, deadline=replace(game.deadline, grace=event.until, grace_set_at=event.at))


FEATURE = Feature(
    evolve={GraceMoved: _moved},
)

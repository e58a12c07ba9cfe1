"""Games on hold: deadlines are suspended until a named day or until the Gamemaster resumes.

What a deadline or a grace lost meanwhile is given back on the days of the calendar, so that a game which is due on
Fridays is due on a Friday again; and nobody gets a second grace for one turn, or is late for it twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.board.phase import PhaseKind
from judge.game.clock.outages import GraceMoved
from judge.game.clock.schedule import moved, moved_on, on_short_notice, pace_of
from judge.game.core import events as ev
from judge.game.core.altering import altered
from judge.game.core.commands import Actor, Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.evolve import unblocked
from judge.game.core.model import Game, Running, Stage
from judge.game.core.moments import told
from judge.game.core.registry import Feature
from judge.pace import Pace, later
from judge.spans import zone_info

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class HoldGame(Command):
    """Stop the calendar; at `until` it goes on by itself."""

    reason: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """End a hold: the time lost is given back, on the days of the calendar."""

    deadline: datetime | None = None


def hold(game: Game, command: HoldGame, context: Context) -> Decision | Refusal:
    """Stop the calendar. A game that is on hold already gets another day on which it goes on."""
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", f"{game.key} is not running.")
    if command.until is not None and command.until <= context.now:
        return Refusal("in-the-past", "That moment has passed already; the game goes on as it is.")
    if game.held_since is not None and (command.until == game.held_until or game.replay is not None):
        return Refusal("held", f"{game.key} is on hold already.")
    reason = command.reason or game.held_reason
    event = ev.GameHeld(at=context.now, by=context.seat, reason=reason, until=command.until)
    ends = f"it goes on by itself on {told(command.until)}" if command.until else "it goes on when you send: resume"
    return Decision((event,), said=f"{game.key} is on hold; {ends}.")


def resume(game: Game, command: Resume, context: Context) -> Decision | Refusal:
    """Resume, with the lost time added to the deadline, or with the deadline that is named."""
    if not isinstance(game, Running) or game.held_since is None:
        return Refusal("not-held", f"{game.key} is not on hold.")
    if game.replay is not None:
        return Refusal("replay", f"{game.replay.phase} waits to be processed again.", mend="rollforward")
    if command.deadline is not None and command.deadline <= context.now:
        return Refusal("in-the-past", "That moment has passed already.", mend="resume")
    if command.deadline is not None and (sudden := on_short_notice(game, command.deadline, context.now)) is not None:
        return sudden
    resumed = ev.GameResumed(at=context.now, by=context.seat or str(context.actor.role))
    if command.deadline is None and game.deadline.called:
        return Decision((resumed, *_grace_again(game, context, game.held_since)), said=f"{game.key} goes on.")
    at = command.deadline or _deadline_again(game, game.held_since, context.now)
    event = moved(game, at, context, why="resumed")
    return Decision((resumed, event), said=f"{game.key} goes on, due by {told(event.deadline)}.{moved_on(game, event)}")


def goes_on(game: Game, now: datetime) -> tuple[ev.Event, ...]:
    """What happens on the day that was named when the game was put on hold; nothing before it."""
    if game.held_until is None or now < game.held_until:
        return ()
    decision = resume(game, Resume(), Context(Actor(Role.JUDGE, "judge"), now))
    return decision.events if isinstance(decision, Decision) else ()


def _deadline_again(game: Running, held: datetime, now: datetime) -> datetime:
    """The present deadline after a hold, on a day of the calendar."""
    kind, settings = game.position.phase.kind, game.settings
    pace = pace_of(game, game.position.phase)
    least = settings.min_phase if kind is PhaseKind.MOVES else settings.min_minor
    if pace.interval is not None:
        least = min(least, pace.interval / 2)
    lost_since = max(held, _set_anew(game))
    return _given_back(game, game.deadline.at, pace, since=lost_since, least=least, now=now)


def _grace_again(game: Running, context: Context, held: datetime) -> tuple[ev.Event, ...]:
    """The same grace with the time back that it lost; nothing where it has no end."""
    deadline, by = game.deadline, context.seat or str(context.actor.role)
    if deadline.grace is None:
        return ()
    since = max(held, deadline.grace_set_at or held)
    until = _given_back(game, deadline.grace, Pace(interval=DAY), since=since, least=DAY, now=context.now)
    return (GraceMoved(at=context.now, by=by, until=until, version=deadline.version, why="resumed"),)


def _given_back(game: Game, old: datetime, pace: Pace, *, since: datetime, least: timedelta, now: datetime) -> datetime:
    """The point of the calendar nearest to a moment and what it lost `since` then.

    It is no earlier than the moment was, and leaves at least half of what was left of it, or the `least` time of such
    a phase: an hour's hold does not cost a week.
    """
    wanted = old + (now - since)
    left = (old - since) / 2 if old > since else game.settings.min_notice
    earliest = max(old, now + min(left, least))
    points = [point for point in _points(game, old, pace, max(wanted, earliest)) if point >= earliest]
    return min(points, key=lambda point: (abs(point - wanted), wanted - point))


def _points(game: Game, old: datetime, pace: Pace, last: datetime) -> Iterator[datetime]:
    """An old deadline, and those that a calendar offers after it, to two beyond `last`: the points of a grid, or its
    hour on every day. What goes by hours goes on at once.
    """
    zone = zone_info(game.settings.zone)
    yield old
    if pace.interval is not None and pace.interval < DAY:
        yield last
        return
    offered = pace.points(old, zone) if pace.grid else (later(old, DAY * days, zone) for days in range(1, 10_000))
    beyond = 0
    for point in offered:
        yield point
        beyond += point > last
        if beyond == 2:
            return


_NAMED = ("set", "replacement", "resumed", "reopened")
"""Why a deadline was moved when that did not add to it, but put another in its place."""


def _set_anew(game: Running) -> datetime:
    """Since when the present deadline runs: the turn's opening, or the last time that it was computed from the moment.

    Somebody may process a game on hold, name another deadline, or push one that had passed; such a deadline has lost
    nothing before it was set.
    """
    due = game.deadline.at
    for grant in reversed(game.deadline.grants):
        due -= grant.added
        if grant.why in _NAMED or due < grant.at:
            return grant.at
    return game.turn_opened_at or game.created_at


def _held(game: Game, event: ev.GameHeld) -> Game:
    return altered(game, held_since=game.held_since or event.at, held_reason=event.reason, held_until=event.until)


def _resumed(game: Game, event: ev.GameResumed) -> Game:
    return altered(unblocked(game, event.at), held_since=None, held_reason="", held_until=None)


FEATURE = Feature(
    evolve={
        ev.GameHeld: _held,
        ev.GameResumed: _resumed,
    },
    decide={
        HoldGame: hold,
        Resume: resume,
    },
    gm_only=(
        HoldGame,
        Resume,
    ),
)

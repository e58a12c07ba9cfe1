"""The calendar of one game: when a turn is due, and how the Gamemaster moves that.

The weekly grid is anchored to the week, not to the moment at which a phase happens to open. After a slip a phase that
would be too short waits for the next point of the grid, so that the game is back on it within two turns (B17).
Days without deadlines and absences announced by players are skipped; a deadline once set stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, islice

from judge.game import events as ev
from judge.game.commands import Actor, Hold, Resume, SetDeadline
from judge.game.decision import Decision
from judge.game.model import Game, Stage
from judge.game.pace import Pace, later, time_between
from judge.game.quiet import day_of
from judge.game.refusal import Refusal
from judge.game.settings import Settings
from judge.game.spans import spell_span, zone_info
from judge.game.standing import standings

Lot = Callable[[], int]

_MOST_POINTS = 400
"""Points of a pace that are looked at before a calendar without any free day is given up on."""


IN_A_REGULAR_WEEK = 1 / 3
"""The share of its least length that a phase needs in a regular week: the grid rules there, but for accidents."""


@dataclass(frozen=True, slots=True)
class Opened:
    """How a turn opens: when, whether the one before it came later than planned, whether it is a split winter's."""

    at: datetime
    slipped: bool = False
    split: bool = False


def first_deadline(game: Game, now: datetime) -> datetime:
    """When the first phase is due if the game starts now; one run elsewhere may begin with retreats or builds."""
    settings = game.settings
    if game.imported is not None and game.imported.phase.kind != "M":
        pace = settings.retreats if game.imported.phase.kind == "R" else settings.adjustments
        return _free_point(game, pace, now, settings.min_minor)
    return _free_point(game, settings.first_moves or settings.moves, now, settings.min_phase)


def next_deadline(game: Game, opened: Opened) -> datetime:
    """When a turn is due that opens with the game's present phase."""
    assert game.position is not None
    kind, settings = game.position.phase.kind, game.settings
    pace = {"M": settings.moves, "R": settings.retreats, "A": settings.adjustments}[kind]
    if kind == "A" and opened.split and settings.late_adjustments is not None:
        pace = settings.late_adjustments
    least = settings.min_phase if kind == "M" else settings.min_minor
    if not opened.slipped:
        least *= IN_A_REGULAR_WEEK
    if kind != "M" and pace.grid:
        pace = _catching_up(pace, opened.at, settings, least)
    return _free_point(game, pace, opened.at, least)


def has_slipped(game: Game, now: datetime) -> bool:
    """Whether a turn that is processed now is off the calendar: later than planned, results and all, or earlier."""
    deadline = game.deadline
    if deadline is None:
        return False
    if now < deadline.at:
        return True
    return now > later(deadline.planned or deadline.at, game.settings.results_within, zone_info(game.settings.zone))


def results_due(game: Game) -> datetime | None:
    """Until when the results of this turn are promised (B13, B15); None where nothing is due."""
    if game.deadline is None:
        return None
    return later(game.deadline.at, game.settings.results_within, zone_info(game.settings.zone))


def _catching_up(pace: Pace, opened: datetime, settings: Settings, least: timedelta) -> Pace:
    """A retreat that has slipped too near to its day does not wait a week: it is due on another day, at its hour."""
    zone = zone_info(settings.zone)
    first = next(pace.points(opened, zone))
    return pace if time_between(opened, first, zone) >= least else pace.daily()


def _free_point(game: Game, pace: Pace, opened: datetime, least: timedelta) -> datetime:
    """The first point of a pace that leaves time enough and is neither quiet nor in an announced absence.

    An interval is its own least length. Where no day is free for a year or so, the rest of the rule goes first.
    """
    zone = zone_info(game.settings.zone)
    if pace.interval is not None:
        least = min(least, pace.interval / 2)
    points = (p for p in islice(pace.points(opened, zone), _MOST_POINTS) if time_between(opened, p, zone) >= least)
    absences = _absences(game, opened)
    first = next(points)
    for point in chain((first,), points):
        if is_quiet(game.settings, point, on_grid=bool(pace.grid)):
            continue
        if not any(since < point <= until for since, until in absences):
            return point
    return first


def is_quiet(settings: Settings, moment: datetime, *, on_grid: bool = False) -> bool:
    """Whether a day has no deadlines: a holiday, or, for intervals, a day of the week that is left free."""
    day = day_of(moment, zone_info(settings.zone))
    if any(day in holiday for holiday in settings.holidays):
        return True
    return bool(settings.days) and not on_grid and day.weekday() not in settings.days


def _absences(game: Game, opened: datetime) -> list[tuple[datetime, datetime]]:
    """Announced absences of players of whom this turn asks something."""
    away = [s for s in game.seats.values() if s.filled and any(absence.until > opened for absence in s.absences)]
    if not away:
        return []
    asked = {one.power for one in standings(game)} if game.deadline is not None else set(game.board.powers)
    needed = [seat for seat in away if not seat.powers or asked.intersection(seat.powers)]
    return [(gap.since, gap.until) for seat in needed for gap in seat.absences]


# --- the Gamemaster moves it --------------------------------------------------------------------------------------


def not_running(game: Game) -> Refusal | None:
    """Refuses what needs a deadline."""
    if game.stage is Stage.RUNNING and game.deadline is not None:
        return None
    return Refusal("not-running", f"{game.key} is not running, so it has no deadline.")


def set_deadline(game: Game, command: SetDeadline, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """The GM names a moment. Nearer than before only with `min_notice` to everybody (ruling 11a)."""
    if (refusal := not_running(game)) is not None:
        return refusal
    assert game.deadline is not None
    if command.at <= now:
        return Refusal("in-the-past", "That moment has passed already.")
    if command.at == game.deadline.at:
        return Decision(said="The deadline is that already.")
    if command.at < game.deadline.at and command.at < now + game.settings.min_notice:
        notice = spell_span(game.settings.min_notice)
        return Refusal(
            "short-notice", f"A deadline comes nearer only with {notice} of notice to all.", clause="min_notice"
        )
    said = "The deadline is moved."
    if is_quiet(game.settings, command.at, on_grid=True):
        said += " It falls on a day that the house rules keep free of deadlines."
    return Decision((moved(game, command.at, actor, now, why="set", reason=command.reason),), said=said)


def hold(game: Game, command: Hold, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Stop the calendar."""
    if game.held_since is not None:
        return Refusal("held", f"{game.key} is on hold already.")
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", f"{game.key} is not running.")
    return Decision((ev.GameHeld(at=now, by=actor.seat, reason=command.reason),), said=f"{game.key} is on hold.")


def resume(game: Game, command: Resume, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Run again. What the deadline lost while the game stood still is given back to it, unless a new one is named."""
    if game.held_since is None:
        return Refusal("not-held", f"{game.key} is not on hold.")
    if game.replay is not None:
        return Refusal("replay", f"{game.replay.phase} waits to be processed again.", mend="rollforward")
    assert game.deadline is not None
    at = command.deadline or game.deadline.at + (now - max(game.held_since, _set_anew(game)))
    if at <= now:
        at = now + game.settings.min_notice
    events = (ev.GameResumed(at=now, by=actor.seat), moved(game, at, actor, now, why="resumed"))
    return Decision(events, said=f"{game.key} goes on.")


_NAMED = ("set", "replacement", "resumed")
"""Why a deadline was moved when that did not add to it, but put another in its place."""


def _set_anew(game: Game) -> datetime:
    """Since when the present deadline runs: the turn's opening, or the last time that it was reckoned from the moment.

    Somebody may process a game on hold, name another deadline, or push one that had passed; such a deadline has lost
    nothing before it was set.
    """
    assert game.deadline is not None
    due = game.deadline.at
    for grant in reversed(game.deadline.grants):
        due -= grant.added
        if grant.why in _NAMED or due < grant.at:
            return grant.at
    return game.turn_opened_at or game.created_at


def moved(
    game: Game,
    at: datetime,
    actor: Actor,
    now: datetime,
    *,
    why: str,
    reason: str = "",
    asked: str = "",
    free: bool = False,
) -> ev.DeadlineSet:
    """The present turn's deadline in another place; its version goes up, so that calendars replace the entry (L03)."""
    assert game.deadline is not None and game.position is not None
    return ev.DeadlineSet(
        at=now,
        by=actor.seat or str(actor.role),
        phase=str(game.position.phase),
        deadline=at,
        version=game.deadline.version + 1,
        why=why,
        reason=reason,
        free=free,
        asked=asked,
    )

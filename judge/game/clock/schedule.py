"""The calendar of one game: when a turn is due, and how the Gamemaster moves that.

The weekly grid is anchored to the week, not to the moment at which a phase happens to open. After a slip a phase that
would be too short waits for the next point of the grid, so that the game is back on it within two turns.
Days without deadlines and absences announced by players are skipped; a deadline once set stays where it is.

Turns touched by an outage of the judge, or by time that it lost: their deadlines move, and all are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain, islice

from judge.board.phase import Phase, PhaseKind
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Context, Decision, Refusal, Role, SetDeadline
from judge.game.core.evolve import Feature
from judge.game.core.model import Begun, Game, Running
from judge.game.core.parts import Deadline, Seat
from judge.game.core.reasons import OUT_OF_REACH
from judge.game.filing.standing import standings
from judge.game.settings.quiet import day_of
from judge.game.settings.table import Settings
from judge.languages import moment_mark, tell, together
from judge.pace import Pace, later, spell_span, time_between, to_wall, zone_info

_MOST_POINTS = 400
"""Points of a pace that are looked at before a calendar without any free day is given up on."""


IN_A_REGULAR_WEEK = 1 / 3
"""The share of its least length that a phase needs in a regular week: the grid rules there, but for accidents."""


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a deadline that was reckoned comes to lie, and past what it was moved on: `beyond`, the seats whose
    announced absence it would have fallen into; `holidays`, the days without deadlines, as the setting has them.
    """

    at: datetime
    beyond: tuple[str, ...] = ()
    holidays: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """How a turn opens: when, whether the one before it came later than planned, whether it is a split winter's.

    `planned`: when the turn before it was meant to be due. The calendar is anchored to that, not to the moment at which
    somebody happened to process it.
    """

    at: datetime
    slipped: bool = False
    split: bool = False
    planned: datetime | None = None


def first_deadline(game: Game, now: datetime) -> datetime:
    """When the first phase is due if the game starts now; one run elsewhere may begin with retreats or builds."""
    settings = game.settings
    if game.imported is not None and game.imported.phase.kind is not PhaseKind.MOVES:
        return _free_point(game, pace_of(game, game.imported.phase), now, settings.min_minor).at
    return _free_point(game, settings.first_moves or settings.moves, now, settings.min_phase).at


def next_deadline(game: Begun, opened: Opened) -> Landing:
    """When a turn is due that opens with the game's present phase."""
    kind, settings = game.position.phase.kind, game.settings
    pace = pace_of(game, game.position.phase)
    if kind is PhaseKind.ADJUSTMENTS and opened.split and settings.late_adjustments is not None:
        pace = settings.late_adjustments
    least = settings.min_phase if kind is PhaseKind.MOVES else settings.min_minor
    if not opened.slipped:
        least *= IN_A_REGULAR_WEEK
    if kind is not PhaseKind.MOVES and pace.grid:
        pace = _catching_up(pace, opened, settings, least)
    return _free_point(game, pace, opened.at, least, opened.planned)


def pace_of(game: Game, phase: Phase) -> Pace:
    """How fast a phase goes: the calendar names the setting that says so."""
    pace: Pace = getattr(game.settings, game.calendar.pace(phase))
    return pace


def has_slipped(game: Game, now: datetime) -> bool:
    """Whether a turn that is processed now is off the calendar: later than planned, results and all, or earlier."""
    deadline = game.deadline
    if deadline is None:
        return False
    if now < deadline.at:
        return True
    return now > later(deadline.planned or deadline.at, game.settings.results_within, zone_info(game.settings.zone))


def _catching_up(pace: Pace, opened: Opened, settings: Settings, least: timedelta) -> Pace:
    """A retreat that has slipped too near to its day does not wait a week: it is due on another day, at its hour."""
    zone = zone_info(settings.zone)
    first = next(pace.points(opened.at, zone, opened.planned))
    return pace if time_between(opened.at, first, zone) >= least else pace.daily()


def _free_point(game: Game, pace: Pace, opened: datetime, least: timedelta, planned: datetime | None = None) -> Landing:
    """The first point of a pace that leaves time enough and is neither quiet nor in an announced absence.

    An interval is its own least length. Where no day is free for a year or so, the rest of the rule goes first.
    """
    zone = zone_info(game.settings.zone)
    if pace.interval is not None:
        least = min(least, pace.interval / 2)
    points = (
        p for p in islice(pace.points(opened, zone, planned), _MOST_POINTS) if time_between(opened, p, zone) >= least
    )
    return _first_free(game, points, on_grid=bool(pace.grid))


def _first_free(game: Game, points: Iterator[datetime], *, on_grid: bool) -> Landing:
    """The first of some moments that is neither quiet nor in an announced absence; where none is, the very first."""
    first = next(points)
    beyond: list[str] = []
    holidays: list[str] = []
    for point in chain((first,), points):
        away = absent_at(game, point)
        if not away and not is_quiet(game.settings, point, on_grid=on_grid):
            return Landing(point, tuple(dict.fromkeys(beyond)), tuple(dict.fromkeys(holidays)))
        beyond += away
        holidays += holidays_at(game.settings, point)
    return Landing(first)


def is_quiet(settings: Settings, moment: datetime, *, on_grid: bool = False) -> bool:
    """Whether a day has no deadlines: a holiday, or, for intervals, a day of the week that is left free."""
    if holidays_at(settings, moment):
        return True
    day = day_of(moment, zone_info(settings.zone))
    return bool(settings.days) and not on_grid and day.weekday() not in settings.days


def clear_of_absences(game: Game, at: datetime) -> Landing:
    """The first day at the hour of a deadline that was reckoned which is no holiday and in nobody's absence."""
    zone = zone_info(game.settings.zone)
    return _first_free(game, (later(at, timedelta(days=days), zone) for days in range(_MOST_POINTS)), on_grid=True)


def holidays_at(settings: Settings, moment: datetime) -> tuple[str, ...]:
    """The holidays in which a moment lies."""
    day = day_of(moment, zone_info(settings.zone))
    return tuple(str(holiday) for holiday in settings.holidays if day in holiday)


def absent_at(game: Game, at: datetime) -> tuple[str, ...]:
    """Seats of whom this turn asks something, and whose player has announced that they are away then."""
    return tuple(s.id for s in _away(game) if any(gap.since < at <= gap.until for gap in s.absences))


def _away(game: Game) -> list[Seat]:
    """Players who have announced absences, of whom this turn asks something."""
    away = [seat for seat in game.seats.values() if seat.filled and seat.absences]
    if not away:
        return []
    asked = {one.power for one in standings(game)} if game.deadline is not None else set(game.board.powers)
    return [seat for seat in away if not seat.powers or asked.intersection(seat.powers)]


# --- the Gamemaster moves it --------------------------------------------------------------------------------------


def not_running(game: Game) -> Refusal:
    """The refusal of a command that needs a deadline, in a game that has none."""
    return Refusal("not-running", tell("{game} is not running, so it has no deadline.", game=game.key))


def set_deadline(game: Game, command: SetDeadline, context: Context) -> Decision | Refusal:
    """The GM names a moment. Nearer than was promised only with `min_notice` to everybody."""
    if not isinstance(game, Running):
        return not_running(game)
    if command.at <= context.now:
        return Refusal("in-the-past", tell("That moment has passed already."))
    if command.at == game.deadline.at:
        return Decision(said=tell("The deadline is that already."))
    if command.later and command.at < game.deadline.promised:
        until = moment_mark(game.deadline.promised)
        sentence = tell("That is earlier than the present deadline, {until}, so nothing is changed.", until=until)
        return Refusal(
            "earlier",
            together(sentence, tell("To bring it forward, write `deadline` and the moment.")),
            mend="help deadline",
        )
    if (refusal := on_short_notice(game, command.at, context.now)) is not None:
        return refusal
    quiet = into = ""
    if is_quiet(game.settings, command.at, on_grid=True):
        quiet = tell("It falls on a day that the house rules keep free of deadlines.")
    if absent := absent_at(game, command.at):
        into = tell("It falls into the absence of {absent}; everybody is told that, too.", absent=_absent(game, absent))
    said = together(tell("The deadline is moved."), quiet, into)
    return Decision((moved(game, command.at, context, why="set", reason=command.reason),), said=said)


def on_short_notice(game: Running, at: datetime, now: datetime) -> Refusal | None:
    """Why a moment that the Gamemaster names comes too soon after what was promised; None if it does not."""
    notice, grace = game.settings.min_notice, game.deadline.grace
    if at >= min(game.deadline.promised, now + notice):
        return None
    sentence = tell("A deadline can be brought forward only with {notice} of notice to all.", notice=spell_span(notice))
    if grace is not None:
        runs = tell("The time of grace that was promised runs until {grace}.", grace=moment_mark(grace))
        sentence = together(sentence, runs)
    return Refusal("short-notice", sentence, clause="min_notice")


def moved(
    game: Running,
    at: datetime,
    context: Context,
    *,
    why: str,
    reason: str = "",
    asked: str = "",
    free: bool = False,
    span: timedelta | None = None,
) -> ev.DeadlineSet:
    """The present turn's deadline in another place; its version goes up, so that calendars replace the entry.

    What the Gamemaster named stands as they named it; any other is kept clear of holidays and announced absences.
    """
    landed = Landing(at) if why == "set" else clear_of_absences(game, at)
    return ev.DeadlineSet(
        at=context.now,
        by=context.seat or str(context.actor.role),
        phase=str(game.position.phase),
        deadline=landed.at,
        version=game.deadline.version + 1,
        why=why,
        reason=reason,
        free=free,
        asked=asked,
        beyond=landed.beyond,
        holidays=landed.holidays,
        span=span,
    )


def moved_on(game: Game, event: ev.DeadlineSet) -> str:
    """A sentence on absences and holidays that a deadline was kept clear of; "" for none."""
    if not event.beyond and not event.holidays:
        return ""
    return tell(
        "It would have fallen into the holidays ({holidays}), so it is {deadline}."
        if not event.beyond
        else "It would have fallen into the absence of {absent}, so it is {deadline}."
        if not event.holidays
        else "It would have fallen into the absence of {absent} and the holidays ({holidays}), so it is {deadline}.",
        absent=_absent(game, event.beyond),
        holidays=", ".join(event.holidays),
        deadline=moment_mark(event.deadline),
    )


def _absent(game: Game, seats: tuple[str, ...]) -> str:
    return game.named(power for seat in seats for power in game.seats[seat].powers)


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
    return OUT_OF_REACH.format(since=since, until=until, zone=game.settings.zone)


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
    decide={
        SetDeadline: set_deadline,
        TellLostTime: tell_lost_time,
    },
    gm_only=(SetDeadline,),
    evolve={TimeLost: _nothing, GraceMoved: _moved},
)

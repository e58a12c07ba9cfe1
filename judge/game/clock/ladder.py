"""The no-NMR ladder: reminders before the deadline, the late call, what follows it day by day, and who is told.

    before   reminders to whom something is missing; after two in vain a hint to the Gamemaster
    at +0    the late call: the late player first and personally, then everybody; the phase is suspended
    after    a letter a day while the grace lasts; the standbys are warned after the first day
    grace    over: the seat falls vacant and a replacement is looked for
    vacant   the Gamemaster is reminded after two days; every week whoever waits for a power is asked again, before and
             after deadlines alike
    overdue  nobody is missing and yet nothing was processed: the Gamemaster hears at +2 h and +20 h

Each rung fires once for each version of the deadline, whatever the clock does: a rung asks "has its moment come?",
rungs that a downtime made us miss fall together into the last, and a new deadline begins the ladder again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from judge.board.phase import PhaseKind
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Context, Refusal, Role
from judge.game.core.events import LadderStep
from judge.game.core.evolve import Feature
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Running
from judge.game.core.parts import Deadline, Seat
from judge.game.filing.read import filed
from judge.game.filing.standing import State, seats_behind, standings
from judge.game.instructions.kinds import filed_to_json
from judge.game.talk.closing import OWN_TIME
from judge.languages import told_later
from judge.pace import later, zone_info

DAY, WEEK = timedelta(days=1), timedelta(days=7)
OVERDUE = (2, 20)
"""Hours after which the Gamemaster hears that a phase is ready and not processed."""
DAILY = 14
"""Days after which letters to somebody late come once a week only, in games that wait for ever."""
PROMPT = timedelta(hours=1)
"""A late call this near to its deadline counts the grace from the deadline itself."""


UNVOTED = "unvoted"
"""The step that reminds of a vote; its number is the vote's."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One kind of step with all its moments, ascending; `seats` it would be about now."""

    kind: str
    seats: tuple[str, ...]
    moments: tuple[tuple[int, datetime], ...]


def next_moment(game: Running, now: datetime) -> datetime | None:
    """When the next step of the ladder comes, reminders included; None if none is to come."""
    moments = [_rung_moment(game.deadline, hours) for hours in reminders_left(game)]
    for rung in _rungs(game):
        climbed = game.deadline.steps.get(rung.kind, 0)
        moments += [at for number, at in rung.moments if number > climbed]
    return min((moment for moment in moments if moment > now), default=None)


# --- before the deadline ------------------------------------------------------------------------------------------

_EARLY = 48
"""Hours before a deadline from which on a reminder is early: retreats and builds often have no longer than that."""


def reminders_of(game: Running) -> tuple[int, ...]:
    """The game's reminders for this kind of phase, in hours before; the early ones only for moves."""
    if game.deadline.phase.kind is PhaseKind.MOVES:
        return game.settings.reminders
    return tuple(hours for hours in game.settings.reminders if hours < _EARLY)


def reminders_left(game: Running) -> tuple[int, ...]:
    """Those that are still to come for this version of the deadline."""
    return tuple(hours for hours in reminders_of(game) if hours not in game.deadline.reminded)


def reminders(game: Running, now: datetime) -> tuple[ev.Event, ...]:
    """One reminder, to those with something missing; rungs that a downtime made us miss fall together into the last."""
    deadline = game.deadline
    passed = [rung for rung in reminders_left(game) if _rung_moment(deadline, rung) <= now]
    seats = tuple(seat.id for seat in unfinished(game) if seat.filled)
    if not passed or not seats:
        return ()
    return tuple(
        ev.ReminderDue(at=now, seats=seats if rung == min(passed) else (), rung=rung, version=deadline.version)
        for rung in passed
    )


def unfinished(game: Game) -> tuple[Seat, ...]:
    """Seats whose orders are not complete, as far as the reader may know."""
    open_ones = {one.power for one in standings(game) if one.state is not State.COMPLETE}
    return tuple(seat for seat in game.seats.values() if open_ones.intersection(seat.powers))


def _rung_moment(deadline: Deadline, rung: int) -> datetime:
    return deadline.at - timedelta(hours=rung)


# --- the late call ------------------------------------------------------------------------------------------------


def late_call(game: Running, now: datetime) -> tuple[ev.Event, ...]:
    """The deadline has passed without these seats' orders; vacant ones are not late, they are waited for."""
    version, behind = game.deadline.version, seats_behind(game)
    late = tuple(seat.id for seat in behind if seat.filled)
    vacant = tuple(seat.id for seat in behind if not seat.filled)
    grace = None
    if game.settings.nmr == "grace" and late:
        prompt = now - game.deadline.at <= PROMPT
        grace = later(game.deadline.at if prompt else now, game.settings.grace, zone_info(game.settings.zone))
    call = ev.LateCalled(at=now, seats=late, version=version, grace=grace)
    if grace is not None and grace <= now:  # no time of grace at all: nobody is told to hurry and dismissed at once
        return call, *_grace_ended(game, behind, now)
    if not vacant:
        return (call,)
    return call, LadderStep(at=now, kind="waiting", number=1, seats=vacant, version=version)


def vacancies(game: Running, now: datetime, waiting: Collection[str] = ()) -> tuple[ev.Event, ...]:
    """The suspension is over: seats whose orders are still missing fall vacant, but for those `waiting` for a word on a
    mail. Nobody loses a seat for a slip: where orders are on file, these stand, and lines that nobody put right lapse.
    """
    grace = game.deadline.grace
    if not game.deadline.called or grace is None or now < grace:
        return ()
    behind = [seat for seat in seats_behind(game) if seat.id in game.deadline.late and seat.id not in waiting]
    return _grace_ended(game, behind, now)


def _grace_ended(game: Game, behind: Sequence[Seat], now: datetime) -> tuple[ev.Event, ...]:
    silent = [seat for seat in behind if not only_slips(game, seat)]
    lapsed = (event for seat in behind if seat not in silent for event in _lapsed(game, seat, now))
    return (*lapsed, *_vacated(silent, now))


def grace_runs(game: Game) -> bool:
    """Whether a time of grace means anything to anybody: somebody who was called late still owes orders."""
    late = game.deadline.late if game.deadline is not None else ()
    return any(seat.filled and seat.id in late for seat in seats_behind(game))


def only_slips(game: Game, seat: Seat) -> bool:
    """Whether all that a seat which is behind lacks are lines to be put right, with orders on file beside them."""
    behind = [one for one in standings(game) if one.late and one.power in seat.powers]
    return all(one.state is State.NEEDS_CORRECTION and game.sheets[one.power].lines for one in behind)


def _lapsed(game: Game, seat: Seat, now: datetime) -> Iterator[ev.OrdersFiled]:
    """The sets on file as they stand, without the lines that wait to be put right."""
    for power in seat.powers:
        sheet = game.sheets.get(power)
        if sheet is not None and sheet.faults:
            without = replace(sheet, number=sheet.number + 1, faults=())
            yield replace(filed(without, Context(Actor(Role.JUDGE, mail=sheet.mail), now)), by="judge")


def _vacated(seats: Iterable[Seat], now: datetime) -> tuple[ev.SeatVacated, ...]:
    """Those of the seats that have a player fall vacant."""
    return tuple(
        ev.SeatVacated(at=now, seat=seat.id, person=seat.person, why="nmr") for seat in seats if seat.person is not None
    )


FROZEN = Refusal(
    "frozen", told_later("While the game waits for others, orders on file cannot be changed."), clause="freeze_others"
)


def is_frozen(game: Game, seat: str) -> bool:
    """Whether a seat's orders stand while the game waits for others, since the house rules say so."""
    deadline = game.deadline
    if not game.terms.freeze_others or deadline is None or not deadline.called:
        return False
    return seat not in deadline.late and seat not in {one.id for one in seats_behind(game)}


def frozen(game: Game, actor: Actor) -> Refusal | None:
    """Why a player cannot order now. A mail that came by the deadline is in time, whenever it was proved (29)."""
    if game.deadline is None or actor.role is not Role.PLAYER or not is_frozen(game, actor.seat):
        return None
    return None if _in_time(game.deadline, actor) else FROZEN


def thaws(game: Game, event: ev.OrdersFiled, actor: Actor) -> bool:
    """Whether a player, whoever it is and whatever command they use, would change orders that stand."""
    seat, sheet = game.seat_of(event.power), game.sheets.get(event.power)
    if game.deadline is None or seat is None or actor.role is not Role.PLAYER or not is_frozen(game, seat.id):
        return False
    changed = event.lines != [filed_to_json(line) for line in sheet.lines] if sheet else bool(event.lines)
    return changed and not _in_time(game.deadline, actor)


def _in_time(deadline: Deadline, actor: Actor) -> bool:
    return actor.arrived is not None and actor.arrived <= deadline.at


# --- day by day ---------------------------------------------------------------------------------------------------


def steps(game: Running, now: datetime, gate: datetime | None = None, reason: str = "") -> tuple[ev.Event, ...]:
    """The steps whose moment has come. `gate`: since when the phase should have been processed, if it should, and the
    `reason` why it was not.
    """
    version, events = game.deadline.version, []
    for rung in (*_rungs(game), *_overdue(game, gate)):
        climbed = game.deadline.steps.get(rung.kind, 0)
        due = [number for number, at in rung.moments if number > climbed and at <= now]
        if due:
            why = reason if rung.kind == "overdue" else ""
            step = LadderStep(at=now, kind=rung.kind, number=max(due), seats=rung.seats, version=version, reason=why)
            events.append(step)
    return tuple(events)


def _rungs(game: Running) -> Iterator[Rung]:
    deadline = game.deadline
    yield from _vacant(game, deadline)
    if not deadline.called:
        yield from _hint(game, deadline)
        yield from _unvoted(game, deadline)
    elif deadline.called_at is not None:
        yield from _after_the_call(game, deadline, deadline.called_at)


def unvoted(game: Game, number: int) -> tuple[Seat, ...]:
    """Who may vote and has not, in an open vote that closes with these moves."""
    ballot = game.votes.get(number)
    return tuple(seat for seat in game.active_seats if ballot is not None and seat.id not in ballot.votes)


def _unvoted(game: Running, deadline: Deadline) -> Iterator[Rung]:
    """A day before a vote closes, or half-way to it: to those who have not voted, which counts as nay. The step
    names nobody, since nobody may learn how a vote stands.
    """
    if deadline.phase.kind is not PhaseKind.MOVES or game.turn_opened_at is None:
        return
    at = deadline.at - min(DAY, (deadline.at - game.turn_opened_at) / 2)
    for number, ballot in sorted(game.votes.items()):
        if ballot.kind not in OWN_TIME and ballot.called_at < at and unvoted(game, number):
            yield Rung(UNVOTED, (), ((number, at),))


def _hint(game: Running, deadline: Deadline) -> Iterator[Rung]:
    """To the Gamemaster, half-way between the second reminder and the deadline: they may know a telephone number."""
    ladder = sorted(reminders_of(game), reverse=True)
    if len(ladder) < 2 or "hint" in deadline.steps:
        return
    at = deadline.at - timedelta(hours=ladder[1]) / 2
    silent = {seat for seat, sent in deadline.prompted.items() if sent >= 2}
    if silent and (seats := tuple(seat.id for seat in unfinished(game) if seat.id in silent)):
        yield Rung("hint", seats, ((1, at),))


def _after_the_call(game: Game, deadline: Deadline, called: datetime) -> Iterator[Rung]:
    behind = seats_behind(game)
    late = tuple(seat.id for seat in behind if seat.filled and seat.id in deadline.late)
    if late:
        days = [*range(1, DAILY + 1), *range(DAILY + 7, 400, 7)]
        moments = ((day, called + day * DAY) for day in days)
        end = deadline.grace
        yield Rung("grace", late, tuple((day, at) for day, at in moments if end is None or at < end))
    if late and deadline.grace is not None and called + DAY < deadline.grace:
        yield Rung("standby", late, ((1, called + DAY),))


def _vacant(game: Game, deadline: Deadline) -> Iterator[Rung]:
    """Seats without a player whose powers are still in the game, and are not in civil disorder by the Gamemaster's
    word. What came due under an earlier deadline has been told.
    """
    alive = frozenset(game.survivors) if any(not seat.filled for seat in game.seats.values()) else frozenset()
    vacant = [one for one in game.seats.values() if not one.filled and not one.disorder and alive & set(one.powers)]
    times = [seat.vacant_since for seat in vacant if seat.vacant_since is not None]
    if not times:
        return
    seats, first, told = tuple(seat.id for seat in vacant), min(times), max(deadline.set_at or min(times), min(times))
    weeks = tuple((week, first + week * WEEK) for week in range(1, 105))
    yield Rung("vacant", seats, tuple((1, at) for at in (max(times) + 2 * DAY,) if at > told))
    yield Rung("wanted", seats, tuple((week, at) for week, at in weeks if at > told))


def _overdue(game: Game, gate: datetime | None) -> Iterator[Rung]:
    if gate is None:
        return
    hours = [*OVERDUE, int(game.settings.results_within / timedelta(hours=1))]
    yield Rung("overdue", (), tuple((hour, gate + timedelta(hours=hour)) for hour in sorted(set(hours))))


def _climbed(game: Game, event: LadderStep) -> Game:
    if game.deadline is None or game.deadline.version != event.version:
        return game
    steps = MappingProxyType({**game.deadline.steps, event.kind: event.number})
    return replace(game, deadline=replace(game.deadline, steps=steps))


def _on_deadline(game: Game, version: int, **changes: Any) -> Game:
    if game.deadline is None or game.deadline.version != version:
        return game
    return altered(game, deadline=replace(game.deadline, **changes))


def _reminded(game: Game, event: ev.ReminderDue) -> Game:
    sent = game.deadline.reminded if game.deadline else frozenset()
    prompted = dict(game.deadline.prompted) if game.deadline else {}
    prompted.update({seat: prompted.get(seat, 0) + 1 for seat in event.seats})
    return _on_deadline(game, event.version, reminded=sent | {event.rung}, prompted=MappingProxyType(prompted))


def _late(game: Game, event: ev.LateCalled) -> Game:
    return _on_deadline(
        game,
        event.version,
        late=event.seats,
        grace=event.grace,
        called=True,
        called_at=event.at,
        grace_set_at=event.at,
        terms=game.settings,
    )


def _delayed(game: Game, event: ev.ProcessingDelayed) -> Game:
    said = game.deadline.delayed if game.deadline else frozenset()
    return _on_deadline(game, event.version, delayed=said | {event.cause or event.reason})


FEATURE = Feature(
    evolve={ev.ReminderDue: _reminded, ev.LateCalled: _late, ev.ProcessingDelayed: _delayed, LadderStep: _climbed},
)

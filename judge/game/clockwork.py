"""What the clock does to a game: reminders, the late call, processing. And when it wants to be woken next.

Everything here asks "has its moment come?", never "is it exactly that moment?", so that a late or a doubled tick
does no harm: each thing happens once per version of the deadline.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from judge.game import events as ev
from judge.game.commands import Actor, Process, Tick
from judge.game.decision import Decision
from judge.game.model import Deadline, Game, Seat, Stage
from judge.game.refusal import Refusal
from judge.game.standing import State, seats_behind, standings
from judge.game.turnover import turn_page

Lot = Callable[[], int]


def tick(game: Game, command: Tick, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Do whatever is due."""
    if not _ticking(game):
        return Decision()
    assert game.deadline is not None
    if (moment := processing_moment(game)) is not None and now >= moment:
        if command.blocked:
            return Decision(_delay(game, game.deadline, command.blocked, now))
        return Decision(turn_page(game, now))
    if now >= game.deadline.at:
        return Decision((*_late_call(game, command, now), *_vacancies(game, now)))
    return Decision(_reminders(game, game.deadline, now))


def process(game: Game, command: Process, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """The GM turns the page now, with what is on file; `phase` guards against doing it twice."""
    if game.stage is not Stage.RUNNING or game.position is None or game.deadline is None:
        return Refusal("not-running", f"{game.key} is not running; there is nothing to process.")
    phase = game.position.phase
    named = command.phase.upper()
    if named and not str(phase).startswith(named):
        return Refusal(
            "wrong-phase", f"{game.key} is at {phase}, not at {named}. Nothing was done.", f"process {phase}"
        )
    return Decision(turn_page(game, now, by=actor.seat), said=f"{phase.title} is processed.")


def next_wake(game: Game, now: datetime) -> datetime | None:
    """When the clock should look at this game again; None: only when a mail changes something.

    A moment in the past means that something is due and was held up.
    """
    if not _ticking(game):
        return None
    assert game.deadline is not None
    moments = [_rung_moment(game.deadline, rung) for rung in _rungs(game)]
    moments = [moment for moment in moments if moment > now]
    if (moment := processing_moment(game)) is not None:
        moments.append(moment)
    elif not game.deadline.called:
        moments.append(game.deadline.at)
    elif game.deadline.grace is not None and any(game.seats[key].filled for key in game.deadline.late):
        moments.append(game.deadline.grace)
    return min(moments, default=None)


def processing_moment(game: Game) -> datetime | None:
    """The earliest moment at which the turn may be processed, as things stand; None while something is missing.

    With everything in and nobody waiting: `early_delay` after the last needed order, at the latest at the deadline
    (ruling 11). After a late call: `early_delay` after the missing orders arrived (R14).
    """
    assert game.deadline is not None
    deadline = game.deadline
    behind = seats_behind(game)
    if behind:
        return deadline.at if game.settings.nmr in ("hold", "disorder", "removals") else None
    filed = [sheet.filed_at for sheet in game.sheets.values() if sheet.filed_at is not None]
    last = max(filed, default=None)
    if deadline.called and last is not None and last > deadline.at:
        return last + game.settings.early_delay
    if not game.settings.early or last is None or _somebody_waits(game) or not _all_complete(game):
        return deadline.at
    return min(deadline.at, last + game.settings.early_delay)


def _ticking(game: Game) -> bool:
    return game.stage is Stage.RUNNING and game.held_since is None and game.deadline is not None


def _somebody_waits(game: Game) -> bool:
    return any(seat.wait for seat in game.active_seats)


def _all_complete(game: Game) -> bool:
    return all(one.state is State.COMPLETE for one in standings(game, all_orders=True))


def _rungs(game: Game) -> tuple[int, ...]:
    """Hours before the deadline at which a reminder is still to come; the early ones only for moves (ruling 12c)."""
    assert game.deadline is not None
    longest = 10_000 if game.deadline.phase.kind == "M" else 47
    return tuple(h for h in game.settings.reminders if h not in game.deadline.reminded and h <= longest)


def _rung_moment(deadline: Deadline, rung: int) -> datetime:
    return deadline.at - timedelta(hours=rung)


def _reminders(game: Game, deadline: Deadline, now: datetime) -> tuple[ev.Event, ...]:
    """One reminder, to those with something missing; rungs that a downtime made us miss fall together into the last."""
    passed = [rung for rung in _rungs(game) if _rung_moment(deadline, rung) <= now]
    seats = tuple(seat.id for seat in _unfinished(game) if seat.filled)
    if not passed or not seats:
        return ()
    return tuple(
        ev.ReminderDue(at=now, seats=seats if rung == min(passed) else (), rung=rung, version=deadline.version)
        for rung in passed
    )


def _unfinished(game: Game) -> tuple[Seat, ...]:
    open_ones = {one.power for one in standings(game) if one.state is not State.COMPLETE}
    return tuple(seat for seat in game.seats.values() if open_ones.intersection(seat.powers))


def _late_call(game: Game, command: Tick, now: datetime) -> tuple[ev.Event, ...]:
    assert game.deadline is not None
    deadline = game.deadline
    if deadline.called:
        return ()
    if command.blocked:
        return _delay(game, deadline, command.blocked, now)
    behind = tuple(seat.id for seat in seats_behind(game))
    if unheard := [key for key in behind if key in command.unheard]:
        names = " and ".join(game.board.powers[power].name for key in unheard for power in game.seats[key].powers)
        return _delay(game, deadline, f"the call for orders has not reached {names}", now)
    grace = now + game.settings.grace if game.settings.nmr == "grace" else None
    return (ev.LateCalled(at=now, seats=behind, version=deadline.version, grace=grace),)


def _delay(game: Game, deadline: Deadline, reason: str, now: datetime) -> tuple[ev.Event, ...]:
    if reason in deadline.delayed:
        return ()
    return (ev.ProcessingDelayed(at=now, reason=reason, version=deadline.version),)


def _vacancies(game: Game, now: datetime) -> tuple[ev.Event, ...]:
    """The suspension is over and orders are still missing: the seats fall vacant (B24)."""
    assert game.deadline is not None
    grace = game.deadline.grace
    if not game.deadline.called or grace is None or now < grace:
        return ()
    return tuple(
        ev.SeatVacated(at=now, seat=seat.id, person=seat.person, why="nmr")
        for seat in seats_behind(game)
        if seat.person is not None and seat.id in game.deadline.late
    )

"""A phase reopened: its results were taken back, and everybody orders it again.

What was filed at the time stays on file until something else is ordered, so that nobody is late for having missed the
news. All have read it, though; so the phase has a deadline of its own, and is not processed before that because
everything is in: it was in from the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from judge.game.clock.schedule import Opened, next_deadline
from judge.game.core import events as ev
from judge.game.core.commands import Command, Context, Decision, Refusal
from judge.game.core.evolve import evolve_turn
from judge.game.core.model import Begun, Game, Running, taken_up
from judge.game.core.parts import Deadline
from judge.game.core.registry import Feature
from judge.game.repair.rewriting import STILL_HELD, RollBack, RolledBack, roll_back
from judge.languages import moment_mark, tell


@dataclass(frozen=True, slots=True)
class Reopen(Command):
    """`reopen PHASE reason`: the results of a phase and of all after it no longer count, and it is ordered again."""

    phase: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseReopened(ev.Event, told="phase,reason"):
    """Orders for `phase`, which was taken back, may be changed again; its deadline is set behind this."""

    phase: str
    reason: str = ""


def reopen(game: Begun, command: Reopen, context: Context) -> Decision | Refusal:
    """Take a phase back, unless that was done, and let everybody order it again."""
    named = command.phase.upper()
    if not named:
        example = game.replay.phase if game.replay else game.past[-1].event.phase if game.past else "F1905M"
        return Refusal(
            "which-phase", tell("Say which phase everybody is to order again."), mend=f'reopen {example} reason "..."'
        )
    reason = command.reason.strip() or (game.replay.reason if game.replay is not None else "")
    if not reason:
        sentence = tell("Everybody is told, so give a reason.")
        return Refusal("no-reason", sentence, mend=f'reopen {named} reason "..."')
    back = _taken_back(game, named, reason, context)
    if isinstance(back, Refusal):
        return back
    for event in back:
        game = evolve_turn(game, event)
    held = game.replay is not None and game.replay.held
    opened, due = _reopened(game, reason, context)
    said = tell(
        "{phase} is open for new orders, due by {deadline}; everybody is told. What was on file stands ",
        phase=due.phase,
        deadline=moment_mark(due.deadline),
    )
    return Decision(
        (*back, opened, due),
        said=tell(
            "{said}until its player sends something else.{still_held}", said=said, still_held=STILL_HELD if held else ""
        ),
    )


def _taken_back(game: Game, phase: str, reason: str, context: Context) -> tuple[RolledBack, ...] | Refusal:
    """What must be taken back first: nothing where this phase waits to be processed again."""
    if game.replay is not None:
        if game.replay.phase.startswith(phase):
            return ()
        sentence = tell("{phase} was taken back; it comes first.", phase=game.replay.phase)
        return Refusal("wrong-phase", sentence, mend=f'reopen {game.replay.phase} reason "..."')
    found = roll_back(game, RollBack(phase, reason), context)
    if isinstance(found, Refusal):
        if found.slug == "no-such-results" and game.past:
            return replace(found, mend=f'reopen {game.past[-1].event.phase} reason "..."')
        return found
    return tuple(event for event in found.events if isinstance(event, RolledBack))


def _reopened(game: Begun, reason: str, context: Context) -> tuple[PhaseReopened, ev.DeadlineSet]:
    """The phase open again, with the whole time that such a phase has at least."""
    opened = PhaseReopened(at=context.now, by=context.seat, phase=str(game.phase), reason=reason)
    game = evolve_turn(game, opened)
    assert isinstance(game, Running)  # it was on hold
    landed = next_deadline(game, Opened(context.now, slipped=True, planned=_weekday_of(game.deadline, context.now)))
    later = landed.at > game.deadline.at
    return opened, ev.DeadlineSet(
        at=context.now,
        by=context.seat,
        phase=str(game.phase),
        deadline=max(landed.at, game.deadline.at),
        version=game.deadline.version + 1,
        why="reopened",
        reason=reason,
        beyond=landed.beyond if later else (),
        holidays=landed.holidays if later else (),
    )


def _weekday_of(deadline: Deadline, now: datetime) -> datetime:
    """Day and hour of the calendar for which the phase was planned at first, in a week before now."""
    planned = deadline.planned or deadline.at
    weeks = -(-(planned - now) // timedelta(weeks=1))
    return planned - timedelta(weeks=max(0, weeks))


def _open_again(game: Game, event: PhaseReopened) -> Game:
    """The calendar runs again; whatever was awaited or said for the first time round is over."""
    seats = {key: replace(seat, wait=False, wait_until=None) for key, seat in game.seats.items()}
    sheets = {power: replace(sheet, undo=None) for power, sheet in game.sheets.items()}
    return replace(
        taken_up(game, event.at),
        reopened=event.phase,
        turn_opened_at=event.at,
        seats=MappingProxyType(seats),
        sheets=MappingProxyType(sheets),
        awaited=MappingProxyType({}),
    )


FEATURE = Feature(
    evolve={PhaseReopened: _open_again},
    decide={Reopen: reopen},
    gm_only=(Reopen,),
    grave=(Reopen,),
    undo={
        PhaseReopened: (
            "Everybody was told to order again, and may have done so; the phase may be processed",
            "process",
        )
    },
)

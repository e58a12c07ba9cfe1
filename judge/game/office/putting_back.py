"""Taking back a deadline that the Gamemaster has set: the one before it, or the late call and the grace before it.

A game on hold has its clock where it stood when it was held: what had not passed then has not passed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.game.clock.schedule import moved, not_running, on_short_notice
from judge.game.core import events as ev
from judge.game.core.altering import altered
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game, Running
from judge.game.core.moments import told
from judge.game.core.registry import Feature


@dataclass(frozen=True, slots=True)
class DeadlineAgain(Command):
    """The deadline before the Gamemaster's, which `added` so much to it."""

    added: timedelta


@dataclass(frozen=True, slots=True)
class GraceAgain(Command):
    """The late call before the Gamemaster's deadline stands again, with its grace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraceRestored(ev.Event, told="until"):
    """The deadline that followed a late call is taken back: the call stands. `until`: the end of its grace."""

    until: datetime | None
    version: int


def deadline_again(game: Game, command: DeadlineAgain, context: Context) -> Decision | Refusal:
    """Put the deadline back; refused where that moment has passed, or comes too soon for those who relied on this."""
    if not isinstance(game, Running):
        return not_running(game)
    at, clock = game.deadline.at - command.added, game.held_since or context.now
    if at <= clock:
        return _passed(f"The deadline before it was {told(at)}, and that has passed.")
    if (refusal := on_short_notice(game, at, clock)) is not None:
        return refusal
    said = f"The deadline is {told(at)} again, and everybody is told."
    return Decision((moved(game, at, context, why="set", reason="taken back"),), said=said)


def grace_again(game: Game, command: GraceAgain, context: Context) -> Decision | Refusal:
    """Let the late call stand again; refused where its grace is over, or ends too soon for those who relied on more."""
    if not isinstance(game, Running):
        return not_running(game)
    was, clock = game.deadline.before, game.held_since or context.now
    if was is None or game.deadline.called:
        return _passed("That deadline has come and passed.")
    if was.grace is not None:
        if was.grace <= clock:
            return _passed(f"The time of grace before it would have ended {told(was.grace)}, and that has passed.")
        if (refusal := on_short_notice(game, was.grace, clock)) is not None:
            return refusal
    event = GraceRestored(at=context.now, by=context.seat, until=was.grace, version=game.deadline.version + 1)
    ends = f"until {told(was.grace)}" if was.grace is not None else "for the orders that are missing"
    return Decision((event,), said=f"The game waits {ends}, as it did before, and everybody is told.")


def _passed(sentence: str) -> Refusal:
    return Refusal("in-the-past", f"{sentence} Name another moment, if this one is wrong.", mend="help deadline")


def _restored(game: Game, event: GraceRestored) -> Game:
    now = game.deadline
    if now is None or now.before is None:
        return game
    return altered(game, deadline=replace(now.before, version=event.version, nudged=now.nudged))


FEATURE = Feature(
    evolve={GraceRestored: _restored},
    decide={DeadlineAgain: deadline_again, GraceAgain: grace_again},
    gm_only=(DeadlineAgain, GraceAgain),
)

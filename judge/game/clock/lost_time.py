"""Time that a judge lost: it was restored from a backup, and of what happened since then it knows nothing.

The game stands where it stood when the backup was taken. Everybody at the table is told so, and the lost time is given
back: what was to be ordered is due as long after the judge's return as it was after that moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.game.clock.outages import give_back
from judge.game.core import events as ev
from judge.game.core.commands import Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game
from judge.game.core.registry import Feature


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
        return Refusal("judge-only", "Only the judge itself can do that.")
    told = TimeLost(at=context.now, by=str(Role.JUDGE), since=command.since, until=command.until)
    lost = (command.since, command.until)
    return Decision((told, *give_back(game, lost, context.now, why="restored", least=timedelta())))


def _nothing(game: Game, event: TimeLost) -> Game:
    return game


FEATURE = Feature(evolve={TimeLost: _nothing}, decide={TellLostTime: tell_lost_time})

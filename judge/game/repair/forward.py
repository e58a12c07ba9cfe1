"""A rollback taken back: every phase that it made void is played again, each with the orders that it had.

Where the judge itself was mended meanwhile the phases may come out otherwise; what no longer follows is not played,
and the Gamemaster is told how far it went.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.game.clock.splitting import TurnSplit
from judge.game.clock.turnover import turn_page
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.evolve import evolve_turn
from judge.game.core.model import Begun, Game, Replay, Running, Stage
from judge.game.core.parts import Sheet
from judge.game.core.registry import Feature
from judge.game.filing.read import filed
from judge.game.repair.correcting import corrected_again
from judge.game.repair.rewriting import STILL_HELD, RolledBack, with_deadline_of_then
from judge.languages import tell

_PLAYED_OUT = ("win", "limit")
"""Endings that follow from the position by themselves."""


@dataclass(frozen=True, slots=True)
class PlayForward(Command):
    """Process everything that was taken back, with the same orders; the game stands where it stood before."""


def play_forward(game: Begun, command: PlayForward, context: Context) -> Decision | Refusal:
    """All void phases again, one turn after the other, and the ending that there was."""
    replay = game.replay
    if replay is None:
        return Refusal("no-replay", tell("Nothing has been taken back."), mend="rollback")
    events: list[ev.Event] = []
    for happened in _turns(game, replay, context):
        events += happened
        game = _after(game, happened)
    found = with_deadline_of_then(tuple(events), replay, context.now, since=replay.since)
    return Decision(found, said=_said(game, replay))


def _turns(game: Begun, replay: Replay, context: Context) -> Iterator[tuple[ev.Event, ...]]:
    """What happens, turn by turn, from the first that was taken back; nobody's open vote is closed by it."""
    turns = {taken.event.phase: taken.before for taken in replay.taken}
    while isinstance(game, Running) and (then := turns.pop(str(game.phase), None)) is not None:
        if str(game.phase) != replay.phase:
            game = _after(game, again := _orders_of_then(game, then, context.now))
            yield again
        assert isinstance(game, Running)  # whatever was on file then
        game = _after(game, played := turn_page(game, context.now, by=context.seat, votes=False))
        yield played
        game = _after(game, corrected := corrected_again(game, replay, context))
        yield corrected
    end = replay.ending
    if end is not None and end.how not in _PLAYED_OUT and game.stage is Stage.RUNNING and not _left(game, replay):
        yield (ev.GameEnded(at=context.now, by=context.seat, how=end.how, powers=end.powers, reason=end.reason),)


def _after(game: Begun, events: Iterable[ev.Event]) -> Begun:
    for event in events:
        game = evolve_turn(game, event)
    return game


def _orders_of_then(game: Game, then: Game, now: datetime) -> tuple[ev.Event, ...]:
    """Every power's set as it was when the turn was processed, and the turn divided if it was."""
    events: list[ev.Event] = []
    if then.split and game.split != then.split:
        events.append(TurnSplit(at=now, phase=then.split))
    for power in dict.fromkeys((*then.sheets, *game.sheets)):
        seat = game.seat_of(power)
        events.append(_filed(then.sheets, power, str(game.phase), now, by=seat.id if seat else ""))
    return tuple(events)


def _filed(sheets: Mapping[str, Sheet], power: str, phase: str, now: datetime, *, by: str) -> ev.OrdersFiled:
    sheet = sheets.get(power) or Sheet(power, phase, 1, ())
    return filed(sheet, Context(Actor(Role.PLAYER, by, mail=sheet.mail), now))


def _left(game: Game, replay: Replay) -> tuple[str, ...]:
    """The phases that were not played again: the game came to another one, or ended."""
    codes = [taken.event.phase for taken in replay.taken]
    done = {played.event.phase for played in game.past}
    return tuple(code for code in codes if code not in done)


def _said(game: Game, replay: Replay) -> str:
    count = len(replay.taken)
    left = _left(game, replay)
    if left:
        stands = (
            tell("{game} is at {phase}", game=game.key, phase=game.phase)
            if game.stage is Stage.RUNNING
            else tell("{game} has ended", game=game.key)
        )
        said = tell(
            "{stands}: {left} did not come again, because what went before has changed.",
            stands=stands,
            left=", ".join(left),
        )
    elif count == 1:
        said = tell("{phase} is processed again, with the same orders.", phase=replay.phase)
    else:
        said = tell(
            "The {count} phases from {phase} on are processed again, with the same orders.",
            count=count,
            phase=replay.phase,
        )
    return said + (STILL_HELD if replay.held and game.stage is Stage.RUNNING else "")


FEATURE = Feature(
    decide={PlayForward: play_forward},
    gm_only=(PlayForward,),
    undo={RolledBack: lambda act, before: PlayForward()},
)

"""Taking press back: within the minutes for which a game keeps it, as long as unsigned press waits for its author's
sake, or until the report if it waits for that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.game.core.registry import Feature
from judge.game.talk.veil import may_be_recalled


@dataclass(frozen=True, slots=True)
class RecallPress(Command):
    """Stop press that has not left yet; 0: the last that one has sent."""

    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRecalled(Event, told="number"):
    """Press `number`, sent by event `event` of the game, was taken back by its author."""

    number: int
    event: int


def recall(game: Game, command: RecallPress, context: Context) -> Decision | Refusal:
    """Take press back; whether its letters can still be stopped is for the service to find out."""
    own = [number for number, sent in game.outgoing.items() if sent.by == context.seat and context.seat]
    number = command.number or max(own, default=0)
    if number not in own:
        return Refusal("no-such-press", "There is no press of yours that could be recalled.")
    sent = game.outgoing[number]
    if not sent.postal and context.now - sent.at >= may_be_recalled(game, sent.at, veiled=sent.veiled):
        return Refusal("too-late", f"Press {number} has left already; it cannot be recalled any more.")
    event = PressRecalled(at=context.now, by=context.seat, number=number, event=sent.event)
    return Decision((event,), said=f"Press {number} is recalled; nobody reads it.")


def _recalled(game: Game, event: PressRecalled) -> Game:
    left = {number: sent for number, sent in game.outgoing.items() if number != event.number}
    return replace(game, outgoing=MappingProxyType(left))


FEATURE = Feature(
    evolve={PressRecalled: _recalled},
    decide={RecallPress: recall},
)

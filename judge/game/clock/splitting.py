"""Separation of seasons: any single player may ask that retreats and builds be ordered apart, this once (6E).

The judge divides a turn by itself where it asks what nobody could foresee (`judge.game.clock.turnover`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.game.core.commands import Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.events import Event
from judge.game.core.model import Game, Running
from judge.game.core.registry import Feature
from judge.game.filing.standing import rest_of_turn
from judge.languages import tell


@dataclass(frozen=True, slots=True)
class SplitTurn(Command):
    """Divide the present turn: its first phase is played at the deadline that stands, the rest later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSplit(Event, told="phase"):
    """The turn that has come to `phase` is cut into one turn for each phase."""

    phase: str


def split(game: Game, command: SplitTurn, context: Context) -> Decision | Refusal:
    """Divide the turn. Nobody else has to agree."""
    if not isinstance(game, Running):
        return Refusal("not-running", tell("{game} is not running; there is nothing to split.", game=game.key))
    active = context.actor.role is Role.PLAYER and context.seat in {seat.id for seat in game.active_seats}
    if not active and context.actor.role is not Role.GM:
        return Refusal("no-seat", tell("Only the players of {game} may ask for that.", game=game.key), clause="6E")
    if game.split:
        return Decision(said=tell("That was asked for before: retreats and builds are ordered separately."))
    if len(rest_of_turn(game)) < 2:
        return Refusal(
            "nothing-to-split",
            tell(
                "{phase_title} have a deadline of their own; there is nothing to split.", phase_title=game.phase_title
            ),
            clause="6E",
        )
    event = TurnSplit(at=context.now, by=context.seat, phase=str(game.position.phase))
    return Decision((event,), said=tell("Retreats and builds are ordered separately this time; everybody is told."))


def _split(game: Game, event: TurnSplit) -> Game:
    return replace(game, split=event.phase)


FEATURE = Feature(
    evolve={TurnSplit: _split},
    decide={SplitTurn: split},
)

"""Civil disorder in the middle of a game (XIV): a Gamemaster lets a vacant power stand, and may revive it later.

Its units hold, support nobody and are disbanded when they are dislodged; nobody waits for it. Whoever takes the seat
over ends the disorder, and so does the Gamemaster's word: then the game waits for a player again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal, over
from judge.game.core.events import Event
from judge.game.core.evolve import with_seat
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Seat
from judge.game.core.registry import Feature


@dataclass(frozen=True, slots=True)
class Disorder(Command):
    """Let a power without a player stand in civil disorder."""

    power: str


@dataclass(frozen=True, slots=True)
class Revive(Command):
    """End the civil disorder of a power: the game waits for a player for it again."""

    power: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DisorderChanged(Event, told="seat,stands"):
    """A vacant seat's powers stand in civil disorder from now on (`stands`), or do so no longer."""

    seat: str
    stands: bool


def disorder(game: Game, command: Disorder, context: Context) -> Decision | Refusal:
    """Nobody waits for the power's orders any more."""
    seat = _vacant(game, command.power)
    if isinstance(seat, Refusal):
        return seat
    name = game.board.powers[command.power].name
    if seat.disorder:
        return Decision(said=f"{name} is in civil disorder already.")
    event = DisorderChanged(at=context.now, by=context.seat, seat=seat.id, stands=True)
    return Decision(
        (event,), said=f"{name} is in civil disorder until somebody takes it over, or you write: revive {name}"
    )


def revive(game: Game, command: Revive, context: Context) -> Decision | Refusal:
    """The power waits for a player like any other vacant one."""
    seat = _vacant(game, command.power)
    if isinstance(seat, Refusal):
        return seat
    name = game.board.powers[command.power].name
    if not seat.disorder:
        return Refusal("no-disorder", f"{name} is not in civil disorder.", mend=f"disorder {name}")
    event = DisorderChanged(at=context.now, by=context.seat, seat=seat.id, stands=False)
    return Decision((event,), said=f"{name} is vacant again: the game waits for a player for it.")


def _vacant(game: Game, power: str) -> Seat | Refusal:
    """The seat of a power, if it has no player; why not, otherwise."""
    name = game.board.powers[power].name
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", f"{game.key} is not running; before its start write: set unplayed {name}")
    seat = game.seat_of(power)
    if seat is None:
        return Refusal("no-seat", f"Nobody plays {name} in {game.key}; it is in civil disorder from the start.")
    if seat.filled:
        return Refusal("not-vacant", f"{name} has a player, so it is not in civil disorder.", mend=f"vacate {name}")
    return seat


def _changed(game: Game, event: DisorderChanged) -> Game:
    return with_seat(game, replace(game.seats[event.seat], disorder=event.stands))


FEATURE = Feature(
    evolve={DisorderChanged: _changed},
    decide={Disorder: disorder, Revive: revive},
    gm_only=(Disorder, Revive),
)

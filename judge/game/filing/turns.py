"""Turns and phases: which phases share a deadline, what is asked of whom, and what the next phase would look like.

A turn is one deadline and one set of orders; it may cover several phases (retreats and adjustments in one mail).
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.adjudicate import adjudicate
from judge.adjudicate.around import done_first
from judge.adjudicate.duty import Duty, asked_of
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.game.core.model import Begun, Game
from judge.game.core.remembered import remembered
from judge.game.filing.settling import carried_out_of
from judge.orders.model import Disband, Retreat
from judge.rules import Rules
from judge.rules.business import Deed


@remembered
def rest_of_turn(game: Begun) -> tuple[Phase, ...]:
    """The current phase and those after it under the same deadline."""
    turn = game.calendar.turn_of(game.position.phase)
    return turn[turn.index(game.position.phase) :]


def goes_on(game: Game) -> bool:
    """Whether another phase comes under the same deadline, which the orders on file lead to."""
    return isinstance(game, Begun) and len(rest_of_turn(game)) > 1


@remembered
def asked(position: Position, rules: Rules) -> Mapping[str, Duty]:
    """Power -> what the position's phase asks of it; powers with nothing to do are absent."""
    return asked_of(position, rules)


def forecast(game: Begun, power: str, *, spared: bool = False) -> Position | None:
    """The position of the next phase of this turn, judged by a power's orders on file; None if the turn ends here.

    Others' orders are secret (A57): their units hold, or disband. Its own units without a retreat on file disband too,
    or with `spared` withdraw somewhere: they may still order it.
    """
    if not goes_on(game):
        return None
    orders = [order for _, order in carried_out_of(game, power)]
    if spared and game.position.phase.kind is PhaseKind.RETREATS:
        ordered = {order.unit.id for order in orders if isinstance(order, (Retreat, Disband))}
        waiting = (lost for lost in game.position.dislodged if lost.unit.power == power and lost.options)
        orders += [Retreat(lost.unit, lost.options[0]) for lost in waiting if lost.unit.id not in ordered]
    return adjudicate(game.position, orders, game.rules, deeds=game.deeds.get(power, ())).after


def with_deeds_done(game: Begun, power: str) -> Position:
    """The present position as a power's orders meet it: with what it does before they are judged (`Business.first`),
    and what others do of which it is told.
    """
    others = (deed for whose, some in game.deeds.items() if whose != power for deed in some)
    deeds = (*game.deeds.get(power, ()), *(deed for deed in others if power in told_of(game, deed)))
    return done_first(game.position, deeds, game.rules) if deeds else game.position


def told_of(game: Game, deed: Deed) -> tuple[str, ...]:
    """The powers that are told of a deed at once."""
    if not isinstance(game, Begun) or (business := game.rules.business().get(deed.word)) is None:
        return ()
    return tuple(business.told(game.position, deed))

"""Turns and phases: which phases share a deadline, what is asked of whom, and what the next phase would look like.

A turn is one deadline and one set of orders; it may cover several phases (retreats and adjustments in one mail).
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import Duty, duties
from judge.board.phase import Phase
from judge.board.position import Position
from judge.game.model import Game
from judge.orders.model import Order
from judge.orders.reader import read_line
from judge.rules import Rules


def turn_of(rules: Rules, phase: Phase) -> tuple[Phase, ...]:
    """All phases of the turn that `phase` belongs to, in order."""
    return rules.calendar.turn_of(phase)


def rest_of_turn(game: Game) -> tuple[Phase, ...]:
    """The current phase and those after it under the same deadline."""
    assert game.position is not None
    turn = turn_of(game.rules, game.position.phase)
    return turn[turn.index(game.position.phase) :]


def asked(position: Position, rules: Rules) -> Mapping[str, Duty]:
    """Power -> what the position's phase asks of it; powers with nothing to do are absent."""
    return {power: duty for power, duty in duties(position, rules).items() if not duty.nothing}


def filed_orders(game: Game, power: str, phase: Phase) -> tuple[Order, ...]:
    """A power's orders on file for one phase, bound to the units of the present position.

    A line that can no longer be bound (a build whose site was lost in the retreats) is left out.
    """
    sheet = game.sheets.get(power)
    if sheet is None or game.position is None:
        return ()
    position = game.position
    orders = []
    for line in sheet.lines:
        if line.phase != str(phase):
            continue
        for reading in read_line(line.order, position, power):
            if reading.order is not None:
                orders.append(reading.order)
    return tuple(orders)


def forecast(game: Game, power: str = "") -> Position | None:
    """The position of the next phase of this turn, judged by the orders on file; None if the turn ends here.

    With a power, only its own orders count (others' retreats are secret, A57): the others' units disband.
    """
    if game.position is None or len(rest_of_turn(game)) < 2:
        return None
    powers = [power] if power else list(game.board.powers)
    orders = [order for key in powers for order in filed_orders(game, key, game.position.phase)]
    return adjudicate(game.position, orders, game.rules).after

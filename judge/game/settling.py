"""Orders on file as they are carried out: conditions are looked up, lists come down to what is open."""

from __future__ import annotations

from judge.board.phase import Phase
from judge.board.position import Position
from judge.game import facts
from judge.game.conditions import is_conditional, on_file
from judge.game.model import FiledLine, Game, Withdrawal
from judge.game.retreating import first_open
from judge.orders.model import Misorder, Order
from judge.orders.reader import read_line


def settled(order: str, position: Position, withdrawals: tuple[Withdrawal, ...]) -> str:
    """The plain order that an order on file comes to; "" where no condition of it holds."""
    if is_conditional(order):
        for branch in on_file(order):
            if branch.condition is None or branch.condition.holds(
                lambda fact: facts.holds(fact, position, withdrawals)
            ):
                return first_open(branch.order, position)
        return ""
    return first_open(order, position)


def carried_out(game: Game, power: str, phase: Phase) -> tuple[tuple[FiledLine, Order], ...]:
    """A power's orders on file for one phase with what they come to, bound to the units of the present position.

    A line that can no longer be bound (a build whose site was lost in the retreats) is left out.
    """
    sheet = game.sheets.get(power)
    if sheet is None or game.position is None:
        return ()
    found: list[tuple[FiledLine, Order]] = []
    for line in sheet.lines:
        if line.phase != str(phase):
            continue
        if line.wrong:
            units = (*game.position.units, *(lost.unit for lost in game.position.dislodged))
            found += [(line, Misorder(unit, line.text, line.wrong)) for unit in units if unit.id == line.unit]
            continue
        text = settled(line.order, game.position, game.withdrawals)
        for reading in read_line(text, game.position, power) if text else ():
            if reading.order is not None:
                found.append((line, reading.order))
    return tuple(found)

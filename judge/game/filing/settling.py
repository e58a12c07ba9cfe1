"""Orders on file as they are carried out: conditions are evaluated, and of a list the first open retreat is taken."""

from __future__ import annotations

from collections.abc import Mapping

from judge.board.position import Position
from judge.game.core.model import Begun
from judge.game.core.parts import Sheet
from judge.game.instructions import facts
from judge.game.instructions.facts import Withdrawal
from judge.game.instructions.kinds import Conditional, FiledOrder, Instruction, Ranked
from judge.orders.kinds import Units
from judge.orders.model import Disband, Order, Retreat
from judge.orders.stored import rebound, units_of


def settled(
    instruction: Instruction, position: Position, units: Units, withdrawals: tuple[Withdrawal, ...]
) -> Order | None:
    """The order that an instruction comes to, bound to the `units` of a position. None: no condition of it holds, or a
    unit that it names is not there any more.
    """
    if isinstance(instruction, Conditional):
        for branch in instruction.branches:
            if branch.condition is None or branch.condition.holds(
                lambda fact: facts.holds(fact, position, withdrawals)
            ):
                return settled(branch.order, position, units, withdrawals)
        return None
    order = first_open(instruction, position) if isinstance(instruction, Ranked) else instruction
    return rebound(order, units)


def first_open(ranked: Ranked, position: Position) -> Order:
    """The order that a list comes to: its first retreat that is open, else to disband."""
    unit = ranked.orders[0].unit
    options = {option for lost in position.dislodged if lost.unit.id == unit.id for option in lost.options}
    for order in ranked.orders:
        if isinstance(order, Disband) or (isinstance(order, Retreat) and order.to in options):
            return order
    return Disband(unit)


Settled = tuple[tuple[FiledOrder, Order], ...]
"""Orders on file with what they come to."""


def carried_out(game: Begun) -> Mapping[str, Settled]:
    """Power -> its orders on file for the present phase with what they come to, bound to the units of the position.

    A line that can no longer be bound (its unit was lost in the retreats) is left out.
    """
    return _carried_out(game, game.sheets)


def carried_out_of(game: Begun, power: str) -> Settled:
    """The same for one power."""
    return _carried_out(game, {power: game.sheets[power]})[power] if power in game.sheets else ()


def _carried_out(game: Begun, sheets: Mapping[str, Sheet]) -> Mapping[str, Settled]:
    position, withdrawals = game.position, game.withdrawals
    units, present = units_of(position), str(position.phase)
    found = {}
    for power, sheet in sheets.items():
        lines = [line for line in sheet.lines if line.phase == present]
        orders = [settled(line.instruction, position, units, withdrawals) for line in lines]
        found[power] = tuple([(line, order) for line, order in zip(lines, orders, strict=True) if order is not None])
    return found

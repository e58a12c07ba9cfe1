"""What stands on file for a unit or a build: an order, a list of retreats in order of liking, or a condition (6E).

An instruction is a value; `str()` is its canonical form, for people. When its phase is played it comes down to one
order, bound to the units as they then stand (`judge.game.filing.settling`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.board.model import province_of
from judge.board.unit import Unit
from judge.game.instructions.conditions import Condition, condition_from_json, condition_to_json
from judge.orders.kinds import Units
from judge.orders.model import Build, Disband, Order, Retreat, Waive
from judge.orders.stored import order_from_json, order_to_json, orders_from_json, orders_to_json


@dataclass(frozen=True, slots=True)
class Ranked:
    """Retreats of one unit, best first; disbanding may stand at the end. The first that is open is made."""

    orders: tuple[Retreat | Disband, ...]

    def __str__(self) -> str:
        """ "A BUR R GAS OR PAR OR D"."""
        first, *others = self.orders
        return " OR ".join([str(first), *(each.to if isinstance(each, Retreat) else "D" for each in others)])


@dataclass(frozen=True, slots=True)
class Branch:
    """One way to go: under a condition, or (the last one) without."""

    condition: Condition | None
    order: Order | Ranked

    def __str__(self) -> str:
        return f"IF {self.condition} THEN {self.order}" if self.condition else str(self.order)


@dataclass(frozen=True, slots=True)
class Conditional:
    """The first branch whose condition holds is carried out; none holds: there is no order."""

    branches: tuple[Branch, ...]

    def __str__(self) -> str:
        """ "IF GERMANY A PIC R BEL THEN A PAR B ELSE A MAR B"."""
        return " ELSE ".join(map(str, self.branches))


Instruction = Order | Ranked | Conditional


def first_order(instruction: Instruction) -> Order:
    """One order of an instruction, which tells what it is for."""
    if isinstance(instruction, Conditional):
        return first_order(instruction.branches[0].order)
    return instruction.orders[0] if isinstance(instruction, Ranked) else instruction


def unit_of(instruction: Instruction) -> Unit | None:
    """The unit that an instruction is for; None for builds."""
    order = first_order(instruction) if isinstance(instruction, (Ranked, Conditional)) else instruction
    return None if isinstance(order, (Build, Waive)) else order.unit


def site_of(instruction: Instruction) -> str:
    """The province of a build; of a condition, the first that it builds in; "" for any other."""
    if isinstance(instruction, Build):
        return province_of(instruction.at)
    if isinstance(instruction, Conditional):
        return next((site for branch in instruction.branches if (site := site_of(branch.order))), "")
    return ""


def instruction_to_json(instruction: Instruction) -> dict[str, Any]:
    """As an event stores it."""
    match instruction:
        case Conditional(branches):
            return {
                "kind": "conditional",
                "branches": [
                    {
                        "if": condition_to_json(branch.condition) if branch.condition else None,
                        "then": instruction_to_json(branch.order),
                    }
                    for branch in branches
                ],
            }
        case Ranked(orders):
            return {"kind": "ranked", "orders": orders_to_json(orders)}
    return order_to_json(instruction)


def instruction_from_json(data: Mapping[str, Any], units: Units) -> Instruction:
    """The inverse of `instruction_to_json`. Raises KeyError for a unit that is not among `units`."""
    if data["kind"] != "conditional":
        return _plain(data, units)
    branches = [
        Branch(condition_from_json(each["if"]) if each["if"] else None, _plain(each["then"], units))
        for each in data["branches"]
    ]
    return Conditional(tuple(branches))


def _plain(data: Mapping[str, Any], units: Units) -> Order | Ranked:
    if data["kind"] != "ranked":
        return order_from_json(data, units)
    orders = orders_from_json(data["orders"], units)
    return Ranked(tuple(order for order in orders if isinstance(order, (Retreat, Disband))))

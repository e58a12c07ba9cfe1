"""A second opinion on a movement phase: from `exhaustive`, which shares no code with the adjudicator of this room.

It knows the moves of the family of 1976, whichever choices are made; not the systems that answer questions of the
battle themselves, boards with borders that close, or other kinds of unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge.adjudicate.exhaustive import Exhaustive, TooTangled
from judge.adjudicate.outcome import Outcome, Result
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Move, Order
from judge.rules import Rules
from judge.rules.choices import Cutting


@dataclass(frozen=True, slots=True)
class Parting:
    """A unit of which the second adjudicator says another thing than the outcomes do; `moved` and `dislodged` are what
    the second says.
    """

    unit: Unit
    moved: bool
    dislodged: bool


def second_opinion(position: Position, outcomes: Iterable[Outcome], rules: Rules) -> tuple[Parting, ...] | None:
    """The units of which the second adjudicator says another thing than these outcomes; None where it does not know the
    rules, or where too many questions hang on each other.
    """
    known = tuple(outcomes)
    orders = [outcome.order for outcome in known]
    if not _knows(position, orders, rules):
        return None
    try:
        result = Exhaustive(position, orders, rules).settled()
    except TooTangled:
        return None
    moved = {
        o.order.unit.id for o in known if isinstance(o.order, Move) and o.results[:1] == (Result.OK,)
    }  # fmt: skip
    ousted = {unit.id for o in known if Result.DISLODGED in o.results and (unit := _unit(o.order)) is not None}
    return tuple(
        Parting(unit, unit.id in result.moved, unit.id in result.dislodged)
        for unit in position.units
        if (unit.id in moved) != (unit.id in result.moved) or (unit.id in ousted) != (unit.id in result.dislodged)
    )


def _unit(order: Order) -> Unit | None:
    return getattr(order, "unit", None)


def _knows(position: Position, orders: Sequence[Order], rules: Rules) -> bool:
    places = [unit.at.partition("/")[0] for unit in position.units]
    return (
        position.phase.kind is PhaseKind.MOVES
        and not rules.answered
        and rules.cutting is Cutting.FOREIGN
        and not rules.around & {"dues", "defaults", "settled"}
        and not any(border.closures for border in position.board.borders)
        and {unit.kind for unit in position.units} <= {"A", "F"}
        and len(set(places)) == len(places)
        and all(type(order) is Move or not isinstance(order, Move) for order in orders)
    )

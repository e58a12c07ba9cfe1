"""Whether one order, by itself, can be followed: asked at entry in games that allow no mistakes.

Legal is not wise: an order that will fail because of what others order is legal.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.adjudicate.adjustments import ledger_at
from judge.adjudicate.around import can_pay
from judge.adjudicate.lower import lower
from judge.adjudicate.outcome import Result
from judge.adjudicate.retreats import refused
from judge.adjudicate.stacks import CROWDED_OUT
from judge.board.chart import compile_board
from judge.board.model import province_of
from judge.board.phase import MOVES, RETREATS
from judge.board.position import Position
from judge.board.unit import Dislodged, Unit
from judge.orders.model import Build, Disband, Hold, Misorder, Move, Order, Rail, Retreat, Support, Waive, power_of
from judge.rules.model import Rules
from judge.rules.reasons import REASONS, clause_of


@dataclass(frozen=True, slots=True)
class Illegality:
    """Why an order cannot be followed: the slug of `judge.rules.reasons`, and whose presence is to blame.

    What players are told of it is `judge.adjudicate.explain.meaning`.
    """

    order: Order
    reason: str
    by: tuple[Unit, ...] = ()

    @property
    def clause(self) -> str:
        """The clause of the rules."""
        return clause_of(self.reason)

    @property
    def meaning(self) -> str:
        """The reason in general words."""
        reason = REASONS.get(self.reason)
        return reason.meaning if reason else self.reason


def legality(order: Order, position: Position, rules: Rules) -> Illegality | None:
    """None for an order that can be followed in this position and phase, else why not.

    Raises ValueError for an order of another kind of phase, or of a unit that is not there.
    """
    if isinstance(order, Misorder):
        return Illegality(order, order.reason)
    if not can_pay(position, order, rules):
        return Illegality(order, "not-paid")
    if position.phase.kind is MOVES:
        return _movement(order, position, rules)
    if position.phase.kind is RETREATS:
        return _retreat(order, position, rules)
    return _adjustment(order, position, rules)


def _plainly_legal(order: Order, position: Position) -> bool:
    """Whether an order needs no closer look: a unit holds, or goes its own way to where it can go."""
    if isinstance(order, Hold):
        return any(unit.id == order.unit.id for unit in position.units)
    if not isinstance(order, Move) or order.via or order.unit not in position.units:
        return False
    way = compile_board(position.board, position.phase.season).spots[order.unit.kind][order.unit.at].ways.get(order.to)
    return way is not None and way[1] == order.to


def _movement(order: Order, position: Position, rules: Rules) -> Illegality | None:
    """Lower the order by itself; a support together with the move that it is for."""
    if not rules.answered and _plainly_legal(order, position):
        return None
    together: list[Order] = [order]
    if isinstance(order, Support) and order.to is not None and order.of.id != order.unit.id:
        by_rail = "rail" in rules.kinds() and bool(position.board.line(order.of.kind, order.of.at, order.to))
        needs_convoy = _needs_convoy(order, position)
        together.insert(0, Rail(order.of, order.to) if by_rail else Move(order.of, order.to, via=needs_convoy))
    bout = lower(position, together, rules)
    if isinstance(order, (Build, Waive)):
        raise ValueError(f"{order} is no order for a movement phase")
    result, reason = bout.faults.get(bout.number[order.unit.id], (Result.OK, ""))
    if reason == CROWDED_OUT:
        return None  # what its other units are ordered decides
    if result is Result.ILLEGAL or reason == "no-support-by-rail":
        return Illegality(order, reason)
    if reason == "supported-move-not-ordered" and isinstance(order, Support):
        fault = bout.faults.get(bout.number[order.of.id])
        if fault is not None and fault[1] != "coast-missing":
            closed = fault[1] == "border-closed"
            return Illegality(order, fault[1] if closed else "supported-unit-cannot-go-there", (order.of,))
    return None


def _needs_convoy(order: Support, position: Position) -> bool:
    """Whether the supported unit could make its move only by convoy."""
    chart = compile_board(position.board, position.phase.season)
    spot = chart.spots[order.of.kind][order.of.at]
    return order.of.kind in chart.carried and order.to not in spot.ways


def _retreat(order: Order, position: Position, rules: Rules) -> Illegality | None:
    dislodged = _waiting(order, position)
    if isinstance(order, Disband) or (isinstance(order, Retreat) and order.to in dislodged.options):
        return None
    if not isinstance(order, Retreat):
        raise ValueError(f"{order} is no order for a retreat phase")
    chart = compile_board(position.board, position.phase.season)
    way = chart.spots[order.unit.kind][order.unit.at].ways.get(order.to)
    if way is not None and way[1] in dislodged.options:
        return None
    reason, by = refused(position, dislodged, order.to, chart, rules)
    return Illegality(order, reason, by)


def _waiting(order: Order, position: Position) -> Dislodged:
    if not isinstance(order, (Build, Waive)):
        for each in position.dislodged:
            if each.unit.id == order.unit.id:
                return each
    raise ValueError(f"{order} is no order for a unit that must retreat")


def _adjustment(order: Order, position: Position, rules: Rules) -> Illegality | None:
    power = power_of(order)
    if "deliberates" in rules.around and rules.deliberates(position):  # nobody counts how many units a power may have
        fault = rules.build_fault(position, order) if isinstance(order, Build) else ""
        return Illegality(order, fault) if fault else None
    due = rules.ledgers(position, power)
    if isinstance(order, Disband):
        if due.get(rules.ledger(position, order.unit), 0) < 0:
            return None
        return Illegality(order, rules.removal_fault(position, order.unit) or "too-many-removals")
    if not isinstance(order, (Build, Waive)):
        raise ValueError(f"{order} is no order for adjustments")
    if all(number <= 0 for number in due.values()) and (len(due) == 1 or isinstance(order, Waive)):
        return Illegality(order, "too-many-builds")  # of several ledgers the rules say what is wrong with which
    if isinstance(order, Waive):
        return None
    if fault := rules.build_fault(position, order):
        return Illegality(order, fault, position.at(province_of(order.at)) if fault == "home-occupied" else ())
    left = due.get(ledger_at(position, power, order.at, rules), 0)
    return None if left > 0 else Illegality(order, "too-many-builds")

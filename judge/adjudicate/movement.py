"""The movement phase: lower, solve, settle, and the reasons on demand."""

from __future__ import annotations

from collections.abc import Iterable

from judge.adjudicate.knots import untie
from judge.adjudicate.lower import lower
from judge.adjudicate.outcome import Adjudication
from judge.adjudicate.settle import settle
from judge.adjudicate.solve import Solver
from judge.adjudicate.why import outcomes
from judge.board.position import Position
from judge.orders.model import Order
from judge.rules.model import Rules


def adjudicate_moves(
    position: Position, orders: Iterable[Order], rules: Rules, disorder: frozenset[str] = frozenset()
) -> Adjudication:
    """The result of a movement phase; `disorder` names the powers in civil disorder (XIV.3)."""
    solver = Solver(lower(position, orders, rules))
    solver.solve()
    if solver.tangled:
        untie(solver)
    after, lost = settle(solver, disorder)
    return Adjudication(position, after, lost, lambda: outcomes(solver, lost))

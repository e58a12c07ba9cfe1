"""The movement phase: lower, solve, settle, and the reasons on demand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from judge.adjudicate.bout import Bout
from judge.adjudicate.company import CompanySolver
from judge.adjudicate.knots import untie
from judge.adjudicate.lower import lower
from judge.adjudicate.outcome import Adjudication
from judge.adjudicate.purse import adjudicate_paid
from judge.adjudicate.settle import settle
from judge.adjudicate.solve import Solver
from judge.adjudicate.why import outcomes
from judge.board.position import Position
from judge.orders.model import Order
from judge.rules.model import Rules

NOBODY: Final[frozenset[str]] = frozenset()


def adjudicate_moves(
    position: Position, orders: Iterable[Order], rules: Rules, disorder: Iterable[str] = ()
) -> Adjudication:
    """The result of a movement phase; `disorder` names the powers in civil disorder (XIV.3)."""
    solver = solved(lower(position, orders, rules))
    ousted = solver.dislodgements()
    after, lost = settle(solver, ousted, frozenset(disorder) if disorder else NOBODY)
    return Adjudication(position, after, lost, partial(outcomes, solver, ousted, lost))


def adjudicate_paid_moves(
    position: Position, orders: Iterable[Order], rules: Rules, disorder: Iterable[str] = ()
) -> Adjudication:
    """The same where a battle is paid for."""
    return adjudicate_paid(position, orders, rules, frozenset(disorder), solved)


def solved(bout: Bout) -> Solver:
    """The answers to a bout, whoever lowered it."""
    solver = Solver(bout) if bout.company is None else CompanySolver(bout, bout.company)
    solver.solve()
    if solver.tangled:
        untie(solver)
    return solver

"""The movement phase: lower, solve, settle, and the reasons on demand; where units pay for what becomes of their
orders, until everything is paid (`Questions.bills`).

What an act costs hangs on the battle, and the battle on who has paid. So all fight at full strength first; then the
rules say what that costs, the purses pay in that order, and the first act for which there is not enough is marked as
unpaid; then all fight again. The unpaid only grow, so this ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from judge.adjudicate.bout import YES, Bout, Company
from judge.adjudicate.company import CompanySolver
from judge.adjudicate.knots import untie
from judge.adjudicate.lower import lower
from judge.adjudicate.outcome import Adjudication, End, Outcome, Result
from judge.adjudicate.settle import settle
from judge.adjudicate.solve import Solver
from judge.adjudicate.why import outcomes
from judge.board.position import Position
from judge.orders.model import Order, UnitOrder
from judge.rules.model import Rules
from judge.rules.questions import Battle, Bill

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.adjudicate.bout import Bout
    from judge.adjudicate.solve import Solver


def adjudicate_paid(
    position: Position,
    orders: Iterable[Order],
    rules: Rules,
    disorder: frozenset[str],
    solved: Callable[[Bout], Solver],
) -> Adjudication:
    """The result of a movement phase once everything that can be paid is paid."""
    sheet = tuple(orders)
    unpaid: set[int] = set()
    while True:
        bout = lower(position, sheet, rules)
        company = bout.company = bout.company or Company()
        company.unpaid |= {bout.number[unit] for unit in unpaid}
        solver = solved(bout)
        ousted = solver.dislodgements()
        bills = [bill for bill in rules.bills(_battle(solver, ousted, unpaid)) if bill.unit not in unpaid]
        purses, short = _paid(position, bills)
        if short is None:
            break
        unpaid.add(short.unit)
    after, lost = settle(solver, ousted, disorder)
    told = outcomes(solver, ousted, lost)
    return Adjudication(
        position,
        replace(after, accounts=purses),
        lost,
        lambda: tuple(_told(outcome) if _unit_of(outcome) in unpaid else outcome for outcome in told),
    )


def _battle(solver: Solver, ousted: Mapping[int, int], unpaid: Iterable[int]) -> Battle:
    bout = solver.bout
    units = bout.position.units
    given = {units[n].id: order for n, order in enumerate(bout.given) if isinstance(order, UnitOrder)}
    return Battle(
        bout.position,
        given,
        frozenset(units[n].id for n in bout.moving() if solver.fate[n] == YES),
        {units[victim].id: units[attacker].id for victim, attacker in ousted.items()},
        {units[n].id: bout.chart.codes[bout.aim[n]] for n in bout.moving()},
        frozenset(units[n].id for n in bout.faults),
        frozenset(unpaid),
    )


def _paid(position: Position, bills: Iterable[Bill]) -> tuple[Mapping[str, Mapping[str, int]], Bill | None]:
    """What is left in the purses, and the first bill for which there is not enough."""
    left = {power: dict(purses) for power, purses in position.accounts.items()}
    for bill in bills:
        purses = left.setdefault(bill.power, {})
        purses[bill.purse] = purses.get(bill.purse, 0) - bill.amount
        if purses[bill.purse] < 0:
            return position.accounts, bill
    return MappingProxyType({power: MappingProxyType(purses) for power, purses in left.items()}), None


def _unit_of(outcome: Outcome) -> int:
    return outcome.order.unit.id if isinstance(outcome.order, UnitOrder) else 0


def _told(outcome: Outcome) -> Outcome:
    """The outcome of an act that was not paid for; what became of its unit stays."""
    fate = tuple(each for each in outcome.results if each in (Result.DISLODGED, Result.DISBANDED))
    return Outcome((outcome.order, End((Result.VOID, *fate), "not-paid", outcome.by)))


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

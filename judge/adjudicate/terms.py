"""What a rule system says of single orders before a battle: who may not go, help or carry, and on which terms who goes.

Nothing here is asked of systems that leave these questions (`judge.rules.questions.IN_BATTLE`) as they are in 1976.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from judge.adjudicate.bout import Bout, Company
from judge.adjudicate.outcome import Result
from judge.adjudicate.stacks import choose_guards
from judge.board.position import Position
from judge.orders.model import Hold, Misorder, Move, Order, Support, UnitOrder
from judge.rules.model import Rules
from judge.rules.questions import Term


def bind_held(position: Position, orders: Iterable[Order], rules: Rules) -> dict[int, Misorder]:
    """`id` of each order for a unit that may only hold in this phase (`Rules.held`) -> the misorder in its place."""
    found: dict[int, Misorder] = {}
    for order in orders:
        if isinstance(order, UnitOrder) and _acts(order) and (reason := rules.held(position, order.unit)):
            found[id(order)] = Misorder(order.unit, str(order), reason)
    return found


def _acts(order: UnitOrder) -> bool:
    """Whether an order is for more than to stand."""
    return not isinstance(order, (Hold, Misorder))


def bar_moves(bout: Bout) -> None:
    """Let those stand that may not go where they are ordered to. Call it before convoys are matched."""
    for unit in bout.moving():
        order: Move = bout.given[unit]
        if reason := bout.rules.barred(bout.position, order.unit, order.to):
            bout.withdraw(unit)
            bout.carriage.pop(unit, None)
            bout.faults[unit] = (Result.ILLEGAL, reason)


def by_the_rules(bout: Bout) -> None:
    """Take away the supports that may not be given, and tell the solver who keeps company with whom, on which terms.
    Call it when supports have been matched.
    """
    for unit in bout.supporters:
        if unit not in bout.faults and (reason := by_the_system(bout, bout.given[unit])):
            bout.faults[unit] = (Result.ILLEGAL, reason)
            supported = bout.number[bout.given[unit].of.id]
            bout.backing[supported] = tuple(each for each in bout.backing[supported] if each != unit)
    if "stacks" in bout.asked:
        choose_guards(bout)
    elif "cutting" in bout.asked:
        bout.company = bout.company or Company()
    if "terms" in bout.asked:
        _set_terms(bout)
    if "escort" in bout.asked:
        _set_escorts(bout)


def by_the_system(bout: Bout, order: Support) -> str:
    """Why a system does not let a unit support another one, as a reason's slug."""
    rules, position = bout.rules, bout.position
    goal = order.to or order.of.at
    return rules.support_fault(position, order.unit, order.of, goal)


def _set_terms(bout: Bout) -> None:
    terms = {unit: bout.rules.terms(bout.position, bout.given[unit]) for unit in bout.moving()}
    if any(terms.values()):
        bout.company = replace(
            bout.company or Company(),
            meek=_those(terms, Term.MEEK),
            needs_army=_those(terms, Term.NEEDS_ARMY),
            unpaid=_those(terms, Term.UNPAID),
            powerless=_those(terms, Term.POWERLESS),
        )


def _set_escorts(bout: Bout) -> None:
    found: dict[int, tuple[int, str]] = {}
    for unit in bout.moving():
        if escort := bout.rules.escort(bout.position, bout.given[unit]):
            found[unit] = bout.occupant[bout.chart.space[escort.at]], escort.reason
    if found:
        bout.company = replace(bout.company or Company(), escorts=found)


def _those(terms: dict[int, frozenset[Term]], term: Term) -> frozenset[int]:
    return frozenset(unit for unit, found in terms.items() if term in found)

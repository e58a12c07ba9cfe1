"""What a rule system does before and after a phase is judged: it orders what nobody ordered, takes what orders cost,
carries out deeds, and writes down what it remembers.

Nothing here is asked of systems that leave these questions (`judge.rules.questions.AROUND`) as they are in 1976.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from types import MappingProxyType

from judge.adjudicate.adjustments import powers
from judge.adjudicate.outcome import Adjudication, End, Outcome, Result
from judge.board.position import Position
from judge.orders.model import Build, Misorder, Order, Waive, power_of
from judge.rules.business import Deed
from judge.rules.model import Rules
from judge.rules.questions import Happened, SettledPosition

NOT_PAID = End((Result.ILLEGAL,), "not-paid")


def judged_around(
    position: Position,
    orders: Iterable[Order],
    rules: Rules,
    judge: Callable[[Position, Iterable[Order]], Adjudication],
    *,
    deeds: Iterable[Deed],
    lot: int,
    disorder: Iterable[str] = (),
) -> Adjudication:
    """The phase as `judge` finds it, with all that the rules do around it."""
    given = _with_defaults(position, orders, rules) if "defaults" in rules.around else tuple(orders)
    left: Position = position
    unpaid: list[Order] = []
    if "dues" in rules.around:
        given, unpaid, left = _paid(position, given, rules)
    deeds = tuple(deeds)
    first = with_deeds(left, (deed for deed in deeds if _comes_first(rules, deed)), rules)
    own = rules.judged(first, given, deeds, frozenset(disorder)) if "judged" in rules.around else None
    result: Adjudication = judge(first, given) if own is None else own
    after = result.after
    if left is not position:
        after = replace(after, accounts=left.accounts)
    if own is None:
        after = with_deeds(after, (deed for deed in deeds if not _comes_first(rules, deed)), rules)
    lapsed = tuple(Outcome((order, NOT_PAID)) for order in unpaid if isinstance(order, Build))
    if own is not None and "settled" not in rules.around and not lapsed:
        return result if result.before is position else _since(position, result)
    found = rules.settled(Happened(position, after, given, lambda: result.outcomes, lot))
    settled = found if isinstance(found, SettledPosition) else SettledPosition(found, ())
    extra = (*lapsed, *settled.told)
    return Adjudication(position, settled.position, result.destroyed, lambda: (*result.outcomes, *extra))


def _since(position: Position, result: Adjudication) -> Adjudication:
    """The result, told as one of the position in which deeds had not been done yet."""
    result.before = position
    return result


def with_deeds(position: Position, deeds: Iterable[Deed], rules: Rules) -> Position:
    """The position with what was done; what the check now refuses is left out."""
    for deed in deeds:
        business = rules.business().get(deed.word)
        if business is not None and not business.fault(position, deed):
            position = business.effect(position, deed)
    return position


def done_first(position: Position, deeds: Iterable[Deed], rules: Rules) -> Position:
    """The position in which orders are judged: with the deeds that come before them."""
    return with_deeds(position, (deed for deed in deeds if _comes_first(rules, deed)), rules)


def _comes_first(rules: Rules, deed: Deed) -> bool:
    business = rules.business().get(deed.word)
    return business is not None and business.first


def can_pay(position: Position, order: Order, rules: Rules) -> bool:
    """Whether a power could pay for an order, if it were the only one."""
    return "dues" not in rules.around or _less(position, order, rules) is not None


def _with_defaults(position: Position, orders: Iterable[Order], rules: Rules) -> tuple[Order, ...]:
    """The orders, with those that the rules give where nobody gave any: to a unit, or to a power that builds."""
    given, fit = tuple(orders), rules.kinds().standing_in(position.phase.kind)
    done = {_subject(order) for order in given} | {power_of(order) for order in given if _adjusts(order)}
    waiting = (each.unit.power for each in position.dislodged)
    alive = dict.fromkeys((*powers(position), *waiting))
    own = (order for power in alive if power not in done for order in rules.defaults(position, power))
    return (*given, *(order for order in own if isinstance(order, fit) and _subject(order) not in done))


def _subject(order: Order) -> object:
    """What an order is for: a unit, or the order itself where it is for none."""
    return order if _adjusts(order) else order.unit.id  # type: ignore[union-attr]


def _adjusts(order: Order) -> bool:
    return isinstance(order, (Build, Waive))


def _paid(position: Position, orders: Iterable[Order], rules: Rules) -> tuple[tuple[Order, ...], list[Order], Position]:
    """The orders that are paid for, with units standing whose orders are not; these; and what is left in the purses."""
    last = {_subject(order) if not _adjusts(order) else object(): order for order in orders}
    paid: list[Order] = []
    unpaid: list[Order] = []
    for order in last.values():
        left = _less(position, order, rules)
        if left is not None:
            paid.append(order)
            position = left
            continue
        unpaid.append(order)
        if not isinstance(order, (Build, Waive)):
            paid.append(Misorder(order.unit, str(order), "not-paid"))
    return tuple(paid), unpaid, position


def _less(position: Position, order: Order, rules: Rules) -> Position | None:
    """The position once an order is paid for; None where there is not enough."""
    dues, power = rules.dues(position, order), power_of(order)
    if not any(dues.values()):
        return position
    purses = dict(position.accounts.get(power, {}))
    for purse, amount in dues.items():
        purses[purse] = purses.get(purse, 0) - amount
        if purses[purse] < 0:
            return None
    return replace(position, accounts=MappingProxyType({**position.accounts, power: MappingProxyType(purses)}))

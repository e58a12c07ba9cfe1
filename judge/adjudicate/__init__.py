"""Orders in, outcomes out: the adjudicator.

`adjudicate(position, orders, rules)` is the whole of it; the modules around it answer what players ask before and
after: what is due (`duty`), what is legal (`legality`), why it came so (`explain`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from judge.adjudicate.adjustments import adjudicate_adjustments
from judge.adjudicate.around import judged_around
from judge.adjudicate.movement import adjudicate_moves, adjudicate_paid_moves
from judge.adjudicate.outcome import Adjudication, Outcome, Result
from judge.adjudicate.retreats import adjudicate_retreats
from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS
from judge.board.position import Position
from judge.orders.model import Order
from judge.rules.business import Deed
from judge.rules.model import Rules

__all__ = ["Adjudication", "Outcome", "Result", "adjudicate"]


def adjudicate(
    position: Position,
    orders: Iterable[Order],
    rules: Rules,
    *,
    disorder: Iterable[str] = (),
    deeds: Iterable[Deed] = (),
    lot: int = 0,
) -> Adjudication:
    """The result of the position's phase under the rules.

    Units without an order hold (retreats: are disbanded; adjustments: builds lapse, removals go by XIV.4). Of
    several orders for a unit the last counts. `disorder` names powers in civil disorder, whose dislodged units are
    disbanded at once; `deeds` and `lot` are for systems that know them (`Questions.business`, `settled`). Raises
    ValueError for an order of another phase or of a unit that is not there: readers of orders never produce one.
    """
    if rules.around:
        paid = "bills" in rules.around and position.phase.kind is MOVES
        judge = partial(adjudicate_paid_moves if paid else _judged, rules=rules, disorder=disorder)
        return judged_around(position, orders, rules, judge, deeds=deeds, lot=lot, disorder=disorder)
    return _judged(position, orders, rules, disorder)


def _judged(position: Position, orders: Iterable[Order], rules: Rules, disorder: Iterable[str]) -> Adjudication:
    if position.phase.kind is MOVES:
        return adjudicate_moves(position, orders, rules, disorder)
    if position.phase.kind is RETREATS:
        return adjudicate_retreats(position, orders, rules)
    if position.phase.kind is ADJUSTMENTS:
        return adjudicate_adjustments(position, orders, rules)
    return _nothing(position, orders, rules)


def _nothing(position: Position, orders: Iterable[Order], rules: Rules) -> Adjudication:
    """A phase in which no unit is ordered: the next one begins as this one did."""
    for order in orders:
        raise ValueError(f"{order} is no order for negotiations")
    following, captures = rules.calendar.passing(position.phase)
    owners = rules.owners(position, position.units) if captures else position.owners
    after = position.followed_by(following, position.units, owners, position.dislodged, position.next_id)
    return Adjudication(position, after, (), tuple)

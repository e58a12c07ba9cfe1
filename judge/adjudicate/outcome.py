"""What became of an order, with the reason, the culprits and the strengths; and as plain JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from judge.board.position import Position
from judge.board.unit import Dislodged, Unit
from judge.orders.family import orders_from_json, orders_to_json
from judge.orders.kinds import Units
from judge.orders.model import Order
from judge.rules.reasons import clause_of

new: Final = tuple.__new__
"""Makes a named tuple of a class and a tuple of its fields: half the time of its own constructor goes into naming them.
"""


class Result(StrEnum):
    """What became of the order, or of the unit. The words are part of the outward contract."""

    OK = "ok"
    BOUNCED = "bounced"
    CUT = "cut"
    VOID = "void"
    ILLEGAL = "illegal"
    NO_CONVOY = "no-convoy"
    DISLODGED = "dislodged"
    DISBANDED = "disbanded"


class End(NamedTuple):
    """What became of an order, and why.

    `results`: first what became of the order, then the unit's fate if it had one (DISLODGED, DISBANDED).
    `reason`: a stable slug ("stood-off", "held", "support-cut", "no-order" ...; all are listed in
    `judge.rules.reasons`). `by`: the culprits, units as they stood before the phase, most important first.
    `strengths`: ours against theirs where two were compared.
    """

    results: tuple[Result, ...]
    reason: str
    by: tuple[Unit, ...] = ()
    strengths: tuple[int, int] | None = None

    @property
    def clause(self) -> str:
        """Where the rulebook says so ("IX.2")."""
        return clause_of(self.reason)


class Outcome(tuple[Order, End]):
    """One order and its end, made of that pair. Most orders of a phase are carried out, and have one end in common."""

    __slots__ = ()

    @property
    def order(self) -> Order:
        """The order."""
        return self[0]

    @property
    def end(self) -> End:
        """What became of it."""
        return self[1]

    @property
    def results(self) -> tuple[Result, ...]:
        """What became of the order, and of the unit."""
        return self.end.results

    @property
    def reason(self) -> str:
        """The slug of the reason."""
        return self.end.reason

    @property
    def by(self) -> tuple[Unit, ...]:
        """The culprits."""
        return self.end.by

    @property
    def strengths(self) -> tuple[int, int] | None:
        """Ours against theirs."""
        return self.end.strengths

    @property
    def clause(self) -> str:
        """Where the rulebook says so."""
        return self.end.clause

    @property
    def ok(self) -> bool:
        """Whether the order was carried out."""
        return self.results[0] is Result.OK

    @property
    def dislodged(self) -> bool:
        """Whether the unit was driven out."""
        return Result.DISLODGED in self.results


class Adjudication:
    """The whole answer of one phase: every unit's or build's outcome, and the position it leads to.

    `after.phase` is the next phase of the rules' calendar (S1901M -> S1901R even when nobody must retreat).
    `destroyed` are the units lost at once because they had nowhere to retreat to. The outcomes are worked out when
    somebody first asks for them.
    """

    __slots__ = ("_outcomes", "_why", "after", "before", "destroyed")

    def __init__(
        self,
        before: Position,
        after: Position,
        destroyed: tuple[Dislodged, ...],
        why: Callable[[], tuple[Outcome, ...]],
    ) -> None:
        self.before = before
        self.after = after
        self.destroyed = destroyed
        self._why = why
        self._outcomes: tuple[Outcome, ...] | None = None

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """One for each unit, in the position's order (adjustments: one for each order and removal)."""
        if self._outcomes is None:
            self._outcomes = self._why()
        return self._outcomes

    def of(self, unit: Unit) -> Outcome:
        """What became of a unit's order; raises KeyError for a unit that had no part in the phase."""
        for outcome in self.outcomes:
            if getattr(outcome.order, "unit", None) == unit:
                return outcome
        raise KeyError(str(unit))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Adjudication):
            return NotImplemented
        return (self.before, self.after, self.outcomes) == (other.before, other.after, other.outcomes)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Adjudication of {self.before.phase}: {len(self.after.dislodged)} to retreat>"


def outcomes_to_json(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Outcomes as plain JSON: {"order", "results", "reason", "by": identities of the culprits, "strengths"}."""
    found = tuple(outcomes)
    orders = orders_to_json([order for order, _ in found])
    return [_with_end(order, end) for order, (_, end) in zip(orders, found, strict=True)]


def _with_end(order: Mapping[str, Any], end: End) -> dict[str, Any]:
    return {
        "order": order,
        "results": [str(result) for result in end.results],
        "reason": end.reason,
        "by": [unit.id for unit in end.by],
        "strengths": list(end.strengths) if end.strengths else None,
    }


def outcomes_from_json(stored: Sequence[Mapping[str, Any]], units: Units) -> tuple[Outcome, ...]:
    """The inverse of `outcomes_to_json`; `units` are those of the position before the phase."""
    orders = orders_from_json([data["order"] for data in stored], units)
    return tuple([Outcome((order, _end(data, units))) for order, data in zip(orders, stored, strict=True)])


def _end(data: Mapping[str, Any], units: Units) -> End:
    strengths = data["strengths"]
    return End(
        tuple([Result(word) for word in data["results"]]),
        data["reason"],
        tuple([units[number] for number in data["by"]]),
        (strengths[0], strengths[1]) if strengths else None,
    )

"""Outcomes as plain JSON and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judge.adjudicate.outcome import End, Outcome, Result
from judge.orders.kinds import Units
from judge.orders.stored import orders_from_json, orders_to_json


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

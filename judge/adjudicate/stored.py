"""Outcomes as plain JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.adjudicate.outcome import End, Outcome, Result
from judge.orders.stored import Units, order_from_json, order_to_json


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain JSON: {"order", "results", "reason", "by": identities of the culprits, "strengths"}."""
    return {
        "order": order_to_json(outcome.order),
        "results": [str(result) for result in outcome.results],
        "reason": outcome.reason,
        "by": [unit.id for unit in outcome.by],
        "strengths": list(outcome.strengths) if outcome.strengths else None,
    }


def outcome_from_json(data: Mapping[str, Any], units: Units) -> Outcome:
    """The inverse of `outcome_to_json`; `units` are those of the position before the phase."""
    strengths = data["strengths"]
    end = End(
        tuple(Result(word) for word in data["results"]),
        data["reason"],
        tuple(units[number] for number in data["by"]),
        (strengths[0], strengths[1]) if strengths else None,
    )
    return Outcome((order_from_json(data["order"], units), end))

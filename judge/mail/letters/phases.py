"""Phases in words: in a sentence, in a subject, in a zine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.orders.spelled import listed


def title(phase: Mapping[str, Any] | str) -> str:
    """A phase in words, from its fact (`report.core.facts.phase_fact`): "Fall 1901 moves". A text stays."""
    return str(phase["title"]) if isinstance(phase, Mapping) else phase


def label(phase: Mapping[str, Any] | str) -> str:
    """A phase for a subject: "F1901 Moves"."""
    return str(phase["label"]) if isinstance(phase, Mapping) else phase


_IN_ZINES = {
    ("Spring", "M"): "Spring", ("Spring", "R"): "Summer", ("Fall", "M"): "Fall", ("Fall", "R"): "Autumn",
    ("Winter", "A"): "Winter",
}  # fmt: skip
"""The season of a phase's title, and its kind -> what zines call it (G07)."""


def seasons(phases: Sequence[Mapping[str, str]]) -> str:
    """Phases of one year as zines head them; those of another calendar keep their titles.

    >>> fall = {"code": "F1903R", "title": "Fall 1903 retreats", "label": "F1903 Retreats"}
    >>> seasons([fall, {"code": "W1903A", "title": "Winter 1903 adjustments", "label": "W1903 Adjustments"}])
    "Autumn and Winter '03"
    """
    names = [_IN_ZINES.get((phase["title"].partition(" ")[0], phase["code"][-1])) for phase in phases]
    if all(names):
        return f"{listed(filter(None, names))} '{phases[0]['code'][3:5]}"
    return listed(phase["title"] for phase in phases)

"""Events as they were once stored, brought to the schema of today.

Schema 1 of a played phase held orders as canonical text ("A MAR S A PAR - BUR") and units as lists of their fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = Any

_FIELDS = ("id", "kind", "at", "power", "built")
_UNREAD = frozenset({"no-such-unit", "ambiguous", "unreadable", "misorder"})


def phase_of_schema_1(data: dict[str, Json]) -> dict[str, Json]:
    """A played phase of schema 1 in schema 2: units and orders by name, culprits by their identity."""
    before, after = _position(data["before"]), _position(data["after"])
    everybody = [*before["units"], *(lost["unit"] for lost in before["dislodged"])]
    named = {(unit["kind"], unit["at"]): unit["id"] for unit in reversed(everybody)}
    outcomes = [_outcome(outcome, named) for outcome in data["outcomes"]]
    return {**data, "before": before, "after": after, "outcomes": outcomes}


def _position(data: Mapping[str, Json]) -> dict[str, Json]:
    dislodged = [{**lost, "unit": _unit(lost["unit"]), "by": _unit(lost["by"])} for lost in data["dislodged"]]
    return {**data, "units": [_unit(unit) for unit in data["units"]], "dislodged": dislodged}


def _unit(fields: Sequence[Json] | None) -> Json:
    return dict(zip(_FIELDS, fields, strict=True)) if fields else None


def _outcome(old: Mapping[str, Json], named: Mapping[tuple[str, str], int]) -> dict[str, Json]:
    kept = {name: old[name] for name in ("text", "results", "reason", "strengths")}
    by = [unit[0] for unit in old["by"]]
    return {**kept, "order": _order(old, named), "by": by, "filed": old.get("filed", "")}


def _order(old: Mapping[str, Json], named: Mapping[tuple[str, str], int]) -> dict[str, Json]:
    """The order of a canonical line; `unit` told which of several it was for."""
    words: list[str] = old["order"].split()
    if words == ["WAIVE"]:
        return {"kind": "waive", "power": old["power"]}
    if old["unit"] is None:
        return {"kind": "build", "power": old["power"], "of": words[0], "at": words[1]}
    unit = {"unit": old["unit"][0]}
    if old["reason"] in _UNREAD:
        return {"kind": "misorder", **unit, "text": old["text"], "reason": old["reason"]}
    match words[2:]:
        case ["-", to, *via]:
            return {"kind": "move", **unit, "to": to, "via": bool(via), "route": []}
        case ["S", kind, at, "-", to]:
            return {"kind": "support", **unit, "of": named[kind, at], "to": to}
        case ["S", kind, at]:
            return {"kind": "support", **unit, "of": named[kind, at], "to": None}
        case ["C", kind, at, "-", to]:
            return {"kind": "convoy", **unit, "of": named[kind, at], "to": to}
        case ["R", to]:
            return {"kind": "retreat", **unit, "to": to}
        case ["D"]:
            return {"kind": "disband", **unit}
    return {"kind": "hold", **unit}

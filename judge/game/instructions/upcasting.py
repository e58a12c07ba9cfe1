"""Events as they were once stored, brought to the schema of today.

Schema 1 of a played phase held orders as canonical text ("A MAR S A PAR - BUR") and units as lists of their fields;
that of orders which always stand held them as such text too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.game.instructions.conditions import condition_to_json
from judge.game.instructions.kinds import OR, condition_of, ranked_texts

Json = Any

Named = Mapping[tuple[str, str], Json]
"""Kind and place of a unit -> its identity, or whatever an order names it by."""

_FIELDS = ("id", "kind", "at", "power", "built")
_UNREAD = frozenset({"no-such-unit", "ambiguous", "unreadable", "misorder"})


def phase_of_schema_1(data: dict[str, Json]) -> dict[str, Json]:
    """A played phase of schema 1 in schema 2: units and orders by name, culprits by their identity."""
    before, after = _position(data["before"]), _position(data["after"])
    everybody = [*before["units"], *(lost["unit"] for lost in before["dislodged"])]
    named = {(unit["kind"], unit["at"]): unit["id"] for unit in reversed(everybody)}
    outcomes = [_outcome(outcome, named) for outcome in data["outcomes"]]
    return {**data, "before": before, "after": after, "outcomes": outcomes}


def always_of_schema_1(data: dict[str, Json]) -> dict[str, Json]:
    """Orders that always stand of schema 1 in schema 2: whom they are for by kind and place."""
    return {**data, "orders": [_order(text, data["power"], _Posts()) for text in data["orders"]]}


class _Posts(dict[tuple[str, str], Json]):
    """Units by where they stand: ("A", "PAR#2") is the second army in Paris."""

    def __missing__(self, named: tuple[str, str]) -> Json:
        at, _, number = named[1].partition("#")
        return {"kind": named[0], "at": at} | ({"number": number} if number else {})


def _position(data: Mapping[str, Json]) -> dict[str, Json]:
    dislodged = [{**lost, "unit": _unit(lost["unit"]), "by": _unit(lost["by"])} for lost in data["dislodged"]]
    return {**data, "units": [_unit(unit) for unit in data["units"]], "dislodged": dislodged}


def _unit(fields: Sequence[Json] | None) -> Json:
    return dict(zip(_FIELDS, fields, strict=True)) if fields else None


def _outcome(old: Mapping[str, Json], named: Named) -> dict[str, Json]:
    kept = {name: old[name] for name in ("text", "results", "reason", "strengths")}
    return {**kept, "order": _given(old, named), "by": [unit[0] for unit in old["by"]], "filed": _filed(old, named)}


def _given(old: Mapping[str, Json], named: Named) -> dict[str, Json]:
    """The order of an outcome; `unit` tells which of several it was for."""
    if old["unit"] is None:
        return _order(old["order"], old["power"], named)
    unit = old["unit"][0]
    if old["reason"] in _UNREAD:
        return {"kind": "misorder", "unit": unit, "text": old["text"], "reason": old["reason"]}
    return _order(old["order"], old["power"], {**named, (old["unit"][1], old["unit"][2]): unit})


def _filed(old: Mapping[str, Json], named: Named) -> dict[str, Json] | None:
    """What stood on file, where that was more than the order; None where it cannot be told any more."""
    text = old.get("filed", "")
    try:
        return _instruction(text, old["power"], named) if text else None
    except KeyError:
        return None


def _instruction(text: str, power: str, named: Named) -> dict[str, Json]:
    if text.startswith("IF "):
        parts = [part.removeprefix("IF ").rpartition(" THEN ") for part in text.split(" ELSE ")]
        branches = [
            {
                "if": condition_to_json(condition_of(condition)) if condition else None,
                "then": _instruction(order, power, named),
            }
            for condition, _, order in parts
        ]
        return {"kind": "conditional", "branches": branches}
    if OR in text:
        return {"kind": "ranked", "orders": [_order(each, power, named) for each in ranked_texts(text)]}
    return _order(text, power, named)


def _order(text: str, power: str, named: Named) -> dict[str, Json]:
    """The order of a canonical line. Raises KeyError for a unit that is not there."""
    words = text.split()
    if words == ["WAIVE"]:
        return {"kind": "waive", "power": power}
    if words[2:] == ["B"]:
        return {"kind": "build", "power": power, "of": words[0], "at": words[1]}
    unit = {"unit": named[words[0], words[1]]}
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

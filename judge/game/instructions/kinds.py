"""What stands on file for a unit or a build: an order, retreats in order of liking, or a condition (6E).

Events as they were once stored, brought to the schema of today.

Schema 1 of a played phase held orders as canonical text ("A MAR S A PAR - BUR") and units as lists of their fields;
that of orders which always stand held them as such text too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge.board.model import province_of
from judge.board.names import gazetteer_of
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.board.unit import NO_MARKS, ORDINAL, Unit
from judge.game.instructions.conditions import Condition, condition_from_json, condition_to_json
from judge.game.instructions.facts import Fact, Subject, Topic
from judge.orders.family import order_from_json, order_to_json, orders_from_json, orders_to_json, units_of
from judge.orders.kinds import Units, kind_of, units_of_order
from judge.orders.model import Build, Disband, Misorder, Order, Retreat, UnitOrder, Waive
from judge.orders.reader import looks_like_order, read_line


@dataclass(frozen=True, slots=True)
class Ranked:
    """Retreats of one unit, best first; disbanding may stand at the end. The first that is open is made."""

    orders: tuple[Retreat | Disband, ...]

    def __str__(self) -> str:
        """ "A BUR R GAS OR PAR OR D"."""
        first, *others = self.orders
        return " OR ".join([str(first), *(each.to if isinstance(each, Retreat) else "D" for each in others)])


@dataclass(frozen=True, slots=True)
class Branch:
    """One way to go: under a condition, or (the last one) without."""

    condition: Condition | None
    order: Order | Ranked

    def __str__(self) -> str:
        return f"IF {self.condition} THEN {self.order}" if self.condition else str(self.order)


@dataclass(frozen=True, slots=True)
class Conditional:
    """The first branch whose condition holds is carried out; none holds: there is no order."""

    branches: tuple[Branch, ...]

    def __str__(self) -> str:
        """ "IF GERMANY A PIC R BEL THEN A PAR B ELSE A MAR B"."""
        return " ELSE ".join(map(str, self.branches))


Instruction = Order | Ranked | Conditional


def first_order(instruction: Instruction) -> Order:
    """One order of an instruction, which tells what it is for."""
    if isinstance(instruction, Conditional):
        return first_order(instruction.branches[0].order)
    return instruction.orders[0] if isinstance(instruction, Ranked) else instruction


def unit_of(instruction: Instruction) -> Unit | None:
    """The unit that an instruction is for; None for builds."""
    order = first_order(instruction) if isinstance(instruction, (Ranked, Conditional)) else instruction
    return None if isinstance(order, (Build, Waive)) else order.unit


def site_of(instruction: Instruction) -> str:
    """The province of a build; of a condition, the first that it builds in; "" for any other."""
    if isinstance(instruction, Build):
        return province_of(instruction.at)
    if isinstance(instruction, Conditional):
        return next((site for branch in instruction.branches if (site := site_of(branch.order))), "")
    return ""


def instruction_to_json(instruction: Instruction) -> dict[str, Any]:
    """As an event stores it."""
    match instruction:
        case Conditional(branches):
            return {
                "kind": "conditional",
                "branches": [
                    {
                        "if": condition_to_json(branch.condition) if branch.condition else None,
                        "then": instruction_to_json(branch.order),
                    }
                    for branch in branches
                ],
            }
        case Ranked(orders):
            return {"kind": "ranked", "orders": orders_to_json(orders)}
    return order_to_json(instruction)


def instruction_from_json(data: Mapping[str, Any], units: Units) -> Instruction:
    """The inverse of `instruction_to_json`. Raises KeyError for a unit that is not among `units`."""
    if data["kind"] != "conditional":
        return _plain(data, units)
    branches = [
        Branch(condition_from_json(each["if"]) if each["if"] else None, _plain(each["then"], units))
        for each in data["branches"]
    ]
    return Conditional(tuple(branches))


def _plain(data: Mapping[str, Any], units: Units) -> Order | Ranked:
    if data["kind"] != "ranked":
        return order_from_json(data, units)
    orders = orders_from_json(data["orders"], units)
    return Ranked(tuple(order for order in orders if isinstance(order, (Retreat, Disband))))


def placed(order: UnitOrder) -> UnitOrder:
    """The order for the unit that stands there: without the identity of its units."""
    return _changed(order, lambda _, unit: _anybody(unit)) or order


def bound(order: UnitOrder, position: Position, power: str) -> UnitOrder | None:
    """The order for the unit of a power that stands there now; None where it or the one that it helps is not there."""
    own = position.of(power)
    return _changed(order, lambda name, unit: _standing(unit, own if name == "unit" else position.units))


def _changed(order: UnitOrder, change: Callable[[str, Unit], Unit | None]) -> UnitOrder | None:
    new = {name: change(name, unit) for name, unit in units_of_order(order).items()}
    return replace(order, **new) if all(new.values()) else None  # type: ignore[arg-type]


def placed_to_json(order: UnitOrder) -> dict[str, Any]:
    """As an event stores it: {"kind": "hold", "unit": {"kind": "A", "at": "MUN"}}; of two that nothing else tells
    apart, the second has "number": "2".
    """
    return order_to_json(order) | {name: _post(unit) for name, unit in units_of_order(order).items()}


def placed_from_json(data: Mapping[str, Any]) -> UnitOrder:
    """The inverse of `placed_to_json`. Raises ValueError for a kind of order that cannot always stand."""
    named = [name for name, post in data.items() if isinstance(post, Mapping)]
    units = {number: _unit(data[name]) for number, name in enumerate(named)}
    order = order_from_json({**data, **{name: number for number, name in enumerate(named)}}, units)
    if not isinstance(order, UnitOrder) or not kind_of(order).standing:
        raise ValueError(f"an order of the kind {data['kind']!r} cannot always stand")
    return order


def _anybody(unit: Unit) -> Unit:
    return _unit(_post(unit))


def _post(unit: Unit) -> dict[str, str]:
    number = unit.mark(ORDINAL)
    return {"kind": unit.kind, "at": unit.at} | ({"number": number} if number else {})


def _unit(post: Mapping[str, str]) -> Unit:
    marks = ((ORDINAL, post["number"]),) if "number" in post else NO_MARKS
    return Unit(0, post["kind"], post["at"], "", marks=marks)


def _standing(wanted: Unit, units: tuple[Unit, ...]) -> Unit | None:
    post = _post(wanted)
    return next((unit for unit in units if _post(unit) == post), None)


_BREAK = re.compile(r"\s*(?:,\s*(?:or|then|else)?\b|;|/\s|>|\bor\b|\belse\b|\bthen\b)\s*", re.IGNORECASE)
_WORDS = re.compile(r"^(?:to|via|if not|failing that)\s+", re.IGNORECASE)
_DISBAND = re.compile(r"(?:disband(?:ed)?|d|otb|destroy(?:ed)?|remove(?:d)?)\.?", re.IGNORECASE)
_HEADING = re.compile(r"^\s*(?:retreats?|withdraw)\s*:?\s*(?=[a-z])", re.IGNORECASE)
_MOST = 12


def split_list(text: str, position: Position, power: str) -> tuple[str, ...] | None:
    """The orders that a list of retreats stands for, best first; None for a line that is no such list.

    "retreat: Gas, Par" is for the only unit of the power that must retreat.
    """
    if position.phase.kind is not PhaseKind.RETREATS or len(text) > 200:
        return None
    parts = [part for part in _BREAK.split(text.strip().rstrip(".")) if part]
    if not 2 <= len(parts) <= _MOST:
        return None
    unit, first = _subject(parts[0], position, power)
    if not unit:
        return None
    places = [first, *(_WORDS.sub("", part) for part in parts[1:])]
    orders = [_order(unit, place, position) for place in places]
    return tuple(orders) if all(orders) else None


def _subject(first: str, position: Position, power: str) -> tuple[str, str]:
    """The unit of a list, and the first place of it."""
    own = [lost.unit for lost in position.dislodged if lost.unit.power == power]
    for reading in read_line(first, position, power):
        if isinstance(reading.order, Retreat):
            return str(reading.order.unit), reading.order.to
    bare = _HEADING.sub("", first)
    if len(own) == 1 and bare != first and gazetteer_of(position.board).places(bare):
        return str(own[0]), bare
    return "", ""


def _order(unit: str, place: str, position: Position) -> str:
    if _DISBAND.fullmatch(place):
        return f"{unit} D"
    known = gazetteer_of(position.board).places(place)
    return f"{unit} R {place}" if known or not looks_like_order(place, position.board) else ""


OR = " OR "


def instruction_of_text(line: Mapping[str, Any], position: Position, power: str) -> Instruction | None:
    """The instruction of a stored line; None where its unit is not there."""
    phase = Phase.read(line["phase"])
    then = position if phase == position.phase else replace(position, phase=phase, dislodged=())
    if line.get("wrong"):
        unit = next((unit for unit in position.units if unit.id == line["unit"]), None)
        return Misorder(unit, line["text"], line["wrong"]) if unit else None
    return instruction_of(line["order"], then, power)


def instruction_of(text: str, position: Position, power: str) -> Instruction | None:
    """The instruction of a canonical text."""
    if not text.startswith("IF "):
        return _plain_of_legacy(text, position, power)
    branches = []
    for part in text.split(" ELSE "):
        condition, _, order = part.removeprefix("IF ").rpartition(" THEN ")
        bound = _plain_of_legacy(order, position, power)
        if bound is None:
            return None
        branches.append(Branch(condition_of(condition) if condition else None, bound))
    return Conditional(tuple(branches))


def _plain_of_legacy(text: str, position: Position, power: str) -> Order | Ranked | None:
    if OR not in text:
        return _order_of_legacy(text, position, power)
    orders = [_order_of_legacy(each, position, power) for each in ranked_texts(text)]
    found = [order for order in orders if isinstance(order, (Retreat, Disband))]
    return Ranked(tuple(found)) if len(found) == len(orders) else None


def ranked_texts(text: str) -> tuple[str, ...]:
    """The retreats of a list, each as an order of its own.

    >>> ranked_texts("A BUR R GAS OR PAR OR D")
    ('A BUR R GAS', 'A BUR R PAR', 'A BUR D')
    """
    head, *others = text.split(OR)
    subject = " ".join(head.split()[:2])
    return head, *(f"{subject} D" if place == "D" else f"{subject} R {place}" for place in others)


def _order_of_legacy(text: str, position: Position, power: str) -> Order | None:
    readings = read_line(text, position, power)
    return readings[0].order if len(readings) == 1 and readings[0].problem is None else None


def condition_of(text: str) -> Condition:
    """The condition of a canonical text."""
    pieces = re.split(r" (AND|OR) ", text)
    terms = [("AND", _fact(pieces[0])), *((j, _fact(p)) for j, p in zip(pieces[1::2], pieces[2::2], strict=True))]
    return Condition(tuple(terms))


def _fact(text: str) -> Fact:
    negated = text.startswith("NOT ")
    words = text.removeprefix("NOT ").split()
    if words[1] == "OWNS":
        return Fact(Topic.OWNS, Subject(words[0], "", words[2]), negated=negated)
    power = "" if words[0] == "ANY" else words[0]
    subject = Subject(power, words[1].replace("UNIT", ""), words[2])
    to = "" if len(words) < 5 or words[4] == "ANYWHERE" else province_of(words[4])
    return Fact(Topic(words[3]), subject, to, negated=negated)


Key = tuple[str, str]
"""The phase, and what an order is for: "unit 3", "build PAR", "waive"."""


@dataclass(frozen=True, slots=True)
class FiledOrder:
    """One order on file for a phase of the turn, and the line in which its author wrote it."""

    phase: str
    instruction: Instruction
    text: str
    slot: int = 1
    """Of a build: which of several at its site."""

    @property
    def order(self) -> str:
        """Its canonical form, for people."""
        return str(self.instruction)

    @property
    def unit(self) -> int | None:
        """Identity of the unit that it is for; None for builds."""
        unit = unit_of(self.instruction)
        return None if unit is None else unit.id

    @property
    def site(self) -> str:
        """The province of a build; "" for any other order."""
        return site_of(self.instruction)

    @property
    def waives(self) -> bool:
        """Whether it leaves a build unused."""
        return isinstance(self.instruction, Waive)

    @property
    def wrong(self) -> str:
        """In a game that takes mistakes: why the line makes no sense as an order for its unit, which stands."""
        return self.instruction.reason if isinstance(self.instruction, Misorder) else ""

    @property
    def adjusts(self) -> bool:
        """Whether it is for builds and removals."""
        return Phase.read(self.phase).kind is PhaseKind.ADJUSTMENTS

    @property
    def key(self) -> Key:
        """What a later order replaces: the same unit's, or the same site's."""
        unit = self.unit
        if unit is not None:
            return self.phase, f"unit {unit}"
        number = f"#{self.slot}" if self.slot > 1 else ""
        return self.phase, "waive" if self.waives else f"build {self.site}{number}"


def filed_to_json(line: FiledOrder) -> dict[str, Any]:
    """As an event stores it: {"phase", "order", "text"}, and "slot" for a second build at one site."""
    stored = {"phase": line.phase, "order": instruction_to_json(line.instruction), "text": line.text}
    return stored | ({"slot": line.slot} if line.slot > 1 else {})


def filed_from_json(stored: Iterable[Mapping[str, Any]], position: Position, power: str) -> tuple[FiledOrder, ...]:
    """The inverse of `filed_to_json`, bound to the units of a position. Lines of the first schema, which held an order
    as text, are read once more; those that cannot be bound any more are left out.
    """
    units = units_of(position)
    found = []
    for line in stored:
        order = line["order"]
        bound = (
            instruction_of_text(line, position, power)
            if isinstance(order, str)
            else instruction_from_json(order, units)
        )
        if bound is not None:
            found.append(FiledOrder(line["phase"], bound, line["text"], line.get("slot", 1)))
    return tuple(found)


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
    return {**data, "orders": [_older_order(text, data["power"], _Posts()) for text in data["orders"]]}


class _Posts(dict[tuple[str, str], Json]):
    """Units by where they stand: ("A", "PAR#2") is the second army in Paris."""

    def __missing__(self, named: tuple[str, str]) -> Json:
        at, _, number = named[1].partition("#")
        return {"kind": named[0], "at": at} | ({"number": number} if number else {})


def _position(data: Mapping[str, Json]) -> dict[str, Json]:
    dislodged = [
        {**lost, "unit": _older_unit(lost["unit"]), "by": _older_unit(lost["by"])} for lost in data["dislodged"]
    ]
    return {**data, "units": [_older_unit(unit) for unit in data["units"]], "dislodged": dislodged}


def _older_unit(fields: Sequence[Json] | None) -> Json:
    return dict(zip(_FIELDS, fields, strict=True)) if fields else None


def _outcome(old: Mapping[str, Json], named: Named) -> dict[str, Json]:
    kept = {name: old[name] for name in ("text", "results", "reason", "strengths")}
    return {**kept, "order": _given(old, named), "by": [unit[0] for unit in old["by"]], "filed": _filed(old, named)}


def _given(old: Mapping[str, Json], named: Named) -> dict[str, Json]:
    """The order of an outcome; `unit` tells which of several it was for."""
    if old["unit"] is None:
        return _older_order(old["order"], old["power"], named)
    unit = old["unit"][0]
    if old["reason"] in _UNREAD:
        return {"kind": "misorder", "unit": unit, "text": old["text"], "reason": old["reason"]}
    return _older_order(old["order"], old["power"], {**named, (old["unit"][1], old["unit"][2]): unit})


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
        return {"kind": "ranked", "orders": [_older_order(each, power, named) for each in ranked_texts(text)]}
    return _older_order(text, power, named)


def _older_order(text: str, power: str, named: Named) -> dict[str, Json]:
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

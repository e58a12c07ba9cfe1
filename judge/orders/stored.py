"""Orders as plain JSON and back. Units are named by their identity; whoever reads an order brings the units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Build, Convoy, Disband, Hold, Misorder, Move, Order, Rail, Retreat, Support, Waive

Units = Mapping[int, Unit]
"""Identity -> unit."""


def units_of(position: Position) -> Units:
    """All units of a position by their identity, those that must retreat included."""
    everybody = (*position.units, *(lost.unit for lost in position.dislodged))
    return {unit.id: unit for unit in everybody}


def rebound(order: Order, units: Units) -> Order | None:
    """The order for its unit as it stands now, and about others as they stand; None if one of them is not there."""
    if isinstance(order, (Build, Waive)):
        return order
    unit = units.get(order.unit.id)
    if unit is None:
        return None
    if isinstance(order, (Support, Convoy)):
        of = units.get(order.of.id)
        return None if of is None else replace(order, unit=unit, of=of)
    return order if unit == order.unit else replace(order, unit=unit)


def order_to_json(order: Order) -> dict[str, Any]:
    """An order as plain JSON: {"kind": "support", "unit": 3, "of": 7, "to": "BUR"}."""
    match order:
        case Hold(unit):
            return {"kind": "hold", "unit": unit.id}
        case Rail(unit, to):
            return {"kind": "rail", "unit": unit.id, "to": to}
        case Move(unit, to, via, route):
            return {"kind": "move", "unit": unit.id, "to": to, "via": via, "route": list(route)}
        case Support(unit, of, to):
            return {"kind": "support", "unit": unit.id, "of": of.id, "to": to}
        case Convoy(unit, of, to):
            return {"kind": "convoy", "unit": unit.id, "of": of.id, "to": to}
        case Retreat(unit, to):
            return {"kind": "retreat", "unit": unit.id, "to": to}
        case Disband(unit):
            return {"kind": "disband", "unit": unit.id}
        case Build(power, kind, at):
            return {"kind": "build", "power": power, "of": kind, "at": at}
        case Waive(power):
            return {"kind": "waive", "power": power}
        case Misorder(unit, text, reason):
            return {"kind": "misorder", "unit": unit.id, "text": text, "reason": reason}


def orders_to_json(orders: Iterable[Order]) -> list[dict[str, Any]]:
    """Several orders as plain JSON."""
    return [order_to_json(order) for order in orders]


def orders_from_json(stored: Iterable[Mapping[str, Any]], units: Units) -> list[Order]:
    """The inverse of `orders_to_json`; raises what `order_from_json` does."""
    return [order_from_json(data, units) for data in stored]


def order_from_json(data: Mapping[str, Any], units: Units) -> Order:
    """The inverse of `order_to_json`. Raises KeyError for a unit that is not among `units`, ValueError for an unknown
    kind of order.
    """
    kind = data["kind"]
    if kind == "build":
        return Build(data["power"], data["of"], data["at"])
    if kind == "waive":
        return Waive(data["power"])
    unit = units[data["unit"]]
    match kind:
        case "hold":
            return Hold(unit)
        case "move":
            return Move(unit, data["to"], data["via"], tuple(data["route"]))
        case "rail":
            return Rail(unit, data["to"])
        case "support":
            return Support(unit, units[data["of"]], data["to"])
        case "convoy":
            return Convoy(unit, units[data["of"]], data["to"])
        case "retreat":
            return Retreat(unit, data["to"])
        case "disband":
            return Disband(unit)
        case "misorder":
            return Misorder(unit, data["text"], data["reason"])
    raise ValueError(f"there is no order of the kind {kind!r}")

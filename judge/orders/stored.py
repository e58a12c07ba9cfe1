"""Orders as plain JSON and back. Units are named by their identity; whoever reads an order brings the units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import judge.orders.family  # noqa: F401  its kinds join
from judge.board.position import Position
from judge.orders.kinds import Units, kind_named, kind_of, with_units
from judge.orders.model import Order


def units_of(position: Position) -> Units:
    """All units of a position by their identity, those that must retreat included."""
    everybody = (*position.units, *(lost.unit for lost in position.dislodged))
    return {unit.id: unit for unit in everybody}


def rebound(order: Order, units: Units) -> Order | None:
    """The order for its unit as it stands now, and about others as they stand; None if one of them is not there."""
    return with_units(order, lambda unit: units.get(unit.id))


def order_to_json(order: Order) -> dict[str, Any]:
    """An order as plain JSON: {"kind": "support", "unit": 3, "of": 7, "to": "BUR"}."""
    return kind_of(order).stored(order)


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
    return kind_named(data["kind"]).restored(data, units)

"""Orders for the unit that stands at a place: what always stands is bound to the units again in each phase.

Their units have a kind and a place, and no identity: "A MUN S A BER" is meant for any army in Munich, and helps any in
Berlin, whosever it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judge.board.position import Position
from judge.board.unit import NO_MARKS, NUMBER, Unit
from judge.orders.model import Convoy, Hold, Move, Support
from judge.orders.stored import order_from_json, order_to_json

PlacedOrder = Hold | Move | Support | Convoy

_UNITS = MappingProxyType({"unit": 1, "of": 2})
"""Where an order as JSON names units -> their number while it is read."""


def placed(order: PlacedOrder) -> PlacedOrder:
    """The order for the unit that stands there: without the identity of its units."""
    unit = _anybody(order.unit)
    if isinstance(order, (Support, Convoy)):
        return replace(order, unit=unit, of=_anybody(order.of))
    return replace(order, unit=unit)


def bound(order: PlacedOrder, position: Position, power: str) -> PlacedOrder | None:
    """The order for the unit of a power that stands there now; None where it or the one that it helps is not there."""
    unit = _standing(order.unit, position.of(power))
    if unit is None:
        return None
    if not isinstance(order, (Support, Convoy)):
        return replace(order, unit=unit)
    of = _standing(order.of, position.units)
    return replace(order, unit=unit, of=of) if of is not None else None


def placed_to_json(order: PlacedOrder) -> dict[str, Any]:
    """As an event stores it: {"kind": "hold", "unit": {"kind": "A", "at": "MUN"}}; of two that nothing else tells
    apart, the second has "number": "2".
    """
    stored = order_to_json(order) | {"unit": _post(order.unit)}
    return stored | ({"of": _post(order.of)} if isinstance(order, (Support, Convoy)) else {})


def placed_from_json(data: Mapping[str, Any]) -> PlacedOrder:
    """The inverse of `placed_to_json`. Raises ValueError for a kind of order that cannot always stand."""
    units = {number: _unit(data[name]) for name, number in _UNITS.items() if name in data}
    order = order_from_json({**data, **_UNITS}, units)
    if not isinstance(order, (Hold, Move, Support, Convoy)):
        raise ValueError(f"an order of the kind {data['kind']!r} cannot always stand")
    return order


def _anybody(unit: Unit) -> Unit:
    return _unit(_post(unit))


def _post(unit: Unit) -> dict[str, str]:
    number = dict(unit.marks).get(NUMBER)
    return {"kind": unit.kind, "at": unit.at} | ({NUMBER: number} if number else {})


def _unit(post: Mapping[str, str]) -> Unit:
    marks = ((NUMBER, post[NUMBER]),) if NUMBER in post else NO_MARKS
    return Unit(0, post["kind"], post["at"], "", marks=marks)


def _standing(wanted: Unit, units: tuple[Unit, ...]) -> Unit | None:
    post = _post(wanted)
    return next((unit for unit in units if _post(unit) == post), None)

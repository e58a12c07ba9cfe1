"""Orders for the unit that stands at a place: what always stands is bound to the units again in each phase.

Their units have a kind and a place, and no identity: "A MUN S A BER" is meant for any army in Munich, and helps any in
Berlin, whosever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from judge.board.position import Position
from judge.board.unit import NO_MARKS, ORDINAL, Unit
from judge.orders.kinds import kind_of, units_of_order
from judge.orders.model import UnitOrder
from judge.orders.stored import order_from_json, order_to_json


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

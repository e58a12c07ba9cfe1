"""The kinds of order of 1976 and its relatives, with the railway order that some of them have; and orders as plain JSON
and back.

Units are named by their identity; whoever reads an order brings the units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import judge.orders.family  # noqa: F401  its kinds join
from judge.board.model import Board
from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.canonical import read_rail_line
from judge.orders.helping import read_convoy, read_convoy_nowhere, read_support
from judge.orders.kinds import Kinds, OrderKind, Units, join_family, join_kinds, kind_named, kind_of, with_units
from judge.orders.model import Build, Convoy, Disband, Hold, Misorder, Move, Order, Rail, Retreat, Support, Waive
from judge.orders.moving import read_hold, read_move, read_rail
from judge.orders.spelled import place, unit_text
from judge.orders.winter import read_bare, read_build, read_build_somewhere, read_disband, read_retreat, read_waive

_IN_MOVES, _IN_RETREATS, _IN_ADJUSTMENTS = frozenset({MOVES}), frozenset({RETREATS}), frozenset({ADJUSTMENTS})

HOLD = OrderKind(
    "hold", Hold, _IN_MOVES, wrong="No unit can hold now.", plain=True, standing=True, readers={"hold": read_hold}
)
MOVE = OrderKind(
    "move", Move, _IN_MOVES, wrong="No unit moves now.", plain=True, standing=True, readers={"move": read_move}
)
SUPPORT = OrderKind(
    "support",
    Support,
    _IN_MOVES,
    wrong="Retreats and adjustments are not supported.",
    plain=True,
    standing=True,
    readers={"support": read_support},
)
CONVOY = OrderKind(
    "convoy",
    Convoy,
    _IN_MOVES,
    wrong="Retreats and adjustments are not convoyed.",
    plain=True,
    standing=True,
    readers={"convoy": read_convoy, "convoy-nowhere": read_convoy_nowhere},
)
RETREAT = OrderKind(
    "retreat",
    Retreat,
    _IN_RETREATS,
    wrong="A retreat is ordered when a unit has been dislodged.",
    readers={"retreat": read_retreat},
)
DISBAND = OrderKind(
    "disband",
    Disband,
    _IN_RETREATS,
    wrong="Units are disbanded in retreats and removed in the adjustments.",
    readers={"disband": read_disband},
)
BUILD = OrderKind(
    "build",
    Build,
    _IN_ADJUSTMENTS,
    wrong="Builds come after the Fall moves and retreats.",
    readers={"build": read_build, "build-somewhere": read_build_somewhere, "bare": read_bare},
)
REMOVE = OrderKind("remove", Disband, _IN_ADJUSTMENTS, readers={"remove": read_disband, "minus": read_disband})
WAIVE = OrderKind(
    "waive", Waive, _IN_ADJUSTMENTS, wrong="Builds are waived in the adjustments.", readers={"waive": read_waive}
)
MISORDER = OrderKind("misorder", Misorder, frozenset({MOVES, RETREATS}))
"""What somebody wrote and nobody understood: every system has it, and nobody orders it."""


def _rail_spelled(order: Rail, board: Board) -> str:
    return f"{unit_text(order.unit, board)} RR {place(order.to, board)}"


def _rails(position: Position, unit: Unit) -> list[Rail]:
    """The journeys that a unit could make by rail."""
    board = position.board
    ends = [end for line in board.railways if unit.at in line for end in line]
    return [Rail(unit, end) for end in dict.fromkeys(ends) if board.line(unit.kind, unit.at, end)]


RAIL = OrderKind(
    "rail",
    Rail,
    _IN_MOVES,
    said="go by rail",
    wrong="No unit moves now.",
    readers={"rail": read_rail},
    canonical={"RR": read_rail_line},
    spelled=_rail_spelled,
    tries=_rails,
)
"""How a journey by rail is written; what becomes of one, its system adds (`judge.variants.european`)."""

FAMILY = Kinds((HOLD, MOVE, SUPPORT, CONVOY, RETREAT, DISBAND, BUILD, REMOVE, WAIVE))
"""The kinds that 1976 knows."""

join_family(FAMILY)
join_kinds((*FAMILY, MISORDER, RAIL))


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

"""The kinds of order of 1976 and its relatives, and the railway order that some of them have."""

from __future__ import annotations

from judge.board.model import Board
from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.canonical import read_rail_line
from judge.orders.helping import read_convoy, read_convoy_nowhere, read_support
from judge.orders.kinds import Kinds, OrderKind, join_family, join_kinds
from judge.orders.model import Build, Convoy, Disband, Hold, Misorder, Move, Rail, Retreat, Support, Waive
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

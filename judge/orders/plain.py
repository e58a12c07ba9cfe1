"""A fast path for the common case: every name has one exact meaning, every unit stands there, the order is possible.

What is not as plain as that is left to the careful readers; where this answers, they would answer the same.
"""

from __future__ import annotations

from judge.board.unit import Unit
from judge.orders.grammar import Tile
from judge.orders.lexer import Lexed
from judge.orders.model import Convoy, Hold, Move, Order, Support
from judge.orders.scene import Scene


def read_plain(scene: Scene, lexed: Lexed, tile: Tile) -> Order | None:
    """The order of a plain piece in a movement phase; None where it is not plain."""
    if tile.route or tile.via:
        return None
    values = lexed.values
    unit = _unit(scene, lexed, tile.at, tile.unit, tile.nation)
    if unit is None or (scene.power is not None and unit.power != scene.power):
        return None
    form = tile.form
    if form == "hold":
        return None if tile.to else Hold(unit)
    to = None
    if tile.to:
        found = values[tile.to[0]].found
        if len(tile.to) != 1 or len(found.exact) != 1 or found.coast:
            return None
        to = found.exact[0]
    reach = scene.ground.reach
    if form == "move":
        return Move(unit, to) if to is not None and to in reach.walk(unit) else None
    if form not in ("support", "convoy"):
        return None
    of = _unit(scene, lexed, tile.of_at, tile.of_unit, tile.of_nation)
    if of is None or of == unit or (scene.options.demand_nationality and of.power != unit.power):
        return None
    if form == "convoy":
        return Convoy(unit, of, to) if to is not None and reach.can_carry(unit, of, to) else None
    walked = reach.walk_provinces(unit)
    if to is None:
        return Support(unit, of) if of.at.partition("/")[0] in walked else None
    return Support(unit, of, to) if to in walked and reach.can_enter(of, to) else None


def _unit(scene: Scene, lexed: Lexed, at: int, kind: int, nation: int) -> Unit | None:
    """The one unit at a plainly named place, if letter and nationality agree."""
    if at < 0:
        return None
    values = lexed.values
    named = values[at]
    if len(named.found.exact) != 1 or named.found.coast or named.number:
        return None
    units = scene.ground.standing.get(named.found.exact[0], ())
    if len(units) != 1 or (kind >= 0 and units[0].kind != values[kind]):
        return None
    return units[0] if nation < 0 or units[0].power in values[nation] else None

"""Positions worth adjudicating: crowded corners of a board where most orders refer to what others do.

Orders drawn blindly mostly do nothing. Here armies stand on coasts with fleets between them, most that can be carried
are ordered to be, and the rest carry, attack the carriers, support existing moves (the enemy's too) or attack the
supporters; rotations and head-to-head moves come by themselves.
"""

from __future__ import annotations

from random import Random
from types import MappingProxyType

from judge.adjudicate.convoys import needed_fleets
from judge.adjudicate.duty import can_reach
from judge.board.chart import compile_board, has_route
from judge.board.model import Board, Terrain, province_of
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Convoy, Hold, Move, Order, Support
from judge.rules import RULES_1976
from tests.support.ways import legal_moves


def crowded(random: Random, board: Board, size: int, powers: int = 3) -> Position:
    """About `size` units of a few powers, close together around some sea."""
    chart = compile_board(board, "S")
    near: dict[str, set[str]] = {code: set() for code in chart.codes}
    for border in board.borders:
        one, other = province_of(border.a), province_of(border.b)
        near[one].add(other)
        near[other].add(one)
    seas = [code for code, province in board.provinces.items() if province.terrain is Terrain.SEA]
    region = [random.choice(seas)]
    while len(region) < size + size // 3:
        edge = sorted({code for here in region for code in near[here]} - set(region))
        if not edge:
            break
        region.append(random.choice(edge))
    random.shuffle(region)
    names = random.sample(sorted(board.powers), powers)
    units = [
        Unit(number, *_piece(random, board, code), random.choice(names)) for number, code in enumerate(region[:size], 1)
    ]
    return Position(board, Phase.read("S1901M"), tuple(units), MappingProxyType({}))


def _piece(random: Random, board: Board, code: str) -> tuple[str, str]:
    province = board.provinces[code]
    if province.terrain is Terrain.SEA:
        return "F", code
    if province.terrain is Terrain.INLAND or random.random() < 0.7:
        return "A", code
    return "F", random.choice(province.locations())


def tangled(random: Random, position: Position) -> list[Order]:
    """Orders that refer to each other, one for every unit."""
    chosen: dict[int, Order] = {}
    if random.random() < 0.7:
        _voyages(random, position, chosen)
    seas = {province_of(order.unit.at) for order in chosen.values() if isinstance(order, Convoy)}
    _paradoxes(random, position, chosen, sorted(seas))
    landings = {order.to for order in chosen.values() if isinstance(order, Convoy)}
    for unit in position.units:
        if unit.id in chosen or random.random() < (0.75 if province_of(unit.at) in landings else 0.25):
            continue
        hot = [sea for sea in sorted(seas) if can_reach(position, unit, sea)]
        if hot and random.random() < 0.6:
            chosen[unit.id] = Move(unit, random.choice(hot))
        elif random.random() < (0.2 if seas else 0.6):
            chosen[unit.id] = _move(random, position, unit)
    moves = [order for order in chosen.values() if isinstance(order, Move)]
    rest = [unit for unit in position.units if unit.id not in chosen]
    random.shuffle(rest)
    for unit in rest:
        chosen[unit.id] = _assist(random, position, unit, moves, seas)
    return [chosen[unit.id] for unit in position.units]


def _voyages(random: Random, position: Position, chosen: dict[int, Order]) -> None:
    """Up to three armies with all the fleets that carry them, to held coasts if there are any."""
    chart = compile_board(position.board, "S")
    armies = [unit for unit in position.units if unit.kind == "A"]
    random.shuffle(armies)
    for army in armies[:3]:
        free = [u for u in position.units if u.kind == "F" and u.id not in chosen]
        fleets = sum(1 << chart.space[u.at] for u in free) & chart.seas
        start = chart.space[army.at]
        coasts = [
            code
            for code in chart.codes
            if chart.space[code] != start and has_route(chart, start, chart.space[code], fleets)
        ]
        held = [code for code in coasts if position.at(code)]
        if not chart.coasts >> start & 1 or not coasts:
            continue
        target = random.choice(held if held and random.random() < 0.85 else coasts)
        needed = needed_fleets(chart, start, chart.space[target], fleets)
        chosen[army.id] = Move(army, target, via=random.random() < 0.3)
        for fleet in free:
            if needed >> chart.space[fleet.at] & 1 and random.random() < 0.95:
                chosen[fleet.id] = Convoy(fleet, army, target)


def _paradoxes(random: Random, position: Position, chosen: dict[int, Order], seas: list[str]) -> None:
    """Let the units that convoys land on help those that attack convoying fleets, or those that hold them."""
    landings = {order.to for order in chosen.values() if isinstance(order, Convoy)}
    for unit in position.units:
        if unit.id in chosen or province_of(unit.at) not in landings or random.random() < 0.25:
            continue
        hot = [sea for sea in seas if can_reach(position, unit, sea)]
        if not hot:
            continue
        sea = random.choice(hot)
        free = [u for u in position.units if u.id not in chosen and u.id != unit.id and can_reach(position, u, sea)]
        if free and random.random() < 0.8:
            attacker = random.choice(free)
            chosen[attacker.id] = Move(attacker, sea)
            chosen[unit.id] = Support(unit, attacker, sea)
        else:
            chosen[unit.id] = Support(unit, position.at(sea)[0])


def _move(random: Random, position: Position, unit: Unit) -> Order:
    targets = legal_moves(position, unit, RULES_1976)
    if not targets:
        return Hold(unit)
    far = [target for target in targets if not can_reach(position, unit, target)]
    held = [target for target in targets if position.at(province_of(target))]
    pool = far if far and random.random() < 0.6 else held if held and random.random() < 0.6 else targets
    return Move(unit, random.choice(pool), via=unit.kind == "A" and random.random() < 0.15)


def _assist(random: Random, position: Position, unit: Unit, moves: list[Move], seas: set[str]) -> Order:
    """A convoy for a move by sea, a support for a move or a unit in reach, or nothing."""
    at_sea = position.board.provinces[province_of(unit.at)].terrain is Terrain.SEA
    voyages = [
        move
        for move in moves
        if move.unit.kind == "A" and (move.via or not can_reach(position, move.unit, move.to) or random.random() < 0.2)
    ]
    if at_sea and voyages and random.random() < 0.65:
        move = random.choice(voyages)
        return Convoy(unit, move.unit, move.to)
    helped = [move for move in moves if can_reach(position, unit, move.to)]
    hot = [move for move in helped if move.to in seas]
    if hot and random.random() < 0.7:
        helped = hot
    if helped and random.random() < 0.75:
        move = random.choice(helped)
        return Support(unit, move.unit, move.to)
    standing = [u for u in position.units if u.id != unit.id and can_reach(position, unit, province_of(u.at))]
    if standing and random.random() < 0.8:
        return Support(unit, random.choice(standing))
    return Hold(unit)

"""Plausible games: players who move towards centres, support and convoy each other, and build and retreat by the rules.

The mix is that of played games: about 31 units, convoys in a third of the movement phases, head-to-head moves in a
sixth, retreats after three fifths; into two phases in a hundred a rotation or a convoy paradox is worked.
"""

from __future__ import annotations

from random import Random

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import can_reach, duties
from judge.board.chart import compile_board
from judge.board.model import Board, Location, province_of
from judge.board.position import Position, start_position
from judge.board.unit import Unit
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.rules import RULES_1976

Played = tuple[Position, list[Order]]
_YEARS = 11
"""How long a game is played."""


def phases(random: Random, board: Board, count: int) -> list[Played]:
    """So many movement phases, each with its orders, from as many games as it takes."""
    played: list[Played] = []
    while len(played) < count:
        position = start_position(board)
        last = position.phase.year + _YEARS
        while position.phase.year < last and len(played) < count:
            if position.phase.kind == "M":
                orders = moves(random, position)
                if len(position.units) >= 28:
                    played.append((position, orders))
            else:
                orders = others(random, position)
            position = adjudicate(position, orders, RULES_1976).after
    return played


def moves(random: Random, position: Position) -> list[Order]:
    """Orders for every unit of a movement phase."""
    chosen: dict[int, Order] = {}
    taken: dict[str, set[str]] = {}
    if random.random() < 0.36:
        _convoy(random, position, chosen, taken)
    for power in position.board.powers:
        if random.random() < 0.24:
            _assault(random, position, power, chosen, taken.setdefault(power, set()))
    units = list(position.units)
    random.shuffle(units)
    for unit in units:
        if unit.id not in chosen and random.random() < 0.52:
            target = _aim(random, position, unit, taken.setdefault(unit.power, set()))
            if target:
                chosen[unit.id] = Move(unit, target)
                taken[unit.power].add(province_of(target))
    if random.random() < 0.02:
        _rotation(random, position, chosen)
    if random.random() < 0.01:
        _paradox(random, position, chosen)
    planned = [order for order in chosen.values() if isinstance(order, Move)]
    for unit in units:
        if unit.id not in chosen:
            chosen[unit.id] = _support(random, position, unit, planned)
    return [chosen[unit.id] for unit in position.units]


def _aim(random: Random, position: Position, unit: Unit, taken: set[str]) -> Location:
    """A neighbouring space: rather a centre, rather somebody else's, not one that an own unit goes to or stands in."""
    options: list[tuple[float, Location]] = []
    for target in position.board.reach(unit.kind, unit.at):
        province = province_of(target)
        if province in taken or any(other.power == unit.power for other in position.at(province)):
            continue
        centre = position.board.provinces[province].centre and position.owners.get(province) != unit.power
        options.append((random.random() + (0.6 if centre else 0) - (0.5 if position.at(province) else 0), target))
    return max(options)[1] if options else ""


def _support(random: Random, position: Position, unit: Unit, planned: list[Move]) -> Order:
    """Support for an own move if one is near, at times for a foreign one, else for a neighbour; or hold."""
    reach = {province_of(target) for target in position.board.reach(unit.kind, unit.at)}
    near = [move for move in planned if province_of(move.to) in reach]
    own = [move for move in near if move.unit.power == unit.power]
    attacks = [move for move in own if position.at(province_of(move.to))]
    if own and random.random() < 0.9:
        move = random.choice(attacks or own)
        return Support(unit, move.unit, move.to)
    if near and random.random() < 0.12:
        move = random.choice(near)
        return Support(unit, move.unit, move.to)
    moving = {move.unit.id for move in planned}
    stay = [u for code in sorted(reach) for u in position.at(code) if u.power == unit.power and u.id not in moving]
    return Support(unit, random.choice(stay)) if stay and random.random() < 0.6 else Hold(unit)


def _assault(random: Random, position: Position, power: str, chosen: dict[int, Order], taken: set[str]) -> None:
    """Two or three units of a power against one foreign unit."""
    free = [unit for unit in position.of(power) if unit.id not in chosen]
    foes = [unit for unit in position.units if unit.power != power]
    for foe in random.sample(foes, len(foes)):
        place = province_of(foe.at)
        near = [unit for unit in free if can_reach(position, unit, place)]
        reach = position.board.reach(near[0].kind, near[0].at) if near else ()
        ways = [goal for goal in reach if province_of(goal) == place]
        if len(near) > 1 and ways:
            chosen[near[0].id] = Move(near[0], ways[0])
            taken.add(place)
            for helper in near[1 : random.choice((2, 3, 3))]:
                chosen[helper.id] = Support(helper, near[0], ways[0])
            return


def _convoy(random: Random, position: Position, chosen: dict[int, Order], taken: dict[str, set[str]]) -> None:
    """One army of a power over one of its fleets at sea, or two."""
    chart = compile_board(position.board, position.phase.season)
    fleets = [unit for unit in position.units if unit.kind == "F" and chart.seas >> chart.space[unit.at] & 1]
    random.shuffle(fleets)
    for fleet in fleets:
        sea = 1 << chart.space[fleet.at]
        armies = [
            unit
            for unit in position.of(fleet.power)
            if unit.kind == "A" and chart.shores[chart.space[unit.at]] & sea and unit.id not in chosen
        ]
        shores = [
            code
            for code in chart.codes
            if chart.shores[chart.space[code]] & sea and not any(u.power == fleet.power for u in position.at(code))
        ]
        if armies and shores:
            army = random.choice(armies)
            far = [code for code in shores if not can_reach(position, army, code)]
            target = random.choice(far or shores)
            chosen[army.id] = Move(army, target)
            chosen[fleet.id] = Convoy(fleet, army, target)
            taken.setdefault(army.power, set()).add(target)
            if random.random() < 0.8:
                return


def _rotation(random: Random, position: Position, chosen: dict[int, Order]) -> None:
    """Three neighbours who change places."""
    for one in random.sample(position.units, len(position.units)):
        for two in _neighbours(position, one):
            for three in _neighbours(position, two):
                back = [goal for goal in position.board.reach(three.kind, three.at) if goal[:3] == one.at[:3]]
                if three.id not in (one.id, two.id) and back:
                    chosen[one.id] = Move(one, _way(position, one, two))
                    chosen[two.id] = Move(two, _way(position, two, three))
                    chosen[three.id] = Move(three, back[0])
                    return


def _neighbours(position: Position, unit: Unit) -> list[Unit]:
    return [u for goal in position.board.reach(unit.kind, unit.at) for u in position.at(province_of(goal))]


def _way(position: Position, unit: Unit, other: Unit) -> Location:
    reach = position.board.reach(unit.kind, unit.at)
    return next(goal for goal in reach if province_of(goal) == province_of(other.at))


def _paradox(random: Random, position: Position, chosen: dict[int, Order]) -> None:
    """Where the units stand for it: an army convoyed against the supporter of an attack on its fleet."""
    chart = compile_board(position.board, position.phase.season)
    fleets = [unit for unit in position.units if unit.kind == "F" and chart.seas >> chart.space[unit.at] & 1]
    for fleet in random.sample(fleets, len(fleets)):
        sea = chart.space[fleet.at]
        ashore = [u for u in position.units if chart.shores[chart.space[u.at]] >> sea & 1]
        armies = [u for u in ashore if u.kind == "A" and u.power == fleet.power]
        foes = [u for u in position.units if u.power != fleet.power and can_reach(position, u, fleet.at)]
        helpers = [u for u in foes if u in ashore]
        for helper in helpers:
            others = [foe for foe in foes if foe != helper]
            if armies and others:
                army, foe, goal = armies[0], others[0], province_of(helper.at)
                chosen[army.id] = Move(army, goal)
                chosen[fleet.id] = Convoy(fleet, army, goal)
                chosen[foe.id] = Move(foe, fleet.at)
                chosen[helper.id] = Support(helper, foe, fleet.at)
                return


def others(random: Random, position: Position) -> list[Order]:
    """Retreats and adjustments."""
    orders: list[Order] = []
    for power, duty in duties(position, RULES_1976).items():
        free = [option for each in duty.retreats for option in each.options]
        for each in duty.retreats:
            orders.append(Retreat(each.unit, random.choice(each.options)) if free else Disband(each.unit))
        sites = {province_of(at): (kind, at) for kind, at in random.sample(duty.sites, len(duty.sites))}
        orders += [Build(power, kind, at) for kind, at in list(sites.values())[: duty.builds]]
        own = list(position.of(power))
        orders += [Disband(unit) for unit in random.sample(own, min(duty.removals, len(own)))]
    return orders


def portrait(played: list[Played]) -> dict[str, str]:
    """What the phases are like, in the words of the comparison with played games."""
    convoys = heads = retreats = 0
    for position, orders in played:
        convoys += any(isinstance(order, Convoy) for order in orders)
        aims = {(province_of(o.unit.at), province_of(o.to)) for o in orders if isinstance(o, Move)}
        heads += any((there, here) in aims for here, there in aims)
        retreats += bool(adjudicate(position, orders, RULES_1976).after.dislodged)
    count = len(played)
    return {
        "phases": f"{count:,}",
        "units in a phase": f"{sum(len(position.units) for position, _ in played) / count:.1f}",
        "phases with a convoy order": f"{convoys / count:.0%}",
        "phases with a head-to-head move": f"{heads / count:.0%}",
        "phases followed by retreats": f"{retreats / count:.0%}",
    }

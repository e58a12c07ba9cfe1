"""From orders to acts: what each order means in this position, and which orders cannot be followed.

This is the place for VII (which moves are possible), IX.1 and IX.6 (what may be supported); convoys are matched in
`judge.adjudicate.embark`. An order that cannot be followed leaves its unit standing (VII.4).

This is also the hottest code of the house: the loops say everything in place and ask nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from judge.adjudicate.bout import MOVE, SUPPORT, Bout
from judge.adjudicate.embark import embark, match_convoys
from judge.adjudicate.outcome import Result
from judge.adjudicate.routes import has_route
from judge.board.model import province_of
from judge.board.position import Position
from judge.orders.model import Convoy, Hold, Misorder, Move, Order, Support
from judge.rules.choices import ImpossibleOrders, SupportCoast
from judge.rules.model import Rules


def lower(position: Position, orders: Iterable[Order], rules: Rules) -> Bout:
    """The bout of a movement phase. Of several orders for one unit the last counts.

    Raises ValueError for an order that is none for a movement phase, or whose unit is not on the board: the reader
    never produces such orders.
    """
    bout = Bout(position, rules)
    try:
        walks, voyages, convoys, supports = _sort(bout, orders)
    except KeyError:
        raise ValueError("an order is not for a unit of this position") from None
    if voyages:
        embark(bout, voyages)
    if convoys or walks:
        match_convoys(bout, convoys, walks)
    if bout.faults:
        _mark_impossible_moves(bout)
    if supports:
        _match_supports(bout, supports)
    return bout


def _sort(bout: Bout, orders: Iterable[Order]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Give each unit its order, and enter every move that goes its own way (VII.1); list the moves that say "via
    convoy" although they could walk, the moves that only a convoy could make, the convoys and the supports.

    The last order is read first, since of several for a unit it is the one that counts. The first lines of the
    branches are alike on purpose: each reads one kind of order only, which the interpreter does much faster.
    """
    walks: list[int] = []
    voyages: list[int] = []
    convoys: list[int] = []
    supports: list[int] = []
    given, number, ways, act, aim = bout.given, bout.number, bout.layout.ways, bout.act, bout.aim
    marching, movers, disputed, occupant = bout.marching, bout.movers, bout.disputed, bout.occupant
    latest_first: Iterable[Any] = reversed(tuple(orders))
    for order in latest_first:
        sort = order.__class__
        if sort is Move:
            unit = number[order.unit[0]]
            if given[unit] is not None:
                continue
            given[unit] = order
            try:
                target, marching[unit] = ways[unit][order.to]
            except KeyError:
                voyages.append(unit)
                continue
            act[unit] = MOVE
            aim[unit] = target
            rivals = movers[target]
            if rivals:
                bout.contend(unit, target, tuple(sorted((*rivals, unit))))
            else:
                movers[target] = (unit,)
                if occupant[target] >= 0:
                    disputed.append(unit)
            if order.via:
                walks.append(unit)
        elif sort is Support:
            unit = number[order.unit[0]]
            if given[unit] is None:
                given[unit] = order
                supports.append(unit)
        elif sort is Hold:
            unit = number[order.unit[0]]
            if given[unit] is None:
                given[unit] = order
        elif sort is Convoy or sort is Misorder:
            unit = number[order.unit[0]]
            if given[unit] is None:
                given[unit] = order
                if sort is Convoy:
                    convoys.append(unit)
                else:
                    bout.faults[unit] = (Result.ILLEGAL, order.reason)
        else:
            raise ValueError(f"{order} is no order for a movement phase")
    return sorted(walks), sorted(voyages), sorted(convoys), sorted(supports)


def _mark_impossible_moves(bout: Bout) -> None:
    """B39: a unit ordered to make an impossible move stands, but was not ordered to hold."""
    if bout.rules.impossible_orders is ImpossibleOrders.HOLD:
        return
    for unit, (result, _) in bout.faults.items():
        if result is Result.ILLEGAL and isinstance(bout.given[unit], Move):
            bout.unsupportable.add(unit)


def _match_supports(bout: Bout, supports: list[int]) -> None:
    """Find the act that each support is for (IX.1, IX.6); one that is for none is void."""
    act, aim, at, given, marching = bout.act, bout.aim, bout.at, bout.given, bout.marching
    number, near, backing, unsupportable = bout.number, bout.layout.near, bout.backing, bout.unsupportable
    carriage = bout.carriage
    bout.supporters = supports
    for unit in supports:
        order: Support = given[unit]  # type: ignore[assignment]
        try:
            supported = number[order.of[0]]
        except KeyError:
            raise ValueError(f"{order.of} is no unit of this position") from None
        to = order.to
        if to is None:
            goal, matches = at[supported], act[supported] != MOVE and supported not in unsupportable
        else:
            goal, matches = aim[supported], supported in marching and marching[supported] == to
        if not matches or goal not in near[unit] or supported in carriage:
            fault = _support_fault(bout, unit, order, supported)
            if fault is not None:
                bout.faults[unit] = fault
                continue
        act[unit] = SUPPORT
        aim[unit] = goal
        helpers = backing[supported]
        backing[supported] = (*helpers, unit) if helpers else (unit,)


def _support_fault(bout: Bout, unit: int, order: Support, supported: int) -> tuple[Result, str] | None:
    """Why a support is for nothing; None if there is nothing wrong with it."""
    goal = bout.at[supported] if order.to is None else bout.chart.space[order.to]
    if goal not in bout.spots[unit].near:
        return Result.ILLEGAL, "cannot-support-there"
    if order.to is None:
        if bout.act[supported] == MOVE:
            return Result.VOID, "supported-unit-moves"
        return (Result.VOID, "supported-unit-was-to-move") if supported in bout.unsupportable else None
    if bout.act[supported] != MOVE or bout.aim[supported] != goal:
        return Result.VOID, "supported-move-not-ordered"
    if not _coast_matches(bout, order, supported):
        return Result.VOID, "supported-coast-differs"
    if supported in bout.carriage and not _can_do_without(bout, supported, unit):
        return Result.ILLEGAL, "supporter-needed-for-convoy"
    return None


def _coast_matches(bout: Bout, order: Support, supported: int) -> bool:
    """VII.3b: support goes to the whole province, unless the rules ask for the coast."""
    choice = bout.rules.support_coast
    named, taken = order.to or "", bout.marching[supported]
    if choice is SupportCoast.IGNORED or named == taken or bout.position.units[supported].kind != "F":
        return True
    return choice is SupportCoast.MAY_BE_OMITTED and named == province_of(taken)


def _can_do_without(bout: Bout, army: int, supporter: int) -> bool:
    """Whether an army could get there without the fleet that supports it (DATC 6.D.31)."""
    sea = 1 << bout.at[supporter]
    walks = bout.carriage[army].may_walk or bout.aim[army] in bout.spots[army].near
    if walks or not sea & bout.fleets:
        return True
    return has_route(bout.chart, bout.at[army], bout.aim[army], bout.fleets & ~sea)

"""From orders to acts: what each order means in this position, and which orders cannot be followed.

This is the place for VII (which moves are possible), IX.1 and IX.6 (what may be supported); convoys are matched in
`judge.adjudicate.embark`. An order that cannot be followed leaves its unit standing (VII.4).
"""

from __future__ import annotations

from collections.abc import Iterable

from judge.adjudicate.bout import MOVE, SUPPORT, Bout
from judge.adjudicate.chart import Chart, Mask, compile_board
from judge.adjudicate.embark import embark, match_convoys
from judge.adjudicate.outcome import Result
from judge.adjudicate.routes import has_route
from judge.board.model import province_of
from judge.board.position import Position, Unit
from judge.orders.model import Convoy, Hold, Misorder, Move, Order, Support
from judge.rules.choices import ImpossibleOrders, SupportCoast
from judge.rules.model import Rules


def lower(position: Position, orders: Iterable[Order], rules: Rules) -> Bout:
    """The bout of a movement phase. Of several orders for one unit the last counts.

    Raises ValueError for an order that is none for a movement phase, or whose unit is not on the board: the reader
    never produces such orders.
    """
    chart = compile_board(position.board, position.phase.season)
    bout = Bout(position, rules, chart)
    fleets = _place(bout, chart)
    _bind(bout, orders)
    walks, voyages, convoys, supports = _sort(bout, chart)
    if voyages:
        embark(bout, voyages, fleets)
    if convoys or walks:
        match_convoys(bout, convoys, walks, fleets)
    if bout.faults:
        _mark_impossible_moves(bout)
    if supports:
        _match_supports(bout, supports, fleets)
    return bout


def _place(bout: Bout, chart: Chart) -> Mask:
    """Put every unit on the chart; the seas with a fleet."""
    at, power, occupant, number, space = bout.at, bout.power, bout.occupant, bout.number, chart.space
    fleets = 0
    for unit, (identity, kind, where, owner, _) in enumerate(bout.position.units):
        here = space[where]
        number[identity] = unit
        at[unit] = here
        power[unit] = owner
        occupant[here] = unit
        if kind == "F":
            fleets |= 1 << here
    return fleets & chart.seas


def _bind(bout: Bout, orders: Iterable[Order]) -> None:
    given, number = bout.given, bout.number
    try:
        for order in orders:
            given[number[order.unit.id]] = order  # type: ignore[union-attr, assignment]
    except (KeyError, AttributeError):
        raise ValueError(f"{order} is no order for a unit of this position") from None


def _sort(bout: Bout, chart: Chart) -> tuple[list[int], list[int], list[int], list[int]]:
    """Enter every move that goes its own way (VII.1); list the moves that say "via convoy" although they could
    walk, the moves that only a convoy could make, the convoys and the supports."""
    walks: list[int] = []
    voyages: list[int] = []
    convoys: list[int] = []
    supports: list[int] = []
    act, aim, landing, movers, spots = bout.act, bout.aim, bout.landing, bout.movers, chart.spots
    for unit, order in enumerate(bout.given):
        sort = order.__class__
        if sort is Move:
            _, kind, where, _, _ = order.unit  # type: ignore[union-attr]
            way = spots[kind][where].ways.get(order.to)  # type: ignore[union-attr, arg-type]
            if way is None:
                voyages.append(unit)
                continue
            target, landing[unit] = way
            act[unit] = MOVE
            aim[unit] = target
            rivals = movers[target]
            if rivals is None:
                movers[target] = [unit]
            else:
                rivals.append(unit)
            if order.via:  # type: ignore[union-attr]
                walks.append(unit)
        elif sort is Support:
            supports.append(unit)
        elif sort is Convoy:
            convoys.append(unit)
        elif sort is Misorder:
            bout.faults[unit] = (Result.ILLEGAL, order.reason)  # type: ignore[union-attr]
        elif order is not None and sort is not Hold:
            raise ValueError(f"{order} is no order for a movement phase")
    return walks, voyages, convoys, supports


def _mark_impossible_moves(bout: Bout) -> None:
    """B39: a unit ordered to make an impossible move stands, but was not ordered to hold."""
    if bout.rules.impossible_orders is ImpossibleOrders.HOLD:
        return
    for unit, (result, _) in bout.faults.items():
        if result is Result.ILLEGAL and isinstance(bout.given[unit], Move):
            bout.unsupportable.add(unit)


def _match_supports(bout: Bout, supports: list[int], fleets: Mask) -> None:
    """Find the act that each support is for (IX.1, IX.6); one that is for none is void."""
    act, aim, at, spots, backing = bout.act, bout.aim, bout.at, bout.chart.spots, bout.backing
    for unit in supports:
        order: Support = bout.given[unit]  # type: ignore[assignment]
        supported = _number(bout, order.of)
        goal = at[supported] if order.to is None else bout.chart.space[order.to]
        _, kind, where, _, _ = order.unit
        if not spots[kind][where].into >> goal & 1:
            bout.faults[unit] = (Result.ILLEGAL, "cannot-support-there")
            continue
        fault = ""
        if order.to is None:
            if act[supported] == MOVE:
                fault = "supported-unit-moves"
            elif supported in bout.unsupportable:
                fault = "supported-unit-was-to-move"
        elif act[supported] != MOVE or aim[supported] != goal:
            fault = "supported-move-not-ordered"
        elif "/" in order.to or "/" in bout.landing[supported]:
            fault = _coast_fault(bout, order, supported)
        if not fault and supported in bout.carriage and not _can_do_without(bout, supported, unit, fleets):
            bout.faults[unit] = (Result.ILLEGAL, "supporter-needed-for-convoy")
        elif fault:
            bout.faults[unit] = (Result.VOID, fault)
        else:
            act[unit] = SUPPORT
            aim[unit] = goal
            backers = backing[supported]
            if backers is None:
                backing[supported] = [unit]
            else:
                backers.append(unit)


def _number(bout: Bout, unit: Unit) -> int:
    try:
        return bout.number[unit.id]
    except KeyError:
        raise ValueError(f"{unit} is no unit of this position") from None


def _coast_fault(bout: Bout, order: Support, supported: int) -> str:
    """VII.3b: support goes to the whole province, unless the rules ask for the coast."""
    choice = bout.rules.support_coast
    named, taken = order.to or "", bout.landing[supported]
    if choice is SupportCoast.IGNORED or named == taken or bout.position.units[supported].kind != "F":
        return ""
    if choice is SupportCoast.MAY_BE_OMITTED and named == province_of(taken):
        return ""
    return "supported-coast-differs"


def _can_do_without(bout: Bout, army: int, supporter: int, fleets: Mask) -> bool:
    """Whether an army could get there without the fleet that supports it (DATC 6.D.31)."""
    sea = 1 << bout.at[supporter]
    if not sea & fleets or bout.carriage[army].may_walk or _walkable(bout, army):
        return True
    return has_route(bout.chart, bout.at[army], bout.aim[army], fleets & ~sea)


def _walkable(bout: Bout, army: int) -> bool:
    _, kind, where, _, _ = bout.position.units[army]
    return bool(bout.chart.spots[kind][where].into >> bout.aim[army] & 1)

"""From orders to acts: what each order means in this position, and which orders cannot be followed.

This is the place for VII (which moves are possible), IX.1 and IX.6 (what may be supported); convoys are matched in
`judge.adjudicate.convoys`. An order that cannot be followed leaves its unit standing (VII.4).

This code takes most of the time of an adjudication: its loops are written out and look nothing up twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from judge.adjudicate.bout import NONE, YES, Bout, Company
from judge.adjudicate.convoys import embark, match_convoys
from judge.adjudicate.outcome import Result
from judge.adjudicate.stacks import arrange, bar_moves, bind_held, by_the_rules, by_the_system
from judge.board.chart import has_route
from judge.board.model import province_of
from judge.board.phase import MOVES
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.kinds import OrderKind, kind_of
from judge.orders.model import Convoy, Hold, Misorder, Move, Order, Support
from judge.rules.choices import ImpossibleOrders, SupportCoast
from judge.rules.model import Rules

NOTHING: Final[Mapping[int, Misorder]] = {}


def lower(position: Position, orders: Iterable[Order], rules: Rules) -> Bout:
    """The bout of a movement phase. Of several orders for one unit the last counts.

    Raises ValueError for an order that is none for a movement phase, or whose unit is not on the board: the reader
    never produces such orders.
    """
    sheet = tuple(orders)
    bound = bind_held(position, sheet, rules) if rules.in_battle and "held" in rules.in_battle else NOTHING
    try:
        bout = _entered(position, tuple([bound.get(id(order), order) for order in sheet]) if bound else sheet, rules)
        if bout.faults:
            _mark_impossible_moves(bout)
        if bout.supporters:
            _match_supports(bout)
        if bout.asked:
            by_the_rules(bout)
            if bound:
                _tell_what_was_ordered(bout, bound, sheet)
        if bout.faults and bout.chart.board.has_closures:
            _name_closed_borders(bout)
    except IndexError:
        for unit in _units_of(sheet):
            if unit not in position.units:
                raise ValueError(f"{unit} is no unit of this position") from None
        raise
    return bout


def _tell_what_was_ordered(bout: Bout, bound: Mapping[int, Misorder], sheet: tuple[Order, ...]) -> None:
    """Name the orders that were given to units which could only hold."""
    ordered = {id(bound[id(order)]): order for order in sheet if id(order) in bound}
    bout.given = [ordered.get(id(each), each) for each in bout.given]


def _units_of(orders: tuple[Order, ...]) -> Iterator[Unit]:
    """The units for which orders are, and those they name."""
    for order in orders:
        yield from (getattr(order, field) for field in ("unit", "of") if hasattr(order, field))


def _entered(position: Position, sheet: tuple[Order, ...], rules: Rules) -> Bout:
    """A bout with all its moves, convoys included."""
    bout = Bout(position, rules, sheet)
    sorts = _sort(bout, position.units)
    if sorts is None:
        if not bout.is_untouched():
            bout = Bout(position, rules, sheet)
        bout.given, owners = _arranged(bout, sheet)
        sorts = _sort(bout, owners)
        assert sorts is not None
    walks, voyages, convoys, others = sorts
    if voyages:
        embark(bout, voyages)
    if bout.asked:
        bar_moves(bout)
        walks = [unit for unit in walks if unit not in bout.faults]
        lower_others(bout, others)
        if "stacks" in bout.asked:
            arrange(bout)
    elif others:
        lower_others(bout, others)
    if convoys or walks:
        match_convoys(bout, convoys, walks)
    return bout


def lower_others(bout: Bout, others: Mapping[OrderKind, list[int]]) -> None:
    """Enter the orders of kinds that 1976 does not have."""
    for kind, units in others.items():
        if kind.lower is not None:
            kind.lower(bout, units)
        if kind.tell is not None:
            company = bout.company = bout.company or Company()
            company.tellers |= set(units)


def _arranged(bout: Bout, orders: tuple[Any, ...]) -> tuple[list[Order | None], list[Unit | None]]:
    """The order of each unit, or None: the last that there is for it, but for one that gives way to another; and the
    units that they name as theirs.
    """
    given: list[Order | None] = [None] * len(bout.landing)
    owners: list[Unit | None] = [None] * len(bout.landing)
    number, gives_way = bout.number, bout.rules.kinds().gives_way
    try:
        for order in orders:
            owner = order.unit
            unit = number[owner[0]]
            if gives_way and type(given[unit]) in gives_way.get(type(order), ()):
                continue
            given[unit], owners[unit] = order, owner
    except AttributeError as error:
        raise ValueError(f"{error.obj} is no order for a movement phase") from None
    return given, owners


Sorts = tuple[list[int], list[int], list[int], dict[OrderKind, list[int]]]
"""The moves that say "via convoy" although they could walk, the moves that only a convoy could make, the convoys, and
the units with orders of kinds that 1976 does not have.
"""


def _sort(bout: Bout, units: Sequence[Unit | None]) -> Sorts | None:
    """Enter every move that goes its own way (VII.1), and list the supports. `units` are those for which the given
    orders should be; None if one is for another, and the orders must be arranged. Most sheets need no arranging, and
    to look here, where the sort of each order is known, takes a third of the time that looking beforehand does."""
    walks: list[int] = []
    voyages: list[int] = []
    convoys: list[int] = []
    others: dict[OrderKind, list[int]] = {}
    aim, landing, fate = bout.aim, bout.landing, bout.fate
    movers, attacks, supports = bout.movers, bout.attacks, bout.supporters
    ways, alone = bout.layout.ways, bout.layout.alone
    move, support, hold, convoy, misorder = Move, Support, Hold, Convoy, Misorder
    given: Sequence[Any] = bout.given
    if len(given) != len(units):
        return None
    for unit, order in enumerate(given):
        sort = type(order)
        if sort is move:
            if order.unit is not units[unit]:
                return None
            try:
                target, landing[unit] = ways[unit][order.to]
            except KeyError:
                voyages.append(unit)
                continue
            aim[unit] = target
            rivals = movers[target]
            if rivals is None:
                movers[target] = alone[unit]
                fate[unit] = YES
            elif rivals:
                bout.contend(unit, target, rivals)
            else:
                movers[target] = alone[unit]
                attacks.append(unit)
            if order.via:
                walks.append(unit)
        elif sort is support:
            if order.unit is not units[unit]:
                return None
            supports.append(unit)
        elif sort is hold or sort is convoy or sort is misorder:
            if order.unit is not units[unit]:
                return None
            if sort is convoy:
                convoys.append(unit)
            elif sort is misorder:
                bout.faults[unit] = (Result.ILLEGAL, order.reason)
        elif order is not None:
            kind = bout.rules.kinds().of(order)
            if order.unit is not units[unit]:
                return None
            if MOVES not in (kind or kind_of(order)).phases:
                known = [each.name for each in bout.rules.kinds() if MOVES in each.phases]
                raise ValueError(f"{order} is no order for a movement phase; there are {', '.join(known)}")
            if kind is None:
                bout.faults[unit] = (Result.ILLEGAL, "no-such-order")
            else:
                others.setdefault(kind, []).append(unit)
    return walks, voyages, convoys, others


def _mark_impossible_moves(bout: Bout) -> None:
    """A unit ordered to make an impossible move stands, but was not ordered to hold."""
    if bout.rules.impossible_orders is ImpossibleOrders.HOLD:
        return
    impossible = {
        unit
        for unit, (result, _) in bout.faults.items()
        if result is Result.ILLEGAL and isinstance(bout.given[unit], Move)
    }
    bout.unsupportable = impossible.union(bout.unsupportable) if bout.unsupportable else impossible


NO_WAY: Final = frozenset({"cannot-go-there", "coast-missing", "no-fleets-to-carry", "cannot-support-there"})
"""Faults that are told otherwise where the unit's own way is only closed in this season."""


def _name_closed_borders(bout: Bout) -> None:
    season = bout.position.phase.season
    for unit, (result, reason) in bout.faults.items():
        order = bout.given[unit]
        if reason not in NO_WAY or not isinstance(order, (Move, Support)):
            continue
        goal = order.to or order.of.at if isinstance(order, Support) else order.to
        if bout.chart.board.closure(order.unit.kind, order.unit.at, goal, season):
            bout.faults[unit] = (result, "border-closed")


def _match_supports(bout: Bout) -> None:
    """Find the act that each support is for (IX.1, IX.6); one that is for none is void."""
    aim, landing, backing = bout.aim, bout.landing, bout.backing
    given, at, number = bout.given, bout.at, bout.number
    near, alone = bout.layout.near, bout.layout.alone
    doubtful = {*bout.carriage, *bout.unsupportable} if bout.carriage or bout.unsupportable else NONE
    for unit in bout.supporters:
        order: Support = given[unit]
        supported = number[order.of[0]]
        to = order.to
        goal = at[supported] if to is None else aim[supported]
        going = landing[supported]
        if (going is not to and going != to) or goal not in near[unit] or (doubtful and supported in doubtful):
            fault = _support_fault(bout, unit, order, supported)
            if fault is not None:
                bout.faults[unit] = fault
                continue
        aim[unit] = goal
        helpers = backing[supported]
        backing[supported] = (*helpers, unit) if helpers else alone[unit]


def _support_fault(bout: Bout, unit: int, order: Support, supported: int) -> tuple[Result, str] | None:
    """Why a support is for nothing; None if there is nothing wrong with it."""
    goal = bout.at[supported] if order.to is None else bout.chart.space[order.to]
    if bout.asked and (reason := _fault_in_one_place(bout, unit, order, supported)):
        return Result.ILLEGAL, reason
    if goal not in bout.spots[unit].near:
        return Result.ILLEGAL, "cannot-support-there"
    if order.to is None:
        if bout.landing[supported] is not None:
            return Result.VOID, "supported-unit-moves"
        return (Result.VOID, "supported-unit-was-to-move") if supported in bout.unsupportable else None
    if supported in bout.apart:
        return Result.VOID, bout.apart[supported]
    if bout.landing[supported] is None or bout.aim[supported] != goal:
        return Result.VOID, "supported-move-not-ordered"
    if not _coast_matches(bout, order, supported):
        return Result.VOID, "supported-coast-differs"
    if supported in bout.carriage and not _can_do_without(bout, supported, unit):
        return Result.ILLEGAL, "supporter-needed-for-convoy"
    return None


def _fault_in_one_place(bout: Bout, unit: int, order: Support, supported: int) -> str:
    """What a system says of one that is carried, and of units that stand together."""
    if unit in bout.layout.riders:
        return "is-aboard"
    return by_the_system(bout, order) if bout.at[unit] == bout.at[supported] else ""


def _coast_matches(bout: Bout, order: Support, supported: int) -> bool:
    """VII.3b: support goes to the whole province, unless the rules ask for the coast."""
    choice = bout.rules.support_coast
    named, taken = order.to or "", bout.landing[supported] or ""
    if (
        choice is SupportCoast.IGNORED
        or named == taken
        or not bout.chart.board.kinds[bout.position.units[supported].kind].coasts
    ):
        return True
    return choice is SupportCoast.MAY_BE_OMITTED and named == province_of(taken)


def _can_do_without(bout: Bout, army: int, supporter: int) -> bool:
    """Whether an army could get there without the fleet that supports it (DATC 6.D.31)."""
    sea = 1 << bout.at[supporter]
    walks = bout.carriage[army].may_walk or bout.aim[army] in bout.spots[army].near
    if walks or not sea & bout.fleets:
        return True
    return has_route(bout.chart, bout.at[army], bout.aim[army], bout.fleets & ~sea)

"""The retreat phase (XI): who gets away, who collides, who is disbanded.

The options that the movement phase found are authoritative; nothing is worked out again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from judge.adjudicate.outcome import Adjudication, End, Outcome, Result
from judge.board.chart import Chart, compile_board
from judge.board.model import Location, province_of
from judge.board.position import Position, numbered
from judge.board.unit import Dislodged, Unit
from judge.orders.model import Disband, Hold, Misorder, Order, Retreat, RetreatOrder
from judge.rules.choices import RetreatCollisions
from judge.rules.model import Rules

RETREATED_ABOARD = End((Result.OK,), "retreated-aboard")
LOST_ABOARD = End((Result.OK, Result.DISBANDED), "lost-aboard")


def adjudicate_retreats(position: Position, orders: Iterable[Order], rules: Rules) -> Adjudication:
    """The result of a retreat phase. Raises ValueError for an order of a unit that need not retreat."""
    given = _bind(position, orders)
    chart = compile_board(position.board, position.phase.season)
    goals = {each.unit.id: _goal(each, given.get(each.unit.id), chart) for each in position.dislodged}
    lost = _collisions(position, goals, given, rules)
    units = list(position.units)
    outcomes: list[Outcome] = []
    for each in position.dislodged:
        goal = goals[each.unit.id]
        order = given.get(each.unit.id) or Hold(each.unit)
        if carrier := each.unit.aboard:
            goal = province_of(goals.get(carrier, "")) if carrier not in lost else ""
            if goal:
                units.append(each.unit._replace(at=goal))
            outcomes.append(Outcome((order, RETREATED_ABOARD if goal else LOST_ABOARD)))
        elif goal and each.unit.id not in lost:
            units.append(each.unit._replace(at=goal))
            outcomes.append(Outcome((order, End((Result.OK,), "retreated"))))
        else:
            outcomes.append(_lost(position, each, order, chart, rules, lost.get(each.unit.id)))
    placed = numbered(tuple(units)) if "stacks" in rules.answered else tuple(units)
    following, captures = rules.calendar.passing(position.phase)
    owners = rules.owners(position, placed) if captures else position.owners
    next_id = position.next_id or 1 + max((unit.id for unit in _everybody(position)), default=0)
    after = position.followed_by(following, placed, owners, (), next_id)
    return Adjudication(position, after, (), lambda: tuple(outcomes))


def _everybody(position: Position) -> Iterable[Unit]:
    return (*position.units, *(each.unit for each in position.dislodged))


def _bind(position: Position, orders: Iterable[Order]) -> dict[int, RetreatOrder]:
    waiting = {each.unit.id for each in position.dislodged}
    given: dict[int, RetreatOrder] = {}
    for order in orders:
        if not isinstance(order, (Retreat, Disband, Misorder)) or order.unit.id not in waiting:
            raise ValueError(f"{order} is no order for a unit that must retreat")
        given[order.unit.id] = order
    return given


def _goal(dislodged: Dislodged, order: RetreatOrder | None, chart: Chart) -> Location:
    """Where a retreat leads, or "" if it cannot be followed."""
    if not isinstance(order, Retreat):
        return ""
    if order.to in dislodged.options:
        return order.to
    unit = dislodged.unit
    way = chart.spots[unit.kind][unit.at].ways.get(order.to)
    return way[1] if way and way[1] in dislodged.options else ""


def _collisions(
    position: Position, goals: dict[int, Location], given: dict[int, RetreatOrder], rules: Rules
) -> dict[int, tuple[str, tuple[Unit, ...]]]:
    """XI.2: units that are lost although their retreat was possible -> reason and the others' units."""
    lost: dict[int, tuple[str, tuple[Unit, ...]]] = {}
    wanted = Counter(province_of(goal) for goal in goals.values() if goal)
    for each in position.dislodged:
        goal = goals[each.unit.id]
        if not goal:
            continue
        others = tuple(other for other in position.dislodged if other is not each)
        same = tuple(o.unit for o in others if province_of(goals[o.unit.id] or "-") == province_of(goal))
        if wanted[province_of(goal)] > 1 and not _stand_together(position, each.unit, same, goal, rules):
            lost[each.unit.id] = ("retreats-collided", same)
        elif rules.retreat_collisions is RetreatCollisions.RULES_1976:
            bound = tuple(o.unit for o in others if _competes(each, o) and not _gives_way(o, given))
            if bound:
                lost[each.unit.id] = ("same-only-retreat", bound)
    return lost


def _stand_together(position: Position, unit: Unit, others: tuple[Unit, ...], goal: Location, rules: Rules) -> bool:
    """Whether all who retreat to a place may come in beside each other."""
    stack = rules.stacks(position).get(province_of(goal)) if "stacks" in rules.answered else None
    if stack is None or stack.power != unit.power or len(others) >= stack.most:
        return False
    enters = stack.enters is None or unit.kind in stack.enters
    return enters and all(o.power == unit.power and (stack.mixed or o.kind == unit.kind) for o in others)


def _competes(one: Dislodged, other: Dislodged) -> bool:
    """Whether two units may retreat to one and the same space only."""
    mine = {province_of(option) for option in one.options}
    return len(mine) == 1 and mine == {province_of(option) for option in other.options}


def _gives_way(dislodged: Dislodged, given: dict[int, RetreatOrder]) -> bool:
    return isinstance(given.get(dislodged.unit.id), Disband)


def _lost(
    position: Position,
    each: Dislodged,
    order: Order,
    chart: Chart,
    rules: Rules,
    collision: tuple[str, tuple[Unit, ...]] | None,
) -> Outcome:
    if collision is not None:
        reason, by = collision
        return Outcome((order, End((Result.BOUNCED, Result.DISBANDED), reason, by)))
    if isinstance(order, Disband):
        reason = "disbanded-by-order"
        return Outcome((order, End((Result.OK, Result.DISBANDED), reason)))
    if isinstance(order, Misorder):
        return Outcome((order, End((Result.ILLEGAL, Result.DISBANDED), order.reason)))
    if not isinstance(order, Retreat):
        reason = "no-retreat-ordered" if each.options else "nowhere-to-retreat"
        return Outcome((order, End((Result.DISBANDED,), reason)))
    reason, by = refused(position, each, order.to, chart, rules)
    return Outcome((order, End((Result.ILLEGAL, Result.DISBANDED), reason, by)))


def refused(
    position: Position, dislodged: Dislodged, target: Location, chart: Chart, rules: Rules
) -> tuple[str, tuple[Unit, ...]]:
    """Why a dislodged unit may not go somewhere that is not among its options, and who is to blame."""
    unit, by = dislodged.unit, dislodged.by
    if not dislodged.options:
        return "nowhere-to-retreat", ()
    space = chart.space.get(target, -1)
    if space not in chart.spots[unit.kind][unit.at].near:
        closed = chart.board.closure(unit.kind, unit.at, target, position.phase.season)
        return "retreat-not-adjacent" if closed is None else "border-closed", ()
    if any(chart.space[option] == space for option in dislodged.options):
        return "coast-missing", ()
    if "barred" in rules.answered and (reason := rules.barred(position, unit, target)):
        return reason, ()
    holders = tuple(each for each in position.units if chart.space[each.at] == space)
    if holders:
        return "retreat-occupied", holders
    if by is not None and chart.space[by.at] == space:
        return "retreat-to-attacker", (by,)
    return ("retreat-stood-off" if by is not None else "retreat-not-open"), ()

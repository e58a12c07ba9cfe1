"""The adjustments (XIII.2): units are built or removed until they are as many as the centres."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.adjudicate.outcome import Adjudication, End, Outcome, Result
from judge.board.model import Location, province_of
from judge.board.position import Position, numbered
from judge.board.unit import Unit
from judge.orders.model import Build, Disband, Order, Waive, power_of
from judge.rules.model import Rules


def adjudicate_adjustments(position: Position, orders: Iterable[Order], rules: Rules) -> Adjudication:
    """The result of an adjustment phase: orders are taken one by one, as long as any are due (DATC 6.I.1, 6.J.1).

    Raises ValueError for an order that is none for adjustments, or whose unit is not on the board.
    """
    given = _bind(position, orders)
    next_id = position.next_id or 1 + max((unit.id for unit in position.units), default=0)
    units = {unit.id: unit for unit in position.units}
    outcomes: list[Outcome] = []
    for power in powers(position):
        due = rules.balance(position, power)
        mine = given.get(power, [])
        if due < 0:
            outcomes += _remove(position, power, -due, mine, rules, units)
            continue
        built = _build(position, power, due, mine, rules, outcomes)
        for kind, at in built:
            units[next_id] = Unit(next_id, kind, at, power, at)
            next_id += 1
    following = rules.calendar.next_phase(position.phase)
    placed = numbered(tuple(units.values())) if "stacks" in rules.answered else tuple(units.values())
    after = position.followed_by(following, placed, position.owners, (), next_id)
    return Adjudication(position, after, (), lambda: tuple(outcomes))


def powers(position: Position) -> tuple[str, ...]:
    """Everybody with a unit or a centre, in the board's order."""
    alive = {unit.power for unit in position.units} | set(position.owners.values())
    listed = [power for power in position.board.powers if power in alive]
    return (*listed, *sorted(alive.difference(listed)))


def open_centres(position: Position, power: str, rules: Rules) -> Mapping[str, int]:
    """XIII.2: the centres at which a power may build now -> how many units."""
    centres = (each for each in rules.building_centres(position, power) if position.owners.get(each) == power)
    rooms = {centre: rules.room(position, centre) for centre in centres}
    return {centre: room for centre, room in rooms.items() if room > 0}


def _bind(position: Position, orders: Iterable[Order]) -> dict[str, list[Build | Disband | Waive]]:
    standing = {unit.id for unit in position.units}
    given: dict[str, list[Build | Disband | Waive]] = {}
    for order in orders:
        if not isinstance(order, (Build, Disband, Waive)):
            raise ValueError(f"{order} is no order for adjustments")
        if isinstance(order, Disband) and order.unit.id not in standing:
            raise ValueError(f"{order.unit} is no unit of this position")
        given.setdefault(power_of(order), []).append(order)
    return given


def _build(
    position: Position,
    power: str,
    due: int,
    orders: list[Build | Disband | Waive],
    rules: Rules,
    outcomes: list[Outcome],
) -> list[tuple[str, Location]]:
    """The units that a power builds; an outcome for each order, and one for each build that lapses unordered."""
    built: list[tuple[str, Location]] = []
    waived = 0
    for order in orders:
        left = due - len(built) - waived
        fault = _order_fault(position, order, built, left, rules)
        if fault:
            result = Result.ILLEGAL
        else:
            result = Result.OK
            if isinstance(order, Build):
                built.append((order.kind, position.board.landing(order.kind, order.at)))
            waived += isinstance(order, Waive)
        reason = fault or ("built" if isinstance(order, Build) else "waived")
        outcomes.append(Outcome((order, End((result,), reason, _blocker(position, order, reason)))))
    if due - waived > len(built):
        usable = min(due - waived, sum(open_centres(position, power, rules).values())) - len(built)
        outcomes += [Outcome((Waive(power), End((Result.OK,), "unused")))] * usable
    return built


def _order_fault(
    position: Position, order: Build | Disband | Waive, built: list[tuple[str, Location]], left: int, rules: Rules
) -> str:
    if isinstance(order, Disband):
        return "too-many-removals"
    if isinstance(order, Waive):
        return "" if left > 0 else "too-many-builds"
    fault = rules.build_fault(position, order)
    if fault:
        return fault
    province = province_of(order.at)
    if sum(province_of(at) == province for _, at in built) >= rules.room(position, province):
        return "built-there-already"
    return "" if left > 0 else "too-many-builds"


def _blocker(position: Position, order: Order, reason: str) -> tuple[Unit, ...]:
    return position.at(province_of(order.at)) if isinstance(order, Build) and reason == "home-occupied" else ()


def _remove(
    position: Position,
    power: str,
    due: int,
    orders: list[Build | Disband | Waive],
    rules: Rules,
    units: dict[int, Unit],
) -> list[Outcome]:
    """Take `due` units off the board: the first that were named, then by the rule for civil disorder."""
    outcomes: list[Outcome] = []
    removed = 0
    for order in orders:
        if not isinstance(order, Disband):
            reason = "too-many-builds"
        elif removed == due:
            reason = "too-many-removals"
        else:
            reason = "removed" if order.unit.id in units else "too-many-removals"
            units.pop(order.unit.id, None)
            removed += reason == "removed"
        results = (Result.OK, Result.DISBANDED) if reason == "removed" else (Result.ILLEGAL,)
        outcomes.append(Outcome((order, End(results, reason))))
    for unit in rules.removal_order(position, power):
        if removed < due and unit.id in units:
            del units[unit.id]
            removed += 1
            reason = "removed-in-disorder"
            results = (Result.OK, Result.DISBANDED)
            outcomes.append(Outcome((Disband(unit), End(results, reason))))
    return outcomes

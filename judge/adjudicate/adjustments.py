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
        winter = _Winter(position, power, rules, units, outcomes)
        winter.take(given.get(power, []))
        winter.end()
        for kind, at in winter.built:
            units[next_id] = Unit(next_id, kind, at, power, at)
            next_id += 1
    following = rules.calendar.next_phase(position.phase)
    placed = numbered(tuple(units.values())) if "stacks" in rules.answered else tuple(units.values())
    after = position.followed_by(following, placed, position.owners, (), next_id)
    return Adjudication(position, after, (), lambda: tuple(outcomes))


def powers(position: Position) -> tuple[str, ...]:
    """The powers with a unit or a centre, in the board's order."""
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


class _Winter:
    """One power's adjustments while its orders are taken one by one. `units` and `outcomes` are those of all powers."""

    def __init__(
        self, position: Position, power: str, rules: Rules, units: dict[int, Unit], outcomes: list[Outcome]
    ) -> None:
        self.position, self.power, self.rules = position, power, rules
        self.units, self.outcomes = units, outcomes
        self.due = rules.ledgers(position, power)
        self.left = dict(self.due)
        self.built: list[tuple[str, Location]] = []
        self.waived = 0

    @property
    def builds(self) -> int:
        """Builds that are left, in all ledgers."""
        return sum(left for left in self.left.values() if left > 0) - self.waived

    def take(self, orders: Iterable[Build | Disband | Waive]) -> None:
        """Carry out the orders, each with its outcome."""
        for order in orders:
            fault = self._fault(order)
            if isinstance(order, Disband):
                end = End((Result.ILLEGAL,), fault) if fault else self._remove(order.unit, "removed")
            elif fault:
                end = End((Result.ILLEGAL,), fault, _blocker(self.position, order, fault))
            else:
                end = self._build(order) if isinstance(order, Build) else self._waive()
            self.outcomes.append(Outcome((order, end)))

    def _fault(self, order: Build | Disband | Waive) -> str:
        if isinstance(order, Disband):
            return self._removal_fault(order.unit)
        if len(self.due) == 1 and min(self.due.values()) < 0:
            return "too-many-builds"  # of several ledgers the rules say what is wrong with which
        if isinstance(order, Waive):
            return "" if self.builds > 0 else "too-many-builds"
        if fault := self.rules.build_fault(self.position, order):
            return fault
        province = province_of(order.at)
        if sum(province_of(at) == province for _, at in self.built) >= self.rules.room(self.position, province):
            return "built-there-already"
        left = min(self.builds, self.left.get(ledger_at(self.position, self.power, order.at, self.rules), 0))
        return "" if left > 0 else "too-many-builds"

    def _removal_fault(self, unit: Unit) -> str:
        if self.left.get(self.rules.ledger(self.position, unit), 0) < 0 and unit.id in self.units:
            return ""
        return self.rules.removal_fault(self.position, unit) or "too-many-removals"

    def _build(self, order: Build) -> End:
        self.built.append((order.kind, self.position.board.landing(order.kind, order.at)))
        self.left[ledger_at(self.position, self.power, order.at, self.rules)] -= 1
        return End((Result.OK,), "built")

    def _waive(self) -> End:
        self.waived += 1
        return End((Result.OK,), "waived")

    def _remove(self, unit: Unit, reason: str) -> End:
        for gone in (unit, *(each for each in self.position.units if each.aboard == unit.id)):
            if self.units.pop(gone.id, None) is not None:
                self.left[self.rules.ledger(self.position, gone)] += 1
        return End((Result.OK, Result.DISBANDED), reason)

    def end(self) -> None:
        """Let builds lapse that nobody ordered; choose removals that nobody ordered by the rule for civil disorder."""
        if self.builds > 0:
            room = open_in_ledgers(self.position, self.power, self.rules)
            usable = sum(min(due, room.get(name, 0)) for name, due in self.due.items() if due > 0)
            unused = min(self.builds, usable - len(self.built))
            self.outcomes += [Outcome((Waive(self.power), End((Result.OK,), "unused")))] * unused
        if any(left < 0 for left in self.left.values()):
            for unit in self.rules.removal_order(self.position, self.power):
                if self.left.get(self.rules.ledger(self.position, unit), 0) < 0 and unit.id in self.units:
                    end = self._remove(unit, "removed-in-disorder")
                    self.outcomes.append(Outcome((Disband(unit), end)))


def ledger_at(position: Position, power: str, at: Location, rules: Rules) -> str:
    """The ledger of a unit that a power would build somewhere."""
    return rules.ledger(position, Unit(0, "", at, power, at))


def open_in_ledgers(position: Position, power: str, rules: Rules) -> Mapping[str, int]:
    """Ledger -> how many units could be raised in its open centres."""
    found: dict[str, int] = {}
    for centre, room in open_centres(position, power, rules).items():
        name = ledger_at(position, power, centre, rules)
        found[name] = found.get(name, 0) + room
    return found


def _blocker(position: Position, order: Order, reason: str) -> tuple[Unit, ...]:
    return position.at(province_of(order.at)) if isinstance(order, Build) and reason == "home-occupied" else ()

"""What is due of whom: the units to order, the retreats, the builds and removals. Pure questions to a position.

Receipts, order forms, reminders, robots and "did you mean" ask here; nothing here adjudicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from judge.adjudicate.adjustments import ledger_at, open_centres, powers
from judge.board.chart import compile_board
from judge.board.model import Location
from judge.board.phase import MOVES, RETREATS, TALKS
from judge.board.position import Position
from judge.board.unit import Dislodged, Unit
from judge.orders.model import Build, Disband, Order, Waive, power_of
from judge.rules.choices import Waiving
from judge.rules.model import Rules


@dataclass(frozen=True, slots=True)
class LedgerDue:
    """What is due in one of several ledgers (`judge.rules.questions.Questions.ledgers`): builds or removals."""

    ledger: str
    builds: int = 0
    sites: tuple[tuple[str, Location], ...] = ()
    removals: int = 0
    removable: tuple[Unit, ...] = ()
    """The units of which so many have to go."""
    waiting: int = 0

    @property
    def no_choice(self) -> bool:
        """Whether all units of the ledger have to go."""
        return 0 < len(self.removable) <= self.removals


@dataclass(frozen=True, slots=True)
class Duty:
    """What one power has to order in one phase. Nothing due: no field is filled."""

    power: str
    units: tuple[Unit, ...] = ()
    """Movement: the units to order."""
    retreats: tuple[Dislodged, ...] = ()
    """Retreats: the dislodged units, each with its options."""
    builds: int = 0
    """Adjustments: how many units may be built; never more than there are open sites."""
    sites: tuple[tuple[str, Location], ...] = ()
    """Where, and what: ("A", "PAR"), ("F", "STP/NC"), in the board's order."""
    removals: int = 0
    """Adjustments: how many units have to go."""
    waiting: int = 0
    """Adjustments: builds that the centres allow and for which there is no open site (XIII.2)."""
    waive_by_order: bool = False
    """Whether a build that is not used has to be waived in writing."""
    apart: tuple[LedgerDue, ...] = ()
    """Adjustments where a power keeps several ledgers: what of all this is due in each in which something is."""
    ledgers: tuple[LedgerDue, ...] = ()
    """Adjustments: what is due in each ledger, be it the only one."""

    @property
    def nothing(self) -> bool:
        """Whether the power has nothing to order."""
        return not (self.units or self.retreats or self.builds or self.removals)

    @property
    def count(self) -> int:
        """How many orders are due."""
        return len(self.units) + len(self.retreats) + self.builds + self.removals

    def missing(self, orders: Iterable[Order]) -> int:
        """How many of the orders due are not among these (unused builds count as waived unless the rules ask)."""
        own = [order for order in orders if power_of(order) == self.power]
        if self.builds or self.removals:
            return self._builds_missing(own) + self._removals_missing(own)
        ordered = {order.unit.id for order in own if not isinstance(order, (Build, Waive))}
        due = [*self.units, *(each.unit for each in self.retreats)]
        return sum(unit.id not in ordered for unit in due)

    def _builds_missing(self, own: Iterable[Order]) -> int:
        done = sum(isinstance(order, (Build, Waive)) for order in own)
        return max(0, self.builds - done) if self.waive_by_order else int(self.builds > 0 and not done)

    def _removals_missing(self, own: Iterable[Order]) -> int:
        return max(0, self.removals - len({order.unit.id for order in own if isinstance(order, Disband)}))


def duties(position: Position, rules: Rules) -> Mapping[str, Duty]:
    """Power -> what is due of it, for every power with a unit, a retreat or a centre."""
    alive = dict.fromkeys((*powers(position), *(each.unit.power for each in position.dislodged)))
    return {power: duty(position, power, rules) for power in alive}


def asked_of(position: Position, rules: Rules) -> Mapping[str, Duty]:
    """Power -> what is asked of it, for every power that has anything to decide: nothing is asked where every answer
    leads to one position, as with a unit that has no retreat, or a removal of all that there is.
    """
    found = {power: with_choice(due) for power, due in duties(position, rules).items()}
    return {power: due for power, due in found.items() if not due.nothing}


def with_choice(due: Duty) -> Duty:
    """What of a duty leaves its power a choice."""
    retreats = tuple(each for each in due.retreats if each.options)
    forced = sum(each.removals for each in due.ledgers if each.no_choice)
    if not forced:
        return due if retreats == due.retreats else replace(due, retreats=retreats)
    apart = tuple(replace(each, removals=0) if each.no_choice else each for each in due.apart)
    apart = tuple(each for each in apart if each.builds or each.removals or each.waiting)
    return replace(due, retreats=retreats, removals=due.removals - forced, apart=apart)


def duty(position: Position, power: str, rules: Rules) -> Duty:
    """What is due of one power in the position's phase."""
    if position.phase.kind is MOVES:
        return Duty(power, units=rules.asked(position, power))
    if position.phase.kind is RETREATS:
        return Duty(
            power,
            retreats=tuple(each for each in position.dislodged if each.unit.power == power and not each.unit.aboard),
        )
    if position.phase.kind is TALKS:
        return Duty(power)
    found = tuple(_ledgers(position, power, rules))
    return Duty(
        power,
        builds=sum(each.builds for each in found),
        sites=tuple(site for each in found for site in each.sites),
        removals=sum(each.removals for each in found),
        waiting=sum(each.waiting for each in found),
        waive_by_order=rules.waiving is Waiving.BY_ORDER and any(each.builds for each in found),
        apart=tuple(each for each in found if each.ledger and (each.builds or each.removals or each.waiting)),
        ledgers=found,
    )


def _ledgers(position: Position, power: str, rules: Rules) -> Iterator[LedgerDue]:
    centres = open_centres(position, power, rules)
    for name, due in rules.ledgers(position, power).items():
        if due < 0:
            own = tuple(u for u in position.of(power) if rules.ledger(position, u) == name)
            yield LedgerDue(name, removals=-due, removable=own)
        elif due > 0:
            here = {at: room for at, room in centres.items() if ledger_at(position, power, at, rules) == name}
            builds = min(due, sum(here.values()))
            sites = tuple(site for centre in here for site in rules.sites(position, power, centre)) if builds else ()
            yield LedgerDue(name, builds, sites, waiting=due - builds)


def can_reach(position: Position, unit: Unit, target: Location) -> bool:
    """Whether a unit could enter a space (any coast of it) on its own way: what it takes to support into it (IX.1)."""
    chart = compile_board(position.board, position.phase.season)
    space = chart.space.get(target, -1)
    if unit.aboard:
        return False
    return space in chart.spots[unit.kind][unit.at].near


def ways_of(position: Position, unit: Unit, rules: Rules) -> tuple[Location, ...]:
    """Where a unit can go by its own way this season, and may."""
    near = position.board.reach(unit.kind, unit.at, position.phase.season) if not unit.aboard else ()
    return tuple(to for to in near if not rules.barred(position, unit, to))

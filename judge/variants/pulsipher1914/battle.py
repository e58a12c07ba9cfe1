"""One part of a season, fought until everything that can be paid for is paid: clauses 7, 8, 12 and 13.

The engine solves (`judge.adjudicate`); here orders are prepared for it, and its solution is read: who met whom, and
what that costs. All fight at full strength first; then the first act that cannot be paid for falls away, and all
fight again.

What a season costs, and who goes short: clauses 7 and 8.

Acts are paid for in a fixed order: retreats; defence, land before sea, stands before supports; attacks, land before
sea, moves before supports; bombers, defence before attack. Among acts of one rank the player's own list decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any, NamedTuple

from judge.adjudicate.bout import NO, YES, Company
from judge.adjudicate.lower import lower
from judge.adjudicate.movement import solved
from judge.adjudicate.outcome import Outcome, Result
from judge.adjudicate.settle import is_vacant
from judge.adjudicate.solve import Solver
from judge.adjudicate.why import outcomes
from judge.board.model import province_of
from judge.board.position import Position
from judge.board.unit import Dislodged, Unit
from judge.orders.model import Convoy, Misorder, Move, Support, UnitOrder
from judge.rules import Rules
from judge.rules.questions import NO_TERMS, Term
from judge.variants.pulsipher1914.state import COUNTRIES, RETREATED, CountryState

Rank = tuple[int, int, int]
RETREATING, DEFENDING, ATTACKING, FLYING = 1, 2, 3, 4


class Charge(NamedTuple):
    """What an act costs. `need`: what has to be at hand for it, `cost`: what is paid in the end."""

    country: str
    unit: int
    act: str
    """ "move", "stand", "support", "convoy", "raid" or "cover"."""
    rank: Rank
    cost: int
    need: int
    about: str
    """For the ledger."""


class Purse:
    """The points of a season, shared by its two parts and the bombers."""

    def __init__(self, points: Mapping[str, int], free: frozenset[str], ties: Mapping[str, tuple[int, ...]]) -> None:
        self.points = dict(points)
        self.free = free
        """Countries that always have enough: minor countries that nobody controls."""
        self.ties = ties
        """Country -> the units that are paid for first."""
        self.floor: dict[str, Rank] = {}
        """Country -> the rank at which it went short: nothing of a lower one is paid any more."""
        self.reserved: Counter[str] = Counter()
        self.aside: dict[tuple[str, Rank], int] = {}
        """What was at hand for attackers of empty spaces and was not needed: it pays for acts of their rank, for those
        that go before them (in the second part) and for retreats, but for nothing of a lower rank.
        """
        self.spent: Counter[str] = Counter()
        self.paid: list[Charge] = []
        self.short: list[Charge] = []
        self.why: list[str] = []
        """Of each that went short, why."""
        self._at_hand = 0

    def reserve(self, countries: Iterable[str]) -> None:
        """Keep a point for each retreat, as far as there are any."""
        for country in countries:
            if country not in self.free and self.for_retreats(country) > 0:
                self.reserved[country] += 1

    def left(self, country: str) -> int:
        """What is neither spent nor kept for retreats, nor set aside."""
        return self.for_retreats(country) - sum(n for (whose, _), n in self.aside.items() if whose == country)

    def for_retreats(self, country: str) -> int:
        """What is neither spent nor kept for retreats."""
        return self.points.get(country, 0) - self.spent[country] - self.reserved[country]

    def first_short(self, charges: Iterable[Charge], order: Mapping[str, int]) -> Charge | None:
        """The first act that cannot be paid for; None: all can."""
        return self._go_through(charges, order)[0]

    def pay(self, charges: Iterable[Charge], order: Mapping[str, int]) -> None:
        """Pay for acts that can be paid for."""
        short, paid, self.aside = self._go_through(charges, order)
        assert short is None
        for charge in paid:
            self.spent[charge.country] += charge.cost
        self.paid += [charge for charge in paid if charge.cost]

    def lack(self, charge: Charge, *, at_hand: int | None = None) -> None:
        """Note that an act cannot be paid for. `at_hand`: what was left for it; None: as `first_short` found."""
        self._at_hand = self._at_hand if at_hand is None else at_hand
        self.short.append(charge)
        floor = self.floor.get(charge.country)
        first = floor is None or charge.rank <= floor
        had = f"it takes {charge.need}, and {self._at_hand} {'was' if self._at_hand == 1 else 'were'} left"
        self.why.append(had if first else "nor is what goes before it")
        known = self.floor.get(charge.country, charge.rank)
        self.floor[charge.country] = min(known, charge.rank)

    def _go_through(
        self, charges: Iterable[Charge], order: Mapping[str, int]
    ) -> tuple[Charge | None, list[Charge], dict[tuple[str, Rank], int]]:
        """The first act that cannot be paid for; those that can; what is set aside then."""
        left: dict[str, int] = {}
        aside = dict(self.aside)
        paid: list[Charge] = []
        by_rank = sorted(charges, key=lambda each: (each.rank, order[each.country], self.tie(each), each.act))
        by_rank = [charge for charge in by_rank if charge.country not in self.free]
        for charge in by_rank:  # what will not be paid at all must cost nobody else his points
            if charge.rank > self.floor.get(charge.country, charge.rank):
                self._at_hand = max(0, self.left(charge.country))
                return charge, paid, aside
        for charge in by_rank:
            country = charge.country
            here = left.setdefault(country, self.left(country))
            fit = sorted(rank for whose, rank in aside if whose == country and rank >= charge.rank)
            spare = sum(aside[country, rank] for rank in fit)
            if here + spare < charge.need:
                self._at_hand = max(0, here + spare)
                return charge, paid, aside
            lacking = charge.need
            for rank in fit:
                taken = min(aside[country, rank], lacking)
                aside[country, rank] -= taken
                lacking -= taken
            left[country] = here - lacking
            kept = aside.get((country, charge.rank), 0)
            aside[country, charge.rank] = kept + charge.need - charge.cost
            paid.append(charge)
        return None, paid, aside

    def tie(self, charge: Charge) -> tuple[int, int]:
        """The place of an act among equals: by the player's list, then by the number of its unit."""
        named = self.ties.get(charge.country, ())
        return named.index(charge.unit) if charge.unit in named else len(named), charge.unit


ORDER = {country: rank for rank, country in enumerate(COUNTRIES)}
POWERLESS, NEEDS_ARMY = frozenset({Term.POWERLESS}), frozenset({Term.NEEDS_ARMY})


class BattleRules(Rules):
    """What the engine asks while it lowers orders; the position bears the marks."""

    def terms(self, position: Position, order: Move) -> frozenset[Term]:
        """Clauses 12 and 13."""
        powerless = POWERLESS if order.unit.mark(RETREATED) else NO_TERMS
        return powerless | self._escort_terms(position, order)

    def _escort_terms(self, position: Position, order: Move) -> frozenset[Term]:
        unit = order.unit
        if unit.kind not in position.board.carriers:
            return NO_TERMS
        code = province_of(order.to)
        if not position.board.provinces[code].centre:
            return NO_TERMS
        state, owner = CountryState(position), position.owners.get(code, "")
        friendly = owner and (state.are_allies(owner, unit.power) or state.may(unit, code, "occupy"))
        return NO_TERMS if friendly else NEEDS_ARMY


BATTLE = BattleRules(key="1914-battle")


@dataclass(slots=True)
class FoughtPart:
    """A part of a season as it was fought."""

    solver: Solver
    ousted: dict[int, int]
    given: Mapping[int, UnitOrder]
    """Unit -> its order, as it was given."""
    unpaid: set[tuple[int, str]]
    muted: Mapping[int, str]
    """Units whose order came to nothing for a reason of these rules -> the reason."""
    charges: list[Charge] = field(default_factory=list)

    @property
    def position(self) -> Position:
        """As it was before."""
        return self.solver.bout.position

    def moved(self) -> dict[int, str]:
        """Unit -> where it went."""
        bout = self.solver.bout
        units = bout.position.units
        return {units[n].id: str(bout.landing[n]) for n in compress(bout.layout.numbers, self.solver.fate)}

    def beaten(self) -> dict[int, Unit]:
        """Unit -> who drove it out."""
        units = self.position.units
        return {units[victim].id: units[attacker] for victim, attacker in self.ousted.items()}

    def impossible(self) -> frozenset[int]:
        """Units whose own order could never be followed; not those whose order came to nothing in this battle."""
        bout = self.solver.bout
        units = [bout.position.units[n].id for n, fault in bout.faults.items() if fault[0] is Result.ILLEGAL]
        silenced = {unit.id for n, unit in enumerate(bout.position.units) if isinstance(bout.given[n], Misorder)}
        return frozenset(u for u in units if u not in silenced or isinstance(self.given.get(u), Misorder))

    def standoffs(self) -> set[str]:
        """The spaces in which units stood each other off and nobody stands."""
        solver, codes = self.solver, self.solver.bout.chart.codes
        found: set[str] = set()
        for space in {solver.aim[unit] for unit in solver.bout.moving()}:
            there = solver.occupant[space]
            if any(solver.fate[rival] == YES for rival in solver.movers[space]):
                continue
            if not is_vacant(solver, space, there):
                found.add(codes[space])
        return found

    def outcomes(self, lost: tuple[Dislodged, ...]) -> dict[int, Outcome]:
        """Unit -> what became of the order that it was given."""
        found: dict[int, Outcome] = {}
        for outcome in outcomes(self.solver, self.ousted, lost):
            order: Any = outcome.order
            unit = order.unit.id
            given = self.given.get(unit, order)
            end = outcome.end
            fate = tuple(each for each in end.results if each in (Result.DISLODGED, Result.DISBANDED))
            acts = {act for each, act in self.unpaid if each == unit} - {"stand"}
            if acts or unit in self.muted:
                reason = "not-paid" if acts else self.muted[unit]
                end = end._replace(results=(Result.VOID, *fate), reason=reason)
            found[unit] = Outcome((given, end))
        return found


def fight(
    position: Position,
    given: Mapping[int, UnitOrder],
    purse: Purse,
    notes: Mapping[int, str],
    bombers: Collection[Unit],
    arrived: Collection[str] = (),
) -> FoughtPart:
    """A part of a season, when everything that can be paid is paid. `notes`: units whose order is void already;
    `bombers`: those that stay where they are, which bar retreats, as do trains in the spaces where they `arrived`.
    """
    unpaid: set[tuple[int, str]] = set()
    muted = dict(notes)
    reserved = False
    while True:
        part = _solved(position, given, unpaid, muted)
        if late := dict(_without_morale(part, muted)):
            muted |= late
            continue
        if not reserved:
            fleeing = (victim for victim in part.ousted if has_room(part, victim, bombers, arrived))
            purse.reserve(part.position.units[victim].power for victim in fleeing)
            reserved = True
        part.charges = [each for each in charges_of(part) if (each.unit, each.act) not in unpaid]
        short = purse.first_short(part.charges, ORDER)
        if short is None:
            break
        purse.lack(short)
        unpaid.add((short.unit, short.act))
    return part


def has_room(part: FoughtPart, victim: int, bombers: Collection[Unit], arrived: Collection[str]) -> bool:
    """Whether a dislodged unit could go anywhere, as far as this part of the season tells."""
    solver, unit = part.solver, part.position.units[victim]
    state = CountryState(part.position)
    closed = part.standoffs() | state.bases_of_others(unit, bombers) | set(arrived)
    for _, space in solver.bout.spots[victim].exits:
        there = solver.occupant[space]
        stays = there >= 0 and solver.fate[there] != YES and there not in part.ousted
        came = any(solver.fate[rival] == YES for rival in solver.movers[space] or ())
        code = solver.bout.chart.codes[space]
        barred = code in closed or not state.may_retreat(unit, code)
        if space != solver.at[part.ousted[victim]] and not stays and not came and not barred:
            return True
    return False


def _solved(
    position: Position, given: Mapping[int, UnitOrder], unpaid: set[tuple[int, str]], muted: Mapping[int, str]
) -> FoughtPart:
    sheet: list[UnitOrder] = []
    silent = {unit for unit, act in unpaid if act in ("move", "support", "convoy")} | muted.keys()
    grounded = {unit for unit, act in unpaid if act == "move"}
    for unit in position.units:
        order = given.get(unit.id)
        if order is None:
            continue
        if unit.id in silent:
            order = Misorder(unit, str(order), muted.get(unit.id, "not-paid"))
        elif isinstance(order, Support) and order.to is None and order.of.id in grounded:
            order = Misorder(unit, str(order), "supported-unit-was-to-move")
        sheet.append(order)
    bout = lower(position, sheet, BATTLE)
    if weak := {bout.number[unit] for unit, act in unpaid if act == "stand"}:
        bout.company = replace(bout.company or Company(), weak=frozenset(weak))
    solver = solved(bout)
    return FoughtPart(solver, solver.dislodgements(), given, unpaid, muted)


def _without_morale(part: FoughtPart, muted: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Clause 13: supports of attacks by units that retreated in the season before."""
    tired = [n for n in part.solver.bout.supporters if part.position.units[n].mark(RETREATED)]
    if not tired:
        return
    attackers = {charge.unit for charge in charges_of(part) if charge.act == "move"}
    for number in tired:
        unit = part.position.units[number]
        order = part.given[unit.id]
        if isinstance(order, Support) and order.to and order.of.id in attackers and unit.id not in muted:
            yield unit.id, "no-morale"


def charges_of(part: FoughtPart) -> Iterator[Charge]:
    """Clause 7: who met whom, and what that costs."""
    solver = part.solver
    bout = solver.bout
    company = bout.company or Company()
    units = bout.position.units
    movers: dict[int, list[int]] = {}
    for unit in bout.moving():
        lost_way = unit in solver.carriage and solver.has_way(unit) == NO
        if unit in company.powerless or lost_way or not _is_escorted(solver, unit):
            continue
        movers.setdefault(solver.aim[unit], []).append(unit)
    attacks: dict[int, tuple[int, int]] = {}
    defenders: dict[int, str] = {}
    fighting = {unit for rivals in movers.values() for unit in rivals}
    for space, rivals in movers.items():
        _contest(solver, space, rivals, fighting, attacks, defenders)
    for unit, (cost, need) in attacks.items():
        where = bout.chart.codes[solver.aim[unit]]
        yield _charge(units[unit], "move", ATTACKING, 0, cost, need, f"attack on {where}")
    for unit, where in defenders.items():
        yield _charge(units[unit], "stand", DEFENDING, 0, 1, 1, f"defence of {where}")
    for unit in bout.supporters:
        order = bout.given[unit]
        if unit in bout.faults or not isinstance(order, Support):
            continue
        supported = bout.number[order.of.id]
        if order.to is not None and supported in attacks:
            yield _charge(units[unit], "support", ATTACKING, 1, 1, 1, f"support of {order.of} to {order.to}")
        elif order.to is None and supported in defenders:
            yield _charge(units[unit], "support", DEFENDING, 1, 1, 1, f"support of {order.of}")
    for unit, order in enumerate(bout.given):
        if isinstance(order, Convoy) and unit not in bout.faults and bout.number[order.of.id] in attacks:
            yield _charge(units[unit], "convoy", ATTACKING, 0, 1, 1, f"convoy of {order.of}")


def _contest(
    solver: Solver,
    space: int,
    rivals: list[int],
    fighting: Collection[int],
    attacks: dict[int, tuple[int, int]],
    defenders: dict[int, str],
) -> None:
    """The conflict over a space, if there is one. `fighting`: all whose moves make conflicts."""
    there = solver.occupant[space]
    stays = there >= 0 and (solver.landing[there] is None or solver.fate[there] != YES)
    met = [unit for unit in rivals if there >= 0 and _head_to_head(solver, unit, there)]
    met = met if there in fighting else []
    for unit in met:
        attacks[unit] = (2, 2)
    others = [unit for unit in rivals if unit not in met]
    if stays:
        attacks |= dict.fromkeys(others, (2, 2))
        if others:
            defenders[there] = solver.bout.chart.codes[space]
    elif len(others) > 1:
        for unit in others:
            attacks[unit] = (2 if solver.fate[unit] == YES else 1, 2)


def _head_to_head(solver: Solver, unit: int, other: int) -> bool:
    """Whether two units are ordered to each other's place, and meet on the way."""
    opposite = solver.landing[other] is not None and solver.aim[other] == solver.at[unit]
    return opposite and solver.head_to_head(unit, other) == YES


def _is_escorted(solver: Solver, unit: int) -> bool:
    escorted = getattr(solver, "escorted", None)
    return escorted is None or escorted(unit) == YES


def _charge(unit: Unit, act: str, kind: int, helps: int, cost: int, need: int, about: str) -> Charge:
    sea = int(unit.kind == "F")
    return Charge(unit.power, unit.id, act, (kind, sea, helps), cost, need, f"{unit}: {about}")


def without(position: Position, units: Iterable[int]) -> Position:
    """The position without some units."""
    gone = set(units)
    return replace(position, units=tuple(unit for unit in position.units if unit.id not in gone)) if gone else position

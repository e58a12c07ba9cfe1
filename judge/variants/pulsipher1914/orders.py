"""From what players write to what the engine knows: the orders of each part of a season (clauses 10 to 14).

The orders that 1914 has beside those of 1976: two parts of a fleet's season, the railway, a stay without capture,
and bombers. How they are written is in `kinds.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from judge.board.model import Location, Terrain, province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Convoy, Hold, Misorder, Move, Retreat, Support, UnitOrder
from judge.variants.pulsipher1914.state import RETREATED, CountryState, is_home


@dataclass(frozen=True, slots=True)
class Segments(UnitOrder):
    """What a fleet does in the first and in the second part of a season (clause 11), each as a canonical line without
    the fleet: "- ENG", "S F EDI - NTH", "C A LON - BEL", "H".

    The second part names units by where they are when it begins, which nobody knows when it is written.
    """

    first: str
    then: str

    def __str__(self) -> str:
        return f"{self.unit} {self.first}, (2) {self.then}"


@dataclass(frozen=True, slots=True)
class Later(UnitOrder):
    """The second part of a fleet's order, as it is told what became of it. `unit` as it stood when it began."""

    then: str

    def __str__(self) -> str:
        return f"{self.unit} (2) {self.then}"


@dataclass(frozen=True, slots=True)
class Train(UnitOrder):
    """An army travels along a railway, through each of these provinces to the last (clause 10)."""

    route: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.unit} RR {' - '.join(self.route)}"


@dataclass(frozen=True, slots=True)
class Visit(UnitOrder):
    """Go into another country's centre without capturing it (clause 14)."""

    to: Location

    def __str__(self) -> str:
        return f"{self.unit} - {self.to} WITHOUT CAPTURE"


@dataclass(frozen=True, slots=True)
class GuestRetreat(Retreat):
    """Retreat into another country's centre, which permits it, without capturing it (clauses 13 and 14)."""

    def __str__(self) -> str:
        return f"{self.unit} R {self.to} WITHOUT CAPTURE"


@dataclass(frozen=True, slots=True)
class Rebase(UnitOrder):
    """A bomber flies to another base (clause 15)."""

    to: str

    def __str__(self) -> str:
        return f"{self.unit} BASE {self.to}"


@dataclass(frozen=True, slots=True)
class Cover(UnitOrder):
    """A bomber defends a centre against bombing (clause 15)."""

    to: str

    def __str__(self) -> str:
        return f"{self.unit} DEFENDS {self.to}"


@dataclass(frozen=True, slots=True)
class Raid(UnitOrder):
    """A bomber bombs a centre. `lost`: rather than that two points are paid where it is beaten off (clause 7)."""

    to: str
    lost: bool = False

    def __str__(self) -> str:
        return f"{self.unit} BOMBS {self.to}{' OR IS LOST' if self.lost else ''}"


class PartOrders(NamedTuple):
    """The orders of a part of a season, and what is wrong with some."""

    orders: dict[int, UnitOrder]
    """Unit -> what the engine is given."""
    notes: dict[int, str]
    """Units whose supports and convoys are void -> the reason's slug."""
    trains: dict[int, tuple[str, ...]]
    """Armies that travel by rail -> their route, as far as nobody stands on it."""


def part_of(text: str, unit: Unit, position: Position) -> UnitOrder:
    """One part of a fleet's order, read in the position in which it is carried out."""
    words = text.split(" ")
    try:
        if words[0] == "H":
            return Hold(unit)
        if words[0] == "-":
            return Move(unit, words[1])
        of = _named(" ".join(words[1:3]), position)
        if of is None or of.id == unit.id:
            return Misorder(unit, text, "no-unit-there")
        if words[0] == "C":
            return Convoy(unit, of, words[4])
        return Support(unit, of, words[4] if len(words) > 3 else None)
    except IndexError:
        return Misorder(unit, text, "not-understood")


def _named(name: str, position: Position) -> Unit | None:
    kind, _, at = name.partition(" ")
    found = [each for each in position.at(province_of(at)) if each.kind == kind]
    return found[0] if found else None


def first_part(position: Position, given: Mapping[int, UnitOrder], state: CountryState) -> PartOrders:
    """What everybody does in the first part; bombers are not among them."""
    orders: dict[int, UnitOrder] = {}
    notes: dict[int, str] = {}
    trains: dict[int, tuple[str, ...]] = {}
    ids = {unit.id: unit for unit in position.units}
    for number, order in given.items():
        if number not in ids:
            continue
        unit = ids[number]
        if state.must_stand(unit.power) and not isinstance(order, Hold):
            orders[number] = Misorder(unit, str(order), "capital-lost")
        elif isinstance(order, Segments):
            orders[number] = part_of(order.first, unit, position)
        elif isinstance(order, Visit):
            fault = visit_fault(state, unit, order.to)
            orders[number] = Misorder(unit, str(order), fault) if fault else Move(unit, order.to)
        elif isinstance(order, Train):
            fault = route_fault(position, unit, order.route)
            orders[number] = Misorder(unit, str(order), fault) if fault else Hold(unit)
            if not fault:
                trains[number] = open_route(position, order.route)
        else:
            orders[number] = order
    for number, order in orders.items():
        if isinstance(order, (Support, Convoy)) and order.of.id not in ids:
            notes[number] = "nothing-for-bombers"
        elif isinstance(order, Convoy) and order.of.id in trains:
            notes[number] = "no-convoy-by-rail"
        elif isinstance(order, Support):
            if order.of.id in trains:
                notes[number] = "no-support-by-rail"
            elif order.to and order.of.mark(RETREATED):
                notes[number] = "no-support-after-retreat"
    return PartOrders(orders, notes, trains)


def visit_fault(state: CountryState, unit: Unit, to: str) -> str:
    """Why a unit may not go somewhere without capturing it."""
    code = province_of(to)
    owner = state.position.owners.get(code, "")
    if not state.position.board.provinces[code].centre or not owner:
        return "no-centre-to-visit"
    if state.are_allies(owner, unit.power) or state.may(unit, code, "occupy"):
        return ""
    return "no-permission"


def route_fault(position: Position, unit: Unit, route: Iterable[str]) -> str:
    """Why an army cannot travel by this route."""
    board = position.board
    if unit.kind not in board.carried:
        return "only-armies-by-rail"
    here, stops = unit.at, tuple(route)
    for code in stops:
        if code not in board.reach(unit.kind, here):
            return "route-is-broken"
        here = code
    if any(not is_home(board, code, unit.power) for code in stops[:-1]):
        return "railway-at-home-only"
    return "" if stops and unit.at not in stops else "route-is-broken"


def open_route(position: Position, route: Iterable[str]) -> tuple[str, ...]:
    """A route up to the first space in which somebody stands."""
    found: list[str] = []
    for code in route:
        if position.at(code):
            break
        found.append(code)
    return tuple(found)


def second_part(
    position: Position, given: Mapping[int, UnitOrder], moved: Mapping[int, str], refused: frozenset[int]
) -> tuple[dict[int, UnitOrder], dict[int, tuple[Segments, str]]]:
    """The orders of the second part, in the position in which it begins; and those that cannot be carried out, with
    the reason. `refused`: fleets whose first order was impossible.
    """
    orders: dict[int, UnitOrder] = {}
    faults: dict[int, tuple[Segments, str]] = {}
    ids = {unit.id: unit for unit in position.units}
    for number, order in given.items():
        if not isinstance(order, Segments):
            continue
        if number not in ids:
            faults[number] = order, "dislodged-before"
            continue
        fault = second_fault(position, ids[number], order)
        failed = number in refused or (order.first.startswith("-") and number not in moved)
        if failed or fault:
            faults[number] = order, "first-part-failed" if failed else fault
            continue
        orders[number] = part_of(order.then, ids[number], position)
    return orders, faults


def second_fault(position: Position, unit: Unit, order: Segments) -> str:
    """Clause 11: why a fleet has no second order: both parts may concern sea spaces only; convoys are in the first."""
    if unit.kind not in position.board.carriers:
        return "second-part-for-fleets"
    if order.then.startswith("C"):
        return "convoy-in-first-part"
    goals = [_goal(order.then, unit)]
    if not order.first.startswith("C"):
        goals.append(_goal(order.first, unit))
    elsewhere = any(goal and position.board.provinces[province_of(goal)].terrain is not Terrain.SEA for goal in goals)
    return "second-part-at-sea" if elsewhere else ""


def _goal(text: str, unit: Unit) -> str:
    """The place that a part of an order concerns; "" where its fleet stands by then."""
    words = text.split(" ")
    if words[0] == "-":
        return words[1]
    if words[0] == "S":
        return words[4] if len(words) > 3 else words[2]
    return unit.at

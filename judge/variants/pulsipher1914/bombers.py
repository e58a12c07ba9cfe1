"""Bombers: clause 15. They fly when everybody else has moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from judge.adjudicate.outcome import End, Outcome, Result
from judge.board.model import province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Hold, UnitOrder
from judge.variants.pulsipher1914.battle import FLYING, ORDER, Charge, Purse
from judge.variants.pulsipher1914.orders import Cover, Raid, Rebase
from judge.variants.pulsipher1914.state import BOMBER, MINORS, VISITING, CountryState, spaces_within

FIRST_BUILT = 1917
LONGER_FROM = 1920
DONE, LOST = (Result.OK,), Result.DISBANDED


def range_in(year: int) -> int:
    """How many spaces a bomber flies."""
    return 3 if year >= LONGER_FROM else 2


class Flown(NamedTuple):
    """What the bombers did."""

    units: tuple[Unit, ...]
    outcomes: dict[int, Outcome]
    bombed: tuple[str, ...]


def flight_fault(state: CountryState, order: UnitOrder) -> str:
    """Why a bomber cannot do what it is ordered, whatever others do."""
    position, unit = state.position, order.unit
    board = position.board
    far = range_in(position.phase.year)
    if isinstance(order, Hold):
        return ""
    if state.must_stand(unit.power):
        return "capital-lost"
    if not isinstance(order, (Rebase, Cover, Raid)):
        return "not-for-bombers"
    if unit.kind != BOMBER:
        return "only-bombers"
    code = province_of(order.to)
    reach = 2 * far if isinstance(order, Rebase) else far
    if code not in spaces_within(board, unit.at, reach):
        return "out-of-range"
    if isinstance(order, Rebase):
        return "" if board.can_stand(BOMBER, code) and code != unit.at else "no-base-there"
    if not board.provinces[code].centre:
        return "bombers-at-centres"
    if isinstance(order, Raid) and position.owners.get(code, "") in ("", unit.power):
        return "bombs-for-others"
    return ""


def fly(
    before: CountryState,
    given: Mapping[int, UnitOrder],
    ground: tuple[Unit, ...],
    entered: Mapping[str, str],
    purse: Purse,
) -> Flown:
    """What becomes of bombers. `ground`: armies and fleets as they stand now; `entered`: province -> who came in, and
    not as a guest.
    """
    bombers = _bombers(before)
    acts, outcomes = _possible(before, given)
    moved, told = _rebased(before, acts, ground)
    outcomes |= told
    fallen = _fallen(before, moved, entered)
    acts = {number: order for number, order in acts.items() if number not in fallen}
    bombed, destroyed, told = _raids(acts, purse)
    outcomes |= told
    for unit in bombers:
        if unit.id in fallen:
            order = given.get(unit.id) or Hold(unit)
            outcomes[unit.id] = Outcome((order, End((Result.VOID, Result.DISLODGED, LOST), "bomber-overrun")))
        elif unit.id not in outcomes:
            end = End(DONE, "stood" if unit.id in given else "no-order")
            outcomes[unit.id] = Outcome((given.get(unit.id) or Hold(unit), end))
    gone = fallen | destroyed
    units = tuple(unit._replace(at=moved.get(unit.id, unit.at)) for unit in bombers if unit.id not in gone)
    return Flown(units, outcomes, bombed)


def _bombers(state: CountryState) -> list[Unit]:
    return [unit for unit in state.position.units if unit.kind == BOMBER]


def _possible(state: CountryState, given: Mapping[int, UnitOrder]) -> tuple[dict[int, UnitOrder], dict[int, Outcome]]:
    """What bombers can do, whatever others do; and what became of orders that they cannot follow."""
    acts: dict[int, UnitOrder] = {}
    outcomes: dict[int, Outcome] = {}
    for unit in _bombers(state):
        order = given.get(unit.id) or Hold(unit)
        fault = flight_fault(state, order)
        if fault:
            outcomes[unit.id] = Outcome((order, End((Result.ILLEGAL,), fault)))
        else:
            acts[unit.id] = order
    return acts, outcomes


def _fallen(state: CountryState, moved: Mapping[int, str], entered: Mapping[str, str]) -> set[int]:
    """The bombers into whose place somebody else came, unless they left it."""
    return {
        unit.id
        for unit in _bombers(state)
        if unit.id not in moved and entered.get(unit.at) and not state.are_allies(entered[unit.at], unit.power)
    }


def based(
    state: CountryState, given: Mapping[int, UnitOrder], ground: Iterable[Unit], entered: Mapping[str, str]
) -> tuple[Unit, ...]:
    """Bombers where they are based once everybody has moved, those that are lost in a raid among them."""
    acts, _ = _possible(state, given)
    moved, _ = _rebased(state, acts, ground)
    fallen = _fallen(state, moved, entered)
    return tuple(unit._replace(at=moved.get(unit.id, unit.at)) for unit in _bombers(state) if unit.id not in fallen)


def _rebased(
    state: CountryState, acts: Mapping[int, UnitOrder], ground: Iterable[Unit]
) -> tuple[dict[int, str], dict[int, Outcome]]:
    """Bomber -> its new base; and what became of these orders."""
    standing = {province_of(unit.at): unit for unit in ground}
    moved: dict[int, str] = {}
    told: dict[int, Outcome] = {}
    for number, order in acts.items():
        if not isinstance(order, Rebase):
            continue
        if _is_base(state, order.unit, order.to, standing):
            moved[number] = order.to
            told[number] = Outcome((order, End(DONE, "based")))
        else:
            told[number] = Outcome((order, End((Result.BOUNCED,), "no-base-there")))
    return moved, told


def _is_base(state: CountryState, unit: Unit, code: str, standing: Mapping[str, Unit]) -> bool:
    """Whether a bomber may be based somewhere: with a friendly unit, or in a centre that is friendly or permits it,
    unless somebody has just come in who is neither its owner's friend nor his guest.
    """
    holder, owner = standing.get(code), state.position.owners.get(code, "")
    if holder is not None and state.are_allies(holder.power, unit.power):
        return True
    if not owner:
        return False
    if holder is not None and not holder.mark(VISITING) and not state.are_allies(holder.power, owner):
        return False
    return state.are_allies(owner, unit.power) or state.may(unit, code, "base")


def may_base(state: CountryState, unit: Unit, code: str) -> bool:
    """The same as units stand now."""
    ground = {province_of(each.at): each for each in state.position.units if each.kind != BOMBER}
    return _is_base(state, unit, code, ground)


def _raids(acts: Mapping[int, UnitOrder], purse: Purse) -> tuple[tuple[str, ...], set[int], dict[int, Outcome]]:
    """The centres that were bombed, the bombers that were lost, and what became of who raided and defended."""
    covers = {n: order for n, order in acts.items() if isinstance(order, Cover)}
    raids = {n: order for n, order in acts.items() if isinstance(order, Raid)}
    told = {n: Outcome((order, End(DONE, "covered"))) for n, order in covers.items()}
    unpaid: set[int] = set()
    while True:
        beaten = _beaten(covers, raids, unpaid)
        charges = list(_flights(covers, raids, beaten, unpaid))
        short = purse.first_short(charges, ORDER)
        if short is None:
            break
        purse.lack(short)
        unpaid.add(short.unit)
    lost = _lost(raids, beaten, charges, purse)
    purse.pay(
        (each._replace(cost=2, need=2) if each.unit in beaten else each for each in charges if each.unit not in lost),
        ORDER,
    )
    for number, order in raids.items():
        if number in unpaid:
            told[number] = Outcome((order, End((Result.VOID,), "not-paid")))
        elif number in lost:
            told[number] = Outcome((order, End((Result.BOUNCED, LOST), "bomber-lost")))
        elif number in beaten:
            told[number] = Outcome((order, End((Result.BOUNCED,), "raid-beaten-off")))
        else:
            told[number] = Outcome((order, End(DONE, "bombed")))
    for number in unpaid & covers.keys():
        told[number] = Outcome((covers[number], End((Result.VOID,), "not-paid")))
    hit = dict.fromkeys(order.to for n, order in raids.items() if n not in beaten and n not in unpaid)
    return tuple(hit), lost, told


def _lost(raids: Mapping[int, Raid], beaten: Mapping[int, int], charges: Iterable[Charge], purse: Purse) -> set[int]:
    """Of the raiders that are beaten off those whose second point is not there, or is not to be paid."""
    due = Counter(each.country for each in charges)
    found: set[int] = set()
    for charge in sorted(charges, key=purse.tie):
        if charge.unit not in beaten:
            continue
        if raids[charge.unit].lost or purse.left(charge.country) <= due[charge.country]:
            found.add(charge.unit)
            due[charge.country] -= 1
        else:
            due[charge.country] += 1
    return found


def _beaten(covers: Mapping[int, Cover], raids: Mapping[int, Raid], unpaid: set[int]) -> dict[int, int]:
    """Raider that is beaten off -> the bomber that did it. Of several players the one with most raiders is stopped."""
    found: dict[int, int] = {}
    for cover, order in covers.items():
        if cover in unpaid:
            continue
        there = [n for n, raid in raids.items() if raid.to == order.to and n not in unpaid and n not in found]
        there = [n for n in there if raids[n].unit.power != order.unit.power]
        if there:
            often = Counter(raids[n].unit.power for n in there)
            found[max(there, key=lambda n: (often[raids[n].unit.power], -ORDER[raids[n].unit.power], -n))] = cover
    return found


def _flights(
    covers: Mapping[int, Cover], raids: Mapping[int, Raid], beaten: Mapping[int, int], unpaid: set[int]
) -> Iterable[Charge]:
    working = set(beaten.values())
    for number, order in covers.items():
        if number in working and order.unit.power not in MINORS:
            yield _charge(order.unit, "cover", 0, f"{order.unit}: defence of {order.to} against bombing")
    for number, raid in raids.items():
        if number not in unpaid:
            yield _charge(raid.unit, "raid", 1, f"{raid.unit}: raid on {raid.to}")


def _charge(unit: Unit, act: str, step: int, about: str) -> Charge:
    return Charge(unit.power, unit.id, act, (FLYING, 0, step), 1, 1, about)


def build_fault(position: Position, power: str, at: str) -> str:
    """Why a power cannot build a bomber somewhere, its number aside."""
    if power in MINORS:
        return "bombers-for-great-powers"
    if position.phase.year < FIRST_BUILT:
        return "no-bombers-yet"
    code = province_of(at)
    if not position.board.can_stand(BOMBER, code):
        return "no-bombers-at-sea"
    own = any(unit.power == power for unit in position.at(code))
    return "" if own or position.owners.get(code) == power else "no-base-there"


def most_bombers(year: int) -> int:
    """How many bombers a Great Power may build in a year."""
    return 0 if year < FIRST_BUILT else 1 if year == FIRST_BUILT else 2

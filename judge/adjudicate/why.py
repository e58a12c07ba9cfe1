"""Why each order of a movement phase ended as it did: outcomes read off a solved bout.

Nothing is decided here. The questions are put to the solver again, whose answers are all known by now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from itertools import compress
from types import NoneType
from typing import Final

from judge.adjudicate.bout import NO, NONE, YES
from judge.adjudicate.company import CompanySolver
from judge.adjudicate.outcome import End, Outcome, Result, new
from judge.adjudicate.solve import Solver
from judge.board.unit import Dislodged, Unit
from judge.orders.model import Convoy, Hold, Move, Order, Support
from judge.rules.choices import Cutting

OK: Final = Result.OK
BOUNCED: Final = Result.BOUNCED
CUT: Final = Result.CUT
VOID: Final = Result.VOID
NO_CONVOY: Final = Result.NO_CONVOY
DISLODGED: Final = Result.DISLODGED
DISBANDED: Final = Result.DISBANDED
"""Module-level names: looking up a member of an enumeration is slow."""

Verdict = tuple[Result, str, tuple[int, ...], tuple[int, int] | None]
"""What became of an order, the reason's slug, the culprits' numbers, the strengths compared."""


def outcomes(solver: Solver, ousted: dict[int, int], lost: tuple[Dislodged, ...]) -> tuple[Outcome, ...]:
    """One outcome for each unit, in the position's order; `ousted` are the solver's `dislodgements`.

    Most orders are carried out, and nothing is to be told but that; the others are told in full.
    """
    bout = solver.bout
    orders = bout.given
    ends = [STOOD] * len(orders)
    for unit in compress(bout.layout.numbers, solver.fate):
        ends[unit] = MOVED
    for unit in bout.supporters:
        ends[unit] = SUPPORTED
    if not all(orders):
        ends = [end if order else UNORDERED for end, order in zip(ends, orders, strict=True)]
        for rider in bout.layout.riders:
            ends[rider] = ends[rider] if bout.given[rider] else CARRIED
        orders = [order or Hold(unit) for unit, order in zip(bout.position.units, orders, strict=True)]
    gone = {each.unit.id for each in lost} if lost else NONE
    for unit in _remarkable(solver, ousted):
        ends[unit] = _told(solver, unit, ousted.get(unit, -1), gone)
    return tuple(map(Outcome, zip(orders, ends, strict=True)))


def _remarkable(solver: Solver, ousted: dict[int, int]) -> set[int]:
    """The units of which more is to be told than that they did as ordered."""
    bout = solver.bout
    fate, standing = solver.fate, solver.standing
    movers, at = solver.movers, solver.at
    found = {*ousted, *bout.faults, *bout.carriers, *bout.carriage}
    for unit in bout.attacks:
        if not fate[unit]:
            found.add(unit)
    for space in bout.contests:
        for unit in movers[space]:
            if not fate[unit]:
                found.add(unit)
    if bout.company:
        company = bout.company
        found |= {unit for unit in (*company.needs_army, *company.escorts, *company.blocked) if not fate[unit]}
        found |= {unit for unit in bout.moving() if not fate[unit]}
        found |= {*company.tellers, *_in_vain(solver)}
    for unit in bout.supporters:
        if not standing[unit] and movers[at[unit]] and unit not in found and solver.stands(unit) != YES:
            found.add(unit)
    return found


def _in_vain(solver: Solver) -> Iterator[int]:
    """Supports that stand and count nothing: for an army that stayed aboard, or two from one place."""
    if not isinstance(solver, CompanySolver):
        return
    for unit in solver.bout.supporters:
        if unit in solver.bout.faults:
            continue
        if solver.stands(unit) == YES and (_lapsed(solver, unit) or _counted_already(solver, unit)):
            yield unit


def _supported(solver: Solver, unit: int) -> int:
    order: Support = solver.bout.given[unit]
    return solver.bout.number[order.of.id]


def _lapsed(solver: CompanySolver, unit: int) -> bool:
    of = _supported(solver, unit)
    return of in solver.company.lands and solver.lands(of) != YES


def _counted_already(solver: CompanySolver, unit: int) -> bool:
    """Whether another of its place, ahead of it in the position, supports the same."""
    for each in solver.backing[_supported(solver, unit)]:
        if each == unit:
            return False
        if solver.at[each] == solver.at[unit] and solver.stands(each) == YES:
            return each not in solver.company.unpaid
    return False


def _told(solver: Solver, number: int, attacker: int, gone: Set[int]) -> End:
    """What is to be told of a unit, in full."""
    units = solver.bout.position.units
    culprits: tuple[Unit, ...] = ()
    strengths = None
    fault = solver.bout.faults.get(number)
    if fault is not None:
        result, reason = fault
    else:
        result, reason, by, strengths = _teller(solver, solver.bout.given[number])(solver, number, attacker)
        culprits = (units[by[0]],) if len(by) == 1 else tuple([units[each] for each in by])
    results: tuple[Result, ...] = (result,)
    if attacker >= 0:
        results = _fate(result, disbanded=units[number].id in gone)
    return new(End, (results, reason, culprits, strengths))


NOBODY: Final[tuple[int, ...]] = ()

UNORDERED: Final = End((OK,), "no-order")
STOOD: Final = End((OK,), "stood")
CARRIED: Final = End((OK,), "carried-along")
MOVED: Final = End((OK,), "moved")
SUPPORTED: Final = End((OK,), "supported")
"""What is to be told of most units."""


def _fate(result: Result, *, disbanded: bool) -> tuple[Result, ...]:
    first = () if result is DISLODGED else (result,)
    return (*first, DISLODGED, DISBANDED) if disbanded else (*first, DISLODGED)


def _standing(solver: Solver, unit: int, attacker: int) -> Verdict:
    """A unit that was to stand is told of only where it was dislodged."""
    ordered = solver.bout.given[unit] is not None
    balance = (solver.strength_against(attacker, unit)[0], solver.strength(unit)[0])
    return DISLODGED, "dislodged" if ordered else "dislodged-without-order", (attacker,), balance


def _move(solver: Solver, unit: int, attacker: int) -> Verdict:
    """Success, or the first thing that stood in the way: the convoy, the unit in the space, a rival."""
    if solver.fate[unit] == YES:
        by_sea = unit in solver.carriage and solver.by_sea(unit) == YES
        return OK, "convoyed" if by_sea else "moved", (), None
    if solver.bout.company is not None and (reason := _unescorted(solver, unit)):
        return BOUNCED, reason, NOBODY, None
    if unit in solver.carriage and solver.has_way(unit) == NO:
        return _no_convoy(solver, unit)
    if isinstance(solver, CompanySolver) and (verdict := _in_company(solver, unit)) is not None:
        return verdict
    there = solver.occupant[solver.aim[unit]]
    if there >= 0 and (solver.fate[there] != YES or solver.head_to_head(unit, there) == YES):
        verdict = _against(solver, unit, there)
        if verdict is not None:
            return verdict
    return _rivals(solver, unit, there)


def _in_company(solver: CompanySolver, unit: int) -> Verdict | None:
    """What stood in the way where several units stand together, or are carried; None where nothing of that did."""
    space = solver.aim[unit]
    for each in solver.company.blocked.get(unit, NOBODY):
        if solver.clears(each) != YES:
            return BOUNCED, "other-kind-did-not-leave", (each,), None
    there = solver.standing_in(space)
    own = [each for each in there if solver.power[each] == solver.power[unit]]
    for each in own:
        swaps = solver.landing[each] is not None and solver.aim[each] == solver.at[unit]
        joined = each in solver.company.joins.get(unit, NOBODY)
        if (swaps and solver.head_to_head(unit, each) == YES) or (not joined and solver.clears(each) != YES):
            return BOUNCED, "own-unit", (each,), None
    for rider in solver.landing_in(space):
        if solver.lands(rider) == YES and rider not in solver.company.joins.get(unit, NOBODY):
            return _by_the_landed(solver, unit, rider)
    return _rivals(solver, unit, -1) if own else None


def _by_the_landed(solver: CompanySolver, unit: int, rider: int) -> Verdict | None:
    """An army that has just gone ashore kept a unit out."""
    if solver.power[rider] == solver.power[unit]:
        return BOUNCED, "own-unit", (rider,), None
    ours, theirs = solver.strength_against(unit, rider)[0], solver.strength(rider)[0]
    return (BOUNCED, "held", (rider, *_helpers(solver, rider)), (ours, theirs)) if ours <= theirs else None


def _unescorted(solver: Solver, unit: int) -> str:
    """The reason for the failure of a move that has not the support it needs; "" for any other."""
    if not isinstance(solver, CompanySolver) or solver.escorted(unit) == YES:
        return ""
    return solver.company.escorts[unit][1] if unit in solver.company.escorts else "needs-army"


def _no_convoy(solver: Solver, army: int) -> Verdict:
    carriage = solver.carriage[army]
    if army in solver.paradoxes:
        fleets = solver.paradoxes[army]
        return NO_CONVOY if fleets else BOUNCED, "paradox", _by_place(solver, fleets), None
    if not carriage.routes:
        return NO_CONVOY, "not-carried", NOBODY, None
    culprits = [
        attacker
        for fleet in carriage.crew
        for attacker in solver.movers[solver.at[fleet]]
        if solver.fate[attacker] == YES
    ]
    return NO_CONVOY, "convoy-disrupted", _by_place(solver, culprits), None


def _against(solver: Solver, unit: int, there: int) -> Verdict | None:
    """IX.2, IX.3: the unit in the space was strong enough, or its own country does not dislodge it."""
    if solver.power[unit] == solver.power[there]:
        return BOUNCED, "own-unit", (there,), None
    if solver.landing[there] is None:
        theirs, reason = solver.strength(there)[0], "held"
    elif solver.head_to_head(unit, there) == YES:
        theirs, reason = solver.strength(there)[0], "head-to-head"
    else:
        theirs, reason = 1, "not-vacated"
    ours = solver.strength_against(unit, there)[0]
    if ours > theirs:
        return None
    full = solver.strength(unit)[0] if solver.backing[unit] else ours
    if full > theirs:
        return BOUNCED, "no-help-against-own", (there,), (ours, theirs)
    helpers = NOBODY if reason == "not-vacated" else _helpers(solver, there)
    return BOUNCED, reason, (there, *helpers), (full, theirs)


def _helpers(solver: Solver, unit: int) -> tuple[int, ...]:
    """The units whose support for a unit stood."""
    backing = solver.backing[unit]
    if not backing:
        return NOBODY
    helpers = []
    for each in backing:
        if solver.stands(each) == YES:
            helpers.append(each)
    return _by_place(solver, helpers)


def _by_place(solver: Solver, units: Sequence[int]) -> tuple[int, ...]:
    """Culprits of one rank in the board's order: in which sequence units and orders came means nothing."""
    return tuple(units) if len(units) < 2 else tuple(sorted(units, key=solver.at.__getitem__))


def _rivals(solver: Solver, unit: int, there: int) -> Verdict:
    """VIII: all others who wanted the space and were strong enough to keep it from us; then who helped the strongest.

    How many of the culprits are helpers, the strength of the strongest says: each adds one.
    """
    fate, at = solver.fate, solver.at
    others = []
    for rival in solver.movers[solver.aim[unit]]:
        if rival != unit and not _goes_with(solver, unit, rival):
            others.append((-solver.prevents(rival, there)[0], -(fate[rival] or NO), at[rival], rival))
    if not others:
        company = solver.bout.company
        return BOUNCED, "needs-army" if company and unit in company.needs_army else "paradox", NOBODY, None
    ours = (solver.strength_against(unit, there) if there >= 0 and fate[there] != YES else solver.strength(unit))[0]
    others.sort()
    theirs, _, _, strongest = others[0]
    enough = [rival for strength, _, _, rival in others[1:] if -strength >= ours] if len(others) > 1 else NOBODY
    return BOUNCED, "stood-off", (strongest, *enough, *_helpers(solver, strongest)), (ours, -theirs)


def _cuts_own(solver: Solver) -> bool:
    return solver.bout.rules.cutting is Cutting.ANY_ATTACK


def _goes_with(solver: Solver, unit: int, rival: int) -> bool:
    return isinstance(solver, CompanySolver) and solver.goes_with(unit, rival)


def _support(solver: Solver, unit: int, attacker: int) -> Verdict:
    """X: given, or cut, and by whom."""
    if solver.stands(unit) == YES:
        if isinstance(solver, CompanySolver) and _lapsed(solver, unit):
            return VOID, "supported-unit-aboard", NOBODY, None
        if isinstance(solver, CompanySolver) and _counted_already(solver, unit):
            return VOID, "supported-from-there-already", NOBODY, None
        return OK, "supported", (), None
    cutters = []
    dislodged = attacker >= 0
    for each in solver.movers[solver.at[unit]]:
        own = solver.power[each] == solver.power[unit] and not _cuts_own(solver)
        if not own and solver.cuts(each, unit) == YES:
            cutters.append(each)
            dislodged = dislodged and solver.at[each] == solver.aim[unit]
    return CUT, "support-dislodged" if dislodged else "support-cut", _by_place(solver, cutters), None


def _convoy(solver: Solver, fleet: int, attacker: int) -> Verdict:
    """XII: the army was carried, did not need it, or the convoy broke."""
    army = _army(solver, fleet)
    if attacker >= 0:
        return NO_CONVOY, "convoy-dislodged", (attacker,), None
    carriage = solver.carriage.get(army)
    if carriage is None:
        return VOID, "convoy-unused", (), None
    if fleet in solver.paradoxes.get(army, ()):
        return NO_CONVOY, "paradox", (), None
    if solver.by_sea(army) != YES:
        return NO_CONVOY, *_no_convoy(solver, army)[1:]
    on_route = carriage.routes >> solver.at[fleet] & 1
    return (OK, "carried", (), None) if on_route else (VOID, "convoy-unused", (), None)


def _army(solver: Solver, fleet: int) -> int:
    army: Unit = solver.bout.given[fleet].of
    return solver.bout.number[army.id]


_TELL: Final = {NoneType: _standing, Hold: _standing, Move: _move, Support: _support, Convoy: _convoy}
"""How it is told in full, of the kinds of order of 1976."""


def _teller(solver: Solver, order: Order | None) -> Callable[[Solver, int, int], Verdict]:
    known = _TELL.get(type(order))
    if known is not None or order is None:
        return known or _standing
    kind = solver.bout.rules.kinds().of(order)
    return (kind.tell if kind is not None else None) or _standing

"""Why each order of a movement phase ended as it did: outcomes read off a solved bout.

Nothing is decided here. The questions are put to the solver again, whose answers are all known by now.
"""

from __future__ import annotations

from judge.adjudicate.bout import CARRY, MOVE, STAND, SUPPORT
from judge.adjudicate.outcome import Outcome, Result
from judge.adjudicate.reasons import REASONS
from judge.adjudicate.solve import NO, YES, Solver
from judge.board.position import Dislodged, Unit
from judge.orders.model import Hold

Verdict = tuple[Result, str, tuple[int, ...], tuple[int, int] | None]
"""What became of an order, the reason's slug, the culprits' numbers, the strengths compared."""


Tail = tuple[tuple[Result, ...], str, tuple[Unit, ...], tuple[int, int] | None, str]
"""An outcome without its order."""


def outcomes(solver: Solver, lost: tuple[Dislodged, ...]) -> tuple[Outcome, ...]:
    """One outcome for each unit, in the position's order."""
    bout = solver.bout
    given, act, fate, standing, carriage = bout.given, bout.act, solver.fate, solver.standing, bout.carriage
    ousted = solver.dislodgements()
    troubled = {*ousted, *bout.faults}
    gone = {each.unit.id for each in lost}
    found: list[Outcome] = []
    for number, unit in enumerate(bout.position.units):
        order = given.get(number)
        sort = act[number]
        if number in troubled:
            tail = _told(solver, number, ousted.get(number, -1), disbanded=unit.id in gone)
        elif sort == STAND:
            tail = STOOD if order else UNORDERED
        elif sort == MOVE and fate[number] == YES and number not in carriage:
            tail = MOVED
        elif sort == SUPPORT and (standing[number] == YES or solver.stands(number) == YES):
            tail = SUPPORTED
        else:
            tail = _told(solver, number, -1, disbanded=False)
        found.append(new_outcome(Outcome, (order or Hold(unit),) + tail))  # noqa: RUF005  (half the time of unpacking)
    return tuple(found)


def _told(solver: Solver, number: int, attacker: int, *, disbanded: bool) -> Tail:
    """What is to be told of a unit, in full."""
    fault = solver.bout.faults.get(number)
    if fault is not None:
        result, reason = fault
        by, strengths = NOBODY, None
    else:
        result, reason, by, strengths = _TELL[solver.act[number]](solver, number, attacker)
    results: tuple[Result, ...] = (result,)
    if attacker >= 0:
        results = _fate(result, disbanded=disbanded)
        by = by or (attacker,)
    units = solver.bout.position.units
    return results, reason, tuple([units[each] for each in by]), strengths, _CLAUSES.get(reason, "")


NOBODY: tuple[int, ...] = ()
_CLAUSES = {slug: reason.clause for slug, reason in REASONS.items()}


def _plain(reason: str) -> Tail:
    return (Result.OK,), reason, (), None, _CLAUSES[reason]


STOOD, UNORDERED, MOVED, SUPPORTED = (_plain(reason) for reason in ("stood", "no-order", "moved", "supported"))

new_outcome = tuple.__new__
"""Half the time of an outcome's own constructor goes into naming its fields."""


def _fate(result: Result, *, disbanded: bool) -> tuple[Result, ...]:
    first = () if result is Result.DISLODGED else (result,)
    return (*first, Result.DISLODGED, Result.DISBANDED) if disbanded else (*first, Result.DISLODGED)


def _standing(solver: Solver, unit: int, attacker: int) -> Verdict:
    """A unit that stands does so, or is dislodged."""
    ordered = unit in solver.bout.given
    balance = (solver.strength_against(attacker, unit)[0], solver.holds(unit)[0])
    return Result.DISLODGED, "stood" if ordered else "no-order", (attacker,), balance


def _move(solver: Solver, unit: int, attacker: int) -> Verdict:
    """Success, or the first thing that stood in the way: the convoy, the unit in the space, a rival."""
    if solver.fate[unit] == YES:
        by_sea = unit in solver.carriage and solver.by_sea(unit) == YES
        return Result.OK, "convoyed" if by_sea else "moved", (), None
    if unit in solver.carriage and solver.has_way(unit) == NO:
        return _no_convoy(solver, unit)
    there = solver.occupant.get(solver.aim[unit], -1)
    if there >= 0 and (solver.fate[there] != YES or solver.head_to_head(unit, there) == YES):
        verdict = _against(solver, unit, there)
        if verdict is not None:
            return verdict
    return _rivals(solver, unit, there)


def _no_convoy(solver: Solver, army: int) -> Verdict:
    carriage = solver.carriage[army]
    if army in solver.paradoxes:
        fleets = solver.paradoxes[army]
        return Result.NO_CONVOY if fleets else Result.BOUNCED, "paradox", fleets, None
    culprits = tuple(
        attacker
        for fleet in carriage.crew
        for attacker in solver.movers.get(solver.at[fleet], ())
        if solver.fate[attacker] == YES
    )
    return Result.NO_CONVOY, "convoy-disrupted" if carriage.routes else "not-carried", culprits, None


def _against(solver: Solver, unit: int, there: int) -> Verdict | None:
    """IX.2, IX.3: the unit in the space was strong enough, or its own country does not dislodge it."""
    if solver.power[unit] == solver.power[there]:
        return Result.BOUNCED, "own-unit", (there,), None
    if solver.act[there] != MOVE:
        theirs, reason = solver.holds(there)[0], "held"
    elif solver.head_to_head(unit, there) == YES:
        theirs, reason = solver.strength(there)[0], "head-to-head"
    else:
        theirs, reason = 1, "not-vacated"
    ours = solver.strength_against(unit, there)[0]
    if ours > theirs:
        return None
    full = solver.strength(unit)[0]
    if full > theirs:
        return Result.BOUNCED, "no-help-against-own", (there,), (ours, theirs)
    helpers = () if reason == "not-vacated" else _helpers(solver, there)
    return Result.BOUNCED, reason, (there, *helpers), (full, theirs)


def _helpers(solver: Solver, unit: int) -> tuple[int, ...]:
    """The units whose support for a unit stood."""
    return tuple(each for each in solver.backing.get(unit, ()) if solver.stands(each) == YES)


def _rivals(solver: Solver, unit: int, there: int) -> Verdict:
    """VIII: the strongest of the others who wanted the space."""
    rivals = [each for each in solver.movers.get(solver.aim[unit], ()) if each != unit]
    best = max(rivals, key=lambda each: (solver.prevents(each, there)[0], solver.fate[each], -each), default=-1)
    if best < 0:
        return Result.BOUNCED, "paradox", (), None
    ours = solver.strength_against(unit, there) if there >= 0 and solver.fate[there] != YES else solver.strength(unit)
    return Result.BOUNCED, "stood-off", (best, *_helpers(solver, best)), (ours[0], solver.prevents(best, there)[0])


def _support(solver: Solver, unit: int, attacker: int) -> Verdict:
    """X: given, or cut, and by whom."""
    if solver.stands(unit) == YES:
        return Result.OK, "supported", (), None
    cutters = tuple(
        each
        for each in solver.movers.get(solver.at[unit], ())
        if solver.power[each] != solver.power[unit] and solver.cuts(each, unit) == YES
    )
    dislodged = all(solver.at[each] == solver.aim[unit] for each in cutters)
    return Result.CUT, "support-dislodged" if dislodged and attacker >= 0 else "support-cut", cutters, None


def _convoy(solver: Solver, fleet: int, attacker: int) -> Verdict:
    """XII: the army was carried, did not need it, or the convoy broke."""
    army = _army(solver, fleet)
    if attacker >= 0:
        return Result.NO_CONVOY, "convoy-dislodged", (attacker,), None
    carriage = solver.carriage.get(army)
    if carriage is None:
        return Result.VOID, "convoy-unused", (), None
    if fleet in solver.paradoxes.get(army, ()):
        return Result.NO_CONVOY, "paradox", (), None
    if solver.by_sea(army) != YES:
        return Result.NO_CONVOY, *_no_convoy(solver, army)[1:]
    on_route = carriage.routes >> solver.at[fleet] & 1
    return (Result.OK, "carried", (), None) if on_route else (Result.VOID, "convoy-unused", (), None)


def _army(solver: Solver, fleet: int) -> int:
    army: Unit = solver.bout.given[fleet].of  # type: ignore[union-attr]
    return solver.bout.number[army.id]


_TELL = {STAND: _standing, MOVE: _move, SUPPORT: _support, CARRY: _convoy}

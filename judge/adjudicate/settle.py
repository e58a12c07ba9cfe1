"""From a solved bout to the next position: who stands where, which units must retreat, and where they may go (XI)."""

from __future__ import annotations

from itertools import compress
from typing import Final

from judge.adjudicate.bout import YES, Answer, Bout
from judge.adjudicate.company import CompanySolver
from judge.adjudicate.outcome import new
from judge.adjudicate.solve import Solver
from judge.board.model import Location
from judge.board.position import Position, numbered, numbered_waiting
from judge.board.unit import Dislodged, Unit
from judge.rules.choices import ConvoyedRetreat, DisorderRetreats

DISBAND: Final = DisorderRetreats.DISBAND
ALLOWED: Final = ConvoyedRetreat.YES


def settle(
    solver: Solver, attackers: dict[int, int], disorder: frozenset[str]
) -> tuple[Position, tuple[Dislodged, ...]]:
    """The position after the moves, and the units that were disbanded at once for want of a retreat.

    `attackers` are the solver's `dislodgements`.
    """
    bout = solver.bout
    before = bout.position
    waiting: tuple[Dislodged, ...] = ()
    lost: tuple[Dislodged, ...] = ()
    if attackers:
        waiting, lost = _retreats(solver, attackers, disorder)
    if bout.company is not None:  # who stood together, or is carried, is somewhere else now
        units, waiting, lost = _in_company(solver, attackers, waiting, lost)
    else:
        units = _stand(bout, solver.fate, attackers)
    following, captures = bout.rules.calendar.passing(before.phase)
    owners = bout.rules.owners(before, units) if captures else before.owners
    next_id = before.next_id or len(bout.number)
    return before.followed_by(following, units, owners, waiting, next_id), lost


def _stand(bout: Bout, fate: list[Answer], attackers: dict[int, int]) -> tuple[Unit, ...]:
    """The units where they now stand, dislodged ones left out."""
    layout = bout.layout
    identity, kind, landing = layout.identity, layout.kind, bout.landing
    power, built, marks = layout.power, layout.built, layout.marks
    units = list(bout.position.units)
    make, sort = new, Unit
    for n in compress(layout.numbers, fate):
        units[n] = make(sort, (identity[n], kind[n], landing[n], power[n], built[n], marks[n]))
    if attackers:
        for number in reversed(attackers):
            del units[number]
    return tuple(units)


Settled = tuple[tuple[Unit, ...], tuple[Dislodged, ...], tuple[Dislodged, ...]]
"""The units that stand, those that must retreat, and those that are lost."""


def _in_company(
    solver: Solver, attackers: dict[int, int], waiting: tuple[Dislodged, ...], lost: tuple[Dislodged, ...]
) -> Settled:
    """The same where units stand together or are carried: each is numbered anew, and riders go with their carriers."""
    assert isinstance(solver, CompanySolver)
    everybody = [*_stand(solver.bout, solver.fate, {})]
    solver.carry(everybody)
    units = tuple([unit for number, unit in enumerate(everybody) if number not in attackers])
    if solver.bout.layout.riders:
        waiting, lost = _with_riders(solver, waiting, lost)
    return numbered(units), numbered_waiting(waiting), lost


def _retreats(
    solver: Solver, attackers: dict[int, int], disorder: frozenset[str]
) -> tuple[tuple[Dislodged, ...], tuple[Dislodged, ...]]:
    """XI, XIV.3: those who wait for a retreat order, and those who are lost at once."""
    bout = solver.bout
    no_retreat = disorder if bout.rules.disorder_retreats is DISBAND else ()
    waiting: list[Dislodged] = []
    lost: list[Dislodged] = []
    units = bout.position.units
    for victim, attacker in attackers.items():
        options = () if solver.power[victim] in no_retreat else _options(solver, victim, attacker, attackers)
        if options and "retreats" in bout.asked:
            options = bout.rules.retreats(bout.position, units[victim], options)
        (waiting if options else lost).append(new(Dislodged, (units[victim], options, units[attacker])))
    return tuple(waiting), tuple(lost)


def _with_riders(
    solver: CompanySolver, waiting: tuple[Dislodged, ...], lost: tuple[Dislodged, ...]
) -> tuple[tuple[Dislodged, ...], tuple[Dislodged, ...]]:
    """Who is carried has no retreat of its own, and is saved or lost with its carrier; who just went ashore is
    carried no more.
    """
    number = solver.bout.number
    found = [each._replace(unit=solver.as_put_ashore(number[each.unit.id])) for each in (*waiting, *lost)]
    found = [each._replace(options=()) if each.unit.aboard else each for each in found]
    saved = {each.unit.id for each in found if each.options}
    stay = [each for each in found if each.options or each.unit.aboard in saved]
    return tuple(stay), tuple(each for each in found if each not in stay)


def _options(solver: Solver, victim: int, attacker: int, attackers: dict[int, int]) -> tuple[Location, ...]:
    """XI: adjacent suitable spaces, open to retreats, and not where the attacker came from."""
    barred = solver.at[attacker]
    if attacker in solver.carried and solver.bout.rules.convoyed_retreat is ALLOWED:
        barred = -1 if solver.by_sea(attacker) == YES else barred
    occupant, movers, fate = solver.occupant, solver.movers, solver.fate
    company = solver.bout.company
    options: list[Location] = []
    for where, space in solver.bout.spots[victim].exits:
        there = occupant[space]
        if space == barred or (there >= 0 and not fate[there] and there not in attackers):
            continue
        if not movers[space] or is_vacant(solver, space, there):
            if company and (solver.is_held(space, attackers) or solver.sent(space, victim)):
                continue
            options.append(where)
    return tuple(options)


def is_vacant(solver: Solver, space: int, there: int) -> bool:
    """XI: nobody came into a space, and it is not vacant because of a stand-off; `there` left it, or was driven out."""
    for rival in solver.movers[space]:
        if solver.fate[rival] == YES or solver.prevents(rival, there)[1] > 0:
            return False
    return True

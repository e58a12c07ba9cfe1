"""From a solved bout to the next position: who stands where, who must retreat, and where he may go (XI)."""

from __future__ import annotations

from judge.adjudicate.bout import Bout
from judge.adjudicate.chart import Mask
from judge.adjudicate.ownership import owners_after
from judge.adjudicate.solve import NO, YES, Solver
from judge.board.model import Location
from judge.board.position import Dislodged, Position, Unit
from judge.rules.choices import ConvoyedRetreat, DisorderRetreats


def settle(solver: Solver, disorder: frozenset[str]) -> tuple[Position, tuple[Dislodged, ...]]:
    """The position after the moves, and the units that were disbanded at once for want of a retreat."""
    bout = solver.bout
    before = bout.position
    attackers = dislodgements(solver)
    units = _stand(bout, solver.fate, attackers)
    waiting: tuple[Dislodged, ...] = ()
    lost: tuple[Dislodged, ...] = ()
    if attackers:
        waiting, lost = _retreats(solver, attackers, units, disorder)
    calendar = bout.rules.calendar
    owners = owners_after(before, units) if calendar.is_capture(before.phase) else before.owners
    following = calendar.next_phase(before.phase)
    next_id = before.next_id or 1 + max(bout.number, default=0)
    after = Position(before.board, following, units, owners, waiting, before.accounts, next_id)
    return after, lost


def dislodgements(solver: Solver) -> dict[int, int]:
    """Dislodged unit -> the unit that dislodged it."""
    fate, occupant, aim = solver.fate, solver.occupant, solver.aim
    found: dict[int, int] = {}
    for unit in solver.bout.marching:
        if fate[unit] == YES:
            victim = occupant.get(aim[unit], -1)
            if victim >= 0 and fate[victim] != YES:
                found[victim] = unit
    return found


def _stand(bout: Bout, fate: list[int], attackers: dict[int, int]) -> tuple[Unit, ...]:
    """The units where they now stand, dislodged ones left out."""
    identities, kinds, _, powers, built = bout.columns
    landing = bout.landing
    units = list(bout.position.units)
    for unit in bout.marching:
        if fate[unit] == YES:
            units[unit] = new_unit(Unit, (identities[unit], kinds[unit], landing[unit], powers[unit], built[unit]))
    if attackers:
        return tuple([unit for number, unit in enumerate(units) if number not in attackers])
    return tuple(units)


new_unit = tuple.__new__
"""Half the time of a unit's own constructor goes into naming its fields."""


def _retreats(
    solver: Solver, attackers: dict[int, int], units: tuple[Unit, ...], disorder: frozenset[str]
) -> tuple[tuple[Dislodged, ...], tuple[Dislodged, ...]]:
    """XI, XIV.3: those who wait for a retreat order, and those who are lost at once."""
    space = solver.bout.chart.space
    closed = contested(solver)
    for unit in units:
        closed |= 1 << space[unit.at]
    no_retreat = disorder if solver.bout.rules.disorder_retreats is DisorderRetreats.DISBAND else frozenset[str]()
    waiting: list[Dislodged] = []
    lost: list[Dislodged] = []
    before = solver.bout.position.units
    for victim, attacker in sorted(attackers.items()):
        driven = before[victim]
        options = () if driven.power in no_retreat else _options(solver, driven, attacker, closed)
        (waiting if options else lost).append(Dislodged(driven, options, before[attacker]))
    return tuple(waiting), tuple(lost)


def _options(solver: Solver, unit: Unit, attacker: int, closed: Mask) -> tuple[Location, ...]:
    """XI: adjacent suitable spaces that are not occupied, not contested, and not where the attacker came from."""
    rules = solver.bout.rules
    carried = attacker in solver.carried and solver.by_sea(attacker) == YES
    if not (carried and rules.convoyed_retreat is ConvoyedRetreat.YES):
        closed |= 1 << solver.at[attacker]
    ways = solver.bout.chart.spots[unit.kind][unit.at].ways
    return tuple(sorted({landing for space, landing in ways.values() if not closed >> space & 1}))


def contested(solver: Solver) -> Mask:
    """XI: spaces that units tried to enter and kept each other out of."""
    mask = 0
    fate, aim, occupant = solver.fate, solver.aim, solver.occupant
    for unit in solver.bout.marching:
        if fate[unit] == NO:
            target = aim[unit]
            if not mask >> target & 1 and solver.prevents(unit, occupant.get(target, -1))[1] > 0:
                mask |= 1 << target
    return mask

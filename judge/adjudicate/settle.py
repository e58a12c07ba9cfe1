"""From a solved bout to the next position: who stands where, who must retreat, and where he may go (XI)."""

from __future__ import annotations

from judge.adjudicate.bout import Bout
from judge.adjudicate.ownership import owners_after
from judge.adjudicate.solve import YES, Solver
from judge.board.model import Location
from judge.board.position import Dislodged, Position, Unit
from judge.rules.choices import ConvoyedRetreat, DisorderRetreats

DISBAND, ALLOWED = DisorderRetreats.DISBAND, ConvoyedRetreat.YES


def settle(
    solver: Solver, attackers: dict[int, int], disorder: frozenset[str]
) -> tuple[Position, tuple[Dislodged, ...]]:
    """The position after the moves, and the units that were disbanded at once for want of a retreat.

    `attackers` are the solver's `dislodgements`.
    """
    bout = solver.bout
    before = bout.position
    units = _stand(bout, solver.fate, attackers)
    waiting: tuple[Dislodged, ...] = ()
    lost: tuple[Dislodged, ...] = ()
    if attackers:
        waiting, lost = _retreats(solver, attackers, disorder)
    calendar = bout.rules.calendar
    owners = owners_after(before, units) if calendar.is_capture(before.phase) else before.owners
    following = calendar.next_phase(before.phase)
    next_id = before.next_id or 1 + max(bout.number, default=0)
    after = Position(before.board, following, units, owners, waiting, before.accounts, next_id)
    return after, lost


def _stand(bout: Bout, fate: list[int], attackers: dict[int, int]) -> tuple[Unit, ...]:
    """The units where they now stand, dislodged ones left out."""
    layout = bout.layout
    identity, kind, power, built = layout.identity, layout.kind, layout.power, layout.built
    units = list(bout.position.units)
    for n, landing in bout.marching.items():
        if fate[n] == YES:
            units[n] = new_unit(Unit, (identity[n], kind[n], landing, power[n], built[n]))
    if attackers:
        for number in sorted(attackers, reverse=True):
            del units[number]
    return tuple(units)


new_unit = tuple.__new__
"""Half the time of a unit's own constructor goes into naming its fields."""


def _retreats(
    solver: Solver, attackers: dict[int, int], disorder: frozenset[str]
) -> tuple[tuple[Dislodged, ...], tuple[Dislodged, ...]]:
    """XI, XIV.3: those who wait for a retreat order, and those who are lost at once."""
    no_retreat = disorder if solver.bout.rules.disorder_retreats is DISBAND else frozenset[str]()
    waiting: list[Dislodged] = []
    lost: list[Dislodged] = []
    units = solver.bout.position.units
    for victim, attacker in sorted(attackers.items()):
        unit = units[victim]
        options = () if unit.power in no_retreat else _options(solver, victim, attacker, attackers)
        (waiting if options else lost).append(Dislodged(unit, options, units[attacker]))
    return tuple(waiting), tuple(lost)


def _options(solver: Solver, victim: int, attacker: int, attackers: dict[int, int]) -> tuple[Location, ...]:
    """XI: adjacent suitable spaces, open to retreats, and not where the attacker came from."""
    barred = solver.at[attacker]
    if attacker in solver.carried and solver.bout.rules.convoyed_retreat is ALLOWED:
        barred = -1 if solver.by_sea(attacker) == YES else barred
    exits = solver.bout.spots[victim].exits
    return tuple([where for where, space in exits if space != barred and is_open(solver, space, attackers)])


def is_open(solver: Solver, space: int, attackers: dict[int, int]) -> bool:
    """XI: nobody stayed in a space, nobody came, and it is not vacant because of a stand-off."""
    there = solver.occupant[space]
    if there >= 0 and solver.fate[there] != YES and there not in attackers:
        return False
    rivals = solver.movers[space]
    return not rivals or not any(solver.fate[rival] == YES or solver.prevents(rival, there)[1] > 0 for rival in rivals)

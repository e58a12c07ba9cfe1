"""Spaces in which several units stand together, for systems that have them (`Questions.stacks`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.adjudicate.bout import Bout, Company


def keep_company(bout: Bout) -> None:
    """Tell the solver who stands together, and who may join whom. Call it when supports have been matched.

    A stack is worth what its guard is: of those who stay, the one with the most support, since only one of them may
    have any. Nobody joins a space that is full, nor do two at a time.
    """
    crowds = _crowds(bout.at)
    for space, units in crowds.items():
        bout.guard(space, _guard(bout, units))
    joins = _joins(bout, crowds)
    if crowds or joins:
        bout.company = Company(crowd=crowds, joins=joins)


def _guard(bout: Bout, units: tuple[int, ...]) -> int:
    staying = [unit for unit in units if bout.landing[unit] is None] or units
    return max(staying, key=lambda unit: (len(bout.backing[unit]), -unit))


def _crowds(at: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Space in which two units or more stand -> who."""
    everybody: dict[int, tuple[int, ...]] = {}
    for unit, space in enumerate(at):
        everybody[space] = (*everybody.get(space, ()), unit)
    return {space: units for space, units in everybody.items() if len(units) > 1}


def _joins(bout: Bout, crowds: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    """Mover -> the own unit in its target that does not bar its way."""
    found: dict[int, int] = {}
    for province, (power, most) in bout.rules.stacks(bout.position.board).items():
        space = bout.chart.space[province]
        there = crowds.get(space) or ((bout.occupant[space],) if bout.occupant[space] >= 0 else ())
        own = [unit for unit in bout.movers[space] or () if bout.power[unit] == power]
        if there and len(own) == 1 and len(there) < most and bout.power[there[0]] == power:
            found[own[0]] = bout.occupant[space]
    return found

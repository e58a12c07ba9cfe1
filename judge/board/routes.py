"""Convoy routes: chains of fleets over adjacent seas (XII.1, XII.2), as searches over bit masks."""

from __future__ import annotations

from judge.board.chart import Chart, Mask


def has_route(chart: Chart, start: int, target: int, fleets: Mask) -> bool:
    """Whether these fleets (a set of seas) form a chain from one coastal space to another."""
    ends = fleets & chart.shores[target]
    reached = fleets & chart.shores[start]
    if reached & ends:
        return True
    if not reached or not ends:
        return False
    return bool(spread(chart, reached, fleets) & ends)


def spread(chart: Chart, reached: Mask, fleets: Mask) -> Mask:
    """All the fleets that hang together with those reached so far."""
    touching = chart.touching
    fresh = reached
    while fresh:
        lowest = fresh & -fresh
        found = touching[lowest.bit_length() - 1] & fleets & ~reached
        reached |= found
        fresh = fresh ^ lowest | found
    return reached

"""Convoy routes: chains of fleets over adjacent seas (XII.1, XII.2), as searches over bit masks."""

from __future__ import annotations

from judge.adjudicate.chart import Chart, Mask


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


def needed_fleets(chart: Chart, start: int, target: int, fleets: Mask) -> Mask:
    """The fleets that lie on some route from which no fleet can be left out.

    Such a fleet's convoy order is one that could be of use; the others could not (DATC 6.G.19, 6.F.12).
    """
    starts, ends = fleets & chart.shores[start], fleets & chart.shores[target]
    alone = starts & ends
    if not starts or not ends:
        return 0
    return alone | _chains(chart, starts & ~alone, ends & ~alone, fleets & ~alone)


def _chains(chart: Chart, starts: Mask, ends: Mask, fleets: Mask) -> Mask:
    """The fleets on chains of two and more in which only the first is at the start and only the last at the end."""
    between = fleets & ~starts & ~ends
    hopeful = spread(chart, starts, fleets) & spread(chart, ends, fleets)
    found = 0
    firsts = starts & hopeful
    while firsts and hopeful & ~found:
        first = firsts & -firsts
        firsts ^= first
        found |= _follow(chart, first, first, between, ends, hopeful & ~found)
    return found


def _follow(chart: Chart, chain: Mask, last: Mask, between: Mask, ends: Mask, wanted: Mask) -> Mask:
    """The fleets on chains that go on from `last`. A fleet next to an earlier link would make those between
    superfluous, so each step takes the neighbours of the link before out of play. A branch on which nothing wanted
    can come any more is not followed."""
    beside = chart.touching[last.bit_length() - 1]
    arrived = beside & ends
    found = chain | arrived if arrived else 0
    steps = beside & between
    later, rest = between & ~beside, ends & ~beside
    while steps:
        step = steps & -steps
        steps ^= step
        ahead = spread(chart, step, later | rest | step)
        if ahead & rest and (chain | ahead) & wanted & ~found:
            found |= _follow(chart, chain | step, step, later, rest, wanted & ~found)
    return found

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

    Such a fleet's convoy order is one that could be of use; the others could not (DATC 6.G.19, 6.F.12). Whether such
    a route leads through a given sea is a hard question on graphs in general (it asks for an induced path); on
    anything that looks like a board the search below finds one, or runs out of ways, after a few steps.
    """
    starts, ends = fleets & chart.shores[start], fleets & chart.shores[target]
    if not starts or not ends:
        return 0
    found = starts & ends  # one fleet does it all: no longer route needs these
    chain = Chain(chart, starts & ~found, ends & ~found, fleets & ~found)
    unsure = chain.hopeful
    while unsure:
        sea = unsure & -unsure
        lies_on = chain.through(sea)
        found |= lies_on
        unsure &= ~(lies_on | sea)
    return found


class Chain:
    """Chains of two fleets and more: only the first is at the start, only the last at the end, and no link touches
    another one but its neighbours."""

    def __init__(self, chart: Chart, starts: Mask, ends: Mask, fleets: Mask) -> None:
        self.touching = chart.touching
        self.starts, self.ends = starts, ends
        self.between = fleets & ~starts & ~ends
        self.chart = chart
        self.hopeful = spread(chart, starts, fleets) & spread(chart, ends, fleets) if starts and ends else 0

    def through(self, sea: Mask) -> Mask:
        """Some chain that leads through a sea, as the set of its fleets; 0 if there is none."""
        if sea & self.starts:
            return self.shortest(sea, self.between, self.ends)
        if sea & self.ends:
            return self.shortest(sea, self.between, self.starts)
        return self._back(sea, sea, sea, self.between & ~sea, self.between & ~sea, self.ends)

    def shortest(self, sea: Mask, over: Mask, goals: Mask) -> Mask:
        """A shortest chain from a sea to the nearest of the goals, which has no superfluous link; 0 if none."""
        layers = [sea]
        seen = sea
        while layers[-1] and not layers[-1] & goals:
            following = self._beside(layers[-1]) & (over | goals) & ~seen
            seen |= following
            layers.append(following)
        step = layers.pop() & goals
        chain = step = step & -step
        while step and layers:
            step = self._beside(step) & layers.pop()
            step &= -step
            chain |= step
        return chain

    def _beside(self, seas: Mask) -> Mask:
        found = 0
        while seas:
            lowest = seas & -seas
            seas ^= lowest
            found |= self.touching[lowest.bit_length() - 1]
        return found

    def _back(self, sea: Mask, chain: Mask, last: Mask, back: Mask, forth: Mask, ends: Mask) -> Mask:
        """Grow a chain from `sea` back to the start, link by link, as long as a way on from `sea` to the end is left
        that touches none of its links. `back` and `forth` are the seas that either way may still use."""
        if last != sea:
            beside = self._beside(last)
            forth, ends = forth & ~beside & ~last, ends & ~beside
        onward = self.shortest(sea, forth, ends)
        if not onward:
            return 0
        neighbours = self._beside(last)
        if neighbours & self.starts:
            for first in _each(neighbours & self.starts):
                beside = self._beside(first)
                rest = self.shortest(sea, forth & ~beside, ends & ~beside)
                if rest:
                    return chain | first | rest
        steps, later = neighbours & back, back & ~neighbours
        for step in self._by_distance(steps, later):
            found = self._back(sea, chain | step, step, later, forth, ends)
            if found:
                return found
        return 0

    def _by_distance(self, steps: Mask, over: Mask) -> list[Mask]:
        """Possible next links, those nearest to the start first; those that cannot get there left out."""
        ways = [(self.shortest(step, over, self.starts).bit_count(), step) for step in _each(steps)]
        return [step for length, step in sorted(ways) if length]


def _each(seas: Mask) -> list[Mask]:
    """The seas of a set, one by one."""
    found = []
    while seas:
        lowest = seas & -seas
        seas ^= lowest
        found.append(lowest)
    return found

"""Armies that travel along a railway in one move, on boards that have one and under rules that know the order.

A line is open as long as nobody stands on it at the start and nobody else goes to a place of it, whether they get in or
not; where it is closed the army stops before that place, or stays. It meets nobody, cuts nothing and needs no support.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.adjudicate.bout import Bout
from judge.adjudicate.outcome import Result


def run_trains(bout: Bout, trains: list[int]) -> None:
    """Let armies travel as far as their lines are open: called when all other moves have been entered."""
    stops: dict[int, str] = {}
    bout.apart |= dict.fromkeys(trains, "no-support-by-rail")
    for unit in trains:
        order = bout.given[unit]
        places = bout.chart.board.line(order.unit.kind, order.unit.at, order.to)
        if not places:
            bout.faults[unit] = (Result.ILLEGAL, "no-railway")
            continue
        stops[unit] = _last_open(bout, places)
        if stops[unit] != places[-1]:
            bout.faults[unit] = (Result.BOUNCED, "railway-cut-short")
    for unit, stop in stops.items():
        if stop and list(stops.values()).count(stop) == 1:
            bout.enter(unit, bout.chart.space[stop], stop)
        else:
            bout.faults[unit] = (Result.BOUNCED, "railway-closed")
    bout.unsupportable = frozenset(stops)


def _last_open(bout: Bout, places: Sequence[str]) -> str:
    """The last place before the first that is closed; "" for the start."""
    reached = ""
    for place in places:
        space = bout.chart.space[place]
        if bout.occupant[space] >= 0 or bout.movers[space]:
            break
        reached = place
    return reached

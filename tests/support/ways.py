"""Where a unit can be ordered to go, asked of the chart alone: for tests that make up orders."""

from __future__ import annotations

from judge.board.chart import Chart, Mask, compile_board, spaces, spread
from judge.board.model import Location
from judge.board.position import Position
from judge.board.unit import Unit
from judge.rules.model import Rules


def legal_moves(position: Position, unit: Unit, rules: Rules) -> tuple[Location, ...]:
    """Where a unit could be ordered to go: on its own way, and for armies wherever the fleets now at sea could carry
    them, coasts named. For a dislodged unit, its retreats."""
    for each in position.dislodged:
        if each.unit.id == unit.id:
            return each.options
    chart = compile_board(position.board, position.phase.season)
    spot = chart.spots[unit.kind][unit.at]
    own = {landing for _, landing in spot.ways.values()}
    ways = own.union(chart.provinces(_by_convoy(position, unit, chart)))
    return tuple(sorted(to for to in ways if not rules.barred(position, unit, to)))


def _by_convoy(position: Position, unit: Unit, chart: Chart) -> Mask:
    """The spaces to which the fleets at sea could carry a unit."""
    here = chart.space[unit.at]
    if unit.kind not in chart.carried or not chart.coasts >> here & 1:
        return 0
    fleets = _fleets_at_sea(position, chart)
    reached = spread(chart, chart.shores[here] & fleets, fleets)
    return sum(1 << coast for coast in spaces(chart.coasts & ~(1 << here)) if chart.shores[coast] & reached)


def _fleets_at_sea(position: Position, chart: Chart) -> Mask:
    """The seas in which a fleet stands."""
    return sum({1 << chart.space[unit.at] for unit in position.units if unit.kind in chart.carriers}) & chart.seas

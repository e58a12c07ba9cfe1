"""How far a unit could possibly go: by its own way, or as an army over seas. For reading, not for judging.

Two meanings of an order are counted after type, position and reach (1976 rules VII.4), and a did-you-mean offers only
what the unit could do. Whether an order is legal is decided by `judge.adjudicate`.
"""

from __future__ import annotations

from judge.board.chart import Mask, compile_board
from judge.board.model import Location, province_of
from judge.board.position import Position
from judge.board.routes import spread
from judge.board.unit import Unit


class Reach:
    """Where the units of one position could go. Answers are worked out on demand and remembered."""

    def __init__(self, position: Position) -> None:
        self.board, self.season = position.board, position.phase.season
        self.carried, carriers = position.board.carried, position.board.carriers
        self._chart = compile_board(self.board, self.season)
        self._fleets: Mask = 0
        for unit in position.units:
            if unit.kind in carriers:
                self._fleets |= self._chart.seas & 1 << self._chart.space[unit.at]
        self._by_chain: dict[str, frozenset[str]] = {}
        self._provinces: dict[tuple[str, Location], frozenset[str]] = {}

    @property
    def seas(self) -> frozenset[str]:
        """All seas of the board."""
        return frozenset(self._chart.provinces(self._chart.seas))

    def seas_at(self, place: Location) -> frozenset[str]:
        """The seas that touch a place."""
        space = self._chart.space[place]
        return frozenset(self._chart.provinces(self._chart.touching[space] | self._chart.shores[space]))

    def walk(self, unit: Unit) -> tuple[Location, ...]:
        """Where it can go by its own way in this season."""
        return self.board.reach(unit.kind, unit.at, self.season)

    def walk_provinces(self, unit: Unit) -> frozenset[str]:
        """The provinces of `walk`, without coasts: those into which it may support (VII.3b)."""
        key = (unit.kind, unit.at)
        found = self._provinces.get(key)
        if found is None:
            found = self._provinces[key] = frozenset(province_of(place) for place in self.walk(unit))
        return found

    def convoy(self, unit: Unit) -> frozenset[str]:
        """Where the fleets that stand at sea could carry an army, if all of them wanted to."""
        if unit.kind not in self.carried:
            return frozenset()
        found = self._by_chain.get(unit.at)
        if found is None:
            found = self._by_chain[unit.at] = self._ports(unit.at, self._fleets)
        return found

    def overseas(self, unit: Unit) -> frozenset[str]:
        """Where an army could be carried if fleets stood in every sea."""
        return self._ports(unit.at, self._chart.seas) if unit.kind in self.carried else frozenset()

    def can_go(self, unit: Unit, to: Location) -> bool:
        """Whether it could arrive there at all, by its own way or by the fleets that stand at sea."""
        return to in self.walk(unit) or (unit.kind in self.carried and to in self.convoy(unit))

    def can_enter(self, unit: Unit, province: str) -> bool:
        """The same, whatever the coast."""
        return province in self.walk_provinces(unit) or (unit.kind in self.carried and province in self.convoy(unit))

    def can_carry(self, fleet: Unit, army: Unit, to: str) -> bool:
        """Whether a chain through this fleet leads from the army to the province."""
        sea = self._fleets & 1 << self._chart.space[fleet.at]
        return army.kind in self.carried and bool(sea & self._chain(army.at, self._fleets)) and to in self.convoy(army)

    def _chain(self, origin: Location, fleets: Mask) -> Mask:
        """Those of the fleets that hang together with the coast of a place."""
        return spread(self._chart, fleets & self._chart.shores[self._chart.space[origin]], fleets)

    def _ports(self, origin: Location, fleets: Mask) -> frozenset[str]:
        """The coastal provinces to which these fleets could carry an army from here."""
        chain = self._chain(origin, fleets)
        found = {code for code, seas in zip(self._chart.codes, self._chart.shores, strict=True) if seas & chain}
        return frozenset(found - {origin})

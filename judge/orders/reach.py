"""How far a unit could possibly go: by its own way, or as an army over seas. For reading, not for judging.

Two meanings of an order are counted after type, position and reach (1976 rules VII.4), and a did-you-mean offers only
what the unit could do. Whether an order is legal is decided by `judge.adjudicate`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from judge.board.model import Board, Location, Terrain, province_of
from judge.board.position import Position
from judge.board.unit import Unit


class Waters:
    """The seas and coasts of a board, for convoys. Make it with `waters_of`."""

    def __init__(self, board: Board) -> None:
        carriers = board.carriers
        seas = {code for code, province in board.provinces.items() if province.terrain is Terrain.SEA}
        touching: dict[str, set[str]] = defaultdict(set)
        for border in board.borders:
            if not carriers.isdisjoint(border.kinds):
                a, b = province_of(border.a), province_of(border.b)
                touching[a].add(b)
                touching[b].add(a)
        self.seas = frozenset(seas)
        self.neighbours = {code: frozenset(others & seas) for code, others in touching.items()}
        """Place -> seas that touch it."""
        self.shores = {code: frozenset(touching[code] - seas) for code in seas}
        """Sea -> coastal provinces that touch it."""

    def connected(self, origin: str, through: Iterable[str]) -> frozenset[str]:
        """The seas that a chain from a coastal province reaches, using only the seas of `through`."""
        open_seas = set(through)
        reached: set[str] = set()
        border = set(self.neighbours.get(origin, ())) & open_seas
        while border:
            reached |= border
            border = {sea for found in border for sea in self.neighbours[found]} & open_seas - reached
        return frozenset(reached)

    def ports(self, origin: str, through: Iterable[str]) -> frozenset[str]:
        """The coastal provinces to which an army could be carried from here."""
        shores = {port for sea in self.connected(origin, through) for port in self.shores[sea]}
        return frozenset(shores - {origin})


@lru_cache(maxsize=64)
def waters_of(board: Board) -> Waters:
    """The waters of a board, worked out once."""
    return Waters(board)


class Reach:
    """Where the units of one position could go. Answers are worked out on demand and remembered."""

    def __init__(self, position: Position) -> None:
        self.board, self.season = position.board, position.phase.season
        self.waters = waters_of(position.board)
        self.carried, carriers = position.board.carried, position.board.carriers
        self.fleets = frozenset(
            at for unit in position.units if unit.kind in carriers and (at := province_of(unit.at)) in self.waters.seas
        )
        """Seas where a fleet stands that could convoy, whosever it is."""
        self._by_chain: dict[str, frozenset[str]] = {}
        self._provinces: dict[tuple[str, Location], frozenset[str]] = {}

    def walk(self, unit: Unit) -> tuple[Location, ...]:
        """Where it can go by its own way in this season."""
        return self.board.reach(unit.kind, unit.at, self.season)

    def walk_provinces(self, unit: Unit) -> frozenset[str]:
        """The same without coasts: where it may support (VII.3b)."""
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
            found = self._by_chain[unit.at] = self.waters.ports(unit.at, self.fleets)
        return found

    def overseas(self, unit: Unit) -> frozenset[str]:
        """Where an army could be carried if fleets stood in every sea."""
        return self.waters.ports(unit.at, self.waters.seas) if unit.kind in self.carried else frozenset()

    def can_go(self, unit: Unit, to: Location) -> bool:
        """Whether it could arrive there at all, by its own way or by the fleets that stand at sea."""
        return to in self.walk(unit) or (unit.kind in self.carried and to in self.convoy(unit))

    def can_enter(self, unit: Unit, province: str) -> bool:
        """The same, whatever the coast."""
        return province in self.walk_provinces(unit) or (unit.kind in self.carried and province in self.convoy(unit))

    def can_carry(self, fleet: Unit, army: Unit, to: str) -> bool:
        """Whether a chain through this fleet leads from the army to the province."""
        sea = province_of(fleet.at)
        if army.kind not in self.carried or sea not in self.fleets:
            return False
        chain = self.waters.connected(army.at, self.fleets)
        return sea in chain and to in self.convoy(army)

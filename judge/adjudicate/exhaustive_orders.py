"""The orders of a phase as the exhaustive adjudicator reads them: who goes where, who carries, who supports what.

Read from the board's borders with plain loops; nothing of `judge.adjudicate` is used.
"""

from __future__ import annotations

from functools import lru_cache

from judge.board.kinds import Terrain
from judge.board.model import Board, province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Convoy, Move, Order, Support
from judge.rules import Rules


class ReadOrders:
    """What each order means in its position."""

    def __init__(self, position: Position, orders: list[Order], rules: Rules) -> None:
        self.rules = rules
        self.board = position.board
        self.units = {unit.id: unit for unit in position.units}
        self.unit_in = {province_of(unit.at): unit.id for unit in position.units}
        self.order: dict[int, Order] = {order.unit.id: order for order in orders if hasattr(order, "unit")}
        self.sea_fleets = {
            province_of(unit.at) for unit in position.units if unit.kind == "F" and self.is_sea(province_of(unit.at))
        }
        self.target: dict[int, str] = {}
        self.coast: dict[int, str] = {}
        self.by_sea: dict[int, str] = {}
        """Convoyed armies: "always", or "if possible" for those that walk otherwise."""
        self.refused: set[int] = set()
        self.carriers: dict[int, set[str]] = {}
        self.matched_convoys: set[str] = set()
        self.supports: dict[int, tuple[int, str, bool]] = {}
        """Supporter -> supported unit, province supported into, whether it is for a move."""
        self.stopped: set[int] = set()
        self._read_moves()
        self._read_convoys()
        self._read_supports()

    # ---- the board -----------------------------------------------------------------------------------------------

    def is_sea(self, province: str) -> bool:
        return self.board.provinces[province].terrain is Terrain.SEA

    def is_coast(self, province: str) -> bool:
        return self.board.provinces[province].terrain is Terrain.COAST

    def near(self, unit: Unit) -> set[str]:
        """Locations one step away."""
        found = set()
        for border in self.board.borders:
            if unit.kind in border.kinds:
                if border.a == unit.at:
                    found.add(border.b)
                if border.b == unit.at:
                    found.add(border.a)
        return found

    def enters(self, unit: Unit, province: str) -> bool:
        return province in {province_of(place) for place in self.near(unit)}

    def seas_touching(self, province: str) -> set[str]:
        return _seas_touching(self.board, province)

    def routes(self, start: str, end: str, fleets: set[str]) -> list[frozenset[str]]:
        """The sets of fleets that carry from start to end and of which none can be left out."""
        found: list[frozenset[str]] = []

        def walk(path: list[str]) -> None:
            if path[-1] in self.seas_touching(end):
                found.append(frozenset(path))
            for sea in self.seas_touching(path[-1]) & fleets:
                if sea not in path:
                    walk([*path, sea])

        for sea in self.seas_touching(start) & fleets:
            walk([sea])
        return [route for route in found if not any(other < route for other in found)]

    # ---- reading the orders --------------------------------------------------------------------------------------

    def _read_moves(self) -> None:
        for number, order in self.order.items():
            if isinstance(order, Move):
                place = self._destination(order)
                if place is None:
                    self.refused.add(number)
                else:
                    self.target[number], self.coast[number] = province_of(place), place

    def _destination(self, order: Move) -> str | None:
        """Where a legal move ends, coast supplied; None if it cannot be made in this position."""
        unit, to = order.unit, order.to
        start, end = province_of(unit.at), province_of(to)
        if unit.kind == "F":
            reachable = [place for place in self.near(unit) if province_of(place) == end]
            if to in reachable:
                return to
            return reachable[0] if len(reachable) == 1 and to == end else None
        if end in self.near(unit):
            return end
        if start == end or not (self.is_coast(start) and self.is_coast(end)):
            return None
        if not self.routes(start, end, self.sea_fleets):
            return None
        self.by_sea[unit.id] = "always"
        return end

    def _read_convoys(self) -> None:
        own: set[int] = set()
        for number, order in self.order.items():
            if isinstance(order, Convoy) and self._convoy_possible(order):
                army, end = order.of.id, province_of(order.to)
                if self.target.get(army) == end:
                    sea = province_of(self.units[number].at)
                    self.matched_convoys.add(sea)
                    self.carriers.setdefault(army, set()).add(sea)
                    if order.of.power == order.unit.power:
                        own.add(army)
        for army in list(self.target):
            order = self.order[army]
            assert isinstance(order, Move)
            if army not in self.by_sea and order.unit.kind == "A":
                self._choose_way(army, order, own)
            if order.route and army in self.carriers:
                self.carriers[army] &= set(order.route)

    def _convoy_possible(self, order: Convoy) -> bool:
        sea, start, end = province_of(order.unit.at), province_of(order.of.at), province_of(order.to)
        if sea not in self.sea_fleets or order.of.kind != "A" or start == end:
            return False
        if not (self.is_coast(start) and self.is_coast(end)):
            return False
        return any(sea in route for route in self.routes(start, end, self.sea_fleets))

    def _choose_way(self, army: int, order: Move, own: set[int]) -> None:
        """An army that could walk: does it go by sea?"""
        offered = bool(self.carriers.get(army))
        choice = self.rules.adjacent_convoy.value
        if choice == "swap-only":
            other = self.unit_in.get(self.target[army])
            sails = offered and other is not None and self.target.get(other) == province_of(order.unit.at)
        elif choice == "intent":
            sails = army in own or (order.via and offered)
        elif choice == "own-fleet-or-via":
            sails = army in own or order.via
        else:
            sails = order.via
        if not sails:
            return
        if self.rules.land_fallback.value == "yes":
            self.by_sea[army] = "if possible"
        elif self.routes(province_of(order.unit.at), self.target[army], self.sea_fleets):
            self.by_sea[army] = "always"
        else:
            del self.target[army]
            self.refused.add(army)

    def _read_supports(self) -> None:
        for number, order in self.order.items():
            if isinstance(order, Support):
                other = order.of.id
                into = province_of(order.to or order.of.at)
                if self.enters(order.unit, into) and self._support_matches(order, other, into):
                    self.supports[number] = (other, into, order.to is not None)

    def _support_matches(self, order: Support, other: int, into: str) -> bool:
        if order.to is None:
            impossible = other in self.refused and self.rules.impossible_orders.value == "unsupported"
            return other not in self.target and not impossible
        if self.target.get(other) != into or not self._coast_matches(order, other):
            return False
        walks = self.enters(order.of, into) or self.by_sea.get(other) == "if possible"
        sea = province_of(order.unit.at)
        return walks or bool(self.routes(province_of(order.of.at), into, self.sea_fleets - {sea}))

    def _coast_matches(self, order: Support, other: int) -> bool:
        choice, coast = self.rules.support_coast.value, self.coast[other]
        if choice == "ignored" or order.of.kind == "A" or order.to == coast:
            return True
        return choice == "may-be-omitted" and order.to == province_of(coast)


@lru_cache(maxsize=1024)
def _seas_touching(board: Board, province: str) -> set[str]:
    found = set()
    for border in board.borders:
        for here, there in ((border.a, border.b), (border.b, border.a)):
            if "F" in border.kinds and province_of(here) == province:
                found.add(province_of(there))
    return {p for p in found if board.provinces[p].terrain is Terrain.SEA}

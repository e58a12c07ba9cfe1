"""The moves of 1958 a second time, as plainly as can be: every set of moves is tried, and kept if each order fits it.

Shares no code with the adjudicator. It knows orders that are possible by themselves (moves of units ashore and of
fleets, supports, coming aboard, going ashore) on small positions; of several sets that fit it keeps the one in which
most units move, as a ring does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from judge.adjudicate.riding import Aboard, Ashore
from judge.board.model import province_of
from judge.board.position import Position
from judge.orders.model import Move, Order, Support
from judge.variants.calhamer1958 import bases_of, capital_of

MOST = 9
"""Moves of one position: 512 sets of them."""


@dataclass(slots=True)
class Fates:
    """What became of a position."""

    moved: frozenset[int]
    dislodged: frozenset[int]
    aboard: dict[int, int] = field(default_factory=dict)
    """Army -> the fleet that it is aboard afterwards; of those that are not dislodged."""


class Plainly:
    """One position with its orders."""

    def __init__(self, position: Position, orders: Iterable[Order]) -> None:
        self.board = position.board
        self.position = position
        self.units = {unit.id: unit for unit in position.units}
        self.at = {unit.id: province_of(unit.at) for unit in position.units}
        self.riding = {unit.id: unit.aboard for unit in position.units if unit.aboard}
        self.orders = {order.unit.id: order for order in orders}  # type: ignore[union-attr]
        self.moves = {n: o for n, o in self.orders.items() if isinstance(o, Move) and n not in self.riding}
        self._take_back()
        self.boarding = self._boarding()
        self.landing = {
            n: self.riding[n]
            for n, o in self.orders.items()
            if isinstance(o, Ashore) and n in self.riding and self.riding[n] in self.moves
        }
        self.supports = {
            n: o
            for n, o in self.orders.items()
            if isinstance(o, Support) and n not in self.riding and self.at[n] != self.at[o.of.id] and self._is_for(o)
        }

    def _is_for(self, order: Support) -> bool:
        other = order.of.id
        if order.to is None:
            return other not in self.moves and (other not in self.riding or other in self.landing)
        return other in self.moves and self.goal(other) == province_of(order.to)

    def goal(self, unit: int) -> str:
        return province_of(self.moves[unit].to)

    def stacks(self, unit: int, place: str) -> bool:
        """Whether a unit may stand with others of its kind in a place: its capital, its naval base."""
        one = self.units[unit]
        if one.kind == "A":
            return place == capital_of(self.position, one.power)
        return place in bases_of(self.board, one.power)

    def holding(self, place: str) -> list[int]:
        return [n for n, at in self.at.items() if at == place and n not in self.riding]

    def _wants_aboard(self, army: int) -> int:
        order = self.orders.get(army)
        return order.of.id if isinstance(order, Aboard) else 0

    def _take_back(self) -> None:
        """Moves to where the other kind stands and is not ordered out."""
        again = True
        while again:
            again = False
            for unit in list(self.moves):
                place = self.goal(unit)
                if not self.stacks(unit, place):
                    continue
                for each in self.holding(place):
                    one, two = self.units[unit], self.units[each]
                    if one.power != two.power or one.kind == two.kind or self._wants_aboard(each) == unit:
                        continue
                    fleet = self._wants_aboard(each)
                    sails = fleet in self.moves and self.at[each] in (self.at[fleet], self.goal(fleet))
                    if each not in self.moves and not sails:
                        del self.moves[unit]
                        again = True
                        break

    def _boarding(self) -> dict[int, int]:
        wanted = {n: self._wants_aboard(n) for n in self.units if self._wants_aboard(n)}
        full = {
            fleet
            for army, fleet in self.riding.items()
            if not (isinstance(self.orders.get(army), Ashore) and fleet in self.moves)
        }
        return {
            army: fleet
            for army, fleet in wanted.items()
            if fleet in self.moves
            and self.at[army] in (self.at[fleet], self.goal(fleet))
            and list(wanted.values()).count(fleet) == 1
            and fleet not in full
        }

    # -- The equations, given which moves succeed

    def gone(self, unit: int, moved: frozenset[int]) -> bool:
        fleet = self.boarding.get(unit)
        if fleet is not None and self.at[fleet] == self.at[unit]:
            return fleet in moved
        return unit in moved

    def cleared(self, unit: int, moved: frozenset[int]) -> bool:
        """Gone, or taken aboard by a fleet that comes in."""
        return self.boarding[unit] in moved if unit in self.boarding else self.gone(unit, moved)

    def landed(self, army: int, moved: frozenset[int]) -> bool:
        fleet = self.landing.get(army)
        if fleet is None or fleet not in moved:
            return False
        others = [each for each in self.holding(self.at[army]) if each != fleet]
        if self.stacks(army, self.at[army]):
            others = [each for each in others if self.units[each].kind != "A"]
        return all(self.gone(each, moved) for each in others)

    def crawls(self, one: int, two: int) -> bool:
        return self.moves[one].to != self.units[two].at or self.moves[two].to != self.units[one].at

    def opposite(self, one: int, two: int) -> bool:
        """Whether two are ordered to each other's places, along one coast."""
        there = two in self.moves and self.goal(two) == self.at[one] and self.goal(one) == self.at[two]
        return there and not self.crawls(one, two)

    def driven_back(self, unit: int, moved: frozenset[int]) -> bool:
        return unit not in moved and any(
            each in moved and self.goal(each) == self.at[unit] and self.units[each].power != self.units[unit].power
            for each in self.holding(self.goal(unit))
        )

    def others_there(self, unit: int) -> list[int]:
        """Own units of the other kind where a unit goes to stand with those of its own."""
        place = self.goal(unit)
        if not self.stacks(unit, place):
            return []
        one = self.units[unit]
        return [
            n
            for n in self.holding(place)
            if self.units[n].power == one.power and self.units[n].kind != one.kind and self.boarding.get(n) != unit
        ]

    def cut(self, supporter: int, moved: frozenset[int]) -> bool:
        order = self.supports[supporter]
        to = province_of(order.to) if order.to else self.at[order.of.id]
        for unit in self.moves:
            if self.goal(unit) != self.at[supporter] or self.at[unit] == to or self.others_there(unit):
                continue
            own = self.units[unit].power == self.units[supporter].power
            if own and self.stacks(unit, self.at[supporter]):
                continue
            if not self.driven_back(unit, moved):
                return True
        return False

    def strength(self, unit: int, moved: frozenset[int], *against: str) -> int:
        places = {
            self.at[n]
            for n, order in self.supports.items()
            if order.of.id == unit and self.units[n].power not in against and not self.cut(n, moved)
        }
        return 1 + len(places)

    def defence(self, place: str, moved: frozenset[int], attacker: int) -> int:
        """The strength of those of other countries who stay in a place; an army that is fetched bars its fleet not."""
        power, found = self.units[attacker].power, [0]
        for each in self.holding(place):
            foreign = self.units[each].power != power and self.boarding.get(each) != attacker
            if foreign and not self.gone(each, moved):
                found.append(1 if each in self.moves else self.strength(each, moved))
        for army in self.landing:
            if self.at[army] == place and self.units[army].power != power and self.landed(army, moved):
                found.append(self.strength(army, moved))
        return max(found)

    def victims(self, place: str, moved: frozenset[int], attacker: int) -> set[str]:
        """Whose units would be driven out of a place: those that stay, and who is aboard them."""
        stays = [n for n in self.holding(place) if not self.gone(n, moved) and self.boarding.get(n) != attacker]
        stays += [n for n in self.landing if self.at[n] == place and self.landed(n, moved)]
        stays += [n for n, fleet in self.riding.items() if fleet in stays and n not in stays]
        return {self.units[n].power for n in stays}

    def together(self, one: int, two: int) -> bool:
        a, b = self.units[one], self.units[two]
        return a.power == b.power and a.kind == b.kind and self.stacks(one, self.goal(one))

    def succeeds(self, unit: int, moved: frozenset[int]) -> bool:
        one, place = self.units[unit], self.goal(unit)
        there = [n for n in self.holding(place) if self.boarding.get(n) != unit]
        ours = self.strength(unit, moved)
        for each in self.holding(place):
            if self.units[each].power == one.power and self.opposite(unit, each):
                return False
        for each in there:
            if self.units[each].power != one.power:
                continue
            joined = self.stacks(unit, place) and self.units[each].kind == one.kind
            if not joined and not self.cleared(each, moved):
                return False
        beside = self.stacks(unit, place) and one.kind == "A"
        for army in self.landing if not beside else ():
            if self.at[army] == place and self.units[army].power == one.power and self.landed(army, moved):
                return False
        for each in there:
            power = self.units[each].power
            if power != one.power and self.opposite(unit, each):
                aboard = {self.units[n].power for n, fleet in self.riding.items() if fleet == each}
                against = 0 if one.power in aboard else self.strength(unit, moved, power, *aboard)
                if against <= self.strength(each, moved):
                    return False
        held = self.defence(place, moved, unit)
        if held:
            victims = self.victims(place, moved, unit)
            against = 0 if one.power in victims else self.strength(unit, moved, *victims)
            if against <= held:
                return False
            ours = against
        for rival in self.moves:
            if rival == unit or self.goal(rival) != place or self.together(unit, rival):
                continue
            if self.driven_back(rival, moved) or not all(
                self.cleared(each, moved) for each in self.others_there(rival)
            ):
                continue
            if ours <= self.strength(rival, moved):
                return False
        return True

    # -- What comes of it

    def fitting(self) -> Iterator[frozenset[int]]:
        """Every set of moves that fits itself."""
        units = sorted(self.moves)
        for chosen in product((True, False), repeat=len(units)):
            moved = frozenset(n for n, moves in zip(units, chosen, strict=True) if moves)
            if all(self.succeeds(unit, moved) == (unit in moved) for unit in units):
                yield moved

    def fates(self) -> Fates | None:
        """What becomes of the position; None where too many move, nothing fits, or several sets of as many moves do."""
        if len(self.moves) > MOST:
            return None
        found = sorted(self.fitting(), key=len, reverse=True)
        if not found or (len(found) > 1 and len(found[0]) == len(found[1])):
            return None
        return self._fates(found[0])

    def _fates(self, moved: frozenset[int]) -> Fates:
        beaten: set[int] = set()
        for unit in moved:
            place = self.goal(unit)
            stays = [n for n in self.holding(place) if not self.cleared(n, moved)]
            stays += [n for n in self.landing if self.at[n] == place and self.landed(n, moved)]
            beaten |= {n for n in stays if self.units[n].power != self.units[unit].power}
        beaten |= {army for army, fleet in self.riding.items() if fleet in beaten and not self.landed(army, moved)}
        aboard = {army: fleet for army, fleet in self.riding.items() if not self.landed(army, moved)}
        aboard |= {army: fleet for army, fleet in self.boarding.items() if fleet in moved}
        return Fates(moved, frozenset(beaten), {army: fleet for army, fleet in aboard.items() if army not in beaten})

"""What a season costs, and who goes short: clauses 7 and 8.

Acts are paid for in a fixed order: retreats; defence, land before sea, stands before supports; attacks, land before
sea, moves before supports; bombers, defence before attack. Among acts of one rank the player's own list decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from judge.languages import tell

Rank = tuple[int, int, int]
RETREATING, DEFENDING, ATTACKING, FLYING = 1, 2, 3, 4


class Charge(NamedTuple):
    """What an act costs. `need`: what has to be at hand for it, `cost`: what is paid in the end."""

    country: str
    unit: int
    act: str
    """ "move", "stand", "support", "convoy", "raid" or "cover"."""
    rank: Rank
    cost: int
    need: int
    about: str
    """For the ledger."""


class Purse:
    """The points of a season, shared by its two parts and the bombers."""

    def __init__(self, points: Mapping[str, int], free: frozenset[str], ties: Mapping[str, tuple[int, ...]]) -> None:
        self.points = dict(points)
        self.free = free
        """Countries that always have enough: minor countries that nobody controls."""
        self.ties = ties
        """Country -> the units that are paid for first."""
        self.floor: dict[str, Rank] = {}
        """Country -> the rank at which it went short: nothing of a lower one is paid any more."""
        self.reserved: Counter[str] = Counter()
        self.aside: dict[tuple[str, Rank], int] = {}
        """What was at hand for attackers of empty spaces and was not needed: it pays for acts of their rank, and for
        retreats, but for nothing of a lower rank.
        """
        self.spent: Counter[str] = Counter()
        self.paid: list[Charge] = []
        self.short: list[Charge] = []
        self.why: list[str] = []
        """Of each that went short, why."""
        self._at_hand = 0

    def reserve(self, countries: Iterable[str]) -> None:
        """Keep a point for each retreat, as far as there are any."""
        for country in countries:
            if country not in self.free and self.for_retreats(country) > 0:
                self.reserved[country] += 1

    def left(self, country: str) -> int:
        """What is neither spent nor kept for retreats, nor set aside."""
        return self.for_retreats(country) - sum(n for (whose, _), n in self.aside.items() if whose == country)

    def for_retreats(self, country: str) -> int:
        """What is neither spent nor kept for retreats."""
        return self.points.get(country, 0) - self.spent[country] - self.reserved[country]

    def first_short(self, charges: Iterable[Charge], order: Mapping[str, int]) -> Charge | None:
        """The first act that cannot be paid for; None: all can."""
        return self._go_through(charges, order)[0]

    def pay(self, charges: Iterable[Charge], order: Mapping[str, int]) -> None:
        """Pay for acts that can be paid for."""
        short, paid, self.aside = self._go_through(charges, order)
        assert short is None
        for charge in paid:
            self.spent[charge.country] += charge.cost
        self.paid += [charge for charge in paid if charge.cost]

    def lack(self, charge: Charge, *, at_hand: int | None = None) -> None:
        """Note that an act cannot be paid for. `at_hand`: what was left for it; None: as `first_short` found."""
        self._at_hand = self._at_hand if at_hand is None else at_hand
        self.short.append(charge)
        floor = self.floor.get(charge.country)
        first = floor is None or charge.rank <= floor
        had = (
            tell("it takes {need}, and {at_hand} was left", need=charge.need, at_hand=self._at_hand)
            if self._at_hand == 1
            else tell("it takes {need}, and {at_hand} were left", need=charge.need, at_hand=self._at_hand)
        )
        self.why.append(had if first else tell("nor is what goes before it"))
        known = self.floor.get(charge.country, charge.rank)
        self.floor[charge.country] = min(known, charge.rank)

    def _go_through(
        self, charges: Iterable[Charge], order: Mapping[str, int]
    ) -> tuple[Charge | None, list[Charge], dict[tuple[str, Rank], int]]:
        """The first act that cannot be paid for; those that can; what is set aside then."""
        left: dict[str, int] = {}
        aside = dict(self.aside)
        paid: list[Charge] = []
        for charge in sorted(charges, key=lambda each: (each.rank, order[each.country], self.tie(each), each.act)):
            country = charge.country
            if country in self.free:
                continue
            floor = self.floor.get(country)
            here = left.setdefault(country, self.left(country))
            spare = aside.get((country, charge.rank), 0)
            if (floor is not None and charge.rank > floor) or here + spare < charge.need:
                self._at_hand = max(0, here + spare)
                return charge, paid, aside
            taken = min(spare, charge.need)
            aside[country, charge.rank] = spare - taken + charge.need - charge.cost
            left[country] = here - (charge.need - taken)
            paid.append(charge)
        return None, paid, aside

    def tie(self, charge: Charge) -> tuple[int, int]:
        """The place of an act among equals: by the player's list, then by the number of its unit."""
        named = self.ties.get(charge.country, ())
        return named.index(charge.unit) if charge.unit in named else len(named), charge.unit

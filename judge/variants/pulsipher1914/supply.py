"""Supply lines: clause 9. A line leads from a unit, or from a centre, to the capital of its country.

Every space of it is free or held by a friend, and no centre of others. A free space that is no centre may not lie
beside a unit of others that could move there, unless it is the first space behind the start or lies at home.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from judge.board.figures import neighbours
from judge.board.model import province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.variants.pulsipher1914.state import BOMBER, MINORS, WATCHLESS, CountryState, is_home

Friendly = Callable[[str, str], bool]
"""(country, to whom) -> whether it is friendly."""


class Break(NamedTuple):
    """Where a line breaks: "held" by a unit, "watched" by one, or a "centre" of others."""

    code: str
    why: str
    unit: Unit | None = None


class Supply:
    """The lines of one country in a position."""

    def __init__(self, state: CountryState, country: str, units: Iterable[Unit], friendly: Friendly) -> None:
        self.state = state
        self.position: Position = state.position
        self.watchless = bool(self.position.board.facts.get(WATCHLESS))
        self.country = country
        self.capital = state.capital(country)
        self.near = neighbours(self.position.board)
        self.friendly = friendly
        self.units = tuple(units)

    def _is_friend(self, other: str) -> bool:
        return other == self.country or self.friendly(other, self.country)

    def _is_watchless(self, country: str) -> bool:
        """Whether its units only bar the space in which they stand, because nobody leads them."""
        return self.watchless and country in MINORS and not self.state.controller(country)

    @cached_property
    def held(self) -> Mapping[str, bool]:
        """Space in which units stand, bombers too -> whether all of them are friends."""
        found: dict[str, bool] = {}
        for unit in self.units:
            code = province_of(unit.at)
            found[code] = found.get(code, True) and self._is_friend(unit.power)
        return found

    @cached_property
    def watched(self) -> frozenset[str]:
        """Spaces to which a unit of others could move."""
        board = self.position.board
        return frozenset(
            province_of(to)
            for unit in self.units
            if unit.kind != BOMBER and not self._is_friend(unit.power) and not self._is_watchless(unit.power)
            for to in board.reach(unit.kind, unit.at)
        )

    def is_open(self, code: str) -> bool:
        """Whether a line may lead through a space, were it the first."""
        province = self.position.board.provinces[code]
        if not self.held.get(code, True):
            return False
        return not province.centre or self._is_friend(self.position.owners.get(code, ""))

    def is_safe(self, code: str) -> bool:
        """Whether a line may lead through a space that is not its first."""
        if not self.is_open(code):
            return False
        board = self.position.board
        if code in self.held or board.provinces[code].centre or is_home(board, code, self.country):
            return True
        return code not in self.watched

    @cached_property
    def _onward(self) -> dict[str, str]:
        """Space from which a line leads on to the capital -> the next space of it."""
        if not self.capital or not self.is_open(self.capital):
            return {}
        found = {self.capital: ""}
        edge = [self.capital]
        while edge:
            new: list[str] = []
            for code in edge:
                for other in sorted(self.near[code]):
                    if other not in found and self.is_safe(other):
                        found[other] = code
                        new.append(other)
            edge = new
        return found

    def line(self, start: str) -> tuple[str, ...] | None:
        """The spaces of the shortest line from a start to the capital, both included; None: there is no line."""
        if not self.capital:
            return None
        if start == self.capital:
            return (start,)
        near = sorted(self.near[start])
        found = [self._path(first) for first in near if first in self._onward]
        for first in near:
            if first not in self._onward and self.is_open(first):
                found += [(first, *self._path(second)) for second in sorted(self.near[first]) if second in self._onward]
        return (start, *min(found, key=len)) if found else None

    def broken(self, start: str) -> tuple[str, ...]:
        """The way home from a start that has no line as far as it leads, and behind it the space that bars it: of all
        ways the one that is barred least. (): there is no capital.
        """
        if not self.capital:
            return ()
        found: dict[str, str] = {}
        edge = [(0, 0, start, "")]
        while edge:
            barred, steps, code, before = heappop(edge)
            if code in found:
                continue
            found[code] = before
            if code == self.capital:
                break
            for other in self.near[code]:
                heappush(edge, (barred + self._bars(other, first=not steps), steps + 1, other, code))
        way = [self.capital]
        while way[-1] != start:
            way.append(found[way[-1]])
        way.reverse()
        passing = (self.is_safe(code) if n else self.is_open(code) for n, code in enumerate(way[1:]))
        first = next((n for n, passes in enumerate(passing) if not passes), len(way) - 2)
        return tuple(way[: first + 2])

    def _bars(self, code: str, *, first: bool) -> int:
        """How much a space bars a line: 0, 1 where it is only watched, 2 where it is held or a centre of others."""
        if self.is_safe(code) or (first and self.is_open(code)):
            return 0
        return 2 - self.is_open(code)

    def broken_at(self, start: str) -> Break | None:
        """Where the line from a start breaks, and why; None: there is no capital."""
        way = self.broken(start)
        return self._why(way[-1]) if way else None

    def _why(self, code: str) -> Break:
        """Why a line may not lead through a space."""
        strangers = [unit for unit in self.units if not self._is_friend(unit.power)]
        if not self.held.get(code, True):
            return Break(code, "held", next(unit for unit in strangers if province_of(unit.at) == code))
        if not self.is_open(code):
            return Break(code, "centre")
        board = self.position.board
        who = (u for u in strangers if u.kind != BOMBER and code in map(province_of, board.reach(u.kind, u.at)))
        return Break(code, "watched", next(who, None))

    def _path(self, code: str) -> tuple[str, ...]:
        found = [code]
        while code := self._onward[code]:
            found.append(code)
        return tuple(found)

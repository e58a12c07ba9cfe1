"""What 1914 remembers, in one place: points, factors, who controls whom, alliances, capitals, permissions.

Points are accounts of a position. Everything else are its marks: of a country (`FRANCE`), of a pair (`FRANCE/ITALY`:
the factors of the first in the second; of two Great Powers: allies), of a space, and permissions (`permit/...`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from judge.board.position import Position
from judge.board.unit import Unit
from judge.variants.pulsipher1914.table import FIRST_YEAR, GREATS, MINORS, first_capital

POINTS = "points"
CONTROLLER, FACTORS, LEVEL, GRANTED, ALLIES = "controller", "factors", "level", "granted", "allies"
CAPITAL, CAPITAL_LOST, TIES, BOOK, BOMBED, FREED = "capital", "capital_lost", "ties", "book", "bombed", "freed"
CAPITAL_OPEN = "capital_open"
"""Of a country whose capital was not named, but is the first that was left: another may still be."""
PARTNER, SURRENDERED = "partner", "surrendered"
RETREATED, VISITING = "retreated", "visiting"
SPENT = "spent"
NO_CAPITAL = "none"
PERMIT = "permit"


class Permit(NamedTuple):
    """Leave for one unit to enter a centre without capture, to retreat or to be based there."""

    by: str
    to: str
    unit: str
    space: str
    purpose: str
    """ "occupy", "retreat" or "base"."""


class CountryState:
    """The marks and accounts of a position, while they are changed."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.marks = {key: dict(marks) for key, marks in position.marks.items()}
        self.points = {key: purse.get(POINTS, 0) for key, purse in position.accounts.items()}

    def get(self, key: str, name: str) -> str:
        """What is remembered, or ""."""
        return self.marks.get(key, {}).get(name, "")

    def put(self, key: str, name: str, value: str) -> None:
        """Remember something; "": nothing any more."""
        entry = self.marks.setdefault(key, {})
        if value:
            entry[name] = value
        else:
            entry.pop(name, None)

    def applied(self, position: Position) -> Position:
        """A position with these marks and accounts in place of its own."""
        marks = {key: MappingProxyType(entry) for key, entry in self.marks.items() if entry}
        accounts = {key: MappingProxyType({POINTS: amount}) for key, amount in self.points.items()}
        return replace(position, marks=MappingProxyType(marks), accounts=MappingProxyType(accounts))

    # -- Control and factors

    def controller(self, minor: str) -> str:
        """Who controls a minor country, or ""."""
        return self.get(minor, CONTROLLER)

    def player(self, country: str) -> str:
        """The Great Power that orders a country: itself, or who controls it; "": nobody."""
        return country if country in GREATS else self.controller(country)

    def factors(self, player: str, minor: str) -> int:
        """The factors of a player in a minor country."""
        return int(self.get(f"{player}/{minor}", FACTORS) or 0)

    def set_factors(self, player: str, minor: str, total: int) -> None:
        """Let a player have so many factors there."""
        self.put(f"{player}/{minor}", FACTORS, str(total) if total else "")

    def level(self, minor: str, year: int) -> int:
        """The activation level in a year; clause 16.C."""
        if self.get(minor, LEVEL):
            return int(self.get(minor, LEVEL))
        return max(1, MINORS[minor].level - max(0, year - FIRST_YEAR))

    # -- Friends

    def are_allies(self, one: str, other: str) -> bool:
        """Whether two countries are allies: of one player, or of two that declared it."""
        hands = self.player(one) or one, self.player(other) or other
        return hands[0] == hands[1] or bool(self.get("/".join(sorted(hands)), ALLIES))

    def allies(self) -> Iterator[tuple[str, str]]:
        """The pairs of Great Powers that declared each other allies for this year."""
        for key, entry in self.marks.items():
            if entry.get(ALLIES):
                one, _, other = key.partition("/")
                yield one, other

    # -- Permissions

    def permits(self) -> Iterator[Permit]:
        """All permissions that stand."""
        for key in self.marks:
            if key.startswith(f"{PERMIT}/"):
                _, by, to, unit, space, purpose = key.split("/", 5)
                yield Permit(by, to, unit, space, purpose)

    def permit(self, permit: Permit) -> None:
        """Let a permission stand."""
        self.put("/".join((PERMIT, *permit)), PERMIT, "yes")

    def end_season(self) -> None:
        """Permissions, and the lists of who is paid first, are for one season of moves; nor is another capital named
        after it, where somebody could have.
        """
        for permit in tuple(self.permits()):
            del self.marks["/".join((PERMIT, *permit))]
        for entry in self.marks.values():
            entry.pop(TIES, None)
        for country in (*GREATS, *MINORS):
            if self.player(country):
                self.put(country, CAPITAL_OPEN, "")

    def may(self, unit: Unit, space: str, purpose: str) -> bool:
        """Whether the owner of a centre permits it to a unit."""
        owner = self.position.owners.get(space, "")
        names = {unit.power, self.player(unit.power)}
        owners = {owner, self.player(owner)} if owner else set()
        name = f"{unit.kind} {unit.at.partition('/')[0]}"
        return any(
            permit.space == space
            and permit.purpose == purpose
            and permit.to in names
            and permit.by in owners
            and permit.unit.partition("/")[0] in (name, "")
            for permit in self.permits()
        )

    def may_retreat(self, unit: Unit, code: str) -> bool:
        """Clause 13: whether a unit may retreat to a space, as far as its owner goes: not to a foreign centre, unless
        that is permitted.
        """
        owner = self.position.owners.get(code, "")
        own = not owner or (self.player(owner) or owner) == (self.player(unit.power) or unit.power)
        return own or self.may(unit, code, "retreat")

    def bases_of_others(self, unit: Unit, bombers: Iterable[Unit]) -> set[str]:
        """Where bombers bar a retreat: a unit stands beside those of its own country and of allies, and no others."""
        return {each.at for each in bombers if not self.are_allies(each.power, unit.power)}

    # -- Capitals

    def capital(self, country: str) -> str:
        """Where the capital of a country is; "": lost, and no other named. A minor country that has no home centre left
        has that of its player.
        """
        code = self.get(country, CAPITAL) or first_capital(self.position.board, country)
        if self.position.owners.get(code) == country:
            return code
        if country in MINORS and (master := self.controller(country)):
            homes = self.position.board.powers[country].homes
            if not any(self.position.owners.get(home) == country for home in homes):
                return self.capital(master)
        return ""

    def name_capital(self, country: str, code: str) -> None:
        """Let a country have a capital from now on."""
        self.put(country, CAPITAL, "" if code == first_capital(self.position.board, country) else code)
        self.put(country, CAPITAL_OPEN, "")

    def must_stand(self, country: str) -> bool:
        """Clause 3: whether a country's capital was taken in the season of moves before that of this phase."""
        phase = self.position.phase
        before = f"F{phase.year - 1}" if phase.season == "S" else f"S{phase.year}"
        return self.get(country, CAPITAL_LOST) == before

    def is_out(self, country: str) -> bool:
        """Whether a Great Power has surrendered."""
        return bool(self.get(country, SURRENDERED))


HAD = "had "
"""How the book of a phase begins: with the points that a country had before it."""


def with_book(state: CountryState, entries: Mapping[str, Iterable[str]], had: Mapping[str, int]) -> None:
    """Write down, for each country, what it had before this phase, and what came in and went out."""
    for country in (*GREATS, *MINORS):
        lines = tuple(entries.get(country, ()))
        state.put(country, BOOK, "\n".join((f"{HAD}{had.get(country, 0)}", *lines)) if lines else "")

"""What 1914 remembers, in one place: points, factors, who controls whom, alliances, capitals, permissions; and its
set-up as data.

Points are accounts of a position. Everything else are its marks: of a country (`FRANCE`), of a pair (`FRANCE/ITALY`:
the factors of the first in the second; of two Great Powers: allies), of a space, and permissions (`permit/...`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from judge.board.figures import neighbours
from judge.board.model import Board, Power, Terrain, UnitKind
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.kinds import ORDERS

KEY = "1914"
BOMBER = "B"
FIRST_YEAR = 1914


@dataclass(frozen=True, slots=True)
class Great:
    """A Great Power: clause 1."""

    capital: str
    start: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Minor:
    """A row of the table of minor countries: clause 16."""

    level: int
    """Political factors that it takes to activate it in 1914, above those of the next."""
    factors: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    homes: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    barred: str = ""
    """Who may not control it."""


GREATS: Mapping[str, Great] = MappingProxyType({
    "AUSTRIA": Great("VIE", ("A VIE", "A BUD", "F TRI"), 10),
    "ENGLAND": Great("LON", ("A LVP", "F LON", "F EDI", "F EAS"), 15),
    "FRANCE": Great("PAR", ("F BRE", "A MAR", "A PAR", "A NAF"), 15),
    "GERMANY": Great("BER", ("F KIE", "A BER", "A MUN", "A RUH"), 20),
    "RUSSIA": Great("MOS", ("A SEV", "A WAR", "A STP"), 15),
})  # fmt: skip


def _small(code: str, level: int, barred: str = "", **factors: int) -> Minor:
    return Minor(level, MappingProxyType(factors), (code,), (f"A {code}",), barred)


MINORS: Mapping[str, Minor] = MappingProxyType({
    "BELGIUM": _small("BEL", 9, "GERMANY", FRANCE=2),
    "BULGARIA": _small("BUL", 8, AUSTRIA=4, GERMANY=2),
    "DENMARK": _small("DEN", 15),
    "GREECE": _small("GRE", 10, ENGLAND=2, FRANCE=2),
    "HOLLAND": _small("HOL", 12),
    "ITALY": Minor(
        13,
        MappingProxyType({"ENGLAND": 5, "GERMANY": 2}),
        ("ROM", "VEN", "NAP", "TUN"),
        ("A TUN", "A VEN", "F NAP"),
        "AUSTRIA",
    ),
    "NORWAY": _small("NWY", 15),
    "PORTUGAL": _small("POR", 6, ENGLAND=4),
    "RUMANIA": _small("RUM", 10, AUSTRIA=2, GERMANY=2, RUSSIA=2),
    "SERBIA": _small("SER", 6, "AUSTRIA", ENGLAND=2, FRANCE=2, RUSSIA=6),
    "SPAIN": _small("SPA", 13),
    "SWEDEN": _small("SWE", 15),
    "TURKEY": Minor(
        9,
        MappingProxyType({"ENGLAND": 2, "FRANCE": 2, "GERMANY": 8}),
        ("CON", "ANK", "SMY"),
        ("A CON", "A ANK"),
        "RUSSIA",
    ),
})  # fmt: skip

GROUPS = (frozenset({"BELGIUM", "DENMARK", "HOLLAND", "NORWAY", "SWEDEN"}), frozenset({"SPAIN", "PORTUGAL"}))
"""Minor countries that take an attack on one of them as one on all: clause 16.I."""
PAIRS = {"TURKEY": (("A CON", "A ANK"), "SMY"), "ITALY": (("A VEN", "F NAP"), "ROM")}
"""Semi-active minor countries: the two units that move, and where to: clause 16.M."""
ADJECTIVES = {
    "BELGIUM": "Belgian", "BULGARIA": "Bulgarian", "DENMARK": "Danish", "GREECE": "Greek", "HOLLAND": "Dutch",
    "ITALY": "Italian", "NORWAY": "Norwegian", "PORTUGAL": "Portuguese", "RUMANIA": "Rumanian", "SERBIA": "Serbian",
    "SPAIN": "Spanish", "SWEDEN": "Swedish", "TURKEY": "Turkish",
}  # fmt: skip
COUNTRIES = (*GREATS, *MINORS)
_CALLED = {"AUSTRIA-HUNGARY": "AUSTRIA", "HUNGARY": "AUSTRIA", "BRITAIN": "ENGLAND", "UK": "ENGLAND",
           "ROMANIA": "RUMANIA", "NETHERLANDS": "HOLLAND"}  # fmt: skip
WATCHLESS, HOME_SIX = "watchless-minors", "minor-home-six"
"""Options of a game, as facts of its board: units of minor countries that nobody leads watch no spaces; the home
centres of those that are led yield six to them.
"""
AIR = UnitKind(BOMBER, "Bomber", frozenset({Terrain.INLAND, Terrain.COAST}))


def country_called(word: str) -> str:
    """The country that a word names, in full or by its first letters, three at least; "": none."""
    name = word.upper().strip(".,;:")
    if name in _CALLED or name in COUNTRIES:
        return _CALLED.get(name, name)
    found = [country for country in COUNTRIES if len(name) > 2 and country.startswith(name)]
    return found[0] if len(found) == 1 else ""


@lru_cache(maxsize=8)
def redrawn(board: Board, key: str, options: tuple[str, ...] = ()) -> Board:
    """The board of 1914 with the options of a game; the standard board becomes it. Any other stays as it is."""
    if any(power not in board.powers for power in GREATS):
        return board
    facts = {**board.facts, ORDERS: key, **dict.fromkeys(options, True)}
    if all(power in board.powers for power in MINORS):
        return replace(board, facts=facts)
    powers: dict[str, Power] = {}
    for name, great in GREATS.items():
        powers[name] = replace(board.powers[name], start=great.start, facts={"capital": great.capital})
    for name, minor in MINORS.items():
        known = board.powers.get(name)
        base = known or replace(
            board.powers["AUSTRIA"],
            key=name,
            name=name.title(),
            adjective=ADJECTIVES[name],
            aliases=(),
            letter=name.title()[:2],
            colour="",
        )
        powers[name] = replace(
            base, homes=minor.homes, start=minor.start, minor=True, facts={"capital": minor.homes[0]}
        )
    lands = {home: name for name, minor in MINORS.items() for home in minor.homes}
    provinces = {
        code: replace(each, territory=lands[code]) if code in lands else each for code, each in board.provinces.items()
    }
    return replace(
        board,
        powers=powers,
        provinces=provinces,
        kinds={**board.kinds, BOMBER: AIR},
        first_phase=Phase.read(f"W{FIRST_YEAR - 1}A"),
        victory=10,
        facts=facts,
    )


@lru_cache(maxsize=4096)
def spaces_within(board: Board, start: str, steps: int) -> frozenset[str]:
    """Provinces that are so many steps away, or fewer, over land and sea."""
    near, seen = neighbours(board), {start}
    edge = seen
    for _ in range(steps):
        edge = {other for code in edge for other in near[code]} - seen
        seen = seen | edge
    return frozenset(seen)


def is_home(board: Board, code: str, country: str) -> bool:
    """Whether a province lies in the home country of a country."""
    return board.provinces[code].territory == country


def first_capital(board: Board, country: str) -> str:
    """The capital with which a country begins."""
    return str(board.powers[country].facts["capital"])


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

"""The set-up of 1914 as data: five Great Powers, thirteen minor countries, and the standard board redrawn for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from judge.board.figures import neighbours
from judge.board.model import Board, Power, Terrain, UnitKind
from judge.board.phase import Phase
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

"""The board as facts: provinces, coasts, borders, powers. No rules live here.

A *province* is named by its code ("STP"). A *location* is where a unit can stand: a province code,
or for a fleet in a two-coast province the code with its coast ("STP/SC"). Both are plain upper-case
strings, so that they hash fast, print well and need no translation in JSON.

Kinds of units, and what they stand on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from judge.board.phase import Phase
from judge.languages import SPOKEN, tell, told_later


class Terrain(StrEnum):
    """What a province is made of."""

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"


@dataclass(frozen=True, slots=True)
class UnitKind:
    """A kind of unit that the board or a rule system declares: letter "A", name "Army"."""

    letter: str
    name: str
    stands: frozenset[Terrain] = frozenset(Terrain)
    """What it may stand on."""
    coasts: bool = False
    """Whether, in a province with several coasts, it stands at one of them."""
    carries: frozenset[str] = frozenset()
    """Letters of the kinds that it carries over the sea (XII)."""


ARMY = UnitKind("A", "Army", frozenset({Terrain.INLAND, Terrain.COAST}))
FLEET = UnitKind("F", "Fleet", frozenset({Terrain.COAST, Terrain.SEA}), coasts=True, carries=frozenset({"A"}))
KINDS: Mapping[str, UnitKind] = MappingProxyType({kind.letter: kind for kind in (ARMY, FLEET)})
"""The kinds that every board knows; it may give them other names, and add kinds of its own."""


Location = str
"""Where a unit stands or goes: "PAR", "STP/SC"."""


def province_of(location: Location) -> str:
    """The province of a location.

    >>> province_of("STP/SC"), province_of("PAR")
    ('STP', 'PAR')
    """
    return location if len(location) == 3 else location.partition("/")[0]


def coast_of(location: Location) -> str | None:
    """The coast of a location, or None where it names none.

    >>> coast_of("STP/SC"), coast_of("STP")
    ('SC', None)
    """
    return location.partition("/")[2] or None


Fact = str | int | bool | tuple[str, ...] | Mapping[str, int]
"""A plain fact from a board's file, kept for the variant that knows its meaning."""


@dataclass(frozen=True, slots=True)
class Province:
    """One space of the board. `coasts` is empty unless fleets must name one of several ("NC", "SC")."""

    code: str
    name: str
    terrain: Terrain
    centre: bool = False
    coasts: tuple[str, ...] = ()
    territory: str | None = None
    """The power inside whose frontier it lies, if any."""
    aliases: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Plain facts a variant may ask for, such as continent = "Africa"."""
    abroad: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Language -> its names there: letters say the first, all are read where they stand in full, never guessed."""

    def locations(self) -> tuple[Location, ...]:
        """Where fleets can stand here: one location a coast, or the province itself."""
        return tuple(f"{self.code}/{coast}" for coast in self.coasts) or (self.code,)


@dataclass(frozen=True, slots=True)
class Closure:
    """Seasons in which a border is closed to some kinds of unit, and the sentence that says so."""

    seasons: tuple[str, ...]
    kinds: tuple[str, ...]
    why: str

    def bars(self, kind: str, season: str) -> Closure | None:
        """This closure, if it holds for a kind of unit in a season ("": in any)."""
        return self if kind in self.kinds and (not season or season in self.seasons) else None


@dataclass(frozen=True, slots=True)
class Border:
    """Two neighbouring locations, and the kinds of unit (letters) that may pass, either way."""

    a: Location
    b: Location
    kinds: frozenset[str]
    closures: tuple[Closure, ...] = ()

    def closed(self, season: str) -> Iterator[tuple[str, ...]]:
        """The kinds of unit that may not pass in a season."""
        return (closure.kinds for closure in self.closures if season in closure.seasons)


COLOURS = (
    *("red", "dark blue", "light blue", "black", "green", "white", "yellow"),
    *("orange", "purple", "brown", "pink", "grey", "turquoise", "blue", "red-white-blue"),
)
"""The colours that a power may have; pictures make one up for a power that has none."""


@dataclass(frozen=True, slots=True)
class Power:
    """A power of the board. `start` holds lines like "F STP/SC"."""

    key: str
    """Upper case, used everywhere as the power's identity: "FRANCE"."""
    name: str
    adjective: str
    letter: str
    homes: tuple[str, ...]
    start: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    colour: str = ""
    minor: bool = False
    """Has units and centres but no seat of its own."""
    facts: Mapping[str, Fact] = field(default_factory=lambda: MappingProxyType({}))
    """Further facts a variant may ask for, such as capital = "PAR"."""

    @property
    def told(self) -> str:
        """Its name in the language that is spoken; in a line to be sent it stands in English."""
        return tell(self.name)

    @property
    def laid_up(self) -> tuple[str, ...]:
        """Those of the first units that may not leave their places in the first year, as lines of `start`. Until when,
        and what else they may not do, say the rules (`judge.rules.questions.Questions.barred`).
        """
        return _texts(self.facts, "laid_up")


@dataclass(frozen=True, eq=False)
class Board:
    """All facts of one board. Compared by identity: one board is loaded once (`judge.board.load`)."""

    key: str
    """Its folder under maps/: "standard"."""
    title: str
    provinces: Mapping[str, Province]
    powers: Mapping[str, Power]
    borders: tuple[Border, ...]
    first_phase: Phase
    victory: int
    """Centres that win."""
    impassable: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Names on the board that nobody may enter -> the sentence that says so."""
    ambiguous: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Short forms with several meanings -> province codes."""
    reconstruction: str = ""
    """Empty, or the label that every letter and picture of this board must carry."""
    kinds: Mapping[str, UnitKind] = field(default_factory=lambda: KINDS)
    last_phase: Phase | None = None
    """The phase with which a game ends at the latest, unless its settings say otherwise; None: when somebody wins."""
    not_played: Mapping[str, Power] = field(default_factory=lambda: MappingProxyType({}))
    """Powers that a rule system takes off the board; their names are known, so that a line for one can be answered."""
    facts: Mapping[str, Fact] = field(default_factory=lambda: MappingProxyType({}))
    """Further facts a variant may ask for."""

    def begun_in(self, year: int) -> Board:
        """This board with another first year, and the same number of years until its end; 0: its own."""
        later = year - self.first_phase.year if year else 0
        if not later:
            return self
        first, last = self.first_phase, self.last_phase
        return replace(
            self,
            first_phase=first._replace(year=first.year + later),
            last_phase=last and last._replace(year=last.year + later),
        )

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """Codes of all supply centres, in the board's order."""
        return tuple(code for code, province in self.provinces.items() if province.centre)

    @cached_property
    def home_of(self) -> Mapping[str, str]:
        """Home centre -> the power whose home it is."""
        return {home: power.key for power in self.powers.values() for home in power.homes}

    @cached_property
    def ridges(self) -> frozenset[tuple[str, ...]]:
        """(from, through, to): whoever came over the first border in the moves before does not go on over the second.
        Whom that binds, and when, say the rules (`judge.rules.questions.Questions.barred`).
        """
        lines = [tuple(line.split()) for line in _texts(self.facts, "ridges")]
        return frozenset((*lines, *(line[::-1] for line in lines)))

    @cached_property
    def railways(self) -> tuple[tuple[str, ...], ...]:
        """The provinces of each line in order, both ways: who may travel on them say the rules."""
        lines = [tuple(line.split()) for line in _texts(self.facts, "railways")]
        return (*lines, *(line[::-1] for line in lines))

    @cached_property
    def _reach(self) -> dict[str, Mapping[tuple[str, Location], tuple[Location, ...]]]:
        """Season -> what `reach` answers; filled as it is asked."""
        return {}

    def reach(self, kind: str, location: Location, season: str = "") -> tuple[Location, ...]:
        """Where a unit of this kind can walk or sail from here in one move, unopposed: in a season ("S", "F"), or "":
        over any border, closed at times or not.

        Armies are asked for and answered with provinces, fleets with locations (coasts).
        """
        season = season if self.has_closures else ""
        ways = self._reach.get(season)
        if ways is None:
            ways = self._reach[season] = self._ways(season)
        return ways.get((kind, location), ())

    @cached_property
    def has_closures(self) -> bool:
        """Whether some border is closed at times."""
        return any(border.closures for border in self.borders)

    def _ways(self, season: str) -> Mapping[tuple[str, Location], tuple[Location, ...]]:
        ways: dict[tuple[str, Location], list[Location]] = {}
        for border in self.borders:
            for kind in sorted(border.kinds.difference(*border.closed(season))):
                ways.setdefault((kind, border.a), []).append(border.b)
                ways.setdefault((kind, border.b), []).append(border.a)
        return {key: tuple(sorted(targets)) for key, targets in ways.items()}

    def line(self, kind: str, here: Location, there: Location) -> tuple[str, ...]:
        """The places through which a railway takes a unit to a place beyond its own reach, that place included; () if
        none does. Only kinds that are convoyed travel by rail.
        """
        start, goal = province_of(here), province_of(there)
        if kind not in self.carried or goal in self.reach(kind, here):
            return ()
        for line in self.railways:
            if start in line and goal in line[line.index(start) + 1 :]:
                return line[line.index(start) + 1 : line.index(goal) + 1]
        return ()

    @cached_property
    def _between(self) -> Mapping[frozenset[str], tuple[Border, ...]]:
        """Two provinces -> the borders between them."""
        found: dict[frozenset[str], tuple[Border, ...]] = {}
        for border in self.borders:
            ends = frozenset((province_of(border.a), province_of(border.b)))
            found[ends] = (*found.get(ends, ()), border)
        return found

    def closure(self, kind: str, here: Location, there: Location, season: str = "") -> Closure | None:
        """What bars units of a kind from one place to the other in a season ("": at times), whatever the coasts; None
        where they may pass, or never may.
        """
        if not self.has_closures:
            return None
        ends = frozenset((province_of(here), province_of(there)))
        between = [border for border in self._between.get(ends, ()) if kind in border.kinds]
        barring = [next(filter(None, (each.bars(kind, season) for each in b.closures)), None) for b in between]
        return barring[0] if barring and all(barring) else None

    def can_stand(self, kind: str, location: Location) -> bool:
        """Whether a unit of this kind may be at this location at all."""
        province = self.provinces.get(province_of(location))
        if province is None or province.terrain not in self.kinds[kind].stands:
            return False
        return location in province.locations() if self.kinds[kind].coasts else location == province.code

    def standings(self, kind: str, province: str) -> tuple[Location, ...]:
        """Where in a province a unit of this kind can stand: at each of several coasts, or in the province."""
        known = self.provinces[province]
        if known.terrain not in self.kinds[kind].stands:
            return ()
        return known.locations() if self.kinds[kind].coasts else (province,)

    def landing(self, kind: str, location: Location) -> Location:
        """Where a unit of this kind stands that is put here: one that knows no coasts, in the province."""
        return location if self.kinds[kind].coasts else province_of(location)

    @cached_property
    def carried(self) -> frozenset[str]:
        """Letters of the kinds of unit that go by convoy (XII): armies."""
        return frozenset(letter for kind in self.kinds.values() for letter in kind.carries)

    @cached_property
    def carriers(self) -> frozenset[str]:
        """Letters of the kinds of unit that can convoy others (XII): fleets."""
        return frozenset(letter for letter, kind in self.kinds.items() if kind.carries)

    def locations(self) -> Iterator[Location]:
        """Every province code and every coast location."""
        for province in self.provinces.values():
            yield province.code
            if province.coasts:
                yield from province.locations()

    @property
    def spelled(self) -> Mapping[Location, str]:
        """Every location -> its name in an order, in the language that is spoken: "Burgundy", "St Petersburg (sc)"."""
        return self.spelled_in[SPOKEN.get().code]

    @cached_property
    def spelled_in(self) -> Mapping[str, Mapping[Location, str]]:
        """Language ("de") -> as `spelled`. Pictures say all names in English: one is drawn for all its readers."""
        return _Spelled(self)

    def place_name(self, location: Location) -> str:
        """The name players read: "St Petersburg (south coast)"."""
        name, coast = self.spelled[province_of(location)], coast_of(location)
        return f"{name} ({tell(COAST_NAMES[coast])})" if coast else name


class _Spelled(dict[str, Mapping[Location, str]]):
    """The names of a board's locations by language, worked out when they are asked for first."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self._board = board

    def __missing__(self, language: str) -> Mapping[Location, str]:
        names = self[language] = {}
        for location in self._board.locations():
            province, coast = self._board.provinces[province_of(location)], coast_of(location)
            name = next(iter(province.abroad.get(language, ())), province.name)
            names[location] = f"{name} ({coast.lower()})" if coast else name
        return names


def _texts(facts: Mapping[str, Fact], name: str) -> tuple[str, ...]:
    """The fact of a name where it is a list of texts, else nothing."""
    fact = facts.get(name, ())
    return fact if isinstance(fact, tuple) else ()


COAST_NAMES = {
    "NC": told_later("north coast"),
    "SC": told_later("south coast"),
    "EC": told_later("east coast"),
    "WC": told_later("west coast"),
}

"""Who reads and over which position: the units by place, and the search for the unit or place that was meant.

A `Scene` answers with every candidate; the readers of single orders (`moving`, `helping`, `winter`) count them.

How far a unit could possibly go: by its own way, or as an army over seas. For reading, not for judging.

Two meanings of an order are counted after type, position and reach (1976 rules VII.4), and a did-you-mean offers only
what the unit could do. Whether an order is legal is decided by `judge.adjudicate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain
from math import inf
from typing import NamedTuple

from judge.board.chart import Mask, compile_board, spread
from judge.board.model import Board, Location, province_of
from judge.board.phase import RETREATS, PhaseKind
from judge.board.position import Position
from judge.board.unit import NUMBER, Unit, any_like, by_name, by_province
from judge.orders.grammar import Tile
from judge.orders.lexer import Lexed, Lexicon, Named
from judge.orders.model import Order
from judge.orders.reading import Problem, ReadOptions


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


ONE_OF_SEVERAL = "one-of-several"
"""The note of an order whose unit stands beside others like it, and was not told apart from them."""

_MOST_NAMED = 12
"""Units that a sentence lists."""


class Meaning(NamedTuple):
    """What one order-like piece means. `unit`: the unit it is about, if that much is known."""

    order: Order | None = None
    notes: tuple[str, ...] = ()
    problem: Problem | None = None
    guessed: bool = False
    unit: Unit | None = None


class Candidates(NamedTuple):
    """The units that an order may be for; empty with a problem otherwise."""

    units: tuple[Unit, ...]
    notes: tuple[str, ...] = ()
    guessed: bool = False


@dataclass(slots=True)
class Ground:
    """A position, indexed for reading."""

    position: Position
    kind: PhaseKind = field(init=False)
    """What is ordered in the phase."""
    reach: Reach = field(init=False)
    lines: dict[str, Unit] = field(init=False)
    """ "A PAR" -> the unit, where exactly one answers to it."""
    at: dict[str, tuple[Unit, ...]] = field(init=False)
    """Province -> the units that can be ordered there in this phase."""
    standing: dict[str, tuple[Unit, ...]] = field(init=False)
    """Province -> the units that stand there and need not retreat."""
    numbers: dict[tuple[str, str, str], Unit] = field(init=False)
    """(power, kind, number) -> the unit whose marker bears it; empty in games without such numbers."""
    options: dict[Unit, tuple[Location, ...]] = field(init=False)
    """Retreating unit -> where it may go."""

    def __post_init__(self) -> None:
        position = self.position
        self.kind = position.phase.kind
        self.reach = Reach(position)
        self.options = {dislodged.unit: dislodged.options for dislodged in position.dislodged}
        self.standing = by_province(position.units)
        self.at = by_province(self.options) if position.phase.kind is RETREATS else self.standing
        self.numbers = _numbers(position) if any(unit.marks for unit in position.units) else {}
        self.lines = by_name(chain.from_iterable(self.at.values()))


def _numbers(position: Position) -> dict[tuple[str, str, str], Unit]:
    everybody = (*position.units, *(each.unit for each in position.dislodged))
    return {(unit.power, unit.kind, number): unit for unit in everybody if (number := unit.mark(NUMBER))}


_recent: list[Ground] = []
_RECENT = 8


def ground_of(position: Position) -> Ground:
    """The index of a position. The last few are kept: lines of one mail come one by one."""
    for ground in _recent:
        if ground.position is position:
            return ground
    ground = Ground(position)
    _recent.insert(0, ground)
    del _recent[_RECENT:]
    return ground


_MOST_CLOSE_LOOKS = 200
"""Lines of one text that are looked at closely, for slips and other words: more than a table of seven has units."""


@dataclass(slots=True, eq=False)
class Patience:
    """How many more lines of a text are looked at closely, so that the work on one mail is bounded."""

    left: float = _MOST_CLOSE_LOOKS

    def lasts(self) -> bool:
        """Whether one more line may be looked at closely; each call uses up one of those that are left."""
        self.left -= 1
        return self.left >= 0


_ENDLESS = Patience(inf)
"""For a line by itself, which needs no bound; nothing ever wears it out."""


@dataclass(slots=True)
class Scene:
    """One reader at work: the ground, whose orders these are (None: anybody's) and how strictly they are read."""

    ground: Ground
    power: str | None
    options: ReadOptions
    lexicon: Lexicon
    headed: bool = False
    """Whether the power comes from a heading in the text, and the next heading may change it."""
    patience: Patience = _ENDLESS
    away: str = ""
    """The other power under whose heading the lines stand: of the same player (`options.others`), or of another."""

    def under(self, power: str) -> Scene:
        """The scene for the lines below a heading that names `power`. If the text is a known power's, it stays theirs,
        and `away` says for which other power these lines are.
        """
        if self.power is None or self.headed:
            return replace(self, power=power, headed=True)
        away = power if power != self.power else ""
        return self if self.away == away else replace(self, away=away)

    @property
    def board(self) -> Board:
        return self.ground.position.board

    @property
    def season(self) -> str:
        """The code of the season that is played."""
        return self.ground.position.phase.season

    @property
    def kind(self) -> PhaseKind:
        """What is ordered in the phase."""
        return self.ground.kind

    def named(self, lexed: Lexed, index: int) -> Named | None:
        """The place at an index of the shape, if any."""
        return lexed.values[index] if index >= 0 else None

    def ranks(self, named: Named, among: Iterable[Location]) -> tuple[tuple[Location, ...], ...]:
        """What a place can mean, best rank first; for an unknown word, the guesses among the given places.

        A code or a full name means its place, and is never another one's beginning: "MEX" is no Gulf of MEXico, out of
        reach or not.
        """
        found = named.found
        if found.exact and found.prefix and self.lexicon.gazetteer.is_whole(named.text):
            return (found.exact,)
        if found.exact or found.prefix:
            return tuple(rank for rank in (found.exact, found.prefix) if rank)
        guesses = tuple(guess.place for guess in self.lexicon.gazetteer.fuzzy(named.text, among))
        return (guesses,) if guesses else ()

    def is_other(self, named: Named, place: Location) -> bool:
        """Whether what was written is the exact code of another place: TYR is Tyrolia, not the Tyrrhenian Sea."""
        code = named.text.upper()
        return code != province_of(place) and code in self.ground.position.board.provinces

    def subject(self, lexed: Lexed, tile: Tile) -> Candidates:
        """The units that the order may be for, of the reading power, letter and place taken into account."""
        named = self.named(lexed, tile.at)
        kind = lexed.values[tile.unit] if tile.unit >= 0 else None
        nation = lexed.values[tile.nation] if tile.nation >= 0 else None
        if named is None:
            mine = [unit for units in self.ground.at.values() for unit in units if self._mine(unit, nation)]
            return Candidates(tuple(unit for unit in mine if unit.kind == kind or kind is None))
        return self.units(named, kind, self.ground.at, lambda unit: self._mine(unit, nation))

    def named_instead(self, lexed: Lexed, tile: Tile) -> str:
        """The power that an order names as its own where that is not the reading one; "" for none."""
        if self.power is None:
            return ""
        if self.away and self.away not in self.options.others:
            return self.away
        nation = lexed.values[tile.nation] if tile.nation >= 0 else ()
        return "" if not nation or self.power in nation else str(nation[0])

    def others(self, lexed: Lexed, tile: Tile) -> Candidates:
        """The units that may be meant by the one that is supported or convoyed."""
        named: Named = lexed.values[tile.of_at]
        kind = lexed.values[tile.of_unit] if tile.of_unit >= 0 else None
        nation = lexed.values[tile.of_nation] if tile.of_nation >= 0 else None
        found = self.units(named, kind, self.ground.standing, lambda unit: nation is None or unit.power in nation)
        if ONE_OF_SEVERAL not in found.notes:
            return found
        notes = tuple(note for note in found.notes if note != ONE_OF_SEVERAL)
        return found._replace(units=tuple(any_like(unit) if unit.number else unit for unit in found.units), notes=notes)

    def units(
        self, named: Named, kind: str | None, at: dict[str, tuple[Unit, ...]], fits: Callable[[Unit], bool]
    ) -> Candidates:
        """The units at a named place; where none has the letter, those with another letter, and a note."""
        guessed = not (named.found.exact or named.found.prefix)
        wrong_letter: tuple[Unit, ...] = ()
        for places in self.ranks(named, at):
            here = [unit for province in dict.fromkeys(map(province_of, places)) for unit in at.get(province, ())]
            here = [unit for unit in here if fits(unit)]
            fitting = [unit for unit in here if kind is None or unit.kind == kind]
            if len(fitting) > 1 and named.found.coast:  # fleets at both coasts of one province
                fitting = [unit for unit in fitting if unit.at in places] or fitting
            if found := _one_of_each(fitting, named.number):
                notes = self._coast_notes(found, named, places)
                several = not named.number and len(found) < len(fitting)
                return Candidates(found, (*notes, ONE_OF_SEVERAL) if several else notes, guessed)
            wrong_letter = wrong_letter or _one_of_each(here, named.number)
        return Candidates(wrong_letter, ("wrong-unit-letter",) if wrong_letter else (), guessed)

    def mine(self, kind: str | None = None) -> list[Unit]:
        """The reading power's units of a kind, all its units if it has none of that kind, for an order that names no
        unit; no more than a sentence can list. Empty if its player has other powers too, since the order may be for
        those.
        """
        if self.power is None or self.options.others:
            return []
        units = [unit for units in self.ground.at.values() for unit in units if unit.power == self.power]
        of_kind = [unit for unit in units if unit.kind == kind]
        return (of_kind or units)[:_MOST_NAMED]

    def _mine(self, unit: Unit, nation: tuple[str, ...] | None) -> bool:
        if self.power is not None:
            return unit.power == self.power
        return nation is None or unit.power in nation

    def _coast_notes(self, units: tuple[Unit, ...], named: Named, places: tuple[Location, ...]) -> tuple[str, ...]:
        """A coast that is not where the unit stands changes nothing (DATC 4.B.5) but is shown."""
        if not named.found.coast or any(unit.at in places for unit in units):
            return ()
        return ("coast-ignored",)


def _one_of_each(units: list[Unit], number: int) -> tuple[Unit, ...]:
    """Units that nothing on the board tells apart count as one, unless numbered ("A PAR#2")."""
    if number:
        called = [unit for unit in units if unit.number == f"#{number}"]
        return tuple(called[:1] or units[number - 1 : number])
    if len(units) < 2:
        return tuple(units)
    return tuple({(unit.kind, unit.at, unit.power): unit for unit in reversed(units)}.values())[::-1]

"""Two fast paths: lines that are canonical already are looked up; names with one exact meaning need no search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from judge.board.model import Board, province_of
from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS, TALKS
from judge.board.unit import Unit
from judge.orders.grammar import Tile
from judge.orders.lexer import Lexed
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Rail, Retreat, Support
from judge.orders.scene import Scene

_REMEMBERED: Final = 8_192
"""Lines whose words are remembered: most of those that the units of a few games could be given."""
_LONGEST: Final = 100
"""No canonical line is longer."""


class Codes:
    """The locations of a board whose code has one meaning, for each kind of unit; all of them where an exact code means
    its place alone.
    """

    def __init__(self, board: Board, *, exact: bool) -> None:
        several = frozenset() if exact else {short.upper() for short in board.ambiguous}
        sure = [place for place in board.locations() if place not in several]
        spaces = frozenset(place for place in sure if "/" not in place)
        coasts = frozenset(place for place in sure if "/" in place or not board.provinces[place].coasts)
        self.of = {letter: coasts if kind.coasts else spaces for letter, kind in board.kinds.items()}
        """Kind of unit -> where it goes."""
        self.told = {letter: frozenset(sure) if kind.coasts else spaces for letter, kind in board.kinds.items()}
        """Kind of unit -> where it may be said to go by whoever helps it: one with coasts, without them too."""
        self.carried, self.carriers = board.carried, board.carriers
        self.railed = frozenset(
            (here, there)
            for line in board.railways
            for here in line
            for there in line
            if any(board.line(kind, here, there) for kind in board.carried)
        )
        """(from, to) between which an army goes by rail alone."""


@lru_cache(maxsize=64)
def _codes_of(board: Board, exact: bool) -> Codes:  # noqa: FBT001  a cache tells keywords from places
    return Codes(board, exact=exact)


def _codes(scene: Scene) -> Codes:
    """The codes that a line may have; worked out once for each board and remembered."""
    return _codes_of(scene.ground.position.board, scene.options.exact_codes)


@lru_cache(maxsize=_REMEMBERED)
def _words_of(line: str) -> tuple[str, ...]:
    """A line's words, and last what it calls the unit of which it is and the one that it helps: "A PAR", "A MAR"."""
    words = line.split(" ")
    return (*words, " ".join(words[:2]), " ".join(words[3:5]))


def read_canonical(line: str, scene: Scene) -> Order | None:
    """The order on a canonical line in upper case, or on one that only a kind of the rules understands; None if the
    line is anything else, or could mean anything else.
    """
    return Canonical(scene).read(line)


_FORMS: Final = ("UPH", "UP-P", "UP-PV", "UPSUP", "UPSUP-P", "UPCUP-P")
"""Plain orders of movement, by their words: unit, place, "via"."""


@lru_cache(maxsize=64)
def _words_on(board: Board) -> dict[str, str]:
    words = dict.fromkeys(board.kinds, "U")
    words |= dict.fromkeys(board.locations(), "P")
    return words | {"H": "H", "S": "S", "C": "C", "-": "-", "VIA": "V"}


def is_plainly_order(line: str, board: Board) -> bool:
    """Whether a line is in its form and in codes of the board an order of movement, whoever may have the unit: what
    most people write most of the time. False says nothing.
    """
    if len(line) > _LONGEST:
        return False
    known = _words_on(board)
    return "".join([known.get(word, "?") for word in line.upper().split()]) in _FORMS


class Canonical:
    """Reads canonical lines in one scene, one after the other: what is the same for all of them is looked up once."""

    __slots__ = (
        "codes", "convoys", "exact", "kind", "known", "lines", "power", "same_nation", "scene", "supports", "whole",
    )  # fmt: skip

    def __init__(self, scene: Scene) -> None:
        options = scene.options
        self.scene = scene
        self.power = scene.power
        self.lines = scene.ground.lines
        self.kind = TALKS if options.spelled_names else scene.ground.kind
        """What is ordered; as in talks nothing is read where a code is no name."""
        self.known = known = options.known
        self.whole = known.whole
        self.codes, self.exact = _codes(scene), options.exact_codes
        self.same_nation = options.demand_nationality
        self.supports, self.convoys = "support" in known.names, "convoy" in known.names

    def read(self, line: str) -> Order | None:
        """As `read_canonical`."""
        for read in self.whole:
            if (order := read(line, self.scene)) is not None:
                return order  # type: ignore[no-any-return]
        if len(line) > _LONGEST:
            return None
        words = _words_of(line)
        count, kind = len(words) - 2, self.kind
        if count < 3 or kind is TALKS:
            return None
        unit = self.lines.get(words[-2])
        if unit is None:
            return _build(words, self.scene) if kind is ADJUSTMENTS and words[2] == "B" and count == 3 else None
        if self.power is not None and unit.power != self.power:
            return None
        if kind is MOVES:
            return self._movement(unit, words, count)
        if words[2] == "D" and count == 3 and ("disband" if kind is RETREATS else "remove") in self.known:
            return Disband(unit)
        if kind is RETREATS and words[2] == "R" and count == 4:
            exact = self.exact and words[3] in self.codes.of[unit.kind]
            return Retreat(unit, words[3]) if exact or words[3] in self.scene.ground.options[unit] else None
        return None

    def _movement(self, unit: Unit, words: tuple[str, ...], count: int) -> Order | None:
        codes, verb = self.codes, words[2]
        if verb == "-":
            if count > 5 or count < 4 or words[3] not in codes.of[unit.kind]:
                return None
            if codes.railed and (unit.at, words[3]) in codes.railed:
                return None
            if count == 4:
                return Move(unit, words[3])
            return Move(unit, words[3], True) if words[4] == "VIA" and unit.kind in codes.carried else None
        if count == 3:
            return Hold(unit) if verb == "H" else None
        if (read := self.known.canonical.get(verb)) is not None:
            return read(unit, list(words[:count]), self.scene)  # type: ignore[no-any-return]
        helps = verb == "S"
        if not (self.supports if helps else self.convoys and verb == "C") or count < 5:
            return None
        of = self.lines.get(words[-1])
        if of is None or (self.same_nation and of.power != unit.power):
            return None
        if count == 5:
            return Support(unit, of) if helps else None
        if count != 7 or words[5] != "-" or words[6] not in codes.told[of.kind]:
            return None
        if not helps:
            sails = self.exact or (unit.kind in codes.carriers and of.kind in codes.carried)
            return Convoy(unit, of, words[6]) if sails else None  # people write "A MAR C F LYO - SPA" for a voyage
        if province_of(words[6]) == province_of(of.at):
            return Support(unit, of) if self.exact else None
        return Support(unit, of, words[6])


def read_rail_line(unit: Unit, words: list[str], scene: Scene) -> Order | None:
    """ "A MOS RR OMS"."""
    codes = _codes(scene)
    sure = len(words) == 4 and unit.kind in codes.carried and (unit.at, words[3]) in codes.railed
    return Rail(unit, words[3]) if sure else None


def _build(words: Sequence[str], scene: Scene) -> Order | None:
    codes = _codes(scene)
    kind, place = words[0], words[1]
    if place not in codes.of.get(kind, ()):
        return None
    power = scene.power or scene.ground.position.board.home_of.get(place.partition("/")[0])
    return Build(power, kind, place) if power else None


def read_plain(scene: Scene, lexed: Lexed, tile: Tile) -> Order | None:
    """The order of a plain piece in a movement phase; None where it is not plain."""
    if tile.route or tile.via:
        return None
    values = lexed.values
    unit = _unit(scene, lexed, tile.at, tile.unit, tile.nation)
    if unit is None or (scene.power is not None and unit.power != scene.power):
        return None
    form = tile.form
    if form == "hold":
        return None if tile.to else Hold(unit)
    to = None
    if tile.to:
        found = values[tile.to[0]].found
        if len(tile.to) != 1 or len(found.exact) != 1 or found.coast:
            return None
        to = found.exact[0]
    reach = scene.ground.reach
    if form == "move":
        return Move(unit, to) if to is not None and to in reach.walk(unit) else None
    if form not in ("support", "convoy"):
        return None
    of = _unit(scene, lexed, tile.of_at, tile.of_unit, tile.of_nation)
    if of is None or of == unit or (scene.options.demand_nationality and of.power != unit.power):
        return None
    if form == "convoy":
        return Convoy(unit, of, to) if to is not None and reach.can_carry(unit, of, to) else None
    walked = reach.walk_provinces(unit)
    if to is None:
        return Support(unit, of) if of.at.partition("/")[0] in walked else None
    return Support(unit, of, to) if to in walked and reach.can_enter(of, to) else None


def _unit(scene: Scene, lexed: Lexed, at: int, kind: int, nation: int) -> Unit | None:
    """The one unit at a plainly named place, if letter and nationality agree."""
    if at < 0:
        return None
    values = lexed.values
    named = values[at]
    if len(named.found.exact) != 1 or named.found.coast or named.number:
        return None
    units = scene.ground.standing.get(named.found.exact[0], ())
    if len(units) != 1 or (kind >= 0 and units[0].kind != values[kind]):
        return None
    return units[0] if nation < 0 or units[0].power in values[nation] else None

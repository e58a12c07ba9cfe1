"""Two fast paths: lines that are canonical already are looked up; names with one exact meaning need no search."""

from __future__ import annotations

from functools import lru_cache

from judge.board.model import Board, province_of
from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS, TALKS
from judge.board.unit import Unit
from judge.orders.grammar import Tile
from judge.orders.lexer import Lexed
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Rail, Retreat, Support
from judge.orders.scene import Scene


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
        self.carried = board.carried
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


def read_canonical(line: str, scene: Scene) -> Order | None:
    """The order on a canonical line in upper case, or on one that only a kind of the rules understands; None if the
    line is anything else, or could mean anything else.
    """
    options = scene.options
    for read in options.known.whole:
        if (order := read(line, scene)) is not None:
            return order  # type: ignore[no-any-return]
    words = line.split(" ")
    count = len(words)
    if count < 3 or options.spelled_names or (kind := scene.ground.kind) is TALKS:
        return None
    unit = scene.ground.lines.get(f"{words[0]} {words[1]}")
    verb = words[2]
    if unit is None:
        return _build(words, scene) if kind is ADJUSTMENTS and verb == "B" and count == 3 else None
    if scene.power is not None and unit.power != scene.power:
        return None
    if kind is MOVES:
        return _movement(unit, words, scene)
    if verb == "D" and count == 3 and ("disband" if kind is RETREATS else "remove") in scene.options.known:
        return Disband(unit)
    if kind is RETREATS and verb == "R" and count == 4:
        exact = scene.options.exact_codes and words[3] in _codes(scene).of[unit.kind]
        return Retreat(unit, words[3]) if exact or words[3] in scene.ground.options[unit] else None
    return None


def _movement(unit: Unit, words: list[str], scene: Scene) -> Order | None:
    codes = _codes(scene)
    verb, count = words[2], len(words)
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
    if (read := scene.options.known.canonical.get(verb)) is not None:
        return read(unit, words, scene)  # type: ignore[no-any-return]
    if verb not in ("S", "C") or count < 5:
        return None
    of = scene.ground.lines.get(f"{words[3]} {words[4]}")
    if of is None or (scene.options.demand_nationality and of.power != unit.power):
        return None
    if verb == "S" and "support" not in scene.options.words:
        return None
    if count == 5:
        return Support(unit, of) if verb == "S" else None
    if count != 7 or words[5] != "-" or words[6] not in codes.told[of.kind]:
        return None
    if verb == "C":
        return Convoy(unit, of, words[6]) if "convoy" in scene.options.words else None
    if province_of(words[6]) == province_of(of.at):
        return Support(unit, of) if scene.options.exact_codes else None
    return Support(unit, of, words[6])


def read_rail_line(unit: Unit, words: list[str], scene: Scene) -> Order | None:
    """ "A MOS RR OMS"."""
    codes = _codes(scene)
    sure = len(words) == 4 and unit.kind in codes.carried and (unit.at, words[3]) in codes.railed
    return Rail(unit, words[3]) if sure else None


def _build(words: list[str], scene: Scene) -> Order | None:
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

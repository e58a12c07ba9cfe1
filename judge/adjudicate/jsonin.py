"""A phase that comes as a JSON object: what it says of powers, units, retreats and centres, checked piece by piece.

Everything is validated: a unit that could not stand where it is put, a centre with two owners or a power that the
board does not know would make a wrong adjudication that looks right. In which sequence powers, units and centres are
given means nothing: a position is put into the board's order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from judge.adjudicate.outcome import new
from judge.adjudicate.riding import wrongly_carried
from judge.board.model import Board, Location
from judge.board.phase import ADJUSTMENTS, RETREATS, Phase
from judge.board.position import Position, numbered
from judge.board.status import Flaw, occupancy
from judge.board.unit import ABOARD, NO_MARKS, ORDINAL, Dislodged, Marks, Unit
from judge.rules.model import Rules

_MEMORY = 20_000
"""Lines such as "A PAR" whose meaning is remembered; there are a few hundred on a board."""
_LONGEST_LINE = 40


class BadPhase(ValueError):
    """The object does not describe a phase; the message says what is wrong with it. `flaws`: what is wrong with a
    position whose parts are all right by themselves.
    """

    def __init__(self, message: str, flaws: tuple[Flaw, ...] = ()) -> None:
        super().__init__(message)
        self.flaws = flaws


class Stand(NamedTuple):
    """What a line such as "F SPA/SC" says, and its rank in the board's order."""

    kind: str
    at: Location
    rank: tuple[int, int]
    """Its place in the board's order, and its number beside others like it."""


def read_position(data: Mapping[str, Any], board: Board, rules: Rules) -> Position:
    """The position that an object describes, units numbered in the board's order. Raises BadPhase."""
    phase = _phase(data, rules)
    riders = _riders(data)
    standing = _units(data, board, riders)
    retreating = _dislodged(data, board, phase, riders)
    if phase.kind is ADJUSTMENTS and data.get("centers") is None:
        raise BadPhase('an adjustment phase needs "centers"')
    units = tuple([
        new(Unit, (number, stand.kind, stand.at, power, stand.at, NO_MARKS))
        for number, (power, stand) in enumerate(standing, start=1)
    ])  # fmt: skip
    waiting = tuple([
        Dislodged(_as_told(Unit(number, stand.kind, stand.at, power, stand.at), stand), options)
        for number, (power, stand, options) in enumerate(retreating, start=len(units) + 1)
    ])  # fmt: skip
    remembered, marks = _marks(data, board)
    if remembered:
        names = _names_of(units, waiting)
        units = tuple([_marked(unit, names, remembered) for unit in units])
        waiting = tuple([each._replace(unit=_marked(each.unit, names, remembered)) for each in waiting])
    if remembered:
        raise BadPhase(f'"marks" name {next(iter(remembered))!r}, and no such unit is there')
    following = len(units) + len(waiting) + 1
    position = Position(board, phase, units, _owners(data, board), waiting, marks=marks, next_id=following)
    carried = tuple(wrongly_carried(position, rules)) if riders else ()
    if flaws := (*occupancy(position, rules.stacks(position)), *carried):
        raise BadPhase("; ".join(flaw.what for flaw in flaws), flaws)
    return position


def by_power(data: Mapping[str, Any], key: str, board: Board) -> list[tuple[str, Any]]:
    """The entries of one part of the object, each power by its key, in the board's order; missing or null is none.

    Other names of a power ("Britain", "france") are read too. Raises BadPhase for a name that is no power's, and for
    two names of one power.
    """
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, Mapping):
        raise BadPhase(f'"{key}" is not an object with one entry for each power')
    found: dict[str, Any] = {}
    known = board.powers
    for name, content in value.items():
        power = name if name in known else power_named(name, board)
        if power in found:
            raise BadPhase(f'"{key}" names {power} twice; put both entries into one')
        found[power] = content
    return sorted(found.items(), key=lambda entry: _ranks(board)[entry[0]])


def texts(value: Any, what: str) -> list[str]:
    """A list of texts. Raises BadPhase for anything else; `what` names it."""
    # By type: a number that was kept as it was written is a text only for us.
    if not isinstance(value, list) or set(map(type, value)) - {str}:
        raise BadPhase(f"the {what} are not a list of texts")
    return value


def _marks(data: Mapping[str, Any], board: Board) -> tuple[dict[str, Marks], Mapping[str, Mapping[str, str]]]:
    """What a rule system remembers of units, by their names, and of powers and places. Missing or null is nothing."""
    value = data.get("marks")
    if value is None:
        return {}, MappingProxyType({})
    if not isinstance(value, Mapping) or not value.keys() <= {"units", "powers", "spaces"}:
        raise BadPhase('"marks" is not an object with "units", "powers" and "spaces"')
    found: dict[str, Mapping[str, str]] = {}
    of_units = {name.strip().upper(): tuple(sorted(each.items())) for name, each in _named(value, "units").items()}
    for name, each in _named(value, "powers").items():
        found[power_named(name, board)] = MappingProxyType(each)
    for name, each in _named(value, "spaces").items():
        if (code := name.strip().upper()) not in board.provinces:
            raise BadPhase(f'"marks" name {name!r}, which is no space of this board')
        found[code] = MappingProxyType(each)
    return of_units, MappingProxyType(found)


def _named(marks: Mapping[str, Any], part: str) -> dict[str, dict[str, str]]:
    """One part of the marks, each entry an object of texts."""
    entries = marks.get(part) or {}
    good = isinstance(entries, Mapping) and all(
        isinstance(entry, Mapping) and all(type(text) is str for text in entry.values()) for entry in entries.values()
    )
    if not good:
        raise BadPhase(f'the "{part}" of "marks" are not objects of texts')
    return {name: dict(entry) for name, entry in entries.items()}


def _riders(data: Mapping[str, Any]) -> frozenset[str]:
    """The names of units that are said to be aboard others; what is wrong with marks is told later."""
    marks = data.get("marks")
    units = marks.get("units") if isinstance(marks, Mapping) else None
    if not isinstance(units, Mapping):
        return frozenset()
    named = (name for name, each in units.items() if isinstance(each, Mapping) and ABOARD in each)
    return frozenset(_bare(name.strip().upper()) for name in named)


def _bare(name: str) -> str:
    """ "FRANCE A BEL" and "A BEL": without the power."""
    words = name.split()
    return " ".join(words[-2:])


def _as_told(unit: Unit, stand: Stand) -> Unit:
    """A unit that must retreat, called as it was in the moves: others that stood beside it may be gone."""
    number = stand.rank[1]
    return unit.marked(ORDINAL, str(number)) if number else unit


def _names_of(units: tuple[Unit, ...], waiting: tuple[Dislodged, ...]) -> dict[str, Unit]:
    """What a unit is called in marks -> it: by its name, or with its power ahead."""
    told = [each.unit for each in waiting]
    found: dict[str, Unit] = {}
    for unit in (*numbered(units), *told, *numbered(tuple(told))):
        found.setdefault(str(unit), unit)
        found.setdefault(f"{unit.power} {unit}", unit)
        if unit.number == "#1":
            found.setdefault(f"{unit.kind} {unit.at}", unit)
    return found


def _marked(unit: Unit, names: Mapping[str, Unit], remembered: dict[str, Marks]) -> Unit:
    """The unit with what is remembered of it, which is taken out of what is still to be given; its carrier, named
    there, by its identity.
    """
    own = [name for name, other in names.items() if other.id == unit.id and name in remembered]
    if not own:
        return unit
    marks = remembered.pop(own[-1])
    for name in own[:-1]:
        remembered.pop(name)
    ordinal = unit.mark(ORDINAL)
    found = unit._replace(marks=marks).marked(ORDINAL, ordinal) if ordinal else unit._replace(marks=marks)
    if called := found.mark(ABOARD):
        of_power = names.get(f"{unit.power} {called.strip().upper()}")
        carrier = of_power or names.get(called.strip().upper())
        if carrier is None:
            raise BadPhase(f"{unit} is aboard {called!r}, and no such unit is there")
        found = found.marked(ABOARD, str(carrier.id))
    return found


def rank_of(board: Board, power: str, location: Location = "") -> tuple[int, int]:
    """Where a power's unit stands in the board's order."""
    return _ranks(board)[power], _places(board).get(location, -1)


def _phase(data: Mapping[str, Any], rules: Rules) -> Phase:
    code = data.get("phase")
    if type(code) is not str:
        raise BadPhase('there is no "phase"; write one such as "S1901M"')
    try:
        phase = rules.calendar.read(code)
    except ValueError as error:
        raise BadPhase(str(error)) from None
    if rules.calendar.step(phase) is rules.calendar.prelude:
        raise BadPhase(f"{phase} comes before the first moves, and nothing is adjudicated in it")
    return phase


def power_named(name: str, board: Board) -> str:
    """The key of a power by any of its names. Raises BadPhase."""
    if name in board.powers:
        return name
    known = _names(board).get(name.strip().casefold())
    if known is None:
        raise BadPhase(f"there is no power {name!r} on this board; there are {', '.join(board.powers)}")
    return known


@lru_cache(maxsize=64)
def _names(board: Board) -> Mapping[str, str]:
    """Every name of a power in small letters; one that two powers share is nobody's."""
    found: dict[str, str] = {}
    for power in board.powers.values():
        for name in (power.key, power.name, *power.aliases):
            held = found.setdefault(name.casefold(), power.key)
            if held != power.key:
                found[name.casefold()] = ""
    return {name: key for name, key in found.items() if key}


@lru_cache(maxsize=64)
def _ranks(board: Board) -> Mapping[str, int]:
    return {power: rank for rank, power in enumerate(board.powers)}


@lru_cache(maxsize=64)
def _places(board: Board) -> Mapping[Location, int]:
    return {place: rank for rank, place in enumerate(board.locations())}


@lru_cache(maxsize=_MEMORY)
def _stand(line: str, board: Board, carried: bool) -> Stand | None:  # noqa: FBT001  a cache tells keywords from places
    """The meaning of a line, None where no such unit can stand anywhere; who is carried may be anywhere."""
    kind, _, rest = line.strip().upper().partition(" ")
    at, _, number = (part.strip() for part in rest.partition("#"))
    if kind not in board.kinds or not (board.can_stand(kind, at) or (carried and at in board.provinces)):
        return None
    return Stand(kind, at, (_places(board)[at], int(number) if number.isdecimal() else 0))


def _stands(line: str, board: Board, riders: Set[str] = frozenset()) -> Stand:
    carried = bool(riders) and _bare(line.strip().upper()) in riders
    stand = _stand(line, board, carried) if len(line) <= _LONGEST_LINE else None
    if stand is None:
        raise BadPhase(f"{line!r} cannot stand anywhere; write units like A PAR or F SPA/SC")
    return stand


def _units(data: Mapping[str, Any], board: Board, riders: Set[str]) -> list[tuple[str, Stand]]:
    found: list[tuple[str, Stand]] = []
    for power, lines in by_power(data, "units", board):
        stands = [_stands(line, board, riders) for line in texts(lines, f"units of {power}")]
        found += [(power, stand) for stand in sorted(stands, key=_rank)]
    return found


def _rank(stand: Stand) -> tuple[int, int]:
    return stand.rank


def _dislodged(
    data: Mapping[str, Any], board: Board, phase: Phase, riders: Set[str]
) -> list[tuple[str, Stand, tuple[Location, ...]]]:
    """Who must retreat. Units without options are lost already, and may stand in an object of any phase."""
    found: list[tuple[str, Stand, tuple[Location, ...]]] = []
    for power, waiting in by_power(data, "dislodged", board):
        if not isinstance(waiting, Mapping):
            raise BadPhase(f'the dislodged of {power} are not an object such as {{"A BUR": ["GAS", "PAR"]}}')
        entries = [
            (power, _stands(line, board, riders), tuple(_options(line, to, board, riders)))
            for line, to in waiting.items()
        ]
        found += sorted(entries, key=lambda entry: entry[1].rank)
    if phase.kind is RETREATS:
        return found
    for _, stand, options in found:
        if options:
            raise BadPhase(f"{stand.kind} {stand.at} must retreat before {phase}; only a retreat phase has dislodged")
    return []


def _options(line: str, options: Any, board: Board, riders: Set[str]) -> Iterator[Location]:
    kind = _stands(line, board, riders).kind
    for option in texts(options, f"retreats of {line!r}"):
        at = option.strip().upper()
        if len(at) > _LONGEST_LINE or _stand(f"{kind} {at}", board, False) is None:
            raise BadPhase(f"{line!r} cannot retreat to {option!r}: {kind} cannot stand there")
        yield at


def _owners(data: Mapping[str, Any], board: Board) -> Mapping[str, str]:
    owners: dict[str, str] = {}
    provinces = board.provinces
    for power, centres in by_power(data, "centers", board):
        for centre in texts(centres, f"centers of {power}"):
            code = centre if centre in provinces else centre.strip().upper()
            if code not in provinces or not provinces[code].centre:
                raise BadPhase(f"{centre!r} is no supply centre of this board")
            if code in owners:
                raise BadPhase(f"{code} is given twice, to {owners[code]} and to {power}; a centre has one owner")
            owners[code] = power
    return MappingProxyType(owners)

"""The continents of Global Diplomacy II (IV): which one a unit is of, which one a centre feeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from judge.board.model import Board, province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.spelled import listed, unit_text

CONTINENT = "continent"
"""Fact of a province: where it lies. Mark of a unit: of which continent it is. Mark of a centre: which one it feeds,
where that is not its own.
"""
LAID_UP = "laid_up"
"""Mark of a unit that is under repair and has been driven from its first place: the year."""
ELIMINATED = "eliminated"
"""Mark of a power: the continents from which it was eliminated, parted by commas."""


def colonial_powers(board: Board) -> tuple[str, ...]:
    """The powers that keep their continents apart (IV.A), in the board's order."""
    return tuple(key for key in board.powers if is_colonial(board, key))


def is_colonial(board: Board, power: str) -> bool:
    """Whether a power keeps its continents apart."""
    known = board.powers.get(power)
    return known is not None and bool(known.facts.get("colonial"))


def lies_in(board: Board, place: str) -> str:
    """The continent of a place; "" for the sea."""
    return board.provinces[province_of(place)].facts.get(CONTINENT, "")


def home_continents(board: Board, power: str) -> Mapping[str, tuple[str, ...]]:
    """The continents where a power has home centres, the first named being its own -> these centres."""
    found: dict[str, tuple[str, ...]] = {}
    for home in board.powers[power].homes:
        continent = lies_in(board, home)
        found[continent] = (*found.get(continent, ()), home)
    return found


def continent_of(unit: Unit, board: Board) -> str:
    """Of which continent a unit of a Colonial Power is; of one of which nothing is known, where it was built or stands,
    else the power's own.
    """
    own = home_continents(board, unit.power)
    known = dict(unit.marks).get(CONTINENT) or lies_in(board, unit.built or unit.at)
    return known if known in own else next(iter(own))


def remembering(unit: Unit, board: Board) -> Unit:
    """A unit with the continent of which it is as a mark, where its power keeps continents apart."""
    if not is_colonial(board, unit.power):
        return unit
    marks = {**dict(unit.marks), CONTINENT: continent_of(unit, board)}
    return unit._replace(marks=tuple(sorted(marks.items())))


def is_laid_up(unit: Unit, position: Position) -> bool:
    """Whether a unit only holds in the first year: a first unit that is under repair, driven from its place or not."""
    if position.phase.year != position.board.first_phase.year:
        return False
    return LAID_UP in dict(unit.marks) or f"{unit.kind} {unit.built}" in position.board.powers[unit.power].laid_up


def all_remembering(before: Position, after: Position) -> Position:
    """A position in which each Colonial Power's unit has its continent as a mark, and one under repair that is driven
    from its place has that: so a position that is handed on without its past is judged like one that has it.
    """
    colonial = colonial_powers(after.board)
    new = {unit.id: remembering(unit, after.board) for unit in after.units if not unit.marks and unit.power in colonial}
    driven = tuple([each._replace(unit=_driven_out(each.unit, before)) for each in after.dislodged])
    if not new and driven == after.dislodged:
        return after
    units = tuple([new.get(unit.id, unit) for unit in after.units])
    return after.followed_by(after.phase, units, after.owners, driven, after.next_id)


def _driven_out(unit: Unit, before: Position) -> Unit:
    known = remembering(unit, before.board)
    if not is_laid_up(unit, before):
        return known
    return known._replace(marks=tuple(sorted({**dict(known.marks), LAID_UP: str(before.phase.year)}.items())))


def eliminated_from(position: Position, power: str) -> tuple[str, ...]:
    """The continents from which a power was eliminated at the end of an earlier year (IV.D)."""
    return tuple(filter(None, position.marks.get(power, {}).get(ELIMINATED, "").split(",")))


def _fed_by(position: Position, power: str, centre: str) -> str:
    """The continent whose status a power's centre adds to."""
    if known := position.marks.get(centre, {}).get(CONTINENT):
        return known
    continent, own = lies_in(position.board, centre), home_continents(position.board, power)
    lost = continent not in own or continent in eliminated_from(position, power)
    return next(iter(own)) if lost else continent


def status_of(position: Position, power: str) -> Counter[str]:
    """Continent -> the centres that feed a Colonial Power's units of it."""
    return Counter(_fed_by(position, power, centre) for centre in position.centres(power))


def without_status(position: Position, power: str) -> Iterator[str]:
    """Continents from which a power is eliminated now."""
    status, gone = status_of(position, power), eliminated_from(position, power)
    for continent in home_continents(position.board, power):
        if not status[continent] and continent not in gone:
            yield continent


def marks_of_centres(before: Position, after: Position) -> dict[str, Mapping[str, str]]:
    """The marks after the captures of January: a centre that has changed hands feeds again."""
    marks = dict(after.marks)
    for centre, owner in after.owners.items():
        if before.owners.get(centre) == owner:
            continue
        kept = {name: text for name, text in marks.pop(centre, {}).items() if name != CONTINENT}
        takers = after.at(centre)
        if takers and is_colonial(after.board, owner) and _is_exception(after, owner, centre):
            kept[CONTINENT] = continent_of(takers[0], after.board)
        if kept:
            marks[centre] = MappingProxyType(kept)
    return marks


def _is_exception(position: Position, power: str, centre: str) -> bool:
    """IV.E: whether a centre that a power has taken feeds the continent of the unit that took it."""
    board = position.board
    continent = lies_in(board, centre)
    turkish = power == "ENGLAND" and board.home_of.get(centre) == "TURKEY"
    return turkish or continent not in home_continents(board, power) or continent in eliminated_from(position, power)


def away_from(unit: Unit, board: Board) -> str:
    """The continent of a Colonial Power's unit that does not stand on it; "" where nobody would be in doubt."""
    if not is_colonial(board, unit.power):
        return ""
    own, here = continent_of(unit, board), lies_in(board, unit.at)
    return "" if own == (here or next(iter(home_continents(board, unit.power)))) else own


def told(position: Position, power: str) -> Iterator[str]:
    """What people read of a Colonial Power's continents, a line for each."""
    board, gone = position.board, eliminated_from(position, power)
    name, status = board.powers[power].name, status_of(position, power)
    for continent in home_continents(board, power):
        units = [unit_text(u, board) for u in position.of(power) if continent_of(u, board) == continent]
        if continent in gone:
            yield f"{name} is eliminated from {continent}."
        if status[continent] or units:
            fed = f"{status[continent]} centre{'s' if status[continent] != 1 else ''}"
            yield f"{name} in {continent}: {fed}; {listed(units) or 'no unit'}."
    other = [
        f"{board.provinces[code].name} feeds {position.marks[code][CONTINENT]}"
        for code in position.centres(power)
        if CONTINENT in position.marks.get(code, {})
    ]
    if other:
        yield f"{name}: {listed(other)}."

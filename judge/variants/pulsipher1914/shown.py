"""What pictures of 1914 show beside units and owners: capitals, open railways, supply lines and where they break, the
range of bombers; below the map points, factors and who leads the minor countries.

A minor country that nobody leads has the colour of parchment, else that of its player.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from judge.board.extras import Area, Badge, Extras, Line, MapTable, MapTableRow
from judge.board.model import ARMY, province_of
from judge.board.phase import ADJUSTMENTS, FALL, MOVES
from judge.board.position import Position
from judge.board.unit import Unit
from judge.languages import tell
from judge.variants.pulsipher1914.bombers import range_in
from judge.variants.pulsipher1914.closing import bombed_in
from judge.variants.pulsipher1914.state import (
    BOMBER,
    COUNTRIES,
    FIRST_YEAR,
    GREATS,
    MINORS,
    RETREATED,
    VISITING,
    CountryState,
    is_home,
    spaces_within,
)
from judge.variants.pulsipher1914.supply import Supply

_PLANE = (
    "M0-10.4L2.8-6.6H12.4A1.4 1.4 0 0 1 13.8-5.2V3.8A1.4 1.4 0 0 1 12.4 5.2H2.4V7.2H6.4V10.4H-6.4V7.2H-2.4V5.2"
    "H-12.4A1.4 1.4 0 0 1-13.8 3.8V-5.2A1.4 1.4 0 0 1-12.4-6.6H-2.8z"
)
_CUT, _STAY, _SHAKEN, _HIT = Badge("cut"), Badge("v"), Badge("m"), Badge("b")


def shown(position: Position) -> Extras:
    """Everything that is added to a picture of a position."""
    state = CountryState(position)
    lines, cut = _supply(state)
    in_moves = position.phase.kind is MOVES
    standing = [*_railways(state)] if in_moves else []
    units = {unit.id: badges for unit in position.units if (badges := tuple(_marks(unit, cut)))}
    spaces = _spaces(state)
    used = {badge for badges in (*units.values(), *spaces.values()) for badge in badges}
    keys = ((_CUT, "no supply line"), (_STAY, "stays without capture"), (_SHAKEN, "morale: attacks nobody"),
            (_HIT, "bombed: yields nothing"))  # fmt: skip
    return Extras(
        units=units,
        spaces=spaces,
        standing=(*standing, *lines),
        areas=tuple(_ranges(position)),
        powers={name: _points(state.points.get(name, 0)) for name in GREATS if not state.is_out(name)},
        outlines={BOMBER: _PLANE},
        perched=frozenset({BOMBER}),
        paints={minor: state.controller(minor) for minor in MINORS},
        table=_table(state),
        keys=(
            (Badge("C"), "capital"), ("rail", "open railway"), ("dotted", "supply line"), ("broken", "barred here"),
            ("area", "range of bombers"), *(key for key in keys if key[0] in used),
        ),
        notes=tuple(_notes(state, cut)),
    )  # fmt: skip


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _marks(unit: Unit, cut: Mapping[int, str]) -> Iterator[Badge]:
    if unit.id in cut:
        yield _CUT
    if unit.mark(VISITING):
        yield _STAY
    if unit.mark(RETREATED):
        yield _SHAKEN


def _spaces(state: CountryState) -> dict[str, tuple[Badge, ...]]:
    """Capitals of countries that have more than one centre of their own, and centres that were bombed."""
    board, year = state.position.board, state.position.phase.year
    found: dict[str, tuple[Badge, ...]] = {}
    for country in COUNTRIES:
        if state.is_out(country) or len(board.powers[country].homes) < 2:
            continue
        if (capital := state.capital(country)) and capital in board.powers[country].homes:
            found[capital] = (Badge("C", country),)
    for code in board.centres:
        if bombed_in(state, code, year):
            found[code] = (*found.get(code, ()), _HIT)
    return found


# -- lines


def _supply(state: CountryState) -> tuple[list[Line], dict[int, str]]:
    """The lines of all units that a player orders, each stretch once: before the check of the Fall; those that
    break at any time. And unit -> the space that bars its line.
    """
    position = state.position
    lines: dict[Line, None] = {}
    cut: dict[int, str] = {}
    if position.phase.year < FIRST_YEAR:
        return [], cut
    due = position.phase.kind is ADJUSTMENTS or position.phase.season == FALL.code
    found: dict[str, Supply] = {}
    for unit in position.units:
        player = state.player(unit.power)
        if not player:
            continue
        if unit.power not in found:
            found[unit.power] = Supply(state, unit.power, position.units, state.are_allies)
        supply, start = found[unit.power], province_of(unit.at)
        line = supply.line(start)
        if line is None:
            if way := supply.broken(start):
                cut[unit.id] = way[-1]
                lines |= _stretches(way[:-1], player)
                lines[Line(way[-2], way[-1], "broken", player)] = None
        elif due:
            lines |= _stretches(line, player)
    return list(lines), cut


def _stretches(line: Iterable[str], player: str) -> dict[Line, None]:
    return dict.fromkeys(Line(min(a, b), max(a, b), "dotted", player) for a, b in pairwise(line))


def _railways(state: CountryState) -> Iterator[Line]:
    """The stretches between provinces of one home country by which some army can travel now."""
    position = state.position
    board = position.board
    taken = {province_of(unit.at) for unit in position.units if unit.kind != BOMBER}
    found: set[tuple[str, str]] = set()
    for unit in position.units:
        if unit.kind != ARMY.letter or not state.player(unit.power):
            continue
        seen, edge = {unit.at}, [unit.at]
        while edge:
            code = edge.pop()
            for to in board.reach(unit.kind, code):
                if to in taken or not is_home(board, to, unit.power):
                    continue
                if is_home(board, code, unit.power):
                    found.add((min(code, to), max(code, to)))
                if to not in seen:
                    seen.add(to)
                    edge.append(to)
    return (Line(a, b, "rail") for a, b in sorted(found))


def _ranges(position: Position) -> Iterator[Area]:
    """What the bombers of each power reach from all of their bases together."""
    far = range_in(position.phase.year)
    reach: dict[str, frozenset[str]] = {}
    for unit in position.units:
        if unit.kind == BOMBER:
            near = spaces_within(position.board, unit.at, far)
            reach[unit.power] = reach.get(unit.power, frozenset()) | near
    return (Area(power, spaces) for power, spaces in reach.items())


# -- below the map


def _table(state: CountryState) -> MapTable:
    """For each minor country: its level in this year, everybody's factors, who leads it, its points."""
    year = max(FIRST_YEAR, state.position.phase.year)
    players = [name for name in GREATS if not state.is_out(name)]
    rows = []
    for minor in MINORS:
        master = state.controller(minor)
        factors = [str(state.factors(player, minor) or "\xb7") for player in players]
        purse = str(state.points.get(minor, 0)) if master else ""
        led = Badge(_letter(state, master), master) if master else ""
        rows.append(MapTableRow(minor, (str(state.level(minor, year)) if not master else "", *factors, led, purse)))
    heads: tuple[str | Badge, ...] = (
        "level",
        *(Badge(_letter(state, player), player) for player in players),
        "led by",
        "points",
    )
    return MapTable(tell("Political factors"), heads, tuple(rows))


def _letter(state: CountryState, country: str) -> str:
    return state.position.board.powers[country].letter


def _notes(state: CountryState, cut: Mapping[int, str]) -> Iterator[str]:
    """What the signs cannot say: where lines break, alliances, capitals that are lost."""
    position = state.position
    names, spaces = position.board.powers, position.board.spelled
    if cut:
        told = (
            tell("{unit} (barred at {spaces})", unit=unit, spaces=spaces[cut[unit.id]])
            for unit in position.units
            if unit.id in cut
        )
        yield tell("Without a supply line: {told}.", told=", ".join(told))
    if allies := [f"{names[one].name} and {names[other].name}" for one, other in state.allies()]:
        yield tell("Allies this year: {listed}.", listed=_listed(allies))
    for country in GREATS:
        if not state.is_out(country) and not state.capital(country):
            yield tell(
                "{names} has lost its capital; its units stand in the next season of moves.", names=names[country].name
            )


def _listed(names: Iterable[str]) -> str:
    return "; ".join(names)

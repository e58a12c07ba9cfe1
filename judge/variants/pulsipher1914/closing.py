"""The end of a season: centres change hands, capitals fall, control ends, powers surrender: clauses 3, 5, 14, 16.C."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from judge.board.model import province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.variants.pulsipher1914.control import occupied
from judge.variants.pulsipher1914.state import (
    BOMBED,
    BOOK,
    CAPITAL,
    CAPITAL_LOST,
    CAPITAL_OPEN,
    CONTROLLER,
    FREED,
    HAD,
    LEVEL,
    NO_CAPITAL,
    PARTNER,
    SURRENDERED,
    VISITING,
    CountryState,
)
from judge.variants.pulsipher1914.table import BOMBER, COUNTRIES, GREATS, MINORS, first_capital


def captured(position: Position, units: Iterable[Unit]) -> Mapping[str, str]:
    """Who owns each centre once these units stand: clauses 5 and 14."""
    state = CountryState(position)
    owners = dict(position.owners)
    for unit in units:
        code = province_of(unit.at)
        if unit.kind == BOMBER or not position.board.provinces[code].centre:
            continue
        owner = owners.get(code, "")
        if owner and (state.are_allies(owner, unit.power) or unit.mark(VISITING)):
            continue
        owners[code] = unit.power
    return MappingProxyType(owners)


def closed(before: Position, after: Position) -> Position:
    """The position once the centres of a season have changed hands, with all that follows."""
    state = CountryState(after)
    state.marks.pop("season", None)
    book: dict[str, list[str]] = {}
    season = f"{before.phase.season}{before.phase.year}"
    taken = {code for code, owner in after.owners.items() if before.owners.get(code) != owner}
    lost = {country: _homes_lost(before, taken, country) for country in COUNTRIES}
    for minor in MINORS:
        master = state.controller(minor)
        if master and (lost[minor] or lost[master]):
            end_control(state, minor, book)
    state.position = after
    for country in COUNTRIES:
        _mind_capital(state, country, season, taken, book)
    for player, minor in occupied(state):
        book.setdefault(player, []).append(f"factors in {minor.title()} lost: owns a home centre of it")
    after = replace(after, units=tuple(_at_home(state, unit) for unit in after.units))
    for country, lines in book.items():
        earlier = state.get(country, BOOK) or f"{HAD}{state.points.get(country, 0)}"
        state.put(country, BOOK, "\n".join((earlier, *lines)))
    for country in GREATS:
        if not state.is_out(country) and _surrenders(state, country):
            after = surrender(state, after, country)
    return state.applied(after)


def _homes_lost(before: Position, taken: set[str], country: str) -> bool:
    homes = before.board.powers[country].homes
    return any(home in taken and before.owners.get(home) == country for home in homes)


def end_control(state: CountryState, minor: str, book: dict[str, list[str]]) -> None:
    """Clause 16.C: a minor country is no longer controlled, and its activation level is one."""
    master = state.controller(minor)
    state.put(minor, CONTROLLER, "")
    state.put(minor, LEVEL, "1")
    partner = state.get(minor, PARTNER)
    state.put(minor, PARTNER, "")
    for player in filter(None, (master, partner)):
        others = max((state.factors(other, minor) for other in GREATS if other not in (master, partner)), default=0)
        if state.factors(player, minor) > others:
            state.set_factors(player, minor, others)
    book.setdefault(master, []).append(f"control of {minor.title()} lost")


def _mind_capital(
    state: CountryState, country: str, season: str, taken: Collection[str], book: dict[str, list[str]]
) -> None:
    """Clause 3: a capital that is taken; one that a country without a home centre has again. Until the adjustments of
    the year another is named by its country.
    """
    owners, board = state.position.owners, state.position.board
    named = state.get(country, CAPITAL)
    if named == NO_CAPITAL:
        if state.get(country, CAPITAL_LOST)[1:] != season[1:]:
            name_first(state, country)
        return
    code = named or first_capital(board, country)
    if owners.get(code) != country and not state.is_out(country):
        state.put(country, CAPITAL, NO_CAPITAL)
        state.put(country, CAPITAL_OPEN, "")
        state.put(country, CAPITAL_LOST, season)
        if code in taken:
            book.setdefault(country, []).append(f"capital {board.provinces[code].name} lost")


def name_first(state: CountryState, country: str) -> None:
    """The first original centre, in the board's order, that a country still owns becomes its capital."""
    owners, board = state.position.owners, state.position.board
    own = [home for home in board.powers[country].homes if owners.get(home) == country]
    if own:
        state.name_capital(country, own[0])


def _surrenders(state: CountryState, country: str) -> bool:
    if state.get(country, CAPITAL) != NO_CAPITAL:
        return False
    homes = state.position.board.powers[country].homes
    return not any(state.position.owners.get(home) == country for home in homes)


def surrender(state: CountryState, position: Position, country: str) -> Position:
    """Clause 3: units are removed, factors fall to zero, centres are nobody's, control ends."""
    state.put(country, SURRENDERED, "yes")
    state.put(country, CAPITAL, "")
    state.put(country, CAPITAL_LOST, "")
    state.points[country] = 0
    for minor in MINORS:
        state.set_factors(country, minor, 0)
        if state.controller(minor) == country:
            state.put(minor, CONTROLLER, "")
            state.put(minor, PARTNER, "")
            state.put(minor, LEVEL, "1")
        homes = MINORS[minor].homes
        if any(position.owners.get(home) == country for home in homes) and not position.of(minor):
            state.put(minor, FREED, "yes")
    owners = {code: owner for code, owner in position.owners.items() if owner != country}
    units = tuple(unit for unit in position.units if unit.power != country)
    state.position = replace(position, owners=MappingProxyType(owners), units=units)
    return state.position


def _at_home(state: CountryState, unit: Unit) -> Unit:
    """A stay without capture ends where the centre is the unit's own by now."""
    owner = state.position.owners.get(province_of(unit.at), "")
    return unit.marked(VISITING, "") if unit.mark(VISITING) and owner in ("", unit.power) else unit


def bombed_in(state: CountryState, code: str, year: int) -> bool:
    """Whether a centre was bombed in a year."""
    return state.get(code, BOMBED)[1:] == str(year)

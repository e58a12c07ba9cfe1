"""The end of a season: centres change hands, capitals fall, control ends, powers surrender: clauses 3, 5, 14, 16.C.

Minor countries: who controls them, and what attacks on them cost in political factors (clause 16).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Protocol

from judge.board.model import province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Move, Support, UnitOrder
from judge.rules.business import Deed
from judge.variants.pulsipher1914.lines import CountryLine, claim_fault, claim_of
from judge.variants.pulsipher1914.state import (
    BOMBED,
    BOMBER,
    BOOK,
    CAPITAL,
    CAPITAL_LOST,
    CAPITAL_OPEN,
    CONTROLLER,
    COUNTRIES,
    FREED,
    GRANTED,
    GREATS,
    GROUPS,
    HAD,
    LEVEL,
    MINORS,
    NO_CAPITAL,
    PARTNER,
    SURRENDERED,
    VISITING,
    CountryState,
    first_capital,
)

GRANT = 2


class Adjusting(Protocol):
    """The adjustments of a year while they are made."""

    state: CountryState
    year: int
    units: dict[int, Unit]
    next_id: int

    def note(self, country: str, text: str) -> None:
        """A line of the ledger."""
        ...


def settle_control(winter: Adjusting, claims: list[Deed]) -> list[CountryLine]:
    """Let those control minor countries who have what it takes; what became of the claims."""
    state = winter.state
    lines: list[CountryLine] = []
    joint: dict[str, list[tuple[str, str, str]]] = {}
    for deed in claims:
        minor, partner, chosen = claim_of(deed)
        fault = claim_fault(state, deed)
        if not fault and partner:
            joint.setdefault(minor, []).append((deed.power, partner, chosen))
        lines.append(CountryLine(deed, fault))
    gained: set[tuple[str, str]] = set()
    for minor in MINORS:
        if state.controller(minor) or not _is_open(winter, minor):
            continue
        player, partner = _winner(state, minor, winter.year, joint.get(minor, []))
        if player:
            _gain(winter, minor, player, partner)
            gained |= {(player, minor), (partner, minor)}
    checked: list[CountryLine] = []
    for line in lines:
        minor, _, _ = claim_of(line.deed)
        missed = not line.reason and (line.deed.power, minor) not in gained
        checked.append(line._replace(reason="not-enough-factors") if missed else line)
    return checked


def _is_open(winter: Adjusting, minor: str) -> bool:
    """Whether there is anything to control: a unit, or a centre; or a country that surrender has freed."""
    owns = any(owner == minor for owner in winter.state.position.owners.values())
    units = any(unit.power == minor for unit in winter.units.values())
    return owns or units or bool(winter.state.get(minor, FREED))


def _winner(state: CountryState, minor: str, year: int, joint: list[tuple[str, str, str]]) -> tuple[str, str]:
    """Who gains control, and with whose help. Who has enough alone may share it; whose factors cannot lead to control
    may still add them to those of another.
    """
    level, barred = state.level(minor, year), MINORS[minor].barred
    totals = {player: state.factors(player, minor) for player in GREATS}

    def reach(*players: str) -> bool:
        total = sum(totals[each] for each in players)
        rest = max((each for other, each in totals.items() if other not in players), default=0)
        return total > 0 and total >= level + rest

    alone = next((player for player in GREATS if player != barred and reach(player)), "")
    for player, partner, chosen in joint:
        match = next((each for each in joint if each[:2] == (partner, player)), None)
        if match is None or (chosen and match[2] and chosen != match[2]):
            continue
        if alone not in ("", player, partner) or not reach(player, partner):
            continue
        wanted = chosen or match[2]
        able = [each for each in (player, partner) if each != barred]
        able.sort(key=lambda each: (each != wanted, -totals[each], list(GREATS).index(each)))
        winner = able[0]
        return winner, partner if winner == player else player
    return alone, ""


def _gain(winter: Adjusting, minor: str, player: str, partner: str) -> None:
    """Control passes. A freed minor country has its first units again, and with each the centre in which it stands,
    where that is nobody's.
    """
    state = winter.state
    state.put(minor, CONTROLLER, player)
    state.put(minor, PARTNER, partner)
    state.put(minor, LEVEL, "")
    winter.note(player, f"control of {minor.title()} gained")
    position = state.position
    if state.get(minor, FREED):
        state.put(minor, FREED, "")
        taken = dict(position.owners)
        for line in MINORS[minor].start:
            kind, _, at = line.partition(" ")
            if not any(unit.at == at for unit in winter.units.values()):
                winter.units[winter.next_id] = Unit(winter.next_id, kind, at, minor, at)
                winter.next_id += 1
                taken.setdefault(province_of(at), minor)
        position = state.position = replace(position, owners=MappingProxyType(taken))
    if not state.get(minor, GRANTED):
        centres = sum(owner == minor for owner in position.owners.values())
        state.put(minor, GRANTED, "yes")
        state.points[minor] = state.points.get(minor, 0) + GRANT * centres
        winter.note(minor, f"+{GRANT * centres} for {centres} centres, now that it is controlled")


def land_of(state: CountryState, code: str) -> str:
    """The minor country that owns a space: a centre by its owner, other land by the country in which it lies; ""."""
    province = state.position.board.provinces[code]
    owner = state.position.owners.get(code, "") if province.centre else province.territory or ""
    return owner if owner in MINORS else ""


def attacked(state: CountryState, position: Position, order: Move, left: Collection[int]) -> set[str]:
    """The minor countries against which a move is: where it leads, and whose unit stands there. `left`: units that
    went elsewhere, and were not attacked.
    """
    code = province_of(order.to)
    found = {land_of(state, code)}
    found |= {unit.power for unit in position.at(code) if unit.power in MINORS and unit.id not in left}
    return found - {"", order.unit.power}


def penalise(
    state: CountryState, position: Position, acts: Iterable[UnitOrder], left: Collection[int]
) -> list[tuple[str, str]]:
    """Take the factors of those who attacked; the pairs (player, minor country) that had any. `position`: where units
    stand when these orders are carried out; `left`: those that went elsewhere.
    """
    acts = tuple(acts)
    moves = {order.unit.id: order for order in acts if isinstance(order, Move)}
    lost: list[tuple[str, str]] = []
    for order in acts:
        move = order if isinstance(order, Move) else None
        if isinstance(order, Support) and order.to:
            move = moves.get(order.of.id)
        if move is None:
            continue
        player = state.player(order.unit.power)
        if not player:
            continue
        for minor in attacked(state, position, move, left):
            for struck in _struck(state, player, order.unit.power, minor):
                if state.factors(player, struck):
                    state.set_factors(player, struck, 0)
                    lost.append((player, struck))
    return lost


def _struck(state: CountryState, player: str, country: str, minor: str) -> Iterator[str]:
    master = state.controller(minor)
    if master != player:
        yield minor
    if not master and country == player:
        for group in GROUPS:
            if minor in group:
                yield from sorted(group)


def occupied(state: CountryState) -> list[tuple[str, str]]:
    """Take the factors of players who own a home centre of a minor country, or control one that does."""
    lost: list[tuple[str, str]] = []
    owners = state.position.owners
    for name, minor in MINORS.items():
        holders = {state.player(owners[home]) for home in minor.homes if owners.get(home, name) != name}
        for player in sorted(holders & GREATS.keys()):
            if state.factors(player, name):
                state.set_factors(player, name, 0)
                lost.append((player, name))
    return lost


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

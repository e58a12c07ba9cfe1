"""A season of moves: both parts, railways, semi-active minor countries, bombers, and what all of that costs.

Clauses 7, 8 and 10 to 16 of the source. Retreats come afterwards, and with them centres change hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from judge.adjudicate.outcome import Adjudication, End, Outcome, Result
from judge.board.chart import compile_board
from judge.board.model import province_of
from judge.board.position import Position, numbered
from judge.board.unit import Dislodged, Unit
from judge.orders.model import Build, Hold, Misorder, Move, Order, UnitOrder, Waive
from judge.rules.calendar import Calendar
from judge.variants.pulsipher1914.battle import ORDER, RETREATING, Charge, FoughtPart, Purse, fight, without
from judge.variants.pulsipher1914.bombers import Flown, based, fly
from judge.variants.pulsipher1914.closing import penalise
from judge.variants.pulsipher1914.orders import (
    Later,
    PartOrders,
    Rebase,
    Segments,
    Train,
    Visit,
    first_part,
    second_part,
)
from judge.variants.pulsipher1914.state import (
    BOMBED,
    BOMBER,
    GREATS,
    MINORS,
    PAIRS,
    PERMIT,
    RETREATED,
    SPENT,
    TIES,
    VISITING,
    CountryState,
    with_book,
)

UNPAID = "unpaid"


@dataclass
class _SeasonPlayed:
    """A season while it is played."""

    state: CountryState
    given: dict[int, UnitOrder]
    purse: Purse
    first: FoughtPart
    sheet: PartOrders
    stops: dict[int, tuple[str, ...]]
    """Train -> the provinces through which it comes."""
    second: FoughtPart | None = None
    refused: dict[int, tuple[Segments, str]] = field(default_factory=dict)
    between: Position | None = None


def play_season(position: Position, orders: Iterable[Order], state: CountryState, calendar: Calendar) -> Adjudication:
    """The result of a season of moves. `state` has what was done before it: permissions, a new capital."""
    given = {order.unit.id: order for order in orders if not isinstance(order, (Build, Waive))}
    ids = {unit.id: unit for unit in position.units}
    if strange := next((order for order in given.values() if order.unit.id not in ids), None):
        raise ValueError(f"{strange.unit} is no unit of this position")
    given = _with_the_idle(state, {n: order for n, order in given.items() if state.player(order.unit.power)})
    position = replace(position, marks=state.applied(position).marks)
    state.position = position
    season = _first(position, given, state)
    _second(season)
    return _ended(season, calendar)


def _with_the_idle(state: CountryState, given: dict[int, UnitOrder]) -> dict[int, UnitOrder]:
    """Clause 16.M: the moves of semi-active minor countries that nobody controls."""
    for minor, (names, goal) in PAIRS.items():
        if state.controller(minor):
            continue
        pair = [unit for unit in state.position.of(minor) if str(unit) in names]
        if len(pair) == len(names):
            given |= {unit.id: Move(unit, goal) for unit in pair}
    return given


def _purse(state: CountryState) -> Purse:
    position = state.position
    names = {str(unit): unit.id for unit in position.units}
    ties: dict[str, tuple[int, ...]] = {}
    for country in (*GREATS, *MINORS):
        listed = state.get(country, TIES).split(",")
        ties[country] = tuple(names[name] for name in listed if name in names)
    free = frozenset(minor for minor in MINORS if not state.controller(minor))
    return Purse(state.points, free, ties)


def _first(position: Position, given: dict[int, UnitOrder], state: CountryState) -> _SeasonPlayed:
    """The first part; fought again while a train has to stop short, or one of a pair is driven out."""
    ground = without(position, (unit.id for unit in position.units if unit.kind == BOMBER))
    ground = _for_guests_only(ground, given)
    staying = _staying_bombers(position, given)
    sheet = first_part(ground, given, state)
    stops = _apart(dict(sheet.trains))
    orders = dict(sheet.orders)
    while True:
        purse = _purse(state)
        gone = [number for number, route in stops.items() if route]
        arrived = {stops[number][-1] for number in gone}
        left = {n: o for n, o in orders.items() if n not in gone}
        part = fight(without(ground, gone), left, purse, sheet.notes, staying, arrived)
        entered = {province_of(at) for at in part.moved().values()}
        shorter = _apart({number: _up_to(route, entered) for number, route in stops.items()})
        standing = _pair_that_stands(state, part, orders)
        if shorter == stops and not standing:
            break
        stops = shorter
        orders |= standing
    purse.pay(part.charges, ORDER)
    return _SeasonPlayed(state, given, purse, part, sheet, stops)


def _staying_bombers(position: Position, given: Mapping[int, UnitOrder]) -> list[Unit]:
    """Those that are not ordered to another base."""
    return [unit for unit in position.units if unit.kind == BOMBER and not isinstance(given.get(unit.id), Rebase)]


def _for_guests_only(ground: Position, given: Mapping[int, UnitOrder]) -> Position:
    """Clauses 12 and 14: leave to stand in a centre opens it to a fleet that goes there without capture, and to no
    other.
    """
    guests = {
        (f"{order.unit.kind} {province_of(order.unit.at)}", province_of(order.to))
        for order in given.values()
        if isinstance(order, Visit)
    }
    used = CountryState(ground)
    for permit in tuple(used.permits()):
        if permit.purpose == "occupy" and not any(
            space == permit.space and permit.unit in (name, "") for name, space in guests
        ):
            used.put("/".join((PERMIT, *permit)), PERMIT, "")
    return used.applied(ground)


def _up_to(route: tuple[str, ...], entered: set[str]) -> tuple[str, ...]:
    closed = next((n for n, code in enumerate(route) if code in entered), len(route))
    return route[:closed]


def _apart(stops: dict[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """An army stops before a province in which another ends its journey; two that would end in one both do."""
    while True:
        ends = Counter(route[-1] for route in stops.values() if route)
        shorter = {n: _up_to(route, {c for c in route if ends[c] > (c == route[-1])}) for n, route in stops.items()}
        if shorter == stops:
            return stops
        stops = shorter


def _pair_that_stands(state: CountryState, part: FoughtPart, orders: Mapping[int, UnitOrder]) -> dict[int, UnitOrder]:
    """Clause 16.M: if one of a pair is driven out, the other stands."""
    beaten = part.beaten()
    found: dict[int, UnitOrder] = {}
    for minor, (names, _) in PAIRS.items():
        pair = [unit for unit in state.position.of(minor) if str(unit) in names and not state.controller(minor)]
        moving = [unit for unit in pair if isinstance(orders.get(unit.id), Move)]
        if len(moving) == len(names) and any(unit.id in beaten for unit in moving):
            found |= {unit.id: Hold(unit) for unit in moving}
    return found


def _second(season: _SeasonPlayed) -> None:
    """Clause 11: the second part, of fleets alone."""
    given = season.given
    if not any(isinstance(order, Segments) for order in given.values()):
        return
    part, moved = season.first, season.first.moved()
    units: list[Unit] = []
    for unit in season.state.position.units:
        if unit.kind == BOMBER or unit.id in part.beaten():
            continue
        route = season.stops.get(unit.id)
        at = route[-1] if route else moved.get(unit.id, unit.at)
        units.append(unit._replace(at=at))
    season.between = replace(season.state.position, units=tuple(units))
    orders, season.refused = second_part(season.between, given, moved, part.impossible())
    if orders:
        staying = _staying_bombers(season.state.position, given)
        season.second = fight(season.between, orders, season.purse, {}, staying)
        season.purse.pay(season.second.charges, ORDER)


def _ended(season: _SeasonPlayed, calendar: Calendar) -> Adjudication:
    """The position after the season, and what is told of it."""
    state, purse = season.state, season.purse
    position = state.position
    moved = _moves_of(season)
    beaten = season.first.beaten()
    last = season.second.beaten() if season.second else {}
    ground = tuple(
        _settled(unit, moved.get(unit.id, unit.at), season.given.get(unit.id))
        for unit in position.units
        if unit.kind != BOMBER and unit.id not in beaten and unit.id not in last
    )
    entered = {province_of(unit.at): unit.power for unit in ground if unit.id in moved and not unit.mark(VISITING)}
    waiting, lost = _retreats(season, ground, based(state, season.given, ground, entered))
    flown = fly(state, season.given, ground, entered, purse)
    for country, spent in purse.spent.items():
        state.points[country] = state.points.get(country, 0) - spent
    for code in flown.bombed:
        state.put(code, BOMBED, f"{position.phase.season}{position.phase.year}")
    struck = _penalties(season)
    told = _told(season, lost, flown)
    _write_book(season, struck)
    state.end_season()
    following, _ = calendar.passing(position.phase)
    everybody = {unit.id: unit for unit in (*ground, *flown.units)}
    units = numbered(tuple(everybody[unit.id] for unit in position.units if unit.id in everybody))
    after = position.followed_by(following, units, position.owners, waiting, position.next_id)
    state.put("season", SPENT, ",".join(f"{c}={n}" for c, n in sorted(purse.spent.items(), key=_by_board) if n))
    names = {unit.id: str(unit) for unit in position.units}
    short = dict.fromkeys(names[charge.unit] for charge in purse.short if charge.unit in names)
    state.put("season", UNPAID, ",".join(short))
    return Adjudication(position, state.applied(after), lost, lambda: told)


def _by_board(entry: tuple[str, int]) -> int:
    return ORDER[entry[0]]


def _moves_of(season: _SeasonPlayed) -> dict[int, str]:
    """Unit -> where it is now, of those that went somewhere and were not driven out since."""
    found = dict(season.first.moved())
    found |= {number: route[-1] for number, route in season.stops.items() if route}
    if season.second:
        found |= season.second.moved()
    return found


def _settled(unit: Unit, at: str, order: UnitOrder | None) -> Unit:
    """A unit after the season: what it remembered of its retreat is over; a stay without capture goes on while it is
    in its place.
    """
    found = unit._replace(at=at)
    if unit.mark(RETREATED):
        found = found.marked(RETREATED, "")
    if at == unit.at:
        return found
    visits = isinstance(order, Visit)
    return found.marked(VISITING, "true" if visits else "") if visits or unit.mark(VISITING) else found


def _retreats(
    season: _SeasonPlayed, ground: tuple[Unit, ...], bombers: tuple[Unit, ...]
) -> tuple[tuple[Dislodged, ...], tuple[Dislodged, ...]]:
    """Clauses 11 and 13, and what retreats cost: who may retreat where, and who is lost."""
    state, purse = season.state, season.purse
    taken = {province_of(unit.at) for unit in ground}
    closed = season.first.standoffs() | (season.second.standoffs() if season.second else set())
    waiting: list[Dislodged] = []
    lost: list[Dislodged] = []
    found: list[tuple[Charge, Unit, Unit]] = []
    for part in filter(None, (season.first, season.second)):
        ids = {unit.id: unit for unit in part.position.units}
        for number, by in part.beaten().items():
            unit = ids[number]
            cost = Charge(unit.power, number, "retreat", (RETREATING, 0, 0), 1, 1, f"{unit}: retreat")
            found.append((cost, unit, by))
    rank = {unit.id: n for n, unit in enumerate(state.position.units)}
    purse.reserved.clear()
    for cost, unit, by in sorted(found, key=lambda each: (purse.tie(each[0])[0], rank[each[0].unit])):
        options = _options(state, unit, by, taken | closed | state.bases_of_others(unit, bombers))
        if unit.power in purse.free:
            options = tuple(at for at in options if (unit.power, str(unit), at) == ("ITALY", "A VEN", "ROM"))
        elif options and purse.for_retreats(unit.power) < 1:
            purse.lack(cost, at_hand=0)
            options = ()
        elif options:
            purse.spent[unit.power] += 1
            purse.paid.append(cost)
        (waiting if options else lost).append(Dislodged(_driven_out(unit), options, by))
    waiting.sort(key=lambda each: rank[each.unit.id])
    return tuple(waiting), tuple(lost)


def _driven_out(unit: Unit) -> Unit:
    """What a unit remembers when it is dislodged: nothing of an earlier retreat, nor of a stay without capture."""
    return unit.marked(RETREATED, "").marked(VISITING, "")


def _options(state: CountryState, unit: Unit, by: Unit, closed: set[str]) -> tuple[str, ...]:
    """Clause 13: places beside, but for that of the attacker, and for foreign centres without permission."""
    position = state.position
    chart = compile_board(position.board, position.phase.season)
    found: list[str] = []
    for where, _ in chart.spots[unit.kind][unit.at].exits:
        code = province_of(where)
        if code in closed or code == province_of(by.at):
            continue
        if state.may_retreat(unit, code):
            found.append(where)
    return tuple(found)


def _penalties(season: _SeasonPlayed) -> list[tuple[str, str]]:
    """Clause 16.F: what orders cost in factors, those that failed and journeys by rail among them."""
    state = season.state
    trains = [order for n, order in season.given.items() if isinstance(order, Train) and n in season.stops]
    journeys = [Move(order.unit, order.route[-1]) for order in trains]
    left = {*season.first.moved(), *(number for number, route in season.stops.items() if route)}
    found = penalise(state, state.position, (*_tried(season.first), *journeys), left)
    if season.second:
        found += penalise(state, season.second.position, _tried(season.second), season.second.moved())
    return found


def _tried(part: FoughtPart) -> Iterable[UnitOrder]:
    bout = part.solver.bout
    return (order for n, order in enumerate(bout.given) if order is not None and n not in bout.faults)


def _told(season: _SeasonPlayed, lost: tuple[Dislodged, ...], flown: Flown) -> tuple[Outcome, ...]:
    """One outcome for each unit, and one for each second part."""
    position, given = season.state.position, season.given
    ends = season.first.outcomes(lost)
    for number, route in season.stops.items():
        train = given[number]
        assert isinstance(train, Train)
        if route == train.route:
            ends[number] = Outcome((train, End((Result.OK,), "moved")))
            continue
        fate = ends[number].results[1:] if number in ends and number in season.first.beaten() else ()
        reason = "railway-cut-short" if route else "railway-closed"
        ends[number] = Outcome((train, End((Result.BOUNCED, *fate), reason)))
    second = season.second.outcomes(lost) if season.second else {}
    later: dict[int, Outcome] = {}
    for number, outcome in second.items():
        order = given.get(number)
        fate = tuple(each for each in outcome.results if each in (Result.DISLODGED, Result.DISBANDED))
        if isinstance(order, Segments) and number not in season.refused:
            later[number] = Outcome((Later(order.unit, order.then), outcome.end))
        elif fate:
            end = ends[number].end
            ends[number] = Outcome((ends[number].order, end._replace(results=(*end.results, *fate))))
    for number, (order, reason) in season.refused.items():
        later[number] = Outcome((Later(order.unit, order.then), End((Result.ILLEGAL,), reason)))
    told: list[Outcome] = []
    for unit in position.units:
        if unit.id in flown.outcomes:
            told.append(flown.outcomes[unit.id])
            continue
        outcome = ends[unit.id]
        shown = given.get(unit.id, outcome.order)
        if isinstance(shown, Misorder) and not isinstance(outcome.order, Misorder):
            shown = outcome.order
        told.append(Outcome((shown, outcome.end)))
    return (*told, *(later[unit.id] for unit in position.units if unit.id in later))


def _write_book(season: _SeasonPlayed, struck: Iterable[tuple[str, str]]) -> None:
    """The ledger of the season: what each act cost, and who went short."""
    purse = season.purse
    book: dict[str, list[str]] = {}
    for charge in purse.paid:
        book.setdefault(charge.country, []).append(f"-{charge.cost} {charge.about}")
    for charge, why in zip(purse.short, purse.why, strict=True):
        book.setdefault(charge.country, []).append(f"not paid: {charge.about} ({why})")
    for player, minor in struck:
        book.setdefault(player, []).append(f"factors in {minor.title()} lost: attacked")
    with_book(season.state, book, purse.points)

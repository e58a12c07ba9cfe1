"""Reads holds and moves: which unit, where to, and whether one meaning is left after type, position and reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from judge.board.model import Location, coast_of, province_of
from judge.board.phase import ADJUSTMENTS, RETREATS
from judge.board.unit import Unit
from judge.orders import problems
from judge.orders.grammar import Tile
from judge.orders.lexer import Lexed, Named
from judge.orders.model import Convoy, Hold, Move, Order, Rail
from judge.orders.problems import reachable_moves, units_that_could
from judge.orders.scene import Candidates, Meaning, Scene


class Way(NamedTuple):
    """One candidate: a unit, a location, and what had to be added or left out to get there."""

    unit: Unit
    to: Location
    note: str = ""
    guessed: bool = False


def read_hold(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Par H", "London holds", "F Stands", "A Par stays in Paris"."""
    subject = scene.subject(lexed, tile)
    if not subject.units:
        return no_subject(scene, lexed, tile)
    if tile.to:
        named: Named = lexed.values[tile.to[0]]
        places = {province_of(place) for rank in scene.ranks(named, ()) for place in rank}
        there = tuple(unit for unit in subject.units if province_of(unit.at) in places)
        if not there:
            unit = subject.units[0]
            near = units_that_could(scene.ground.reach, (unit,), places)
            return Meaning(problem=problems.stands_elsewhere(unit, named.text, scene.board, near), unit=unit)
        subject = subject._replace(units=there)
    return decided(scene, subject, [Hold(unit) for unit in subject.units])


def read_move(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Par - Bur", "bre mid", "A Lon - Nth - Bel", "A Lon - Bel via convoy"."""
    subject, reach = scene.subject(lexed, tile), scene.ground.reach
    target: Named = lexed.values[tile.to[-1]]
    if not subject.units:
        return no_subject(scene, lexed, tile, target)
    if target.found.impassable:
        return Meaning(problem=problems.impassable(target.found.impassable), unit=subject.units[0])
    if "rail" in scene.options.known and (rails := rails_of(scene, subject.units, target)):
        return Meaning(problem=problems.railway_not_named(rails[0]), unit=rails[0].unit)
    if route := tile.on_the_way:
        return _read_routed(scene, lexed, subject, route, target)
    if "C" in lexed.shape[tile.start : tile.end] and all(unit.kind not in reach.carried for unit in subject.units):
        return _carries_nobody(scene, subject, target)
    ways = find_ways(scene, subject.units, target, via=tile.via)
    if not ways:
        moves = reachable_moves(reach, subject.units)
        return Meaning(problem=problems.no_such_place(target.text, scene.board, moves), unit=subject.units[0])
    notes = {way.note for way in ways}
    orders: list[Order] = [Move(way.unit, way.to, tile.via and way.unit.kind in reach.carried) for way in ways]
    if tile.via and all(way.unit.kind not in reach.carried for way in ways):
        notes.add("via-ignored")
    if len(ways) > 1 and _only_coasts_differ(ways):
        way = ways[0]
        problem = problems.which_coast(way.unit, way.to, scene.board, orders, target.found.coast)
        return Meaning(problem=problem, unit=way.unit)
    verdict = decided(scene, subject, orders)
    guessed = verdict.guessed or any(way.guessed or scene.is_other(target, way.to) for way in ways)
    return verdict._replace(notes=(*verdict.notes, *sorted(notes - {""})), guessed=guessed)


def read_rail(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Mos RR Oms", "A Moscow - Omsk by rail", "A Mos RR Perm RR Omsk"."""
    subject = scene.subject(lexed, tile)
    target: Named = lexed.values[tile.to[-1]]
    if not subject.units:
        return no_subject(scene, lexed, tile, target)
    if target.found.impassable:
        return Meaning(problem=problems.impassable(target.found.impassable), unit=subject.units[0])
    rails = rails_of(scene, subject.units, target)
    for index in tile.to[:-1]:
        stops = {province_of(place) for rank in scene.ranks(lexed.values[index], ()) for place in rank}
        rails = [rail for rail in rails if stops.intersection(_line_of(scene, rail)[:-1])]
    if not rails:
        walks = [Move(way.unit, way.to) for way in find_ways(scene, subject.units, target)]
        near = [walk for walk in walks if scene.ground.reach.can_go(walk.unit, walk.to)]
        ends = [Rail(unit, line[-1]) for unit in subject.units for line in _lines_from(scene, unit)]
        return Meaning(problem=problems.no_railway(scene.board, [*near, *ends]), unit=subject.units[0])
    return decided(scene, subject, rails)


def read_carried(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Edi c. Nth - Nwy": an army convoys nobody, so it is the one that is carried; an order to convoy otherwise."""
    route = (tile.of_at, *tile.to[:-1], *tile.route)
    return _read_routed(scene, lexed, scene.subject(lexed, tile), route, lexed.values[tile.to[-1]])


def rails_of(scene: Scene, units: Sequence[Unit], target: Named) -> list[Rail]:
    """The journeys by rail that lead a unit to a named place."""
    among = {line[-1] for unit in units for line in _lines_from(scene, unit)}
    places = [province_of(place) for rank in scene.ranks(target, among) for place in rank] if among else []
    found = [Rail(unit, place) for unit in units for place in dict.fromkeys(places)]
    return [rail for rail in found if _line_of(scene, rail)]


def _lines_from(scene: Scene, unit: Unit) -> list[tuple[str, ...]]:
    ends = [place for line in scene.board.railways if unit.at in line for place in line]
    return [line for place in dict.fromkeys(ends) if (line := scene.board.line(unit.kind, unit.at, place))]


def _line_of(scene: Scene, rail: Rail) -> tuple[str, ...]:
    return scene.board.line(rail.unit.kind, rail.unit.at, rail.to)


def _carries_nobody(scene: Scene, subject: Candidates, target: Named) -> Meaning:
    """The problem of "F Tys C Tunis": the order of a fleet to convoy that names no army."""
    unit, reach = subject.units[0], scene.ground.reach
    places = {province_of(place) for rank in scene.ranks(target, ()) for place in rank}
    armies = [army for units in scene.ground.standing.values() for army in units if army.kind in reach.carried]
    carried = [
        Convoy(unit, army, to)
        for army in armies
        for to in sorted(reach.convoy(army) if army.at in places else places)
        if to != army.at and reach.can_carry(unit, army, to)
    ]
    return Meaning(problem=problems.needs_army(unit, scene.board, carried), unit=unit)


def find_ways(scene: Scene, units: Sequence[Unit], target: Named, *, via: bool = False) -> list[Way]:
    """Every way that the words can mean: the best rank with a possible one, else what is at least well formed.

    An order that cannot be carried out is still an order: one unit and one place is enough to read it. Nobody
    sends a unit where it stands with a word that means another place too.
    """
    reach = scene.ground.reach
    board = scene.ground.position.board
    among = {province_of(place) for unit in units for place in (*reach.walk(unit), *reach.convoy(unit))}
    guessed = not (target.found.exact or target.found.prefix)
    ranks = [
        [way for unit in units for place in rank for way in _ways_to(scene, unit, place, target, guessed=guessed)]
        for rank in scene.ranks(target, among)
    ]
    for ways in ranks:
        if possible := _different(way for way in ways if _possible(scene, way, via=via)):
            return possible
    if guessed:
        return []
    for ways in ranks:
        ways = [way for way in ways if province_of(way.to) != province_of(way.unit.at)] or ways
        for sieve in (
            [way for way in ways if way.to in reach.overseas(way.unit)],
            [way for way in ways if board.can_stand(way.unit.kind, way.to)],
            ways,
        ):
            if sieve:
                return _different(sieve)
    return []


def _ways_to(scene: Scene, unit: Unit, place: Location, target: Named, *, guessed: bool) -> Iterator[Way]:
    """The locations of one place for one unit: coasts supplied, dropped, or offered where none exists."""
    province = scene.ground.position.board.provinces[province_of(place)]
    coast = coast_of(place)
    if not scene.ground.position.board.kinds[unit.kind].coasts or not province.coasts:
        yield Way(unit, province.code, "coast-ignored" if target.found.coast else "", guessed)
        return
    if coast:
        yield Way(unit, place, "", guessed)
        return
    near = [location for location in scene.ground.reach.walk(unit) if province_of(location) == province.code]
    for location in near:
        if target.found.coast:
            yield Way(unit, location, "", True)
        else:
            yield Way(unit, location, "coast-supplied", guessed)
    if not near:
        yield Way(unit, province.code, "", guessed)


def _possible(scene: Scene, way: Way, *, via: bool) -> bool:
    reach = scene.ground.reach
    if via and way.unit.kind in reach.carried:
        return way.to in reach.convoy(way.unit)
    return reach.can_go(way.unit, way.to)


def _read_routed(scene: Scene, lexed: Lexed, subject: Candidates, route: Sequence[int], target: Named) -> Meaning:
    """ "A Lon - Nth - Bel": everything between start and end must be sea."""
    reach = scene.ground.reach
    ways = find_ways(scene, subject.units, target, via=True)
    unit = subject.units[0]
    named = [lexed.values[index] for index in route]
    seas, known = seas_named(scene, unit, named), all(place.found.known for place in named)
    if seas and ways and all(beside_the_way(scene, unit, seas, way.to) for way in ways):
        off_the_way = sorted(beside_the_way(scene, unit, seas, ways[0].to))
        if known:
            carried = [Move(way.unit, way.to, via=True) for way in ways]
            problem = problems.no_way_over_sea(unit, off_the_way, ways[0].to, scene.board, carried)
            return Meaning(problem=problem, unit=unit)
        seas = ()
    if not seas or not ways:
        steps = [
            Move(way.unit, way.to)
            for index in (*route, None)
            for way in find_ways(scene, subject.units, lexed.values[index] if index is not None else target)
            if reach.can_go(way.unit, way.to)
        ]
        return Meaning(problem=problems.more_than_one_step(unit, scene.board, steps, scene.options.known), unit=unit)
    verdict = decided(scene, subject, [Move(way.unit, way.to, True, _whole(scene, way, seas)) for way in ways])
    guessed = any(way.guessed for way in ways) or not known
    return verdict._replace(guessed=verdict.guessed or guessed)


def _whole(scene: Scene, way: Way, seas: tuple[str, ...]) -> tuple[str, ...]:
    """The seas if they lead all the way; () if some of its seas were left out, so that any fleet may carry."""
    reached = _joined(scene, frozenset(seas), (way.unit.at,))
    return seas if reached & scene.ground.reach.seas_at(province_of(way.to)) else ()


def seas_named(scene: Scene, unit: Unit, route: Sequence[Named]) -> tuple[str, ...]:
    """The seas that a line names on the way of a unit; () where a place on it is none, or can be several."""
    reach = scene.ground.reach
    if unit.kind not in reach.carried:
        return ()
    seas: list[str] = []
    for named in route:
        choices = [
            province_of(place)
            for rank in scene.ranks(named, reach.seas)
            for place in rank
            if province_of(place) in reach.seas
        ]
        joined = [sea for sea in dict.fromkeys(choices) if sea in reach.seas_at(seas[-1] if seas else unit.at)]
        if len(joined or choices) != 1:
            return ()
        seas.append((joined or choices)[0])
    return tuple(seas)


def beside_the_way(scene: Scene, unit: Unit, seas: Iterable[str], to: Location) -> frozenset[str]:
    """Those of the seas that hang together neither with where a unit stands nor with where it goes: such a sea is no
    part of its way, and must not be lost. Seas may be named in any order, and some of a way left out.
    """
    return frozenset(seas) - _joined(scene, frozenset(seas), (unit.at, province_of(to)))


def _joined(scene: Scene, seas: frozenset[str], places: Iterable[Location]) -> frozenset[str]:
    """Those of the seas to which a way over others of them leads from one of the places."""
    found: frozenset[str] = frozenset()
    near = frozenset(sea for place in places for sea in scene.ground.reach.seas_at(place))
    while new := near & seas - found:
        found |= new
        near = frozenset(sea for place in new for sea in scene.ground.reach.seas_at(place))
    return found


def decided(scene: Scene, subject: Candidates, orders: Sequence[Order]) -> Meaning:
    """One order is the meaning; two are asked back; a wrong letter is asked back where the game wants that."""
    meanings = tuple(dict.fromkeys(orders))
    unit = subject.units[0] if len(subject.units) == 1 else None
    if len(meanings) > 1:
        return Meaning(problem=problems.two_meanings(meanings), unit=unit)
    order = meanings[0]
    unit = getattr(order, "unit", None)
    if "wrong-unit-letter" in subject.notes and scene.options.no_mistakes and unit is not None:
        board = scene.ground.position.board
        return Meaning(problem=problems.wrong_letter(unit, board, order), notes=subject.notes, unit=unit)
    return Meaning(order, subject.notes, None, subject.guessed, unit)


def no_subject(scene: Scene, lexed: Lexed, tile: Tile, target: Named | None = None) -> Meaning:
    """Why there is no unit to order: unknown place, somebody else's unit, nobody there."""
    named = scene.named(lexed, tile.at)
    board = scene.ground.position.board
    kind = lexed.values[tile.unit] if tile.unit >= 0 else None
    if named is None:
        return Meaning(problem=problems.no_such_unit("", kind, problems.YOU_HAVE_NO, board))
    if named.found.impassable:
        return Meaning(problem=problems.impassable(named.found.impassable))
    places = [place for rank in scene.ranks(named, ()) for place in rank]
    nearby = _could_be_meant(scene, kind, {province_of(place) for place in places}, target)
    if not places:
        return Meaning(problem=problems.no_such_place(named.text, board, nearby, scene.mine(kind)))
    nation = lexed.values[tile.nation] if tile.nation >= 0 else None
    here = [unit for place in places for unit in scene.ground.at.get(province_of(place), ())]
    fitting = [unit for unit in here if kind in (None, unit.kind)]
    if foreign := next(iter(fitting or (here if len(places) == 1 else [])), None):
        if scene.power is not None and foreign.power != scene.power:
            played = foreign.power not in scene.options.unplayed
            return Meaning(problem=problems.not_your_unit(foreign, board, nearby, played=played))
    elif scene.kind is RETREATS:
        resting = [unit for place in places for unit in scene.ground.standing.get(province_of(place), ())]
        if resting:
            return Meaning(problem=problems.not_dislodged(resting[0], board))
    missing, named_nation = problems.YOU_HAVE_NO, ""
    if scene.power is None:
        named_nation = nation[0] if nation else ""
        missing = problems.THERE_IS_NONE_OF if nation else problems.THERE_IS_NO
    where = problems.place_names(places[:3], board)
    nearby = _of_nation(nearby, nation)
    return Meaning(problem=problems.no_such_unit(where, kind, missing, board, nearby, named_nation))


def _could_be_meant(scene: Scene, kind: str | None, origins: set[str], target: Named | None) -> list[Order]:
    """The move turned round ("A Bul-Rum" for A Rum-Bul), then own units that could go where this order goes."""
    if target is None or scene.kind is ADJUSTMENTS:
        return []
    places = [place for rank in scene.ranks(target, ()) for place in rank]
    units = [
        unit
        for units in scene.ground.at.values()
        for unit in units
        if kind in (None, unit.kind) and scene.power in (None, unit.power)
    ]
    meant = units_that_could(scene.ground.reach, units, places)
    turned = [
        Move(unit, to)
        for unit in units
        if province_of(unit.at) in {province_of(place) for place in places}
        for to in scene.ground.reach.walk(unit)
        if province_of(to) in origins
    ]
    return [*turned, *meant]


def _of_nation(orders: Iterable[Order], nation: tuple[str, ...] | None) -> list[Order]:
    return [order for order in orders if isinstance(order, Move) and (not nation or order.unit.power in nation)]


def _different(ways: Iterable[Way]) -> list[Way]:
    """One way for each unit and location, the plainest."""
    found: dict[tuple[Unit, Location], Way] = {}
    for way in ways:
        found.setdefault((way.unit, way.to), way)
    return list(found.values())


def _only_coasts_differ(ways: Sequence[Way]) -> bool:
    return len({(way.unit, province_of(way.to)) for way in ways}) == 1

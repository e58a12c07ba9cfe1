"""Reads retreats, disbandings, builds, removals and waived builds."""

from __future__ import annotations

from collections.abc import Sequence

from judge.board.model import Board, Location, Terrain, coast_of, province_of
from judge.board.unit import Unit
from judge.orders import problems
from judge.orders.grammar import Tile
from judge.orders.lexer import Lexed, Named
from judge.orders.model import Build, Disband, Order, Retreat, Waive
from judge.orders.moving import decided, no_subject
from judge.orders.reading import Problem
from judge.orders.scene import Candidates, Meaning, Scene

_MOST_WAIVED = 34
"""Nobody has more builds than the board has centres."""


def read_retreat(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Bur R Gas", "A Gre - Ser", "The fleet in Trieste retreats to Albania"."""
    subject = scene.subject(lexed, tile)
    target: Named = lexed.values[tile.to[-1]]
    if not subject.units:
        return no_subject(scene, lexed, tile)
    if target.found.impassable:
        return Meaning(problem=problems.impassable(target.found.impassable), unit=subject.units[0])
    options = scene.ground.options
    among = {province_of(place) for unit in subject.units for place in options[unit]}
    guessed = not (target.found.exact or target.found.prefix)
    ranks = [
        [(unit, to) for unit in subject.units for place in rank for to in _retreats_to(scene, unit, place, target)]
        for rank in scene.ranks(target, among)
    ]
    possible = next(filter(None, ([way for way in ways if way[1] in options[way[0]]] for ways in ranks)), [])
    if guessed and not possible:
        offered = [Retreat(unit, to) for unit in subject.units for to in options[unit]]
        return Meaning(problem=problems.no_such_place(target.text, scene.board, offered), unit=subject.units[0])
    board = scene.ground.position.board
    ways = possible or [way for way in ranks[0] if board.can_stand(way[0].kind, way[1])] or ranks[0]
    orders: list[Order] = [Retreat(unit, to) for unit, to in ways]
    if len(orders) > 1 and len({(unit, province_of(to)) for unit, to in ways}) == 1:
        problem = problems.which_coast(*ways[0], board, orders, target.found.coast)
        return Meaning(problem=problem, unit=ways[0][0])
    verdict = decided(scene, subject, orders)
    note = _coast_note(target, ways[0][1])
    return verdict._replace(notes=(*verdict.notes, *note), guessed=verdict.guessed or guessed)


def _retreats_to(scene: Scene, unit: Unit, place: Location, target: Named) -> Sequence[Location]:
    """The locations of one place for one unit; the options of the position are authoritative."""
    board = scene.ground.position.board
    if not board.kinds[unit.kind].coasts or not board.provinces[province_of(place)].coasts:
        return (province_of(place),)
    if coast_of(place):
        return (place,)
    open_coasts = [option for option in scene.ground.options[unit] if province_of(option) == place]
    return open_coasts or (place,)


def _coast_note(target: Named, to: Location) -> tuple[str, ...]:
    if target.found.coast and "/" not in to:
        return ("coast-ignored",)
    return ("coast-supplied",) if "/" in to and not target.found.coast else ()


def read_disband(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Bur D", "Gre disband", "remove A Tun"; "R disband" where one unit is dislodged."""
    subject = scene.subject(lexed, tile)
    if not subject.units:
        return no_subject(scene, lexed, tile)
    return decided(scene, subject, [Disband(unit) for unit in subject.units])


def read_build(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "build a lvp", "Build F Stp/nc", "[Russia] B F St. Petersburg"."""
    board = scene.ground.position.board
    named: Named = lexed.values[tile.at]
    kind: str | None = lexed.values[tile.unit] if tile.unit >= 0 else None
    nation: tuple[str, ...] = lexed.values[tile.nation] if tile.nation >= 0 else ()
    if named.found.impassable:
        return Meaning(problem=problems.impassable(named.found.impassable))
    if problem := _for_another(scene, nation):
        return Meaning(problem=problem)
    powers = (scene.power,) if scene.power else nation
    homes = [home for home, owner in board.home_of.items() if not powers or owner in powers]
    guessed = not (named.found.exact or named.found.prefix)
    places = _build_places(scene, named, homes)
    if not places:
        return Meaning(problem=problems.no_such_place(named.text, board))
    orders: list[Order] = []
    for place in places:
        province = board.provinces[province_of(place)]
        power = scene.power or (nation[0] if nation else _builder(scene, province.code))
        if power is None:
            return Meaning(
                problem=problems.no_such_unit(board.spelled[province.code], None, problems.NOBODY_BUILDS, board)
            )
        for letter in [kind] if kind else _kinds(board, province.terrain):
            known = board.kinds[letter].coasts
            sites = (province.code,) if not known else (place,) if coast_of(place) else province.locations()
            if known and (base := _base_in(board, power, province.code)) and not coast_of(place):
                sites = (base,)
            orders += [Build(power, letter, site) for site in sites]
    return _built(scene, lexed, named, orders, guessed=guessed)


def read_build_somewhere(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "build a fleet": the places where its power could, to choose from; the rules leave those that are possible."""
    position = scene.ground.position
    board = position.board
    kind: str = lexed.values[tile.unit]
    nation: tuple[str, ...] = lexed.values[tile.nation] if tile.nation >= 0 else ()
    if problem := _for_another(scene, nation):
        return Meaning(problem=problem)
    power = scene.power or (nation[0] if len(nation) == 1 else None)
    if power is None:
        return Meaning(problem=problems.unfinished(None, board, scene.kind, scene.options.known))
    homes = [centre for centre in position.centres(power) if board.home_of.get(centre) == power]
    orders: list[Order] = []
    for centre in homes or position.centres(power):
        base = _base_in(board, power, centre) if board.kinds[kind].coasts else ""
        orders += [Build(power, kind, at) for at in ((base,) if base else board.standings(kind, centre))]
    return Meaning(problem=problems.which_place(kind, board, orders))


def _base_in(board: Board, power: str, province: str) -> str:
    """The naval base that a power has in a province, if the board knows such bases."""
    bases = board.powers[power].facts.get("naval_bases") or ()
    return next((str(base) for base in bases if province_of(str(base)) == province), "")  # type: ignore[union-attr]


def _for_another(scene: Scene, nation: tuple[str, ...]) -> Problem | None:
    """ "Germany builds ..." in a mail from England."""
    if scene.power is None or not nation or scene.power in nation:
        return None
    return problems.not_your_power(scene.ground.position.board.powers[nation[0]])


def _built(scene: Scene, lexed: Lexed, named: Named, orders: Sequence[Order], *, guessed: bool) -> Meaning:
    board = scene.ground.position.board
    builds = [order for order in orders if isinstance(order, Build)]
    sites = {province_of(build.at) for build in builds}
    if len(builds) > 1 and len(sites) == 1:
        if len({build.kind for build in builds}) > 1:
            name = board.place_name(next(iter(sites)))
            return Meaning(problem=problems.which_kind(name, builds))
        return Meaning(problem=problems.build_coast(builds[0].at, board, builds, named.found.coast))
    notes = ("coast-ignored",) if named.found.coast and "/" not in builds[0].at else ()
    return decided(scene, Candidates((), notes, guessed), builds)


def _build_places(scene: Scene, named: Named, homes: Sequence[str]) -> list[Location]:
    """Home centres go first, then centres, then anything: a build at an odd place is read, and refused by the rules."""
    board = scene.ground.position.board
    ranks = scene.ranks(named, homes)
    for allowed in (homes, board.centres, board.provinces):
        for places in ranks:
            if found := [place for place in places if province_of(place) in allowed]:
                return found
    return []


def _builder(scene: Scene, province: str) -> str | None:
    return scene.ground.position.board.home_of.get(province) or scene.ground.position.owners.get(province)


def _kinds(board: Board, terrain: Terrain) -> list[str]:
    return [letter for letter, kind in board.kinds.items() if terrain in kind.stands]


def read_bare(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "F nap" alone: a removal where the unit stands and is one too many, else a build."""
    subject = scene.subject(lexed, tile)
    position = scene.ground.position
    if subject.units:
        power = subject.units[0].power
        spare = len(position.centres(power)) - len(position.of(power))
        if spare < 0 or (spare == 0 and not subject.notes):
            return read_disband(scene, lexed, tile)
    elif scene.power and len(position.centres(scene.power)) < len(position.of(scene.power)):
        return no_subject(scene, lexed, tile)
    return read_build(scene, lexed, tile)


def read_waive(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "waive", "pass": whose build it is must be known from the mail or a heading."""
    nation: tuple[str, ...] = lexed.values[tile.nation] if tile.nation >= 0 else ()
    if problem := _for_another(scene, nation):
        return Meaning(problem=problem)
    power = scene.power or (nation[0] if len(nation) == 1 else None)
    if power is None:
        return Meaning(problem=problems.unfinished(None, scene.board, scene.kind, scene.options.known))
    return Meaning(Waive(power))


def waived_builds(lexed: Lexed, tile: Tile) -> int | None:
    """How many builds a line such as "waive 2" or "pass" gives up; None: all that are left."""
    if tile.number < 0:
        return 1
    value = lexed.values[tile.number]
    return max(1, min(value, _MOST_WAIVED)) if isinstance(value, int) else None

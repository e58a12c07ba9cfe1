"""Reads supports and convoys: two units and a destination, of which a badly written line may leave much to be found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from judge.board.model import Board, Location, province_of
from judge.board.unit import Unit
from judge.orders import problems
from judge.orders.grammar import Tile
from judge.orders.lexer import Lexed, Named
from judge.orders.model import Convoy, Order, Support
from judge.orders.moving import beside_the_way, decided, find_ways, no_subject, read_carried, seas_named
from judge.orders.scene import Candidates, Meaning, Reach, Scene

Joint = tuple[Unit, Unit, Location | None]
"""Who helps, who is helped, where to (None: where it stands)."""

Test = Callable[[Unit, Unit, str], bool]


def read_support(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Mar S A Par - Bur", "A Sil S RUSSIAN A War-Pru", "F S A Bul.-Rum.", "A Boh S A Mun"."""
    reach = scene.ground.reach
    tests: tuple[Test, ...] = (
        lambda unit, of, to: to in reach.walk_provinces(unit) and _can_act(reach, of, to),
        lambda unit, of, to: to in reach.walk_provinces(unit),
        lambda unit, of, to: _can_act(reach, of, to),
        lambda unit, of, to: True,
    )
    return _read_joint(scene, lexed, tile, tests, Support)


def read_convoy(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "F Nth C A Lon - Bel", "F Nth C ENGLISH A Lon-Bel"."""
    reach = scene.ground.reach
    if _is_carried(scene, lexed, tile):
        return read_carried(scene, lexed, tile)
    tests: tuple[Test, ...] = (
        lambda unit, of, to: reach.can_carry(unit, of, to),
        lambda unit, of, to: to in reach.overseas(of),
        lambda unit, of, to: True,
    )
    return _read_joint(scene, lexed, tile, tests, lambda unit, of, to: Convoy(unit, of, to or of.at))


def _is_carried(scene: Scene, lexed: Lexed, tile: Tile) -> bool:
    """Whether a line orders an army to convoy what can only be its way: "A Edi c. Nth - Nwy"."""
    reach, units = scene.ground.reach, scene.subject(lexed, tile).units
    named: Named = lexed.values[tile.of_at]
    carries = scene.board.carriers
    return (
        bool(units)
        and all(unit.kind in reach.carried and unit.kind not in carries for unit in units)
        and (tile.of_unit < 0 or lexed.values[tile.of_unit] in carries)
        and any(province_of(place) in reach.seas for place in named.found.places)
    )


def read_convoy_nowhere(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "F Nth C A Lon": the destination is missing."""
    subject, others = scene.subject(lexed, tile), scene.others(lexed, tile)
    if not subject.units:
        return no_subject(scene, lexed, tile)
    if not others.units:
        return _nobody_to_help(scene, lexed, tile, subject)
    unit, of = subject.units[0], others.units[0]
    ports = sorted(port for port in scene.ground.reach.convoy(of) if scene.ground.reach.can_carry(unit, of, port))
    carried = [Convoy(unit, of, port) for port in ports]
    return Meaning(problem=problems.needs_destination(unit, of, scene.board, carried), unit=unit)


def _can_act(reach: Reach, of: Unit, to: str) -> bool:
    return to == province_of(of.at) or reach.can_enter(of, to)


def _read_joint(
    scene: Scene,
    lexed: Lexed,
    tile: Tile,
    tests: Sequence[Test],
    order_of: Callable[[Unit, Unit, Location | None], Order],
) -> Meaning:
    """Subject, helped unit and destination together: the strictest test that leaves a meaning decides."""
    subject = scene.subject(lexed, tile)
    target: Named | None = lexed.values[tile.to[-1]] if tile.to else None
    if not subject.units:
        return no_subject(scene, lexed, tile)
    others = scene.others(lexed, tile)
    if not others.units:
        return _nobody_to_help(scene, lexed, tile, subject)
    if target is not None and target.found.impassable:
        return Meaning(problem=problems.impassable(target.found.impassable), unit=subject.units[0])
    by_sea = _by_sea(scene, lexed, tile, others)
    if tile.on_the_way and not by_sea:
        return _more_than_one_step(scene, lexed, tile, subject, others, order_of)
    ranks = list(_joints(scene, subject, others, target))
    if not ranks:
        assert target is not None
        near = [order_of(*joint) for joint in _near_joints(scene, subject, others, tests[0])]
        return Meaning(problem=problems.no_such_place(target.text, scene.board, near), unit=subject.units[0])
    joints = _sieve(ranks, tests)
    orders = [order_of(*joint) for joint in joints]
    if by_sea and all(_beside_the_way(scene, joint, by_sea) for joint in joints):
        unit, of, to = joints[0]
        off_the_way = sorted(_beside_the_way(scene, joints[0], by_sea))
        return Meaning(problem=problems.no_way_over_sea(of, off_the_way, to or of.at, scene.board, orders), unit=unit)
    verdict = decided(scene, subject, orders)
    if not all(lexed.values[index].found.known for index in tile.on_the_way):
        verdict = verdict._replace(guessed=True)
    return _with_nationality(scene, lexed, tile, _with_notes(scene, verdict, others, target))


def _by_sea(scene: Scene, lexed: Lexed, tile: Tile, others: Candidates) -> dict[Unit, tuple[str, ...]]:
    """The seas that are named on the way of each unit that may be helped; empty where they are none."""
    route = [lexed.values[index] for index in tile.on_the_way]
    found = {of: seas_named(scene, of, route) for of in others.units} if route else {}
    return {of: seas for of, seas in found.items() if seas}


def _beside_the_way(scene: Scene, joint: Joint, by_sea: dict[Unit, tuple[str, ...]]) -> frozenset[str]:
    """The seas named for the helped unit that are no part of its way; the sea of a fleet that helps may be one."""
    unit, of, to = joint
    seas = by_sea.get(of, ())
    own = (unit.at,) if unit.at in scene.ground.reach.seas else ()
    return beside_the_way(scene, of, (*seas, *own), to or of.at) & frozenset(seas)


def _more_than_one_step(
    scene: Scene,
    lexed: Lexed,
    tile: Tile,
    subject: Candidates,
    others: Candidates,
    order_of: Callable[[Unit, Unit, Location | None], Order],
) -> Meaning:
    """The problem of "A Mar S A Par - Bur - Mun": what is helped makes one step, or goes over seas."""
    unit, of, reach = subject.units[0], others.units[0], scene.ground.reach
    steps = [
        order_of(unit, of, province_of(way.to))
        for index in dict.fromkeys((*tile.on_the_way, tile.to[-1]))
        for way in find_ways(scene, (of,), lexed.values[index])
        if unit != of and reach.can_go(of, way.to)
    ]
    return Meaning(problem=problems.more_than_one_step(of, scene.board, steps, scene.options.known), unit=unit)


def _joints(scene: Scene, subject: Candidates, others: Candidates, target: Named | None) -> Iterator[list[Joint]]:
    """Every combination, one list for each rank of the destination."""
    pairs = [(unit, of) for unit in subject.units for of in others.units if unit != of]
    pairs = pairs or [(unit, of) for unit in subject.units for of in others.units]
    if target is None:
        yield [(unit, of, None) for unit, of in pairs]
        return
    reach = scene.ground.reach
    among = {place for unit in subject.units for place in reach.walk_provinces(unit)}
    among |= {place for of in others.units for place in reach.convoy(of)}
    for places in scene.ranks(target, among):
        alone = len(places) == 1
        yield [
            (unit, of, _destination(of, place, scene.board))
            for unit, of in pairs
            for place in places
            if alone or province_of(place) != province_of(of.at)
        ]


def _near_joints(scene: Scene, subject: Candidates, others: Candidates, test: Test) -> list[Joint]:
    """What one unit could do for one other; nothing where several could be meant."""
    if len(subject.units) != 1 or len(others.units) != 1:
        return []
    unit, of = subject.units[0], others.units[0]
    places = sorted(scene.ground.reach.walk_provinces(of) | scene.ground.reach.convoy(of))
    return [(unit, of, place) for place in places if test(unit, of, place)]


def _destination(of: Unit, place: Location, board: Board) -> Location | None:
    """Where the helped unit is to go, with a coast only if it needs one; None for the place where it stands already,
    which makes the order a support in place.
    """
    if not board.kinds[of.kind].coasts:
        place = province_of(place)
    return None if place == province_of(of.at) else place


def _sieve(ranks: Sequence[Sequence[Joint]], tests: Sequence[Test]) -> Sequence[Joint]:
    for test in tests:
        for joints in ranks:
            if passed := [joint for joint in joints if test(joint[0], joint[1], province_of(joint[2] or joint[1].at))]:
                return passed
    return ranks[0]


def _with_notes(scene: Scene, verdict: Meaning, others: Candidates, target: Named | None) -> Meaning:
    notes = [note for note in others.notes if note not in verdict.notes]
    guessed = verdict.guessed or others.guessed
    if target is not None:
        guessed = guessed or not (target.found.exact or target.found.prefix)
        order = verdict.order
        wanted = getattr(order, "to", None) or ""
        guessed = guessed or bool(wanted and scene.is_other(target, wanted))
        if target.found.coast and order is not None and "/" not in wanted:
            notes.append("coast-ignored")
    return verdict._replace(notes=(*verdict.notes, *dict.fromkeys(notes)), guessed=guessed)


def _with_nationality(scene: Scene, lexed: Lexed, tile: Tile, verdict: Meaning) -> Meaning:
    """Where the game demands it, a foreign unit must be called foreign."""
    order = verdict.order
    if not scene.options.demand_nationality or not isinstance(order, (Support, Convoy)) or tile.of_nation >= 0:
        return verdict
    if order.of.power == order.unit.power:
        return verdict
    board = scene.ground.position.board
    letter = "S" if isinstance(order, Support) else "C"
    goal = f" - {order.to}" if order.to else ""
    line = f"{order.unit} {letter} {board.powers[order.of.power].adjective.upper()} {order.of}{goal}"
    return Meaning(problem=problems.nationality_missing(order, board, line), unit=order.unit)


def _nobody_to_help(scene: Scene, lexed: Lexed, tile: Tile, subject: Candidates) -> Meaning:
    """The problem of an order whose helped unit cannot be found: its place is unknown or empty, or no unit of that
    nation stands there.
    """
    named: Named = lexed.values[tile.of_at]
    unit = subject.units[0]
    board = scene.ground.position.board
    places = [place for rank in scene.ranks(named, ()) for place in rank]
    if not places:
        return Meaning(problem=problems.no_such_place(named.text, board), unit=unit)
    kind = lexed.values[tile.of_unit] if tile.of_unit >= 0 else None
    nation = lexed.values[tile.of_nation] if tile.of_nation >= 0 else None
    missing = problems.THERE_IS_NONE_OF if nation else problems.THERE_IS_NO
    where = problems.place_names(places[:3], board)
    candidates = _meant_instead(scene, subject, places, named, lexed, tile)
    return Meaning(
        problem=problems.no_such_unit(where, kind, missing, board, candidates, nation[0] if nation else ""),
        unit=unit,
    )


def _meant_instead(
    scene: Scene, subject: Candidates, places: Sequence[Location], named: Named, lexed: Lexed, tile: Tile
) -> list[Order]:
    """Who stands there under another flag; else, without a destination, moves into that place that it can support."""
    reach, unit = scene.ground.reach, subject.units[0]
    provinces = {province_of(place) for place in places}
    if len(subject.units) > 1 or lexed.shape[tile.start : tile.end].count("S") != 1:
        return []
    if tile.to:
        goals = {province_of(place) for rank in scene.ranks(lexed.values[tile.to[-1]], ()) for place in rank}
    else:
        goals = provinces
    goals &= reach.walk_provinces(unit)
    return [
        Support(unit, of, goal)
        for goal in sorted(goals)
        for units in scene.ground.standing.values()
        for of in units
        if of != unit
        and of.kind == (lexed.values[tile.of_unit] if tile.of_unit >= 0 else of.kind)
        and reach.can_enter(of, goal)
    ]

"""Where each unit of a position stands on the page, and how large: none hides another, and who is carried is drawn
small on its carrier.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import cos, hypot, pi, sin

from judge.board.model import province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.draw.measures import DOT, UNIT, Box, label_size, label_type, overlap
from judge.draw.routes import Obstacles
from judge.draw.topology import Point, Topology, contains

_DRIVEN_OUT, _BURST = 0.86, 34.0
"""How large units are drawn that were driven out, and the room that each takes with its burst."""
_ON_DECK, _CARRIED = 10.0, 0.55
"""How far above its carrier's middle a carried unit is drawn, and how large, at its scale."""
_PERCH, _SMALL = (16.0, 10.0), 0.66
"""How far left of and above another unit's middle a perched one is drawn, and how large, at its scale."""
_SHARE = tuple((dx, dy) for dx in (-15.0, -7.5, 0.0, 7.5, 15.0) for dy in (-15.0, -7.5, 0.0, 7.5, 15.0))
"""Points of a unit, from its middle, at which is seen what it covers."""
_AROUND = tuple((r * cos(pi * n / 8), r * sin(pi * n / 8)) for r in (26.0, 32.0, 38.0, 46.0) for n in range(16))
"""Where a unit may go that was driven out, from its place."""
_WAY = 52.0
"""Page units from a unit that was driven out to where it may go: its burst, and an arrow."""
_FAR = 16
_STEPS = tuple(
    (dx, dy) for dx in range(-15, 16, 3) for dy in range(-15, 16, 3) if (dx, dy) != (0, 0) and hypot(dx, dy) <= _FAR
)
"""Where a unit is moved that would hide a name or touch a unit next door."""
_ON_NAME, _ON_UNIT, _ON_DOT, _OUTSIDE, _MOVED = 180.0, 115.0, 12.0, 100.0, 0.5
"""What it costs to cover a name, a unit next door or a centre's dot whole, to stand outside the own space, and to be
moved by a page unit.
"""
_ROOM, _CLOSE, _TIGHT = (55.0, 47.5), 0.8, 120.0
"""How far apart neighbours beside and above each other stand so that a straight arrow between them is seen; the part of
it from which on a bent one is; what it costs to have nothing of it.
"""
_WELL = 5.0
"""Who hides less than this stays."""
_ROUNDS = 3
"""Times that each is asked to step aside: where one has gone, another finds room."""


def standing_at(topology: Topology, naming: str, place: str) -> Point:
    """The middle of a unit that stands alone in a place: where the board's picture has it, or near by, so that it hides
    no name and no unit of another place.
    """
    key = ("standing", naming)
    if key not in topology.memo:
        topology.memo[key] = {} if topology.schematic else _cleared(topology, naming)
    moved: Mapping[str, Point] = topology.memo[key]
    return moved.get(place) or topology.unit_at(naming, place)


def _cleared(topology: Topology, naming: str) -> Mapping[str, Point]:
    """The places whose units are moved."""
    spots = topology.spots[naming]
    fixed: list[tuple[float, Box]] = []
    for code, spot in spots.items():
        size = label_size(spot.lines, label_type(naming, sea=topology.wet(code)))
        fixed.append((_ON_NAME, (*spot.label, *size)))
        fixed += [(_ON_DOT, (*spot.dot, DOT, DOT))] if spot.dot else []
    places = [code for code, spot in spots.items() if spot.unit] + list(topology.coasts[naming])
    stands = {place: topology.unit_at(naming, place) for place in places}
    homes = dict(stands)
    for place in places * _ROUNDS:
        province, beside, around = province_of(place), [], []
        for other, at in stands.items():
            if (neighbour := province_of(other)) != province:
                around.append((_ON_UNIT, (*at, *UNIT)))
                beside += [at] if frozenset((province, neighbour)) in topology.borders else []
        near = [(weight, box) for weight, box in (*fixed, *around) if _in_reach(homes[place], box)]
        stands[place] = _clear_of(topology, place, (homes[place], stands[place]), near, beside)
    return {place: at for place, at in stands.items() if at != homes[place]}


def _clear_of(
    topology: Topology,
    place: str,
    stands: tuple[Point, Point],
    near: Collection[tuple[float, Box]],
    beside: Collection[Point],
) -> Point:
    """Where a unit is moved in its place. `stands`: where the board has it, where it is now; `near`: what it may hide,
    with what that costs; `beside`: units of neighbours.
    """
    home, now = stands

    def hidden(at: Point) -> float:
        covered = sum(weight * overlap((*at, *UNIT), box) for weight, box in near)
        return covered + sum(_tight(at, other) for other in beside)

    def cost(at: Point) -> float:
        outside = "/" not in place and not contains(topology.outlines[place], at)
        return hidden(at) + _MOVED * hypot(at[0] - home[0], at[1] - home[1]) + _OUTSIDE * outside

    if hidden(now) < _WELL:
        return now
    return min((now, *((home[0] + dx, home[1] + dy) for dx, dy in _STEPS)), key=cost)


def _tight(one: Point, other: Point) -> float:
    """What it costs neighbours to stand so close that no arrow is seen between them."""
    apart = hypot((one[0] - other[0]) / _ROOM[0], (one[1] - other[1]) / _ROOM[1])
    return _TIGHT * max(0.0, 1.0 - apart / _CLOSE)


def _in_reach(home: Point, box: Box) -> bool:
    """Whether a unit that is moved from its home may come upon this."""
    x, y, width, height = box
    return abs(x - home[0]) < (UNIT[0] + width) / 2 + _FAR and abs(y - home[1]) < (UNIT[1] + height) / 2 + _FAR


def unit_places(
    topology: Topology, naming: str, position: Position, built: Iterable[Unit], perched: Collection[str] = ()
) -> Mapping[int, tuple[Point, float]]:
    """Unit's id -> its middle and its scale: of all that stand, are built or were driven out. `perched`: letters of
    kinds that are drawn at the corner of a unit of another kind.
    """
    driven_out = [lost.unit for lost in position.dislodged]
    everybody = (*position.units, *built)
    carried = {unit.id: unit for unit in (*everybody, *driven_out) if unit.aboard}
    standing: dict[str, list[Unit]] = {}
    for unit in everybody:
        if unit.id not in carried:
            standing.setdefault(province_of(unit.at), []).append(unit)
    places: dict[int, tuple[Point, float]] = {}
    for units in standing.values():
        hosts = [unit for unit in units if unit.kind not in perched] or units
        places |= _side_by_side(topology, naming, hosts)
        for n, unit in enumerate(unit for unit in units if unit not in hosts):
            (x, y), scale = places[hosts[0].id]
            places[unit.id] = (x - _PERCH[0] - 15.0 * n, y - _PERCH[1]), _SMALL * scale
    if driven_out:
        free = Obstacles(topology, naming)
        for point, _ in places.values():
            free.put_token(point)
        for unit, ways, _ in position.dislodged:
            if unit.id in carried:
                continue
            goals = [standing_at(topology, naming, way) for way in ways]
            point = _beside(topology, naming, unit.at, free, goals)
            free.put((*point, _BURST, _BURST), 9)
            places[unit.id] = point, _DRIVEN_OUT
    for unit in carried.values():
        (x, y), scale = places[unit.aboard]
        places[unit.id] = (x, y - _ON_DECK * scale), _CARRIED * scale
    return places


def _side_by_side(topology: Topology, naming: str, units: list[Unit]) -> dict[int, tuple[Point, float]]:
    """One unit in its place; several in rows of three about it, smaller the more they are."""
    if len({unit.at for unit in units}) == len(units):
        return {unit.id: (standing_at(topology, naming, unit.at), 1.0) for unit in units}
    columns = min(3, len(units))
    rows = -(-len(units) // columns)
    scale = 0.85 if len(units) <= 2 else 0.68
    placed = {}
    for n, unit in enumerate(units):
        x, y = standing_at(topology, naming, unit.at)
        row, column = divmod(n, columns)
        dx = (column - (columns - 1) / 2) * (UNIT[0] + 3) * scale
        dy = (row - (rows - 1) / 2) * (UNIT[1] + 3) * scale
        placed[unit.id] = (x + dx, y + dy), scale
    return placed


def _beside(topology: Topology, naming: str, place: str, free: Obstacles, goals: Collection[Point]) -> Point:
    """Where a unit goes that was driven out of a place: near by, over no unit and over as few names as can be, and so
    far from where it may retreat to that the arrows there are seen.
    """
    own = standing_at(topology, naming, place)
    outline = topology.outlines.get(province_of(place), ())

    def cost(at: Point) -> float:
        outside = not (topology.schematic or contains(outline, at))
        off_page = not (18 < at[0] < topology.width - 18 and 18 < at[1] < topology.height - 18)
        covered = free.cost((at[0] + dx, at[1] + dy) for dx, dy in _SHARE)
        near = sum(max(0.0, _WAY - hypot(at[0] - x, at[1] - y)) for x, y in goals)
        return covered + hypot(at[0] - own[0], at[1] - own[1]) * 0.8 + near + 40 * outside + 1000 * off_page

    usual = topology.unit_at(naming, place, driven_out=True)
    return min((usual, *((own[0] + dx, own[1] + dy) for dx, dy in _AROUND)), key=cost)

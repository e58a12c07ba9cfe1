"""A picture for a board without a recipe: each space a tile, each border a line between two tiles.

Where the tiles go follows from the borders alone: spaces that are few moves apart lie near each other (stress
majorisation), then tiles that overlap are pushed apart. The same board always gives the same picture.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from math import cos, hypot, pi, sin, sqrt
from types import MappingProxyType

from judge.board.figures import touching
from judge.board.model import Board, Terrain
from judge.draw.measures import LABELS
from judge.draw.topology import Anchors, Arc, Point, Topology, Zone

_TILE = (66.0, 54.0)
_ROOM = (100.0, 92.0)
"""What a tile takes with the lines around it."""
_AROUND = "~"
"""What lies between the tiles."""
_ROUNDS = 60

Places = dict[str, list[float]]


def schematic(board: Board) -> Topology:
    """The picture of a board's borders."""
    near = _neighbours(board)
    width, height = _page(len(near))
    places = _spread(_arranged(near), width, height)
    arcs, zones = [], {_AROUND: Zone("water", ())}
    for number, (code, at) in enumerate(places.items()):
        terrain = board.provinces[code].terrain
        arcs.append(Arc(code, _AROUND, tuple(_outline(at, round_=terrain is Terrain.SEA))))
        zones[code] = Zone(str(terrain), ((number,),))
    spots = MappingProxyType({code: _spot(board, code, at) for code, at in places.items()})
    coasts = MappingProxyType(dict(_coasts(board, places)))
    return Topology(
        board=board.key,
        width=width,
        height=height,
        arcs=tuple(arcs),
        zones=MappingProxyType(zones),
        spots=MappingProxyType(dict.fromkeys(LABELS, spots)),
        coasts=MappingProxyType(dict.fromkeys(LABELS, coasts)),
        links=tuple((a, b, *_line(places[a], places[b])) for a, b in touching(board)),
        schematic=True,
    )


def _neighbours(board: Board) -> Mapping[str, list[str]]:
    near: dict[str, list[str]] = {code: [] for code in board.provinces}
    for a, b in touching(board):
        near[a].append(b)
        near[b].append(a)
    return near


def _page(count: int) -> Point:
    """Wide enough for so many tiles; those of a small board are large."""
    width = max(560.0, sqrt(count * _ROOM[0] * _ROOM[1] * 1.5))
    return width, round(width * 0.86)


# -- where the tiles go --------------------------------------------------------------------------------------------


def _arranged(near: Mapping[str, list[str]]) -> Places:
    """Places whose distances are as like the numbers of moves as can be."""
    moves = {code: _moves(near, code) for code in near}
    places = _begun(moves)
    for _ in range(_ROUNDS):
        for code, far in moves.items():
            _settle(places, code, far)
    return places


def _moves(near: Mapping[str, list[str]], start: str) -> dict[str, int]:
    """How many moves every space is away; what cannot be reached is as far as the farthest and two more."""
    far = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in near[here]:
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    most = max(far.values()) + 2
    return {code: far.get(code, most) for code in near}


def _begun(moves: Mapping[str, Mapping[str, int]]) -> Places:
    """By the distances to two pairs of spaces that lie far apart; a little turn keeps equals from coinciding."""
    codes = list(moves)
    west = max(codes, key=lambda code: (moves[codes[0]][code], code))
    east = max(codes, key=lambda code: (moves[west][code], code))
    north = max(codes, key=lambda code: (-abs(moves[west][code] - moves[east][code]) * 2 + moves[west][code], code))
    south = max(codes, key=lambda code: (moves[north][code] - abs(moves[west][code] - moves[east][code]), code))
    places = {}
    for n, code in enumerate(codes):
        x, y = moves[west][code] - moves[east][code], moves[north][code] - moves[south][code]
        places[code] = [x / 2 + 0.2 * cos(2.4 * n), y / 2 + 0.2 * sin(2.4 * n)]
    return places


def _settle(places: Places, code: str, far: Mapping[str, int]) -> None:
    """Move one space to where the others want it, near ones more than far ones."""
    x, y = places[code]
    sum_x = sum_y = weights = 0.0
    for other, moves in far.items():
        if not moves:
            continue
        u, v = places[other]
        weight = 1.0 / (moves * moves)
        factor = moves / (hypot(x - u, y - v) or 1.0)
        sum_x += weight * (u + (x - u) * factor)
        sum_y += weight * (v + (y - v) * factor)
        weights += weight
    if weights:
        places[code] = [sum_x / weights, sum_y / weights]


def _spread(places: Places, width: float, height: float) -> Places:
    """Fitted to the page, and no tile on another."""
    places = _fitted(places, width, height)
    codes = list(places)
    for _ in range(200):
        moved = False
        for n, a in enumerate(codes):
            for b in codes[n + 1 :]:
                moved = _pushed(places[a], places[b]) or moved
        if not moved:
            break
    return _fitted(places, width, height)


def _pushed(a: list[float], b: list[float]) -> bool:
    """Push two tiles apart that lie too near, in the direction that needs less."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    lack_x, lack_y = _TILE[0] + 16 - abs(dx), _TILE[1] + 16 - abs(dy)
    if lack_x <= 0.5 or lack_y <= 0.5:
        return False
    axis, lack, way = (0, lack_x, dx) if lack_x < lack_y else (1, lack_y, dy)
    step = lack / 2 * (1 if way >= 0 else -1)
    a[axis] -= step
    b[axis] += step
    return True


def _fitted(places: Places, width: float, height: float) -> Places:
    found: dict[str, list[float]] = {code: [0.0, 0.0] for code in places}
    for axis, room, tile in ((0, width, _TILE[0]), (1, height, _TILE[1])):
        low, high = (pick(at[axis] for at in places.values()) for pick in (min, max))
        margin = tile / 2 + 8
        for code, at in places.items():
            part = (at[axis] - low) / ((high - low) or 1.0)
            found[code][axis] = round(margin + part * (room - 2 * margin), 1)
    return found


# -- what stands on a tile -----------------------------------------------------------------------------------------


def _outline(at: list[float], *, round_: bool) -> Iterator[Point]:
    """A closed line: an oval for water, a rectangle for land; corners are rounded when drawn."""
    x, y = at
    wide, high = _TILE[0] / 2, _TILE[1] / 2
    count = 32 if round_ else 4
    for n in range(count + 1):
        angle = 2 * pi * (n % count + (0 if round_ else 0.5)) / count
        if round_:
            yield x + wide * 1.12 * cos(angle), y + high * 1.12 * sin(angle)
        else:
            corner = (1 if cos(angle) > 0 else -1, 1 if sin(angle) > 0 else -1)
            yield from _corner(x + corner[0] * wide, y + corner[1] * high, corner, last=n == count)


def _corner(x: float, y: float, side: tuple[int, int], *, last: bool) -> Iterator[Point]:
    """A rectangle's corner as two points, so that little of it is rounded off; the last closes the line."""
    turned = side[0] * side[1] > 0
    first, second = ((x, y - 12 * side[1]), (x - 12 * side[0], y))
    if not turned:
        first, second = second, first
    yield first
    if not last:
        yield second


def _spot(board: Board, code: str, at: list[float]) -> Anchors:
    x, y = at
    dot = (round(x - 24, 1), round(y - 15, 1)) if board.provinces[code].centre else None
    return Anchors((code,), (x, round(y - 16, 1)), (x, round(y + 8, 1)), (round(x + 27, 1), round(y + 22, 1)), dot)


def _coasts(board: Board, places: Places) -> Iterator[tuple[str, tuple[Point, Point]]]:
    for code, province in board.provinces.items():
        x, y = places[code]
        for n, place in enumerate(province.locations() if province.coasts else ()):
            side = round(x + 34 * (n - (len(province.coasts) - 1) / 2), 1)
            yield place, ((side, round(y + 10, 1)), (side, round(y + 30, 1)))


def _line(a: list[float], b: list[float]) -> tuple[Point, Point]:
    """From edge to edge of two tiles."""
    return _edge(a, b), _edge(b, a)


def _edge(at: list[float], to: list[float]) -> Point:
    dx, dy = to[0] - at[0], to[1] - at[1]
    part = min(_TILE[0] / 2 / (abs(dx) or 1e-9), _TILE[1] / 2 / (abs(dy) or 1e-9), 0.5)
    return round(at[0] + dx * part, 1), round(at[1] + dy * part, 1)

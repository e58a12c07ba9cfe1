"""What can be counted on a board: totals, touching spaces, coastal pairs, passages, reach.

`judge.board.lint` compares these figures with what the author expects.

Draws a graph without crossings, or shows where it cannot be done. A board that has no such drawing is wrong.

The method is that of Demoucron, Malgrange and Pertuiset: start with a circle, then lay one path after another into a
face that has room for it. It is slow for big graphs and right for all; boards have a few hundred borders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from judge.board.model import Board, Border, Location, Power, Terrain, province_of
from judge.board.phase import FALL

Graph = Mapping[str, frozenset[str]]
"""Place -> its neighbours, both ways."""

Face = tuple[str, ...]
"""The places around a face, in order."""


class Drawing(NamedTuple):
    """The faces of a drawing without crossings, or what could not be drawn."""

    faces: tuple[Face, ...]
    """Empty when there is no drawing. Parts that hang together by one place have each their own outer face."""
    stuck: tuple[str, ...] = ()
    """Places between which a piece of the graph found no room; empty when there is a drawing."""


class _GraphPiece(NamedTuple):
    """A part of a graph not drawn yet: a border between drawn places, or what hangs together beside them."""

    inner: frozenset[str]
    ends: frozenset[str]
    """The drawn places that it touches."""


def graph_of(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """The graph of these pairs."""
    graph: dict[str, set[str]] = {}
    for a, b in pairs:
        graph.setdefault(a, set()).add(b)
        graph.setdefault(b, set()).add(a)
    return {place: frozenset(others) for place, others in sorted(graph.items())}


def draw(graph: Graph) -> Drawing:
    """A drawing without crossings, part by part (`blocks`), if there is one.

    >>> len(draw(graph_of([("a", "b"), ("b", "c"), ("c", "a")])).faces)
    2
    """
    faces: list[Face] = []
    for block in blocks(graph):
        drawing = _draw_block({place: graph[place] & block for place in sorted(block)})
        if drawing.stuck:
            return drawing
        faces += drawing.faces
    return Drawing(tuple(faces))


def knot(graph: Graph) -> tuple[tuple[str, str], ...]:
    """The borders of a smallest part that has no drawing; none, if the graph has one.

    Whole bundles are left out as long as what remains cannot be drawn; then smaller ones, then single borders.
    """
    pairs = [(a, b) for a, others in graph.items() for b in sorted(others) if a < b]
    if not draw(graph).stuck:
        return ()
    bundle = len(pairs) // 2
    while bundle:
        start = 0
        while start < len(pairs):
            fewer = pairs[:start] + pairs[start + bundle :]
            if draw(graph_of(fewer)).stuck:
                pairs = fewer
            else:
                start += bundle
        bundle //= 2
    return tuple(pairs)


def blocks(graph: Graph) -> list[frozenset[str]]:
    """The parts of a graph that no single place can cut; single borders and lonely places are parts too."""
    found: list[frozenset[str]] = []
    depth: dict[str, int] = {}
    low: dict[str, int] = {}
    for root in graph:
        if root in depth:
            continue
        depth[root] = low[root] = 0
        path, open_places = [(root, iter(sorted(graph[root])))], [root]
        while path:
            place, rest = path[-1]
            for other in rest:
                if other not in depth:
                    depth[other] = low[other] = len(path)
                    open_places.append(other)
                    path.append((other, iter(sorted(graph[other]))))
                    break
                if len(path) < 2 or other != path[-2][0]:
                    low[place] = min(low[place], depth[other])
            else:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[place])
                    if low[place] >= depth[parent]:
                        start = open_places.index(place)
                        found.append(frozenset((parent, *open_places[start:])))
                        del open_places[start:]
        if not graph[root]:
            found.append(frozenset((root,)))
    return found


def _draw_block(graph: Graph) -> Drawing:
    if len(graph) < 3:
        return Drawing(())
    circle = _circle(graph)
    faces: list[Face] = [circle, circle[::-1]]
    drawn: dict[str, set[str]] = {place: set() for place in circle}
    _lay(drawn, (*circle, circle[0]))
    while pieces := _pieces(graph, drawn):
        rooms = [[face for face in faces if piece.ends.issubset(face)] for piece in pieces]
        fewest = min(range(len(pieces)), key=lambda number: len(rooms[number]))
        piece = pieces[fewest]
        if not rooms[fewest]:
            return Drawing((), tuple(sorted(piece.ends | piece.inner)))
        path = _path(graph, piece)
        _lay(drawn, path)
        face = rooms[fewest][0]
        faces.remove(face)
        faces += _split(face, path)
    return Drawing(tuple(faces))


def _circle(graph: Graph) -> Face:
    """Any circle: walk without turning back until a place comes again."""
    place = next(iter(graph))
    walk: list[str] = []
    before = ""
    while place not in walk:
        walk.append(place)
        before, place = place, min(other for other in graph[place] if other != before)
    return tuple(walk[walk.index(place) :])


def _lay(drawn: dict[str, set[str]], path: Face) -> None:
    for a, b in pairwise(path):
        drawn.setdefault(a, set()).add(b)
        drawn.setdefault(b, set()).add(a)


def _pieces(graph: Graph, drawn: Mapping[str, set[str]]) -> list[_GraphPiece]:
    """What remains to be drawn, taken apart."""
    nobody: frozenset[str] = frozenset()
    pieces = [
        _GraphPiece(nobody, frozenset((a, b)))
        for a in drawn
        for b in sorted(graph[a])
        if a < b and b in drawn and b not in drawn[a]
    ]
    seen: set[str] = set()
    for start in graph:
        if start in drawn or start in seen:
            continue
        inner, ends, todo = {start}, set[str](), [start]
        while todo:
            for other in graph[todo.pop()]:
                if other in drawn:
                    ends.add(other)
                elif other not in inner:
                    inner.add(other)
                    todo.append(other)
        seen |= inner
        pieces.append(_GraphPiece(frozenset(inner), frozenset(ends)))
    return pieces


def _path(graph: Graph, piece: _GraphPiece) -> Face:
    """A way through the piece from one drawn place to another."""
    start, *_ = ends = sorted(piece.ends)
    if not piece.inner:
        return (start, ends[1])
    came: dict[str, str] = {}
    todo = [start]
    for place in todo:
        for other in sorted(graph[place]):
            if other in piece.ends and other != start and place != start:
                path = [other, place]
                while path[-1] != start:
                    path.append(came[path[-1]])
                return tuple(path[::-1])
            if other in piece.inner and other not in came:
                came[other] = place
                todo.append(other)
    raise AssertionError("a piece of a block touches the drawing at two places")


def _split(face: Face, path: Face) -> list[Face]:
    """The two faces that a path makes of one."""
    turn = face.index(path[0])
    around = face[turn:] + face[:turn]
    end = around.index(path[-1])
    return [around[: end + 1] + path[-2:0:-1], path + around[end + 1 :]]


Pair = tuple[str, str]


class OpeningReach(NamedTuple):
    """Centres that a power's start units can come to in the first two moves, each unit alone on the board."""

    free: tuple[str, ...]
    """Of those, the centres that nobody owns at the start."""
    foreign: tuple[str, ...]
    """Those that another power owns."""

    def __str__(self) -> str:
        """As such tables are printed: free, a stroke, free or foreign ("4/8")."""
        return f"{len(self.free)}/{len(self.free) + len(self.foreign)}"


def totals(board: Board) -> dict[str, int]:
    """The plain counts, under the names that expect.toml uses."""
    terrains = [province.terrain for province in board.provinces.values()]
    ways = {kind: sum(kind in border.kinds for border in board.borders) for kind in board.kinds}
    passing = fleet_pairs(board)
    return {
        "spaces": len(board.provinces),
        "seas": terrains.count(Terrain.SEA),
        "coastal": terrains.count(Terrain.COAST),
        "inland": terrains.count(Terrain.INLAND),
        "centres": len(board.centres),
        "homes": len(board.home_of),
        "neutral": len(neutral_centres(board)),
        "army_borders": ways.get("A", 0),
        "fleet_borders": ways.get("F", 0),
        "unit_borders": 2 * sum(ways.values()),
        "touching": len(touching(board)),
        "fleet_pairs": sum(1 for pair in coastal_pairs(board) if pair in passing),
        "army_only": sum(1 for pair in coastal_pairs(board) if pair not in passing),
        "faces": len(touching(board)) - len(board.provinces) + 2,
    }


def neutral_centres(board: Board) -> tuple[str, ...]:
    """Centres that are nobody's home."""
    return tuple(centre for centre in board.centres if centre not in board.home_of)


def touching(board: Board) -> tuple[Pair, ...]:
    """Pairs of spaces with a border for any unit, coasts not told apart; smaller code first, sorted."""
    pairs = {_pair(border) for border in board.borders}
    return tuple(sorted(pairs))


@lru_cache(maxsize=8)
def neighbours(board: Board) -> Mapping[str, frozenset[str]]:
    """Space -> those that it touches, for any unit; boards are known by identity."""
    found: dict[str, set[str]] = {code: set() for code in board.provinces}
    for border in board.borders:
        a, b = province_of(border.a), province_of(border.b)
        found[a].add(b)
        found[b].add(a)
    return {code: frozenset(near) for code, near in found.items()}


def coastal_pairs(board: Board) -> tuple[Pair, ...]:
    """Touching pairs of coastal provinces."""
    coastal = {code for code, province in board.provinces.items() if province.terrain is Terrain.COAST}
    return tuple(pair for pair in touching(board) if coastal.issuperset(pair))


def fleet_pairs(board: Board) -> frozenset[Pair]:
    """Pairs of spaces between which fleets pass, on whatever coast."""
    return frozenset(_pair(border) for border in board.borders if border.kinds & board.carriers)


def seas_at(board: Board, location: Location) -> frozenset[str]:
    """The seas that a coast touches; for a province code, those of all its coasts."""
    province = board.provinces[province_of(location)]
    places = (location,) if "/" in location else province.locations()
    return frozenset(
        other
        for place in places
        for other in board.reach("F", place)
        if board.provinces[province_of(other)].terrain is Terrain.SEA
    )


def joined(board: Board, seas: frozenset[str]) -> bool:
    """Whether a fleet could sail from any of these seas to any other within them."""
    if not seas:
        return True
    reached, todo = set[str](), [min(seas)]
    while todo:
        sea = todo.pop()
        reached.add(sea)
        todo += [other for other in board.reach("F", sea) if other in seas and other not in reached]
    return reached == seas


def passages(board: Board) -> tuple[str, ...]:
    """One-coast provinces that let fleets through: the seas they touch are not joined (Kiel, Constantinople)."""
    return tuple(
        code
        for code, province in board.provinces.items()
        if province.terrain is Terrain.COAST and not province.coasts and not joined(board, seas_at(board, code))
    )


def drawing_graph(board: Board) -> Graph:
    """The touching spaces without those that have only two neighbours, which touch each other.

    Such a space can lie on either side of the border between the two, so it says nothing about the drawing.
    """
    graph = graph_of(touching(board))
    loose = {place for place, others in graph.items() if len(others) == 2 and min(others) in graph[max(others)]}
    return {place: others - loose for place, others in graph.items() if place not in loose}


def reach_table(board: Board) -> Mapping[str, OpeningReach]:
    """Every power's reach in the first two moves of the game, seasonal closures and units that are `laid_up` heeded."""
    return {power.key: _reach(board, power) for power in board.powers.values()}


def _reach(board: Board, power: Power) -> OpeningReach:
    found: set[str] = set()
    for unit in set(power.start).difference(power.laid_up):
        kind, _, place = unit.partition(" ")
        first = board.reach(kind, place, board.first_phase.season)
        second = {there for here in (place, *first) for there in _onward(board, kind, place, here)}
        found |= {province_of(here) for here in (place, *first, *second)}
    centres = [centre for centre in board.centres if centre in found]
    free = tuple(centre for centre in centres if centre not in board.home_of)
    return OpeningReach(free, tuple(c for c in centres if board.home_of.get(c, power.key) != power.key))


def _onward(board: Board, kind: str, start: Location, here: Location) -> Iterator[Location]:
    """Where a unit can go in Fall that came here in Spring, or stayed."""
    for there in board.reach(kind, here, FALL.code):
        if (start, here, there) not in board.ridges:
            yield there


def _pair(border: Border) -> Pair:
    a, b = sorted((province_of(border.a), province_of(border.b)))
    return a, b


def pairs_across(face: tuple[str, ...], graph: Graph) -> list[Pair]:
    """Pairs around a face that do not touch: where a border may be missing."""
    return [pair for pair in combinations(sorted(face), 2) if pair[1] not in graph[pair[0]]]

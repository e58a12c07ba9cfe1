"""Draws a graph without crossings, or shows where it cannot be done. A board that has no such drawing is wrong.

The method is that of Demoucron, Malgrange and Pertuiset: start with a circle, then lay one path after another into a
face that has room for it. It is slow for big graphs and right for all; boards have a few hundred borders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

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

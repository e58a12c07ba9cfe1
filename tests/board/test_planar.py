"""Drawing without crossings: every yes is proved by its faces, every no by a graph known to have no drawing."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.board.figures import Graph, blocks, draw, graph_of, knot

K5 = list(combinations("abcde", 2))
K33 = [(a, b) for a in "abc" for b in "xyz"]


def assert_faces_prove_it(graph: Graph) -> None:
    """Each face is a circle of the graph, each border is passed once each way, and Euler's count comes out."""
    faces = draw(graph).faces
    passed = Counter(step for face in faces for step in zip(face, (*face[1:], face[0]), strict=True))
    in_circles = [part for part in blocks(graph) if len(part) > 2]
    expected = [(a, b) for part in in_circles for a in part for b in graph[a] & part]
    assert passed == Counter(expected)
    assert all(len(set(face)) == len(face) for face in faces)
    borders = len(expected) // 2
    places = sum(len(part) for part in in_circles)
    assert len(faces) == borders - places + 2 * len(in_circles)


def bent(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same graph with a place in the middle of every border."""
    return [half for a, b in pairs for half in ((a, a + b), (a + b, b))]


@st.composite
def triangulations(draw_: st.DrawFn) -> list[tuple[str, str]]:
    """Maps all of whose faces are triangles: begin with one, then put new places into faces."""
    faces = [("p0", "p1", "p2"), ("p2", "p1", "p0")]
    pairs = {("p0", "p1"), ("p1", "p2"), ("p0", "p2")}
    for number in range(3, draw_(st.integers(5, 30))):
        new = f"p{number}"
        a, b, c = faces.pop(draw_(st.integers(0, len(faces) - 1)))
        faces += [(a, b, new), (b, c, new), (c, a, new)]
        pairs |= {(old, new) for old in (a, b, c)}
    return sorted(pairs)


@pytest.mark.parametrize("pairs", [K5, K33, bent(K5), bent(K33), bent(bent(K33))])
def test_the_graphs_of_kuratowski_have_no_drawing(pairs: list[tuple[str, str]]) -> None:
    assert draw(graph_of(pairs)).stuck
    assert not draw(graph_of(pairs)).faces


@pytest.mark.parametrize("missing", range(len(K5)))
def test_without_one_border_they_have(missing: int) -> None:
    assert_faces_prove_it(graph_of(K5[:missing] + K5[missing + 1 :]))


def test_petersens_graph_has_no_drawing() -> None:
    outer = [(f"o{n}", f"o{(n + 1) % 5}") for n in range(5)]
    inner = [(f"i{n}", f"i{(n + 2) % 5}") for n in range(5)]
    assert draw(graph_of([*outer, *inner, *((f"o{n}", f"i{n}") for n in range(5))])).stuck


@settings(max_examples=60, deadline=None)
@given(triangulations(), st.data())
def test_maps_of_triangles_have_a_drawing_and_room_for_no_more(
    pairs: list[tuple[str, str]], data: st.DataObject
) -> None:
    graph = graph_of(pairs)
    assert_faces_prove_it(graph)
    assert all(len(face) == 3 for face in draw(graph).faces)
    strangers = [pair for pair in combinations(graph, 2) if pair[1] not in graph[pair[0]]]
    if strangers:
        assert draw(graph_of([*pairs, data.draw(st.sampled_from(strangers))])).stuck


@settings(max_examples=60, deadline=None)
@given(triangulations(), st.data())
def test_parts_of_maps_have_a_drawing(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    assert_faces_prove_it(graph_of(kept))


@settings(max_examples=60, deadline=None)
@given(triangulations(), st.data())
def test_a_hidden_knot_is_found(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    """A bent graph of Kuratowski hung into a map, at one place or at two."""
    knot = data.draw(st.sampled_from([bent(K5), bent(K33)]))
    joints = data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=2))
    tied = [(joint[0], knot[number][0]) for number, joint in enumerate(joints)]
    assert draw(graph_of([*pairs, *knot, *tied])).stuck


@settings(max_examples=20, deadline=None)
@given(triangulations(), st.data())
def test_the_knot_is_tied_by_every_one_of_its_borders(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    graph = graph_of(pairs)
    assert knot(graph) == ()
    strangers = [pair for pair in combinations(graph, 2) if pair[1] not in graph[pair[0]]]
    extra = data.draw(st.sampled_from(strangers or [("p0", "p1")]))
    tied = knot(graph_of([*pairs, extra]))
    assert extra in tied or not strangers
    assert all(not draw(graph_of(pair for pair in tied if pair != loose)).stuck for loose in tied)


def test_parts_that_hang_together_by_one_place() -> None:
    graph = graph_of([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("d", "e"), ("e", "f"), ("f", "d")])
    assert sorted(map(sorted, blocks(graph))) == [["a", "b", "c"], ["c", "d"], ["d", "e", "f"]]


def test_a_place_alone_is_a_part() -> None:
    assert blocks({"a": frozenset()}) == [frozenset("a")]
    assert draw({"a": frozenset()}).faces == ()

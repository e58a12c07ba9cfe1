"""Layout: on every board units stand clear of names and of each other, and an arrow between neighbours is seen and
keeps to the ground of its two places.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import hypot
from random import Random

import pytest

from judge.board.load import load_board
from judge.board.model import Board, province_of
from judge.draw import BoardPictures
from judge.draw.measures import UNIT, label_size, label_type, overlap
from judge.draw.places import standing_at
from judge.draw.routes import Obstacles, Route, route
from judge.draw.seam import nearer, onto
from judge.draw.topology import Point, Topology, contains
from tests.draw.conftest import MAPS

BOARDS = sorted(path.parent.name for path in MAPS.glob("*/board.toml"))
WAYS = 150
"""Ways between neighbours that are tried on each board, drawn by lot."""
HEAD = 13.5
"""The length of an arrow's head, which reaches 7 units beyond its line."""


@cache
def read(name: str) -> tuple[Board, Topology]:
    board = load_board(MAPS / name)
    return board, BoardPictures(MAPS)(board)


def places(topology: Topology, naming: str) -> dict[str, Point]:
    """Where units stand that are alone in their places."""
    spots = [code for code, spot in topology.spots[naming].items() if spot.unit]
    return {at: standing_at(topology, naming, at) for at in (*spots, *topology.coasts[naming])}


@pytest.mark.parametrize("naming", ["codes", "names"])
@pytest.mark.parametrize("name", BOARDS)
def test_a_unit_hides_no_name_and_no_unit_next_door(name: str, naming: str) -> None:
    """No more than a corner of it, wherever a unit may stand."""
    _, topology = read(name)
    stands = places(topology, naming)
    names = {
        code: (*spot.label, *label_size(spot.lines, label_type(naming, sea=topology.wet(code))))
        for code, spot in topology.spots[naming].items()
    }
    boxes = {at: (*middle, *UNIT) for at, middle in stands.items()}
    hidden = [(at, code) for at, box in boxes.items() for code, label in names.items() if overlap(box, label) > 0.15]
    touching = [
        (a, b)
        for a, one in boxes.items()
        for b, other in boxes.items()
        if a < b and province_of(a) != province_of(b) and overlap(one, other) > 0.15
    ]
    assert (hidden, touching) == ([], [])


def ways(name: str) -> list[tuple[str, str, Route, Point, Point]]:
    """Moves between neighbours, each drawn on a board with nobody else on it."""
    board, topology = read(name)
    stands = places(topology, "codes")
    known = {(at, to) for at in stands for kind in "AF" for to in board.reach(kind, at) if to in stands}
    found = []
    for at, to in Random(3).sample(sorted(known), WAYS):
        end = nearer(topology, stands[at], stands[to])
        ends = (province_of(at), province_of(to))
        obstacles = Obstacles(topology, "codes")
        line = route(obstacles, stands[at], end, leave=(15.5, 12.0), stop=(22.5, 18.5), ends=ends)
        found.append((at, to, line, stands[at], end))
    return found


def seen(line: Route, units: tuple[Point, Point]) -> float:
    """How much of an arrow is seen, its head included, beside the units that it leads between."""
    (x, y), (u, v) = line.end, line.direction
    points = (*line.points, (x + 7 * u, y + 7 * v))
    return sum(
        hypot(bx - ax, by - ay)
        for (ax, ay), (bx, by) in pairwise(points)
        if not any(
            abs((ax + bx) / 2 - x) < UNIT[0] / 2 - 1.5 and abs((ay + by) / 2 - y) < UNIT[1] / 2 - 1.5 for x, y in units
        )
    )


@pytest.mark.parametrize(
    ("name", "most"), [("standard", 0), ("pulsipher1914", 0), ("european", 1), ("calhamer1958", 3), ("global2", 5)]
)
def test_an_arrow_to_next_door_is_seen(name: str, most: int) -> None:
    """More of it than its head, however close the two stand. Where a board is so crowded that a few are not, such as
    between Apulia and Naples in 1958, they stay few.
    """
    hidden = [(at, to) for at, to, line, start, end in ways(name) if seen(line, (start, end)) < HEAD + 6]
    assert len(hidden) <= most, hidden


@pytest.mark.parametrize("name", BOARDS)
def test_a_move_keeps_to_its_own_ground(name: str) -> None:
    """From St Petersburg to Norway it goes round Finland, from the Channel to the North Sea through the Straits of
    Dover: over land that is neither its start nor its goal a line goes for hardly more than a unit's width.
    """
    _, topology = read(name)
    lands = {code: rings for code, rings in topology.outlines.items() if not topology.wet(code)}
    abroad = []
    for at, to, line, _, _ in ways(name):
        ends = {province_of(at), province_of(to)}
        third = [rings for code, rings in lands.items() if code not in ends]
        points = list(line.points)
        over = sum(
            hypot(b[0] - a[0], b[1] - a[1])
            for a, b in pairwise(points)
            if any(contains(rings, onto(topology, a)) for rings in third)
        )
        if over > 1.8 * UNIT[0]:
            abroad.append((at, to, round(over)))
    assert not abroad

"""A board without a picture of its own: tiles and lines, always the same, none on another."""

from __future__ import annotations

from itertools import combinations

import pytest

from judge.board.figures import touching
from judge.board.model import Board
from judge.draw import BoardPictures, orders_picture, position_picture
from judge.draw.schematic import schematic
from tests.draw.conftest import MAPS
from tests.draw.scenes import CAPTION, elements, played, position
from tests.support.archipelago import archipelago


@pytest.fixture(params=["standard", "archipelago", "small"], scope="module")
def board(request: pytest.FixtureRequest, standard: Board) -> Board:
    return {"standard": standard, "archipelago": archipelago(), "small": archipelago(1)}[request.param]


def test_every_space_has_a_tile_and_no_two_lie_on_each_other(board: Board) -> None:
    places = [spot.unit for spot in schematic(board).spots["codes"].values()]
    assert len(places) == len(board.provinces)
    for a, b in combinations(places, 2):
        assert a is not None and b is not None
        assert abs(a[0] - b[0]) > 60 or abs(a[1] - b[1]) > 48


def test_every_border_is_a_line(board: Board) -> None:
    assert tuple((a, b) for a, b, *_ in schematic(board).links) == touching(board)


def test_it_is_the_same_every_time(board: Board) -> None:
    assert schematic(board).spots == schematic(board).spots


def test_a_board_without_a_recipe_is_drawn_all_the_same() -> None:
    board = archipelago(2)
    picture = BoardPictures(MAPS)(board)
    assert picture.schematic
    before = position(board, {"RED": "F S11, A C01", "BLUE": "F S22"})
    result = played(before, {"RED": "A C01 - C31; F S11 C A C01 - C31", "BLUE": "F S22 H"})
    assert elements(orders_picture(picture, before, result.outcomes, CAPTION).svg())
    assert elements(position_picture(picture, before, CAPTION).svg())

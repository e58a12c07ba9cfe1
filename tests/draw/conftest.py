"""The standard board, its picture, and positions written in a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.board.load import load_board
from judge.board.model import Board
from judge.draw import BoardPictures
from judge.draw.topology import Topology

MAPS = Path(__file__).parents[2] / "maps"


@pytest.fixture(scope="session")
def standard() -> Board:
    """The board of the 1976 rules."""
    return load_board(MAPS / "standard")


@pytest.fixture(scope="session")
def picture(standard: Board) -> Topology:
    """Its picture, as it ships."""
    return BoardPictures(MAPS)(standard)


@pytest.fixture(scope="session")
def european() -> Board:
    """The widest board: 143 spaces, from Iceland to Omsk."""
    return load_board(MAPS / "european")


@pytest.fixture(scope="session")
def european_picture(european: Board) -> Topology:
    """Its picture, as it ships."""
    return BoardPictures(MAPS)(european)


@pytest.fixture(scope="session")
def first() -> Board:
    """The board of 1958: no links but those across the Straits, whose sea leads nowhere."""
    return load_board(MAPS / "calhamer1958")


@pytest.fixture(scope="session")
def first_picture(first: Board) -> Topology:
    """Its picture, as it ships."""
    return BoardPictures(MAPS)(first)


@pytest.fixture(scope="session")
def world() -> Board:
    """The board that goes round the world: its west and its east edge are one line."""
    return load_board(MAPS / "global2")


@pytest.fixture(scope="session")
def world_picture(world: Board) -> Topology:
    """Its picture, as it ships."""
    return BoardPictures(MAPS)(world)

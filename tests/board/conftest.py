"""The standard board and its gazetteer, loaded once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.board.load import load_board
from judge.board.model import Board
from judge.board.names import Gazetteer, gazetteer_of

MAPS = Path(__file__).parents[2] / "maps"


@pytest.fixture(scope="session")
def maps() -> Path:
    """The folder of the boards that ship."""
    return MAPS


@pytest.fixture(scope="session")
def standard() -> Board:
    """The board of the 1976 rules."""
    return load_board(MAPS / "standard")


@pytest.fixture(scope="session")
def names(standard: Board) -> Gazetteer:
    """How its places are written."""
    return gazetteer_of(standard)

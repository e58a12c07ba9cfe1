"""Positions of a rule system, written as case files write them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from judge.board.load import load_board
from judge.board.model import Board
from judge.board.position import Position
from tests.support.cases import position_of, read_case

MAPS = Path(__file__).resolve().parents[2] / "maps"

Make = Callable[..., Position]


@cache
def _standard() -> Board:
    return load_board(MAPS / "standard")


@pytest.fixture
def board() -> Board:
    """The standard board."""
    return _standard()


@pytest.fixture
def position() -> Make:
    """A position on the standard board: position("france  A PAR", "owns france PAR", phase="W1901A")."""

    def build(*lines: str, phase: str = "S1901M", board: Board | None = None) -> Position:
        header = f"map standard   phase {phase}   rules 1976"
        return position_of(read_case("\n".join(("# x", header, *lines, "orders"))), board or _standard())

    return build

"""Helpers for the adjudicator's tests: the standard board, and phases written in a few lines."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from judge.adjudicate import Adjudication, adjudicate
from judge.board.load import load_board
from judge.board.model import Board
from judge.board.position import Position
from judge.rules import RULES_1976, Rules
from tests.support.cases import position_of, read_case, read_order

MAPS = Path(__file__).parent.parent.parent / "maps"


@cache
def _standard() -> Board:
    return load_board(MAPS / "standard")


@pytest.fixture
def board() -> Board:
    """The standard board."""
    return _standard()


@pytest.fixture
def position() -> Callable[..., Position]:
    """A position from lines as case files write them: position("france  A PAR", phase="F1901M")."""

    def build(*lines: str, phase: str = "S1901M") -> Position:
        header = f"map standard   phase {phase}   rules 1976"
        return position_of(read_case("\n".join(("# x", header, *lines, "orders"))), _standard())

    return build


@pytest.fixture
def played() -> Callable[..., Adjudication]:
    """The adjudication of canonical orders over a position."""

    def play(position: Position, *orders: str, rules: Rules = RULES_1976) -> Adjudication:
        return adjudicate(position, [read_order(order, position) for order in orders], rules)

    return play

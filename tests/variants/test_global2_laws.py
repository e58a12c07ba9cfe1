"""Global Diplomacy II a second time: the moves of 1901 and later, the Januaries and Februaries of the Colonial Powers,
in random positions, by the adjudicator and by the sentences of the rules.
"""

from __future__ import annotations

from random import Random

import pytest

from judge.board.model import Board
from judge.variants import rules_for
from tests.support.archipelago import board_named
from tests.support.positions_global2 import compare_moves, compare_winter

RULES = rules_for("global2")
ROUNDS, MANY = 60, 10_000
"""Positions of the ordinary tests and of the long ones."""


@pytest.fixture(scope="module")
def board() -> Board:
    return RULES.board(board_named("global2"))


def test_moves_and_winters_agree_with_the_rulebook(board: Board) -> None:
    _agree(board, ROUNDS)


@pytest.mark.long
def test_they_agree_many_thousand_times(board: Board) -> None:
    _agree(board, MANY)


def _agree(board: Board, rounds: int) -> None:
    for seed in range(rounds):
        assert compare_moves(Random(seed), board, RULES) == [], seed
        assert compare_winter(Random(seed), board, RULES) == [], seed

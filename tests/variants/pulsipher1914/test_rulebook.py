"""Random seasons of 1914, rich and poor, judged twice: by the adjudicator and by the book's sentences."""

from __future__ import annotations

from random import Random

import pytest

from tests.support.positions_1914 import compare, melee
from tests.variants.pulsipher1914.play import RULES, board

ROUNDS, MANY = 500, 60_000
"""Positions of the ordinary test and of the long one."""


def test_the_adjudicator_agrees_with_the_rulebook() -> None:
    _agree(ROUNDS)


@pytest.mark.long
def test_they_agree_on_many_thousand_seasons() -> None:
    _agree(MANY)


def _agree(rounds: int) -> None:
    for seed in range(rounds):
        crowd = melee(Random(seed), board())
        assert compare(board(), RULES, crowd) == [], (seed, crowd.line)

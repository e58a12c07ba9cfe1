"""Random seasons and winters of 1914, judged twice: by the adjudicator and by the book's sentences."""

from __future__ import annotations

from random import Random

import pytest

from tests.support.positions_1914 import compare, melee
from tests.support.supply_1914 import compare_winter, winter
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


def test_supply_lines_and_yields_agree_with_the_rulebook() -> None:
    _agree_in_winter(60)


@pytest.mark.long
def test_they_agree_in_many_thousand_winters() -> None:
    _agree_in_winter(6_000)


def _agree_in_winter(rounds: int) -> None:
    for seed in range(rounds):
        world, pieces = winter(Random(seed), board())
        assert compare_winter(board(), RULES, world, pieces) == [], (seed, world, pieces)

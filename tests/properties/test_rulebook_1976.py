"""Convoys and those who attack them, in random positions: judged by the adjudicator and, a second time, by the
sentences of the rules of 1976; with Thundar's in place of XII.5, on the European board too; and with one route that is
enough.
"""

from __future__ import annotations

from random import Random

import pytest

from judge.rules import Rules
from judge.variants import rules_for
from tests.support.archipelago import board_named
from tests.support.positions_1976 import at_sea, compare
from tests.support.rulebook_1976 import Rulebook1976, RulebookOneRoute
from tests.support.rulebook_european import RulebookEuropean, RulebookThundar

BOOKS: dict[str, tuple[type[Rulebook1976], Rules, str, str]] = {
    "1976": (Rulebook1976, rules_for("1976"), "standard", "S1901M"),
    "thundar": (RulebookThundar, rules_for("thundar"), "standard", "S1901M"),
    "one-route": (
        RulebookOneRoute,
        rules_for("1976").with_choices({"convoy_routes": "one-suffices"}),
        "standard",
        "S1901M",
    ),
    "european": (RulebookEuropean, rules_for("european"), "european", "F1892M"),
}
ROUNDS, MANY = 60, 20_000
"""Positions of the ordinary tests and of the long ones."""


@pytest.mark.parametrize("name", BOOKS)
def test_convoys_agree_with_the_rulebook(name: str) -> None:
    _agree(*BOOKS[name], ROUNDS)


@pytest.mark.long
@pytest.mark.parametrize("name", BOOKS)
def test_convoys_agree_with_the_rulebook_many_thousand_times(name: str) -> None:
    _agree(*BOOKS[name], MANY)


def _agree(rulebook: type[Rulebook1976], rules: Rules, key: str, phase: str, rounds: int) -> None:
    board = rules.board(board_named(key))
    for seed in range(rounds):
        crowd = at_sea(Random(seed), board, phase)
        book = rulebook(board, crowd.pieces, crowd.orders, crowd.phase)
        verdict = book.verdict()
        assert verdict is None or compare(board, rules, crowd, book, verdict) == [], (seed, crowd.line)

"""Convoys and those who attack them, in random positions: judged by the adjudicator and, a second time, by the
sentences of the rules of 1976; with Thundar's in place of XII.5, on the European board too; and with the answers that
other editions give, one at a time.
"""

from __future__ import annotations

from random import Random

import pytest

from judge.rules import Rules
from judge.variants import rules_for
from tests.support.archipelago import board_named
from tests.support.positions_1976 import at_coasts, at_sea, compare
from tests.support.rulebook_1976 import Rulebook1976, RulebookOneRoute
from tests.support.rulebook_choices import Book1982, Book2000, CoastalCrawl, DislodgedByConvoy
from tests.support.rulebook_european import RulebookEuropean, RulebookThundar

RULES = rules_for("1976")
BOOKS: dict[str, tuple[type[Rulebook1976], Rules]] = {
    "1976": (Rulebook1976, RULES),
    "thundar": (RulebookThundar, rules_for("thundar")),
    "one-route": (RulebookOneRoute, RULES.with_choices({"convoy_routes": "one-suffices"})),
    "1982": (Book1982, RULES.with_choices({"convoy_routes": "one-suffices", "paradox": "1982"})),
    "2000": (Book2000, RULES.with_choices({"convoy_routes": "one-suffices", "paradox": "2000"})),
    "effect": (DislodgedByConvoy, RULES.with_choices({"dislodged_effect": "unless-convoyed"})),
    "crawl": (CoastalCrawl, RULES.with_choices({"coastal_crawl": "allowed"})),
    "european": (RulebookEuropean, rules_for("european")),
}
"""What is compared -> the book, and the rules that should agree with it."""
ROUNDS, MANY = 60, 20_000
"""Positions of the ordinary tests and of the long ones."""


@pytest.mark.parametrize("name", BOOKS)
def test_convoys_agree_with_the_rulebook(name: str) -> None:
    _agree(*BOOKS[name], ROUNDS)


@pytest.mark.long
@pytest.mark.parametrize("name", BOOKS)
def test_convoys_agree_with_the_rulebook_many_thousand_times(name: str) -> None:
    _agree(*BOOKS[name], MANY)


def _agree(rulebook: type[Rulebook1976], rules: Rules, rounds: int) -> None:
    board = rules.board(board_named("european" if rulebook is RulebookEuropean else "standard"))
    for seed in range(rounds):
        crowd = (at_coasts if rulebook is CoastalCrawl else at_sea)(Random(seed), board)
        book = rulebook(board, crowd.pieces, crowd.orders, crowd.phase)
        verdict = book.verdict()
        assert verdict is None or compare(board, rules, crowd, book, verdict) == [], (seed, crowd.line)

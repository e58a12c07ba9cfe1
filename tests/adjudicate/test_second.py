"""The second opinion: it agrees with what is right, and says where something else was stored."""

from __future__ import annotations

from pathlib import Path
from random import Random

from judge.adjudicate import adjudicate
from judge.adjudicate.exhaustive import Exhaustive, second_opinion
from judge.adjudicate.outcome import Outcome, Result
from judge.board.load import load_board
from judge.orders.model import Move
from judge.rules import RULES_1976
from judge.variants import rules_for
from tests.bench.plausible import phases
from tests.support.tangles import crowded, tangled

MAPS = Path(__file__).parents[2] / "maps"
BOARD = load_board(MAPS / "standard")


def test_over_whole_boards_the_two_agree() -> None:
    for position, orders in phases(Random(11), BOARD, 60):
        found = second_opinion(position, adjudicate(position, orders, RULES_1976).outcomes, RULES_1976)
        assert found == (), "; ".join(map(str, orders))


def test_step_by_step_it_comes_to_what_it_comes_to_by_trying_everything() -> None:
    for seed in range(150):
        random = Random(seed)
        position = crowded(random, BOARD, random.randint(6, 12), random.choice((2, 3, 4)))
        orders = tangled(random, position)
        for rules in (RULES_1976, rules_for("2023"), rules_for("thundar")):
            if sum(isinstance(order, Move) for order in orders) <= 8:
                assert Exhaustive(position, orders, rules).settled() == Exhaustive(position, orders, rules).solve()


def test_an_outcome_that_was_stored_wrong_is_found() -> None:
    """Every move that failed, told as one that succeeded."""
    tried = 0
    for position, orders in phases(Random(12), BOARD, 12):
        outcomes = adjudicate(position, orders, RULES_1976).outcomes
        for place, (order, end) in enumerate(outcomes):
            if isinstance(order, Move) and end.results == (Result.BOUNCED,):
                wrong = Outcome((order, end._replace(results=(Result.OK,))))
                found = second_opinion(position, (*outcomes[:place], wrong, *outcomes[place + 1 :]), RULES_1976)
                assert found is not None and [each.unit for each in found] == [order.unit]
                tried += 1
    assert tried > 20


def test_of_rules_that_it_does_not_know_it_says_nothing() -> None:
    board = load_board(MAPS / "european")
    rules = rules_for("european")
    position = rules.start(rules.board(board))
    assert second_opinion(position, (), rules) is None
    after = adjudicate(phases(Random(1), BOARD, 1)[0][0], [], RULES_1976).after
    if after.phase.kind != "M":
        assert second_opinion(after, (), RULES_1976) is None

"""The robots of the demo answer everything that a turn asks of them, so that nobody waits for a deadline."""

from __future__ import annotations

from random import Random

import pytest

from judge.daemon.robots import reply_to_press, think_of_turn, wanted_power
from judge.game.core.model import Begun, Stage
from judge.game.filing.standing import State, standing
from judge.resources import folder
from tests.support.builders import Table

MAPS = folder("maps")


@pytest.mark.parametrize(("preset", "seed"), [*(("standard", seed) for seed in range(6)), ("european", 1)])
def test_after_the_robots_every_power_has_all_its_orders_in(preset: str, seed: int) -> None:
    table = Table(MAPS, preset=preset).seated().started()
    chance = Random(seed)
    winters_with_retreats = 0
    last = table.running.position.phase.year + 5
    while table.game.stage is Stage.RUNNING and table.running.position.phase.year < last:
        winters_with_retreats += str(table.game.phase).endswith("R") and str(table.game.phase).startswith("F")
        for power in table.game.board.powers:
            lines = [str(order) for order in think_of_turn(table.running, power, chance)]
            if lines:
                table.orders(power, *lines)
            state = standing(table.game, power).state
            assert state in (State.COMPLETE, State.NOTHING_NEEDED), (table.game.phase, power, lines)
        table.process()
    assert winters_with_retreats


def test_press_is_answered_with_a_sentence_about_what_the_robot_wants() -> None:
    game = Table(MAPS).seated().started().game
    assert isinstance(game, Begun)
    said = {reply_to_press(game, "GERMANY", Random(seed)) for seed in range(20)}
    assert len(said) > 1
    names = [game.board.place_name(code) for code in game.board.provinces]
    assert all(any(name in sentence for name in names) for sentence in said)


@pytest.mark.parametrize(
    ("words", "power"),
    [
        ("May I play Turkey, please?", "TURKEY"),
        ("I'd rather be Italy.", "ITALY"),
        ("Germany has not answered yet.", ""),
        ("May I play Turkey or Italy?", ""),
        ("May I play?", ""),
    ],
)
def test_a_power_is_given_to_whoever_asks_for_one(words: str, power: str) -> None:
    assert wanted_power(words, Table(MAPS).game.board) == power

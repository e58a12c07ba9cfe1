"""The robots of the demo answer everything that a turn asks of them, so that nobody waits for a deadline."""

from __future__ import annotations

from random import Random

import pytest

from judge.daemon.robots import think_of_turn
from judge.game.core.model import Stage
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

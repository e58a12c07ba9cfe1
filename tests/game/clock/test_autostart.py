"""Games that begin by themselves: only when full, only once, and not against the Gamemaster."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.game.clock.clockwork import next_wake
from judge.game.core import commands as cmd
from judge.game.core.events import DeadlineSet, GameStarted, PowersDrawn
from judge.game.core.model import Stage
from judge.game.table.seating import StartCalledOff, StartScheduled, begins
from tests.support.builders import Table

DAY = timedelta(days=1)


@pytest.fixture
def filling(hall: Table) -> Table:
    """Open, beginning by itself a day after the last of seven has come; six are there."""
    hall.tell(cmd.ChangeSettings("autostart", "24h"), hall.gm)
    hall.tell(cmd.Open(), hall.gm)
    for person in range(1, 7):
        join(hall, person)
    return hall


def join(table: Table, person: int) -> None:
    table.tell(cmd.Join(), cmd.Actor(cmd.Role.STRANGER, "", person))


def test_nothing_is_scheduled_before_the_last_seat_is_taken(filling: Table) -> None:
    filling.tick(filling.now + 2 * DAY)  # the Gamemaster reads who has joined
    assert next_wake(filling.game, filling.now) is None
    join(filling, 7)
    assert [type(event) for event in filling.last][1:] == [StartScheduled]
    assert next_wake(filling.game, filling.now) == filling.now + DAY


def test_it_begins_at_its_moment_and_only_once(filling: Table) -> None:
    join(filling, 7)
    assert not filling.tick(filling.now + DAY - timedelta(minutes=1)).last
    filling.tick(filling.now + timedelta(minutes=1))
    assert [type(event) for event in filling.last] == [PowersDrawn, GameStarted, DeadlineSet]
    assert not filling.tick(filling.now).last


def test_the_gamemaster_may_begin_sooner(filling: Table) -> None:
    join(filling, 7)
    filling.tell(cmd.Start(), filling.gm)
    assert filling.game.stage is Stage.RUNNING and begins(filling.game) is None
    filling.tick(filling.now + DAY)
    assert not any(isinstance(event, GameStarted) for event in filling.last)


def test_a_seat_given_up_puts_the_start_off(filling: Table) -> None:
    join(filling, 7)
    filling.tell(cmd.Leave(for_good=True), cmd.Actor(cmd.Role.PLAYER, "3", 3))
    assert begins(filling.game) is None
    filling.tick(filling.now + 2 * DAY)
    assert filling.game.stage is Stage.OPEN


def test_the_gamemaster_may_take_the_start_into_his_hands_and_give_it_back(filling: Table) -> None:
    join(filling, 7)
    filling.tell(cmd.ChangeSettings("autostart", "none"), filling.gm)
    assert [event.free for event in filling.last if isinstance(event, StartCalledOff)] == [False]
    filling.tick(filling.now + 2 * DAY)
    assert filling.game.stage is Stage.OPEN
    filling.tell(cmd.ChangeSettings("autostart", "0m"), filling.gm)
    assert filling.tick(filling.now).game.stage is Stage.RUNNING


def test_usually_the_gamemaster_starts_a_game(hall: Table) -> None:
    hall.tell(cmd.Open(), hall.gm)
    for person in range(1, 8):
        join(hall, person)
    assert next_wake(hall.game, hall.now) is None

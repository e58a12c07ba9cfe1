"""Outages and clocks that jump: nobody is late through the judge's own absence, and everybody is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.game.clock.holds import HoldGame
from judge.game.clock.schedule import GraceMoved
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.service.turning.barrier import SETTLING, ClockLook, ClockReading, Watch, outage_between
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"
DUE = datetime(2027, 1, 9, 5, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def table() -> Table:
    return Table(MAPS, {"nmr": "grace"}).seated().started(DUE)


def back(table: Table, since: datetime, until: datetime) -> tuple[ev.Event, ...]:
    """The judge is back after a silence."""
    table.now = until
    table.tell(cmd.Tick(away=(since, until)), cmd.Actor(cmd.Role.JUDGE))
    return table.last


def due(table: Table) -> datetime:
    return table.running.deadline.at


OUTAGES = [
    ("half an hour over the deadline", DUE - 10 * MINUTE, DUE + 20 * MINUTE, timedelta()),
    ("two hours exactly", DUE - HOUR, DUE + HOUR, timedelta()),
    ("three hours over the deadline", DUE - HOUR, DUE + 2 * HOUR, 3 * HOUR),
    ("a day over the deadline", DUE - 20 * HOUR, DUE + 4 * HOUR, DAY),
    ("three hours in the last day", DUE - 10 * HOUR, DUE - 7 * HOUR, 3 * HOUR),
    ("three hours, days before", DUE - 100 * HOUR, DUE - 97 * HOUR, timedelta()),
    ("a whole week, and the deadline in it", DUE - DAY, DUE + 6 * DAY, 7 * DAY),
]


@pytest.mark.parametrize(("what", "since", "until", "moved"), OUTAGES, ids=[row[0] for row in OUTAGES])
def test_what_an_outage_touched_moves_by_its_length(
    table: Table, what: str, since: datetime, until: datetime, moved: timedelta
) -> None:
    happened = back(table, since, until)
    assert due(table) == DUE + moved, what
    assert [event.why for event in happened if isinstance(event, ev.DeadlineSet)] == (["outage"] if moved else [])


def test_it_is_made_up_for_once(table: Table) -> None:
    """The judge dies after having made up for it, and finds the same silence again."""
    back(table, DUE - HOUR, DUE + 3 * HOUR)
    assert back(table, DUE - HOUR, DUE + 4 * HOUR) == ()
    assert due(table) == DUE + 4 * HOUR


def test_nobody_is_called_late_by_looking_for_outages(table: Table) -> None:
    assert back(table, DUE, DUE + HOUR) == ()


def test_a_grace_that_was_running_is_longer_by_it(table: Table) -> None:
    table.tick(DUE)
    assert table.game.deadline is not None and table.game.deadline.grace is not None
    grace = table.game.deadline.grace
    happened = back(table, grace - 5 * HOUR, grace + 5 * HOUR)
    assert [type(event) for event in happened] == [GraceMoved]
    assert table.game.deadline.grace == grace + 10 * HOUR
    table.tick(grace + 6 * HOUR)
    assert not any(isinstance(event, ev.SeatVacated) for event in table.last)


def test_a_game_on_hold_is_left_alone(table: Table) -> None:
    """What it stood still is added when it goes on."""
    table.tell(HoldGame("holidays"), table.gm)
    assert back(table, DUE - HOUR, DUE + 5 * HOUR) == ()


def test_the_reason_names_the_times_in_the_games_zone(table: Table) -> None:
    [event] = back(table, DUE - 5 * HOUR, DUE + HOUR)
    assert isinstance(event, ev.DeadlineSet)
    assert event.reason == "the judge was out of reach from Fri 08 Jan 19:00 to Sat 09 Jan 01:00 (America/New_York)"


# --- the daemon's own view ------------------------------------------------------------------------------------------


NOON = datetime(2027, 1, 8, 12, tzinfo=UTC)


def test_a_restart_is_no_outage() -> None:
    assert outage_between(None, NOON) is None
    assert outage_between(NOON, NOON + 2 * MINUTE) is None
    assert outage_between(NOON, NOON - DAY) is None
    assert outage_between(NOON, NOON + 3 * MINUTE) is not None


class Clocks:
    """A wall clock and a steady one, moved by hand, with somebody who looks at them every half minute."""

    def __init__(self) -> None:
        self.wall, self.steady = NOON, 1000.0
        self.watch = Watch(ClockReading(self.wall, self.steady))
        self.looks: list[ClockLook] = []

    def run(self, span: timedelta) -> list[ClockLook]:
        """Time passes; returns what was found meanwhile."""
        first = len(self.looks)
        for _ in range(int(span.total_seconds() // 30)):
            self.wall += timedelta(seconds=30)
            self.steady += 30
            self.watch, look = self.watch.look(ClockReading(self.wall, self.steady))
            self.looks.append(look)
        return self.looks[first:]

    def jump(self, by: timedelta) -> None:
        self.wall += by


JUMPS = [HOUR, -HOUR, DAY, -DAY]


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_a_jump_that_is_undone_costs_only_that_time(jump: timedelta) -> None:
    clocks = Clocks()
    clocks.run(5 * MINUTE)
    clocks.jump(jump)
    assert not any(look.sane for look in clocks.run(5 * MINUTE)), "nothing is done by a clock that nobody believes"
    clocks.jump(-jump)
    found = clocks.run(5 * MINUTE)
    assert all(look.sane for look in found)
    [outage] = [look.outage for look in found if look.outage is not None]
    assert timedelta(minutes=5) <= outage.until - outage.since <= timedelta(minutes=6)


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_a_jump_that_stays_is_believed_after_ten_minutes(jump: timedelta) -> None:
    clocks = Clocks()
    clocks.jump(jump)
    found = clocks.run(SETTLING + 2 * MINUTE)
    assert not any(look.sane for look in found[:20]) and all(look.sane for look in found[21:])
    outages = [look.outage for look in found if look.outage is not None]
    if jump > timedelta():
        [outage] = outages
        assert outage.since == NOON and outage.until >= NOON + jump
    else:
        assert outages == [], "time that comes again takes nothing from anybody"


def test_a_clock_that_keeps_jumping_is_never_believed() -> None:
    clocks = Clocks()
    for _ in range(20):
        clocks.jump(HOUR)
        assert not any(look.sane for look in clocks.run(3 * MINUTE))


def test_small_corrections_pass_unnoticed() -> None:
    clocks = Clocks()
    for _ in range(20):
        clocks.jump(timedelta(seconds=90))
        assert all(look.sane and look.outage is None for look in clocks.run(MINUTE))


def test_a_day_forward_makes_nobody_late(table: Table) -> None:
    """The machine believes that tomorrow has come: the deadline moves by as much as the clock jumped."""
    clocks = Clocks()
    clocks.wall = DUE - 2 * HOUR
    clocks.watch = Watch(ClockReading(clocks.wall, clocks.steady))
    clocks.jump(DAY)
    [outage] = [look.outage for look in clocks.run(SETTLING + 2 * MINUTE) if look.outage is not None]
    back(table, outage.since, outage.until)
    table.tick(clocks.wall)
    assert not any(isinstance(event, ev.LateCalled) for event in table.last)
    assert due(table) - clocks.wall > HOUR

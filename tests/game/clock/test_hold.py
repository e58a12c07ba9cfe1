"""A game on hold: the clock stands still, and what the present deadline lost is given back on the calendar's days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from judge.game.clock.clockwork import next_wake
from judge.game.clock.holds import HoldGame, Resume
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Refusal
from judge.game.table.vacancies import Excuse
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def due(table: Table) -> datetime:
    return table.running.deadline.at


def hold(table: Table) -> None:
    table.tell(HoldGame("holidays"), table.gm)


def resume(table: Table, *, after: timedelta) -> None:
    table.now += after
    table.tell(Resume(), table.gm)


def test_the_time_of_the_hold_is_added_to_the_deadline(table: Table) -> None:
    was = due(table)
    hold(table)
    resume(table, after=9 * DAY)
    assert due(table) == was + 9 * DAY


def test_a_turn_that_opened_during_the_hold_gets_back_only_what_it_lost(table: Table) -> None:
    hold(table)
    table.now += 9 * DAY
    table.process()
    fall = due(table)
    resume(table, after=2 * DAY)
    assert due(table) == fall + 2 * DAY


def test_a_moment_named_during_the_hold_loses_nothing_before_it_was_named(table: Table) -> None:
    hold(table)
    table.now += 9 * DAY
    named = table.now + 5 * DAY
    table.tell(cmd.SetDeadline(named), table.gm)
    resume(table, after=HOUR)
    assert due(table) == named


def test_what_is_added_during_the_hold_takes_nothing_away(table: Table) -> None:
    was = due(table)
    hold(table)
    table.now += 3 * DAY
    table.tell(cmd.Extend(2 * DAY), table.gm)
    resume(table, after=DAY)
    assert due(table) == was + 2 * DAY + 4 * DAY


def test_a_deadline_that_passed_during_the_hold_and_was_pushed_runs_from_there(table: Table) -> None:
    hold(table)
    table.now = due(table) + 3 * DAY
    pushed = table.now + 2 * DAY
    table.tell(cmd.Extend(2 * DAY), table.gm)
    assert due(table) == pushed
    resume(table, after=HOUR)
    assert due(table) == pushed


def test_two_holds_of_one_turn_are_given_back_each_once(table: Table) -> None:
    was = due(table)
    for _ in range(2):
        hold(table)
        resume(table, after=2 * DAY)
        table.now += HOUR
    assert due(table) == was + 4 * DAY


# --- the days of the calendar ---------------------------------------------------------------------------------


@pytest.fixture
def weekly() -> Table:
    """A game that is due on Fridays at midnight, New York; seven days and a half are left."""
    return Table(MAPS, {"moves": "Friday 24:00"}).seated().started()


@pytest.mark.parametrize(("after", "weeks"), [(HOUR, 0), (3 * DAY, 0), (4 * DAY, 1), (6 * DAY, 1), (12 * DAY, 2)])
def test_a_weekly_game_is_due_on_its_day_again(weekly: Table, after: timedelta, weeks: int) -> None:
    """The Friday that is nearest to what was lost; an hour's hold does not cost a week."""
    was = due(weekly)
    hold(weekly)
    resume(weekly, after=after)
    assert due(weekly) == was + weeks * 7 * DAY


def test_an_interval_keeps_its_hour(table: Table) -> None:
    was = due(table)
    hold(table)
    resume(table, after=2 * DAY + 5 * HOUR)
    assert due(table) == was + 2 * DAY


def test_a_hold_in_the_last_hour_leaves_time_to_order(weekly: Table) -> None:
    was = due(weekly)
    weekly.now = was - HOUR
    hold(weekly)
    resume(weekly, after=3 * DAY)
    assert due(weekly) == was + 7 * DAY


# --- until a day ----------------------------------------------------------------------------------------------------


def test_a_hold_with_a_day_ends_by_itself(table: Table) -> None:
    was, until = due(table), table.now + 9 * DAY
    table.tell(HoldGame("holidays", until), table.gm)
    assert next_wake(table.game, table.now) == until
    table.tick(until - timedelta(minutes=1))
    assert table.game.held_since is not None
    table.tick(until)
    assert table.game.held_since is None and due(table) == was + 9 * DAY


def test_the_day_can_be_changed_and_the_whole_time_is_given_back(table: Table) -> None:
    was, start = due(table), table.now
    table.tell(HoldGame("holidays", start + 3 * DAY), table.gm)
    table.now += DAY
    table.tell(HoldGame("", start + 6 * DAY), table.gm)
    table.tick(start + 3 * DAY)
    assert table.game.held_since is not None
    table.tick(start + 6 * DAY)
    assert due(table) == was + 6 * DAY


def test_a_day_that_is_past_holds_nothing(table: Table) -> None:
    answer = table.tell(HoldGame("holidays", table.now - DAY), table.gm)
    assert isinstance(answer, Refusal) and table.game.held_since is None


# --- in the grace ---------------------------------------------------------------------------------------------------


def test_a_grace_goes_on_after_a_hold_and_nobody_is_late_twice(table: Table) -> None:
    was = due(table)
    table.tick(was)
    assert table.game.deadline is not None and table.game.deadline.grace is not None
    ends = table.game.deadline.grace
    table.now += HOUR
    hold(table)
    resume(table, after=5 * DAY)
    assert table.game.deadline is not None and table.game.deadline.grace == ends + 5 * DAY
    assert due(table) == was and table.game.deadline.called
    table.tick(ends + 5 * DAY)
    late = [event for event in table.events if isinstance(event, ev.LateCalled)]
    assert len(late) == 1 and any(isinstance(event, ev.SeatVacated) for event in table.last)


@pytest.mark.parametrize(
    "command", [cmd.SetDeadline, Resume, lambda moment: cmd.Extend(HOUR), lambda moment: Excuse("FRANCE", HOUR)]
)
def test_nothing_that_the_gamemaster_does_in_a_grace_makes_it_shorter(
    table: Table, command: Callable[[datetime], cmd.Command]
) -> None:
    """A moment is near not by the deadline that has passed, but by the end of the grace."""
    table.tick(due(table))
    promised = table.running.deadline.promised
    assert promised > due(table)
    table.now += HOUR
    table.tell(HoldGame(), table.gm)
    table.tell(command(table.now + HOUR), table.gm)
    assert table.running.deadline.promised >= promised

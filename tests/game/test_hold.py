"""A game on hold: the clock stands still, and whoever lets it go on gives back what the present deadline lost."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.game import commands as cmd
from judge.testing.builders import Table

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def due(table: Table) -> datetime:
    assert table.game.deadline is not None
    return table.game.deadline.at


def hold(table: Table) -> None:
    table.tell(cmd.Hold("holidays"), table.gm)


def resume(table: Table, *, after: timedelta) -> None:
    table.now += after
    table.tell(cmd.Resume(), table.gm)


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
    assert due(table) == named + HOUR


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
    assert due(table) == pushed + HOUR


def test_two_holds_of_one_turn_are_given_back_each_once(table: Table) -> None:
    was = due(table)
    for _ in range(2):
        hold(table)
        resume(table, after=2 * DAY)
        table.now += HOUR
    assert due(table) == was + 4 * DAY

"""The no-NMR ladder, rung by rung: who is reminded, called late, warned, replaced, and what the clock may not do twice.

The deadline is Friday 8 January 2027, 24:00 in New York, unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from judge.game.clock.clockwork import PATIENCE, next_wake
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import LadderStep
from tests.game.waiting import (
    DAY,
    DUE,
    HOUR,
    MAPS,
    begun,
    deadline,
    happened,
    orders_from,
    play_until,
    seat,
    silent_france,
    step,
    wall,
)
from tests.support.builders import Table


@pytest.fixture
def table() -> Table:
    return begun()


# --- reminders ----------------------------------------------------------------------------------------------------


def test_only_those_with_something_missing_are_reminded(table: Table) -> None:
    orders_from(table, "FRANCE", "TURKEY")
    table.tick(DUE - 24 * HOUR)
    [event] = happened(table, ev.ReminderDue)
    assert isinstance(event, ev.ReminderDue)
    assert set(event.seats) == {seat(table, "FRANCE"), seat(table, "TURKEY")}


def test_a_rung_fires_once_for_a_version_of_the_deadline(table: Table) -> None:
    """Two ticks in one window, and then the deadline moves: its rungs begin again."""
    table.tick(DUE - 24 * HOUR)
    assert happened(table, ev.ReminderDue)
    table.tick(DUE - 24 * HOUR + timedelta(minutes=1))
    assert table.last == ()
    table.tell(cmd.Extend(3 * DAY), table.gm)
    table.tick(DUE + 2 * DAY)
    [event] = happened(table, ev.ReminderDue)
    assert isinstance(event, ev.ReminderDue) and (event.rung, event.version) == (24, 2)


def test_rungs_that_a_downtime_swallowed_make_one_letter(table: Table) -> None:
    table.tick(DUE - 2 * HOUR)
    reminders = [event for event in happened(table, ev.ReminderDue) if isinstance(event, ev.ReminderDue)]
    assert [(event.rung, bool(event.seats)) for event in reminders] == [(24, False), (4, True)]


LADDERS = [
    ("48h, 24h, 4h", [48, 24, 4]),
    ("24h, 4h", [24, 4]),
    ("72h, 1h", [72, 1]),
    ("none", []),
]


@pytest.mark.parametrize(("setting", "rungs"), LADDERS)
def test_the_ladder_is_a_setting(setting: str, rungs: Sequence[int]) -> None:
    table = begun(reminders=setting)
    seen = play_until(table, DUE - timedelta(minutes=1))
    assert [event.rung for event in seen if isinstance(event, ev.ReminderDue)] == list(rungs)


def test_the_gamemaster_gets_a_hint_after_two_reminders_in_vain(table: Table) -> None:
    orders_from(table, "FRANCE")
    play_until(table, DUE - 3 * HOUR)
    table.tick(DUE - 2 * HOUR)
    assert step(table, "hint") == [(1, (seat(table, "FRANCE"),))]
    table.tick(DUE - HOUR)
    assert table.last == ()


def test_no_hint_about_somebody_who_answered(table: Table) -> None:
    orders_from(table, "FRANCE")
    play_until(table, DUE - 3 * HOUR)
    orders_from(table)
    table.tick(DUE - 2 * HOUR)
    assert step(table, "hint") == []


# --- late, and the grace ------------------------------------------------------------------------------------------


def test_full_orders_without_any_click_are_not_late(table: Table) -> None:
    orders_from(table)
    table.tick(DUE)
    assert not happened(table, ev.LateCalled)
    assert happened(table, ev.PhaseAdjudicated)


def test_all_hold_is_no_nmr(table: Table) -> None:
    """A set in which every unit holds is a set of orders."""
    orders_from(table)
    table.tick(DUE)
    [event] = happened(table, ev.PhaseAdjudicated)
    assert isinstance(event, ev.PhaseAdjudicated) and event.missing == ()


def test_a_missed_deadline_is_suspended_for_two_days() -> None:
    table = silent_france()
    [call] = happened(table, ev.LateCalled)
    assert isinstance(call, ev.LateCalled)
    assert call.seats == (seat(table, "FRANCE"),)
    assert wall(call.grace) == "Mon 11 Jan 00:00"


def test_a_tick_half_a_minute_late_does_not_move_the_grace(table: Table) -> None:
    table.tick(DUE + timedelta(seconds=30))
    assert deadline(table).grace == DUE + 2 * DAY


def test_a_call_that_came_much_later_gives_the_whole_grace_from_then(table: Table) -> None:
    table.tick(DUE + 5 * HOUR)
    assert deadline(table).grace == DUE + 5 * HOUR + 2 * DAY


def test_half_an_hour_after_the_missing_orders_it_goes_on() -> None:
    """Saturday 10:00 the last orders come, 10:30 the turn is processed, not before."""
    table = silent_france()
    table.now = DUE + 10 * HOUR
    orders_from(table)
    assert next_wake(table.game, table.now) == DUE + 10.5 * HOUR
    table.tick(DUE + 10.4 * HOUR)
    assert table.last == ()
    table.tick(DUE + 10.5 * HOUR)
    assert happened(table, ev.PhaseAdjudicated)


def test_an_uncorrected_mistake_is_a_missing_set(table: Table) -> None:
    """Correct at 09:12, processed at 09:42."""
    orders_from(table, "ITALY")
    table.orders("ITALY", "Army in Lapland launches probe to Jupiter", "A Ven - Mos", "A Rom H", "F Nap H")
    table.tick(DUE)
    [call] = happened(table, ev.LateCalled)
    assert isinstance(call, ev.LateCalled) and call.seats == (seat(table, "ITALY"),)
    table.now = DUE + 9 * HOUR + timedelta(minutes=12)
    table.orders("ITALY", "A Ven H", "A Rom H", "F Nap H")
    table.tick(DUE + 9 * HOUR + timedelta(minutes=41))
    assert table.last == ()
    table.tick(DUE + 9 * HOUR + timedelta(minutes=42))
    assert happened(table, ev.PhaseAdjudicated)


def test_a_letter_a_day_while_the_grace_lasts_and_the_standbys_after_one() -> None:
    table = silent_france()
    table.tick(DUE + DAY)
    assert step(table, "grace") == [(1, (seat(table, "FRANCE"),))]
    assert step(table, "standby") == [(1, (seat(table, "FRANCE"),))]
    table.tick(DUE + DAY + HOUR)
    assert table.last == ()


def test_others_may_change_their_orders_meanwhile() -> None:
    table = silent_france()
    assert isinstance(table.orders("GERMANY", "A Mun - Ruh"), Decision)


def test_unless_the_game_freezes_them() -> None:
    table = begun(freeze_others="yes")
    orders_from(table, "FRANCE")
    table.tick(DUE)
    answer = table.orders("GERMANY", "A Mun - Ruh")
    assert isinstance(answer, Refusal) and answer.slug == "frozen"
    assert isinstance(table.orders("FRANCE", "A Par H"), Decision)


def test_after_the_grace_the_seat_falls_vacant_once() -> None:
    table = silent_france()
    seen = play_until(table, DUE + 3 * DAY)
    vacated = [event for event in seen if isinstance(event, ev.SeatVacated)]
    assert [(event.seat, event.why, event.at) for event in vacated] == [(seat(table, "FRANCE"), "nmr", DUE + 2 * DAY)]


def test_nothing_is_adjudicated_while_a_set_is_missing() -> None:
    """For weeks, if need be; the search is repeated every week."""
    table = silent_france()
    seen = play_until(table, DUE + 30 * DAY)
    assert not any(isinstance(event, ev.PhaseAdjudicated) for event in seen)
    wanted = [event.number for event in seen if isinstance(event, LadderStep) and event.kind == "wanted"]
    assert wanted == [1, 2, 3, 4]
    reminded = [event.at for event in seen if isinstance(event, LadderStep) and event.kind == "vacant"]
    assert reminded == [DUE + 4 * DAY], "the Gamemaster, two days after the seat fell vacant"


def test_a_seat_that_falls_vacant_before_the_deadline_is_looked_for_at_once(table: Table) -> None:
    """Two days on, and every week, whatever deadlines come and go; no more once somebody has it."""
    table.tell(cmd.Leave(for_good=True), table.player("FRANCE"))
    gone = table.now

    def until(end: datetime) -> list[tuple[str, timedelta]]:
        found = [e for e in play_until(table, end) if isinstance(e, LadderStep) and e.kind in ("vacant", "wanted")]
        return [(event.kind, event.at - gone) for event in found]

    assert until(gone + 6 * DAY) == [("vacant", 2 * DAY)]
    table.tell(cmd.SetDeadline(gone + 40 * DAY), table.gm)
    assert until(gone + 15 * DAY) == [("wanted", 7 * DAY), ("wanted", 14 * DAY)]
    table.tell(cmd.Assign("FRANCE", 8), table.gm)
    assert until(gone + 39 * DAY) == []


def test_an_empty_seat_is_not_called_late_but_waited_for(table: Table) -> None:
    orders_from(table, "FRANCE")
    table.tell(cmd.Leave(for_good=True), table.player("FRANCE"))
    table.tick(DUE)
    [call] = happened(table, ev.LateCalled)
    assert isinstance(call, ev.LateCalled) and call.seats == ()
    assert step(table, "waiting") == [(1, (seat(table, "FRANCE"),))]


# --- policies -----------------------------------------------------------------------------------------------------

POLICIES = [
    ("wait", "suspended without end"),
    ("grace", "suspended for the time of grace"),
    ("hold", "processed at once"),
    ("disorder", "processed at once"),
    ("removals", "processed at once"),
]


@pytest.mark.parametrize(("policy", "outcome"), POLICIES)
def test_what_becomes_of_a_missed_deadline_is_decided_beforehand(policy: str, outcome: str) -> None:
    table = begun(nmr=policy)
    orders_from(table, "FRANCE")
    table.tick(DUE)
    if outcome == "processed at once":
        [event] = happened(table, ev.PhaseAdjudicated)
        assert isinstance(event, ev.PhaseAdjudicated) and event.missing == ("FRANCE",)
        return
    [call] = happened(table, ev.LateCalled)
    assert isinstance(call, ev.LateCalled)
    assert (call.grace is None) == (outcome == "suspended without end")
    table.tick(DUE + 3 * DAY)
    assert bool(happened(table, ev.SeatVacated)) == (policy == "grace")


def test_a_game_does_not_open_before_the_policy_is_settled() -> None:
    hall = Table(MAPS, {"nmr": ""})
    answer = hall.tell(cmd.Open(), hall.gm)
    assert isinstance(answer, Refusal) and answer.slug == "undecided"


# --- overdue --------------------------------------------------------------------------------------------------------


def test_the_gamemaster_hears_when_nothing_is_processed(table: Table) -> None:
    """At +2 h and +20 h; after a day the players are told too. A delay of moments is nobody's news."""
    orders_from(table)
    seen = []
    for hours in range(26):
        table.now = DUE + hours * HOUR
        table.tell(cmd.Tick(blocked="mail 7 is not settled"), cmd.Actor(cmd.Role.JUDGE))
        seen += [(hours, type(e).__name__, getattr(e, "number", 0)) for e in table.last]
    assert seen == [(1, "ProcessingDelayed", 0), (2, "LadderStep", 2), (20, "LadderStep", 20), (24, "LadderStep", 24)]


def test_waiting_for_somebody_late_is_not_overdue() -> None:
    table = silent_france()
    seen = play_until(table, DUE + 47 * HOUR)
    assert not any(isinstance(event, LadderStep) and event.kind == "overdue" for event in seen)


def test_nobody_is_late_whose_call_for_orders_never_left(table: Table) -> None:
    orders_from(table, "FRANCE")
    table.now = DUE + PATIENCE
    table.tell(cmd.Tick(unheard=(seat(table, "FRANCE"),)), cmd.Actor(cmd.Role.JUDGE))
    assert not happened(table, ev.LateCalled) and happened(table, ev.ProcessingDelayed)

"""The no-NMR ladder, rung by rung: who is reminded, called late, warned, replaced, and what the clock may not do twice.

The deadline is Friday 8 January 2027, 24:00 in New York, unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.game import commands as cmd
from judge.game import events as ev
from judge.game.absences import AbsenceNoted
from judge.game.bundles import PRESETS
from judge.game.clockwork import next_wake
from judge.game.decision import Decision
from judge.game.ladder import LadderStep
from judge.game.model import Deadline
from judge.game.outages import GraceMoved
from judge.game.pace import to_wall
from judge.game.refusal import Refusal
from judge.game.schedule import results_due
from judge.game.spans import zone_info
from judge.testing.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"
HOUSE_RULES = dict(PRESETS["houserules-003"])
ZONE = zone_info("America/New_York")
DUE = datetime(2027, 1, 8, 23, 59, tzinfo=ZONE).astimezone(UTC) + timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def begun(**settings: str) -> Table:
    return Table(MAPS, HOUSE_RULES | settings).seated().started(DUE)


@pytest.fixture
def table() -> Table:
    return begun()


def deadline(table: Table) -> Deadline:
    assert table.game.deadline is not None
    return table.game.deadline


def orders_from(table: Table, *but: str) -> None:
    """Everybody holds, but for some."""
    assert table.game.position is not None
    for power in table.game.board.powers:
        units = table.game.position.of(power)
        if power not in but and units:
            table.orders(power, *[f"{unit.kind} {unit.at} H" for unit in units])


def happened(table: Table, *kinds: type[ev.Event]) -> list[ev.Event]:
    return [event for event in table.last if isinstance(event, kinds)]


def step(table: Table, kind: str) -> list[tuple[int, tuple[str, ...]]]:
    return [(e.number, e.seats) for e in table.last if isinstance(e, LadderStep) and e.kind == kind]


def seat(table: Table, power: str) -> str:
    found = table.game.seat_of(power)
    assert found is not None
    return found.id


def person(table: Table, power: str) -> int:
    held = table.game.seat_of(power)
    assert held is not None and held.person is not None
    return held.person


def stranger(number: int) -> cmd.Actor:
    return cmd.Actor(cmd.Role.STRANGER, person=number)


def wall(moment: datetime | None) -> str:
    assert moment is not None
    return f"{to_wall(moment, ZONE):%a %d %b %H:%M}"


def play_until(table: Table, end: datetime) -> list[ev.Event]:
    """Let the clock strike whenever the game asks for it, and once too often each time."""
    seen: list[ev.Event] = []
    while (moment := next_wake(table.game, table.now)) is not None and moment <= end:
        table.tick(max(moment, table.now))
        seen += table.last
        table.tick(table.now)
        assert table.last == (), "nothing happens twice"
    table.tick(end)
    return [*seen, *table.last]


def silent_france() -> Table:
    """France has sent nothing, and the late call has been made."""
    table = begun()
    orders_from(table, "FRANCE")
    table.tick(DUE)
    return table


# --- reminders ----------------------------------------------------------------------------------------------------


def test_only_those_with_something_missing_are_reminded(table: Table) -> None:
    orders_from(table, "FRANCE", "TURKEY")
    table.tick(DUE - 24 * HOUR)
    [event] = happened(table, ev.ReminderDue)
    assert isinstance(event, ev.ReminderDue)
    assert set(event.seats) == {seat(table, "FRANCE"), seat(table, "TURKEY")}


def test_a_rung_fires_once_for_a_version_of_the_deadline(table: Table) -> None:
    """Two ticks in one window (L15), and then the deadline moves: its rungs begin anew (L03)."""
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
    """L01."""
    orders_from(table)
    table.tick(DUE)
    assert not happened(table, ev.LateCalled)
    assert happened(table, ev.PhaseAdjudicated)


def test_all_hold_is_no_nmr(table: Table) -> None:
    """A set in which every unit holds is a set of orders (L07)."""
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
    """B22, R14: Saturday 10:00 the last orders come, 10:30 the turn is processed, not before."""
    table = silent_france()
    table.now = DUE + 10 * HOUR
    orders_from(table)
    assert next_wake(table.game, table.now) == DUE + 10.5 * HOUR
    table.tick(DUE + 10.4 * HOUR)
    assert table.last == ()
    table.tick(DUE + 10.5 * HOUR)
    assert happened(table, ev.PhaseAdjudicated)


def test_an_uncorrected_mistake_is_a_missing_set(table: Table) -> None:
    """B44, R15; 5.2 step 2: correct at 09:12, processed at 09:42."""
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
    """B29."""
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
    """B24."""
    table = silent_france()
    seen = play_until(table, DUE + 3 * DAY)
    vacated = [event for event in seen if isinstance(event, ev.SeatVacated)]
    assert [(event.seat, event.why, event.at) for event in vacated] == [(seat(table, "FRANCE"), "nmr", DUE + 2 * DAY)]


def test_nothing_is_adjudicated_while_a_set_is_missing() -> None:
    """B28: for weeks, if need be; the search is repeated every week."""
    table = silent_france()
    seen = play_until(table, DUE + 30 * DAY)
    assert not any(isinstance(event, ev.PhaseAdjudicated) for event in seen)
    wanted = [event.number for event in seen if isinstance(event, LadderStep) and event.kind == "wanted"]
    assert wanted == [1, 2, 3, 4]


def test_an_empty_seat_is_not_called_late_but_waited_for(table: Table) -> None:
    orders_from(table, "FRANCE")
    table.tell(cmd.Leave(), table.player("FRANCE"))
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


# --- coming back, and taking over -----------------------------------------------------------------------------------


def vacant_france() -> Table:
    table = silent_france()
    table.tick(DUE + 2 * DAY)
    return table


def test_the_former_player_may_come_back_once() -> None:
    """B25; 5.2 steps 6 and 7."""
    table = silent_france()
    france = person(table, "FRANCE")
    table.tick(DUE + 2 * DAY)
    table.now = DUE + 2 * DAY + 8 * HOUR
    assert isinstance(table.tell(cmd.Claim("FRANCE"), stranger(france)), Decision)
    assert table.game.returns == {france: 1}
    orders_from(table)
    table.tick(table.now + timedelta(minutes=30))
    assert happened(table, ev.PhaseAdjudicated)


def test_and_not_a_second_time() -> None:
    table = vacant_france()
    table.tell(cmd.Claim(), stranger(3))
    play_until(table, table.now + 2 * DAY)
    assert not table.game.seats[seat(table, "FRANCE")].filled
    answer = table.tell(cmd.Claim(), stranger(3))
    assert isinstance(answer, Refusal) and answer.slug == "returned-once"


def test_coming_back_prolongs_nothing_but_by_a_day() -> None:
    """L12: he has a day for his orders; the deadline stays, and no extension is offered."""
    table = vacant_france()
    table.tell(cmd.Claim(), stranger(3))
    [moved] = happened(table, GraceMoved)
    assert isinstance(moved, GraceMoved) and moved.until == table.now + DAY
    assert deadline(table).at == DUE
    answer = table.tell(cmd.Extend(), table.player("FRANCE"))
    assert isinstance(answer, Refusal)


def test_the_first_claim_wins() -> None:
    """5.2 step 7: the standby at 07:00, the former player at 07:05."""
    table = vacant_france()
    assert isinstance(table.tell(cmd.Claim("FRANCE"), stranger(8)), Decision)
    table.now += timedelta(minutes=5)
    answer = table.tell(cmd.Claim("FRANCE"), stranger(3))
    assert isinstance(answer, Refusal) and answer.slug == "taken"


def test_a_replacement_gets_a_whole_phase_and_an_extension_for_the_asking() -> None:
    """L19; the orders of his predecessor are void (L08)."""
    table = silent_france()
    table.orders("FRANCE", "A Mun - Bur")
    table.tick(DUE + 2 * DAY)
    table.tell(cmd.Claim(), stranger(8))
    assert wall(deadline(table).at) == "Sat 16 Jan 00:00"
    assert "FRANCE" not in table.game.sheets
    assert isinstance(table.tell(cmd.Extend(), table.player("FRANCE")), Decision)
    assert wall(deadline(table).at) == "Sat 23 Jan 00:00"
    assert not table.game.extensions
    table.now += HOUR
    table.tell(cmd.Extend(), table.player("FRANCE"))
    assert table.game.extensions == {8: 1}, "the offer was made once"


CLAIMS = [
    ("the Gamemaster", lambda table: cmd.Actor(cmd.Role.GM, "gm", table.game.gm), "gm-plays"),
    ("another player", lambda table: table.player("ENGLAND"), "already-in"),
    ("nobody known", lambda table: cmd.Actor(cmd.Role.STRANGER), "who"),
]


@pytest.mark.parametrize(("who", "actor", "slug"), CLAIMS, ids=[row[0] for row in CLAIMS])
def test_who_may_not_claim(who: str, actor: object, slug: str) -> None:
    table = vacant_france()
    answer = table.tell(cmd.Claim(), actor(table))  # type: ignore[operator]
    assert isinstance(answer, Refusal) and answer.slug == slug, who


def test_whom_the_gamemaster_removed_comes_back_only_through_him(table: Table) -> None:
    france = person(table, "FRANCE")
    table.tell(cmd.Vacate("FRANCE", "forgery"), table.gm)
    answer = table.tell(cmd.Claim(), stranger(france))
    assert isinstance(answer, Refusal) and answer.slug == "barred"
    assert isinstance(table.tell(cmd.Assign("FRANCE", france), table.gm), Decision)


def test_of_two_vacant_powers_one_must_be_named(table: Table) -> None:
    table.tell(cmd.Leave(), table.player("FRANCE"))
    table.tell(cmd.Leave(), table.player("ITALY"))
    answer = table.tell(cmd.Claim(), stranger(8))
    assert isinstance(answer, Refusal) and answer.slug == "which-power"
    assert isinstance(table.tell(cmd.Claim("ITALY"), stranger(8)), Decision)


# --- forces of nature -----------------------------------------------------------------------------------------------


def test_excused_while_the_grace_lasts() -> None:
    """5.2 step 8: no NMR, the schedule shifts."""
    table = silent_france()
    table.now = DUE + HOUR
    answer = table.tell(cmd.Excuse("FRANCE", reason="storm"), table.gm)
    assert isinstance(answer, Decision)
    assert deadline(table).at == DUE + HOUR + 3 * DAY and deadline(table).late == ()


def test_excused_after_the_seat_fell_vacant_gives_it_back() -> None:
    table = vacant_france()
    table.tell(cmd.Excuse("FRANCE", reason="storm"), table.gm)
    assert person(table, "FRANCE") == 3 and table.game.returns == {}


def test_excused_after_he_came_back_makes_that_return_free() -> None:
    table = vacant_france()
    table.tell(cmd.Claim(), stranger(3))
    table.tell(cmd.Excuse("FRANCE", reason="storm"), table.gm)
    assert table.game.returns == {3: 0}


def test_a_replacement_who_has_not_begun_gives_way() -> None:
    table = vacant_france()
    table.tell(cmd.Claim(), stranger(8))
    table.tell(cmd.Excuse("FRANCE"), table.gm)
    assert person(table, "FRANCE") == 3


def test_too_late_once_the_replacement_has_begun() -> None:
    """B26."""
    table = vacant_france()
    table.tell(cmd.Claim(), stranger(8))
    table.orders("FRANCE", "A Par H")
    answer = table.tell(cmd.Excuse("FRANCE"), table.gm)
    assert isinstance(answer, Refusal) and answer.slug == "begun"


def test_begun_may_mean_that_moves_are_printed() -> None:
    """B27: what counts as having begun is a setting."""
    table = vacant_france()
    table.tell(cmd.Change("begun", "moves"), table.gm)
    table.tell(cmd.Claim(), stranger(8))
    table.orders("FRANCE", "A Par H")
    assert isinstance(table.tell(cmd.Excuse("FRANCE"), table.gm), Decision)


def test_only_the_gamemaster_excuses() -> None:
    """R17."""
    table = silent_france()
    answer = table.tell(cmd.Excuse("FRANCE"), table.player("FRANCE"))
    assert isinstance(answer, Refusal) and answer.slug == "gm-only"


# --- absences -------------------------------------------------------------------------------------------------------


def away(first: int, last: int) -> cmd.Away:
    """From the first of these days of January to the end of the last."""
    start = datetime(2027, 1, first, tzinfo=ZONE).astimezone(UTC)
    return cmd.Away(start, datetime(2027, 1, last, tzinfo=ZONE).astimezone(UTC) + DAY)


def test_future_deadlines_skip_an_absence_and_the_current_one_stays(table: Table) -> None:
    """5.1 step 20."""
    answer = table.tell(away(8, 16), table.player("FRANCE"))
    assert isinstance(answer, Decision)
    assert "no deadline that is set from now on" in answer.said and "falls into your absence" in answer.said
    assert deadline(table).at == DUE
    orders_from(table)
    table.tick(DUE)
    assert wall(deadline(table).at) == "Sat 23 Jan 00:00", "Friday the 15th is skipped"


def test_back_earlier(table: Table) -> None:
    table.tell(away(8, 16), table.player("FRANCE"))
    assert isinstance(table.tell(cmd.Back(), table.player("FRANCE")), Decision)
    orders_from(table)
    table.tick(DUE)
    assert wall(deadline(table).at) == "Sat 16 Jan 00:00"


def test_only_absences_of_those_who_are_asked_count(table: Table) -> None:
    """Nobody waits with his retreats for a player who has none to make."""
    table.all_orders({"FRANCE": ["A Mar - Bur"], "GERMANY": ["A Mun H"]})
    table.tell(away(9, 11), table.player("TURKEY"))
    orders_from(table, "FRANCE", "GERMANY")
    table.orders("FRANCE", "A Par H", "F Bre H")
    table.orders("GERMANY", "A Ber H", "F Kie H")
    table.tick(DUE)
    assert deadline(table).phase.kind == "M"
    assert wall(deadline(table).at) == "Sat 16 Jan 00:00"


ABSENCES = [
    ("fourteen days in all", [(10, 23)], ""),
    ("fifteen", [(10, 24)], "too-long"),
    ("two that make fifteen", [(10, 16), (17, 24)], "too-long"),
    ("four pieces", [(10, 10), (12, 12), (14, 14), (16, 16)], "too-many"),
]


@pytest.mark.parametrize(("what", "stretches", "slug"), ABSENCES, ids=[row[0] for row in ABSENCES])
def test_how_long_one_may_be_away(table: Table, what: str, stretches: list[tuple[int, int]], slug: str) -> None:
    answers = [table.tell(away(first, last), table.player("FRANCE")) for first, last in stretches]
    assert [one.slug for one in answers if isinstance(one, Refusal)] == ([slug] if slug else []), what


def test_the_same_absence_twice_is_one(table: Table) -> None:
    table.tell(away(10, 12), table.player("FRANCE"))
    table.tell(away(10, 12), table.player("FRANCE"))
    assert not happened(table, AbsenceNoted)
    assert len(table.game.seats[seat(table, "FRANCE")].absences) == 1


def test_the_gamemaster_may_note_a_longer_one_for_a_player(table: Table) -> None:
    longer = away(10, 30)
    assert isinstance(table.tell(cmd.Away(longer.since, longer.until, "FRANCE"), table.gm), Decision)
    assert isinstance(table.tell(longer, table.gm), Refusal), "whose, he must say"


# --- overdue --------------------------------------------------------------------------------------------------------


def test_the_gamemaster_hears_when_nothing_is_processed(table: Table) -> None:
    """B35: at +2 h and +20 h; after a day the players are told too (B13)."""
    orders_from(table)
    seen = []
    for hours in range(26):
        table.now = DUE + hours * HOUR
        table.tell(cmd.Tick(blocked="mail 7 is not settled"), cmd.Actor(cmd.Role.JUDGE))
        seen += [(hours, type(e).__name__, getattr(e, "number", 0)) for e in table.last]
    assert seen == [(0, "ProcessingDelayed", 0), (2, "LadderStep", 2), (20, "LadderStep", 20), (24, "LadderStep", 24)]
    assert results_due(table.game) == DUE + DAY


def test_waiting_for_somebody_late_is_not_overdue() -> None:
    table = silent_france()
    seen = play_until(table, DUE + 47 * HOUR)
    assert not any(isinstance(event, LadderStep) and event.kind == "overdue" for event in seen)


def test_nobody_is_late_whose_call_for_orders_never_left(table: Table) -> None:
    orders_from(table, "FRANCE")
    table.now = DUE
    table.tell(cmd.Tick(unheard=(seat(table, "FRANCE"),)), cmd.Actor(cmd.Role.JUDGE))
    assert not happened(table, ev.LateCalled) and happened(table, ev.ProcessingDelayed)

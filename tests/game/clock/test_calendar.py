"""The calendar as a document: when a turn is due that opens at a given moment, under given settings.

Times are written as the game's players read them: the wall clock of the game's zone, midnight as the end of a day.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.board.phase import Phase
from judge.game.clock.schedule import Opened, first_deadline, has_slipped, next_deadline
from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.core.model import Running
from judge.game.settings.bundles import PRESETS
from judge.game.settings.quiet import Holiday, read_days, read_holidays, show_days
from judge.game.settings.table import Settings, settings_from_text, settings_to_text
from judge.pace import Pace, later, to_wall, zone_info
from judge.report.core import naming
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"
NEW_YORK = "America/New_York"
HOUSE_RULES = dict(PRESETS["houserules-003"])


def at(text: str, zone: str = NEW_YORK) -> datetime:
    """ "2027-01-08 23:59" on the wall of a zone; 24:00 is the end of a day."""
    late = text.endswith("24:00")
    wall = datetime.fromisoformat(text.replace("24:00", "00:00")) + timedelta(days=late)
    return wall.replace(tzinfo=zone_info(zone)).astimezone(UTC)


def on_wall(moment: datetime, zone: str) -> str:
    """The moment as a deadline is written: a midnight belongs to the day that it ends."""
    wall = to_wall(moment, zone_info(zone))
    if (wall.hour, wall.minute) != (0, 0):
        return f"{wall:%a %Y-%m-%d %H:%M}"
    return f"{wall - timedelta(days=1):%a %Y-%m-%d} 24:00"


def game_at(table: Table, phase: str, settings: Mapping[str, str]) -> Running:
    """The table's game in a certain phase under other settings."""
    position = replace(table.running.position, phase=Phase.read(phase))
    texts = settings_to_text(table.game.settings) | dict(settings)
    return replace(table.running, position=position, settings=settings_from_text(texts))


# --- the weekly grid ----------------------------------------------------------------------------------------------

REGULAR_WEEK = [
    ("S1902M", "2027-01-18 00:10", "Fri 2027-01-22 24:00", "moves on Friday"),
    ("S1902R", "2027-01-23 00:10", "Sun 2027-01-24 24:00", "retreats on Sunday"),
    ("S1902R", "2027-01-23 23:50", "Sun 2027-01-24 24:00", "results within a day: still that Sunday"),
    ("W1902A", "2027-01-23 00:10", "Sun 2027-01-24 24:00", "builds with the retreats on Sunday"),
    ("S1903M", "2027-01-20 23:50", "Fri 2027-01-22 24:00", "after a late winter Friday stands, with 48 hours"),
    ("S1903M", "2027-01-22 23:59", "Fri 2027-01-29 24:00", "a minute is no phase (after one off the grid)"),
]


@pytest.mark.parametrize(("phase", "opened", "due", "why"), REGULAR_WEEK)
def test_in_a_regular_week_the_grid_alone_decides(table: Table, phase: str, opened: str, due: str, why: str) -> None:
    game = game_at(table, phase, HOUSE_RULES)
    assert on_wall(next_deadline(game, Opened(at(opened))).at, NEW_YORK) == due, why


AFTER_A_SLIP = [
    ("S1902M", "2027-01-28 12:00", "Fri 2027-02-05 24:00", "36 hours are too few: the Friday after"),
    ("S1902M", "2027-01-27 00:00", "Fri 2027-01-29 24:00", "72 hours to the minute are enough"),
    ("S1902M", "2027-01-27 00:01", "Fri 2027-02-05 24:00", "and a minute less is not"),
    ("S1902M", "2027-01-25 08:00", "Fri 2027-01-29 24:00", "plenty of time: back on Friday at once"),
    ("S1902R", "2027-01-29 00:30", "Sun 2027-01-31 24:00", "retreats after a Thursday: that Sunday"),
    ("S1902R", "2027-01-31 20:00", "Mon 2027-02-01 24:00", "four hours are too few, a week too long: another day"),
    ("W1902A", "2027-01-31 23:00", "Mon 2027-02-01 24:00", "so with builds"),
]


@pytest.mark.parametrize(("phase", "opened", "due", "why"), AFTER_A_SLIP)
def test_after_a_slip_a_phase_needs_its_least_time(table: Table, phase: str, opened: str, due: str, why: str) -> None:
    game = game_at(table, phase, HOUSE_RULES)
    assert on_wall(next_deadline(game, Opened(at(opened), slipped=True)).at, NEW_YORK) == due, why


def test_a_winter_that_was_split_has_its_builds_on_tuesday(table: Table) -> None:
    game = game_at(table, "W1901A", HOUSE_RULES)
    due = next_deadline(game, Opened(at("2027-01-18 00:10"), split=True)).at
    assert on_wall(due, NEW_YORK) == "Tue 2027-01-19 24:00"


FIRST = [
    ({"moves": "Friday 24:00"}, "2027-01-01 12:00", "Fri 2027-01-08 24:00", "Friday noon is not due the same night"),
    ({"moves": "Friday 24:00"}, "2027-01-05 00:00", "Fri 2027-01-08 24:00", "Tuesday leaves four days"),
    ({"moves": "7d", "first_moves": "Friday 24:00"}, "2027-01-06 12:00", "Fri 2027-01-15 24:00", "Wednesday: too near"),
    ({"moves": "7d", "first_moves": "14d"}, "2027-01-01 12:00", "Fri 2027-01-15 12:00", "an interval of its own"),
    ({"moves": "1d"}, "2027-01-01 12:00", "Sat 2027-01-02 12:00", "an interval is its own least length"),
]


@pytest.mark.parametrize(("settings", "opened", "due", "why"), FIRST)
def test_the_first_deadline_leaves_a_sensible_time(settings: dict[str, str], opened: str, due: str, why: str) -> None:
    table = Table(MAPS, settings)
    assert on_wall(first_deadline(table.game, at(opened)), NEW_YORK) == due, why


# --- clocks that change -------------------------------------------------------------------------------------------

ZONES = [
    ("EST", "2027-03-20T04:59:59+00:00", "Sat 20 Mar, 05:59 CET"),
    (NEW_YORK, "2027-03-20T03:59:59+00:00", "Sat 20 Mar, 04:59 CET"),
]


@pytest.mark.parametrize(("zone", "last_second", "in_berlin"), ZONES)
def test_friday_midnight_after_the_american_change(zone: str, last_second: str, in_berlin: str) -> None:
    due = Pace.read("Friday 24:00").due(datetime(2027, 3, 16, 12, tzinfo=UTC), zone_info(zone))
    assert (due - timedelta(seconds=1)).isoformat() == last_second
    assert naming.theirs(due, zone, "Europe/Berlin") == in_berlin


def test_three_fridays_as_berlin_reads_them() -> None:
    pace, opened, read = Pace.read("Friday 24:00"), datetime(2027, 3, 16, 12, tzinfo=UTC), []
    for _ in range(3):
        opened = pace.due(opened, zone_info(NEW_YORK))
        read.append(naming.theirs(opened, NEW_YORK, "Europe/Berlin"))
    assert read == ["Sat 20 Mar, 04:59 CET", "Sat 27 Mar, 04:59 CET", "Sat 3 Apr, 05:59 CEST"]


DRIFT = [
    ("7d", "2027-03-08 23:59", "Mon 2027-03-15 23:59", "an interval over the change stays at its hour"),
    ("3d", "2027-11-05 20:00", "Mon 2027-11-08 20:00", "in autumn too"),
    ("1d", "2027-03-13 02:30", "Sun 2027-03-14 03:30", "02:30 does not exist that night: the clock's later reading"),
    ("Sunday 02:30", "2027-03-13 12:00", "Sun 2027-03-14 03:30", "on a grid as well"),
    ("Sunday 01:30", "2027-11-06 12:00", "Sun 2027-11-07 01:30", "01:30 comes twice that night: the first"),
    ("3d at 23:00", "2027-01-05 23:30", "Fri 2027-01-08 23:00", "half an hour does not make it a day later"),
    ("3d at 23:00", "2027-01-05 12:00", "Fri 2027-01-08 23:00", "the hour comes after the interval"),
    ("2d at 24:00", "2027-01-05 00:30", "Wed 2027-01-06 24:00", "midnight ends the second day"),
]


@pytest.mark.parametrize(("pace", "opened", "due", "why"), DRIFT)
def test_nothing_drifts(pace: str, opened: str, due: str, why: str) -> None:
    assert on_wall(Pace.read(pace).due(at(opened), zone_info(NEW_YORK)), NEW_YORK) == due, why


def test_an_extension_over_the_change_stays_at_its_hour() -> None:
    friday = at("2027-03-12 24:00")
    assert on_wall(later(friday, timedelta(days=3), zone_info(NEW_YORK)), NEW_YORK) == "Mon 2027-03-15 24:00"
    assert later(friday, timedelta(hours=1), zone_info(NEW_YORK)) == friday + timedelta(hours=1)


# --- days without deadlines ---------------------------------------------------------------------------------------

QUIET = [
    ({"holidays": "24 Dec - 1 Jan"}, "S1902M", "2026-12-14 00:10", "Fri 2026-12-18 24:00", "the week before"),
    ({"holidays": "24 Dec - 1 Jan"}, "S1902M", "2026-12-21 00:10", "Fri 2027-01-08 24:00", "two Fridays are quiet"),
    ({"holidays": "24 Dec - 1 Jan"}, "S1902M", "2027-12-20 00:10", "Fri 2028-01-07 24:00", "every year"),
    ({"holidays": "25 Dec 2026"}, "S1902M", "2026-12-21 00:10", "Fri 2027-01-01 24:00", "that year"),
    ({"holidays": "25 Dec 2026"}, "S1902M", "2032-12-20 00:10", "Fri 2032-12-24 24:00", "and no other"),
    ({"holidays": "2 Jan"}, "S1902M", "2026-12-28 00:10", "Fri 2027-01-01 24:00", "midnight belongs to Friday"),
    ({"moves": "3d", "days": "Mon-Fri"}, "S1902M", "2027-01-06 20:00", "Mon 2027-01-11 20:00", "Saturday is free"),
    ({"moves": "3d", "days": "Mon-Fri"}, "S1902M", "2027-01-05 20:00", "Fri 2027-01-08 20:00", "Friday is not"),
    ({"days": "Mon-Fri"}, "S1902R", "2027-01-23 00:10", "Sun 2027-01-24 24:00", "a grid names its days itself"),
    (
        {"moves": "3d", "days": "Mon-Fri", "holidays": "11 Jan - 13 Jan"}, "S1902M", "2027-01-06 20:00",
        "Thu 2027-01-14 20:00", "both together",
    ),
    ({"holidays": "1 Jan - 31 Dec"}, "S1902M", "2027-01-18 00:10", "Fri 2027-01-22 24:00", "no free day: none counts"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "phase", "opened", "due", "why"), QUIET)
def test_no_deadline_falls_on_a_quiet_day(
    table: Table, settings: dict[str, str], phase: str, opened: str, due: str, why: str
) -> None:
    game = game_at(table, phase, HOUSE_RULES | settings)
    assert on_wall(next_deadline(game, Opened(at(opened))).at, NEW_YORK) == due, why


HOLIDAYS = {
    "24 Dec - 1 Jan": "24 Dec - 1 Jan",
    "24 December to January 1st": "24 Dec - 1 Jan",
    "24 - 26 Dec": "24 Dec - 26 Dec",
    "2026-12-24 - 2027-01-03": "24 Dec 2026 - 3 Jan 2027",
    "24 Dec 2026 - 3 Jan": "24 Dec 2026 - 3 Jan 2027",
    "24 Dec - 3 Jan 2027": "24 Dec 2026 - 3 Jan 2027",
    "1 May, 25 Dec 2026": "1 May, 25 Dec 2026",
    "none": "none",
}


@pytest.mark.parametrize(("written", "kept"), HOLIDAYS.items())
def test_holidays_are_kept_in_one_spelling(written: str, kept: str) -> None:
    shown = ", ".join(map(str, read_holidays(written))) or "none"
    assert shown == kept
    assert read_holidays(shown) == read_holidays(kept)


@pytest.mark.parametrize("text", ["31 Feb", "Christmas", "24 Dek", "3 Jan 2027 - 1 Jan 2027"])
def test_a_holiday_that_is_none_is_asked_back(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Holiday.read(text)


@pytest.mark.parametrize(
    ("written", "shown"),
    [("Mon-Fri", "Mon, Tue, Wed, Thu, Fri"), ("sat to mon", "Mon, Sat, Sun"), ("any", "any"), ("Mon-Sun", "any")],
)
def test_days_of_the_week(written: str, shown: str) -> None:
    assert show_days(read_days(written)) == shown
    assert read_days(shown) == read_days(written)


# --- slips --------------------------------------------------------------------------------------------------------


def test_a_turn_has_slipped_when_its_results_come_later_than_promised(table: Table) -> None:
    due = table.running.deadline.at
    assert not has_slipped(table.game, due + timedelta(hours=24))
    assert has_slipped(table.game, due + timedelta(hours=24, seconds=1))


def test_a_turn_processed_early_is_off_the_calendar_too(table: Table) -> None:
    """All orders in on Wednesday, in a game that goes on then: the next moves are not due that same Friday."""
    early = table.running.deadline.at - timedelta(days=2)
    assert has_slipped(table.game, early)
    game = game_at(table, "F1902M", HOUSE_RULES)
    due = next_deadline(game, Opened(early, slipped=has_slipped(game, early))).at
    assert on_wall(due, NEW_YORK) == "Fri 2027-01-15 24:00"


def test_an_extension_does_not_hide_the_slip(table: Table) -> None:
    planned = table.running.deadline.at
    table.tell(cmd.Extend(timedelta(days=3)), table.gm)
    assert table.running.deadline.at == planned + timedelta(days=3)
    assert has_slipped(table.game, table.running.deadline.at)


def test_back_on_fridays_within_two_turns() -> None:
    """Extended to Monday, and by vote to Thursday; then Sunday, then Friday."""
    table = Table(MAPS, HOUSE_RULES).seated().started(at("2027-01-22 24:00"))
    table.tell(cmd.Extend(timedelta(days=6)), table.gm)
    hold_everything(table)
    table.tick(at("2027-01-28 24:00"))
    assert table.running.deadline.phase.kind == "M", "nothing to retreat from"
    assert on_wall(table.running.deadline.at, NEW_YORK) == "Fri 2027-02-05 24:00"
    hold_everything(table)
    table.tick(table.running.deadline.at)
    assert on_wall(table.running.deadline.at, NEW_YORK) in ("Fri 2027-02-12 24:00", "Sun 2027-02-07 24:00")


def hold_everything(table: Table) -> None:
    """Every power orders each of its units to hold."""
    for power in table.game.board.powers:
        units = table.running.position.of(power)
        if units:
            table.orders(power, *[f"{unit.kind} {unit.at} H" for unit in units])


def test_a_deadline_may_be_set_on_a_holiday_by_the_gamemaster_who_is_told(table: Table) -> None:
    table.tell(cmd.ChangeSettings("holidays", "24 Dec - 31 Jan"), table.gm)
    answer = table.tell(cmd.SetDeadline(at("2027-01-20 20:00")), table.gm)
    assert isinstance(answer, Decision) and "free of deadlines" in answer.said


def test_nearer_only_with_notice(table: Table) -> None:
    answer = table.tell(cmd.SetDeadline(table.now + timedelta(hours=23)), table.gm)
    assert isinstance(answer, Refusal) and answer.slug == "short-notice"


def test_the_version_of_a_deadline_only_goes_up(table: Table) -> None:
    """What calendars need as SEQUENCE: each change of the entry has a higher number."""
    versions = []
    for hours in (24, 48, 12):
        table.now += timedelta(minutes=20)
        table.tell(cmd.Extend(timedelta(hours=hours)), table.gm)
        assert table.game.deadline is not None
        versions.append(table.game.deadline.version)
    assert versions == [2, 3, 4]


def test_every_setting_of_the_calendar_reads_back() -> None:
    texts = {
        "holidays": "24 Dec - 1 Jan, 25 Dec 2026", "days": "Mon-Fri", "min_phase": "72h", "moves": "3d at 23:00",
        "late_adjustments": "Tuesday 24:00", "extension_cap": "14d", "hide_late": "yes", "begun": "moves",
    }  # fmt: skip
    settings = settings_from_text(texts, Settings())
    assert settings_from_text(settings_to_text(settings)) == settings

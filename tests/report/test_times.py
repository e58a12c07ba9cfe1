"""Times are absolute, official zone first, and midnight belongs to the day that ends."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from judge.pace import Pace, zone_info
from judge.report.core import naming


def friday_midnight(zone: str, opened: datetime) -> datetime:
    return Pace.read("Friday 24:00").due(opened, zone_info(zone))


def test_friday_midnight_is_printed_as_the_last_minute_of_friday() -> None:
    due = datetime(2027, 1, 9, 5, 0, tzinfo=UTC)
    assert naming.deadline(due, "America/New_York") == "Fri 8 Jan 2027, 23:59 EST (UTC-5)"
    assert naming.short(due, "America/New_York") == "Fri 8 Jan 23:59 EST"
    assert naming.theirs(due, "America/New_York", "Europe/Berlin") == "Sat 9 Jan, 05:59 CET"


def test_another_time_of_day_is_printed_as_it_is() -> None:
    due = datetime(2027, 1, 8, 23, 30, tzinfo=UTC)
    assert naming.deadline(due, "America/New_York") == "Fri 8 Jan 2027, 18:30 EST (UTC-5)"


@pytest.mark.parametrize(
    ("opened", "zone", "official", "berlin"),
    [
        ((2027, 3, 14), "America/New_York", "Fri 19 Mar 2027, 23:59 EDT (UTC-4)", "Sat 20 Mar, 04:59 CET"),
        ((2027, 3, 14), "EST", "Fri 19 Mar 2027, 23:59 EST (UTC-5)", "Sat 20 Mar, 05:59 CET"),
        ((2027, 3, 21), "America/New_York", "Fri 26 Mar 2027, 23:59 EDT (UTC-4)", "Sat 27 Mar, 04:59 CET"),
        ((2027, 3, 28), "America/New_York", "Fri 2 Apr 2027, 23:59 EDT (UTC-4)", "Sat 3 Apr, 05:59 CEST"),
    ],
)
def test_weeks_in_which_clocks_change(opened: tuple[int, int, int], zone: str, official: str, berlin: str) -> None:
    due = friday_midnight(zone, datetime(*opened, 12, tzinfo=UTC))
    assert naming.deadline(due, zone) == official
    assert naming.theirs(due, zone, "Europe/Berlin") == berlin


def test_a_reader_whose_clock_shows_the_same_gets_no_second_time() -> None:
    due = datetime(2027, 1, 9, 5, 0, tzinfo=UTC)
    assert naming.theirs(due, "America/New_York", "America/Toronto") == ""
    assert naming.theirs(due, "America/New_York", "") == ""


@pytest.mark.parametrize(
    ("zone", "written"),
    [
        ("UTC", "Fri 8 Jan 2027, 12:00 UTC"),
        ("Asia/Kolkata", "Fri 8 Jan 2027, 17:30 IST (UTC+5:30)"),
        ("America/Sao_Paulo", "Fri 8 Jan 2027, 09:00 UTC-3"),
        ("Asia/Kathmandu", "Fri 8 Jan 2027, 17:45 UTC+5:45"),
    ],
)
def test_zones_with_and_without_a_name_of_their_own(zone: str, written: str) -> None:
    assert naming.written(datetime(2027, 1, 8, 12, tzinfo=UTC), zone) == written


def test_the_arrival_of_a_mail_is_told_to_the_second() -> None:
    at = datetime(2027, 1, 15, 2, 14, 7, tzinfo=UTC)
    assert naming.received(at, "America/New_York") == "Thu 14 Jan 2027, 21:14:07 EST"


def test_a_zone_that_nobody_knows_any_more_is_left_out() -> None:
    assert naming.theirs(datetime(2027, 1, 8, 12, tzinfo=UTC), "UTC", "Atlantis/Capital") == ""

"""Every date of dates.txt is read as it says there; what is asked back reads back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.mail.dates import DateProblem, WrittenMoment, read_moment

NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")


def _cases() -> Iterator[tuple[str, str]]:
    for line in Path(__file__).with_name("dates.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            text, _, expected = line.rpartition(" -> ")
            yield text.rstrip(), expected


def _shown(found: WrittenMoment | DateProblem) -> str:
    if isinstance(found, WrittenMoment):
        return found.at.strftime("%Y-%m-%d %H:%MZ")
    return f"? {found.reason}" + (f": {' | '.join(found.candidates)}" if found.candidates else "")


@pytest.mark.parametrize(("text", "expected"), list(_cases()))
def test_a_date_is_read_as_the_table_says(text: str, expected: str) -> None:
    assert _shown(read_moment(text, now=NOON, zone=BERLIN)) == expected


@pytest.mark.parametrize("text", [text for text, _ in _cases()])
def test_what_is_asked_back_is_one_moment_or_past(text: str) -> None:
    found = read_moment(text, now=NOON, zone=BERLIN)
    for candidate in found.candidates if isinstance(found, DateProblem) else ():
        again = read_moment(candidate, now=NOON, zone=BERLIN)
        assert isinstance(again, WrittenMoment) or again.reason == "past", candidate


@pytest.mark.parametrize("text", [text for text, expected in _cases() if not expected.startswith("?")])
def test_the_text_of_a_moment_reads_back(text: str) -> None:
    found = read_moment(text, now=NOON, zone=BERLIN)
    assert isinstance(found, WrittenMoment)
    assert read_moment(found.text, now=NOON, zone=BERLIN) == found


@pytest.mark.parametrize(
    ("zone", "utc"), [(NEW_YORK, "2027-03-20 03:59Z"), (ZoneInfo("Etc/GMT+5"), "2027-03-20 04:59Z")]
)
def test_a_deadline_keeps_the_clock_of_its_zone(zone: tzinfo, utc: str) -> None:
    assert _shown(read_moment("Fri 19 Mar 2027 23:59", now=NOON, zone=zone)) == utc


def test_a_game_has_its_own_time_of_day() -> None:
    assert _shown(read_moment("1 Dec", now=NOON, zone=UTC, default_time=time(23, 30))) == "2026-12-01 23:30Z"


def test_days_keep_the_wall_clock_and_hours_are_counted() -> None:
    friday = datetime(2027, 3, 26, 12, 0, tzinfo=UTC)  # two days before clocks are set forward in Berlin
    assert _shown(read_moment("3 days", now=friday, zone=BERLIN)) == "2027-03-29 11:00Z"
    assert _shown(read_moment("71 hours", now=friday, zone=BERLIN)) == "2027-03-29 11:00Z"


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        (25, "? two-readings: 2026-11-27 | 2026-12-04"),  # Wednesday: this week's or next week's
        (27, "2026-12-04 23:00Z"),  # Friday itself: only the one a week later is "next"
        (28, "2026-12-04 23:00Z"),  # Saturday: the coming Friday is next week's too
    ],
)
def test_next_friday_is_asked_back_only_where_it_can_be_two_days(today: int, expected: str) -> None:
    assert _shown(read_moment("next Friday", now=NOON.replace(day=today), zone=BERLIN)) == expected


def test_past_moments_are_read_where_they_make_sense() -> None:
    assert _shown(read_moment("1 Nov 2026 12:00", now=NOON, zone=UTC, past=True)) == "2026-11-01 12:00Z"


_PIECES = st.sampled_from(
    (
        *("1", "31", "29", "Feb", "Dec", "December", "Fri", "next", "+2", "d", "days", "23:00", "24:00", "11pm", "at"),
        *("UTC", "EST", "IST", "Europe/Berlin", "2026", "'26", "0", "99", "/", "-", ".", ":", "01/12/2026", "T", "Z"),
        *("2026-12-01", "+0100", "tomorrow", "midnight", "9999-12-31", "0001-01-01", "999999999", "1.", "é", "五"),
    )
)


@given(st.one_of(st.text(max_size=90), st.lists(_PIECES, max_size=8).map(" ".join)))
@example("0d")
def test_any_text_is_a_moment_or_a_problem(text: str) -> None:
    found = read_moment(text, now=NOON, zone=BERLIN)
    if isinstance(found, WrittenMoment):
        assert found.at.tzinfo is UTC and found.at > NOON
    else:
        assert found.sentence and found.reason

"""Moments as people write them: "Fri 24:00", "Dec 1, 2026 11pm CET", "tomorrow", "+2 days", "2026-12-01 23:00".

Every text with one meaning is read; a text with two meanings ("01/12/2026") or none ("31 Nov") is answered with a
DateProblem that names the mend. Nothing is guessed. A date without a year is the next one; a date without a time of
day ends at `default_time`, or at the end of that day when there is none; 24:00 is the end of the day (R03).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from judge.mail.dateparts import (
    FAR,
    BadDate,
    DateProblem,
    DateSheet,
    read_date,
    read_iso,
    read_time,
    read_zone,
    spell_clock,
)
from judge.mail.datewords import NOISE
from judge.spans import read_span

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class WrittenMoment:
    """A point in time, in UTC; `text` reads back to it."""

    at: datetime
    text: str


def read_moment(
    text: str, *, now: datetime, zone: tzinfo, default_time: time | None = None, past: bool = False
) -> WrittenMoment | DateProblem:
    """The moment that a text means to somebody whose clock shows `zone`; with `past`, moments gone by are fine.

    >>> from zoneinfo import ZoneInfo
    >>> now = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    >>> read_moment("1st December 11pm", now=now, zone=ZoneInfo("Europe/Berlin")).at.isoformat()
    '2026-12-01T22:00:00+00:00'
    >>> read_moment("01/12/2026", now=now, zone=UTC).candidates
    ('2026-12-01', '2026-01-12')
    """
    try:
        return _read(_tidy(text), now, zone, default_time, past=past)
    except BadDate as found:
        return found.problem
    except OverflowError:
        return DateProblem("no-such-date", f'"{text.strip()[:_LONGEST]}" lies outside the calendar.')


def _tidy(text: str) -> str:
    cut = " ".join(text.replace(",", " ").split())
    if not cut or len(cut) > _LONGEST:
        raise BadDate("no-date", "Please write a date such as 1 Dec 23:00, Friday 24:00, 2026-12-01 23:00 or +2 days.")
    return cut.rstrip(".!;")


def _read(text: str, now: datetime, zone: tzinfo, default_time: time | None, *, past: bool) -> WrittenMoment:
    if (span := _span(text)) is not None:
        if not span and not past:
            raise BadDate("past", f'"{text}" is now; please write a moment still to come.')
        return _after(now, span, zone)
    sheet = read_zone(DateSheet(text.lower(), zone), text)
    sheet = read_time(read_date(read_time(read_iso(sheet, now)), now))
    if leftover := " ".join(word for word in sheet.rest.split() if word not in NOISE):
        raise BadDate("no-date", f'"{leftover}" in "{text}" is not a date that I know; write one like 1 Dec 23:00.')
    if not sheet.days and sheet.minutes is None:
        raise BadDate("no-date", f'"{text}" names no date; write one like 1 Dec 23:00.')
    return _settle(sheet, text, now, default_time, past=past)


def _span(text: str) -> timedelta | None:
    word = re.sub(r"^(?:\+|in\s+)|\s+from\s+now$", "", text.lower()).strip()
    word = re.sub(r"^an?\s+", "1 ", word)
    try:
        return read_span(word)
    except (ValueError, OverflowError):
        return None


def _after(now: datetime, span: timedelta, zone: tzinfo) -> WrittenMoment:
    """The moment a span after now. Whole days keep the time of day in `zone`, also across a change of clocks; hours and
    minutes are elapsed time.
    """
    if span % timedelta(days=1):
        at = (now + span).astimezone(UTC)
    else:
        wall = now.astimezone(zone).replace(tzinfo=None) + span
        at = wall.replace(tzinfo=zone).astimezone(UTC)
    return WrittenMoment(at, at.strftime("%Y-%m-%d %H:%M UTC"))


def _settle(sheet: DateSheet, text: str, now: datetime, default_time: time | None, *, past: bool) -> WrittenMoment:
    minutes = sheet.minutes
    if minutes is None:
        minutes = 1440 if default_time is None else default_time.hour * 60 + default_time.minute
    days = sheet.days or _next_days(sheet, minutes, now)
    moments = [moment for day in dict.fromkeys(days) for moment in _moments(day, minutes, sheet, text)]
    ahead = [moment for moment in moments if past or moment.at > now.astimezone(UTC)]
    if not ahead:
        raise BadDate("past", f'"{text}" is already past; please write a moment still to come.')
    if len(ahead) > 1:
        short = _short(sheet, ahead)
        raise BadDate("two-readings", f'"{text}" can mean {" or ".join(short)}.', short)
    if not sheet.sure and not past and ahead[0].at - now.astimezone(UTC) > FAR:
        raise BadDate("far-off", f'"{text}" is far off; please write the year too.', (ahead[0].text,))
    return ahead[0]


def _short(sheet: DateSheet, moments: list[WrittenMoment]) -> tuple[str, ...]:
    """The moments as candidates, with a time of day only if the text named one."""
    if sheet.minutes is None:
        return tuple(f"{day.isoformat()} {sheet.zone_text}".strip() for day in dict.fromkeys(sheet.days))
    return tuple(moment.text for moment in moments)


def _next_days(sheet: DateSheet, minutes: int, now: datetime) -> tuple[date, ...]:
    """The day for a time of day without a date: the one of its next occurrence."""
    local = now.astimezone(sheet.zone)
    later = minutes > local.hour * 60 + local.minute
    return (local.date() if later else local.date() + timedelta(days=1),)


def _moments(day: date, minutes: int, sheet: DateSheet, text: str) -> list[WrittenMoment]:
    """The moments that a local time means, in UTC: one, or two where clocks are set back over it. Raises BadDate where
    clocks are set forward over it.
    """
    wall = datetime.combine(day, time()) + timedelta(minutes=minutes)
    written = day.isoformat() + spell_clock(minutes)
    found = {wall.replace(tzinfo=sheet.zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    real = sorted(at for at in found if at.astimezone(sheet.zone).replace(tzinfo=None) == wall)
    if not real:
        nearest = sorted(at.astimezone(sheet.zone).strftime("%Y-%m-%d %H:%M") for at in found)
        candidates = tuple(f"{near} {sheet.zone_text}".strip() for near in nearest)
        raise BadDate("no-such-time", f'On that day clocks are set forward over "{text}".', candidates)
    if len(real) == 1:
        return [WrittenMoment(real[0], f"{written} {sheet.zone_text}".strip())]
    return [WrittenMoment(at, f"{written} {at.astimezone(sheet.zone):%z}") for at in real]

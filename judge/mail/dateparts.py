"""The parts of a written date, taken from its text one after the other: zone, day, month, weekday, time of day."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from judge.mail.datewords import DAY_NAMES, read_day_word, read_month, take_zone
from judge.spans import read_span

FAR = timedelta(days=183)
"""A year that nobody wrote is asked back when it puts the date further off than this."""


@dataclass(frozen=True, slots=True)
class DateProblem:
    """Why a text is no moment. `candidates` read as what may have been meant."""

    reason: str
    """ "two-readings", "no-such-date", "no-such-time", "past", "far-off" or "no-date"."""
    sentence: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DateSheet:
    """What has been found in a text so far."""

    rest: str
    zone: tzinfo
    zone_text: str = ""
    minutes: int | None = None
    """Minutes after midnight, up to 1440."""
    days: tuple[date, ...] = ()
    """Possible days; several when the text has several readings."""
    sure: bool = True
    """Whether the year, or the day itself, was written rather than worked out."""


class BadDate(Exception):
    """Raised by the readers of this file; carries the DateProblem."""

    def __init__(self, reason: str, sentence: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.problem = DateProblem(reason, sentence, candidates)


def read_zone(sheet: DateSheet, text: str) -> DateSheet:
    found = take_zone(text)
    if found is None:
        return sheet
    if len(found.zones) > 1:
        raise BadDate(
            "two-readings",
            f'"{found.written}" is the name of several time zones; please write the offset.',
            tuple(f"{found.rest} {offset}".strip() for offset in found.zones),
        )
    return replace(sheet, rest=found.rest.lower(), zone=next(iter(found.zones.values())), zone_text=found.written)


_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?:t(?=\d)|\b)")
_YEAR_FIRST = re.compile(r"\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b")


def read_iso(sheet: DateSheet, now: datetime) -> DateSheet:
    match = _ISO.search(sheet.rest) or _YEAR_FIRST.search(sheet.rest)
    if match is None:
        return sheet
    day = _day(int(match[1]), int(match[2]), int(match[3]), match[0].rstrip("t"))
    return replace(sheet, rest=_without(sheet.rest, match), days=(day,))


_CLOCK = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(?:(a|p)\.?m\b\.?)?(?!\d)")
_TWELVE = re.compile(r"(?<![\d:.])(\d{1,2})\s*(a|p)\.?m\b\.?")
_WORD_TIMES = {"noon": 720, "midday": 720, "midnight": 1440}


def read_time(sheet: DateSheet) -> DateSheet:
    if sheet.minutes is not None:
        return sheet
    for word, minutes in _WORD_TIMES.items():
        if match := re.search(rf"\b(?:12\s+)?{word}\b", sheet.rest):
            return replace(sheet, rest=_without(sheet.rest, match), minutes=minutes)
    if match := _CLOCK.search(sheet.rest):
        minutes = _minutes(int(match[1]), int(match[2]), match[4], match[0].strip())
        if match[3] and int(match[3]) > 59:
            raise BadDate("no-such-time", f'"{match[0].strip()}" is not a time of day.')
        return replace(sheet, rest=_without(sheet.rest, match), minutes=minutes)
    if match := _TWELVE.search(sheet.rest):
        minutes = _minutes(int(match[1]), 0, match[2], match[0].strip())
        return replace(sheet, rest=_without(sheet.rest, match), minutes=minutes)
    return sheet


def _minutes(hour: int, minute: int, half: str | None, written: str) -> int:
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif half and not (half == "p" and 12 < hour < 24):
        raise BadDate("no-such-time", f'"{written}" is not a time of day; write one like 11:30pm or 23:30.')
    total = hour * 60 + minute
    if minute > 59 or total > 1440:
        raise BadDate("no-such-time", f'"{written}" is not a time of day; write one like 23:30.')
    return total


_NUMBER = r"(\d{1,2})(?:st|nd|rd|th)?"
_DAY_MONTH = re.compile(rf"\b{_NUMBER}[ .-]*(?:of )?([a-zäé]{{3,9}})\.?(?:[ -]*('?\d{{4}}|'\d{{2}})\b)?")
_MONTH_DAY = re.compile(rf"\b([a-zäé]{{3,9}})\.?[ -]*(?:the )?{_NUMBER}\b(?:[ -]*('?\d{{4}}|'\d{{2}})\b)?")
_SLASHED = re.compile(r"\b(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d{2}))?\b")
_DOTTED = re.compile(r"\b(\d{1,2})\.\s?(\d{1,2})\.?(?:\s?(\d{4}))?(?=\s|$)")
_BARE_DAY = re.compile(rf"\b{_NUMBER}(?=[.\s]|$)")


def read_date(sheet: DateSheet, now: datetime) -> DateSheet:
    """The day. A weekday beside a date must agree with it, or it is asked back."""
    sheet, weekday, which = _weekday(sheet)
    today = now.astimezone(sheet.zone).date()
    if not sheet.days:
        for reader in (_named_month, _numbers, _relative_day, _bare_day):
            sheet = reader(sheet, today)
            if sheet.days:
                break
    if weekday is None:
        return sheet
    if not sheet.days:
        return replace(sheet, days=_days_of_week(weekday, which, today), sure=True)
    agreeing = tuple(day for day in sheet.days if day.weekday() == weekday)
    if not agreeing:
        wrong = sheet.days[0]
        raise BadDate(
            "two-readings",
            f"{wrong.day} {wrong:%B %Y} is a {wrong:%A}, not a {DAY_NAMES[weekday].capitalize()}.",
            (wrong.isoformat(),),
        )
    return replace(sheet, days=agreeing)


def _weekday(sheet: DateSheet) -> tuple[DateSheet, int | None, str]:
    for match in re.finditer(r"\b(?:(next|this|coming)\s+)?([a-z]{3,9})\b\.?", sheet.rest):
        if (day := read_day_word(match[2])) is not None:
            return replace(sheet, rest=_without(sheet.rest, match)), day, match[1] or ""
    return sheet, None, ""


def _days_of_week(weekday: int, which: str, today: date) -> tuple[date, ...]:
    """ "Friday" on a Friday, and "next Friday" early in a week, can mean two days; the later ones fall away if past."""
    first = today + timedelta(days=(weekday - today.weekday()) % 7)
    second = first + timedelta(days=7)
    if which == "next":
        if first == today:
            return (second,)
        next_week = first.isocalendar()[:2] != today.isocalendar()[:2]
        return (first,) if next_week else (first, second)
    return (first, second) if first == today and which != "this" else (first,)


def _named_month(sheet: DateSheet, today: date) -> DateSheet:
    for pattern, day_at, month_at in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        for match in pattern.finditer(sheet.rest):
            if (month := read_month(match[month_at])) is None:
                continue
            days = _with_year(match[3], month, int(match[day_at]), today, match[0].strip())
            return replace(sheet, rest=_without(sheet.rest, match), days=days, sure=bool(match[3]))
    return sheet


def _numbers(sheet: DateSheet, today: date) -> DateSheet:
    """ "1.12.2026" is day and month; "01/12/2026" is that to some and the reverse to others."""
    if match := _SLASHED.search(sheet.rest):
        orders = {(int(match[1]), int(match[2])), (int(match[2]), int(match[1]))}
    elif match := _DOTTED.search(sheet.rest):
        orders = {(int(match[1]), int(match[2]))}
    else:
        return sheet
    possible = sorted((order for order in orders if order[1] <= 12), key=lambda o: o != (int(match[1]), int(match[2])))
    if not possible:
        raise BadDate("no-such-date", f'"{match[0]}" is not a date; write one like 1 Dec or 2026-12-01.')
    days: list[date] = []
    problem: BadDate | None = None
    for day, month in possible:
        try:
            days += _with_year(match[3], month, day, today, match[0])
        except BadDate as found:
            problem = found
    if not days and problem is not None:
        raise problem
    if len(set(days)) > 1:
        both = tuple(f"{day.isoformat()}{spell_clock(sheet.minutes)} {sheet.zone_text}".strip() for day in days)
        raise BadDate("two-readings", f'"{match[0]}" can mean {" or ".join(both)}.', both)
    return replace(sheet, rest=_without(sheet.rest, match), days=tuple(days), sure=bool(match[3]))


def spell_clock(minutes: int | None) -> str:
    return "" if minutes is None else f" {minutes // 60:02}:{minutes % 60:02}"


_DAYS_OFF = {"today": 0, "tonight": 0, "tomorrow": 1, "overmorrow": 2}


def _relative_day(sheet: DateSheet, today: date) -> DateSheet:
    if match := re.search(r"\b(?:the )?day after tomorrow\b", sheet.rest):
        return replace(sheet, rest=_without(sheet.rest, match), days=(today + timedelta(days=2),))
    for word, off in _DAYS_OFF.items():
        if match := re.search(rf"\b{word}\b", sheet.rest):
            return replace(sheet, rest=_without(sheet.rest, match), days=(today + timedelta(days=off),))
    if match := re.search(r"\+?\s*\b(\d{1,3}\s*(?:d|days?|w|weeks?))\b", sheet.rest):
        return replace(sheet, rest=_without(sheet.rest, match), days=(today + read_span(match[1]),))
    return sheet


def _bare_day(sheet: DateSheet, today: date) -> DateSheet:
    match = _BARE_DAY.search(sheet.rest)
    if match is None:
        return sheet
    number, year, month = int(match[1]), today.year, today.month
    if not 1 <= number <= 31:
        raise BadDate("no-such-date", f'"{match[0]}" is not a day of a month.')
    for _ in range(13):
        try:
            day = date(year, month, number)
        except ValueError:
            day = date.min
        if day >= today:
            break
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return replace(sheet, rest=_without(sheet.rest, match), days=(day,))


def _with_year(written: str | None, month: int, day: int, today: date, text: str) -> tuple[date, ...]:
    if written:
        digits = written.lstrip("'")
        return (_day(int(digits) + (2000 if len(digits) == 2 else 0), month, day, text),)
    for year in range(today.year, today.year + 9):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today:
            return (found,)
    raise _no_such_date(text, today.year + (month < today.month), month)


def _day(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise _no_such_date(text, year, month) from None


def _no_such_date(text: str, year: int, month: int) -> BadDate:
    """The days on either side of the month's end are what may have been meant."""
    if not (date.min.year < year < date.max.year and 1 <= month <= 12):
        return BadDate("no-such-date", f'There is no such day as "{text.strip()}".')
    after = date(year + month // 12, month % 12 + 1, 1)
    near = ((after - timedelta(days=1)).isoformat(), after.isoformat())
    return BadDate("no-such-date", f'There is no such day as "{text.strip()}".', near)


def _without(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}"

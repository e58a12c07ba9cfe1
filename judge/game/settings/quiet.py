"""Days on which no deadline falls: holidays, and days of the week that a game leaves free.

A holiday is a stretch of days, with a year or every year: "24 Dec - 1 Jan", "25 Dec 2026", "2027-03-26 - 2027-03-29".
A deadline at midnight belongs to the day that ends with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from judge.languages import tell

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\.?\s*([a-z]{3,9})\.?(?:\s+(\d{4}))?", re.IGNORECASE)
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?(?:\s+(\d{4}))?", re.IGNORECASE)
_RANGE = re.compile(r"\s+-\s+|\s*[–—]\s*|\b(?:to|until|till|through)\b|(?<=[a-z])-(?=\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """A day of the calendar; without a year (0) that day of every year."""

    year: int
    month: int
    day: int

    def __str__(self) -> str:
        text = f"{self.day} {_MONTHS[self.month - 1].capitalize()}"
        return f"{text} {self.year}" if self.year else text


@dataclass(frozen=True, slots=True)
class Holiday:
    """A stretch of days, both ends included."""

    first: Day
    last: Day

    @classmethod
    def read(cls, text: str) -> Holiday:
        """A stretch from words; raises ValueError with a sentence.

        >>> str(Holiday.read("24 December to Jan 1")), str(Holiday.read("2026-12-25"))
        ('24 Dec - 1 Jan', '25 Dec 2026')
        """
        ends = [part.strip() for part in _RANGE.split(text.strip(), maxsplit=1)]
        last = _day(ends[-1])
        first = last if len(ends) == 1 else _day(ends[0], month=last.month)
        if bool(first.year) != bool(last.year):
            first, last = _with_year(first, last)
        if last.year and last < first:
            raise ValueError(tell('"{text}" ends before it begins', text=text.strip()))
        return cls(first, last)

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first} - {self.last}"

    def __contains__(self, day: object) -> bool:
        if not isinstance(day, date):
            return False
        if self.first.year:
            return self.first <= Day(day.year, day.month, day.day) <= self.last
        here = Day(0, day.month, day.day)
        if self.first <= self.last:
            return self.first <= here <= self.last
        return here >= self.first or here <= self.last


def read_holidays(text: str) -> tuple[Holiday, ...]:
    """Several stretches, separated by commas; "none" for none. Raises ValueError."""
    if text.strip().lower() in ("", "none", "off"):
        return ()
    return tuple(Holiday.read(part) for part in re.split(r"[,;]", text) if part.strip())


def read_days(text: str) -> tuple[int, ...]:
    """Days of the week on which deadlines may fall: "Mon-Fri", "Mon, Wed, Fri"; "any" is (). Raises ValueError.

    >>> read_days("Mon-Thu, Saturday")
    (0, 1, 2, 3, 5)
    """
    if text.strip().lower() in ("", "any", "all", "none"):
        return ()
    found: set[int] = set()
    for part in re.split(r"[,;/\s]+|\band\b", re.sub(r"\s*(?:-|–|\bto\b)\s*", "-", text.strip().lower())):
        if not part:
            continue
        first, _, last = part.partition("-")
        start, end = _weekday(first), _weekday(last or first)
        found.update((start + step) % 7 for step in range((end - start) % 7 + 1))
    return () if len(found) == 7 else tuple(sorted(found))


def show_days(days: tuple[int, ...]) -> str:
    """The inverse of `read_days`."""
    return ", ".join(_WEEK[day].capitalize() for day in days) or "any"


def day_of(moment: datetime, zone: tzinfo) -> date:
    """The day that a deadline belongs to: midnight ends a day, it does not begin one."""
    return (moment.astimezone(zone) - timedelta(microseconds=1)).date()


def _weekday(text: str) -> int:
    days = [number for number, name in enumerate(_WEEK) if len(text) >= 2 and text.startswith(name[: len(text)])]
    if len(days) != 1:
        raise ValueError(tell('"{text}" is not a day of the week; write them like Mon-Fri', text=text))
    return days[0]


def _with_year(first: Day, last: Day) -> tuple[Day, Day]:
    """A year that stands at one end only holds for the other too; a stretch over New Year takes two."""
    over = (first.month, first.day) > (last.month, last.day)
    if last.year:
        return Day(last.year - over, first.month, first.day), last
    return first, Day(first.year + over, last.month, last.day)


def _day(text: str, *, month: int = 0) -> Day:
    """One day; a bare number is a day of `month`."""
    if match := _ISO.fullmatch(text):
        return _checked(int(match[1]), int(match[2]), int(match[3]), text)
    if match := _DAY_MONTH.fullmatch(text):
        return _checked(int(match[3] or 0), _month(match[2], text), int(match[1]), text)
    if match := _MONTH_DAY.fullmatch(text):
        return _checked(int(match[3] or 0), _month(match[1], text), int(match[2]), text)
    if month and text.isdigit():
        return _checked(0, month, int(text), text)
    raise ValueError(tell('"{text}" is not a day; write one like 24 Dec or 24 Dec 2026', text=text))


def _month(word: str, text: str) -> int:
    if word[:3].lower() not in _MONTHS:
        raise ValueError(tell('"{text}" names no month; write a day like 24 Dec', text=text))
    return _MONTHS.index(word[:3].lower()) + 1


def _checked(year: int, month: int, day: int, text: str) -> Day:
    try:
        date(year or 2000, month, day)
    except ValueError:
        raise ValueError(tell('there is no "{text}" in the calendar', text=text)) from None
    return Day(year, month, day)

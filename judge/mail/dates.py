"""Moments as people write them: Fri 24:00, Dec 1, 2026 11pm CET, tomorrow, +2 days, 2026-12-01."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from judge.languages import tell
from judge.orders.spelled import listed
from judge.pace import read_span

MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

NOISE = frozenset({"at", "on", "the", "by", "of", "until", "till", "to", "o'clock", "hrs", "h", "-", "@", "="})
"""Words that stand in dates and say nothing."""

_HOURS: Mapping[str, tuple[float, ...]] = {
    "z": (0,), "utc": (0,), "gmt": (0,), "ut": (0,),
    "wet": (0,), "west": (1,), "bst": (1,),
    "cet": (1,), "met": (1,), "mez": (1,), "cest": (2,), "mest": (2,), "mesz": (2,),
    "eet": (2,), "eest": (3,), "msk": (3,),
    "ast": (-4,), "adt": (-3,), "est": (-5,), "edt": (-4,), "cst": (-6,), "cdt": (-5,),
    "mst": (-7,), "mdt": (-6,), "pst": (-8,), "pdt": (-7,), "akst": (-9,), "akdt": (-8,), "hst": (-10,),
    "jst": (9,), "kst": (9,), "sgt": (8,), "awst": (8,), "acst": (9.5,), "acdt": (10.5,),
    "aest": (10,), "aedt": (11,), "nzst": (12,), "nzdt": (13,),
    "ist": (5.5, 1, 2),
}  # fmt: skip
"""Zone words -> hours ahead of UTC, all year round; several where the word means several zones."""

_REGIONS = {"et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles"}

_NAMED_OFFSET = re.compile(r"\b(?:utc|gmt)\s?([+-])(\d{1,2})(?::?(\d{2}))?\b", re.IGNORECASE)
_CLOCKED_OFFSET = re.compile(r"(?<=\d)\s?([+-])(\d{2}):?(\d{2})\b")
_BRACKETED = re.compile(r"\b[A-Za-z]{1,5}\s*\((?:utc|gmt)\s?([+-])(\d{1,2})(?::?(\d{2}))?\)", re.IGNORECASE)
_WORD = re.compile(r"(?<![A-Za-z/_])\(?([A-Za-z]{1,5})\)?(?![A-Za-z/_])")
_GLUED = re.compile(r"(?<=\d)(z|utc|gmt)\b", re.IGNORECASE)
_IANA = re.compile(r"\b[A-Za-z]+(?:/[A-Za-z_+-]+\d*)+")


@dataclass(frozen=True, slots=True)
class ZoneFound:
    """A zone in a text: how it was written, the text without it, and offset -> zone (several: it is ambiguous)."""

    written: str
    rest: str
    zones: Mapping[str, tzinfo]


def read_month(word: str) -> int | None:
    """1 to 12, for a full name or at least three letters of it.

    >>> read_month("Sept"), read_month("mai")
    (9, None)
    """
    return _beginning(word, MONTH_NAMES, 1)


def read_day_word(word: str) -> int | None:
    """0 (Monday) to 6, for a full name or at least three letters of it.

    >>> read_day_word("thurs"), read_day_word("mon"), read_day_word("month")
    (3, 0, None)
    """
    return _beginning(word, DAY_NAMES, 0)


def _beginning(word: str, names: tuple[str, ...], first: int) -> int | None:
    typed = word.lower().rstrip(".")
    if len(typed) < 3:
        return None
    return next((number for number, name in enumerate(names, first) if name.startswith(typed)), None)


def take_zone(text: str) -> ZoneFound | None:
    """The time zone that a text names, or None.

    >>> take_zone("Dec 1 23:00 CET").rest
    'Dec 1 23:00'
    >>> sorted(take_zone("23:00 IST").zones)
    ['+0100', '+0200', '+0530']
    """
    if match := _BRACKETED.search(text):
        return _offset(match, text)
    for pattern in (_NAMED_OFFSET, _CLOCKED_OFFSET):
        if (match := pattern.search(text)) and (pattern is _NAMED_OFFSET or ":" in text[: match.start()]):
            return _offset(match, text)
    if match := _IANA.search(text):
        name = _iana().get(match[0].lower())
        return _found(match, text, {match[0]: ZoneInfo(name)}) if name else None
    if match := _GLUED.search(text):
        return _found(match, text, {"+0000": UTC})
    for match in _WORD.finditer(text):
        word = match[1].lower()
        if word in _REGIONS:
            return _found(match, text, {word: ZoneInfo(_REGIONS[word])})
        if word in _HOURS:
            return _found(match, text, {_show(hours): _fixed(hours) for hours in _HOURS[word]})
    return None


def _offset(match: re.Match[str], text: str) -> ZoneFound | None:
    minutes = int(match[2]) * 60 + int(match[3] or 0)
    if minutes > 14 * 60 or int(match[3] or 0) > 59:
        return None
    hours = (minutes if match[1] == "+" else -minutes) / 60
    return _found(match, text, {_show(hours): _fixed(hours)}, written=_show(hours))


def _found(match: re.Match[str], text: str, zones: Mapping[str, tzinfo], written: str = "") -> ZoneFound:
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    return ZoneFound(written or match[0].strip("() "), " ".join(rest.split()), zones)


def _fixed(hours: float) -> tzinfo:
    return timezone(timedelta(hours=hours)) if hours else UTC


def _show(hours: float) -> str:
    minutes = round(abs(hours) * 60)
    return f"{'-' if hours < 0 else '+'}{minutes // 60:02}{minutes % 60:02}"


@lru_cache(maxsize=1)
def _iana() -> Mapping[str, str]:
    return {name.lower(): name for name in available_timezones()}


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
            tell('"{written}" is the name of several time zones; please write the offset.', written=found.written),
            tuple(f"{found.rest} {offset}".strip() for offset in found.zones),
        )
    return replace(sheet, rest=found.rest.lower(), zone=next(iter(found.zones.values())), zone_text=found.written)


_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?:t(?=\d)|\b)")
_YEAR_FIRST = re.compile(r"\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b")


def read_iso(sheet: DateSheet) -> DateSheet:
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
            raise BadDate("no-such-time", tell('"{match}" is not a time of day.', match=match[0].strip()))
        return replace(sheet, rest=_without(sheet.rest, match), minutes=minutes)
    if match := _TWELVE.search(sheet.rest):
        minutes = _minutes(int(match[1]), 0, match[2], match[0].strip())
        return replace(sheet, rest=_without(sheet.rest, match), minutes=minutes)
    return sheet


def _minutes(hour: int, minute: int, half: str | None, written: str) -> int:
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif half and not (half == "p" and 12 < hour < 24):
        raise BadDate(
            "no-such-time", tell('"{written}" is not a time of day; write one like 11:30pm or 23:30.', written=written)
        )
    total = hour * 60 + minute
    if minute > 59 or total > 1440:
        raise BadDate("no-such-time", tell('"{written}" is not a time of day; write one like 23:30.', written=written))
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
            tell(
                "{date} is a {day}, not a {other}.",
                date=wrong.isoformat(),
                day=tell(DAY_NAMES[wrong.weekday()].capitalize()),
                other=tell(DAY_NAMES[weekday].capitalize()),
            ),
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
        raise BadDate(
            "no-such-date", tell('"{match}" is not a date; write one like 1 Dec or 2026-12-01.', match=match[0])
        )
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
        raise BadDate(
            "two-readings", tell('"{match}" can mean {both}.', match=match[0], both=listed(both, last="or")), both
        )
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
        raise BadDate("no-such-date", tell('"{match}" is not a day of a month.', match=match[0]))
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
        return BadDate("no-such-date", tell('There is no such day as "{text}".', text=text.strip()))
    after = date(year + month // 12, month % 12 + 1, 1)
    near = ((after - timedelta(days=1)).isoformat(), after.isoformat())
    return BadDate("no-such-date", tell('There is no such day as "{text}".', text=text.strip()), near)


def _without(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}"


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
        return DateProblem("no-such-date", tell('"{text}" lies outside the calendar.', text=text.strip()[:_LONGEST]))


def _tidy(text: str) -> str:
    cut = " ".join(text.replace(",", " ").split())
    if not cut or len(cut) > _LONGEST:
        raise BadDate(
            "no-date", tell("Please write a date such as 1 Dec 23:00, Friday 24:00, 2026-12-01 23:00 or +2 days.")
        )
    return cut.rstrip(".!;")


def _read(text: str, now: datetime, zone: tzinfo, default_time: time | None, *, past: bool) -> WrittenMoment:
    if (span := _span(text)) is not None:
        if not span and not past:
            raise BadDate("past", tell('"{text}" is now; please write a moment still to come.', text=text))
        return _after(now, span, zone)
    sheet = read_zone(DateSheet(text.lower(), zone), text)
    sheet = read_time(read_date(read_time(read_iso(sheet)), now))
    if leftover := " ".join(word for word in sheet.rest.split() if word not in NOISE):
        raise BadDate(
            "no-date",
            tell(
                '"{leftover}" in "{text}" is not a date that I know; write one like 1 Dec 23:00.',
                leftover=leftover,
                text=text,
            ),
        )
    if not sheet.days and sheet.minutes is None:
        raise BadDate("no-date", tell('"{text}" names no date; write one like 1 Dec 23:00.', text=text))
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
        raise BadDate("past", tell('"{text}" is already past; please write a moment still to come.', text=text))
    if len(ahead) > 1:
        short = _short(sheet, ahead)
        raise BadDate(
            "two-readings", tell('"{text}" can mean {short}.', text=text, short=listed(short, last="or")), short
        )
    if not sheet.sure and not past and ahead[0].at - now.astimezone(UTC) > FAR:
        raise BadDate("far-off", tell('"{text}" is far off; please write the year too.', text=text), (ahead[0].text,))
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
        raise BadDate("no-such-time", tell('On that day clocks are set forward over "{text}".', text=text), candidates)
    if len(real) == 1:
        return [WrittenMoment(real[0], f"{written} {sheet.zone_text}".strip())]
    return [WrittenMoment(at, f"{written} {at.astimezone(sheet.zone):%z}") for at in real]

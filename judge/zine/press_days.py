"""The days on which a zine goes to press: as its editor writes them, the next one, and how they are told."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from judge.game.core.commands import Decision, Refusal
from judge.languages import tell, told_later
from judge.mail.dates import DAY_NAMES, BadDate, DateSheet, read_day_word, read_time, take_zone
from judge.mail.script import ReadRequest
from judge.pace import read_zone, zone_info
from judge.service.trust.heard import HeardMail, Result
from judge.store.zines import ZineRow
from judge.zine.desk import (
    ZineState,
    ZineTerms,
    day_words,
    led,
    terms_of,
    with_terms,
)
from judge.zine.verbs import ZineAct

_EVERY = {
    "fortnightly": "fortnight", "weekly": "week", "monthly": "month", "every week": "week",
    "every month": "month", "each month": "month", "of the month": "month",
}  # fmt: skip


def press_day(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine press day Wednesday 18:00 weekly [Europe/Berlin]`, `... by hand`."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    words = request.words.strip()
    terms = terms_of(row)
    if not words:
        return Decision(said=told_of_press(row, heard.judge.config.zone))
    if re.search(r"\b(?:by hand|none|off)\b", words, re.IGNORECASE):
        return _with(heard, row, replace(terms, every="hand"))
    try:
        zone, words = _zone_in(words, terms.zone)
        clock = re.sub(r"\b(\d{1,2})[.h](\d\d)\b", r"\1:\2", words.lower())
        minutes = read_time(DateSheet(clock, UTC)).minutes
    except (ValueError, BadDate) as error:
        return Refusal("no-time", str(error), mend="zine press day Wednesday 18:00 weekly Europe/Berlin")
    low = re.sub(r"\bevery (?:other|second)\b", "fortnightly", words.lower())
    days = (read_day_word(word.removesuffix("s")) for word in re.findall(r"[a-z]+", low))
    weekday = next((day for day in days if day is not None), None)
    every = next((kept for word, kept in _EVERY.items() if word in low), "week" if weekday is not None else "")
    day = _day_of_month(low)
    if every == "month" and (day is None or not 1 <= day <= 31):
        sentence = tell("A zine that comes monthly has a day of the month, from 1 to 31.")
        return Refusal("no-day", sentence, mend="zine press day 31st 18:00 monthly")
    if (weekday is None and day is None) or not every or (weekday is None and every != "month"):
        return Refusal("no-day", tell("Say which day, and how often."), mend="zine press day Wednesday 18:00 weekly")
    at = terms.time if minutes is None else f"{minutes // 60 % 24:02}:{minutes % 60:02}"
    made = replace(
        terms, every=every, weekday=weekday if weekday is not None else 2, day=day or 1, time=at, zone=zone,
        anchor=heard.now.isoformat(), dashboard="", pressed="",
    )  # fmt: skip
    return _with(heard, row, made)


def _zone_in(words: str, before: str) -> tuple[str, str]:
    """(the zone that some words name, else the one `before`; the words without it). Raises ValueError."""
    found = take_zone(words)
    if found is None:
        return before, words
    zone = next(iter(found.zones.values()))
    return zone.key if isinstance(zone, ZoneInfo) else read_zone(found.written), found.rest


_OF_MONTH = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)\b|(?<![:.h\d])(\d{1,2})\s+(?:of|monthly)\b|\bday\s+(\d{1,2})\b|^(\d{1,2})\s"
)


def _day_of_month(words: str) -> int | None:
    """The day that some words name; 31 is the last one of every month.

    >>> _day_of_month("31st 18:00 monthly"), _day_of_month("last day of the month"), _day_of_month("18:00 monthly")
    (31, 31, None)
    """
    if re.search(r"\b(?:last day|end) of\b", words):
        return 31
    found = _OF_MONTH.search(words)
    return int(next(filter(None, found.groups()))) if found else None


def _with(heard: HeardMail, row: ZineRow, terms: ZineTerms) -> Result:
    row = replace(with_terms(row, terms), next_at=heard.now)
    heard.unit.zines.put(row)
    return Decision(said=told_of_press(row, heard.judge.config.zone, heard.now))


def next_press(row: ZineRow, house_zone: str, after: datetime) -> datetime | None:
    """The first press day behind a moment; None where the editor sends by hand."""
    terms = terms_of(row)
    if terms.every == "hand" or row.state != ZineState.RUNNING:
        return None
    zone = zone_info(terms.zone or house_zone)
    hour, minute = map(int, terms.time.split(":"))
    local = after.astimezone(zone)
    for days in range(64):
        day = (local + timedelta(days=days)).date()
        moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone).astimezone(after.tzinfo)
        if moment > after and _is_press_day(terms, day, zone):
            return moment
    return None


def _is_press_day(terms: ZineTerms, day: date, zone: tzinfo) -> bool:
    """A day that a month does not have is its last; every other week counts from the first press day there was."""
    if terms.every == "month":
        return day.day == min(terms.day, monthrange(day.year, day.month)[1])
    if day.weekday() != terms.weekday:
        return False
    if terms.every == "week" or not terms.anchor:
        return True
    begun = datetime.fromisoformat(terms.anchor).astimezone(zone)
    passed = begun.strftime("%H:%M") >= terms.time  # the hour of that day is over: the next one is the first
    return (day - begun.date() - timedelta(days=passed)).days // 7 % 2 == 0


def told_of_press(row: ZineRow, house_zone: str, now: datetime | None = None) -> str:
    """When a zine goes to press, in a sentence."""
    terms = terms_of(row)
    zone = terms.zone or house_zone
    if terms.every == "hand":
        return tell("{row} goes to press when its editor says so.", row=row.name)
    when = {
        "week": told_later("every {weekday}"),
        "fortnight": told_later("every other {weekday}"),
        "month": told_later(
            "on day {day} of each month, or its last," if terms.day > 28 else "on day {day} of each month"
        ),
    }[terms.every]
    following = next_press(row, house_zone, now) if now is not None else None
    return tell(
        "{row} goes to press {when} at {time} ({zone}), next on {following}."
        if following
        else "{row} goes to press {when} at {time} ({zone}).",
        row=row.name,
        when=tell(when, day=terms.day, weekday=tell(DAY_NAMES[terms.weekday].title())),
        time=terms.time,
        zone=zone,
        following=day_words(following.astimezone(zone_info(zone)), weekday=True) if following else "",
    )

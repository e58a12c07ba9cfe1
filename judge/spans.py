"""Lengths of time and time zones in words, as settings, mails and the configuration write them."""

from __future__ import annotations

import re
from datetime import timedelta
from zoneinfo import ZoneInfo, available_timezones

from judge.languages import tell_counted

_SPOKEN = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_SPAN = re.compile(
    rf"(?:(\d+)\s*|\b({'|'.join(_SPOKEN)})\s+)(minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)\b", re.IGNORECASE
)
_UNIT = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}


def read_span(text: str) -> timedelta:
    """A length of time: "48h", "two days", "1d 12h", "a week". Raises ValueError.

    >>> read_span("1d 12h") == read_span("36 hours") == read_span("a day and twelve hours")
    True
    """
    parts = _SPAN.findall(text)
    if not parts or _SPAN.sub("", text).strip(" ,+and"):
        raise ValueError(f'"{text}" is not a length of time; write one like 48h, 2 days or 30 minutes')
    counted = ((int(digits or _SPOKEN[word.lower()]), unit[0].lower()) for digits, word, unit in parts)
    return timedelta(minutes=sum(number * _UNIT[unit] for number, unit in counted))


def show_span(span: timedelta) -> str:
    """The shortest text that reads back: "2d", "36h", "30m"."""
    minutes = int(span.total_seconds() // 60)
    for letter in ("d", "h"):
        if minutes and minutes % _UNIT[letter] == 0:
            return f"{minutes // _UNIT[letter]}{letter}"
    return f"{minutes}m"


_NAMES = {"d": "day", "h": "hour", "m": "minute"}


def spell_span(span: timedelta) -> str:
    """A length of time as sentences have it: "2 days", "1 hour"."""
    text = show_span(span)
    one = _NAMES[text[-1]]
    return f"{text[:-1]} {tell_counted(int(text[:-1]), one, one + 's')}"


def read_span_or_none(text: str) -> timedelta:
    """A length of time, or none at all."""
    return timedelta() if text.strip().lower() in ("0", "0m", "none", "no", "off") else read_span(text)


FIXED_ZONES = {"EST": "Etc/GMT+5", "UTC": "UTC", "GMT": "Etc/GMT", "CST": "Etc/GMT+6", "PST": "Etc/GMT+8"}
"""Zone words that mean a fixed offset all year round."""


def zone_info(name: str) -> ZoneInfo:
    """The zone of a setting's text: an IANA name, or one of FIXED_ZONES."""
    return ZoneInfo(FIXED_ZONES.get(name, name))


def read_zone(text: str) -> str:
    """A zone's name as settings keep it. Raises ValueError with near names."""
    word = text.strip()
    if word.upper() in FIXED_ZONES:
        return word.upper()
    zones = {name.lower(): name for name in available_timezones()}
    if (known := zones.get(word.lower().replace(" ", "_"))) is not None:
        return known
    near = near_zones(word)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; write one like Europe/Berlin, America/New_York or UTC"
    raise ValueError(f'"{text}" is not a time zone that I know{hint}')


def near_zones(word: str) -> tuple[str, ...]:
    """Names of zones that have a word in them, such as that of a city; at most three.

    >>> near_zones("berlin"), near_zones("Atlantis")
    (('Europe/Berlin',), ())
    """
    part = word.strip().lower().replace(" ", "_")
    if len(part) < 3 or not re.fullmatch(r"[a-z_/]+", part):
        return ()
    return tuple(sorted(name for name in available_timezones() if part in name.lower())[:3])

"""Words of dates: months, days of the week, time zones. `judge.mail.dates` puts them together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

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
"""Zone words -> hours ahead of UTC, all year round (R04); several where the word means several zones."""

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

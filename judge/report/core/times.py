"""Writes moments: absolute, in the game's zone with abbreviation and offset, then in the reader's own.

One rule of courtesy lives here: a deadline at midnight is written as 23:59 of the day that ends, because
"midnight on Friday" has been misread for as long as games have been played by mail. The judge counts by the true
moment; the reader's own time is that of the same last minute.
"""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from functools import lru_cache

from judge.languages import moments_spelled, tell, tell_counted
from judge.orders.spelled import listed
from judge.pace import FIXED_ZONES, zone_info

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def offset(at: datetime) -> str:
    """The offset of an aware local time: "UTC-5", "UTC+5:30", "UTC".

    >>> from zoneinfo import ZoneInfo
    >>> offset(datetime(2027, 1, 8, tzinfo=ZoneInfo("Asia/Kolkata")))
    'UTC+5:30'
    """
    minutes = int((at.utcoffset() or timedelta()).total_seconds() // 60)
    if not minutes:
        return "UTC"
    sign, (hours, rest) = ("-" if minutes < 0 else "+"), divmod(abs(minutes), 60)
    return f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "")


def abbreviation(at: datetime, zone: str) -> str:
    """The zone's abbreviation at that time: "EST", "CET"; the offset if it has none.

    A fixed zone ("EST" as UTC-5 all year) is called by the word of the setting.
    """
    if zone in FIXED_ZONES:
        return zone
    name = at.tzname() or ""
    return name if name.isalpha() else offset(at)


def day(at: datetime) -> str:
    """ "Fri 8 Jan 2027" of a local time."""
    return tell("{weekday} {day} {month} {year}", **_named(at), year=at.year)


def _short_day(at: datetime) -> str:
    """ "Fri 8 Jan" of a local time."""
    return tell("{weekday} {day} {month}", **_named(at))


def _named(at: datetime) -> dict[str, object]:
    """Weekday, day and month of a local time, in words."""
    return {"weekday": tell(DAYS[at.weekday()]), "day": at.day, "month": tell(MONTHS[at.month - 1])}


def last_minute(at: datetime, zone: str) -> datetime:
    """The minute to print for a deadline: that before midnight where it falls on midnight in the game's zone."""
    local = at.astimezone(_zone(zone))
    at_midnight = (local.hour, local.minute, local.second) == (0, 0, 0)
    return at - timedelta(minutes=1) if at_midnight else at


def written(at: datetime, zone: str) -> str:
    """A moment in one zone, as official times are written.

    >>> from datetime import UTC
    >>> written(datetime(2027, 1, 9, 4, 59, tzinfo=UTC), "America/New_York")
    'Fri 8 Jan 2027, 23:59 EST (UTC-5)'
    """
    local = at.astimezone(_zone(zone))
    name, distance = abbreviation(local, zone), offset(local)
    return f"{day(local)}, {local:%H:%M} {name}" + ("" if name == distance else f" ({distance})")


def short(at: datetime, zone: str) -> str:
    """A deadline for a subject line: "Fri 8 Jan 23:59 EST"."""
    local = last_minute(at, zone).astimezone(_zone(zone))
    return f"{_short_day(local)} {local:%H:%M} {abbreviation(local, zone)}"


def of_day(at: datetime, zone: str) -> str:
    """The day of a deadline, for a subject that has no room for more: "Fri 8 Jan"."""
    return _short_day(last_minute(at, zone).astimezone(_zone(zone)))


def deadline(at: datetime, zone: str) -> str:
    """A deadline in the game's zone: "Fri 8 Jan 2027, 23:59 EST (UTC-5)"."""
    return written(last_minute(at, zone), zone)


def theirs(at: datetime, zone: str, own: str) -> str:
    """The same deadline in the reader's own zone: "Sat 9 Jan, 05:59 CET"; "" where their clock shows the same.

    >>> from datetime import UTC
    >>> theirs(datetime(2027, 1, 9, 5, 0, tzinfo=UTC), "America/New_York", "Europe/Berlin")
    'Sat 9 Jan, 05:59 CET'
    """
    if not own:
        return ""
    try:
        _zone(own)
    except (KeyError, ValueError, OSError):  # a zone that this system has forgotten; the official time stands alone
        return ""
    minute = last_minute(at, zone)
    game, mine = minute.astimezone(_zone(zone)), minute.astimezone(_zone(own))
    if game.utcoffset() == mine.utcoffset():
        return ""
    return f"{_short_day(mine)}, {mine:%H:%M} {abbreviation(mine, own)}"


def apart(was: datetime, now: datetime, zone: str) -> str:
    """The difference between a moment and the one that it replaces, in local time: "3 days later"; "" for the same.

    >>> from datetime import UTC
    >>> apart(datetime(2027, 3, 13, 5, tzinfo=UTC), datetime(2027, 3, 16, 4, tzinfo=UTC), "America/New_York")
    '3 days later'
    """
    first, second = (at.astimezone(_zone(zone)).replace(tzinfo=None) for at in (was, now))
    minutes = int((second - first).total_seconds()) // 60
    (days, rest), word = divmod(abs(minutes), 1440), "later" if minutes > 0 else "earlier"
    parts = [(days, "day"), (rest // 60, "hour"), (rest % 60, "minute")]
    said = listed(f"{count} {tell_counted(count, name, name + 's')}" for count, name in parts if count)
    return tell("{span} {later}", span=said, later=tell(word)) if said else ""


def spelled(text: str, zone: str, own: str) -> str:
    """A sentence with its moments written in the game's zone, and in the reader's where their clock shows another time.

    >>> from datetime import UTC
    >>> from judge.pace import told
    >>> spelled(told(datetime(2027, 1, 9, 5, 0, tzinfo=UTC)), "America/New_York", "Europe/Berlin")
    'Fri 8 Jan 23:59 EST (yours: Sat 9 Jan, 05:59 CET)'
    """

    def spell(at: datetime) -> str:
        mine = theirs(at, zone, own)
        return short(at, zone) + (tell(" (yours: {theirs})", theirs=mine) if mine else "")

    return moments_spelled(text, spell)


def received(at: datetime, zone: str) -> str:
    """The moment a mail arrived, to the second: "Thu 14 Jan 2027, 21:14:07 EST"."""
    local = at.astimezone(_zone(zone))
    return f"{day(local)}, {local:%H:%M:%S} {abbreviation(local, zone)}"


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo:
    return zone_info(name or "UTC")

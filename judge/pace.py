"""Lengths of time and how fast a kind of phase goes, in the words of settings and mails.

A pace answers one question: at which moments may a phase be due that opens at a given one? It counts in wall-clock
time of the game's zone, so that a deadline never drifts when clocks change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from itertools import count
from math import gcd
from zoneinfo import ZoneInfo, available_timezones

from judge.languages import tell, tell_counted

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_INTERVAL = re.compile(
    r"(\d+)\s*(minutes?|min|m|hours?|h|days?|d|weeks?|w)(?:\s*,?\s*at\s+(\d{1,2}):(\d{2}))?", re.IGNORECASE
)
_GRID = re.compile(r"(?:(?:every|each|on)\s+)?([a-z]{3,9}?)s?[.,]?\s+(?:at\s+)?(\d{1,2}):(\d{2})", re.IGNORECASE)
_TWELVE = re.compile(r"\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s*([ap])\.?m\b\.?", re.IGNORECASE)
_NAMED_HOURS = {"noon": "12:00", "midnight": "24:00"}
_DAY = 1440
"""Minutes."""

_MINUTES = {"m": 1, "h": 60, "d": 1440, "w": 10080}

_SLACK = timedelta(hours=8)
""""3d at 23:00" after a phase that was processed at 23:30 is due at 23:00, not a day later."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Either `interval` is set, or `grid`: (weekday 0 = Monday, minutes after its midnight) pairs.

    24:00 on Friday is minute 1440 of Friday: the end of that day. `hour`: the time of day, in minutes, that an
    interval ends at; None: whenever it is over.
    """

    interval: timedelta | None = None
    grid: tuple[tuple[int, int], ...] = ()
    hour: int | None = None

    @classmethod
    def read(cls, text: str) -> Pace:
        """A pace from words; raises ValueError with a sentence.

        >>> str(Pace.read("fri 24:00")), str(Pace.read("72 hours")), str(Pace.read("2 days at 9:30"))
        ('Friday 24:00', '3d', '2d at 09:30')
        """
        word = text.strip()
        word = _by_24_hours(word)
        if match := _INTERVAL.fullmatch(word):
            return _interval(match)
        points = [_point(part) for part in re.split(r"[,;]|\band\b", word) if part.strip()]
        if not points:
            raise ValueError(tell('"{text}" is not a pace; write one like 72h, 7d, or Friday 24:00', text=text))
        return cls(grid=tuple(sorted(set(points))))

    def __str__(self) -> str:
        if self.interval is not None:
            minutes = int(self.interval.total_seconds() // 60)
            unit = next(u for u in ("d", "h", "m") if minutes % _MINUTES[u] == 0)
            at = "" if self.hour is None else f" at {self.hour // 60:02}:{self.hour % 60:02}"
            return f"{minutes // _MINUTES[unit]}{unit}{at}"
        return ", ".join(f"{DAYS[day].capitalize()} {m // 60:02}:{m % 60:02}" for day, m in self.grid)

    def points(self, opened: datetime, zone: tzinfo, planned: datetime | None = None) -> Iterator[datetime]:
        """Every moment, in UTC, at which a phase that opens at `opened` may be due, the soonest first; without end.

        `planned`: when the phase before was meant to be due. An interval keeps to its hour, however early or late that
        phase was processed; a grid gives each phase a point of its own.
        """
        if self.interval is not None:
            wall = _rounded(to_wall(opened, zone), self.interval, self._anchor(planned, zone))
            return (wall_to_utc(wall + timedelta(days=days), zone) for days in count())
        after = opened if planned is None else max(opened, planned)
        return (moment for moment in self._grid_points(opened, zone) if moment > after)

    def _anchor(self, planned: datetime | None, zone: tzinfo) -> tuple[int, int] | None:
        """At which minutes of a day an interval may end: the first of them, and how far apart they are."""
        if self.hour is not None:
            return self.hour, _DAY
        if planned is None or self.interval is None:
            return None
        wall, step = to_wall(planned, zone), gcd(int(self.interval.total_seconds() // 60), _DAY)
        return (wall.hour * 60 + wall.minute) % step, step

    def _grid_points(self, opened: datetime, zone: tzinfo) -> Iterator[datetime]:
        start = opened.astimezone(zone).date() - timedelta(days=1)
        for offset in count():
            day = start + timedelta(days=offset)
            for weekday, minutes in self.grid:
                if day.weekday() == weekday:
                    yield wall_to_utc(datetime.combine(day, time()) + timedelta(minutes=minutes), zone)

    def daily(self) -> Pace:
        """The times of day of a grid on every day: how a phase catches up that has slipped off its day."""
        hours = {minutes for _, minutes in self.grid}
        return Pace(grid=tuple(sorted((day, minutes) for day in range(7) for minutes in hours)))

    def due(self, opened: datetime, zone: tzinfo, least: timedelta = timedelta()) -> datetime:
        """When a phase that opens at `opened` is due, in UTC: at least `least` later by the clock on the wall."""
        return next(moment for moment in self.points(opened, zone) if time_between(opened, moment, zone) >= least)


def to_wall(moment: datetime, zone: tzinfo) -> datetime:
    """What the clock on the wall shows, as a naive datetime."""
    return moment.astimezone(zone).replace(tzinfo=None)


def wall_to_utc(wall: datetime, zone: tzinfo) -> datetime:
    """A wall-clock time of a zone as UTC; in a spring gap the clock's later reading, in autumn the first one.

    >>> from zoneinfo import ZoneInfo
    >>> wall_to_utc(datetime(2027, 3, 28, 2, 30), ZoneInfo("Europe/Berlin")).isoformat()
    '2027-03-28T01:30:00+00:00'
    """
    return wall.replace(tzinfo=zone, fold=0).astimezone(UTC)


def later(moment: datetime, span: timedelta, zone: tzinfo) -> datetime:
    """A moment moved by a span of wall-clock time: three days after Friday 23:59 is Monday 23:59, whatever clocks do.

    >>> from zoneinfo import ZoneInfo
    >>> later(datetime(2027, 3, 13, 5, 0, tzinfo=UTC), timedelta(days=3), ZoneInfo("America/New_York")).isoformat()
    '2027-03-16T04:00:00+00:00'
    """
    moved = wall_to_utc(to_wall(moment, zone) + span, zone)
    if moment.astimezone(zone).utcoffset() == moved.astimezone(zone).utcoffset():
        return moment.astimezone(UTC) + span
    return moved


def time_between(earlier: datetime, moment: datetime, zone: tzinfo) -> timedelta:
    """How much the clock on the wall goes on between two moments."""
    return to_wall(moment, zone) - to_wall(earlier, zone)


def _interval(match: re.Match[str]) -> Pace:
    minutes = int(match[1]) * _MINUTES[match[2][0].lower()]
    if minutes < 1:
        raise ValueError(tell("a phase needs at least a minute"))
    if minutes > 366 * 1440:
        raise ValueError(tell("a phase lasts at most a year"))
    hour = None if match[3] is None else _time_of_day(match[3], match[4])
    if hour is not None and minutes < 1440:
        raise ValueError(tell("a phase that ends at a time of day lasts at least a day"))
    return Pace(interval=timedelta(minutes=minutes), hour=hour)


def _rounded(opened: datetime, interval: timedelta, anchor: tuple[int, int] | None) -> datetime:
    """The end of an interval, or the first minute near it at which one may end."""
    end = opened + interval
    if anchor is None:
        return end
    first, step = anchor
    earliest = end - min(_SLACK, interval / 3)
    day = datetime.combine(earliest.date(), time())
    minutes = -(-(earliest - day) // timedelta(minutes=1))
    return day + timedelta(minutes=first + -(-(minutes - first) // step) * step)


def _by_24_hours(text: str) -> str:
    """ "Friday 6 pm" as "Friday 18:00", "Sunday noon" as "Sunday 12:00"."""
    for name, hour in _NAMED_HOURS.items():
        text = re.sub(rf"\b{name}\b", hour, text, flags=re.IGNORECASE)
    return _TWELVE.sub(lambda said: f"{int(said[1]) % 12 + 12 * (said[3].lower() == 'p')}:{said[2] or '00'}", text)


def _point(text: str) -> tuple[int, int]:
    match = _GRID.fullmatch(text.strip())
    if match is None:
        raise ValueError(tell('"{text}" is not a point in the week; write one like Friday 24:00', text=text.strip()))
    days = [i for i, day in enumerate(DAYS) if day.startswith(match[1].lower())]
    if len(days) != 1:
        raise ValueError(tell('"{text}" is not a day of the week', text=match[1]))
    return days[0], _time_of_day(match[2], match[3])


def _time_of_day(hours: str, minutes: str) -> int:
    found = int(hours) * 60 + int(minutes)
    if found > 1440 or int(minutes) > 59:
        raise ValueError(tell('"{text}" is not a time of day', text=f"{hours}:{minutes}"))
    return found


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
        raise ValueError(tell('"{text}" is not a length of time; write one like 48h, 2 days or 30 minutes', text=text))
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
    """A zone's name as settings keep it; a city that only one zone is called by names it. Raises ValueError with near
    names.

    >>> read_zone("New York"), read_zone("berlin")
    ('America/New_York', 'Europe/Berlin')
    """
    word = text.strip()
    if word.upper() in FIXED_ZONES:
        return word.upper()
    zones = {name.lower(): name for name in available_timezones()}
    if (known := zones.get(word.lower().replace(" ", "_"))) is not None:
        return known
    cities = [name for name in zones.values() if name.rpartition("/")[2].lower() == word.lower().replace(" ", "_")]
    if len(cities) == 1:
        return cities[0]
    near = near_zones(word)
    raise ValueError(
        tell(
            '"{text}" is not a time zone that I know; did you mean {near}?'
            if near
            else '"{text}" is not a time zone that I know; write one like Europe/Berlin, America/New_York or UTC',
            text=text,
            near=", ".join(near),
        )
    )


def near_zones(word: str) -> tuple[str, ...]:
    """Names of zones that have a word in them, such as that of a city; at most three.

    >>> near_zones("berlin"), near_zones("Atlantis")
    (('Europe/Berlin',), ())
    """
    part = word.strip().lower().replace(" ", "_")
    if len(part) < 3 or not re.fullmatch(r"[a-z_/]+", part):
        return ()
    return tuple(sorted(name for name in available_timezones() if part in name.lower())[:3])

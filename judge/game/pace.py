"""How fast a kind of phase goes: an interval ("72h") or a weekly grid ("Friday 24:00", several allowed).

A pace answers one question: when is a phase due that opens at a given moment? It counts in wall-clock time of the
game's zone, so that a deadline never drifts when clocks change (L14).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_INTERVAL = re.compile(r"(\d+)\s*(minutes?|min|m|hours?|h|days?|d|weeks?|w)", re.IGNORECASE)
_GRID = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2}):(\d{2})", re.IGNORECASE)
_MINUTES = {"m": 1, "h": 60, "d": 1440, "w": 10080}


@dataclass(frozen=True, slots=True)
class Pace:
    """Either `interval` is set, or `grid`: (weekday 0 = Monday, minutes after its midnight) pairs.

    24:00 on Friday is minute 1440 of Friday: the end of that day (R03).
    """

    interval: timedelta | None = None
    grid: tuple[tuple[int, int], ...] = ()

    @classmethod
    def read(cls, text: str) -> Pace:
        """A pace from words; raises ValueError with a sentence.

        >>> str(Pace.read("fri 24:00")), str(Pace.read("72 hours"))
        ('Friday 24:00', '3d')
        """
        word = text.strip()
        if match := _INTERVAL.fullmatch(word):
            minutes = int(match[1]) * _MINUTES[match[2][0].lower()]
            if minutes < 1:
                raise ValueError("a phase needs at least a minute")
            return cls(interval=timedelta(minutes=minutes))
        points = [_point(part) for part in re.split(r"[,;]|\band\b", word) if part.strip()]
        if not points:
            raise ValueError(f'"{text}" is no pace; write one like 72h, 7d, or Friday 24:00')
        return cls(grid=tuple(sorted(points)))

    def __str__(self) -> str:
        if self.interval is not None:
            minutes = int(self.interval.total_seconds() // 60)
            unit = next(u for u in ("d", "h", "m") if minutes % _MINUTES[u] == 0)
            return f"{minutes // _MINUTES[unit]}{unit}"
        return ", ".join(f"{DAYS[day].capitalize()} {m // 60:02}:{m % 60:02}" for day, m in self.grid)

    def due(self, opened: datetime, zone: tzinfo, least: timedelta = timedelta()) -> datetime:
        """When a phase that opens at `opened` is due, in UTC, at least `least` later."""
        if self.interval is not None:
            local = opened.astimezone(zone).replace(tzinfo=None) + max(self.interval, least)
            return wall_to_utc(local, zone)
        first = opened + least
        start = first.astimezone(zone).date() - timedelta(days=1)
        for offset in range(10):
            day = start + timedelta(days=offset)
            for weekday, minutes in self.grid:
                if day.weekday() != weekday:
                    continue
                moment = wall_to_utc(datetime.combine(day, time()) + timedelta(minutes=minutes), zone)
                if moment > first or (least and moment == first):
                    return moment
        raise AssertionError("a weekly grid has a point within ten days")


def wall_to_utc(wall: datetime, zone: tzinfo) -> datetime:
    """A wall-clock time of a zone as UTC; in a spring gap the clock's later reading, in autumn the first one.

    >>> from zoneinfo import ZoneInfo
    >>> wall_to_utc(datetime(2027, 3, 28, 2, 30), ZoneInfo("Europe/Berlin")).isoformat()
    '2027-03-28T01:30:00+00:00'
    """
    return wall.replace(tzinfo=zone, fold=0).astimezone(UTC)


def _point(text: str) -> tuple[int, int]:
    match = _GRID.fullmatch(text.strip())
    if match is None:
        raise ValueError(f'"{text.strip()}" is no point in the week; write one like Friday 24:00')
    days = [i for i, day in enumerate(DAYS) if day.startswith(match[1].lower())]
    minutes = int(match[2]) * 60 + int(match[3])
    if len(days) != 1:
        raise ValueError(f'"{match[1]}" is no day of the week')
    if minutes > 1440 or int(match[3]) > 59:
        raise ValueError(f'"{match[2]}:{match[3]}" is no time of day')
    return days[0], minutes

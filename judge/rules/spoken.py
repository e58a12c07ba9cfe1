"""Phases as people write them: "F1901", "Sp01", "S1902M", "Fall 1901 moves", "1901-Spring", "winter '01", read by the
names that a calendar has for its seasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from judge.board.phase import MANNERS, Phase, PhaseKind, Season
from judge.rules.calendar import Calendar

_CENTURY = 1900
_LONG = re.compile(r"[a-z]{4,}", re.IGNORECASE)
_MARKS = re.compile(r"[\s.,/_’'`-]+")


class _Words(NamedTuple):
    """What a calendar's phases are called, and how a phase is written with that."""

    seasons: dict[str, Season]
    kinds: dict[str, tuple[PhaseKind, int]]
    season_first: re.Pattern[str]
    year_first: re.Pattern[str]
    undated: re.Pattern[str]
    inside: re.Pattern[str]


@lru_cache(maxsize=64)
def _words(calendar: Calendar) -> _Words:
    seasons = {word: season for season in reversed(calendar.seasons) for word in (*season.words, season.code.lower())}
    kinds = {word: (kind, 1) for kind, manner in MANNERS.items() if _known(kind, calendar) for word in manner.words}
    for step in calendar.stations:
        kinds[f"{step.kind.value}{step.part}".lower()] = step.kind, step.part
        if step.name:
            kinds[step.name.lower()] = step.kind, step.part
    season, kind, long = _any_of(seasons), _any_of(kinds), _any_of(word for word in kinds if len(word) > 3)
    return _Words(
        seasons,
        kinds,
        re.compile(rf"({season}) ?(?:of )?(\d{{4}}|\d{{2}})(?: ?({kind}))?(?: phase| turn)?", re.IGNORECASE),
        re.compile(rf"(\d{{4}}) ?({season})(?: ?({kind}))?(?: phase| turn)?", re.IGNORECASE),
        re.compile(rf"({season})(?: ({kind}))?(?: phase| turn)?", re.IGNORECASE),
        re.compile(
            rf"\b({_any_of(season_names(calendar))})\s*(?:of\s*)?'?(\d{{4}})(?:\s+({long})\b)?",
            re.IGNORECASE,
        ),
    )


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _known(kind: PhaseKind, calendar: Calendar) -> bool:
    """Whether people can mean a kind of phase: who writes "Spring builds" is told that there are none."""
    return kind is not PhaseKind.TALKS or any(step.kind is kind for step in calendar.stations)


def season_names(calendar: Calendar) -> tuple[str, ...]:
    """The seasons by their whole names, lower case."""
    return tuple(word for season in calendar.seasons for word in season.words if len(word) > 3)


def read_phase(text: str, calendar: Calendar, current: Phase | None = None, *, here: bool = True) -> str | None:
    """The code of the phase that a text names, or None. It may be a phase that the calendar does not have. If the text
    names no kind, the current phase is meant if it is of that season (unless `here` is False), else the first of the
    season.

    >>> from judge.rules.calendar import CALENDAR_1976 as year
    >>> read_phase("Sp01", year), read_phase("Spring '02 retreats", year), read_phase("summer 1903", year)
    ('S1901M', 'S1902R', 'S1903R')
    """
    known, words = _words(calendar), _tidy(text)
    if match := known.season_first.fullmatch(words):
        season, year, kind = match[1], match[2], match[3]
    elif match := known.year_first.fullmatch(words):
        season, year, kind = match[2], match[1], match[3]
    else:
        return None
    return _code(calendar, season, year, kind or "", current, here=here)


def read_season(text: str, calendar: Calendar, current: Phase | None) -> str | None:
    """The code of the phase that "Spring", "Fall moves" or "winter builds" means: that of this year if it is not over
    yet; that of next year if it shares its deadline with the current phase; else None.
    """
    match = _words(calendar).undated.fullmatch(_tidy(text)) if current and len(text) > 3 else None
    if match is None or current is None:
        return None
    found = _code(calendar, match[1], str(current.year), match[2] or "", current)
    if calendar.rank(found) >= calendar.rank(current):
        return found
    later = _code(calendar, match[1], str(current.year + 1), match[2] or "", current)
    return later if current in calendar and later in map(str, calendar.turn_of(current)) else None


def find_phase(text: str, calendar: Calendar, *, whole: bool = False) -> str:
    """The first phase that is named inside a text, by a season's whole name and a full year; "" for none. Its kind may
    stand anywhere, unless only a `whole` name counts.
    """
    known = _words(calendar)
    match = known.inside.search(text)
    if match is None or (whole and not match[3]):
        return ""
    kind = match[3] or next((word for word in _LONG.findall(text) if word.lower() in known.kinds), "")
    return _code(calendar, match[1], match[2], kind, None)


def _tidy(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text).split()).strip(":")


def _code(
    calendar: Calendar, season_word: str, year_word: str, kind_word: str, current: Phase | None, *, here: bool = True
) -> str:
    """The code for a season, a year and a kind ("" if none is named). Steps of the season itself go before those that
    are only called by it; the current phase goes first if it is one of them, no kind is named and `here` is True.
    """
    known = _words(calendar)
    season, wanted = known.seasons[season_word.lower()], known.kinds.get(kind_word.lower())
    year = int(year_word)
    if len(year_word) == 2:
        year += current.year // 100 * 100 if current else _CENTURY
    meant = [step for step in calendar.stations if wanted in (None, (step.kind, step.part))]
    own = [step.phase(year) for step in meant if step.season == season]
    phases = own or [step.phase(year) for step in meant if step.called(season)]
    if here and wanted is None and current in phases:
        return str(current)
    kind, part = wanted or (PhaseKind.MOVES, 1)
    return str(phases[0] if phases else Phase(year, season.code, kind, part))

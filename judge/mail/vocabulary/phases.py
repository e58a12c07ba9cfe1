"""Phases as people write them: "F1901", "S1902M", "Fall 1901 moves", "winter '01"."""

from __future__ import annotations

import re

from judge.board.phase import Phase

_SEASONS = {"s": "S", "spring": "S", "u": "U", "su": "U", "summer": "U", "f": "F", "fall": "F", "autumn": "F", "w": "W"}
_SEASONS["winter"] = "W"
_KINDS = {"m": "M", "r": "R", "a": "A", "b": "A", "move": "M", "moves": "M", "movement": "M", "movements": "M"}
_KINDS |= {"retreat": "R", "retreats": "R", "build": "A", "builds": "A", "adjustment": "A", "adjustments": "A"}
_KINDS |= {"removals": "A", "adjust": "A"}

_COMPACT = re.compile(r"(s|su|u|f|w)[ ']?(\d{4}|\d{2})([mrab]?)(?: ([a-z]+))?", re.IGNORECASE)
_LONG = re.compile(
    r"(?:(?P<first>spring|summer|fall|autumn|winter)(?: of)? '?(?P<year>\d{4}|\d{2})"
    r"|(?P<early>\d{4}) (?P<second>spring|summer|fall|autumn|winter))"
    r"(?: (?P<kind>[a-z]+))?(?: phase)?",
    re.IGNORECASE,
)


def read_phase(text: str, current: Phase | None = None) -> str | None:
    """The code of a phase, or None. A kind that is not named is the current phase's, or movement (winter: adjustments).

    >>> read_phase("F1901"), read_phase("Spring '02 retreats"), read_phase("F1901", Phase.read("F1901R"))
    ('F1901M', 'S1902R', 'F1901R')
    """
    word = " ".join(text.replace(",", " ").split()).strip(".:")
    if match := _COMPACT.fullmatch(word):
        return _code(match[1], match[2], match[3] or match[4] or "", current)
    if match := _LONG.fullmatch(word):
        return _code(match["first"] or match["second"], match["year"] or match["early"], match["kind"] or "", current)
    return None


def _code(season_word: str, year_word: str, kind_word: str, current: Phase | None) -> str | None:
    if kind_word and kind_word.lower() not in _KINDS:
        return None
    season, kind = _SEASONS[season_word.lower()], _KINDS.get(kind_word.lower(), "")
    year = int(year_word)
    if len(year_word) == 2:
        year += (current.year // 100 if current else 19) * 100
    if season == "U" and (current is None or current.season != "U"):
        season, kind = "S", kind or "R"
    if season == "W" and kind == "R":
        season = "F"
    if not kind:
        here = current is not None and (current.year, current.season) == (year, season)
        kind = current.kind if here and current else ("A" if season == "W" else "M")
    return f"{season}{year}{kind}"

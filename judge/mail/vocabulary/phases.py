"""Phases as people write them: "F1901", "Sp01", "S1902M", "Fall 1901 moves", "1901-Spring", "winter '01"."""

from __future__ import annotations

import re

from judge.board.phase import Phase

_NAMES = {
    "S": ("s", "sp", "spr", "spring"),
    "U": ("u", "su", "sum", "summer"),
    "F": ("f", "fa", "fal", "fall", "au", "aut", "autumn"),
    "W": ("w", "wi", "win", "winter"),
}
_STEPS = {
    "M": ("m", "mov", "move", "moves", "movement", "movements"),
    "R": ("r", "ret", "retreat", "retreats"),
    "A": ("a", "b", "adj", "adjust", "adjustment", "adjustments", "build", "builds", "removal", "removals"),
}
_SEASONS = {name: season for season, names in _NAMES.items() for name in names}
_KINDS = {name: kind for kind, names in _STEPS.items() for name in names}

_SEASON = "|".join(sorted(_SEASONS, key=len, reverse=True))
_KIND = "|".join(sorted(_KINDS, key=len, reverse=True))
_MARKS = re.compile(r"[\s.,/_’'`-]+")
_SEASON_FIRST = re.compile(rf"({_SEASON}) ?(?:of )?(\d{{4}}|\d{{2}})(?: ?({_KIND}))?(?: phase| turn)?", re.IGNORECASE)
_YEAR_FIRST = re.compile(rf"(\d{{4}}) ?({_SEASON})(?: ?({_KIND}))?(?: phase| turn)?", re.IGNORECASE)
_UNDATED = re.compile(rf"({_SEASON})(?: ({_KIND}))?(?: phase| turn)?", re.IGNORECASE)

SEASON_NAMES = tuple(name for name in _SEASONS if len(name) > 3)
"""The seasons by their whole names."""


def read_phase(text: str, current: Phase | None = None) -> str | None:
    """The code of a phase, or None. A kind that is not named is the current phase's, or movement (winter: adjustments).

    >>> read_phase("Sp01"), read_phase("Spring '02 retreats"), read_phase("F1901", Phase.read("F1901R"))
    ('S1901M', 'S1902R', 'F1901R')
    """
    words = _tidy(text)
    if match := _SEASON_FIRST.fullmatch(words):
        return _code(match[1], match[2], match[3] or "", current)
    if match := _YEAR_FIRST.fullmatch(words):
        return _code(match[2], match[1], match[3] or "", current)
    return None


def read_season(text: str, current: Phase | None) -> str | None:
    """The phase of "Spring", "Fall moves" or "winter builds": this year's, where it is not over; else None."""
    match = _UNDATED.fullmatch(_tidy(text)) if current and len(text) > 3 else None
    if match is None or current is None:
        return None
    found = _code(match[1], str(current.year), match[2] or "", current)
    return found if _order(found) >= _order(str(current)) else None


def _order(code: str) -> tuple[int, int]:
    return "SUFW".index(code[0]), "MRA".index(code[-1])


def _tidy(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text).split()).strip(":")


def _code(season_word: str, year_word: str, kind_word: str, current: Phase | None) -> str:
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

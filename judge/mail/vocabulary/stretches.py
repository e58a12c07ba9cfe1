"""Stretches of a game as people name them: "F1903", "since 1902", "S1901 to F1903", "until Spring '04"."""

from __future__ import annotations

import re

from judge.mail.vocabulary.clauses import plain
from judge.mail.vocabulary.model import Unclear
from judge.rules.calendar import Calendar
from judge.rules.spoken import read_phase

_RANGE = re.compile(r"\b(?:from|since|between|to|until|till|through|and|up to|in|of)\b|\.\.+|[–—-]", re.IGNORECASE)
_UP_TO = re.compile(r"\s*(?:to|until|till|through|up to)\b", re.IGNORECASE)
_FROM = re.compile(r"\s*(?:from|since)\b", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_SEASON = re.compile(r".*?\d{4}")

Stretch = tuple[str, str]
"""The first and the last: codes of phases ("F1903R"), of seasons ("F1903") or years; both count, "" is not a bound."""


_LINES = re.compile(r"\s*\blines\s+\d{1,5}\s*$", re.IGNORECASE)
"""The older judges were told how much of it to send."""


def read_stretch(text: str, calendar: Calendar) -> Stretch | Unclear:
    """The bounds of a stretch; one alone is both of them.

    >>> from judge.rules.calendar import CALENDAR_1976 as year
    >>> read_stretch("F1903", year), read_stretch("since 1902", year), read_stretch("S1901 to Fall '03 moves", year)
    (('F1903', 'F1903'), ('1902', ''), ('S1901', 'F1903M'))
    """
    text = _LINES.sub("", text)
    parts = [plain(part) for part in _RANGE.split(text) if plain(part)]
    if len(parts) == 1 and len(words := parts[0].split()) == 2 and all(_bound(word, calendar) for word in words):
        parts = words
    found = [_bound(part, calendar) for part in parts]
    if len(found) > 2 or not all(found):
        return Unclear("no-phase", f'"{plain(text)[:60]}" is not a stretch of phases; write one like S1901 to F1903.')
    if not found:
        return "", ""
    if len(found) == 2:
        return found[0], found[1]
    if _UP_TO.match(text):
        return "", found[0]
    return found[0], "" if _FROM.match(text) else found[0]


def _bound(text: str, calendar: Calendar) -> str:
    """The code of a phase; of a season where no phase of it is named; a year; "" for anything else."""
    if _YEAR.fullmatch(text):
        return text
    code = read_phase(text, calendar) or ""
    names_a_kind = read_phase(f"{text} moves", calendar) is None
    whole = _SEASON.match(code)
    return code if names_a_kind or whole is None else whole[0]

"""What players write in other languages: commands, greetings and headings, read beside the English ones.

Their words stand in `templates/languages/CODE/phrases.toml`, where a comment above each section says what it is. A
command is put into our own words, which are then read as any line is, so that nothing here decides what is done. No row
is read as anything else in English, and none of two languages means two things (`tests/script/test_tongues.py`): so
nothing depends on which language a mail is in. A line is looked up by its first word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from judge.mail.script.phrases import Phrases, taken
from judge.mail.script.phrases.tongues import TABLES, TONGUES, Tongue, first_words, folded, spelt
from judge.wordbook import any_of

_LONGEST = 4000
"""Characters of a line that may be press behind its command."""
_LONGEST_COURTESY = 80

_MARKS = " \t.,;:!?¡¿*\"'„“”«»()…"
_APART = str.maketrans("’‘`´\u00a0\u202f", "''''  ")


class CommandAbroad(NamedTuple):
    """Our line, with names in braces for what is taken over, and the rows for it in one language."""

    tongue: Tongue
    ours: str
    rows: Phrases


def command_in(line: str) -> str:
    """The line of ours that a line in one of these languages is, whole; "" for any other line.

    >>> command_in("Karte bitte!"), command_in("Presse an Italien: Ciao!"), command_in("A Par - Bur")
    ('map', 'press to Italien: Ciao!', '')
    """
    text = normalize("NFC", line.translate(_APART)).strip() if not line.isascii() else line.strip()
    table = _table()
    if _first_word(text) not in table.begun or len(text) > _LONGEST:
        return ""
    opened = _opened(text, table)
    for said in dict.fromkeys((text, _closed(text, table), opened, _closed(opened, table))):
        for command in table.commands.get(_first_word(said), ()):
            for _, words in taken({command.ours: command.rows}, said):
                ours = command.ours.format_map(_put(words, command.tongue)).strip()
                return "" if ours.casefold() == text.casefold() else ours
    return ""


def meanings(line: str) -> dict[str, str]:
    """What a line is in each language that has it, without what surrounds it."""
    found: dict[str, str] = {}
    for command in _table().commands.get(_first_word(line), ()):
        for _, words in taken({command.ours: command.rows}, line):
            ours = command.ours.format_map(_put(words, command.tongue)).strip()
            found.setdefault(command.tongue.code, ours)
    return found


def greets(line: str) -> bool:
    """Whether a line greets, thanks or wishes something, and says nothing else."""
    return _is_one_of(_table().greetings, line) or closes(line)


def closes(line: str) -> bool:
    """Whether a line is what people write above their name: "Viele Grüße", "Cordialement"."""
    return _is_one_of(_table().closings, line)


def _is_one_of(rows: Mapping[str, tuple[Phrases, ...]], line: str) -> bool:
    text = line.translate(_APART).strip(_MARKS)
    found = rows.get(_first_word(text), ())
    return (
        "?" not in line
        and bool(found)
        and len(text) <= _LONGEST_COURTESY
        and not set(":;") & set(text)
        and any(each.says(text) for each in found)
    )


ENDS_OF_PRESS: frozenset[str] = frozenset(end for tongue in TONGUES for end in tongue.ends)
"""Lines that end press. None ends a mail: "fine" is English, and "Ende." small talk."""

HEADING_WORDS: frozenset[str] = frozenset(word for tongue in TONGUES for word in tongue.headings)
"""Words of headings that name nothing."""


# -- the table, by first words ----------------------------------------------------------------------------------------


class _FirstWords(NamedTuple):
    commands: Mapping[str, tuple[CommandAbroad, ...]]
    greetings: Mapping[str, tuple[Phrases, ...]]
    closings: Mapping[str, tuple[Phrases, ...]]
    opening: re.Pattern[str]
    ending: re.Pattern[str]
    begun: frozenset[str]
    """First words of lines that may be a command."""


@lru_cache(maxsize=1)
def _table() -> _FirstWords:
    commands: dict[str, list[CommandAbroad]] = {}
    greetings: dict[str, list[Phrases]] = {}
    closings: dict[str, list[Phrases]] = {}
    for tongue in TONGUES:
        for ours, rows in tongue.commands.items():
            command = CommandAbroad(tongue, ours, Phrases(rows, spelt))
            for word in first_words(rows):
                commands.setdefault(word, []).append(command)
        for kept, rows in ((greetings, tongue.greetings), (closings, tongue.closings)):
            phrases = Phrases(rows, spelt)
            for word in first_words(rows):
                kept.setdefault(word, []).append(phrases)
    polite = [each for tongue in TONGUES for each in tongue.polite]
    words = "|".join(spelt(re.escape(each)) for each in sorted(polite, key=len, reverse=True))
    return _FirstWords(
        {word: tuple(found) for word, found in commands.items()},
        {word: tuple(found) for word, found in greetings.items()},
        {word: tuple(found) for word, found in closings.items()},
        re.compile(rf"[¡¿]?(?:{words})(?![\w'-])[\s,.!:–—-]*", re.IGNORECASE),
        re.compile(rf"[\s,]+(?:{words})$", re.IGNORECASE),
        frozenset(commands) | {_first_word(each) for each in polite},
    )


def _first_word(line: str) -> str:
    words = line.split(None, 1)
    return folded(words[0].strip(_MARKS)) if words else ""


# -- a line without what surrounds it ---------------------------------------------------------------------------------


def _opened(text: str, table: _FirstWords) -> str:
    """A line without courtesies ahead of it."""
    while (match := table.opening.match(text)) and match.end() < len(text):
        text = text[match.end() :]
    return text.lstrip("¡¿ ")


def _closed(text: str, table: _FirstWords) -> str:
    """A line without courtesies and marks behind it."""
    text = text.rstrip(_MARKS)
    while (match := table.ending.search(text)) and match.start():
        text = text[: match.start()].rstrip(_MARKS)
    return text


# -- what is taken over ---------------------------------------------------------------------------------------------

_DATED = frozenset({"since", "till", "when", "span", "phase"})
_LISTED = frozenset({"powers", "power"})
_AND = re.compile(rf"\s+(?:{any_of(TABLES, 'lists', 'and')})\s+", re.IGNORECASE)
_ARTICLE = re.compile(rf"^(?:{any_of(TABLES, 'lists', 'joined')})'\s*", re.IGNORECASE)
_ORDINAL = re.compile(rf"(?<=\d)(?:\.(?!\d)|(?:{any_of(TABLES, 'numbers', 'day')})(?!\w))", re.IGNORECASE)
_CLOCK = re.compile(rf"\b(\d{{1,2}})\s?(?:{any_of(TABLES, 'numbers', 'clock')})\b(?:\s?(\d{{2}})\b)?", re.IGNORECASE)
_LENGTH = re.compile(rf"\s*\d{{1,3}}\s?(?:{any_of(TABLES, 'numbers', 'length')})\s*", re.IGNORECASE)
""" "24 heures" is a length of time where it stands alone."""
_WORD = re.compile(r"[^\W\d_]+")


def _put(words: Mapping[str, str], tongue: Tongue) -> dict[str, str]:
    """What a row takes over, as it stands in our line."""
    return {name: _said(name, text.strip(), tongue) for name, text in words.items()}


def _said(name: str, text: str, tongue: Tongue) -> str:
    if name in _LISTED:
        return ", ".join(_ARTICLE.sub("", each.strip()) for each in _AND.sub(",", text).split(","))
    return in_english(text, tongue) if name in _DATED else text


def in_english(text: str, tongue: Tongue) -> str:
    """A date or a length of time with the words of a language in English.

    >>> german = next(each for each in TONGUES if each.code == "de")
    >>> in_english("Freitag, 4. Dezember, 20 Uhr", german), in_english("zwei Tage", german)
    ('friday, 4 december, 20:00', 'two days')
    """
    if not _LENGTH.fullmatch(text):
        text = _CLOCK.sub(lambda match: f"{match[1]}:{match[2] or '00'}", text)
    text = _ORDINAL.sub(" ", text)
    text = _WORD.sub(lambda match: tongue.dates.get(folded(match[0]), match[0]), text)
    return " ".join(text.split()).replace(" ,", ",")

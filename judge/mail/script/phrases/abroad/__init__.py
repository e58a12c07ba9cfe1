"""What players write in German, French, Spanish, Italian and Dutch: commands, greetings and headings, read beside the
English ones. A file is a language.

A command is put into our own words, which are then read as any line is, so that nothing here decides what is done. No
row is read as anything else in English, and none of two languages means two things (`tests/script/test_tongues.py`): so
nothing depends on which language a mail is in. A line is looked up by its first word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple
from unicodedata import combining, normalize

from judge.mail.script.phrases import Phrases, listed, taken
from judge.mail.script.phrases.abroad.de import GERMAN
from judge.mail.script.phrases.abroad.es import SPANISH
from judge.mail.script.phrases.abroad.fr import FRENCH
from judge.mail.script.phrases.abroad.it import ITALIAN
from judge.mail.script.phrases.abroad.model import Tongue
from judge.mail.script.phrases.abroad.nl import DUTCH

TONGUES: tuple[Tongue, ...] = (GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH)

_LONGEST = 4000
"""Characters of a line that may be press behind its command."""
_LONGEST_COURTESY = 80

_MARKS = " \t.,;:!?¡¿*\"'„“”«»()…"
_APART = str.maketrans("’‘`´\u00a0\u202f", "''''  ")
_WRITTEN_OUT = re.compile(r"([aou])e")


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


ENDS_OF_PRESS: frozenset[str] = frozenset(" ".join(end.split()) for tongue in TONGUES for end in tongue.ends.split(","))
"""Lines that end press. None ends a mail: "fine" is English, and "Ende." small talk."""

HEADING_WORDS: frozenset[str] = frozenset().union(*(listed(tongue.headings) for tongue in TONGUES))
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
    polite = [
        each for tongue in TONGUES for each in map(str.strip, tongue.polite.replace("\n", " ").split(",")) if each
    ]
    words = "|".join(spelt(re.escape(" ".join(each.split()))) for each in sorted(polite, key=len, reverse=True))
    return _FirstWords(
        {word: tuple(found) for word, found in commands.items()},
        {word: tuple(found) for word, found in greetings.items()},
        {word: tuple(found) for word, found in closings.items()},
        re.compile(rf"[¡¿]?(?:{words})(?![\w'-])[\s,.!:–—-]*", re.IGNORECASE),
        re.compile(rf"[\s,]+(?:{words})$", re.IGNORECASE),
        frozenset(commands) | {_first_word(each) for each in polite},
    )


def first_words(rows: str) -> frozenset[str]:
    """The words with which rows begin, folded. Raises ValueError for a row whose first word may be left out."""
    found: set[str] = set()
    for row in filter(str.strip, re.split(r"^\s*- ", rows, flags=re.MULTILINE)):
        start = row.lstrip()
        if start[0] in "[<{.":
            raise ValueError(f'a row begins with what may be left out: "{row.strip()}"')
        ways = _alternatives(start) if start[0] == "(" else start.split()[0].split("|")
        found.update(_folded(way.split()[0]) for each in ways for way in each.split("|"))
    return frozenset(found)


def _alternatives(row: str) -> Iterator[str]:
    """What may stand in the bracket with which a row begins, each with its first word ahead."""
    depth, begun = 0, 1
    for at, mark in enumerate(row):
        depth += (mark in "([") - (mark in ")]")
        if (mark == "|" and depth == 1 and row[at - 1] == " ") or not depth:
            yield row[begun:at].strip(" (")
            begun = at + 1
        if not depth:
            return


def _folded(word: str) -> str:
    """A word without accents, and with German letters as if they were written out: "Grüße" and "gruesse" are one."""
    if not word.isascii():
        word = word.replace("ß", "ss").replace("œ", "oe")
        word = "".join(mark for mark in normalize("NFKD", word) if not combining(mark))
    return _WRITTEN_OUT.sub(r"\1", word.lower())


def _first_word(line: str) -> str:
    words = line.split(None, 1)
    return _folded(words[0].strip(_MARKS)) if words else ""


_PLAIN = {"ß": "(?:ß|ss)", "œ": "(?:œ|oe)", "ä": "(?:ä|ae?)", "ö": "(?:ö|oe?)", "ü": "(?:ü|ue?)", "'": " ?'? ?"}


def spelt(pattern: str) -> str:
    """A pattern whose letters may be written without accents, German ones also out."""
    if pattern.isascii() and "'" not in pattern:
        return pattern
    return "".join(_PLAIN.get(mark) or _either(mark) for mark in pattern)


def _either(mark: str) -> str:
    return mark if mark.isascii() else f"[{mark}{normalize('NFKD', mark)[0]}]"


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
_AND = re.compile(r"\s+(?:und|et|y|e|ed|en|sowie)\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:all|dall|dell|l|d)'\s*", re.IGNORECASE)
_ORDINAL = re.compile(r"(?<=\d)(?:\.(?!\d)|er\b|ère\b|º|°|ª|e\b)", re.IGNORECASE)
_CLOCK = re.compile(r"\b(\d{1,2})\s?(?:uhr|h|uur|heures?|horas)\b(?:\s?(\d{2})\b)?", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_SPAN_CUT = re.compile(r"\b(\d+)\s?(?:std|u)\b\.?", re.IGNORECASE)


def _put(words: Mapping[str, str], tongue: Tongue) -> dict[str, str]:
    """What a row takes over, as it stands in our line."""
    return {name: _said(name, text.strip(), tongue) for name, text in words.items()}


def _said(name: str, text: str, tongue: Tongue) -> str:
    if name in _LISTED:
        return ", ".join(_ARTICLE.sub("", each.strip()) for each in _AND.sub(",", text).split(","))
    return in_english(text, tongue) if name in _DATED else text


def in_english(text: str, tongue: Tongue) -> str:
    """A date or a length of time with the words of a language in English.

    >>> in_english("Freitag, 4. Dezember, 20 Uhr", GERMAN), in_english("zwei Tage", GERMAN)
    ('friday, 4 december, 20:00', 'two days')
    """
    if not _DATES_ONLY_SPANS.fullmatch(text):
        text = _CLOCK.sub(lambda match: f"{match[1]}:{match[2] or '00'}", text)
    text = _ORDINAL.sub(" ", text)
    known = _words_of(tongue.code)
    text = _WORD.sub(lambda match: known.get(_folded(match[0]), match[0]), text)
    return " ".join(text.split()).replace(" ,", ",")


_DATES_ONLY_SPANS = re.compile(r"\s*\d{1,3}\s?(?:h|heures?|horas|uur)\s*", re.IGNORECASE)
""" "24 heures" is a length of time where it stands alone."""


@lru_cache(maxsize=8)
def _words_of(code: str) -> Mapping[str, str]:
    tongue = next(each for each in TONGUES if each.code == code)
    return {_folded(word): english for english, words in tongue.words.items() for word in words.split()}

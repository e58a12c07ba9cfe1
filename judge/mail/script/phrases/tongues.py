"""The words of other languages for what players write: `templates/languages/CODE/phrases.toml`, read once.

Each section of such a file says above itself what it is. `judge.mail.script.phrases.abroad` reads lines with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from unicodedata import combining, normalize

from judge.mail.script.phrases import KINDS
from judge.wordbook import Wordbook, wordbooks

_WRITTEN_OUT = re.compile(r"([aou])e")


class Tongue(NamedTuple):
    """The words of one language.

    - `commands`: our line -> the rows for it. What a row takes over stands in the line by its name: `{powers}`,
      `{power}`, `{since}`, `{till}`, `{when}`, `{span}`, `{phase}` are read in this language, all others as they are.
    - `polite`: what may stand ahead of a command and behind it.
    - `greetings`: rows of what greets, thanks and wishes; `closings`: rows of what stands above a name.
    - `ends`: lines that end press.
    - `headings`: words of headings that name nothing.
    - `joins`: rows of what a stranger writes who would like to play.
    - `dates`: a word of a date or a length of time, folded -> the English one.
    """

    code: str
    commands: Mapping[str, str]
    polite: tuple[str, ...]
    greetings: str
    closings: str
    joins: str
    ends: tuple[str, ...]
    headings: tuple[str, ...]
    dates: Mapping[str, str]


_NOTHING = "nothing"
"""The row for words of dates that say nothing."""
_DATES = tuple(
    f"""january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday today tomorrow overmorrow noon midnight next this coming day days hour hours week
    weeks 1 two three four five six seven ten at {_NOTHING}""".split()
)
_SECTIONS: dict[str, tuple[str, ...]] = {
    "parts": (),
    "commands": (),
    "courtesies": ("polite", "greetings", "closings", "farewell", "joins"),
    "press": ("ends",),
    "headings": ("words", "subject", "to", "turn"),
    "dates": _DATES,
    "numbers": ("clock", "length", "day"),
    "lists": ("and", "joined"),
    "asked-back": ("takes-back", "things", "otherwise", "army", "fleet", "articles", "towards"),
}
_PART = re.compile(r"\$([A-Z]+)")
_FIELD = re.compile(r"\{(\w+)\}")
_TAKEN = re.compile(r"<(\w+)(?::(\w+))?>")
_ROW = re.compile(r"^\s*- ", re.MULTILINE)


def tongue_of(table: Wordbook) -> Tongue:
    """The words of a table. Raises WrongWordsError for rows that cannot be compared with a line."""
    return Tongue(
        table.code,
        {ours: rows for ours in table.rows("commands") if (rows := _rows(table, "commands", ours))},
        table.words("courtesies", "polite"),
        _rows(table, "courtesies", "greetings"),
        _rows(table, "courtesies", "closings"),
        _rows(table, "courtesies", "joins"),
        table.words("press", "ends"),
        table.words("headings", "words"),
        {
            folded(word): "" if english == _NOTHING else english
            for english in table.rows("dates")
            for word in table.words("dates", english)
        },
    )


def _rows(table: Wordbook, section: str, row: str) -> str:
    """The rows for something, with their parts written out. Raises WrongWordsError for one that cannot be compared."""

    def part(name: re.Match[str]) -> str:
        if not (said := table.text("parts", name[1])):
            raise table.wrong(section, row, f"{name[0]} is none of the [parts]")
        return said

    rows = _PART.sub(part, table.text(section, row))
    if not rows.strip():
        return ""
    if not rows.lstrip().startswith("- "):
        raise table.wrong(section, row, 'its rows begin with a dash: "- ..."')
    for one in _ROW.split(rows):
        if one.count("(") != one.count(")") or one.count("[") != one.count("]"):
            raise table.wrong(section, row, f'"{one.strip()}" has a bracket that does not close')
    for taken in _TAKEN.finditer(rows):
        if taken[2] and taken[2] not in KINDS:
            raise table.wrong(section, row, f'"{taken[0]}" takes over no known kind of words')
    if missing := set(_FIELD.findall(row)) - {taken[1] for taken in _TAKEN.finditer(rows)}:
        raise table.wrong(section, row, f"its rows take over nothing as <{missing.pop()}>")
    try:
        first_words(rows)
    except (IndexError, ValueError) as error:
        raise table.wrong(section, row, str(error)) from None
    return rows


def first_words(rows: str) -> frozenset[str]:
    """The words with which rows begin, folded. Raises ValueError for a row whose first word may be left out."""
    found: set[str] = set()
    for row in filter(str.strip, _ROW.split(rows)):
        start = row.lstrip()
        if start[0] in "[<{.":
            raise ValueError(f'a row begins with what may be left out: "{row.strip()}"')
        ways = _alternatives(start) if start[0] == "(" else start.split()[0].split("|")
        found.update(folded(way.split()[0]) for each in ways for way in each.split("|"))
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


def folded(word: str) -> str:
    """A word without accents, and with German letters as if they were written out: "Grüße" and "gruesse" are one."""
    if not word.isascii():
        word = word.replace("ß", "ss").replace("œ", "oe")
        word = "".join(mark for mark in normalize("NFKD", word) if not combining(mark))
    return _WRITTEN_OUT.sub(r"\1", word.lower())


_PLAIN = {"ß": "(?:ß|ss)", "œ": "(?:œ|oe)", "ä": "(?:ä|ae?)", "ö": "(?:ö|oe?)", "ü": "(?:ü|ue?)", "'": " ?'? ?"}


def spelt(pattern: str) -> str:
    """A pattern whose letters may be written without accents, German ones also out."""
    if pattern.isascii() and "'" not in pattern:
        return pattern
    return "".join(_PLAIN.get(mark) or _either(mark) for mark in pattern)


def _either(mark: str) -> str:
    return mark if mark.isascii() else f"[{mark}{normalize('NFKD', mark)[0]}]"


TABLES = wordbooks("phrases", _SECTIONS)

TONGUES: tuple[Tongue, ...] = tuple(map(tongue_of, TABLES))

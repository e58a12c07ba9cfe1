"""What is read in other languages: the tables of words that a translator fills, `templates/languages/CODE/*.toml`.

What is *said* in a language stands in the catalogues beside them (`judge.catalogues`). A table is read whole, once in a
process, by the module that knows what its words do: the words are constants, as if they stood in that module. A row
that nobody would read is refused when the judge starts, with its file and its place.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from judge import resources


class WrongWordsError(ValueError):
    """A table of words cannot be used; its message names the file and the row."""


class Wordbook:
    """A table of words, one file of one language: sections, and in them rows. A row is a text, or a list of texts.

    `code` is the language ("de"). A section or a row that is not there has no words.
    """

    def __init__(self, path: Path) -> None:
        """Raises WrongWordsError where the file is no TOML, or not made of sections with rows."""
        self.code = path.parent.name
        self._name = f"languages/{self.code}/{path.name}"
        try:
            self._sections: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise WrongWordsError(f"{self._name}: {error}") from None
        for section, rows in self._sections.items():
            if not isinstance(rows, dict):
                raise WrongWordsError(f'{self._name}: "{section}" stands above the first [section]')

    def wrong(self, section: str, row: str, what: str) -> WrongWordsError:
        """The error that names a row: "languages/de/orders.toml, [words], army: ..."."""
        return WrongWordsError(f"{self._name}, [{section}], {row}: {what}")

    def only(self, known: Mapping[str, Collection[str]]) -> None:
        """Raise WrongWordsError for a section, or a row of it, that is none of the `known`; a section for which there
        are no known rows may have any.
        """
        for section, rows in self._sections.items():
            if section not in known:
                raise WrongWordsError(f"{self._name}, [{section}]: no such section; there are {', '.join(known)}")
            for row in rows:
                if known[section] and row not in known[section]:
                    raise self.wrong(section, row, f"no such row; there are {', '.join(known[section])}")

    def sections(self) -> Iterator[str]:
        """The names of the sections, in their order."""
        yield from self._sections

    def filled(self, section: str, row: str) -> bool:
        """Whether a row has any words."""
        return bool(self._sections.get(section, {}).get(row))

    def rows(self, section: str) -> Iterator[str]:
        """The names of the rows of a section, in their order."""
        yield from self._sections.get(section, {})

    def text(self, section: str, row: str) -> str:
        """The text of a row; "" where it is not there."""
        found = self._sections.get(section, {}).get(row, "")
        if not isinstance(found, str):
            raise self.wrong(section, row, 'must be one text, as in "..."')
        return found

    def words(self, section: str, row: str) -> tuple[str, ...]:
        """The words, or the texts, of a row that lists them; none where it is not there."""
        found = self._sections.get(section, {}).get(row, [])
        if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
            raise self.wrong(section, row, 'must be a list of words, as in ["...", "..."]')
        return tuple(found)


def folder() -> Path:
    """Where the languages are, a folder for each."""
    return resources.folder("templates") / "languages"


@lru_cache(maxsize=16)
def _all(name: str) -> tuple[Wordbook, ...]:
    return tuple(map(Wordbook, sorted(folder().glob(f"*/{name}.toml"))))


def wordbooks(name: str, known: Mapping[str, Collection[str]] | None = None) -> tuple[Wordbook, ...]:
    """The tables of a name ("orders") of all languages that have one, in the order of their codes.

    `known`: the sections of such a table, and their rows (none: any); None where another module has looked at them.
    Raises WrongWordsError.
    """
    found = _all(name)
    for table in found if known is not None else ():
        table.only(known or {})
    return found


def any_of(tables: Iterable[Wordbook], section: str, *rows: str, gap: str = ".*", also: str = "") -> str:
    """A pattern for what any table has in some rows, "" included: `(a|b)` is one of these, `[a|b]` one of them or
    nothing, `*` any ending, `...` what `gap` says. `also`: a pattern beside them.

    Raises WrongWordsError for a bracket that does not close.
    """
    found = dict.fromkeys([also] if also else [])
    for table in tables:
        for row in rows:
            for line in table.words(section, row):
                if line.count("(") != line.count(")") or line.count("[") != line.count("]"):
                    raise table.wrong(section, row, f'"{line}" has a bracket that does not close')
                found[pattern(line, gap)] = None
    return "|".join(found) or r"(?!)"


def pattern(line: str, gap: str = ".*") -> str:
    """The pattern of a row.

    >>> pattern("(has|have) [been] forward*"), pattern("(nehme|ziehe) ... zurück")
    ('(?:has|have) (?:(?:been) )?forward\\\\w*', '(?:nehme|ziehe)\\\\b.*\\\\bzurück')
    """
    text = re.escape(line).replace(r"\ ", " ").replace(r" \.\.\. ", rf"\b{gap}\b")
    for marks, meant in ((r"\(", "(?:"), (r"\)", ")"), (r"\|", "|"), (r"\*", r"\w*")):
        text = text.replace(marks, meant)
    return re.sub(r"\\\[(.*?)\\\] ", r"(?:(?:\1) )?", text)

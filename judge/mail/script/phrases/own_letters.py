"""What our own letters look like in other languages, to know one that comes back unmarked: patterns for the beginnings
of lines, `templates/languages/CODE/copies.toml`. The English ones stand in `judge.mail.script.copies`.

`tests/script/test_copies_abroad.py` has every kind of letter sent back in every language: it fails where a line that
begins one has been translated otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.wordbook import wordbooks

_TABLES = wordbooks(
    "copies",
    {"heads": ("begin", "phase", "results", "failed", "form", "facts"), "foot": ("rules", "phrase", "help")},
)


def _patterns(section: str, row: str) -> Iterator[str]:
    """Those of a row, one for each language that has it. Raises WrongWordsError for one that is no pattern."""
    for table in _TABLES:
        if found := table.text(section, row):
            try:
                re.compile(found)
            except re.error as error:
                raise table.wrong(section, row, f"no regular expression: {error}") from None
            yield found


def _any_of(patterns: Iterator[str]) -> str:
    return "|".join(patterns) or r"(?!)"


PHASE = f"(?:{_any_of(_patterns('heads', 'phase'))})"
TITLE = _any_of(
    rf"{table.text('heads', 'phase')} - (?:{table.text('heads', 'results')})"
    for table in _TABLES
    if table.text("heads", "phase")
)
HEADS = _any_of(pattern for table in _TABLES for pattern in table.words("heads", "begin"))
RULES = tuple(_patterns("foot", "rules"))
CHECK_PHRASES = tuple(_patterns("foot", "phrase"))
HELP = tuple(_patterns("foot", "help"))
ORDER_FORMS = tuple(_patterns("heads", "form"))
LABELS = _any_of(word for table in _TABLES for word in table.words("heads", "facts"))
FAILED = _any_of(_patterns("heads", "failed"))
"""What stands behind the signs in the head of a list of results: "( ) = failed"."""

"""Words of orders in other languages, read beside the English ones: `templates/languages/CODE/orders.toml`.

No word there means anything in an English order, or is a name, or the beginning of one, on any board (but "sich", which
stays Sichuan where there is one): so no English line is read otherwise for them. A word that two of these languages use
for two things ("se": Spanish "itself", Italian "if") is in neither, and a line that needs it is asked back. German
letters may be written out ("fuer"), accents left away.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping

from judge.board.spelling import spelled_out
from judge.wordbook import Wordbook, wordbooks

ARMY, FLEET, MOVE, SUPPORT, CONVOY, HOLD = "A", "F", "-", "S", "C", "H"
RETREAT, DISBAND, BUILD, WAIVE, BREAK, CONDITION, FILLER = "R", "D", "B", "W", ",", "X", ""

_ROWS: Mapping[str, str] = {
    "army": ARMY,
    "fleet": FLEET,
    "move": MOVE,
    "support": SUPPORT,
    "convoy": CONVOY,
    "hold": HOLD,
    "retreat": RETREAT,
    "disband": DISBAND,
    "build": BUILD,
    "waive": WAIVE,
    "and": BREAK,
    "unless": CONDITION,
    "nothing": FILLER,
}
"""Row of a table -> what its words say, as the letters of `judge.orders.words` have it."""

TABLES = wordbooks(
    "orders",
    {
        "words": tuple(_ROWS),
        "of": ("words",),
        "joined": ("before", "behind"),
        "results": ("begin",),
        "kept": ("others", "all", "as-before", "keep", "hold", "change", "not", "nothing", "idle"),
    },
)

OF = frozenset(word for table in TABLES for word in table.words("of", "words"))
"""What may stand between a unit and its place."""


def elisions_abroad() -> str:
    """A pattern for what is written together with the word for a unit, or with its place, an apostrophe between."""
    found = list[str]()
    for table in TABLES:
        units = [way for row in ("army", "fleet") for word in table.words("words", row) for way in _written(word)]
        behind = "|".join(f"(?<={unit} )" for unit in units)
        found += [rf"\b{word}'(?={'|'.join(units)})" for word in table.words("joined", "before")]
        found += [f"(?:{behind}){word}'" for word in table.words("joined", "behind")]
    return "|".join(found) or r"(?!)"


def outcomes_abroad() -> frozenset[str]:
    """How the column begins in which results say what became of an order: one word, or two, with every way to write
    their letters.
    """
    return frozenset(way for table in TABLES for each in table.words("results", "begin") for way in _written(each))


def words_abroad(english: Collection[str] = (), tables: Iterable[Wordbook] = TABLES) -> Iterator[tuple[str, str]]:
    """(word, what it says) of all these languages, with every way to write its letters. Raises WrongWordsError for a
    word that says two things, or is one of the `english` ones.
    """
    said: dict[str, str] = {}
    for table in tables:
        for row in table.rows("words"):
            for word in table.words("words", row):
                for written in _written(word):
                    if written in english:
                        raise table.wrong("words", row, f'"{written}" is an English word of orders')
                    if said.setdefault(written, row) != row:
                        raise table.wrong("words", row, f'"{word}" is a word for "{said[written]}" already')
                    yield written, _ROWS[row]


def _written(word: str) -> Iterator[str]:
    """A word with its accents, without, and with German letters written out.

    >>> list(_written("rückzug"))
    ['rückzug', 'ruckzug', 'rueckzug']
    """
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))
    yield from dict.fromkeys((word, plain.replace("ß", "ss"), spelled_out(word)))

"""What powers, seasons, kinds of phases and coasts are called in other languages, read behind their English names.

The names stand in `templates/languages/CODE/names.toml`. A row serves every power of a board that has its English name,
be it as an alias. German letters may be written out; accents never count.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.board.model import Power
from judge.board.spelling import DIRECTIONS, ENGLISH_COASTS, Words, spelled_out, without_accents, words_of
from judge.wordbook import wordbooks

NAMES = wordbooks(
    "names",
    {
        "powers": (),
        "phases": (),
        "coasts": tuple(DIRECTIONS.values()),
        "articles": ("apart", "joined"),
        "declined": (),
        "first-word": (),
    },
)

ARTICLES = frozenset(word for table in NAMES for word in table.words("articles", "apart"))
"""Words before a name that say nothing."""

COAST_WORDS: dict[Words, str] = ENGLISH_COASTS | {
    words_of(form): coast
    for table in NAMES
    for coast in table.rows("coasts")
    for name in table.words("coasts", coast)
    for form in (name, spelled_out(name))
}
"""("south", "coast") -> "SC", and every other way to write a coast, in other languages too."""


def names_abroad(power: Power) -> Iterator[str]:
    """What a power is called in other languages, with every way to write it, folded and without blanks."""
    english = {power.name, *power.aliases}
    for table in NAMES:
        endings = {end: table.words("declined", end) for end in table.rows("declined")}
        joined = table.words("articles", "joined")
        for row in table.rows("powers"):
            if row in english or row.upper() == power.key:
                for name in table.words("powers", row):
                    more = (ending for end, each in endings.items() if name.endswith(end) for ending in each)
                    for form in (name, *(name + ending for ending in more)):
                        yield from {_folded(form), _folded(spelled_out(form))}
                    yield from (article + _folded(name) for article in joined)


def _folded(name: str) -> str:
    return "".join(words_of(name))


def phase_words_abroad(name: str) -> Iterator[str]:
    """What a season or a kind of phase is called in other languages, in lower case: with accents, without, and with
    German letters written out.

    >>> list(phase_words_abroad("Summer"))
    ['sommer', 'som', 'verano', 'été', 'ete', 'estate', 'zomer', 'zom']
    """
    for table in NAMES:
        for word in table.words("phases", name):
            word = word.lower()
            yield from dict.fromkeys((word, without_accents(word), spelled_out(word)))

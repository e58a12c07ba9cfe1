"""What places are called in other languages: `templates/languages/CODE/places.toml`, which serves all boards.

A row stands for every place that has its English name on any board: first the name that letters say, then others that
are read. A name that on some board is another place's, or begins another place's name, is none there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from judge.board.abroad import NAMES
from judge.board.model import Board, Province
from judge.board.spelling import spelled_out, spellings, words_of
from judge.wordbook import wordbooks

Names = Mapping[str, tuple[str, ...]]
"""English name, folded and without blanks -> names in one language."""

_ENDINGS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    table.code: {end: table.words("first-word", end) for end in table.rows("first-word")} for table in NAMES
}
"""Language -> how the first word of a name of several ends -> what may stand for that."""


def folded(text: str) -> str:
    """A name without case, accents, marks and blanks: two that are equal so are one.

    >>> folded("St. Petersburg"), folded("Khar'kov")
    ('stpetersburg', 'kharkov')
    """
    return "".join(words_of(text))


@cache
def places_abroad() -> Mapping[str, Names]:
    """Language -> names of the places of all boards. Raises WrongWordsError."""
    return {
        table.code: {folded(english): table.words("places", english) for english in table.rows("places")}
        for table in wordbooks("places", {"places": ()})
    }


def names_of(
    board: Board, names: Mapping[str, Names], own: Mapping[str, Names]
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Code -> language -> what the place is called, as far as that means no other place of this board. `own`: language
    -> code -> names that the board itself gives, which go before.
    """
    taken = _taken(board)
    found: dict[str, dict[str, tuple[str, ...]]] = {code: {} for code in board.provinces}
    for language in {**own, **names}:
        rows, special = names.get(language, {}), own.get(language, {})
        for code, province in board.provinces.items():
            called = dict.fromkeys((*special.get(code, ()), *rows.get(folded(province.name), ())))
            if fitting := tuple(name for name in called if taken.get(folded(name), code) == code):
                found[code][language] = fitting
    return _each_of_one_place(found)


def _taken(board: Board) -> dict[str, str]:
    """Folded text -> the place whose name it is, or begins; "" for several places, or for none that is played."""
    taken: dict[str, str] = {}
    for text in (*board.impassable, *board.ambiguous):
        taken[folded(text)] = ""
    for code, province in board.provinces.items():
        whole = {"".join(words) for text in (code, province.name) for words in spellings(words_of(text))}
        for text in {name[:length] for name in whole for length in range(1, len(name) + 1)} | _aliases(province):
            taken[text] = code if taken.get(text, code) == code else ""
    return taken


def _aliases(province: Province) -> set[str]:
    return {"".join(words) for alias in province.aliases for words in spellings(words_of(alias))}


def _each_of_one_place(found: dict[str, dict[str, tuple[str, ...]]]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Without what two places are called, be it in two languages."""
    means: dict[str, set[str]] = {}
    for code, rows in found.items():
        for name in (name for names in rows.values() for name in names):
            means.setdefault(folded(name), set()).add(code)
    return {
        code: {
            language: kept
            for language, names in rows.items()
            if (kept := tuple(name for name in names if len(means[folded(name)]) == 1))
        }
        for code, rows in found.items()
    }


def written(names: Iterable[str], language: str) -> Iterator[str]:
    """Every way to write names of a language: with German letters written out, and the first word of several declined.

    >>> sorted(written(["Rotes Meer"], "de")), sorted(written(["Köln"], "de"))
    (['Rote Meer', 'Roten Meer', 'Rotes Meer'], ['Koeln', 'Köln'])
    """
    for name in names:
        for form in _declined(name, _ENDINGS.get(language, {})):
            yield from {form, spelled_out(form)}


def _declined(name: str, endings: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """ "ins Rote Meer", "im Roten Meer"."""
    yield name
    first, blank, rest = name.partition(" ")
    if blank and (end := next((end for end in endings if first.endswith(end)), "")):
        yield from (f"{first.removesuffix(end)}{other} {rest}" for other in endings[end])

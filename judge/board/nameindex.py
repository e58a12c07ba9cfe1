"""Every written form of every place of a board, compiled for looking up. `judge.board.names` asks it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from judge.board.model import Board, Power
from judge.board.spelling import COAST_WORDS, Words, cut_words, spellings, without_kind_words, words_of

SHORTEST_PREFIX = 3
"""Letters that a name cut short must keep (VII.4: usually the first three letters are enough)."""

Keys = dict[str, dict[str, None]]
"""Folded text -> province codes, in the order of their finding."""


@dataclass(slots=True)
class NameIndex:
    """Folded text without blanks -> province codes, in two ranks; and where running text may have its gaps."""

    exact: dict[str, tuple[str, ...]] = field(default_factory=dict)
    prefix: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Never repeats a code that `exact` has under the same text."""
    spaced: set[str] = field(default_factory=set)
    """Names of several words, with blanks: "gulf of l"."""
    openings: set[str] = field(default_factory=set)
    """How such names begin: "gulf", "gulf of"."""
    later: set[str] = field(default_factory=lambda: {word for words in COAST_WORDS for word in words} | {"of"})
    """Words that can stand second or later in a name or its coast."""
    forms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Code -> all its full forms, to measure typing slips against."""
    impassable: dict[str, str] = field(default_factory=dict)
    """Places nobody may enter, also cut short -> the sentence that says so."""


def index_names(board: Board) -> NameIndex:
    """The index of a board's places."""
    index = NameIndex()
    explicit: Keys = {}
    derived: Keys = {}
    prefixes: Keys = {}
    for code, province in board.provinces.items():
        whole = list(spellings(words_of(province.name)))
        bare = [short for name in whole if (short := without_kind_words(name))]
        aliases = [written for alias in province.aliases for written in spellings(words_of(alias))]
        _note(explicit, [words_of(code), *whole, *aliases], code)
        _note(derived, bare, code)
        for long in (*whole, *bare, *(alias for alias in aliases if len(alias) == 1)):
            _note_cuts(index, prefixes, cut_words(long), code)
        _note_cuts(index, prefixes, aliases, code)
        index.forms[code] = tuple(dict.fromkeys(map("".join, (words_of(code), *whole, *bare, *aliases))))
    for text, meant in board.ambiguous.items():
        explicit["".join(words_of(text))] = dict.fromkeys(meant)
    index.exact = {key: _code_first(key, codes) for key, codes in {**derived, **explicit}.items()}
    for more in (derived, prefixes):
        _add_prefixes(index, more)
    index.impassable = _index_impassable(board)
    return index


_OTHER_WORDS = frozenset({"unit", "units", "united", "great", "frank", "rep", "the", "old", "new"})
"""Beginnings of names of powers ("United Kingdom", "Frankreich") that are a title, or a person's name, far oftener."""


def index_powers(powers: Iterable[Power]) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Names of powers, folded -> keys: the full ones, and the beginnings of at least three letters."""
    exact: Keys = {}
    prefixes: Keys = {}
    for power in powers:
        for text in (power.key, power.name, power.adjective, *power.aliases):
            name = "".join(words_of(text))
            exact.setdefault(name, {})[power.key] = None
            for length in range(SHORTEST_PREFIX, len(name)):
                if name[:length] not in _OTHER_WORDS:
                    prefixes.setdefault(name[:length], {})[power.key] = None
    return {key: tuple(found) for key, found in exact.items()}, {key: tuple(found) for key, found in prefixes.items()}


def _note(keys: Keys, names: Iterable[Words], code: str) -> None:
    for name in names:
        keys.setdefault("".join(name), {})[code] = None


def _note_cuts(index: NameIndex, prefixes: Keys, cuts: Iterable[Words], code: str) -> None:
    for cut in cuts:
        key = "".join(cut)
        if len(key) >= SHORTEST_PREFIX:
            prefixes.setdefault(key, {})[code] = None
        if len(cut) > 1:
            index.spaced.add(" ".join(cut))
            index.openings.update(" ".join(cut[:count]) for count in range(1, len(cut)))
            index.later.update(cut[1:])


def _add_prefixes(index: NameIndex, more: Mapping[str, Iterable[str]]) -> None:
    for key, codes in more.items():
        known = (*index.exact.get(key, ()), *index.prefix.get(key, ()))
        if others := tuple(code for code in codes if code not in known):
            index.prefix[key] = (*index.prefix.get(key, ()), *others)


def _index_impassable(board: Board) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, why in board.impassable.items():
        key = "".join(words_of(name))
        for length in range(min(len(key), SHORTEST_PREFIX + 1), len(key) + 1):
            found.setdefault(key[:length], why)
    return found


def _code_first(key: str, codes: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(codes, key=lambda code: code.casefold() != key))

"""Letters and words of place names: folding, cutting short, coasts in words, typing slips. Knows no board."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from rapidfuzz import process
from rapidfuzz.distance import OSA

Words = tuple[str, ...]

DIRECTIONS = {"north": "NC", "south": "SC", "east": "EC", "west": "WC"}
COAST_LETTERS = {direction[0]: f"/{direction[0]}" for direction in DIRECTIONS}
"""A letter that a mark parts from its place, "Bul/e" or "Bul (e)" -> the word that stands for it here."""
DIRECTED = frozenset((*DIRECTIONS, *(f"{direction}ern" for direction in DIRECTIONS), *COAST_LETTERS.values()))
"""Words that are a coast only if the place beside them has it: "north", "northern", "/n"."""

_KIND_WORDS = frozenset({"sea", "ocean", "gulf", "bay", "channel", "bight", "strait", "straits", "of", "the"})
"""Words that say what kind of place it is; a name is also known without them."""

_SAINTS = {"st": "saint", "saint": "st"}
_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = str.maketrans("", "", "'’‘`´ʼ")


LONGEST_KEPT = 40
"""Letters of a text whose meaning is remembered. Longer ones are worked out again: strangers write what they like, and
what they wrote once need not stay in memory.
"""
MOST_KEPT = 4096
"""Texts remembered at one place: more than there are ways to write the places of a board that people use."""


def words_of(text: str) -> Words:
    """The words of a text, folded: no case, accents, apostrophes or marks.

    >>> words_of("St. Pétersbourg/SC"), words_of("Khar'kov")
    (('st', 'petersbourg', 'sc'), ('kharkov',))
    """
    return _known_words(text) if len(text) <= LONGEST_KEPT else _read_words(text)


def _read_words(text: str) -> Words:
    text = text.translate(_APOSTROPHES)
    return tuple(_WORD.findall(without_accents(text).casefold()))


def without_accents(text: str) -> str:
    """A text with plain letters.

    >>> without_accents("Málaga")
    'Malaga'
    """
    if text.isascii():
        return text
    return "".join(mark for mark in unicodedata.normalize("NFKD", text) if not unicodedata.combining(mark))


_known_words = lru_cache(maxsize=MOST_KEPT)(_read_words)


def spellings(name: Words) -> Iterator[Words]:
    """A name as it may be written out: as it is, without "of", with "saint" for "st" and the reverse."""
    yield name
    if "of" in name:
        yield tuple(word for word in name if word != "of")
    if any(word in _SAINTS for word in name):
        yield tuple(_SAINTS.get(word, word) for word in name)


def spelled_out(text: str) -> str:
    """A text with German letters as they are written where there are none.

    >>> spelled_out("Ärmelkanal"), spelled_out("Preußen")
    ('Aermelkanal', 'Preussen')
    """
    return text.translate(_SPELLED_OUT)


_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


def without_kind_words(name: Words) -> Words:
    """A name without "sea", "gulf of" and the like; empty where nothing is left or nothing was taken away.

    >>> without_kind_words(("gulf", "of", "lyon")), without_kind_words(("paris",))
    (('lyon',), ())
    """
    short = tuple(word for word in name if word not in _KIND_WORDS)
    return short if short != name else ()


def cut_words(name: Words) -> Iterator[Words]:
    """Every way to cut a name short: leading words, each by its first letters.

    Later words like "sea" keep two letters: in "F Tyr S ..." and "F Eng C ..." the letter is an order.
    """
    beginnings = [_beginnings(word, 2 if place and word in _KIND_WORDS else 1) for place, word in enumerate(name)]
    for count in range(1, len(name) + 1):
        yield from product(*beginnings[:count])


def _beginnings(word: str, least: int) -> list[str]:
    return [word[:length] for length in range(least, len(word) + 1)]


def _coast_words() -> Iterator[tuple[Words, str]]:
    for direction, coast in DIRECTIONS.items():
        letter = direction[0]
        for words in (f"{letter}c", f"{letter} c", COAST_LETTERS[letter], direction, f"{direction}ern"):
            yield tuple(words.split()), coast
        for whose, side in product((direction, f"{direction}ern"), ("coast", "shore", "side")):
            yield (whose, side), coast
        for words in (f"{letter} coast", f"{letter}coast", f"{direction}coast", f"{direction} cst", f"{letter} cst"):
            yield tuple(words.split()), coast


ENGLISH_COASTS: dict[Words, str] = dict(_coast_words())
"""("south", "coast") -> "SC", and every other way to write a coast in English."""

COAST_ENDS: tuple[tuple[str, str], ...] = tuple(
    sorted(
        {("".join(words), coast) for words, coast in ENGLISH_COASTS.items() if words[0] not in DIRECTED or words[1:]},
        key=lambda end: (-len(end[0]), end),
    )
)
"""How a word ends into which a coast is glued ("stpsc"), longest first; a bare direction is no such end."""


def allowance(typed: str) -> int:
    """How many typing slips a word may have before we no longer guess."""
    return 1 if len(typed) <= 5 else 2 if len(typed) <= 8 else 3


def slips(typed: str, meant: str, most: int) -> int | None:
    """Letters left out, added, changed or exchanged between two words; None when more than `most`.

    This is the optimal string alignment distance of Damerau and Levenshtein.

    >>> slips("lnodon", "london", 2), slips("rome", "paris", 2)
    (1, None)
    """
    found = OSA.distance(typed, meant, score_cutoff=most)
    return found if found <= most else None


_NOT = re.compile(r"(?:no|not|non|un|without|disable|dis)[\s_-]*(?=[a-z])")


def opposes(typed: str, meant: str) -> bool:
    """Whether one of two words is the other with a "not" before it, slips allowed: "unstart" and "start"."""
    return _is_not(typed, meant) or _is_not(meant, typed)


def _is_not(word: str, other: str) -> bool:
    positive = unsaid(word.lower())
    return positive != word.lower() and slips(positive, other.lower(), 1) is not None


def unsaid(word: str) -> str:
    """A word without a "not" before it, as it came where there is none.

    >>> unsaid("nodias"), unsaid("un-listed"), unsaid("dias")
    ('dias', 'listed', 'dias')
    """
    match = _NOT.match(word)
    return word[match.end() :] if match else word


def nearest(typed: str, known: Iterable[str], count: int = 1, *, least: float = 0.6) -> tuple[str, ...]:
    """For "did you mean": at most `count` of the known words that the typed one may be a misspelling of, nearest first.

    `least`: the share of the longer word's letters that must not be slips, from 0 to 1. Case counts.

    >>> nearest("lstn", ["listen", "port"]), nearest("smtp", ["listen", "port"])
    (('listen',), ())
    """
    near = process.extract(typed, list(known), scorer=OSA.normalized_similarity, score_cutoff=least, limit=count)
    return tuple(word for word, *_ in near)

"""Second looks at a line whose shape is no order: a name split in two, a slip of the fingers, words too many.

Each function yields other letters for the same line, the likeliest first. Whether one of them makes sense is for the
reader to see; nothing here touches a line that is an order already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from judge.board.names import Found
from judge.board.spelling import slips
from judge.orders.lexer import Lexed, Lexicon, Named, Slip
from judge.orders.words import TYPO_WORDS, UNIT, UNIT_LETTERS

_PLACE_RUN = re.compile(r"[P?]+")
_SHORTEST_WORD = 4
_LONGEST_WORD = 1 + max(map(len, TYPO_WORDS))
"""A longer one is more than one slip away from every word of an order."""


def rejoined(lexed: Lexed, lexicon: Lexicon) -> Iterator[Lexed]:
    """Unknown words that make a known name with their neighbours: "W Md.". No slip, so nothing is corrected."""
    if "?" in lexed.shape:
        joined = _join(lexed, lexicon, only_known=True)
        if joined is not None:
            yield joined


def without_breaks(lexed: Lexed) -> Iterator[Lexed]:
    """Commas inside an order: "Fleet London, to the North Sea"."""
    if "," in lexed.shape:
        keep = [index for index, kind in enumerate(lexed.shape) if kind != ","]
        yield _picked(lexed, keep)


_LOC = "N?(?:UP|PU|P)"
_SHARED_END = re.compile(f"((?:{_LOC},)+{_LOC})O?(-?[HDSC][^,]*)")
_SHARED_START = re.compile(f"([HDB]-?)({_LOC}(?:,{_LOC})+)")
_ONE = re.compile(_LOC)


def shared_words(lexed: Lexed) -> Iterator[Lexed]:
    """One order word for several units: "F Lon, F Edi and A Lvp hold", "disband A Bur and F Bul"."""
    if match := _SHARED_END.fullmatch(lexed.shape):
        units, tail = match.span(1), range(*match.span(2))
        yield _picked(lexed, [index for one in _each(lexed, units) for index in (*one, *tail)])
    if match := _SHARED_START.fullmatch(lexed.shape):
        head, units = range(*match.span(1)), match.span(2)
        first, *others = _each(lexed, units)
        yield _picked(lexed, [*head, *first, *(index for one in others for index in (one[0], *head, *one[1:]))])


def _each(lexed: Lexed, units: tuple[int, int]) -> list[range]:
    """Where the units of a list stand, each but the first with the comma before it."""
    found = [one.span() for one in _ONE.finditer(lexed.shape, *units)]
    return [range(start - (number > 0), end) for number, (start, end) in enumerate(found)]


def corrections(lexed: Lexed, lexicon: Lexicon) -> Iterator[Lexed]:
    """Unknown words taken for misspelt order words, for places, or for both."""
    if "?" not in lexed.shape:
        return
    words = with_words(lexed)
    for candidate in (words, lexed) if words else (lexed,):
        if "?" not in candidate.shape:
            yield candidate
            continue
        joined = _join(candidate, lexicon, only_known=False)
        if joined is not None:
            yield joined
        yield _each_a_place(candidate)


def trimmed(lexed: Lexed) -> Lexed | None:
    """The line without the unknown words at its end; None where it has none."""
    end = len(lexed.shape.rstrip("?#,"))
    if end == len(lexed.shape) or "?" not in lexed.shape[end:]:
        return None
    return _picked(lexed, list(range(end)))


def untrimmed_front(lexed: Lexed) -> Lexed | None:
    """The line without the unknown words before its first unit: "Ok then A Par - Bur"."""
    front = re.match(r"[?#,]+", lexed.shape)
    if front is None:
        return None
    return _picked(lexed, list(range(front.end(), len(lexed.shape))))


def _picked(lexed: Lexed, keep: list[int]) -> Lexed:
    return Lexed(
        "".join(lexed.shape[index] for index in keep),
        [lexed.values[index] for index in keep],
        [lexed.tokens[index] for index in keep],
        lexed.spelled,
        lexed.aside,
    )


def with_words(lexed: Lexed) -> Lexed | None:
    """Unknown words that are one slip away from an order word."""
    kinds = list(lexed.shape)
    values = list(lexed.values)
    for index, kind in enumerate(kinds):
        if kind == "?" and len(values[index]) <= _LONGEST_WORD and (meant := _near_word(values[index])) is not None:
            kinds[index] = TYPO_WORDS[meant]
            values[index] = Slip(UNIT_LETTERS[meant] if kinds[index] == UNIT else meant)
    shape = "".join(kinds)
    return lexed._replace(shape=shape, values=values) if shape != lexed.shape else None


@lru_cache(maxsize=1024)
def _near_word(word: str) -> str | None:
    if len(word) < _SHORTEST_WORD:
        return None
    return next((known for known in TYPO_WORDS if slips(word, known, 1) is not None), None)


def _join(lexed: Lexed, lexicon: Lexicon, *, only_known: bool) -> Lexed | None:
    """Runs of place words and unknown words as one name each."""
    kinds: list[str] = []
    values: list[Any] = []
    starts: list[int] = []
    end = 0
    changed = False
    for match in _PLACE_RUN.finditer(lexed.shape):
        _copy(lexed, end, match.start(), kinds, values, starts)
        end = match.end()
        if "?" not in match[0]:
            _copy(lexed, match.start(), end, kinds, values, starts)
            continue
        text = " ".join(_word(lexed.values[index]) for index in range(match.start(), end))
        found = lexicon.gazetteer.find(text)
        if not found.known and (only_known or _is_goal(lexed, match.start())):
            _copy(lexed, match.start(), end, kinds, values, starts)
            continue
        kinds.append("P")
        values.append(Named(text, found if found.known else Found()))
        starts.append(lexed.tokens[match.start()])
        changed = True
    _copy(lexed, end, len(lexed.shape), kinds, values, starts)
    return Lexed("".join(kinds), values, starts, lexed.spelled, lexed.aside) if changed else None


def _is_goal(lexed: Lexed, index: int) -> bool:
    """Whether a run begins with the whole name of a goal: what comes after it is no slip in it ("- Pic appuie")."""
    value = lexed.values[index]
    return lexed.shape[index - 1 : index] == "-" and isinstance(value, Named) and bool(value.found.exact)


def _copy(lexed: Lexed, start: int, end: int, kinds: list[str], values: list[Any], starts: list[int]) -> None:
    kinds.extend(lexed.shape[start:end])
    values.extend(lexed.values[start:end])
    starts.extend(lexed.tokens[start:end])


def _each_a_place(lexed: Lexed) -> Lexed:
    values = [
        Named(value, Found()) if kind == "?" else value for kind, value in zip(lexed.shape, lexed.values, strict=True)
    ]
    return lexed._replace(shape=lexed.shape.replace("?", "P"), values=values)


def _word(value: Any) -> str:
    return value.text if isinstance(value, Named) else str(value)

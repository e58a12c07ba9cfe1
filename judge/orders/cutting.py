"""Cuts a line of several orders at its breaks, and before each unit that no support or convoy names.

A cut must not lose a word: "A Bur H, S A Par" is not a hold with more after it. What may be dropped is chatter, and
the receipt says so; anything else is asked back with the whole line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from judge.board.phase import SEASONS
from judge.orders.lexer import Lexed
from judge.orders.tokens import fold, token_spans
from judge.orders.verdicts import LineInWork

_BEFORE_UNIT = frozenset("SCN-BDRH,ZYEV")
"""Letters after which a unit goes on with the order and begins none."""

_CHATTER = frozenset("?#NO,")
_STOPPED = re.compile(r"[.!:;,)\-]\s*$")
_WHOLE = re.compile(r"[-SC]N?U?[P?]+$|[HDB]$")
_GOES_ON = re.compile(r"P\?+$")
_VERB = re.compile("[-SCHRDBV]")

_CALL_WORDS = """
    hi hello hey dear judge gm sir gentlemen ok okay yes well so now here finally sorry thanks hereby turn phase
    spring fall autumn summer winter"""
_CALLS = frozenset(_CALL_WORDS.split())
_TITLE_WORDS = """
    new newer newest final finally last latest correct corrected correction corrections revised revision update updated
    change changed changes goes follows following below version moves orders order attached summary plan decided"""
_TITLES = _CALLS | frozenset(_TITLE_WORDS.split())
""" "New: A Par - Bur"; any other word before a colon may say that the order is none ("wrong:", "Germany said:")."""

""" "Ok A Par - Bur": words before an order that cannot be a verb of another language."""

_SEASONS = {
    code: frozenset(word for season in SEASONS if season.code != code for word in season.words if len(word) > 3)
    for code in (season.code for season in SEASONS)
}
"""Season -> words for the others: "A Bur - Mun in spring" is not for this Fall."""


class Cut(NamedTuple):
    """One part of a line. `free`: a break or the end of a sentence stands before it."""

    line: LineInWork
    lexed: Lexed
    free: bool


def cuts_of(line: LineInWork, lexed: Lexed) -> Iterator[Cut]:
    """The parts of a line, in order; one part for a line with nothing to cut."""
    cuts = [0]
    for index, kind in enumerate(lexed.shape):
        before = lexed.shape[index - 1] if index else ""
        if kind == "," or (kind == "U" and before and before not in _BEFORE_UNIT):
            cuts.append(index)
    spans = token_spans(line.folded)
    edges = [*(spans[lexed.tokens[cut]][0] if cut else 0 for cut in cuts), len(line.text)]
    free = True
    for index, (start, end) in zip(cuts, pairwise(edges), strict=True):
        free = free or lexed.shape[index] == "," or _STOPPED.search(line.text[:start]) is not None
        text = line.text[start:end].strip(" ,;&\t")
        if text.casefold().startswith("and "):
            text = text[4:]
        if not text:
            continue
        part = LineInWork(line.number, text, fold(text), line.scene)
        yield Cut(part, line.scene.lexicon.lex([token.lower() for token in _words(part)]), free)
        free = False


def _words(line: LineInWork) -> list[str]:
    return [line.folded[start:end] for start, end in token_spans(line.folded)]


def is_chatter(lexed: Lexed) -> bool:
    """Whether none of the words is known to the lexicon: such words may be dropped, with a note for the receipt."""
    return "?" in lexed.shape and _CHATTER.issuperset(lexed.shape)


def unknown_words(lexed: Lexed) -> list[str]:
    """The words that the lexicon does not know."""
    return [
        value for kind, value in zip(lexed.shape, lexed.values, strict=False) if kind == "?" and isinstance(value, str)
    ]


def may_lead(text: str, words: list[str]) -> bool:
    """Whether unknown words may stand before an order: set off by a mark, or words that call or date it."""
    if text.rstrip().endswith(":"):
        return _TITLES.issuperset(words)
    return _STOPPED.search(text) is not None or _CALLS.issuperset(words)


def ends_whole(lexed: Lexed, *, fine: bool) -> bool:
    """Whether a part ends where an order can end, so that the next order may begin without a break. `fine`: the part is
    understood. "F Bre - Xyzzy" is not, and ends so; "A Par soutient" does not end so, nor does "A Par - Pic carries".
    """
    return _GOES_ON.search(lexed.shape) is None and (fine or _WHOLE.search(lexed.shape) is not None)


def has_verb(lexed: Lexed) -> bool:
    """Whether a part could be an order by itself."""
    return _VERB.search(lexed.shape) is not None


def names_another_season(season: str, lexed: Lexed) -> bool:
    """Whether a line has words for a season that is not the present one."""
    return not _SEASONS.get(season, frozenset()).isdisjoint(unknown_words(lexed))

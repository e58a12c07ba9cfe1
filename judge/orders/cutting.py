"""Cuts a line of several orders at its breaks, and the outcome column off a pasted result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from judge.board.phase import SEASONS
from judge.orders.grammar import tile
from judge.orders.lexer import Lexed, rejoined
from judge.orders.tongues import outcomes_abroad
from judge.orders.verdicts import Blanket, LineInWork, Piece, noted, read_parts
from judge.orders.words import fold, token_spans, tokens_of

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


_GAP = re.compile(r"\s{2,}|\t")

_OUTCOME_WORDS = """
    ok failed fails succeeds succeeded given cut void illegal impossible dislodged disbanded bounced bounces stood
    held holds no carried moved moves arrived stays annihilated destroyed lost supported"""

_OUTCOMES = frozenset(_OUTCOME_WORDS.split()) | outcomes_abroad()
"""How the outcome column of a results letter begins: with one of these words, or two."""


def before_column(line: LineInWork, *, sure: bool) -> list[Piece | Blanket]:
    """The readings of a line without its outcome column, which begins after two blanks; empty if there is none. `sure`:
    only a column that begins with a word for an outcome counts, else any remark does, and the readings note that words
    were ignored.
    """
    for gap in reversed(list(_GAP.finditer(line.text))):
        rest = tokens_of(line.folded[gap.end() :])
        if not rest or not (_tells_an_outcome(rest) if sure else _is_column(line.scene.lexicon.lex(rest).shape)):
            continue
        text = line.text[: gap.start()]
        head = LineInWork(line.number, text, line.folded[: gap.start()], line.scene)
        look = line.scene.lexicon.lex(tokens_of(head.folded))
        for again in (look, *rejoined(look, line.scene.lexicon)):
            if again.shape and (parts := tile(again.shape, line.scene.kind)) is not None:
                found = read_parts(head, again, parts)
                return found if sure else [noted(piece, "words-ignored") for piece in found]
    return []


def _is_column(shape: str) -> bool:
    """Whether the words behind a gap are only a remark, and name no unit, so that they are no part of the order."""
    return shape[:1] in "?#" and "U" not in shape


def is_outcome_column(line: LineInWork, lexed: Lexed) -> bool:
    """Whether the conditional word of a line stands in its outcome column, as in "given, not enough"."""
    first = token_spans(line.folded)[lexed.tokens[lexed.shape.index("X")]][0]
    gaps = [gap.end() for gap in _GAP.finditer(line.text) if gap.end() <= first]
    return any(_tells_an_outcome(rest) for end in gaps if (rest := tokens_of(line.folded[end:])))


def _tells_an_outcome(words: Sequence[str]) -> bool:
    return words[0] in _OUTCOMES or " ".join(words[:2]) in _OUTCOMES

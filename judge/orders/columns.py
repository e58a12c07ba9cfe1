"""Pasted results have an outcome column, set off from the order by two blanks: here it is told from the order."""

from __future__ import annotations

import re

from judge.orders.grammar import tile
from judge.orders.lexer import Lexed
from judge.orders.repair import rejoined
from judge.orders.tokens import token_spans, tokens_of
from judge.orders.verdicts import Blanket, LineInWork, Piece, noted, read_parts

_GAP = re.compile(r"\s{2,}|\t")

_OUTCOME_WORDS = """
    ok failed fails succeeds succeeded given cut void illegal impossible dislodged disbanded bounced bounces stood
    held holds no carried moved moves arrived stays annihilated destroyed lost supported"""

_OUTCOMES = frozenset(_OUTCOME_WORDS.split())
"""How the outcome column of a results letter begins."""


def before_column(line: LineInWork, *, sure: bool) -> list[Piece | Blanket]:
    """The readings of a line without its outcome column, which begins after two blanks; empty if there is none. `sure`:
    only a column that begins with a word for an outcome counts, else any remark does, and the readings note that words
    were ignored.
    """
    for gap in reversed(list(_GAP.finditer(line.text))):
        rest = tokens_of(line.folded[gap.end() :])
        if not rest or not (rest[0] in _OUTCOMES if sure else _is_column(line.scene.lexicon.lex(rest).shape)):
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
    gaps = [gap.end() for gap in _GAP.finditer(line.text) if gap.end() < first]
    return any(rest[0] in _OUTCOMES for end in gaps if (rest := tokens_of(line.folded[end:])))

"""Sentences around orders that excuse their author, or hope for the best: they say nothing about any order.

"Sorry, I was ill. A War - Gal", "A War - Gal. Hope I'm not too late!": words such as "was" and "not" may take an order
back, so a line with one of them is asked back whole, unless it stands in such a sentence. A sentence is one only if it
begins like one, names no unit, no place and no order, and what else in it could turn an order round is known to be
harmless there. Whatever is doubtful stays, and is asked back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.orders.lexer import Lexicon
from judge.orders.tokens import fold, tokens_of
from judge.orders.words import CONDITION, KEYWORDS

_END = re.compile(
    r"[.!?;]+\)?(?:\s+|$)|\s*[:,–—-]\s+(?=(?:a|f|army|fleet)\b)"
    r"|\s*[,(–—-]\s*(?=(?:i(?:'|’)?m |i am )?(?:so |very )?(?:sorry|apologies|hope|hoping|i hope)\b)",
    re.IGNORECASE,
)
"""Where a sentence ends; a comma, colon or dash ends one only before a unit or an apology."""
_THINGS = r"orders?|moves?|units?|arm(?:y|ies)|fleets?|m(?:ail|essage)s?|ally|allies|plans?"
_SORRY = (
    r"(?:my |many |sincere )*apologies|(?:i['’]?m |i am )?(?:so |very |really |terribly |awfully )*sorry|excuse me"
    r"|pardon(?: me)?|forgive me"
)
_OPENS = re.compile(
    r"(?:(?:hi|hello|dear judge|judge|oh|and|but|so|again|very|really|well)\b[\s,!.]*)*"
    rf"(?:{_SORRY}|(?:i|we) (?:only |just )?(?:was|were|(?:have|had) been|had|could(?:n['’]?t)?|forgot|overslept|got"
    r"|(?:don['’]?t|do not|did not) feel)|(?:i|we)['’]ve been|(?:i |we )?(?:really |do |just |so )*hope|hoping"
    rf"|my (?!(?:{_THINGS})\b)[\w-]+ (?:was|were|had|broke|died|got)"
    r"|(?:work|life|things|the (?:train|bus|internet|power|network|line)) (?:was|were|had))\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:not|never)\s+(?:too|so|very|all that|that)?\s*(?:late|well|able|home|at home|at work|here|online|around|easy"
    r"|awake)\b|\b(?:don['’]?t|do not|did not) feel (?:so |very |too )?(?:well|good)\b|\bnext time\b|\bnot (?:be|been)"
    r" (?:able|well|here|home|late|too late)\b|\bcould(?: not|n['’]?t)\b"
    r"|\bhad to (?:work|travel|leave|drive|sleep)\b"
    r"|\bon (?:a |my |the )?(?:holidays?|vacation|leave|trip|business|road|train|plane|journey|duty)\b",
    re.IGNORECASE,
)
"""Phrases with a word in them that elsewhere turns an order round."""
_WHY = re.compile(
    r"\b(?:late|delay(?:ed)?|ill|sick|unwell|busy|away|offline|abroad|asleep|holidays?|vacation|hospital|tired|overslept"
    r"|in time|feel (?:so |very |too )?(?:well|good)"
    r"|(?:send|write|answer|reply)\b.{0,20}\b(?:earlier|sooner|before))\b",
    re.IGNORECASE,
)
"""What excuses. A sentence that runs on into the order ("I was ill, A War - Gal"), and one behind an order, must name
it: "I was told: A War - Gal" is none, and "A War - Gal. I was drunk." may take the order back.
"""
_OF_ORDERS = re.compile(
    r"\b(?:orders?|moves?|m(?:ail|essage)s?|sets?|lines?|plans?|said|told|asked|wrote|wanted|meant|thinking|planning"
    r"|going)\b",
    re.IGNORECASE,
)
_OF_LATENESS = re.compile(r"\b(?:late|delayed) (?:orders?|moves?|m(?:ail|essage)s?)\b", re.IGNORECASE)
""" "Sorry for the late orders", and no more."""
_POINTS = re.compile(r"\b(?:that|this|it|these|those|they|which|what)\b.*\b(?:was|were)\b", re.IGNORECASE)
""" "That was yesterday" may speak of the order before it."""
_PAST = frozenset(["was", "were", "before", "earlier", "later", "yesterday"])
"""Words that take an order back, but in an excuse only say what happened."""
_SHAPE = re.compile(r"(?:U\?|[?,#X])*")
""" "a" before an unknown word is an article."""
_LONGEST = 300


def without_excuses(text: str, lexicon: Lexicon) -> str:
    """The line without sentences that only excuse its author; the line itself where there are none.

    "Sorry, I was ill. A War - Gal": "A War - Gal". "Sorry, that was wrong. A War - Gal" stays as it is.
    """
    if len(text) > _LONGEST or _OPENS.search(text) is None:
        return text
    kept: list[str] = []
    for sentence in _sentences(text):
        if not _is_excuse(sentence, lexicon, leading=not kept):
            kept.append(sentence)
    whole = "".join(kept)
    return text if not kept or whole == text else whole.rstrip(" ,;:(–—-")


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a line, each with what ends it."""
    start = 0
    for match in _END.finditer(text):
        yield text[start : match.end()]
        start = match.end()
    if text[start:].strip():
        yield text[start:]


def _is_excuse(sentence: str, lexicon: Lexicon, *, leading: bool) -> bool:
    """Whether a sentence only excuses. `leading`: no order stands before it, which it could speak of."""
    said = sentence.strip().rstrip(")")
    if _OPENS.match(said) is None or said.endswith("?") or _POINTS.search(said):
        return False
    if _OF_ORDERS.search(said) and not _OF_LATENESS.search(said):
        return False
    plain = said.rstrip(" :,–—-.!;")
    if (not leading or said[-1:] in ":,–—-") and not _WHY.search(said) and not _OPENS.fullmatch(plain):
        return False
    words = tokens_of(fold(_HARMLESS.sub(" ", plain)))
    if any(KEYWORDS.get(word) == CONDITION and word not in _PAST for word in words):
        return False
    return _SHAPE.fullmatch(lexicon.lex(words).shape) is not None

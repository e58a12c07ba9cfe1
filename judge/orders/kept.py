"""Sentences that leave orders as they are: "The rest stays as it is", "All other orders stand", "A Mun as before".

What is on file for the units that such a sentence speaks of is kept, and where nothing is on file they hold. "The rest
holds" and "all others stand still" are orders for those units instead (`grammar.py`). A sentence is one of these only
if every word of it is on the lists below: whatever else stands in it is for other readers. Here is told, too, of which
units a line says in other words that they hold: "A Par does nothing".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from judge.orders.tongues import TABLES
from judge.orders.words import tokens_of
from judge.wordbook import any_of


def _words(text: str, row: str = "") -> frozenset[str]:
    """The words of a list, and those that other languages have in a row of theirs."""
    return frozenset(text.split()).union(*(table.words("kept", row) for table in TABLES))


_OTHERS = _words("rest remainder remaining other others else otherwise", "others")
_ALL = _words("all everything everyone everybody every nothing anything", "all")
_AS_BEFORE = _words(
    "same unchanged unaltered untouched unmodified before previously earlier ditto idem already", "as-before"
)
_KEEPS = _words(
    """
    stay stays staying stand stands standing remain remains keep keeps kept keeping leave leaves left valid force
    effect good fine ok okay correct right file sent submitted given planned written continue continues alone""",
    "keep",
)
_CHANGES = _words(
    "change changes changed changing alter altered alteration alterations different modification touch", "change"
)
_REPORTED = _words("was were been")
"""Of what has happened: "Nothing was changed" is a sentence of ours."""
_HOLDS = _words("hold holds holding held h idle")
_HOLDS_ABROAD = _words("", "hold")
_NOT = _words("no not nothing don't dont doesn't doesnt didn't without none never", "not")
_WITHOUT_MEANING = _words(
    """
    the my our all of to as are is was were be been will shall should with for and that i we have has had i've it its
    they them their on in from at please just simply also so still exactly which what like did do does let any there
    orders order ordered moves move units unit army armies fleet fleets pieces forces ones one instructions set now how
    way a other further more judge per mail letter message last previous , : ; . ( ) & - / then but""",
    "nothing",
)
_STAND_STILL = re.compile(
    r"\b(?:stands?|stays?|sits?|remains?|keeps?|standing|staying)\s+(?:still|put|fast|firm|tight|home|at home|in place"
    r"|in position|in (?:its|their) places?|where (?:they are|it is|they stand))\b"
    r"|\b(?:do|does|doing) nothing\b|\b(?:do not|does not|don'?t|doesn'?t) move\b",
    re.IGNORECASE,
)
_STILL = _words("""
    sit sits still put fast firm tight home place position places where do does doing move""")
_KNOWN = _OTHERS | _ALL | _AS_BEFORE | _KEEPS | _CHANGES | _NOT | _WITHOUT_MEANING
SIGNS = _OTHERS | _ALL | _AS_BEFORE | _CHANGES | _words("as")
"""A line with none of these words holds no such sentence."""

_PART = re.compile(
    r"[,;.:!()\n]+\s*|\s+[-–—]+\s+|\s+(?:and|but|with|while)\s+|\s*\b(?:except(?: for| that)?|apart from|besides"
    r"|other than|only)\b[\s,:]*",
    re.IGNORECASE,
)
"""Between the parts of a line, one of which may be such a sentence."""
_OF_A_UNIT = re.compile(
    r"(?P<unit>.*?)[\s,:–—-]+(?:(?:is|are|stays?|stands?|remains?|keeps?)\s+)?(?:the\s+)?"
    r"(?:unchanged|unaltered|same(?: as before| orders?)?|no changes?"
    r"|as (?:(?:it|they) (?:is|are|was|were)|is|before|on file|already ordered|previously (?:ordered|sent)))"
    r"[\s.!;,]*",
    re.IGNORECASE,
)
_AS_IT_IS = re.compile(
    r"\bas (?:(?:it|they|i) |(?:it|they)['’]?(?:s|re)\b|is\b|are\b|on file|sent|planned|ordered|agreed|per|in my)",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"(?P<units>.+?)[\s,:–—-]+(?:(?:will|shall|is to|are to|should|to)\s+)?"
    r"(?:(?:do|does|doing) (?:nothing|not move)|(?:don['’]?t|doesn['’]?t|not) move|nothing|no move"
    r"|(?:stays?|sits?|remains?|keeps?|stands?)\s+(?:still|put|tight|firm|fast|idle|at home|quiet|in place)"
    rf"|waits?|idles?|idle|rests?|{any_of(TABLES, 'kept', 'idle')})[\s.!]*",
    re.IGNORECASE,
)
""" "A Par does nothing", "Army Paris sits tight"."""
_LEFT_IN_PLACE = re.compile(
    r"(?:please\s+)?(?:keep|leave|hold|let)\s+(?P<units>.+?)\s+"
    r"(?:(?:just\s+)?where (?:it is|they are|it stands|they stand)"
    r"|in (?:its |their )?(?:place|position)|alone|put|stand(?:ing)?(?: still)?|stay(?: put)?)[\s.!]*",
    re.IGNORECASE,
)
""" "Keep the fleet in Brest where it is"."""
_LONGEST = 200


class OfOthers(NamedTuple):
    """The stretch of a line from `start` to `end` that speaks of all others, or of all: they keep what is on file for
    them, or (`hold`) they stand still.
    """

    start: int
    end: int
    hold: bool


def said_of_others(text: str) -> OfOthers | None:
    """The part of a line that leaves all other orders, or all orders, as they are; None where there is none.

    >>> said_of_others("A Lvp - Edi, the rest stays as it is."), said_of_others("A Par - Bur, everything else holds")
    (OfOthers(start=13, end=37, hold=False), None)
    """
    if len(text) > _LONGEST:
        return None
    for start, end in _stretches(text):
        if (hold := _holds(text[start:end])) or _keeps(text[start:end]):
            return OfOthers(start, end, hold)
    return None


def speaks_of_others(text: str) -> bool:
    """Whether a line is nothing but such a sentence."""
    return len(text) <= _LONGEST and (_keeps(text) or _holds(text))


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """The whole line, then as much of its beginning or its end as is parted from the rest."""
    yield 0, len(text)
    cuts = [match.span() for match in _PART.finditer(text)]
    for _, begin in cuts:
        yield begin, len(text)
    for end, begin in cuts:
        yield 0, begin if text[end:begin].strip() in (".", "!", ",", ";", ":") else end
    for _, begin in cuts:
        for end, _ in cuts:
            if begin < end:
                yield begin, end


def _holds(text: str) -> bool:
    """Whether a sentence says that all others, or all, stand still; plain "hold" is for the grammar of orders."""
    said = set(tokens_of(text))
    still = _STAND_STILL.search(text) is not None or not said.isdisjoint(_HOLDS_ABROAD)
    return bool(said & (_OTHERS | _ALL)) and said <= _KNOWN | _STILL | _HOLDS | _HOLDS_ABROAD and still


def _keeps(text: str) -> bool:
    """Whether a sentence says that the other orders, or all of them, stay as they are."""
    said = set(tokens_of(text))
    if not said <= _KNOWN or not said & SIGNS or said == {"same"}:
        return False
    if said & _CHANGES:
        return bool(said & _NOT) and not said & _REPORTED
    if said & _NOT:
        return False
    if said & _OTHERS:
        return bool(said & (_KEEPS | _AS_BEFORE)) or _is_as_it_is(text)
    if said & _AS_BEFORE:
        return bool(said & (_ALL | _KEEPS | {"as", "same", "unchanged"}))
    return bool(said & _ALL) and (_is_as_it_is(text) or bool(said & _words("orders moves") and said & _KEEPS))


def _is_as_it_is(text: str) -> bool:
    return _AS_IT_IS.search(text) is not None


def units_idle(text: str) -> str:
    """The units, as written, of which a line says that they do not move; "" for any other line.

    >>> units_idle("A Par does nothing."), units_idle("A Par does not move to Bur")
    ('A Par', '')
    """
    match = (_IDLE.fullmatch(text) or _LEFT_IN_PLACE.fullmatch(text)) if len(text) <= _LONGEST else None
    return match["units"].strip() if match else ""


def unit_kept(text: str) -> str:
    """The unit, as written, that a line leaves to its order on file: "A Mun as before"; "" for any other line."""
    match = _OF_A_UNIT.fullmatch(text) if len(text) <= _LONGEST else None
    return match["unit"].strip() if match else ""

"""Reads "yes" and "no" in replies to our questions.

A yes must be beyond doubt: it is the first line that the author typed (a greeting does not count), as a whole one of
the phrases of `judge.mail.assentwords`, or exactly the subject. Thanks may stand beside it. Anything else is neither:
a phrase that only contains "yes" or "right", a question, a yes and a no together, a reply whose text cannot be read,
and whatever bears a machine's mark.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum

from judge.mail.assentwords import AGAINST, BESIDE, FOR, GREETING, NEGATION, NO, UNDO, YES
from judge.mail.envelope.model import Envelope


class Word(StrEnum):
    """What a reply says to the question."""

    YES = "yes"
    NO = "no"


_UNREADABLE = frozenset({"encrypted", "signed-opaque", "winmail-dat", "text-from-attachment", "text-cut", "html-cut"})
"""Defects of a reply whose author may have written something that we do not see."""

_MARKS = re.compile(r"[.,;:!()\[\]{}\"“”„«»*_~/\\|…–—-]+")
_LONGEST = 100


def word_of(line: str) -> Word | None:
    """What a line says as a whole; None if it is neither a yes nor a no, or both.

    >>> [word_of(text) for text in ("Yes, that was me. Thanks!", "No, I didn't send that!", "ok")]
    [<Word.YES: 'yes'>, <Word.NO: 'no'>, <Word.YES: 'yes'>]
    >>> [word_of(text) for text in ("Das war ich nicht, ok?", "This is to confirm receipt", "right back on Monday")]
    [None, None, None]
    """
    found = _clauses(line)
    said = {Word.YES for clause in found if clause in YES} | {Word.NO for clause in found if clause in NO}
    plain = all(clause in YES or clause in NO or clause in BESIDE for clause in found)
    return said.pop() if plain and len(said) == 1 else None


def voice_of(line: str) -> Word | None:
    """What a line says, as a whole, to the call of a vote; None if it is neither an aye nor a nay.

    >>> [voice_of(text) for text in ("Aye please", "I agree!", "No, thank you.", "I did not send this", "Yes?")]
    [<Word.YES: 'yes'>, <Word.YES: 'yes'>, <Word.NO: 'no'>, None, None]
    """
    if len(line) > _LONGEST:
        return None
    found = [_bare(clause) for clause in _clauses(line, _VOICES)]
    said = {Word.YES for one in found if one in FOR} | {Word.NO for one in found if one in AGAINST}
    plain = all(one in FOR or one in AGAINST or one in BESIDE for one in found)
    return said.pop() if plain and len(said) == 1 else None


_VOICES = FOR | AGAINST
_POLITE_END = re.compile(r" (?:please|pls|thanks|thank you|thx|bitte|danke|merci|grazie|gracias)$")


def _bare(clause: str) -> str:
    """A clause without "please" or the like at its end, if what is left is an aye or a nay ("aye please"); else
    unchanged.
    """
    bare = _POLITE_END.sub("", clause)
    return bare if clause not in _VOICES and bare in _VOICES else clause


def is_undo(text: str) -> bool:
    """Whether the first line of a text, as a whole, takes a change back ("undo")."""
    found = _clauses(_first(text.split("\n")))
    return any(clause in UNDO for clause in found) and all(clause in UNDO or clause in BESIDE for clause in found)


def answer_of(envelope: Envelope) -> Word | None:
    """What a reply says to the question of the letter that it answers; None if it is neither a yes nor a no."""
    if envelope.noise.is_noise or envelope.unsafe:
        return None
    typed = [line.text for line in envelope.own_lines]
    body, subject = _said(typed), _as_whole(envelope.topic)
    hidden = hides(envelope) or (not any(map(str.strip, typed)) and envelope.attachments)
    if {body, subject} >= {Word.YES, Word.NO}:
        return None
    said = body or subject
    if said is Word.YES and (hidden or (body is None and _denies(typed))):
        return None
    return said


def hides(envelope: Envelope) -> bool:
    """Whether the mail may hold text that could not be read."""
    return bool(_UNREADABLE & set(envelope.defects))


def typed_below(envelope: Envelope) -> bool:
    """Whether the author typed anything else than the yes or no, greetings and thanks."""
    typed = [line.text for line in envelope.own_lines]
    return any(text.strip() and _as_whole(text) is None and not _beside(text) for text in typed)


def _said(typed: list[str]) -> Word | None:
    """What the lines say: the first one decides, unless a later one says the opposite."""
    first = _as_whole(_first(typed))
    later = {_as_whole(text) for text in typed}
    return first if first is None or not {Word.YES, Word.NO} <= later else None


def _first(typed: Iterable[str]) -> str:
    return next((text for text in typed if text.strip() and not _greets(text)), "")


def _as_whole(line: str) -> Word | None:
    return word_of(line) if len(line) <= _LONGEST else None


_WORDS = YES | NO | UNDO


def _clauses(line: str, known: frozenset[str] = _WORDS) -> list[str]:
    """The clauses of a line in lower case, without punctuation and greetings. A clause that asks keeps its question
    mark, so that it equals none of the known phrases.
    """
    text = unicodedata.normalize("NFC", line).casefold().replace("’", "'").replace("'", "")
    whole = " ".join(_MARKS.sub(" ", text).split())
    if whole in known:
        return [whole]
    parts = (" ".join(part.split()) for part in _MARKS.split(text))
    return [part for part in parts if part and not GREETING.fullmatch(part)]


def _greets(line: str) -> bool:
    words = _MARKS.sub(" ", line).casefold().split()
    return GREETING.fullmatch(" ".join(words)) is not None and not (YES | NO | NEGATION) & set(words)


def _beside(line: str) -> bool:
    return all(clause in BESIDE for clause in _clauses(line))


def _denies(typed: list[str]) -> bool:
    words = (re.findall(r"\w+", text.casefold().replace("’", "'").replace("n't", " not")) for text in typed)
    return any(word in NEGATION for line in words for word in line)

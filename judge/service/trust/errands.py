"""Errands of the mail that is heard: keeping one, and who hears the replies to its letter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from judge.service.core.directory import Errand, errands_of, find, lapsed, note, settle, write
from judge.service.trust.heard import HeardMail, Ready, Taken

__all__ = [
    "Answerer", "Errand", "answered", "answerer_of", "errands_of", "find", "keep", "lapsed", "note", "settle",
]  # fmt: skip

Answerer = Callable[[HeardMail, Errand], Taken | Ready | HeardMail]
"""(the reply, the errand of the letter that it answers) -> what becomes of it, as `replies.reply` has it."""

_ANSWERERS: dict[str, Answerer] = {}


def answered(do: str) -> Callable[[Answerer], Answerer]:
    """`@answered("invitation")`: who hears the replies to letters of this kind. Raises ValueError for a second one."""

    def register(answerer: Answerer) -> Answerer:
        if do in _ANSWERERS:
            raise ValueError(f"replies to {do} are answered for twice")
        _ANSWERERS[do] = answerer
        return answerer

    return register


def answerer_of(errand: Errand) -> Answerer | None:
    """Who hears the replies to an errand's letter, where its kind has somebody of its own."""
    return _ANSWERERS.get(errand.do)


LetterReader = Callable[[HeardMail], Taken | HeardMail]
"""What a mail comes to, once it is read, that answers a letter of one kind in its author's own words."""

_READERS: dict[str, LetterReader] = {}


def letter_answered(kind: str) -> Callable[[LetterReader], LetterReader]:
    """`@letter_answered(Kind.SHOWN)`: what answers to letters of this kind come to. Raises ValueError for a second."""

    def register(reader: LetterReader) -> LetterReader:
        if kind in _READERS:
            raise ValueError(f"answers to {kind} letters are read twice")
        _READERS[kind] = reader
        return reader

    return register


def reader_of(kind: str) -> LetterReader | None:
    """What answers to letters of a kind come to, where that is something of its own."""
    return _READERS.get(kind)


def keep(heard: HeardMail, do: str, person: int, within: timedelta, *, key: str = "", **facts: Any) -> str:
    """Remember an errand; returns its reference, for the letter's token: `key`, or a fresh one."""
    key = key or heard.house.entropy(8).hex()
    write(heard.unit, Errand(key, do, person, heard.now + within, facts))
    return key

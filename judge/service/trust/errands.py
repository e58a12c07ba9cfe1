"""Errands of the mail that is heard: keeping one, and who hears the replies to its letter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from judge.service.core.errands import Errand, errands_of, find, lapsed, note, settle, write
from judge.service.trust.sitting import Sitting, Taken

__all__ = [
    "Answerer", "Errand", "answered", "answerer_of", "errands_of", "find", "keep", "lapsed", "note", "settle",
]  # fmt: skip

Answerer = Callable[[Sitting, Errand], Taken | Sitting | None]
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


def keep(sitting: Sitting, do: str, person: int, within: timedelta, *, key: str = "", **facts: Any) -> str:
    """Remember an errand; returns its reference, for the letter's token: `key`, or a fresh one."""
    key = key or sitting.house.entropy(8).hex()
    write(sitting.unit, Errand(key, do, person, sitting.now + within, facts))
    return key

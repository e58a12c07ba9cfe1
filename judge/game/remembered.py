"""Answers about a value that never changes, kept while it is asked about again and again.

Games and positions are frozen but too big to be compared or hashed, so they are known by identity. An entry holds its
subject, so that the identity stays its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

S = TypeVar("S")
A = TypeVar("A")

MOST = 512


def remembered(answer: Callable[..., A]) -> Callable[..., A]:
    """Remember what a function of a frozen subject and a few small keywords answers.

    >>> asked = []
    >>> count = remembered(lambda thing: asked.append(1) or len(thing))
    >>> thing = ("a", "b")
    >>> count(thing), count(thing), len(asked)
    (2, 2, 1)
    """
    kept: dict[tuple[int, tuple[tuple[str, Any], ...]], tuple[Any, A]] = {}

    @wraps(answer)
    def ask(subject: S, **also: Any) -> A:
        key = (id(subject), tuple(also.items()))
        known = kept.get(key)
        if known is not None and known[0] is subject:
            return known[1]
        found = answer(subject, **also)
        if len(kept) >= MOST:
            kept.clear()
        kept[key] = (subject, found)
        return found

    return ask

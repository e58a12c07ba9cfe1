"""Memoizes functions of large immutable values, by the identity of these values.

Games and positions are frozen but too big to be compared or hashed, so they are known by identity. An entry holds its
subjects, so that nothing else can come to bear their identity.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
A = TypeVar("A")

MOST = 1024
"""Answers of one function that are kept, the oldest go first."""
FEW = 64
"""The same of a function that is asked again only while one turn is played, or one mail heard."""


def _remembering(most: Callable[[], int]) -> Callable[[Callable[P, A]], Callable[P, A]]:
    def decorate(answer: Callable[P, A]) -> Callable[P, A]:
        kept: dict[tuple[Any, ...], tuple[tuple[Any, ...], A]] = {}

        @wraps(answer)
        def ask(*subjects: P.args, **also: P.kwargs) -> A:
            key = (*map(id, subjects), *also.items()) if also else tuple(map(id, subjects))
            known = kept.get(key)
            if known is not None:
                return known[1]
            found = answer(*subjects, **also)
            kept[key] = (subjects, found)
            _forget_the_oldest(kept, most())
            return found

        return ask

    return decorate


remembered = _remembering(lambda: MOST)
"""Decorator: cache results. Positional arguments are compared by identity, keyword arguments by equality.

>>> asked = []
>>> count = remembered(lambda thing: asked.append(1) or len(thing))
>>> thing = ("a", "b")
>>> count(thing), count(thing), len(asked)
(2, 2, 1)
"""

remembered_briefly = _remembering(lambda: FEW)
"""The same for few results."""


def _forget_the_oldest(kept: dict[tuple[Any, ...], Any], most: int) -> None:
    # Another thread may be at the same.
    with suppress(RuntimeError, StopIteration):
        while len(kept) > most:
            kept.pop(next(iter(kept)), None)

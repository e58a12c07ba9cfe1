"""`altered(game, seq=7)`: a frozen value with some fields changed, faster than `dataclasses.replace` for classes with
many fields.

`dataclasses.replace` sets every field again, one after the other; a game has fifty and changes with each event. This
takes all of them over at once and checks types as `replace` does. The value's class must keep its fields in a
dictionary (no slots) and do nothing after its initialisation.

Memoizes functions of large immutable values, by the identity of these values, and by the language that is spoken.

Games and positions are frozen but too big to be compared or hashed, so they are known by identity. An entry holds its
subjects, so that nothing else can come to bear their identity.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from judge.languages import spoken

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import replace as altered
else:

    def altered(value: T, /, **changes: Any) -> T:
        """The value with these fields changed. Raises TypeError for a field that it has not."""
        fields = vars(value)
        if not changes.keys() <= fields.keys():
            raise TypeError(f"{type(value).__name__} has no field {', '.join(changes.keys() - fields.keys())}")
        new = object.__new__(type(value))
        vars(new).update(fields, **changes)
        return new


def retyped(kind: type[T], value: Any) -> T:
    """The same fields as a value of another class, which adds none."""
    new = object.__new__(kind)
    vars(new).update(vars(value))
    return new


__all__ = ["altered", "retyped"]


P = ParamSpec("P")
A = TypeVar("A")

MOST = 1024
"""Answers of one function that are kept; then the older half goes."""
FEW = 128
"""The same of a function that is asked again only while one turn is played, or one mail heard: as those are that are
asked about a game, of which every mail and every turn makes another.
"""


def remembered(answer: Callable[P, A]) -> Callable[P, A]:
    """Decorator: cache results. Positional arguments are compared by identity, keyword arguments by equality.

    >>> asked = []
    >>> count = remembered(lambda thing: asked.append(1) or len(thing))
    >>> thing = ("a", "b")
    >>> count(thing), count(thing), len(asked)
    (2, 2, 1)
    """
    return _remembering(answer, lambda: MOST)


def remembered_briefly(answer: Callable[P, A]) -> Callable[P, A]:
    """The same for few results."""
    return _remembering(answer, lambda: FEW)


def _remembering(answer: Callable[P, A], most: Callable[[], int]) -> Callable[P, A]:
    kept: dict[tuple[Any, ...], tuple[tuple[Any, ...], A]] = {}

    @wraps(answer)
    def ask(*subjects: P.args, **also: P.kwargs) -> A:
        key: tuple[Any, ...] = (*map(id, subjects), *also.items()) if also else tuple(map(id, subjects))
        if language := spoken():
            key = (language.code, *key)
        known = kept.get(key)
        if known is not None:
            return known[1]
        found = answer(*subjects, **also)
        kept[key] = (subjects, found)
        if len(kept) > most():
            _forget_the_oldest(kept)
        return found

    return ask


def _forget_the_oldest(kept: dict[tuple[Any, ...], Any]) -> None:
    """The older half at once: to look for one oldest entry after the other takes a dictionary long."""
    with suppress(RuntimeError):  # another thread may be at the same
        for key in list(islice(kept, len(kept) // 2)):
            kept.pop(key, None)

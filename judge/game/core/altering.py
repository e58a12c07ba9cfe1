"""`altered(game, seq=7)`: a frozen value with some fields changed, faster than `dataclasses.replace` for classes with
many fields.

`dataclasses.replace` sets every field again, one after the other; a game has fifty and changes with each event. This
takes all of them over at once and checks types as `replace` does. The value's class must keep its fields in a
dictionary (no slots) and do nothing after its initialisation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

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

"""Sizes that the making of a board's picture and the drawing on it have in common, in page units (a page is 1000
wide).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from judge.draw.letters import Type

UNIT = (32.0, 25.0)
"""Width and height of the room that a unit takes."""
DOT = 12.0
"""Width and height of the room that a centre's dot takes."""
LEADING = 0.88
"""From line to line of a label, as a part of its size."""

LABELS: Mapping[str, Mapping[str, Type]] = MappingProxyType({
    "codes": MappingProxyType({"land": Type("caps", 14.0), "sea": Type("italic", 15.0)}),
    "names": MappingProxyType({"land": Type("caps", 12.0), "sea": Type("italic", 13.0)}),
})  # fmt: skip
"""How spaces are named: by code or by name -> on land and at sea."""


def label_type(naming: str, *, sea: bool) -> Type:
    """The type of a label."""
    return LABELS[naming]["sea" if sea else "land"]


def label_size(lines: tuple[str, ...], type_: Type) -> tuple[float, float]:
    """Width and height of a label of one line or more."""
    return max(type_.width(line) for line in lines), type_.size * (0.75 + LEADING * (len(lines) - 1))

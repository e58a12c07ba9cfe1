"""Sizes that the making of a board's picture and the drawing on it have in common, in page units (a page is 1000
wide).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from judge.draw.letters import Type

Box = tuple[float, float, float, float]
"""Middle x and y, width, height."""

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


def overlap(a: Box, b: Box) -> float:
    """The common area of two rectangles, as a part of the smaller one's."""
    wide = min(a[0] + a[2] / 2, b[0] + b[2] / 2) - max(a[0] - a[2] / 2, b[0] - b[2] / 2)
    high = min(a[1] + a[3] / 2, b[1] + b[3] / 2) - max(a[1] - a[3] / 2, b[1] - b[3] / 2)
    return max(0.0, wide) * max(0.0, high) / min(a[2] * a[3], b[2] * b[3])

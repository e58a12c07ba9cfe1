"""The fonts of the pictures, how wide a text is in them, and texts made fit to be drawn."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

FONTS = Path(__file__).resolve().parent / "fonts"

FONT_FILES: Mapping[str, str] = MappingProxyType({
    "caps": "AlegreyaSansSC-Bold.ttf",
    "italic": "Alegreya-MediumItalic.ttf",
    "title": "Alegreya-Bold.ttf",
})  # fmt: skip
"""Face -> file in judge/draw/fonts (OFL)."""

_STYLES: Mapping[str, str] = MappingProxyType({
    "caps": 'font-family="Alegreya Sans SC, Alegreya Sans, Segoe UI, Helvetica, sans-serif" font-weight="700"',
    "italic": 'font-family="Alegreya, Palatino, Georgia, serif" font-weight="500" font-style="italic"',
    "title": 'font-family="Alegreya, Palatino, Georgia, serif" font-weight="700"',
})  # fmt: skip


class Type(NamedTuple):
    """A face at a size, in page units."""

    face: str
    size: float

    def attributes(self) -> str:
        """As attributes of an SVG element."""
        return f'{_STYLES[self.face]} font-size="{self.size:g}"'

    def width(self, text: str) -> float:
        """How long a line is; kerning is left out."""
        widths = _widths(self.face)
        return sum(widths.get(letter, 600) for letter in text) * self.size / 1000


@cache
def _widths(face: str) -> Mapping[str, int]:
    """Letter -> width in thousandths of the size; `judge.draw.making.fonts` writes the file, by width."""
    stored: dict[str, dict[str, str]] = json.loads((FONTS / "widths.json").read_text(encoding="utf-8"))
    return {letter: int(width) for width, letters in stored[face].items() for letter in letters}


def drawable(text: str) -> str:
    """The text with what our fonts hold: accents that they lack are dropped, other letters become "?", controls and
    line ends blanks.
    """
    return "".join(_drawable(letter) for letter in " ".join(text.split()))


def _drawable(letter: str) -> str:
    known = _widths("title")
    if letter in known:
        return letter
    plain = "".join(part for part in unicodedata.normalize("NFKD", letter) if part in known)
    return plain or ("" if unicodedata.category(letter)[0] in "MC" else "?")


def fitted(text: str, type_: Type, room: float) -> str:
    """A drawable text no longer than `room`, its end cut off and an ellipsis put there where need be."""
    text = drawable(text)
    if type_.width(text) <= room:
        return text
    while text and type_.width(text + "...") > room:
        text = text[:-1]
    return text.rstrip() + "..."


def wrapped(text: str, type_: Type, room: float) -> Iterator[str]:
    """A drawable text in lines no longer than `room`; a word that is longer is cut."""
    line = ""
    for word in drawable(text).split():
        if line and type_.width(f"{line} {word}") > room:
            yield fitted(line, type_, room)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        yield fitted(line, type_, room)


def safe(text: str) -> str:
    """A drawable text as it stands in SVG: escaped."""
    return escape(drawable(text), quote=True)

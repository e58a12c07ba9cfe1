"""Writes `judge/draw/fonts/widths.json` from the fonts: `python -m judge.draw.making.fonts` (needs fonttools)."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from fontTools.ttLib import TTFont

from judge.draw.letters import FONT_FILES, FONTS


def widths(fonts: Path) -> dict[str, dict[str, str]]:
    """Face -> width in thousandths of the size -> letters."""
    found: dict[str, dict[str, str]] = {}
    for face, name in FONT_FILES.items():
        font = TTFont(fonts / name)
        unit = font["head"].unitsPerEm
        letters: dict[int, str] = defaultdict(str)
        for code, glyph in sorted(font.getBestCmap().items()):
            letters[round(1000 * font["hmtx"][glyph][0] / unit)] += chr(code)
        found[face] = {str(width): each for width, each in sorted(letters.items())}
    return found


if __name__ == "__main__":
    text = json.dumps(widths(FONTS)) + "\n"
    (FONTS / "widths.json").write_text(text, encoding="utf-8", newline="\n")

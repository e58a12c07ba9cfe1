"""Writes `judge/draw/widths.py` from the fonts: `python -m judge.draw.making.fonts` (needs fonttools)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from fontTools.ttLib import TTFont

from judge.draw.letters import FONT_FILES

_HEAD = '''"""How wide the letters of our fonts are, in thousandths of the size: width -> letters. Written by
`python -m judge.draw.making.fonts`.
"""

# fmt: off
WIDTHS: dict[str, dict[int, str]] = {
'''


def widths_module(fonts: Path) -> str:
    """The text of the module."""
    found: dict[str, dict[int, str]] = {}
    for face, name in FONT_FILES.items():
        font = TTFont(fonts / name)
        unit = font["head"].unitsPerEm
        letters: dict[int, str] = defaultdict(str)
        for code, glyph in sorted(font.getBestCmap().items()):
            letters[round(1000 * font["hmtx"][glyph][0] / unit)] += chr(code)
        found[face] = dict(sorted(letters.items()))
    return written(found)


def written(widths: Mapping[str, Mapping[int, str]]) -> str:
    """These widths as a module, as many to a line as fit."""
    text = _HEAD
    for face, letters in widths.items():
        line, lines = "", []
        for entry in (f"{width}: {each!a}," for width, each in letters.items()):
            if len(line) + len(entry) + 9 > 120:
                lines.append(line)
                line = ""
            line += f" {entry}" if line else entry
        text += f'    "{face}": {{\n' + "".join(f"        {each}\n" for each in [*lines, line]) + "    },\n"
    return text + "}\n"


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    (here / "widths.py").write_text(widths_module(here / "fonts"), encoding="utf-8", newline="\n")

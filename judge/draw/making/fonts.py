"""Writes `judge/draw/widths.py` from the fonts: `python -m judge.draw.making.fonts` (needs fonttools)."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from fontTools.ttLib import TTFont

from judge.draw.letters import FONT_FILES

_HEAD = '''"""How wide the letters of our fonts are, in thousandths of the size: width -> letters. Written by
`python -m judge.draw.making.fonts`.
"""

WIDTHS: dict[str, dict[int, str]] = {
'''


def widths_module(fonts: Path) -> str:
    """The text of the module."""
    text = _HEAD
    for face, name in FONT_FILES.items():
        font = TTFont(fonts / name)
        unit = font["head"].unitsPerEm
        letters: dict[int, str] = defaultdict(str)
        for code, glyph in sorted(font.getBestCmap().items()):
            letters[round(1000 * font["hmtx"][glyph][0] / unit)] += chr(code)
        rows = "".join(f"        {width}: {letters[width]!a},\n" for width in sorted(letters))
        text += f'    "{face}": {{\n{rows}    }},\n'
    return text + "}\n"


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    (here / "widths.py").write_text(widths_module(here / "fonts"), encoding="utf-8", newline="\n")

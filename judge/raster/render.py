"""SVG to pixels with our own fonts, by resvg."""

from __future__ import annotations

import io

import resvg_py
from PIL import Image

from judge.draw.letters import FONT_FILES, FONTS

_FONT_FILES = [str(FONTS / name) for name in FONT_FILES.values()]


def render(svg: str, width: int) -> Image.Image:
    """The pixels of an SVG, so many wide, on nothing: RGBA."""
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=_FONT_FILES, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")

"""SVG to pixels with our own fonts, by resvg."""

from __future__ import annotations

import io
from collections.abc import Callable

import resvg_py
from PIL import Image

from judge.draw.letters import FONT_FILES, FONTS

_FONT_FILES = [str(FONTS / name) for name in FONT_FILES.values()]


def render(svg: str, width: int) -> Image.Image:
    """The pixels of an SVG, so many wide, on nothing: RGBA."""
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=_FONT_FILES, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


_COVERED = (90, 150, 210)
"""From which of these parts of 255 on a pixel on an edge is covered by one, two or three thirds."""
_THIRDS = [round(255 * sum(part >= step for step in _COVERED) / len(_COVERED)) for part in range(256)]
_WHOLE = [255 * (part >= 128) for part in range(256)]


def in_thirds(mask: Image.Image) -> Image.Image:
    """How much of each pixel is covered, in thirds: edges look as smooth, and a picture in a mail is smaller."""
    return mask.point(_THIRDS)


def in_whole(mask: Image.Image) -> Image.Image:
    """The same for what has edges that nobody sees: of fills that end below a line, of the pale rims of names."""
    return mask.point(_WHOLE)


def render_layer(svg: str, width: int, edges: Callable[[Image.Image], Image.Image] = in_thirds) -> Image.Image:
    """The same as a layer to lay on others, with edges of its own kind."""
    layer = render(svg, width)
    layer.putalpha(edges(layer.getchannel("A")))
    return layer

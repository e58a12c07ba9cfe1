"""The pictures of an issue as bytes: maps of positions, and what people send along, made fit for every face.

A face is handed `{name: bytes}` for the names in `issue.pictures`. What has no bytes is named in words instead, so that
an issue never waits for a picture.

Graphs of numbers as SVG, for every face that can draw: lines that are told apart without colour.

Colours are attributes; a style sheet may overrule them by the classes `ink`, `grid` and `line-0` to `line-7`.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from judge.board.model import Board
from judge.board.position import position_from_json
from judge.draw import BoardPictures, Caption, Look, Picture, position_picture
from judge.languages import tell
from judge.zine.contents import graphs_of, laid_out
from judge.zine.issue import Issue

WIDTH, HEIGHT = 440.0, 250.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 30.0, 124.0, 12.0, 26.0
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4", "14 3 2 3 2 3")
_INKS = ("#1d1d1b", "#8c2f1b", "#1f4e79", "#3b6b35", "#7a5c1e", "#5b2a6e", "#4a463c", "#0f6b6b")
_NEAR = 13.0
"""So far apart stand the names of two lines at least."""
_SHIFT = 1.3
"""So far apart lie two lines that would run on each other: less than their own breadth."""


def graph_svg(graph: Mapping[str, Any], *, font: str = "Georgia, serif") -> str:
    """The picture of a graph as `contents` lays it out; a line is told by its dashes and by its name at its end."""
    labels, lines = graph["labels"], [line for line in graph["lines"] if any(v is not None for v in line["values"])]
    values = [value for line in lines for value in line["values"] if value is not None]
    low, high, step = _scale(min(values, default=0.0), max(values, default=1.0), counts=all(v % 1 == 0 for v in values))
    across, up = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def x(place: int) -> float:
        return round(_LEFT + across * place / max(1, len(labels) - 1), 1)

    def y(value: float) -> float:
        return round(_TOP + up * (high - value) / (high - low), 1)

    parts = []
    level = low
    while level <= high + step / 2:
        parts.append(f'<path d="M{_LEFT} {y(level)}h{across}" class="grid" stroke="{_INKS[0]}" stroke-opacity="0.2" '
                     f'stroke-width="0.6"/>')  # fmt: skip
        parts.append(_text(_LEFT - 6, y(level) + 4, _number(level), "end", _INKS[0], "ink"))
        level += step
    every = max(1, -(-len(labels) // 9))
    for place, label in enumerate(labels):
        if place % every == 0:
            parts.append(_text(x(place), HEIGHT - 8, label, "middle", _INKS[0], "ink"))
    ends = []
    for number, line in enumerate(lines):
        colour, mark = _INKS[number % len(_INKS)], f"line-{number % len(_INKS)}"
        aside = (number - (len(lines) - 1) / 2) * _SHIFT
        known = [(place, value) for place, value in enumerate(line["values"][: len(labels)]) if value is not None]
        if not known:
            continue
        path = " ".join(f"{x(place)},{y(value) + aside:.1f}" for place, value in known)
        dash = _DASHES[number % len(_DASHES)]
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(
            f'<g class="{mark}"><polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dashes}/>'
        )
        parts += [
            f'<circle cx="{x(place)}" cy="{y(value) + aside:.1f}" r="2" fill="{colour}"/>' for place, value in known
        ]
        parts.append("</g>")
        ends.append((y(known[-1][1]) + aside, x(known[-1][0]), line["name"], colour, mark))
    parts += _names(ends)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'class="graph" aria-label="{escape(graph["title"])}" font-family="{escape(font)}" font-size="12">'
        f"{''.join(parts)}</svg>"
    )


def _names(ends: Sequence[tuple[float, float, str, str, str]]) -> list[str]:
    """The names of lines at their ends, moved apart where they would cover each other."""
    ordered = sorted(ends)
    at: list[float] = []
    for wanted, *_ in ordered:
        at.append(max(wanted, at[-1] + _NEAR) if at else wanted)
    if at and (over := at[-1] - (HEIGHT - _BOTTOM)) > 0:
        for n in range(len(at) - 1, -1, -1):
            ceiling = at[n + 1] - _NEAR if n + 1 < len(at) else at[n] - over
            at[n] = min(at[n], ceiling)
    right = WIDTH - _RIGHT
    parts = []
    for height, (wanted, end, name, colour, mark) in zip(at, ordered, strict=True):
        parts.append(
            f'<path class="{mark}" d="M{end + 3:g} {wanted:.1f}L{right + 12:g} {height:.1f}" fill="none" '
            f'stroke="{colour}" stroke-width="0.5" stroke-opacity="0.6"/>'
        )
        parts.append(_text(right + 15, height + 4, name[:18], "start", colour, mark))
    return parts


def _text(x: float, y: float, text: str, anchor: str, colour: str, mark: str) -> str:
    place = f'x="{x:g}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{mark}" {place} fill="{colour}">{escape(text)}</text>'


def _scale(low: float, high: float, *, counts: bool = False) -> tuple[float, float, float]:
    """The lowest and highest line across, and the step between them. `counts`: of whole things, which begin with none.

    >>> _scale(2.0, 8.0), _scale(92.0, 121.0), _scale(0.0, 0.0), _scale(3.0, 4.0, counts=True)
    ((0.0, 8.0, 1.0), (90.0, 125.0, 5.0), (0.0, 0.2, 0.2), (0.0, 8.0, 1.0))
    """
    if low >= 0 and (low < high * 0.6 or (counts and high < 100)):
        low = 0.0
    if counts:
        high = max(high, low + 8)
    spread = high - low or 1.0
    step = next(s * 10.0**e for e in range(-6, 309) for s in (1, 2, 5) if spread / (s * 10.0**e) <= 8)
    bottom = step * (low // step)
    top = bottom
    while top < high - step / 1000 or top == bottom:
        top += step
    return round(bottom, 6), round(top, 6), round(step, 6)


def _number(value: float) -> str:
    return f"{value:.6g}"


MAP_WIDTH, PRINT_WIDTH, GRAPH_WIDTH = 900, 1100, 760
"""Pixels across a map on screens, in print (300 and more to the inch of a column), and across a graph."""
WIDEST = 1400
"""Pixels across a picture that was sent in; a larger one is made smaller."""
MOST_PIXELS = 40_000_000
"""Of a picture as it comes; one of more is not opened, whatever its file says of itself."""
MOST_BYTES = 5_000_000
"""Of its file."""
_FORMS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")


class UnfitPicture(ValueError):
    """What was sent cannot be printed as a picture; the message is a sentence for whoever sent it."""


def draw_maps(
    issue: Issue,
    maps: Path,
    board_of: Callable[[str], Board],
    *,
    printed: bool = False,
    only: Collection[str] | None = None,
) -> dict[str, bytes]:
    """The maps of an issue as PNG, `printed` in black and white. `maps`: the folder of boards; `board_of`: a board by
    its key; `only`: these maps, by name. Raises ValueError for a position that is none of its board.
    """
    from judge.raster import Plates, finished_png

    topologies, plates = BoardPictures(maps), Plates()
    drawn = {}
    for game, shown in issue.maps:
        if only is not None and shown.picture not in only:
            continue
        board = board_of(shown.position["map"])
        position, caption = position_from_json(shown.position, board), Caption(game, shown.caption)
        picture = position_picture(topologies(board), position, caption, Look(printed, "codes"))
        if printed:
            drawn[shown.picture] = _in_greys(picture, picture.pixels(PRINT_WIDTH))
        else:
            drawn[shown.picture] = finished_png(picture, picture.pixels(MAP_WIDTH), plates)
    return drawn


def _in_greys(picture: Picture, width: int) -> bytes:
    """A picture as PNG of sixteen greys, for printers."""
    from PIL import Image

    from judge.raster import render

    shapes = render(picture.svg(), width)
    paper = Image.new("RGB", shapes.size, "#ffffff")
    paper.paste(shapes, mask=shapes)
    file = io.BytesIO()
    few = paper.convert("L").point([round(level / 17) * 17 for level in range(256)])
    few.save(file, "PNG", compress_level=6)
    return file.getvalue()


def draw_graphs(issue: Issue) -> dict[str, bytes]:
    """The graphs of an issue as PNG, for mails, whose readers show no others."""
    from judge.raster import plain_png

    graphs = graphs_of(laid_out(issue))
    return {graph["picture"]: plain_png(graph_svg(graph, font="Alegreya"), GRAPH_WIDTH) for graph in graphs}


def fit_picture(data: bytes) -> bytes:
    """A picture that somebody sent, as a PNG of ours: its pixels and nothing else, at most 1400 across. Raises
    UnfitPicture.
    """
    from PIL import Image, ImageOps

    if len(data) > MOST_BYTES:
        raise UnfitPicture(
            tell(
                "The picture has {data} MB; at most {most_bytes} are printed.",
                data=len(data) // 1000000,
                most_bytes=MOST_BYTES // 1000000,
            )
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(data), formats=_FORMS)
            if opened.width * opened.height > MOST_PIXELS:
                raise UnfitPicture(
                    tell(
                        "The picture has {width} by {height} pixels, which is too large.",
                        width=opened.width,
                        height=opened.height,
                    )
                )
            opened.draft("RGB", (WIDEST, WIDEST))
            turned = ImageOps.exif_transpose(opened)
            image = turned.convert("RGBA" if "A" in turned.getbands() or "transparency" in turned.info else "RGB")
    except UnfitPicture:
        raise
    except Image.DecompressionBombError as error:
        raise UnfitPicture(tell("The picture has far more pixels than can be printed.")) from error
    except Exception as error:  # a file of somebody's, read by decoders of many forms
        raise UnfitPicture(tell("The file cannot be read as a picture; send it as PNG or JPEG.")) from error
    if image.mode == "RGBA":
        paper = Image.new("RGB", image.size, "#ffffff")
        paper.paste(image, mask=image)
        image = paper
    image.thumbnail((WIDEST, WIDEST * 2))
    file = io.BytesIO()
    few = image.quantize(256, method=Image.Quantize.MEDIANCUT) if image.width * image.height > 400_000 else image
    few.save(file, "PNG", compress_level=6)
    return file.getvalue()

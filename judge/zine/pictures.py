"""The pictures of an issue as bytes: maps of positions, and what people send along, made fit for every face.

A face is handed `{name: bytes}` for the names in `issue.pictures`. What has no bytes is named in words instead, so that
an issue never waits for a picture.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Collection
from pathlib import Path

from judge.board.model import Board
from judge.board.position import position_from_json
from judge.draw import BoardPictures, Caption, Look, Picture, position_picture
from judge.languages import tell
from judge.zine.contents import graphs_of, laid_out
from judge.zine.graphs import graph_svg
from judge.zine.issue import Issue

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

    from judge.raster.render import render

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

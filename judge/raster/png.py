"""A picture as PNG: finished on a prepared plate, or drawn whole."""

from __future__ import annotations

import io

from PIL import Image

from judge.draw.glyphs import Stamp
from judge.draw.parts import RIM, PartOfPicture
from judge.draw.picture import Picture, document
from judge.raster.plates import Plate, Plates, covering, holding
from judge.raster.render import render, render_layer

__all__ = ["Plates", "finished_png", "part_png", "plain_png"]

_PART_COLOURS = 32


def finished_png(picture: Picture, width: int, plates: Plates) -> bytes:
    """A coloured picture on its plate: what changes is drawn, all else was drawn before. One in print is drawn whole,
    since its hatchings are no flat colours.
    """
    if picture.look.printed:
        return plain_png(picture.svg(), width)
    plate = plates.of(picture, width)
    live = render_layer(document(picture, picture.middle + picture.outside, paper=False), plate.width)
    image = Image.new("RGB", live.size, picture.look.theme.paper)
    image.paste(plate.base())
    for code, power in picture.owners.items():
        corner, mask = plate.zone(code)
        image.paste(picture.paints[power].wash, corner, mask)
    for code, power in picture.held.items():
        corner, mask = plate.striped(code)
        image.paste(picture.paints[power].wash, corner, mask)
    image.paste(plate.over(), mask=plate.over())
    for breadth, numbers in picture.frontiers.items():
        for number in numbers:
            corner, mask = plate.arc(number, breadth)
            image.paste(picture.look.theme.frontier, corner, mask)
    image = image.quantize(palette=plate.ground_palette(), dither=Image.Dither.NONE).convert("RGB")
    _draw(image, picture, plate, live)
    return _packed(image.quantize(palette=plate.palette(), dither=Image.Dither.NONE))


def _draw(image: Image.Image, picture: Picture, plate: Plate, live: Image.Image) -> None:
    """Lines, names and units on it, in this order."""
    for dot in picture.dots:
        _stamp(image, plate, dot)
    image.paste(live, mask=live)
    image.paste(plate.labels(), mask=plate.labels())
    for sign in picture.signs:
        _stamp(image, plate, sign)


def _stamp(image: Image.Image, plate: Plate, stamp: Stamp) -> None:
    sprite, (dx, dy) = plate.sprite(stamp.inside, stamp.scale)
    left, top = plate.picture.box[:2]
    x, y = (stamp.point[0] - left) * plate.scale, (stamp.point[1] - top) * plate.scale
    image.paste(sprite, (round(x + dx), round(y + dy)), sprite)


def part_png(part: PartOfPicture, width: int) -> bytes:
    """A part of a picture: each window is drawn by itself."""
    frame = render(part.frame(), width)
    image = Image.new("RGB", frame.size, part.picture.look.theme.paper)
    scale = width / part.across
    for y, box in part.places():
        image.paste(render(part.window(box), round(box[2] * scale)), (round(RIM * scale), round(y * scale)))
    image.paste(frame, mask=frame)
    return _few(image, _PART_COLOURS)


def plain_png(svg: str, width: int, colours: int = 192) -> bytes:
    """Any SVG as PNG with at most so many colours, three of eight of which are those that it has most often."""
    drawn = render(svg, width)
    image = Image.new("RGB", drawn.size, "#ffffff")
    image.paste(drawn, mask=drawn)
    return _few(image, colours)


def _few(image: Image.Image, colours: int) -> bytes:
    counted = sorted(image.getcolors(1 << 24) or [], reverse=True)[: colours * 3 // 8]
    often = [colour for _, colour in counted if isinstance(colour, tuple)]
    palette = holding([*often, *covering(image, colours - len(often))])
    return _packed(image.quantize(palette=palette, dither=Image.Dither.NONE))


def _packed(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=8)
    return file.getvalue()

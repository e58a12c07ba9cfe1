"""What is prepared once for a board, a look, a page and a width: the layers that never change as pixels, and for each
space and each border a mask through which its colour is laid on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from PIL import Image, ImageChops, ImageDraw

from judge.draw.ground import coast, land
from judge.draw.ink import Paint, stripes
from judge.draw.picture import Picture, clipped, document, fixed_frame, fixed_ground, fixed_labels, fixed_lines
from judge.draw.topology import Arc, Point, Topology
from judge.raster.render import in_thirds, in_whole, render, render_layer

_FINER = 4
"""Masks are drawn so many times larger and then made smaller, which softens their edges."""
_EDGES = 1
"""Colours for the pixels on edges, beside those that everything else has."""

_SPRITES = 300
"""So many signs are kept as pixels, the newest."""
_SIGN = 44.0
"""Signs reach no farther than this from their middle, in page units."""

_BELOW = 8.0
"""How far a plate reaches below the map: what is written there is as long as it is, and on no plate."""
_SIDES = ("x", "y", "width", "height")

Colour = tuple[int, int, int]
Mask = tuple[tuple[int, int], Image.Image]
"""Where its upper left corner lies on the picture, and how much of each pixel it covers."""


Sprite = tuple[Image.Image, tuple[int, int]]
"""A sign as pixels, and where its upper left corner lies from its middle."""


@dataclass(slots=True)
class Plate:
    """One of them. `scale`: pixels to a page unit."""

    picture: Picture
    width: int
    _zones: dict[str, Mask] = field(default_factory=dict)
    _arcs: dict[tuple[int, str], Mask] = field(default_factory=dict)
    _sprites: dict[tuple[str, float], Sprite] = field(default_factory=dict)
    _base: Image.Image | None = None
    _over: Image.Image | None = None
    _labels: Image.Image | None = None
    _stripes: Image.Image | None = None
    _palette: Image.Image | None = None
    _ground: Image.Image | None = None

    @property
    def scale(self) -> float:
        """Pixels to a page unit."""
        return self.width / self.picture.box[2]

    def base(self) -> Image.Image:
        """Paper, sea and land without owners: RGB."""
        if self._base is None:
            topology, theme = self.picture.topology, self.picture.look.theme
            svg = document(
                self.picture, clipped(topology, fixed_ground(topology, theme) + land(topology, theme)), paper=True
            )
            self._base = render(svg, self.width).convert("RGB")
        return self._base

    def over(self) -> Image.Image:
        """Rivers, borders, coasts, the frame: RGBA."""
        if self._over is None:
            topology, theme = self.picture.topology, self.picture.look.theme
            inside = coast(topology) + clipped(topology, fixed_lines(topology, theme)) + fixed_frame(topology, theme)
            self._over = render_layer(document(self.picture, inside, paper=False), self.width)
        return self._over

    def labels(self) -> Image.Image:
        """Names: RGBA."""
        if self._labels is None:
            topology, look = self.picture.topology, self.picture.look
            inside = fixed_labels(topology, look.theme, look.naming)
            self._labels = render_layer(document(self.picture, inside, paper=False), self.width, in_whole)
        return self._labels

    def zone(self, code: str) -> Mask:
        """The mask of a space."""
        if code not in self._zones:
            topology = self.picture.topology
            rings = [list(_ring(topology, ring)) for ring in topology.zones[code].rings]
            corner, mask = self._filled(rings)
            self._zones[code] = corner, in_whole(mask)
        return self._zones[code]

    def striped(self, code: str) -> Mask:
        """The mask of a space, broken into stripes."""
        corner, mask = self.zone(code)
        if self._stripes is None:
            sides = " ".join(f'{name}="{side}"' for name, side in zip(_SIDES, self.picture.box, strict=True))
            pattern = stripes("stripes", "#000000")
            svg = document(self.picture, f'<defs>{pattern}</defs><rect {sides} fill="url(#stripes)"/>', paper=False)
            self._stripes = render(svg, self.width).getchannel("A")
        box = (corner[0], corner[1], corner[0] + mask.width, corner[1] + mask.height)
        return corner, ImageChops.multiply(mask, self._stripes.crop(box))

    def arc(self, number: int, width: str) -> Mask:
        """The mask of a border drawn so broad."""
        key = (number, width)
        if key not in self._arcs:
            topology = self.picture.topology
            corner, mask = self._stroked(list(_curve(topology, topology.arcs[number])), float(width))
            self._arcs[key] = corner, in_thirds(mask)
        return self._arcs[key]

    def sprite(self, inside: str, scale: float) -> Sprite:
        """A sign as pixels."""
        key = (inside, scale)
        if key not in self._sprites:
            while len(self._sprites) >= _SPRITES:
                self._sprites.pop(next(iter(self._sprites)))
            self._sprites[key] = self._made(inside, scale)
        return self._sprites[key]

    def _made(self, inside: str, scale: float) -> Sprite:
        half = max(1, round(_SIGN * self.scale))
        far = half / self.scale
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-far} {-far} {2 * far} {2 * far}" '
            f'width="{2 * half}" height="{2 * half}"><g transform="scale({scale:g})">{inside}</g></svg>'
        )
        drawn = render_layer(svg, 2 * half)
        left, top, right, bottom = drawn.getbbox() or (half, half, half + 1, half + 1)
        return drawn.crop((left, top, right, bottom)), (left - half, top - half)

    def palette(self) -> Image.Image:
        """A picture that holds the palette of a finished one. A picture is lines on flat areas: their own colours, and
        a few for the pixels on their edges. Each colour more makes it larger and hardly any smoother.
        """
        if self._palette is None:
            theme, ground = self.picture.look.theme, self._flat()
            signs = (theme.bad, theme.good, theme.halo, theme.faint, theme.name_ink, theme.sea_ink)
            powers = [
                colour for paint in _distinct(self.picture) for colour in (paint.strong, paint.dark, *paint.bands)
            ]
            known = list(dict.fromkeys([*ground, *map(_rgb, (*signs, *powers))]))[: 256 - _EDGES]
            image = self.base().copy()
            image.paste(self.over(), mask=self.over())
            image.paste(self.labels(), mask=self.labels())
            self._palette = holding([*known, *covering(image, _EDGES)])
        return self._palette

    def ground_palette(self) -> Image.Image:
        """A picture that holds the colours of the ground alone: what lies below lines and units is made of these before
        they are drawn, so that no edge of a coast takes the colour of somebody's units.
        """
        if self._ground is None:
            self._ground = holding(self._flat())
        return self._ground

    def _flat(self) -> list[Colour]:
        theme = self.picture.look.theme
        land = (theme.land, theme.nobodys, theme.nobodys_line, theme.border, theme.frontier, theme.river, theme.ink)
        water = (theme.paper, theme.sea, theme.shallow, theme.sea_border, theme.coast, theme.lake)
        washes = (paint.wash for paint in _distinct(self.picture))
        return list(dict.fromkeys(map(_rgb, (*land, *water, *washes))))[:200]

    # -- masks

    def _filled(self, rings: Iterable[Sequence[Point]]) -> Mask:
        lines = [self._fine(ring) for ring in rings]
        left, top, image = self._sheet([point for line in lines for point in line], 0)
        for line in lines:  # a ring inside a ring is a hole
            layer = Image.new("L", image.size)
            ImageDraw.Draw(layer).polygon([(x - left, y - top) for x, y in line], fill=255)
            image = ImageChops.difference(image, layer)
        return self._smaller(left, top, image)

    def _stroked(self, points: Sequence[Point], width: float) -> Mask:
        line, broad = self._fine(points), width * self.scale * _FINER
        left, top, image = self._sheet(line, broad)
        pen = ImageDraw.Draw(image)
        moved = [(x - left, y - top) for x, y in line]
        pen.line(moved, fill=255, width=round(broad), joint="curve")
        for x, y in (moved[0], moved[-1]):
            pen.ellipse((x - broad / 2, y - broad / 2, x + broad / 2, y + broad / 2), fill=255)
        return self._smaller(left, top, image)

    def _fine(self, points: Sequence[Point]) -> list[Point]:
        factor = self.scale * _FINER
        left, top = self.picture.box[:2]
        return [((x - left) * factor, (y - top) * factor) for x, y in points]

    def _sheet(self, points: Sequence[Point], margin: float) -> tuple[int, int, Image.Image]:
        """An empty image that holds the points, its corner on a whole pixel."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        left, top = (int((min(values) - margin) // _FINER) * _FINER for values in (xs, ys))
        right, bottom = (int((max(values) + margin) // _FINER + 1) * _FINER for values in (xs, ys))
        return left, top, Image.new("L", (right - left, bottom - top))

    def _smaller(self, left: int, top: int, image: Image.Image) -> Mask:
        size = (image.width // _FINER, image.height // _FINER)
        return (left // _FINER, top // _FINER), image.resize(size, Image.Resampling.BOX)


@dataclass(slots=True)
class Plates:
    """The plates of one process; the newest `most` are kept. Not for several threads at once."""

    most: int = 6
    _kept: dict[tuple[object, ...], Plate] = field(default_factory=dict)

    def of(self, picture: Picture, width: int) -> Plate:
        """The plate on which a picture is finished, so many pixels wide."""
        left, top, across, _ = picture.box
        page = left, top, across, picture.topology.height + _BELOW - top
        key = (picture.topology, picture.look, page, width, _distinct(picture))
        if key not in self._kept:
            while len(self._kept) >= self.most:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = Plate(replace(picture, box=page), width)
        return self._kept[key]


def _distinct(picture: Picture) -> tuple[Paint, ...]:
    """The paints of a picture: several powers may have one."""
    return tuple(dict.fromkeys(picture.paints.values()))


def _rgb(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def covering(image: Image.Image, count: int) -> list[Colour]:
    """So many colours, at most, that cover a picture best."""
    few = image.quantize(count, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).getpalette() or []
    return [(few[n], few[n + 1], few[n + 2]) for n in range(0, min(3 * count, len(few)), 3)]


def holding(colours: Sequence[Colour]) -> Image.Image:
    """A picture that holds these colours as its palette."""
    holder = Image.new("P", (1, 1))
    holder.putpalette([part for colour in colours for part in colour])
    return holder


# -- borders with their corners rounded, as `judge.draw.paths` draws them -------------------------------------------


def _ring(topology: Topology, ring: tuple[int, ...]) -> Iterator[Point]:
    for number in ring:
        points = list(_curve(topology, topology.arcs[number if number >= 0 else ~number]))
        yield from points if number >= 0 else reversed(points)


def _curve(topology: Topology, arc: Arc) -> Iterator[Point]:
    points = arc.points
    if len(points) < 3 or arc.b == "|" or (topology.wet(arc.a) and topology.wet(arc.b)):
        yield from points
        return
    if arc.closed:
        corners = [*points[:-1], points[0]]
        middles = [_middle(a, b) for a, b in pairwise([points[-2], *corners])]
        for (start, end), corner in zip(pairwise(middles), corners, strict=False):
            yield from _bent(start, corner, end)
        return
    here = points[0]
    for n in range(1, len(points) - 1):
        end = _middle(points[n], points[n + 1]) if n < len(points) - 2 else points[-1]
        yield from _bent(here, points[n], end)
        here = end
    yield points[-1]


def _bent(a: Point, b: Point, c: Point) -> Iterator[Point]:
    for t in (0.0, 0.25, 0.5, 0.75):
        u = 1 - t
        yield (u * u * a[0] + 2 * u * t * b[0] + t * t * c[0], u * u * a[1] + 2 * u * t * b[1] + t * t * c[1])


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2

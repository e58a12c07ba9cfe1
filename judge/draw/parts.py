"""Parts of a picture: the same layout seen through windows in which every name can be read on a telephone.

A telephone shows 352 CSS pixels of a picture beside the margins of a letter; a name is read from nine of them on. A
board as wide as Europe is shown wider than the screen and moved to and fro, which is enough. One that is wider needs
windows: around what concerns one power, or on the parts where the board is crowded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from judge.board.model import Board
from judge.draw.frame import MARGIN
from judge.draw.letters import Type, fitted, safe
from judge.draw.measures import LABELS, Box
from judge.draw.paths import number
from judge.draw.picture import Picture, document
from judge.draw.topology import Point, Topology

READ = 9.0
"""CSS pixels from which a name can be read."""
SHOWN, MOVED = 352.0, 780.0
"""CSS pixels across a picture on a screen of 375: what is seen of it beside the margins, and how wide the picture of a
whole board is shown there, in a box that is moved sideways (templates/style.css).
"""
_CROWDED = "crowded"
"""Fact of a board that is too wide: its crowded parts, each as "NAME: SPACE SPACE ...", between which it lies."""
_MOST = 4
"""Windows of one picture, those first in which most happens."""
_ROUND, _HIGH, _LOW, _GAP, RIM = (46.0, 34.0), 620.0, 160.0, 12.0, 4.0
"""What is seen around a unit or a line; how high a window is at most and at least; between two windows; around all."""
_EMPTY, _EDGE = 260.0, 8.0
"""So much without anything, from top to bottom, parts two windows; what lies so near the edge of one is not in it."""
_HEAD, _TITLE, _NAME = 34.0, Type("title", 21.0), Type("italic", 15.0)
"""The room of the title above the windows; its type, and that of whose part it is."""


def smallest(naming: str) -> float:
    """The size of the smallest name, in page units."""
    return min(type_.size for type_ in LABELS[naming].values())


def can_be_read(topology: Topology) -> bool:
    """Whether every name on the picture of the whole board has nine CSS pixels at least as a telephone shows it."""
    page = topology.width + 2 * MARGIN
    return all(smallest(naming) * MOVED / page >= READ for naming in LABELS)


def window_width(naming: str) -> float:
    """How much of a page a telephone shows without moving it so that every name can be read, in page units."""
    return SHOWN * smallest(naming) / READ


def windows(picture: Picture, board: Board, powers: Sequence[str]) -> tuple[tuple[Box, ...], bool]:
    """The windows on what concerns these powers, each as left, top, width and height; for none, and for powers that
    nothing concerns, those on the crowded parts of the board, or one on all of it. Second: whether it concerns them.
    """
    wide = window_width(picture.look.naming)
    concerns = [box for whom, box in picture.touched if not whom.isdisjoint(powers)]
    topology = picture.topology
    if concerns:
        return tuple(_covering(topology, concerns, wide)), True
    if listed := crowded(board):
        spots = topology.spots[picture.look.naming]
        parts = ([(*spots[code].label, 0.0, 0.0) for code in part] for part in listed)
        return tuple(box for part in parts for box in _covering(topology, part, wide, parted=False)), False
    return ((0.0, 0.0, topology.width, topology.height),), False


def crowded(board: Board) -> list[list[str]]:
    """The spaces between which each crowded part lies."""
    parts = board.facts.get(_CROWDED, ())
    return [str(part).partition(":")[2].split() for part in (parts if isinstance(parts, tuple) else ())]


def _covering(topology: Topology, boxes: Iterable[Box], wide: float, *, parted: bool = True) -> Iterator[Box]:
    """Windows of one width that hold the corners of these boxes: as few as go from left to right, each cut where it is
    empty.
    """
    points = sorted(_corners(topology, boxes))
    found: list[tuple[int, Box]] = []
    while points:
        left = points[0][0] - _ROUND[0]
        inside = [at for at in points if at[0] <= left + wide - _ROUND[0]]
        points = points[len(inside) :]
        inside.sort(key=lambda at: at[1])
        for band in _bands(inside) if parted else [inside]:
            found.append((len(band), _around(topology, band, wide)))
        points = [at for at in points if not any(_holds(box, at) for _, box in found)]
    found.sort(key=lambda each: -each[0])
    yield from sorted(box for _, box in found[:_MOST])


def _holds(box: Box, at: Point) -> bool:
    left, top, wide, high = box
    return left + _EDGE < at[0] < left + wide - _EDGE and top + _EDGE < at[1] < top + high - _EDGE


def _corners(topology: Topology, boxes: Iterable[Box]) -> Iterator[Point]:
    """Where boxes begin and end, on the page: what goes round the world is seen at both edges."""
    for x, y, across, down in boxes:
        for at in (x - across / 2, x + across / 2):
            for low in (y - down / 2, y + down / 2):
                u = at % topology.width if topology.seam else min(max(at, 0.0), topology.width)
                yield u, min(max(low, 0.0), topology.height)


def _bands(points: Sequence[Point]) -> Iterator[list[Point]]:
    """Points from top to bottom, parted where a window would be too high or nothing lies for long."""
    band: list[Point] = []
    for at in points:
        if band and (at[1] - band[-1][1] > _EMPTY or at[1] - band[0][1] > _HIGH - 2 * _ROUND[1]):
            yield band
            band = []
        band.append(at)
    if band:
        yield band


def _around(topology: Topology, band: Sequence[Point], wide: float) -> Box:
    """A window about these points, on the page."""
    xs = [at[0] for at in band]
    wide = min(wide, topology.width)
    left = min(max((min(xs) + max(xs) - wide) / 2, 0.0), topology.width - wide)
    high = min(max(band[-1][1] - band[0][1] + 2 * _ROUND[1], _LOW), topology.height)
    top = min(max((band[0][1] + band[-1][1] - high) / 2, 0.0), topology.height - high)
    return tuple(round(side, 1) for side in (left, top, wide, high))  # type: ignore[return-value]


@dataclass(frozen=True, slots=True, eq=False)
class PartOfPicture:
    """Windows on a picture, one under the other below its title. `heading`: whose part it is."""

    picture: Picture
    seen: tuple[Box, ...]
    heading: str

    @property
    def across(self) -> float:
        """How wide it is, in page units."""
        return max(wide for _, _, wide, _ in self.seen) + 2 * RIM

    def places(self) -> Iterator[tuple[float, Box]]:
        """The windows, each with how far below the top it lies."""
        y = _HEAD
        for box in self.seen:
            yield y, box
            y += box[3] + _GAP

    def svg(self) -> str:
        """The whole as one SVG."""
        windows = "".join(
            f'<svg x="{number(RIM)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" '
            f'viewBox="{number(left)} {number(top)} {number(wide)} {number(high)}"><use href="#board"/></svg>'
            for y, (left, top, wide, high) in self.places()
        )
        return self._page(f'<defs><g id="board">{self.picture.map()}</g></defs>{windows}', paper=True)

    def frame(self) -> str:
        """Title and frames alone."""
        return self._page("", paper=False)

    def window(self, box: Box) -> tuple[str, str]:
        """What is seen through one of the windows: the ground, and what lies on it. What lies outside is not cut off,
        which takes a renderer long. There are no rivers: they are a tenth of a part's octets, and no order asks for
        them.
        """
        picture = replace(self.picture, box=box)
        above = picture.lines() + "".join(sign.svg() for sign in picture.signs)
        ground = document(picture, picture.below(rivers=False), paper=True, sharp=True)
        return ground, document(picture, above, paper=False)

    def _page(self, inside: str, *, paper: bool) -> str:
        theme, places = self.picture.look.theme, list(self.places())
        title = fitted(self.picture.title, _TITLE, self.across - 16 - _NAME.width(self.heading))
        words = (
            f'<text x="{number(RIM)}" y="24" {_TITLE.attributes()} fill="{theme.ink}">{safe(title)}</text>'
            f'<text x="{number(self.across - RIM)}" y="24" text-anchor="end" {_NAME.attributes()} '
            f'fill="{theme.ink}">{safe(self.heading)}</text>'
        )
        frames = "".join(
            f'<rect x="{number(RIM)}" y="{number(y)}" width="{number(box[2])}" height="{number(box[3])}" '
            f'fill="none" stroke="{theme.ink}" stroke-width="1.6"/>'
            for y, box in places
        )
        page = replace(self.picture, box=(0.0, 0.0, self.across, places[-1][0] + places[-1][1][3] + RIM))
        return document(page, inside + words + frames, paper=paper)


def part_for(picture: Picture, board: Board, powers: Sequence[str]) -> PartOfPicture:
    """The part of a picture that concerns these powers; where the board is crowded, if nothing does."""
    seen, concerned = windows(picture, board, powers)
    names = " and ".join(board.powers[power].name for power in powers)
    return PartOfPicture(picture, seen, names if concerned else "where it is crowded")

"""Colours and patterns: two themes, and a paint for each power.

Powers are told apart without colour by the letter on each unit and, in print, by hatching; their strong colours differ
in lightness too, so that most of them stay apart for colour-blind eyes.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.board.model import Board


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of everything that belongs to no power."""

    name: str
    paper: str
    ink: str
    faint: str
    sea: str
    shallow: str
    glow: str
    degrees: str
    sea_border: str
    coast: str
    land: str
    nobodys: str
    nobodys_line: str
    border: str
    frontier: str
    river: str
    lake: str
    name_ink: str
    sea_ink: str
    halo: str
    bad: str
    good: str

    @property
    def printed(self) -> bool:
        """Whether it is black and white."""
        return self.name == "print"


COLOUR = Theme(
    name="colour", paper="#f8f3e6", ink="#43392e", faint="#8c8170", sea="#cfe0e6", shallow="#dde9e9", glow="#a5c2ce",
    degrees="#bdd2db", sea_border="#7394a3", coast="#56707b", land="#f5eedb", nobodys="#dcd5c5", nobodys_line="#c9c0ad",
    border="#9a8a72", frontier="#4d4030", river="#a3c3d1", lake="#c6dbe3", name_ink="#33291f", sea_ink="#355d6d",
    halo="#fffaf0", bad="#b3151b", good="#1f6b2b",
)  # fmt: skip
PRINT = Theme(
    name="print", paper="#ffffff", ink="#000000", faint="#666666", sea="#ffffff", shallow="#f4f4f4", glow="#d6d6d6",
    degrees="#ebebeb", sea_border="#8a8a8a", coast="#333333", land="#ffffff", nobodys="#e9e9e9", nobodys_line="#bcbcbc",
    border="#777777", frontier="#000000", river="#d5d5d5", lake="#f0f0f0", name_ink="#000000", sea_ink="#333333",
    halo="#ffffff", bad="#000000", good="#000000",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Paint:
    """A power's colours: of its land, its units, its arrows, the letters on its units. `hatch`: its pattern. `bands`:
    of the left and right third of its units, where these are not of one colour.
    """

    wash: str
    strong: str
    dark: str
    letter: str
    hatch: int
    bands: tuple[str, ...] = ()


_NAMED: Mapping[str, tuple[str, str, str]] = MappingProxyType({
    "red": ("#eec4b8", "#b92d25", "#8b1c16"),
    "dark blue": ("#c4c3e8", "#3a3a96", "#29296f"),
    "light blue": ("#b7d9f4", "#3f9fe3", "#17639c"),
    "black": ("#c8c4bc", "#3b3a38", "#1d1c1b"),
    "green": ("#cbe4b9", "#55a84c", "#2a6a26"),
    "white": ("#ebe8f0", "#fbf9fd", "#6a6378"),
    "yellow": ("#f6e3a3", "#e6b520", "#8a6408"),
    "orange": ("#f8d2a8", "#e8821e", "#95500b"),
    "purple": ("#dcc2e6", "#8b3fa8", "#602878"),
    "brown": ("#dfcab0", "#8a5a2b", "#5d3a17"),
    "pink": ("#f7cfdd", "#e77fa6", "#9c2f5b"),
    "grey": ("#d6d8da", "#8a9096", "#4c5157"),
    "turquoise": ("#bfe6e0", "#2fa79a", "#14695f"),
    "blue": ("#bccdf0", "#3b6fd1", "#234791"),
    "red-white-blue": ("#f3d3dd", "#fbf9fd", "#83305f"),
})  # fmt: skip
"""Colour as a board names it (`judge.board.model.COLOURS`) -> wash, strong, dark."""
_BANDS: Mapping[str, tuple[str, ...]] = MappingProxyType({"red-white-blue": ("#c32032", "#2b3f95")})


NOBODY = Paint("#ece3cb", "#cfc3a4", "#6a5f49", "#1d1a16", 5)
"""Of countries that are in nobody's hand: the colour of parchment, and in print plain white."""


def paints(board: Board) -> Mapping[str, Paint]:
    """A paint for each power of a board: the colour that it names, or one made for it if it names none of ours, or one
    that another power has.
    """
    found: dict[str, Paint] = {}
    used: set[str] = set()
    for n, (key, power) in enumerate(board.powers.items()):
        name = power.colour.lower()
        known = name in _NAMED and name not in used
        used.add(name)
        paint = _paint(*(_NAMED[name] if known else _made(n)), hatch=n)
        found[key] = replace(paint, bands=_BANDS.get(name, ())) if known else paint
    return found


def _paint(wash: str, strong: str, dark: str, *, hatch: int) -> Paint:
    return Paint(wash, strong, dark, "#ffffff" if lightness(strong) < 0.6 else "#1d1a16", hatch)


def lightness(colour: str) -> float:
    """How light "#rrggbb" looks, 0 to 1."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue


def _made(n: int) -> tuple[str, str, str]:
    """Hues by the golden angle, on three steps of lightness."""
    hue, step = (n * 0.381966 + 0.03) % 1, n % 3
    return tuple(
        "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, light, vivid))
        for light, vivid in ((0.84, 0.55), ((0.36, 0.5, 0.62)[step], 0.6), (0.26, 0.65))
    )  # type: ignore[return-value]


# -- patterns ------------------------------------------------------------------------------------------------------

_TILES: tuple[tuple[float, int, str, str], ...] = (
    (5, 45, "#ffffff", "M0 0V5"),
    (5, -45, "#ffffff", "M0 0V5"),
    (4, 0, "#ffffff", "M1 2h.01M3 4h.01"),
    (6, 0, "#d4d4d4", ""),
    (5, 0, "#ffffff", "M0 0H5"),
    (6, 0, "#ffffff", ""),
    (6, 45, "#ffffff", "M0 0V6M0 0H6"),
    (5, 0, "#ffffff", "M0 0V5"),
    (8, 45, "#ffffff", "M0 0V8M2.5 0V8"),
    (8, -45, "#ffffff", "M0 0V8M2.5 0V8"),
    (6, 0, "#ffffff", "M0 0V6M0 0H6"),
    (5, 45, "#dedede", "M0 0V5"),
    (5, -45, "#dedede", "M0 0V5"),
    (5, 0, "#dedede", "M0 0H5"),
    (8, 0, "#ffffff", "M0 0H8M0 2.5H8"),
    (6, 0, "#ececec", "M1 2h.01M4 5h.01"),
)
"""Size, turn, ground and strokes of each hatching."""


def hatching(name: str, n: int) -> str:
    """The definition of a pattern for print."""
    size, turn, ground, strokes = _TILES[n % len(_TILES)]
    lines = f'<path d="{strokes}" stroke="#8c8c8c" stroke-width="1.1" stroke-linecap="round"/>' if strokes else ""
    return _pattern(name, size, turn, f'<rect width="{size:g}" height="{size:g}" fill="{ground}"/>{lines}')


def stripes(name: str, colour: str) -> str:
    """The definition of a pattern of broad stripes with nothing between."""
    return _pattern(name, 9, 45, f'<path d="M2 0V9" stroke="{colour}" stroke-width="4"/>')


def dead_ground(name: str, theme: Theme) -> str:
    """The definition of the pattern of land that nobody can enter."""
    lines = f'<path d="M0 0V5" stroke="{theme.nobodys_line}" stroke-width="1.1"/>'
    return _pattern(name, 5, 45, f'<rect width="5" height="5" fill="{theme.nobodys}"/>{lines}')


def _pattern(name: str, size: float, turn: int, inside: str) -> str:
    turned = f' patternTransform="rotate({turn})"' if turn else ""
    return (
        f'<pattern id="{name}" width="{size:g}" height="{size:g}" patternUnits="userSpaceOnUse"{turned}>'
        f"{inside}</pattern>"
    )

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
    name="colour", paper="#e5decd", ink="#352c22", faint="#71675a", sea="#bfd1d8", shallow="#ccd9da",
    sea_border="#5f8292", coast="#47616c", land="#e6dec9", nobodys="#cbc3b1", nobodys_line="#b6ac98",
    border="#75654e", frontier="#42362a", river="#8fb4c4", lake="#bfd1d8", name_ink="#2b2219", sea_ink="#25505f",
    halo="#faf4e8", bad="#b3151b", good="#1f6b2b",
)  # fmt: skip
PRINT = Theme(
    name="print", paper="#ffffff", ink="#000000", faint="#666666", sea="#ffffff", shallow="#f4f4f4",
    sea_border="#8a8a8a", coast="#333333", land="#ffffff", nobodys="#e9e9e9", nobodys_line="#bcbcbc",
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
    "red": ("#d29f90", "#b1310a", "#8b1c16"),
    "dark blue": ("#9ca2dc", "#00117b", "#29296f"),
    "light blue": ("#bbd5fd", "#68a9fe", "#17639c"),
    "black": ("#a5a5b2", "#101012", "#1d1c1b"),
    "green": ("#cbe8a5", "#91de82", "#2a6a26"),
    "white": ("#dcdce6", "#ffffff", "#6a6378"),
    "yellow": ("#edd57b", "#ffe336", "#8a6408"),
    "orange": ("#d7a972", "#dc8200", "#95500b"),
    "purple": ("#ceafdb", "#9549a6", "#602878"),
    "brown": ("#dcc19f", "#653c29", "#5d3a17"),
    "pink": ("#ffb6c9", "#ec94c4", "#9c2f5b"),
    "grey": ("#c6c9cc", "#8a9096", "#4c5157"),
    "turquoise": ("#8cc3b1", "#078174", "#14695f"),
    "blue": ("#a9bee8", "#3b6fd1", "#234791"),
    "red-white-blue": ("#e1bac0", "#fbf9fd", "#83305f"),
})  # fmt: skip
"""Colour as a board names it (`judge.board.model.COLOURS`) -> wash, strong, dark."""
_BANDS: Mapping[str, tuple[str, ...]] = MappingProxyType({"red-white-blue": ("#c32032", "#2b3f95")})


NOBODY = Paint("#ddd2b6", "#cfc3a4", "#6a5f49", "#1d1a16", 5)
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
        for light, vivid in ((0.8, 0.5), ((0.36, 0.5, 0.62)[step], 0.6), (0.26, 0.65))
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

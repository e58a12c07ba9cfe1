"""Paints and patterns: what each power is drawn with, in the colours of a face (`judge.draw.faces`).

Powers are told apart without colour by the letter on each unit and, in print, by hatching; their strong colours differ
in lightness too, so that most of them stay apart for colour-blind eyes.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.board.model import Board
from judge.draw.faces import DARK, DARK_GROUND, LIGHT, NAMED, Theme


@dataclass(frozen=True, slots=True)
class Paint:
    """A power's colours: of its land, its units, its lines (light ones in the dark face), the letters on its units.
    `hatch`: its pattern. `bands`: of the left and right third of its units, where these are not of one colour.
    """

    wash: str
    strong: str
    dark: str
    letter: str
    hatch: int
    bands: tuple[str, ...] = ()


_BANDS: Mapping[str, tuple[str, ...]] = MappingProxyType({"red-white-blue": ("#c32032", "#2b3f95")})


_NOBODY = Paint("#ddd2b6", "#cfc3a4", "#6a5f49", "#1d1a16", 5)


def nobodys_paint(face: str = LIGHT) -> Paint:
    """Of countries that are in nobody's hand: the colour of parchment, and in print plain white."""
    return replace(_NOBODY, wash="#5d5543", dark="#cfc3a4") if face == DARK else _NOBODY


def paints(board: Board, face: str = LIGHT) -> Mapping[str, Paint]:
    """A paint for each power of a board in a face: the colour that it names, or one made for it if it names none of
    ours, or one that another power has.
    """
    found: dict[str, Paint] = {}
    used: set[str] = set()
    for n, (key, power) in enumerate(board.powers.items()):
        name = power.colour.lower()
        known = name in NAMED and name not in used
        used.add(name)
        paint = _paint(*(NAMED[name] if known else _made(n)), hatch=n)
        if face == DARK:
            wash = DARK_GROUND[name] if known else _made(n)[2]
            paint = replace(paint, wash=wash, dark=_bright(paint.strong))
        found[key] = replace(paint, bands=_BANDS.get(name, ())) if known else paint
    return found


def _paint(wash: str, strong: str, dark: str, *, hatch: int) -> Paint:
    return Paint(wash, strong, dark, "#ffffff" if lightness(strong) < 0.6 else "#1d1a16", hatch)


_BRIGHT = 0.64
"""How light lines are at least on dark ground."""


def _bright(colour: str) -> str:
    """A colour mixed with as much white as makes it a line on dark ground."""
    light = lightness(colour)
    part = max(0.0, (_BRIGHT - light) / (1 - light)) if light < 1 else 0.0
    mixed = (int(colour[n : n + 2], 16) * (1 - part) + 255 * part for n in (1, 3, 5))
    return "#" + "".join(f"{round(each):02x}" for each in mixed)


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

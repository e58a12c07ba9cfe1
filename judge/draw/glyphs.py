"""The small signs: units, centres, crosses, bursts. Each is SVG about a middle, in page units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin

from judge.draw.faces import Theme
from judge.draw.ink import Paint
from judge.draw.letters import Type, safe
from judge.draw.paths import at, number
from judge.draw.topology import Point

_WAGON = (
    "M-12-9h24a1.8 1.8 0 0 1 1.8 1.8v9.9a1.8 1.8 0 0 1-1.8 1.8h-24a1.8 1.8 0 0 1-1.8-1.8v-9.9a1.8 1.8 0 0 1 1.8-1.8z"
)
_WHEELS = "M-10.6 5.6a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0zM3.4 5.6a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z"
_HULL = "M-14.4-1.9h28.8c-.7 6.4-3 10.8-6.8 12.4h-15.2c-3.8-1.6-6.1-6-6.8-12.4z"
_SAILS = "M-1-10.9v8h-8.4c1.4-3.8 4.2-6.6 8.4-8zM1.2-9.9c3.7 1.2 6.3 3.7 7.6 7h-7.6z"
_ROUND = "M-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0z"

_TOKENS: Mapping[str, tuple[str, str, float]] = {"A": (_WHEELS, _WAGON, 3.2), "F": (_SAILS, _HULL, 8.9)}
"""Letter of a kind -> what stands out from its body, its body, where the foot of its power's letter stands."""

_BANDS: Mapping[str, tuple[str, str]] = {
    "A": (
        "M-12-9h6.2v13.5h-6.2a1.8 1.8 0 0 1-1.8-1.8v-9.9a1.8 1.8 0 0 1 1.8-1.8z",
        "M12-9h-6.2v13.5h6.2a1.8 1.8 0 0 0 1.8-1.8v-9.9a1.8 1.8 0 0 0-1.8-1.8z",
    ),
    "F": (
        "M-14.4-1.9h8.6v12.4h-1.8c-3.8-1.6-6.1-6-6.8-12.4z",
        "M14.4-1.9h-8.6v12.4h1.8c3.8-1.6 6.1-6 6.8-12.4z",
    ),
}
"""The left and the right part of a body, for powers of several colours."""

INITIAL = Type("caps", 14.5)


def token(kind: str, paint: Paint, letter: str, theme: Theme, outline: str = "") -> str:
    """A unit about 0 0. `letter`: its power's; `outline`: the body of a kind that is none of ours."""
    behind, body, foot = _TOKENS.get(kind, ("", outline or _ROUND, 4.6))
    fill, line, ink = ("#ffffff", "#000000", "#000000") if theme.printed else (paint.strong, _edge(paint), paint.letter)
    size = INITIAL.size if len(letter) < 2 else 11.0 if len(letter) == 2 else 9.2
    foot -= (INITIAL.size - size) * 0.28
    text = (
        f'<text y="{number(foot)}" text-anchor="middle" {Type("caps", size).attributes()} fill="{ink}">'
        f"{safe(letter)}</text>"
    )
    return (
        f'<path d="{behind}{body}" fill="{theme.halo}" stroke="{theme.halo}" stroke-width="3.4"/>'
        + (f'<path d="{behind}" fill="{line}" stroke="{line}" stroke-width=".9"/>' if behind else "")
        + f'<path d="{body}" fill="{fill}" stroke="{line}" stroke-width="1.1"/>{_banded(kind, paint, theme)}{text}'
    )


def _banded(kind: str, paint: Paint, theme: Theme) -> str:
    if theme.printed or kind not in _BANDS:
        return ""
    parts = zip(_BANDS[kind], paint.bands, strict=False)
    return "".join(f'<path d="{part}" fill="{colour}"/>' for part, colour in parts)


def _edge(paint: Paint) -> str:
    return paint.dark


@dataclass(frozen=True, slots=True)
class Stamp:
    """A sign and where it is put. Equal signs can be made into pixels once. `mark`: attributes of its element."""

    point: Point
    inside: str
    scale: float = 1.0
    mark: str = ""

    def svg(self) -> str:
        """The sign in its place."""
        return placed(self.point, self.inside, self.scale, self.mark)


def placed(point: Point, inside: str, scale: float = 1.0, extra: str = "") -> str:
    """Something about 0 0, put where it belongs."""
    sized = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({at(point)}){sized}"{extra}>{inside}</g>'


RIMS = (
    "M-5.2-5.2H5.2V5.2H-5.2z",
    "M0-7.4L7.4 0L0 7.4L-7.4 0z",
    "M-3.6-6.2H3.6L7.2 0L3.6 6.2H-3.6L-7.2 0z",
)
"""Outlines of centres that are no circles: a square, a diamond, a hexagon."""


def centre_dot(paint: Paint | None, letter: str, theme: Theme, rim: str = "") -> str:
    """A supply centre about 0 0: a star in its owner's colour; in print the owner's letter. `rim`: its outline as path
    data, one of `RIMS`; "": a circle.
    """
    if theme.printed:
        if paint is None:
            return _rim(rim, 4.2, f'fill="#ffffff" stroke="{theme.ink}" stroke-width="1.2"')
        size = 9.0 if len(letter) < 2 else 5.4
        return (
            _rim(rim, 5.4, 'fill="#000000"')
            + f'<text y="{number(size * 0.32)}" text-anchor="middle" '
            + f'{Type("caps", size).attributes()} fill="#ffffff">{safe(letter)}</text>'
        )
    ring = _rim(rim, 5, f'fill="{theme.halo}" stroke="{theme.ink}" stroke-width=".9"')
    if paint is None:
        return ring + f'<path d="{_star(3.6, 0.46, 5)}" fill="none" stroke="{theme.faint}" stroke-width=".8"/>'
    edge = f' stroke="{paint.dark}" stroke-width=".7"' if paint.letter != "#ffffff" else ""
    fill = paint.dark if theme.dark else paint.strong
    return ring + f'<path d="{_star(4.1, 0.46, 5)}" fill="{fill}"{edge}/>'


def _rim(rim: str, radius: float, look: str) -> str:
    return f'<path d="{rim}" {look}/>' if rim else f'<circle r="{number(radius)}" {look}/>'


def _star(radius: float, inner: float, points: int) -> str:
    corners = []
    for n in range(2 * points):
        angle = pi * (n / points - 0.5)
        far = radius if n % 2 == 0 else radius * inner
        corners.append((far * cos(angle), far * sin(angle)))
    return "M" + "L".join(at(corner) for corner in corners) + "z"


def burst(theme: Theme) -> str:
    """Round a unit that was driven out."""
    star = _star(22, 0.76, 11)
    return (
        f'<path d="{star}" fill="{theme.halo}" fill-opacity=".9" stroke="{theme.bad}" stroke-width="1.9" '
        f'stroke-linejoin="round"/>'
    )


def clash(theme: Theme) -> str:
    """On a space that a stand-off left vacant."""
    star = _star(9, 0.5, 8)
    return (
        f'<path d="{star}" fill="{theme.halo}" stroke="{theme.bad}" stroke-width="1.5" stroke-linejoin="round"/>'
        f'<circle r="2" fill="{theme.bad}"/>'
    )


def changed(theme: Theme) -> str:
    """Round a centre that has changed hands."""
    return (
        f'<circle r="8.4" fill="none" stroke="{theme.halo}" stroke-width="3.4"/>'
        f'<circle r="8.4" fill="none" stroke="{theme.bad}" stroke-width="1.6" stroke-dasharray="3.4 1.9"/>'
    )


def cross(theme: Theme, radius: float = 4.6) -> str:
    """What failed."""
    r = number(radius)
    path = f"M-{r}-{r}L{r} {r}M-{r} {r}L{r}-{r}"
    return _outlined(path, theme.bad, theme.halo, 2.5)


def gone(theme: Theme) -> str:
    """At the corner of a unit that has gone, about its middle: its letter stays to be read."""
    return placed((12.0, -10.5), cross(theme, 5.2))


def plus(theme: Theme) -> str:
    """What was built."""
    return _outlined("M-5 0H5M0-5V5", theme.good, theme.halo, 2.6)


def _outlined(path: str, colour: str, halo: str, width: float) -> str:
    return (
        f'<path d="{path}" stroke="{halo}" stroke-width="{number(width + 2.2)}" stroke-linecap="round"/>'
        f'<path d="{path}" stroke="{colour}" stroke-width="{number(width)}" stroke-linecap="round"/>'
    )


SIGNS: Mapping[str, str] = {
    "aboard": "M0-7V1M-3.4-2.2L0 1.4L3.4-2.2M-6.5 1.5C-5.4 5.6-3 6.4 0 6.4S5.4 5.6 6.5 1.5",
    "ashore": "M0 2.4V-6.4M-3.4-2.8L0-6.4L3.4-2.8M-6.5 6.2H6.5",
    "raid": "M0 6.4C-3.6 2.8-3.4-.8-2.2-2.6H2.2C3.4-.8 3.6 2.8 0 6.4zM-3.2-5.8L0-2.8L3.2-5.8",
    "cover": "M-4.8-4.8H4.8V-.2C4.8 2.8 2.4 5 0 6.2C-2.4 5-4.8 2.8-4.8-.2z",
}
"""What a kind of order that has no line of its own may be shown by (`OrderKind.sign`): into a hull, up from a quay; and
what stands at the end of a flight: a bomb, a shield.
"""


def order_sign(name: str, colour: str, halo: str) -> str:
    """One of `SIGNS` about 0 0, on a round plate."""
    return (
        f'<circle r="9" fill="{halo}" stroke="{colour}" stroke-width=".9"/>'
        f'<path d="{SIGNS[name]}" fill="none" stroke="{colour}" stroke-width="1.9" stroke-linecap="round" '
        'stroke-linejoin="round"/>'
    )


def octagon(colour: str, halo: str) -> str:
    """Round a unit that stands."""
    corners = [(18.5 * cos(pi * (n / 4 + 0.125)), 15.5 * sin(pi * (n / 4 + 0.125))) for n in range(8)]
    path = "M" + "L".join(at(corner) for corner in corners) + "z"
    return _ringed(path, colour, halo, 1.7, "")


def ring(colour: str, halo: str) -> str:
    """Round a fleet that convoys."""
    path = "M-17.5 0a17.5 17.5 0 1 0 35 0a17.5 17.5 0 1 0-35 0z"
    return _ringed(path, colour, halo, 2.1, ' stroke-dasharray="4.5 2.6"')


def _ringed(path: str, colour: str, halo: str, width: float, dashes: str) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{halo}" stroke-width="{number(width + 2)}" stroke-opacity=".8"/>'
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}"{dashes}/>'
    )


def arrowhead(tip: Point, direction: Point, size: float, fill: str, line: str) -> str:
    """A head whose tip lies at a point."""
    (x, y), (u, v) = tip, direction
    back, wide, notch = size, size * 0.48, size * 0.72
    corners = [
        (x, y),
        (x - u * back - v * wide, y - v * back + u * wide),
        (x - u * notch, y - v * notch),
        (x - u * back + v * wide, y - v * back - u * wide),
    ]
    path = "M" + "L".join(at(corner) for corner in corners) + "z"
    return f'<path d="{path}" fill="{fill}" stroke="{line}" stroke-width="1" stroke-linejoin="round"/>'


def badge(text: str, paint: Paint | None, theme: Theme) -> str:
    """A small plate of a few letters about 0 0."""
    type_ = Type("caps", 9.5)
    width = max(11.0, type_.width(text) + 5)
    fill = theme.halo if paint is None or theme.printed else paint.wash
    line = theme.ink if paint is None or theme.printed else paint.dark
    return (
        f'<rect x="{number(-width / 2)}" y="-5.5" width="{number(width)}" height="11" rx="3" fill="{fill}" '
        f'stroke="{line}" stroke-width=".9"/><text y="3.2" text-anchor="middle" {type_.attributes()} '
        f'fill="{theme.ink}">{safe(text)}</text>'
    )

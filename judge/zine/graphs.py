"""Graphs of numbers as SVG, for every face that can draw: lines that are told apart without colour.

Colours are attributes; a style sheet may overrule them by the classes `ink`, `grid` and `line-0` to `line-7`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

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

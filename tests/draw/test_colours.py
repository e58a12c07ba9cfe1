"""Powers are told apart by their colours also by who sees no red or no green, on every board and on either ground.

What is seen is simulated as Machado, Oliveira and Fernandes describe it (2009: "A Physiologically-based Model for
Simulation of Color Vision Deficiency", severity 1.0): a matrix on linear RGB for protanopia, one for deuteranopia. How
far two colours lie apart is the distance of their CIE L*a*b* coordinates (1976, white point D65); about 2.3 can just be
seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import dist

import pytest

from judge.board.load import load_board
from judge.draw.faces import DARK, LIGHT, THEMES
from judge.draw.ink import Paint, paints
from tests.draw.conftest import MAPS

Matrix = tuple[tuple[float, float, float], ...]

EYES: dict[str, Matrix] = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
_XYZ: Matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.95047, 1.0, 1.08883)

WANTED = {
    "standard": (35, 15), "calhamer1958": (35, 11), "pulsipher1914": (35, 15), "european": (25, 15), "global2": (25, 9),
}  # fmt: skip
"""Board -> how far the units of any two powers lie apart at least, and their lands. Twelve powers find less room."""


def seen(colour: str, eyes: Matrix) -> tuple[float, float, float]:
    """A colour as these eyes see it: L*, a*, b*."""
    light = [_linear(int(colour[n : n + 2], 16) / 255) for n in (1, 3, 5)]
    simulated = [min(1.0, max(0.0, each)) for each in _times(eyes, light)]
    x, y, z = (_root(part / white) for part, white in zip(_times(_XYZ, simulated), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _root(part: float) -> float:
    return float(part ** (1 / 3)) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116


def apart(one: Paint, other: Paint, eyes: Matrix) -> float:
    """How far the units of two powers lie apart; of one in several colours, the part that differs most tells."""
    mine, theirs = ((paint.strong, *paint.bands) for paint in (one, other))
    return max(min(dist(seen(a, eyes), seen(b, eyes)) for b in theirs) for a in mine)


def test_the_simulation_shows_what_is_known() -> None:
    """Red and green of one lightness come close for who lacks either; blue and yellow stay apart."""
    for name in ("no red", "no green"):
        eyes = EYES[name]
        assert dist(seen("#b05000", eyes), seen("#6a7a00", eyes)) < 25
        assert dist(seen("#0000ff", eyes), seen("#ffff00", eyes)) > 150


@pytest.mark.parametrize("face", THEMES)
@pytest.mark.parametrize("name", sorted(WANTED))
def test_units_and_lands_of_any_two_powers_can_be_told_apart(name: str, face: str) -> None:
    """Those of the players; countries without one have letters of two, and made colours."""
    board = load_board(MAPS / name)
    of_units, of_lands = WANTED[name]
    found = {key: paint for key, paint in paints(board, face).items() if not board.powers[key].minor}
    for eyes_name, eyes in EYES.items():
        for (key, one), (other_key, other) in combinations(found.items(), 2):
            assert apart(one, other, eyes) >= of_units, f"units of {key} and {other_key}, {eyes_name}"
            lands = dist(seen(one.wash, eyes), seen(other.wash, eyes))
            assert lands >= of_lands, f"land of {key} and {other_key}, {eyes_name}"
        for key, paint in found.items():
            assert dist(seen(paint.wash, eyes), seen(THEMES[face].land, eyes)) >= of_lands, (
                f"{key} and nobody, {eyes_name}"
            )


def test_nothing_on_a_picture_is_bright_beside_a_dark_page() -> None:
    """The light face is muted: paper, land, sea and washes are no lighter than 90 of 100, names stay dark on them."""
    washes = [paint.wash for name in WANTED for paint in paints(load_board(MAPS / name)).values()]
    theme = THEMES[LIGHT]
    for colour in (theme.paper, theme.land, theme.sea, theme.shallow, *washes):
        light = seen(colour, EYES["all colours"])[0]
        assert 55 < light <= 90, colour
        assert light - seen(theme.name_ink, EYES["all colours"])[0] > 50, colour


def test_the_dark_face_is_dark_and_what_is_written_on_it_is_light() -> None:
    """Paper, land, sea and washes are no lighter than 50 of 100; names, and the lines of every power, stand out."""
    found = [paint for name in WANTED for paint in paints(load_board(MAPS / name), DARK).values()]
    theme, eyes = THEMES[DARK], EYES["all colours"]
    for colour in (theme.paper, theme.land, theme.sea, theme.shallow, *(paint.wash for paint in found)):
        light = seen(colour, eyes)[0]
        assert light <= 50, colour
        assert seen(theme.name_ink, eyes)[0] - light > 43, colour
    for paint in found:
        assert seen(paint.dark, eyes)[0] - seen(theme.halo, eyes)[0] > 50, paint

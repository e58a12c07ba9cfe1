"""From longitude and latitude to the page.

A part of the globe: Lambert's azimuthal projection of equal area about a centre, its middle enlarged by a radial
function. All of it (`kind = "world"`): Patterson's cylindrical projection, cut at a `seam` so that east and west
edge are one line. Lenses then magnify a spot or two. Everything is continuous and one-to-one, so what
touches on the globe touches here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.affinity import translate
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

Numbers = NDArray[np.float64]
PAGE_WIDTH = 1000.0
"""Units across every page; all sizes are in these units."""


class Projection:
    """Made of the tables `projection` and `frame` of a picture.toml. `width`, `height`: of the page; `seam`: the line
    at which a world is cut, None for a part of it.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        shape, frame = settings["projection"], settings["frame"]
        self.seam: float | None = float(shape["seam"]) if shape.get("kind") == "world" else None
        lon, lat = shape["centre"]
        self._lon, self._lat = np.radians(lon), np.radians(lat)
        self._focus, self._radius = float(shape.get("focus", 0)), float(shape.get("radius", 1))
        self._turn = np.radians(float(shape.get("turn", 0)))
        self._east = _Stretch(np.radians, shape.get("widths", _EVEN))
        self._north = _Stretch(_patterson, shape.get("heights", _EVEN))
        self._lenses: list[tuple[float, float, float, float]] = []
        for lens_lon, lens_lat, width, strength in shape.get("lenses", ()):
            x, y = self._raw(np.array([lens_lon]), np.array([lens_lat]))
            self._lenses.append((float(x[0]), float(y[0]), width, strength))
        self._fit(frame)

    def _fit(self, frame: Mapping[str, Sequence[float]]) -> None:
        edges = np.array([frame[side] for side in ("left", "right", "top", "bottom")], float)
        x, y = self._raw(edges[:, 0], edges[:, 1])
        self.width = float(frame.get("width", PAGE_WIDTH))  # type: ignore[arg-type]
        self._scale = self.width / float(x[1] - x[0])
        self._x, self._y = float(x[0]), float(y[2])
        self.height = float(y[2] - y[3]) * self._scale

    def _raw(self, lon: Numbers, lat: Numbers) -> tuple[Numbers, Numbers]:
        x, y = self._azimuthal(lon, lat) if self.seam is None else self._cylindrical(lon, lat)
        for at_x, at_y, width, strength in self._lenses:
            away_x, away_y = x - at_x, y - at_y
            pull = strength * np.exp(-(away_x**2 + away_y**2) / (2 * width * width))
            x, y = x + away_x * pull, y + away_y * pull
        return x, y

    def _cylindrical(self, lon: Numbers, lat: Numbers) -> tuple[Numbers, Numbers]:
        """Patterson's, with some of its meridians and parallels drawn farther apart than others."""
        return self._east(lon), self._north(lat)

    def _azimuthal(self, lon: Numbers, lat: Numbers) -> tuple[Numbers, Numbers]:
        east, north = np.radians(lon) - self._lon, np.radians(lat)
        sine, cosine = np.sin(self._lat), np.cos(self._lat)
        spread = np.sqrt(2 / (1 + sine * np.sin(north) + cosine * np.cos(north) * np.cos(east)))
        x = spread * np.cos(north) * np.sin(east)
        y = spread * (cosine * np.sin(north) - sine * np.cos(north) * np.cos(east))
        x, y = self._enlarged(x, y)
        return x * np.cos(self._turn) - y * np.sin(self._turn), x * np.sin(self._turn) + y * np.cos(self._turn)

    def _enlarged(self, x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
        if not self._focus:
            return x, y
        distance = np.hypot(x, y) + 1e-12
        factor = np.arcsinh(self._focus * distance / self._radius) / np.arcsinh(self._focus) * self._radius / distance
        return x * factor, y * factor

    def page(self, points: Any) -> Numbers:
        """Page coordinates (n, 2), y downward, of longitudes and latitudes (n, 2)."""
        degrees = np.asarray(points, float).reshape(-1, 2)
        x, y = self._raw(degrees[:, 0], degrees[:, 1])
        return np.column_stack(((x - self._x) * self._scale, (self._y - y) * self._scale))


def _patterson(lat: Numbers) -> Numbers:
    """How far north, in radians at the equator: Tom Patterson's cylindrical projection of 2014."""
    north = np.radians(np.clip(lat, -90, 90))
    square = north * north
    return north * (1.0148 + square**2 * (0.23185 + square * (-0.14499 + square * 0.02406)))


_EVEN = ((0.0, 1.0),)


class _Stretch:
    """How far from the middle a degree lies: `plain` says it, `shares` where a degree gets more room, or less, as pairs
    of a degree and a factor; between two of them the factor goes over from one to the other.
    """

    def __init__(self, plain: Callable[[Numbers], Numbers], shares: Sequence[Sequence[float]]) -> None:
        at, wide = (np.array([share[n] for share in shares], float) for n in (0, 1))
        self._degrees = np.arange(-180, 361, 0.5)
        middles = (self._degrees[1:] + self._degrees[:-1]) / 2
        far = np.concatenate(([0.0], np.cumsum(np.diff(plain(self._degrees)) * np.interp(middles, at, wide))))
        self._drawn = far - np.interp(0, self._degrees, far)

    def __call__(self, degrees: Numbers) -> Numbers:
        return np.interp(degrees, self._degrees, self._drawn)


def unrolled(shape: BaseGeometry, seam: float | None) -> BaseGeometry:
    """A shape in degrees with all that lies west of the seam moved round to the east: longitudes from `seam` on."""
    if seam is None or shape.bounds[0] >= seam:
        return shape
    west = translate(shape.intersection(box(-180, -90, seam, 90)), xoff=360)
    return shapely.union_all([shape.intersection(box(seam, -90, seam + 360, 90)), west])

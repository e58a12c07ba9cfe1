"""From longitude and latitude to the page.

Lambert's azimuthal projection of equal area about a centre; then the middle is enlarged by a smooth radial function,
and lenses magnify a spot or two. Everything is continuous and one-to-one, so what touches on the globe touches here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
PAGE_WIDTH = 1000.0
"""Units across every page; all sizes are in these units."""


class Projection:
    """Made of the tables `projection` and `frame` of a picture.toml. `width`, `height`: of the page."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        shape, frame = settings["projection"], settings["frame"]
        lon, lat = shape["centre"]
        self._lon, self._lat = np.radians(lon), np.radians(lat)
        self._focus, self._radius = float(shape.get("focus", 0)), float(shape.get("radius", 1))
        self._turn = np.radians(float(shape.get("turn", 0)))
        self._lenses: list[tuple[float, float, float, float]] = []
        for lens_lon, lens_lat, width, strength in shape.get("lenses", ()):
            x, y = self._raw(np.array([lens_lon]), np.array([lens_lat]))
            self._lenses.append((float(x[0]), float(y[0]), width, strength))
        self._fit(frame)

    def _fit(self, frame: Mapping[str, Sequence[float]]) -> None:
        edges = np.array([frame[side] for side in ("left", "right", "top", "bottom")], float)
        x, y = self._raw(edges[:, 0], edges[:, 1])
        self._scale = PAGE_WIDTH / float(x[1] - x[0])
        self._x, self._y = float(x[0]), float(y[2])
        self.width, self.height = PAGE_WIDTH, float(y[2] - y[3]) * self._scale

    def _raw(self, lon: Numbers, lat: Numbers) -> tuple[Numbers, Numbers]:
        east, north = np.radians(lon) - self._lon, np.radians(lat)
        sine, cosine = np.sin(self._lat), np.cos(self._lat)
        spread = np.sqrt(2 / (1 + sine * np.sin(north) + cosine * np.cos(north) * np.cos(east)))
        x = spread * np.cos(north) * np.sin(east)
        y = spread * (cosine * np.sin(north) - sine * np.cos(north) * np.cos(east))
        x, y = self._enlarged(x, y)
        x, y = x * np.cos(self._turn) - y * np.sin(self._turn), x * np.sin(self._turn) + y * np.cos(self._turn)
        for at_x, at_y, width, strength in self._lenses:
            away_x, away_y = x - at_x, y - at_y
            pull = strength * np.exp(-(away_x**2 + away_y**2) / (2 * width * width))
            x, y = x + away_x * pull, y + away_y * pull
        return x, y

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

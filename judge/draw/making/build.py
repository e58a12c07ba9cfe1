"""From a board and its recipe to the text of its topology."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry import LineString, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from judge.board.model import Board, Terrain, province_of
from judge.draw.making.anchors import Page, Wanted, aside, place
from judge.draw.making.encode import SCALE, corners, shapes, spot_json, steps, text_of
from judge.draw.making.faces import Faces, make_faces, polygons
from judge.draw.making.geography import Geography
from judge.draw.making.projection import Projection, unrolled
from judge.draw.making.recipe import Recipe, RecipeError, read_recipe
from judge.draw.measures import LABELS, UNIT, label_type

_RIVER = 14.0
"""Shorter stretches of rivers are left out; a picture.toml may ask for `shortest_river` instead."""


def build(board: Board, picture: Path, modules: Path) -> str:
    """The text of topology.json. `picture`: the folder of the recipe; `modules`: that of the npm packages.

    Raises RecipeError with everything that is wrong.
    """
    recipe, geography = read_recipe(picture), Geography(modules)
    return topology_text(board, recipe, geography, make_faces(recipe, geography))


def topology_text(board: Board, recipe: Recipe, geography: Geography, faces: Faces) -> str:
    """The text of topology.json for faces that are made."""
    if missing := sorted(set(board.provinces) - set(faces.zones)):
        raise RecipeError([f"{code} has no face on the page" for code in missing])
    kinds = {code: _kind(board, faces, code) for code in faces.zones}
    projection = Projection(recipe.settings)
    data: dict[str, Any] = {
        "board": board.key, "width": faces.width, "height": round(faces.height, 1), "scale": SCALE,
    } | ({"seam": True} if projection.seam is not None else {})  # fmt: skip
    data |= shapes(faces, kinds)
    data |= _anchors(board, recipe, faces, projection)
    data["links"] = [_link(faces, *str(link).split()) for link in _listed(recipe, "links")]
    return text_of(data | _waters(recipe, geography, faces, kinds, projection))


def _listed(recipe: Recipe, key: str) -> list[Any]:
    value = recipe.settings.get(key, [])
    assert isinstance(value, list)
    return value


def _tabled(recipe: Recipe, key: str) -> Mapping[str, Any]:
    value = recipe.settings.get(key, {})
    assert isinstance(value, dict)
    return value


def _kind(board: Board, faces: Faces, code: str) -> str:
    if code in board.provinces:
        return str(board.provinces[code].terrain)
    return "water" if code in faces.seas or code.startswith("x~") else "land"


# -- names, units, centres -----------------------------------------------------------------------------------------


def _anchors(board: Board, recipe: Recipe, faces: Faces, projection: Projection) -> dict[str, Any]:
    spots: dict[str, dict[str, Any]] = {}
    coasts: dict[str, dict[str, Any]] = {}
    water = shapely.union_all([area for code, area in faces.zones.items() if _wet(board, faces, code)])
    where = {at: projection.page([point])[0] for at, point in _tabled(recipe, "coasts").items()}
    for naming in LABELS:
        page = Page(faces.width, faces.height, water)
        for x, y in where.values():
            page.take((float(x), float(y), *UNIT))
        placed = place(page, list(_wanted(board, recipe, faces, naming)), _tabled(recipe, naming))
        spots[naming], coasts[naming] = {}, {}
        for code, spot in sorted(placed.items()):
            away = aside(page, faces.zones[code], spot.unit) if spot.unit else None
            spots[naming][code] = spot_json(spot, away)
        for at, (x, y) in sorted(where.items()):
            unit = (round(float(x), 1), round(float(y), 1))
            coasts[naming][at] = [*unit, *aside(page, faces.zones[province_of(at)], unit)]
    return {"spots": spots, "coasts": coasts}


def _wet(board: Board, faces: Faces, code: str) -> bool:
    return _kind(board, faces, code) in ("sea", "water")


def _wanted(board: Board, recipe: Recipe, faces: Faces, naming: str) -> Iterator[Wanted]:
    for code, province in board.provinces.items():
        sea = province.terrain is Terrain.SEA
        texts = ((code,),) if naming == "codes" else tuple(_broken(province.name))
        yield Wanted(code, faces.zones[code], texts, label_type(naming, sea=sea), True, province.centre, sea)
    for code, name in _tabled(recipe, "labels").items():
        yield Wanted(code, faces.zones[code], tuple(_broken(name)), LABELS["names"]["land"], False, False, False)


def _broken(name: str) -> Iterator[tuple[str, ...]]:
    """A name on one line, or on two."""
    words = name.split()
    yield (name,)
    for n in range(1, len(words)):
        yield " ".join(words[:n]), " ".join(words[n:])


# -- links, lakes, rivers -----------------------------------------------------------------------------------------


def _link(faces: Faces, a: str, b: str) -> list[Any]:
    """Two spaces and the line between their nearest points, carried a little into both."""
    here, there = nearest_points(faces.zones[a], faces.zones[b])
    gap = max(here.distance(there), 0.01)
    dx, dy = (there.x - here.x) / gap * 4, (there.y - here.y) / gap * 4
    return [a, b, *(round(v, 1) for v in (here.x - dx, here.y - dy, there.x + dx, there.y + dy))]


def _waters(
    recipe: Recipe, geography: Geography, faces: Faces, kinds: Mapping[str, str], projection: Projection
) -> dict[str, Any]:
    area = box(*_listed(recipe, "area"))
    solid = shapely.union_all([zone for code, zone in faces.zones.items() if kinds[code] in ("coast", "inland")])
    dry = solid.buffer(-1)

    def on_page(shape: BaseGeometry) -> BaseGeometry:
        return shapely.make_valid(shapely.transform(shape.intersection(area), projection.page))

    lakes = [
        steps(corners(part.exterior)[:-1])
        for lake in (unrolled(each, projection.seam) for each in geography.lakes())
        if lake.intersects(area)
        for whole in polygons(on_page(lake).simplify(0.6))
        if whole.area > 10
        for part in polygons(whole.intersection(dry))
        if part.area > 5
    ]
    rivers = [
        steps(corners(line.simplify(0.7)))
        for river in (unrolled(each, projection.seam) for each in geography.rivers())
        if river.intersects(area)
        for line in _lines(on_page(river).intersection(dry))
        if line.length > recipe.number("shortest_river", _RIVER)
    ]
    return {"lakes": lakes, "rivers": rivers}


def _lines(shape: BaseGeometry) -> Iterator[LineString]:
    if isinstance(shape, LineString):
        if not shape.is_empty:
            yield shape
        return
    for part in getattr(shape, "geoms", ()):
        yield from _lines(part)

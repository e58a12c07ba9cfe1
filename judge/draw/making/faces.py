"""Land and sea as faces of one net of lines: what touches in the recipe's geography touches here, and nothing else.

Land: unions of administrative units, projected and simplified together, so that neighbours keep one common border.
Sea: what is left of the page, cut by the recipe's lines; each face belongs to the sea whose seed lies in it.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely import STRtree
from shapely.affinity import scale
from shapely.geometry import LineString, MultiLineString, MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, nearest_points, polygonize, unary_union

from judge.draw.making.geography import Geography
from judge.draw.making.projection import Projection, unrolled
from judge.draw.making.recipe import Recipe, RecipeError

EDGE = "|"
"""Beyond the page."""
NOBODYS = "x~"
"""Water without a seed."""

_TOLERANCE = 1.3  # how far a simplified line may lie from the true one
_LEAST_ISLAND = 14.0  # smaller islands are left out, unless they are a space's biggest piece
_GRID = 0.05  # all corners lie on this grid, so that common corners are equal
_SNAP = 30.0  # a loose end of a cut is carried on to a line this near
_SLIVER = 40.0  # smaller faces without a seed go to the neighbour with the longest border
_GAP = 0.1  # degrees between a coarse outline and a fine one beside it, at most
_INLAND = 1.5  # cuts count over water and this far into the land

Corner = tuple[int, int]
"""A corner on the grid."""
Step = tuple[Corner, Corner]


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """`zones`: space -> where it lies; `borders`: two spaces (or one and EDGE) -> their common line; `seas`: the codes
    that have seeds. Page units.
    """

    width: float
    height: float
    zones: Mapping[str, BaseGeometry]
    borders: Mapping[tuple[str, str], BaseGeometry]
    seas: frozenset[str]


def make_faces(recipe: Recipe, geography: Geography) -> Faces:
    """Everything on the page. Raises RecipeError: selectors that match nothing, loose ends, two seeds in one face,
    seeds on land, seas without a face.
    """
    projection = Projection(recipe.settings)
    frame = box(0, 0, projection.width, projection.height)
    problems: list[str] = []
    lakes = dict(_lakes(recipe, geography, problems))
    land = _land(recipe, geography, projection, frame, lakes.values(), problems)
    cuts = _cuts(recipe, projection, frame, land, problems)
    net = _net([polygon.boundary for _, polygon in land] + [frame.boundary], cuts)
    faces = list(polygonize(net))
    seeds = [*recipe.seeds, *((sea, lake.representative_point().coords[0]) for sea, lake in lakes.items())]
    owners = _owners(faces, land, [(sea, Point(*projection.page(at)[0])) for sea, at in seeds], problems)
    steps = [_steps(face) for face in faces]
    _give_slivers(faces, steps, owners)
    if problems:
        raise RecipeError(problems)
    return _joined(faces, steps, [owner or NOBODYS for owner in owners], projection, {sea for sea, _ in seeds})


# -- land ----------------------------------------------------------------------------------------------------------


def _land(
    recipe: Recipe,
    geography: Geography,
    projection: Projection,
    frame: Polygon,
    lakes: Iterable[Polygon],
    problems: list[str],
) -> list[tuple[str, Polygon]]:
    """All pieces of land on the page, each with its space."""
    water = shapely.union_all(list(lakes))
    outlines = {space: outline.difference(water) for space, outline in _outlines(recipe, geography, problems).items()}
    pieces = [
        (space, piece)
        for space, outline in outlines.items()
        for piece in polygons(shapely.make_valid(shapely.transform(outline, projection.page)))
        if piece.area >= 0.3 and piece.intersects(frame.buffer(20))
    ]
    simple = shapely.coverage_simplify(np.array([piece for _, piece in pieces], dtype=object), _TOLERANCE)
    whole = [
        (space, part)
        for (space, _), piece in zip(pieces, simple, strict=True)
        for part in polygons(shapely.make_valid(piece))
    ]
    biggest: dict[str, float] = defaultdict(float)
    for space, piece in whole:
        biggest[space] = max(biggest[space], piece.area)
    kept = [(space, piece) for space, piece in whole if piece.area >= min(_LEAST_ISLAND, biggest[space])]
    return [(space, part) for space, piece in kept for part in polygons(piece.intersection(frame))]


def _outlines(recipe: Recipe, geography: Geography, problems: list[str]) -> dict[str, BaseGeometry]:
    """Space -> its land in degrees."""
    area, seam = box(*recipe.settings["area"]), Projection(recipe.settings).seam  # type: ignore[misc]
    parts: dict[str, list[BaseGeometry]] = defaultdict(list)
    coarse, used = set(), set()
    for unit in geography.units(country for country, _ in recipe.selectors):
        key = next((key for key in unit.selectors() if key in recipe.selectors), None)
        if key:
            used.add(key)
            outline = unrolled(shapely.make_valid(unit.outline), seam)
            if outline.intersects(area):
                parts[recipe.selectors[key]].append(outline)
                coarse |= {recipe.selectors[key]} if unit.coarse else set()
    for country, sort in sorted(set(recipe.selectors) - used):
        problems.append(f"{country}{sort} matches no unit (it was meant for {recipe.selectors[country, sort]})")
    outlines = {space: shapely.union_all(each).intersection(area) for space, each in parts.items()}
    outlines |= _closed_up({space: outlines[space] for space in sorted(coarse)}, outlines)
    for split in recipe.splits:
        cut = outlines[split.giver].intersection(Polygon(split.outline))
        outlines[split.giver] = outlines[split.giver].difference(cut)
        outlines[split.taker] = outlines[split.taker].union(cut)
    for island, factor in recipe.islands:
        middle = max(polygons(outlines[island]), key=lambda piece: piece.area).centroid
        outlines[island] = scale(outlines[island], factor, factor, origin=middle).intersection(area)
    return outlines


def _closed_up(
    coarse: Mapping[str, BaseGeometry], all_: Mapping[str, BaseGeometry]
) -> Iterator[tuple[str, BaseGeometry]]:
    """Coarse outlines carried on to the border of their finer neighbours, and no farther."""
    taken = shapely.union_all([outline for space, outline in all_.items() if space not in coarse])
    shapely.prepare(taken)
    for space, outline in coarse.items():
        others = [other for code, other in coarse.items() if code != space]
        grown = outline.union(outline.buffer(_GAP).difference(shapely.union_all(others)))
        yield space, grown.difference(taken)
        taken = taken.union(grown)


def _lakes(recipe: Recipe, geography: Geography, problems: list[str]) -> Iterator[tuple[str, Polygon]]:
    """The lakes that are seas of the board: code -> outline in degrees, enlarged about its middle, without islands."""
    for lake in recipe.lakes:
        at = Point(lake.at)
        found = next((part for shape in geography.lakes() for part in polygons(shape) if part.contains(at)), None)
        if found is None:
            problems.append(f"there is no lake at {lake.at[0]},{lake.at[1]} (it was meant for {lake.code})")
        else:
            yield lake.code, scale(Polygon(found.exterior), lake.factor, lake.factor, origin="centroid")


# -- sea -----------------------------------------------------------------------------------------------------------


def _cuts(
    recipe: Recipe, projection: Projection, frame: Polygon, land: list[tuple[str, Polygon]], problems: list[str]
) -> list[BaseGeometry]:
    """The lines that part the seas, over water only, their ends carried on to what they stop short of."""
    shore = shapely.union_all([polygon for _, polygon in land])
    inland = shore.buffer(-_INLAND)
    coasts = shapely.union_all([shore.boundary, frame.boundary])
    lines = [LineString(projection.page(cut.line)) for cut in recipe.cuts]
    for number, cut in enumerate(recipe.cuts):
        others = shapely.union_all([coasts, *(line for n, line in enumerate(lines) if n != number)])
        points = list(lines[number].coords)
        for end in (0, -1):
            onward = _onward(Point(points[end]), others, inland, frame)
            if onward is None:
                problems.append(f"cut {cut.name} has a loose end at {cut.line[end][0]},{cut.line[end][1]}")
            elif onward:
                points = [onward, *points] if end == 0 else [*points, onward]
        lines[number] = LineString(points)
    return [line.intersection(frame).difference(inland) for line in lines]


def _onward(end: Point, others: BaseGeometry, inland: BaseGeometry, frame: Polygon) -> Any:
    """The point to which an end is carried on; () if it lies well, None if nothing is near."""
    if inland.contains(end) or not frame.contains(end) or others.distance(end) < _GRID:
        return ()
    near = nearest_points(others, end)[0]
    gap = near.distance(end)
    if gap > _SNAP:
        return None
    factor = (gap + 2.5) / max(gap, 0.01)
    return (end.x + (near.x - end.x) * factor, end.y + (near.y - end.y) * factor)


def _net(boundaries: list[BaseGeometry], cuts: list[BaseGeometry]) -> BaseGeometry:
    crossed = unary_union([shapely.set_precision(line, _GRID) for line in boundaries + cuts])
    return unary_union(shapely.set_precision(crossed, _GRID))


def _owners(
    faces: list[Polygon], land: list[tuple[str, Polygon]], seeds: list[tuple[str, Point]], problems: list[str]
) -> list[str | None]:
    tree = STRtree([polygon for _, polygon in land])
    owners: list[str | None] = []
    seeded = set()
    for face in faces:
        hits = tree.query(face.representative_point(), predicate="within")
        seas = sorted({sea for sea, at in seeds if face.contains(at)})
        owner = land[hits[0]][0] if len(hits) else (seas[0] if seas else None)
        if len(hits) and seas:
            problems.append(f"the seed of {seas[0]} lies on land, in {owner}")
        elif len(seas) > 1:
            problems.append(f"{' and '.join(seas)} are one face: a cut does not reach the coast, or is missing")
        else:
            seeded.update(seas)
        owners.append(owner)
    problems += [f"{sea} has no face" for sea in sorted({sea for sea, _ in seeds} - seeded) if not problems]
    return owners


def _steps(face: Polygon) -> list[Step]:
    """The sides of a face, each with its smaller corner first."""
    steps = []
    for ring in (face.exterior, *face.interiors):
        corners = [(round(x / _GRID), round(y / _GRID)) for x, y in ring.coords]
        steps += [(min(a, b), max(a, b)) for a, b in itertools.pairwise(corners) if a != b]
    return steps


def _beside(steps: list[list[Step]]) -> dict[Step, list[int]]:
    """Side -> the faces on it."""
    beside: dict[Step, list[int]] = defaultdict(list)
    for number, sides in enumerate(steps):
        for side in sides:
            beside[side].append(number)
    return beside


def _give_slivers(faces: list[Polygon], steps: list[list[Step]], owners: list[str | None]) -> None:
    beside = _beside(steps)
    for _ in range(6):
        for number, face in enumerate(faces):
            if owners[number] is not None or face.area >= _SLIVER:
                continue
            common: dict[str, float] = defaultdict(float)
            for a, b in steps[number]:
                for other in beside[a, b]:
                    if other != number and (owner := owners[other]):
                        common[owner] += float(np.hypot(a[0] - b[0], a[1] - b[1]))
            if common:
                owners[number] = max(sorted(common), key=common.__getitem__)


def _joined(
    faces: list[Polygon], steps: list[list[Step]], owners: list[str], projection: Projection, seas: Iterable[str]
) -> Faces:
    parts: dict[str, list[Polygon]] = defaultdict(list)
    for owner, face in zip(owners, faces, strict=True):
        parts[owner].append(face)
    shared: dict[tuple[str, str], list[Step]] = defaultdict(list)
    for side, numbers in _beside(steps).items():
        around = sorted({owners[number] for number in numbers})
        if len(around) == 2:
            shared[around[0], around[1]].append(side)
        elif len(numbers) == 1:
            shared[around[0], EDGE].append(side)
    return Faces(
        projection.width,
        projection.height,
        {owner: unary_union(each) for owner, each in sorted(parts.items())},
        {pair: _merged(sides) for pair, sides in sorted(shared.items())},
        frozenset(seas),
    )


def _merged(sides: Iterable[Step]) -> BaseGeometry:
    lines = [[(x * _GRID, y * _GRID) for x, y in side] for side in sorted(sides)]
    return linemerge(MultiLineString(lines))


def polygons(shape: BaseGeometry) -> Iterator[Polygon]:
    """The polygons in any geometry."""
    if isinstance(shape, Polygon):
        if not shape.is_empty:
            yield shape
    elif isinstance(shape, MultiPolygon) or hasattr(shape, "geoms"):
        for part in shape.geoms:
            yield from polygons(part)

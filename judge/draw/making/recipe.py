"""Reads what a board's picture is made of: `land.recipe`, `sea.recipe` and `picture.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

Point = tuple[float, float]
"""Longitude and latitude in degrees."""

_SELECTOR = re.compile(r"([A-Z]{3})(?:([:@%])(.*?))?(?=\s+[A-Z]{3}(?:[:@%]|\s|$)|\s*$)")


class RecipeError(Exception):
    """Everything that is wrong with a recipe, a sentence for each fault."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Split:
    """A part of one space that goes to another: what lies inside `outline`."""

    giver: str
    taker: str
    outline: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class SeaLine:
    """A line that parts two seas."""

    name: str
    line: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Lake:
    """A lake that is a sea of the board: the one at `at`, drawn `factor` times as long and as wide, so that a fleet and
    a name find room.
    """

    code: str
    at: Point
    factor: float


@dataclass(frozen=True, slots=True)
class Recipe:
    """All of it. `selectors`: (country, "" | ":name" | "@region" | "%subregion") -> space; `seeds`: sea and a point in
    it. `settings`: the tables of picture.toml.
    """

    selectors: Mapping[tuple[str, str], str]
    splits: tuple[Split, ...]
    cuts: tuple[SeaLine, ...]
    seeds: tuple[tuple[str, Point], ...]
    settings: Mapping[str, object]
    lakes: tuple[Lake, ...] = ()
    islands: tuple[tuple[str, float], ...] = ()
    """Spaces that are small islands, and how many times as long and as wide they are drawn."""

    def number(self, key: str, usual: float) -> float:
        """A setting of picture.toml that is one number. Raises RecipeError if it is anything else."""
        value = self.settings.get(key, usual)
        if isinstance(value, (int, float)):
            return float(value)
        raise RecipeError([f"{key} is a number, not {value!r}"])


def read_recipe(folder: Path) -> Recipe:
    """The recipe in a board's `picture` folder. Raises RecipeError with every line that cannot be read."""
    problems: list[str] = []
    selectors: dict[tuple[str, str], str] = {}
    splits, cuts, seeds, lakes, islands = [], [], [], [], []
    for where, line in _lines(folder / "land.recipe"):
        try:
            if line.startswith("%split "):
                _, giver, taker, *points = line.split()
                splits.append(Split(giver, taker, _points(points)))
            elif line.startswith("%grow "):
                _, island, factor = line.split()
                islands.append((island, float(factor)))
            else:
                selectors.update(_selectors(line))
        except ValueError:
            problems.append(
                f"{where}: none of `CODE = selectors`, `%split FROM TO points`, `%grow CODE FACTOR`: {line}"
            )
    for where, line in _lines(folder / "sea.recipe"):
        word, *rest = line.split()
        try:
            if word == "cut":
                cuts.append(SeaLine(rest[0], _points(rest[1:])))
            elif word == "seed":
                seeds += [(rest[0], point) for point in _points(rest[1:])]
            elif word == "lake":
                lakes.append(_lake(*rest))
            else:
                raise ValueError(word)
        except (ValueError, IndexError, TypeError):
            told = "`cut NAME points`, `seed CODE points` or `lake CODE point FACTOR`"
            problems.append(f"{where}: none of {told}: {line}")
    if problems:
        raise RecipeError(problems)
    settings = tomllib.loads((folder / "picture.toml").read_text(encoding="utf-8"))
    return Recipe(
        MappingProxyType(selectors),
        tuple(splits),
        tuple(cuts),
        tuple(seeds),
        MappingProxyType(settings),
        tuple(lakes),
        tuple(islands),
    )


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text := line.split("#")[0].strip():
            yield f"{path.name}:{number}", text


def _selectors(line: str) -> Iterator[tuple[tuple[str, str], str]]:
    """`TYR = AUT ITA@Trentino|Alto` -> (("AUT", ""), "TYR"), (("ITA", "@Trentino"), "TYR"), ..."""
    space, _, right = (part.strip() for part in line.partition("="))
    found = list(_SELECTOR.finditer(right))
    if not space or not found:
        raise ValueError(line)
    for match in found:
        country, sort, names = match.groups()
        keys = [f"{sort}{name.strip()}" for name in names.split("|")] if sort else [""]
        yield from (((country, key), space) for key in keys)


def _lake(code: str, at: str, factor: str) -> Lake:
    (point,) = _points([at])
    return Lake(code, point, float(factor))


def _points(words: list[str]) -> tuple[Point, ...]:
    points = []
    for word in words:
        lon, lat = word.split(",")
        points.append((float(lon), float(lat)))
    if not points:
        raise ValueError("no points")
    return tuple(points)

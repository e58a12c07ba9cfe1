"""Whether a file shows what its recipe makes: the last digits of a machine are no difference, anything else is."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from judge.draw.making.compare import differences
from tests.draw.conftest import MAPS


@pytest.fixture(scope="module")
def kept() -> Any:
    return json.loads((MAPS / "standard" / "picture" / "topology.json").read_text(encoding="utf-8"))


def arc(topology: Any, a: str, b: str) -> list[int]:
    """The steps of the first line between two spaces."""
    return next(steps for one, other, steps in topology["arcs"] if (one, other) == (a, b))


def a_point_left_out(topology: Any) -> None:
    steps = arc(topology, "ADR", "ALB")
    assert abs(steps[2]) + abs(steps[3]) < 20, "a short stretch"
    steps[2:6] = [steps[2] + steps[4], steps[3] + steps[5]]


def a_name_elsewhere(topology: Any) -> None:
    topology["spots"]["names"]["ADR"]["label"][0] += 20.0


@pytest.mark.parametrize("change", [a_point_left_out, a_name_elsewhere])
def test_what_machines_compute_otherwise_is_no_difference(kept: Any, change: Callable[[Any], None]) -> None:
    made = copy.deepcopy(kept)
    change(made)
    assert made != kept
    assert list(differences(kept, made)) == []


def a_border_moved(topology: Any) -> None:
    arc(topology, "ADR", "ALB")[0] += 100


def a_border_gone(topology: Any) -> None:
    topology["arcs"] = [each for each in topology["arcs"] if each[:2] != ["ADR", "ALB"]]


def another_name(topology: Any) -> None:
    topology["spots"]["names"]["ADR"]["lines"] = ["Adria"]


def a_sea_of_land(topology: Any) -> None:
    topology["zones"]["ADR"]["kind"] = "inland"


def no_rivers(topology: Any) -> None:
    topology["rivers"] = []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (a_border_moved, "border ADR - ALB lies "),
        (a_border_gone, "border ADR ALB is only in the file"),
        (another_name, "name names ADR Adria is only in the recipe"),
        (a_sea_of_land, "space ADR inland is only in the recipe"),
        (no_rivers, "rivers lie inf away"),
    ],
)
def test_what_a_person_would_see_is_told(kept: Any, change: Callable[[Any], None], told: str) -> None:
    made = copy.deepcopy(kept)
    change(made)
    assert any(each.startswith(told) for each in differences(kept, made))

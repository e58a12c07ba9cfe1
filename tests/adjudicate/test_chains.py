"""Which fleets a voyage could need, against every chain there is; and the work that finding them takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from judge.adjudicate.convoys import Chains, needed_fleets
from judge.board.chart import Chart, Mask, compile_board, each, spaces
from judge.board.load import load_board
from judge.board.model import Board
from tests.support.archipelago import archipelago

MAPS = Path(__file__).parents[2] / "maps"


def every_chain(chart: Chart, start: int, target: int, fleets: Mask) -> Iterator[Mask]:
    """All chains from which no fleet can be left out, link by link and with no cleverness at all."""
    starts, ends = fleets & chart.shores[start], fleets & chart.shores[target]

    def longer(chain: Mask, last: Mask, free: Mask) -> Iterator[Mask]:
        if last & ends:
            yield chain
            return
        near = chart.touching[last.bit_length() - 1]
        for link in each(near & free):
            yield from longer(chain | link, link, free & ~near)

    for first in each(starts):
        yield from longer(first, first, fleets & ~starts)


def needed_by_some_chain(chart: Chart, start: int, target: int, fleets: Mask) -> Mask:
    found = 0
    for chain in every_chain(chart, start, target, fleets):
        found |= chain
    return found


@pytest.fixture(params=["standard", "archipelago"])
def chart(request: pytest.FixtureRequest) -> Chart:
    board: Board = archipelago(5) if request.param == "archipelago" else load_board(MAPS / request.param)
    return compile_board(board, "S")


def test_the_fleets_that_are_needed_are_those_of_all_chains(chart: Chart) -> None:
    random = Random(4)
    seas, coasts = list(spaces(chart.seas)), list(spaces(chart.coasts))
    for _ in range(100):
        fleets = sum(1 << sea for sea in seas if random.random() < random.choice((0.4, 0.6, 0.8, 0.95)))
        start, target = random.sample(coasts, 2)
        expected = needed_by_some_chain(chart, start, target, fleets)
        assert needed_fleets(chart, start, target, fleets) == expected, (start, target, fleets)


def test_each_fleet_gives_the_same_answer_whatever_was_asked_before(chart: Chart) -> None:
    random = Random(5)
    start, target = random.sample(list(spaces(chart.coasts)), 2)
    expected = needed_fleets(chart, start, target, chart.seas)
    asked = each(chart.seas)
    for _ in range(10):
        random.shuffle(asked)
        chains = Chains(chart, start, target, chart.seas)
        assert [chains.need(sea) for sea in asked] == [bool(sea & expected) for sea in asked]


def test_the_cliques_are_the_largest_sets_of_seas_that_all_touch(chart: Chart) -> None:
    for clique in chart.cliques:
        common = chart.seas
        for sea in spaces(clique):
            common &= chart.touching[sea] | 1 << sea
        assert common == clique


@pytest.mark.parametrize(
    ("rows", "start", "target"),
    [
        (["#######"] * 7, "C70", "C81"),  # everything hangs on the two fleets at the ends, which touch
        (["#####..", "#######", "#######", "#######", ".######", "#######", "###.###"], "C85", "C88"),
        (["####.#.", "###..##", "#.#.###", "####.##", "####.##", "#######", "######."], "C10", "C04"),
        ([".##.##.", "##.#.##", "##.##.#", "##.####", "##.####", "#######", ".#####."], "C38", "C06"),
    ],
)
def test_winding_waters_take_no_endless_search(rows: list[str], start: str, target: str) -> None:
    """Found by climbing towards much work; a search that only tries one way after the other takes millions."""
    chart = compile_board(archipelago(), "S")
    fleets = sum(
        1 << chart.space[f"S{row}{column}"]
        for row, line in enumerate(rows, start=1)
        for column, mark in enumerate(line, start=1)
        if mark == "#"
    )
    chains = Chains(chart, chart.space[start], chart.space[target], fleets)
    for sea in each(chains.fleets):
        chains.need(sea)
    assert chains.trials < 1500

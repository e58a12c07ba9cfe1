"""The solver's hard places: rotations, paradoxes, and the work they take; routes and the compiled board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.adjudicate.convoys import needed_fleets
from judge.adjudicate.knots import untie
from judge.adjudicate.lower import lower
from judge.adjudicate.solve import Solver
from judge.board.chart import Chart, compile_board, has_route, spaces
from judge.board.model import Board, province_of
from judge.board.position import Position
from judge.rules import RULES_1976, Rules
from judge.variants import rules_for
from tests.support.cases import position_of, read_file, read_order

Make = Callable[..., Position]
DATC = Path(__file__).parents[1] / "cases" / "datc"


def seas(chart: Chart, *codes: str) -> int:
    return sum(1 << chart.space[code] for code in codes)


def test_the_chart_knows_every_border_of_the_board(board: Board) -> None:
    """504 directed unit-borders, each from both sides, and no other."""
    chart = compile_board(board, "S")
    count = 0
    for kind, spots in chart.spots.items():
        for location, spot in spots.items():
            landings = {landing for _, landing in spot.ways.values()}
            assert landings == set(board.reach(kind, location))
            assert {chart.codes[space] for space in spot.near} == {province_of(landing) for landing in landings}
            count += len(landings)
    assert count == 504


def test_a_chart_is_compiled_once_for_all_seasons_of_a_board_without_closed_borders(board: Board) -> None:
    assert compile_board(board, "S") is compile_board(board, "F")


@pytest.mark.parametrize(
    ("start", "target", "fleets", "needed"),
    [
        ("LON", "BEL", "ENG NTH", "ENG NTH"),
        ("LON", "BEL", "ENG IRI", "ENG"),
        ("MAR", "SPA", "LYO WES", "LYO"),
        ("LON", "TUN", "ENG MAO WES", "ENG MAO WES"),
        ("LON", "TUN", "ENG MAO", ""),
        ("LVP", "EDI", "IRI ENG NTH NAO NWG", "IRI ENG NTH NAO NWG"),
        ("LVP", "EDI", "NAO NWG ENG", "NAO NWG"),
        ("YOR", "NWY", "NTH NWG", "NTH"),
        ("EDI", "NWY", "NTH NWG SKA", "NTH NWG"),
        ("BUL", "TRI", "AEG ION ADR EAS", "AEG ION ADR"),
    ],
)
def test_fleets_that_a_route_needs(board: Board, start: str, target: str, fleets: str, needed: str) -> None:
    chart = compile_board(board, "S")
    given = seas(chart, *fleets.split())
    found = needed_fleets(chart, chart.space[start], chart.space[target], given)
    assert sorted(chart.provinces(found)) == sorted(needed.split())
    assert has_route(chart, chart.space[start], chart.space[target], given) == bool(needed)


def test_spaces_of_a_mask() -> None:
    assert list(spaces(0b10110)) == [1, 2, 4]


def solver(name: str, rules: Rules, board: Board) -> Solver:
    case = read_file(DATC / f"{name}.case")
    position = position_of(case, board)
    lines = case.stages[case.rules[0]][0]
    made = Solver(lower(position, [read_order(line.text, position) for line in lines], rules))
    made.solve()
    return made


@pytest.mark.parametrize("name", ["6.a.11", "6.d.17", "6.e.15", "6.f.9", "6.g.1", "6.d.6"])
def test_most_positions_leave_no_question_open(name: str, board: Board) -> None:
    assert not solver(name, rules_for("datc"), board).tangled or name == "6.g.1"


@pytest.mark.parametrize("name", ["6.c.1", "6.c.2", "6.c.4", "6.f.14", "6.f.16", "6.f.22", "6.f.23", "6.f.24"])
def test_rotations_and_paradoxes_are_untied_in_a_few_trials(name: str, board: Board) -> None:
    made = solver(name, rules_for("datc"), board)
    assert made.tangled
    assert untie(made) < 200


def test_a_paradox_names_the_fleets_that_hold_for_it(board: Board) -> None:
    made = solver("6.f.15", rules_for("datc"), board)
    untie(made)
    units = made.bout.position.units
    named = {str(units[army]): [str(units[fleet]) for fleet in crew] for army, crew in made.paradoxes.items()}
    assert named == {"A BRE": ["F ENG"]}


def test_a_rotation_of_every_unit_round_a_sea_moves(position: Make, board: Board) -> None:
    ring = ["ENG", "BEL", "HOL", "NTH", "NWY", "NWG", "NAO", "IRI"]
    before = position("england  " + ", ".join(f"F {code}" for code in ring))
    orders = [f"F {here} - {there}" for here, there in zip(ring, [*ring[1:], ring[0]], strict=True)]
    made = Solver(lower(before, [read_order(order, before) for order in orders], RULES_1976))
    made.solve()
    assert untie(made) < 400
    assert made.fate == [2] * len(ring)

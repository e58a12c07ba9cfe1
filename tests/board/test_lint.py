"""The lint of the standard board, and the figures it computes."""

from __future__ import annotations

from pathlib import Path

from judge.board.figures import coastal_pairs, draw, drawing_graph, fleet_pairs, passages, reach_table, totals
from judge.board.lint import lint, load_expectation
from judge.board.model import Board


def test_the_standard_board_is_right(standard: Board, maps: Path) -> None:
    assert lint(standard, load_expectation(maps / "standard")).problems == ()


def test_totals(standard: Board) -> None:
    assert totals(standard) == {
        "spaces": 75,
        "seas": 19,
        "coastal": 42,
        "inland": 14,
        "centres": 34,
        "homes": 22,
        "neutral": 12,
        "army_borders": 111,
        "fleet_borders": 141,
        "unit_borders": 504,
        "touching": 206,
        "fleet_pairs": 43,
        "army_only": 12,
        "faces": 133,
    }


def test_passages_are_those_of_the_rules(standard: Board) -> None:
    """VII.3a and VII.3c."""
    assert passages(standard) == ("CON", "DEN", "KIE", "SWE")


def test_coastal_neighbours_without_a_common_sea(standard: Board) -> None:
    army_only = ["-".join(pair) for pair in coastal_pairs(standard) if pair not in fleet_pairs(standard)]
    assert " ".join(army_only) == (
        "ANK-SMY APU-ROM ARM-SMY ARM-SYR EDI-LVP FIN-NWY GAS-MAR LVP-YOR PIE-VEN ROM-VEN TUS-VEN WAL-YOR"
    )


def test_the_drawing_is_made_of_triangles(standard: Board) -> None:
    """All faces but two: Switzerland, and the edge of the board."""
    faces = draw(drawing_graph(standard)).faces
    wide = sorted((sorted(face) for face in faces if len(face) > 3), key=len)
    assert wide == [
        ["BUR", "MAR", "MUN", "PIE", "TYR"],
        ["ARM", "BAR", "EAS", "ION", "MAO", "MOS", "NAF", "NAO", "NWG", "SEV", "STP", "SYR", "TUN"],
    ]


def test_reach_in_two_moves(standard: Board) -> None:
    """The computed column."""
    assert {power: str(reach) for power, reach in reach_table(standard).items()} == {
        "AUSTRIA": "4/8",
        "ENGLAND": "4/5",
        "FRANCE": "3/6",
        "GERMANY": "4/10",
        "ITALY": "3/8",
        "RUSSIA": "4/10",
        "TURKEY": "4/5",
    }
    assert reach_table(standard)["RUSSIA"].foreign == ("ANK", "BER", "BUD", "CON", "MUN", "VIE")


def test_the_difference_to_the_printed_table_is_reported(standard: Board, maps: Path) -> None:
    figures = lint(standard, load_expectation(maps / "standard")).figures
    remarks = {figure.name: (figure.found, figure.remark) for figure in figures if figure.remark}
    assert remarks == {
        "reach of AUSTRIA": ("4/8", "the printed table says 4/9"),
        "reach of RUSSIA": ("4/10", "the printed table says 4/9"),
    }

"""What is drawn on the board, sign by sign: read the difference before you accept it with UPDATE=1."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.adjudicate.jsonl import judged, opened
from judge.board.model import Board
from judge.board.position import Position
from judge.board.unit import Dislodged, Unit
from judge.draw import Look, Picture, orders_picture, position_picture
from judge.draw.topology import Topology
from judge.variants import rules_for
from tests.draw.scenes import CAPTION, played, position

KEPT = Path(__file__).parent / "snapshots"


def moves(board: Board, picture: Topology, look: Look) -> Picture:
    before = position(board, {"ENGLAND": "A YOR, F NTH", "FRANCE": "A PIC, A PAR", "GERMANY": "A BEL, A MUN, A RUH"})
    orders = {
        "ENGLAND": "A YOR - BEL; F NTH C A YOR - BEL",
        "FRANCE": "A PIC S A YOR - BEL; A PAR - BUR",
        "GERMANY": "A BEL H; A MUN - BUR; A RUH S A BEL",
    }
    return orders_picture(picture, before, played(before, orders).outcomes, CAPTION, look)


def winter(board: Board, picture: Topology) -> Picture:
    before = position(board, {"FRANCE": "A GAS", "ITALY": "A VEN, A ROM, F NAP, F ION"}, "W1904A")
    return orders_picture(
        picture, before, played(before, {"FRANCE": "A PAR B; F BRE B", "ITALY": "F ION D"}).outcomes, CAPTION
    )


def retreats(board: Board, picture: Topology) -> Picture:
    before = position(board, {"GERMANY": "A BUR", "FRANCE": "A MAR"}, "F1904R")
    driven = Dislodged(Unit(9, "A", "BUR", "FRANCE", "PAR"), ("GAS", "PAR"))
    due = Position(board, before.phase, before.units, before.owners, (driven,))
    return position_picture(picture, due, CAPTION, contested=("PIC",))


SEASON_OF_1914 = {
    "phase": "F1918M",
    "units": {
        "GERMANY": ["A MUN", "B MUN", "A WAR", "F HEL"],
        "FRANCE": ["A PAR", "B PAR", "F MAO", "A GAS"],
        "ENGLAND": ["F EAS"],
        "BELGIUM": ["A BEL"],
    },
    "centers": {"GERMANY": ["BER", "KIE", "MUN"], "FRANCE": ["PAR", "MAR"], "ENGLAND": ["LON"], "BELGIUM": ["BEL"]},
    "points": {"GERMANY": 20, "FRANCE": 15, "ENGLAND": 1},
    "marks": {
        "control": {"BELGIUM": "FRANCE"},
        "factors": {"BELGIUM": {"FRANCE": 11}, "ITALY": {"GERMANY": 2}},
        "allies": [["ENGLAND", "FRANCE"]],
        "spaces": {"KIE": {"bombed": "S1918"}},
        "units": {"A GAS": {"retreated": True}},
    },
    "orders": {
        "GERMANY": ["A MUN - BUR", "B MUN BOMBS PAR", "A WAR RR SIL - BER", "F HEL - NTH, (2) - NWG"],
        "FRANCE": ["A PAR - BUR", "B PAR DEFENDS PAR", "F MAO - ENG, (2) S F IRI", "A GAS H"],
    },
}


def season_of_1914(board: Board, picture: Topology, look: Look, *, standing: bool) -> Picture:
    rules = rules_for("1914")
    data, before = opened(SEASON_OF_1914, rules.board(board), rules)
    if standing:
        return position_picture(picture, before, CAPTION, look, rules.extras(before))
    return orders_picture(picture, before, judged(data, before, rules)[0].outcomes, CAPTION, look, rules.extras(before))


def live(picture: Picture) -> str:
    """Everything but the land, an element a line."""
    signs = "".join(sign.svg() for sign in (*picture.dots, *picture.signs) if "data-" in sign.svg())
    return (picture.stripes + picture.middle + signs + picture.outside).replace("><", ">\n<") + "\n"


_NAMES = ["moves", "moves-print", "winter", "retreats", "1914-orders", "1914-print", "1914-position"]


@pytest.mark.parametrize("name", _NAMES)
def test_pictures_are_as_they_were(standard: Board, picture: Topology, name: str) -> None:
    drawn = {
        "moves": lambda: moves(standard, picture, Look()),
        "moves-print": lambda: moves(standard, picture, Look(printed=True)),
        "winter": lambda: winter(standard, picture),
        "retreats": lambda: retreats(standard, picture),
        "1914-orders": lambda: season_of_1914(standard, picture, Look(), standing=False),
        "1914-print": lambda: season_of_1914(standard, picture, Look(printed=True), standing=False),
        "1914-position": lambda: season_of_1914(standard, picture, Look(naming="names"), standing=True),
    }[name]()
    path = KEPT / f"{name}.svg.txt"
    if os.environ.get("UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(live(drawn), encoding="utf-8")
    assert live(drawn) == path.read_text(encoding="utf-8")

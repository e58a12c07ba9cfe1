"""A kind of unit that only one board has: it is ordered, helped, carried and built by its own letter and name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import duty
from judge.board.load import load_board
from judge.board.model import Board, Border, Terrain, UnitKind
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.reader import canonical_readers, looks_like_order, read_line
from judge.rules import RULES_1976

HORSE = UnitKind("K", "Knight", frozenset({Terrain.INLAND, Terrain.COAST}))
GALLEY = UnitKind("G", "Galley", frozenset({Terrain.SEA, Terrain.COAST}), coasts=True, carries=frozenset({"K"}))


@pytest.fixture(scope="module")
def plain(board: Board) -> Board:
    """The standard board with knights, who go where armies go, and galleys, who go where fleets go and carry them."""

    def also(border: Border) -> Border:
        more = {"K"} if "A" in border.kinds else set()
        return replace(border, kinds=border.kinds | more | ({"G"} if "F" in border.kinds else set()))

    kinds = MappingProxyType({**board.kinds, "K": HORSE, "G": GALLEY})
    return replace(board, kinds=kinds, borders=tuple(map(also, board.borders)))


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(Path(__file__).resolve().parents[2] / "maps" / "standard")


def standing(board: Board, *units: str, phase: str = "S1901M") -> Position:
    found = tuple(
        Unit(n, text.split()[0], text.split()[1], "FRANCE", text.split()[1]) for n, text in enumerate(units, 1)
    )
    owners = MappingProxyType({"PAR": "FRANCE", "BRE": "FRANCE", "MAR": "FRANCE"})
    return Position(board, Phase.read(phase), found, owners)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("K PAR - BUR", "K PAR - BUR"),
        ("k par-bur", "K PAR - BUR"),
        ("Knight Paris moves to Burgundy", "K PAR - BUR"),
        ("the knights in Paris hold", "K PAR H"),
        ("A MAR S K PAR - BUR", "A MAR S K PAR - BUR"),
        ("G MAO C K GAS - POR", "G MAO C K GAS - POR"),
        ("Galley Mid-Atlantic Ocean - Spain (sc)", "G MAO - SPA/SC"),
        ("K Gas - Por via convoy", "K GAS - POR VIA"),
    ],
)
def test_it_is_ordered_by_its_letter_and_its_name(plain: Board, line: str, order: str) -> None:
    position = standing(plain, "K PAR", "A MAR", "G MAO", "K GAS")
    assert looks_like_order(line, plain)
    (reading,) = read_line(line, position, "FRANCE")
    assert (str(reading.order), reading.problem) == (order, None)
    read = canonical_readers(position)("FRANCE")
    assert read(order) in (reading.order, None)


def test_it_is_carried_by_those_who_carry_its_kind(plain: Board) -> None:
    position = standing(plain, "K GAS", "G MAO", "F ENG")
    orders = [read_line(line, position, "FRANCE")[0].order for line in ("K Gas - Por", "G Mao C K Gas - Por")]
    after = adjudicate(position, [order for order in orders if order], RULES_1976).after
    assert "K POR" in {str(unit) for unit in after.units}


def test_it_is_built_where_it_can_stand(plain: Board) -> None:
    winter = standing(plain, "A BUR", phase="W1901A")
    assert {kind for kind, at in duty(winter, "FRANCE", RULES_1976).sites if at == "PAR"} == {"A", "K"}
    for line, order in (("build K Par", "K PAR B"), ("build galley Brest", "G BRE B"), ("K MAR B", "K MAR B")):
        (reading,) = read_line(line, winter, "FRANCE")
        assert (str(reading.order), reading.problem) == (order, None)

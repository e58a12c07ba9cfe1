"""Every border of every board that ships, ordered in codes, in full names and in sentences, is read as what it is."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from judge import resources
from judge.board.load import available_boards
from judge.board.model import Board, Location
from judge.board.phase import MOVES, Phase
from judge.board.position import Position
from judge.board.spelling import spelled_out
from judge.board.unit import Unit
from judge.catalogues import language_of
from judge.languages import speak
from judge.orders.model import Move
from judge.orders.reader import read_orders
from judge.orders.spelled import order_words
from tests.support.archipelago import board_named

BOARDS = available_boards(resources.folder("maps"))


def first_moves(board: Board) -> Phase:
    """The first phase of moves, where a game begins with something else too."""
    first = board.first_phase
    return first if first.kind is MOVES else Phase.read(f"S{first.year + 1}M")


def steps(board: Board) -> list[tuple[str, Location, Location]]:
    """Every step that some unit can take in the first season: kind, from, to."""
    season = first_moves(board).season
    places = [(kind, place) for kind in board.kinds for place in board.locations()]
    return [(kind, here, there) for kind, here in places for there in board.reach(kind, here, season)]


@pytest.mark.parametrize("key", BOARDS)
def test_each_step_in_each_hand(key: str) -> None:
    board = board_named(key)
    power = next(iter(board.powers))
    wrong: list[str] = []
    for kind, here, there in steps(board):
        position = Position(board, first_moves(board), (Unit(1, kind, here, power),), MappingProxyType({}))
        start, goal, name = board.place_name(here), board.place_name(there), board.kinds[kind].name
        lines = (
            f"{kind} {here} - {there}",
            f"{kind.lower()} {here.lower()}-{there.lower()}",
            f"{kind} {start} - {goal}",
            f"{name} {start} moves to {goal}.",
            f"{name} in {start} goes to the {goal}",
        )
        for line in lines:
            read = [str(reading.order) for reading in read_orders(line, position, power)]
            if read != [f"{kind} {here} - {there}"]:
                wrong.append(f"{line!r} was read as {read}")
    assert wrong == []


GERMAN = language_of("de")
UNITS = {"A": "Armee", "F": "Flotte"}


@pytest.mark.parametrize("key", BOARDS)
def test_each_step_in_each_german_hand(key: str) -> None:
    """Orders as letters in German have them, and as German players write them, with ä or with ae."""
    board = board_named(key)
    power = next(iter(board.powers))
    wrong: list[str] = []
    for kind, here, there in steps(board):
        unit = Unit(1, kind, here, power)
        position = Position(board, first_moves(board), (unit,), MappingProxyType({}))
        with speak(GERMAN):
            start, goal, shown = board.place_name(here), board.place_name(there), order_words(Move(unit, there), board)
        name = UNITS.get(kind, kind)
        lines = (
            shown,
            f"{name} {start} - {goal}",
            f"{name} {start} zieht nach {goal}.",
            spelled_out(f"{kind} {start} nach {goal}"),
        )
        for line in lines:
            read = [str(reading.order) for reading in read_orders(line, position, power)]
            if read != [f"{kind} {here} - {there}"]:
                wrong.append(f"{line!r} was read as {read}")
    assert wrong == []

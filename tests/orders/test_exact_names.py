"""A code or a full name means that place: out of reach the order is refused or fails, and never becomes another one.

Every place of every board as the goal of units everywhere, as the goal of a support, and as the place of the unit that
is ordered or helped. Short forms that a board declares ambiguous are written by its own rule book for several places.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import MappingProxyType

import pytest

from judge.board.model import Board, province_of
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Move, Order, Support
from judge.orders.reader import read_line
from tests.support.archipelago import board_named

BOARDS = ("standard", "european", "global2")


def names_of(board: Board) -> Iterator[tuple[str, str]]:
    """(province, how it is written): its code, and its full name."""
    for code, province in board.provinces.items():
        for name in (code, province.name):
            if "".join(filter(str.isalnum, name.casefold())) not in board.ambiguous:
                yield code, name


def _read(text: str, board: Board, units: list[tuple[str, str]]) -> Order | None:
    power = next(iter(board.powers))
    placed = tuple(Unit(number, kind, at, power) for number, (kind, at) in enumerate(units, 1))
    position = Position(board, Phase.read(f"S{board.first_phase.year + 1}M"), placed, MappingProxyType({}))
    readings = read_line(text, position, power)
    return readings[0].order if len(readings) == 1 else None


@pytest.mark.parametrize("key", BOARDS)
def test_a_goal_is_the_place_that_was_written(key: str) -> None:
    board, rng, wrong = board_named(key), Random(77), []
    starts = [(kind, place) for kind in ("A", "F") for place in board.locations() if board.can_stand(kind, place)]
    for code, name in names_of(board):
        for kind, start in rng.sample(starts, len(starts) // 3):
            if province_of(start) == code:
                continue
            move = _read(f"{kind} {start} - {name}", board, [(kind, start)])
            if isinstance(move, Move) and province_of(move.to) != code:
                wrong.append(f"{kind} {start} - {name}: {move}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("key", BOARDS)
def test_a_unit_is_the_one_where_it_was_written(key: str) -> None:
    """A unit that stands where nothing is called so is neither ordered nor helped by that name."""
    board, wrong = board_named(key), []
    kinds = {code: [kind for kind in "AF" if board.can_stand(kind, code)] for code in board.provinces}
    for code, name in names_of(board):
        begin = [other for other in board.provinces if other != code and kinds[other] and _alike(board, other, name)]
        for other in begin:
            kind = kinds[other][0]
            near = next(iter(board.reach(kind, other, "S")), None)
            helper = next((place for place in board.locations() if board.can_stand(kind, place)), other)
            if near is None or province_of(helper) in (code, other):
                continue
            ordered = _read(f"{kind} {name} - {near}", board, [(kind, other)])
            helped = _read(f"{kind} {helper} S {kind} {name}", board, [(kind, helper), (kind, other)])
            if ordered is not None:
                wrong.append(f"{kind} {name} - {near}: {ordered}")
            if isinstance(helped, Support):
                wrong.append(f"{kind} {helper} S {kind} {name}: {helped}")
    assert not wrong, "\n".join(wrong)


def _alike(board: Board, other: str, name: str) -> bool:
    """Whether a place has a name that begins like a word, so that the word could be taken for it."""
    short = name.casefold()[:3]
    return (
        any(word.startswith(short) for word in board.provinces[other].name.casefold().split())
        or other[:2].casefold() == short[:2]
    )

"""A code, a full name or a name that one place has says that place, wherever a Gamemaster writes a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.board.load import available_boards, load_board
from judge.board.model import Board
from judge.game.core.commands import Refusal
from judge.game.repair.edits import Edit, read_centre, read_piece

MAPS = Path(__file__).parents[2] / "maps"

BOARDS = sorted(available_boards(MAPS))


def names(board: Board) -> Iterator[tuple[str, str]]:
    """(what somebody writes, the province that it means); names that several have are left out."""
    rows = [(name, code) for code, space in board.provinces.items() for name in {space.name, *space.aliases}]
    often = Counter(name.casefold() for name, _ in rows)
    yield from ((code, code) for code in board.provinces)
    yield from (
        (name, code) for name, code in rows if often[name.casefold()] == 1 and name.upper() not in board.provinces
    )


@pytest.mark.parametrize("key", BOARDS)
def test_every_centre_can_be_given_by_code_and_by_name(key: str) -> None:
    board = load_board(MAPS / key)
    power = next(iter(board.powers))
    wrong = {
        name: edit
        for name, code in names(board)
        if code in board.centres and (edit := read_centre(name, power, board)) != Edit(centre=code, owner=power)
    }
    assert not wrong


@pytest.mark.parametrize("key", BOARDS)
def test_a_unit_can_be_put_wherever_its_kind_can_stand(key: str) -> None:
    """By code and by name; where a fleet has several coasts the answer asks which, and names them."""
    board = load_board(MAPS / key)
    power = next(iter(board.powers))
    wrong: dict[str, object] = {}
    for name, code in names(board):
        for kind in board.kinds:
            stands = [at for at in board.locations() if at.partition("/")[0] == code and board.can_stand(kind, at)]
            piece = read_piece(f"{kind} {name}", board, power)
            if len(stands) == 1 and (isinstance(piece, Refusal) or piece.at != stands[0]):
                wrong[f"{kind} {name}"] = piece
            if len(stands) > 1 and getattr(piece, "slug", "") != "which-coast":
                wrong[f"{kind} {name}"] = piece
    assert not wrong


def test_what_lies_beside_a_marked_space_of_the_european_board_is_no_name_of_it() -> None:
    """The rules of the variant: unmarked spaces are not playable."""
    board = load_board(MAPS / "european")
    for name in ("Dublin", "Ireland", "Ulster"):
        assert isinstance(read_centre(name, "ENGLAND", board), Refusal), name

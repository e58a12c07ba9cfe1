"""Positions that the Gamemaster changes by hand: units that share a space, and kinds that only this board has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from judge.board.load import available_boards, load_board
from judge.board.model import Board, Terrain, UnitKind
from judge.board.position import Position, start_position
from judge.game.core.commands import Refusal
from judge.game.repair.correcting import changed_words
from judge.game.repair.edits import Edit, apply_edits, changes_between, read_centre, read_edits, read_piece
from judge.rules import Rules
from judge.variants import rules_for

MAPS = Path(__file__).parents[3] / "maps"
BOMBER = UnitKind("B", "Bomber", frozenset({Terrain.INLAND, Terrain.COAST}))


@pytest.fixture(scope="module")
def board() -> Board:
    """The standard board, with bombers."""
    standard = load_board(MAPS / "standard")
    return replace(standard, kinds=MappingProxyType({**standard.kinds, "B": BOMBER}))


def edited(position: Position, text: str, rules: Rules) -> Position | Refusal:
    """The position after what a Gamemaster wrote."""
    edits = read_edits(text, position)
    return edits if isinstance(edits, Refusal) else apply_edits(position, edits, rules)


def units(position: Position | Refusal, power: str) -> list[str]:
    """A power's units as orders name them."""
    assert isinstance(position, Position), position
    return [str(unit) for unit in position.of(power)]


@pytest.mark.parametrize("line", ["add France B Bur", "add France Bomber Burgundy", "add France bomber bur"])
def test_a_unit_of_any_kind_is_put_on_the_board(line: str, board: Board) -> None:
    assert "B BUR" in units(edited(start_position(board), line, rules_for("1976")), "FRANCE")


def test_a_kind_stands_only_where_it_can(board: Board) -> None:
    refused = edited(start_position(board), "add France B Nth", rules_for("1976"))
    assert isinstance(refused, Refusal) and refused.sentence == "A bomber cannot stand in Nth."


def test_units_share_a_space_where_the_rules_let_them(board: Board) -> None:
    capitals = rules_for("capitals")
    two = edited(start_position(board), "add France A Par", capitals)
    assert units(two, "FRANCE").count("A PAR#2") == 1
    assert isinstance(two, Position)
    third = edited(two, "add France F Bre; add France A Par", capitals)
    assert isinstance(third, Refusal) and third.slug == "crowded"
    assert isinstance(edited(start_position(board), "add France A Par", rules_for("1976")), Refusal)


def test_of_units_that_stand_together_one_is_named(board: Board) -> None:
    capitals = rules_for("capitals")
    two = edited(start_position(board), "add France A Par", capitals)
    assert isinstance(two, Position)
    unclear = edited(two, "remove A Par", capitals)
    assert isinstance(unclear, Refusal) and unclear.slug == "which-unit"
    gone = edited(two, "remove A Par#2", capitals)
    assert "A PAR#2" not in units(gone, "FRANCE") and "A PAR" in units(gone, "FRANCE")
    moved = edited(two, "A Par#2 at Gas", capitals)
    assert {"A PAR", "A GAS"} <= set(units(moved, "FRANCE"))


def test_changes_between_positions_are_read_back(board: Board) -> None:
    capitals = rules_for("capitals")
    start = start_position(board)
    two = edited(start, "add France A Par; remove F Lon; add England B Yor", capitals)
    assert isinstance(two, Position)
    again = edited(start, changes_between(start, two), capitals)
    assert isinstance(again, Position)
    assert sorted(map(str, again.units)) == sorted(map(str, two.units))
    back = edited(two, changes_between(two, start), capitals)
    assert isinstance(back, Position)
    assert sorted(map(str, back.units)) == sorted(map(str, start.units))


def test_every_change_is_told_in_words() -> None:
    """What the Gamemaster can put right, letters tell when results are taken back: books as well as units."""
    rules = rules_for("1914")
    start = rules.start(rules.board(load_board(MAPS / "standard")))
    told = {
        "points France 25": "France has 25 points",
        "factors Germany Italy 9": "Germany has 9 factors in Italy",
        "control Belgium France": "Belgium is controlled by France",
        "centre Belgium France": "Belgium belongs to France",
        "A Munich at Burgundy": "A Munich is A Burgundy",
    }
    for change, words in told.items():
        after = edited(start, change, rules)
        assert isinstance(after, Position), (change, after)
        assert changed_words(start, after) == (words,)


# -- A code, a full name or a name that one place has says that place, wherever a Gamemaster writes a position --


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

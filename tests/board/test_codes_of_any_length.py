"""Codes mean nothing: a board whose codes have two to five letters is loaded, proved, ordered and judged alike."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judge.adjudicate import adjudicate
from judge.adjudicate.jsonl import adjudicate_object
from judge.board.lint import lint, load_expectation
from judge.board.load import load_board
from judge.board.model import Board
from judge.board.position import Position, start_position
from judge.daemon.robots import think
from judge.orders.model import Move
from judge.orders.reader import read_line
from judge.rules import RULES_1976

_ENDS = ("", "Q", "JJ", "ZZZ")
"""What makes a code two, three, four or five letters long."""

Rename = Callable[[str], str]


@pytest.fixture(scope="module")
def rename(standard: Board) -> Rename:
    """Every code in a text by its new one."""
    codes = sorted(standard.provinces)  # the new ones sort alike, since some lists stand in that order
    new = {code: f"{'XYZ'[at // 26]}{chr(65 + at % 26)}{_ENDS[at % 4]}" for at, code in enumerate(codes)}
    return lambda text: re.sub(r"\b[A-Z]{3}\b", lambda found: new.get(found[0], found[0]), text)


@pytest.fixture(scope="module")
def renamed(maps: Path, tmp_path_factory: pytest.TempPathFactory, rename: Rename) -> Path:
    """The standard board's folder with other codes."""
    folder = tmp_path_factory.mktemp("maps") / "renamed"
    folder.mkdir()
    for name in ("board.toml", "expect.toml"):
        (folder / name).write_text(rename((maps / "standard" / name).read_text(encoding="utf-8")), encoding="utf-8")
    return folder


def test_it_is_loaded_and_right(renamed: Path) -> None:
    board = load_board(renamed)
    assert {len(code) for code in board.provinces} == {2, 3, 4, 5}
    assert lint(board, load_expectation(renamed)).problems == ()


def test_every_move_reads_back(renamed: Path) -> None:
    position = start_position(load_board(renamed))
    for unit in position.units:
        for to in position.board.reach(unit.kind, unit.at):
            order = Move(unit, to)
            for line in (str(order), str(order).lower(), f"{unit} to {position.board.place_name(to)}"):
                assert [reading.order for reading in read_line(line, position, unit.power)] == [order], line


def test_robots_games_end_alike(standard: Board, renamed: Path, rename: Rename) -> None:
    other = load_board(renamed)
    position, chance = start_position(standard), Random(7)
    for number in range(30):
        orders = {power: think(position, power, RULES_1976, chance) for power in standard.powers}
        data = _object(position, {power: [str(order) for order in lines] for power, lines in orders.items()})
        answer = adjudicate_object(data, standard, RULES_1976)
        assert answer["unread"] == []
        again = adjudicate_object(json.loads(rename(json.dumps(data))), other, RULES_1976)
        assert _sorted(again) == _sorted(json.loads(rename(json.dumps(answer)))), number
        position = adjudicate(position, [one for lines in orders.values() for one in lines], RULES_1976).after


def _object(position: Position, orders: dict[str, list[str]]) -> dict[str, Any]:
    """A phase as `judge adjudicate --jsonl` takes it."""
    powers = position.board.powers
    return {
        "phase": str(position.phase),
        "units": {power: [str(unit) for unit in position.of(power)] for power in powers},
        "centers": {power: list(position.centres(power)) for power in powers},
        "dislodged": {
            power: {str(lost.unit): list(lost.options) for lost in position.dislodged if lost.unit.power == power}
            for power in powers
        },
        "orders": orders,
    }


def _sorted(value: Any) -> Any:
    """Without the order of the board, which is that of the codes."""
    if isinstance(value, dict):
        return {key: _sorted(each) for key, each in value.items()}
    return sorted(map(_sorted, value), key=str) if isinstance(value, list) else value

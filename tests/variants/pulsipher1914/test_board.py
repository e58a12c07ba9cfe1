"""The board of 1914: its own folder, and the standard board that older games are played on, are one."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.board.lint import lint, load_expectation
from judge.board.load import load_board
from judge.board.position import position_to_json
from judge.draw.shelf import BoardPictures
from judge.game.settings.table import Settings
from judge.service.core.judge import Shelf
from judge.variants import rules_for

MAPS = Path("maps")


def test_games_on_the_standard_board_have_the_powers_of_the_folder() -> None:
    """A game that was stored when 1914 had no board of its own loads, and is the same game."""
    shelf = Shelf(MAPS)
    old, new = (shelf(Settings(map=name, rules="1914")) for name in ("standard", "pulsipher1914"))
    for part in ("powers", "provinces", "borders", "kinds", "first_phase", "victory", "facts", "impassable"):
        assert getattr(old.board, part) == getattr(new.board, part), part
    starts = [position_to_json(system.rules.start(system.board)) | {"map": ""} for system in (old, new)]
    assert starts[0] == starts[1]
    pictures = BoardPictures(MAPS)
    assert pictures(old.board) is pictures(new.board), "one picture, read once"


@pytest.mark.parametrize(
    ("line", "wrong", "told"),
    [
        ('start = ["A TUN", "A VEN", "F NAP"]', 'start = ["A TUN", "A VEN"]', "F NAP"),
        ('homes = ["ROM", "VEN", "NAP", "TUN"]', 'homes = ["ROM", "VEN", "NAP"]', "TUN"),
        ('facts = { capital = "BER" }', 'facts = { capital = "KIE" }', "capital of GERMANY: KIE, expected BER"),
        ("victory = 10 ", 'borders = { BUR = "A GAS MAR PAR PIC RUH" }\nvictory = 10 ', "from BUR to MUN"),
    ],
)
def test_a_wrong_figure_is_found(tmp_path: Path, line: str, wrong: str, told: str) -> None:
    """Homes, first units, capitals and distances: each is compared with what the rules say."""
    for name in ("standard", "pulsipher1914"):
        (tmp_path / name).mkdir()
        for file in ("board.toml", "expect.toml"):
            text = (MAPS / name / file).read_text(encoding="utf-8")
            if (name, file) == ("pulsipher1914", "board.toml"):
                assert line in text
                text = text.replace(line, wrong)
            (tmp_path / name / file).write_text(text, encoding="utf-8")
    folder = tmp_path / "pulsipher1914"
    assert any(told in problem for problem in lint(load_board(folder), load_expectation(folder)).problems)


def test_the_rules_leave_the_board_of_the_folder_as_it_is() -> None:
    board = load_board(MAPS / "pulsipher1914")
    assert rules_for("1914").board(board).powers == board.powers

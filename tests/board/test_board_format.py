"""The format of boards: the example of maps/README.md, boards based on others, and what the loader keeps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judge.board.load import available_boards, load_board
from judge.board.model import Board, Closure, Terrain
from judge.board.names import gazetteer_of
from judge.board.sheet import BoardError


def readme_example(maps: Path) -> str:
    example = re.search(r"```toml\n(.*?)```", (maps / "README.md").read_text(), re.DOTALL)
    assert example
    return example[1]


@pytest.fixture
def shores(tmp_path: Path, maps: Path) -> Board:
    """The board of the README."""
    folder = tmp_path / "shores"
    folder.mkdir()
    (folder / "board.toml").write_text(readme_example(maps))
    return load_board(folder)


def test_the_readme_example_is_a_board(shores: Board) -> None:
    assert (shores.key, shores.title, shores.victory) == ("shores", "The Two Shores", 4)
    assert (str(shores.first_phase), str(shores.last_phase)) == ("S1850M", "W1877A")
    assert shores.centres == ("ALD", "BRY", "CUL", "DOR", "EST")
    assert shores.provinces["EST"].terrain is Terrain.INLAND
    assert shores.provinces["BRY"].coasts == ("NC", "SC")
    assert shores.provinces["EST"].territory == "EAST"
    assert shores.provinces["ALD"].territory == "WEST"


def test_borders_go_both_ways_for_the_kinds_they_name(shores: Board) -> None:
    assert shores.reach("A", "ALD") == ("BRY", "CUL", "EST")
    assert shores.reach("F", "ALD") == ("BRY/SC", "CUL", "NAR", "OPE")
    assert shores.reach("F", "BRY/NC") == ("DOR", "NAR")
    assert shores.reach("A", "BRY") == ("ALD", "DOR", "EST")
    assert shores.reach("A", "NAR") == shores.reach("F", "EST") == ()


def test_closures_keep_their_seasons_and_their_sentence(shores: Board) -> None:
    closed = {f"{border.a}-{border.b}": border.closures for border in shores.borders if border.closures}
    snow = Closure(("F", "W"), ("A",), "The pass is snowed in after the Spring season.")
    assert closed == {"CUL-EST": (snow,), "DOR-EST": (snow,)}


def test_facts_are_kept_for_those_who_ask(shores: Board) -> None:
    assert shores.facts["ferries"] is True
    assert ("DOR", "BRY", "ALD") in shores.ridges
    assert shores.railways == (("ALD", "BRY", "EST"), ("EST", "BRY", "ALD"))
    assert shores.powers["WEST"].facts == {"capital": "ALD", "naval_bases": ("BRY/SC",)}
    assert shores.provinces["EST"].facts == {"continent": "Eastland"}
    assert shores.provinces["NAR"].facts == {}


def test_names_of_the_readme_example(shores: Board) -> None:
    names = gazetteer_of(shores)
    for text, code in {"narrows": "NAR", "open": "OPE", "the Open Sea": "OPE", "Aldm": "ALD", "Brin": "BRY"}.items():
        assert names.places(text) == (code,)
    assert names.places("shore") == ("ALD", "CUL")
    assert names.find("Gul").impassable == "Gull Rock is not playable"
    assert names.power("Easterlings") == ("EAST",)


def test_the_error_in_the_readme_is_what_is_said(tmp_path: Path, maps: Path) -> None:
    folder = tmp_path / "shores"
    folder.mkdir()
    (folder / "board.toml").write_text(readme_example(maps).replace('NAR = "F OPE"', 'NAR = "F OPN"'))
    with pytest.raises(BoardError) as caught:
        load_board(folder)
    assert str(caught.value) in (maps / "README.md").read_text()


def test_a_board_based_on_another(tmp_path: Path, maps: Path, standard: Board) -> None:
    """Borders and names are taken over; powers are written again."""
    folder = tmp_path / "duel"
    folder.mkdir()
    (folder / "board.toml").write_text(
        f"""
        title = "Duel"
        based_on = "{maps / "standard"}"
        first_phase = "S1914M"
        [powers.FRANCE]
        name = "France"
        adjective = "French"
        homes = ["PAR"]
        start = ["A PAR"]
        [powers.BELGIUM]
        name = "Belgium"
        adjective = "Belgian"
        minor = true
        homes = ["BEL"]
        start = ["A BEL"]
        facts = {{ activation = 9, starting_pf = {{ FRANCE = 2 }} }}
        [aliases]
        PAR = ["Lutetia"]
        """
    )
    duel = load_board(folder)
    assert duel.borders == standard.borders
    assert str(duel.first_phase) == "S1914M"
    assert list(duel.powers) == ["FRANCE", "BELGIUM"]
    assert duel.powers["BELGIUM"].minor
    assert duel.powers["BELGIUM"].facts == {"activation": 9, "starting_pf": {"FRANCE": 2}}
    assert duel.provinces["PAR"].aliases == ("Lutetia",)
    assert duel.provinces["MAR"].aliases == standard.provinces["MAR"].aliases
    assert gazetteer_of(duel).places("Gulf of L.") == ("LYO",)


def test_a_board_lists_itself(maps: Path) -> None:
    assert "standard" in available_boards(maps)


def test_every_name_means_one_place_on_every_board_that_ships(maps: Path) -> None:
    for key in available_boards(maps):
        board = load_board(maps / key)
        names = gazetteer_of(board)
        for code, province in board.provinces.items():
            assert code in names.find(province.name).exact
            assert code in names.find(code).exact

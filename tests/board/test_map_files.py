"""`.map` files of other judges: what each kind of line comes to, and what is said of what has no counterpart."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from judge.board.dotmap import MapError, board_toml, read_map
from judge.board.load import load_board
from judge.board.model import Board, Terrain
from judge.cli.map import map_group

SHORES = """\
# two powers, a strait, a province with two coasts
BEGIN FALL 850 MOVEMENT
VICTORY 4
EAST (EASTERN:X) CUL DOR
A CUL
F DOR
WEST (FAR+WESTERN) ALD
A ALD
F BRY/SC
UNOWNED BRY EST
Aldmouth = ald alda+mouth
Brynn (north coast) = bry/nc bry(nc)
Brynn = bry brin mouth
Cullen = cul mouth
Dorrin = dor
Estmark = est est? mark
The Narrows = nar
Open Sea = ope
Port of Call = cal
Gull Rock = gul
COAST ALD ABUTS bry est CUL NAR OPE BRY/SC
COAST bry ABUTS ALD DOR EST NAR OPE
COAST BRY/NC ABUTS DOR NAR
COAST BRY/SC ABUTS OPE ALD
COAST CUL ABUTS ALD EST DOR OPE
COAST DOR ABUTS bry BRY/NC CUL EST NAR OPE
LAND EST ABUTS ALD BRY CUL DOR GUL
WATER NAR ABUTS ALD BRY/NC DOR OPE
WATER OPE ABUTS ALD BRY/SC CUL DOR NAR Cal
PORT CAL ABUTS OPE
SHUT GUL ABUTS EST
"""


def board_of(text: str, folder: Path, **others: str) -> tuple[Board, tuple[str, ...]]:
    written, remarks = board_toml(read_map("shores", {"shores.map": text, **others}.__getitem__))
    place = folder / "shores"
    place.mkdir(exist_ok=True)
    (place / "board.toml").write_text(written, encoding="utf-8")
    return load_board(place), remarks


def test_a_whole_file(tmp_path: Path) -> None:
    board, _ = board_of(SHORES, tmp_path)
    assert str(board.first_phase) == "F0850M" and board.victory == 4
    assert set(board.centres) == {"ALD", "BRY", "CUL", "DOR", "EST"}
    east, west = board.powers["EAST"], board.powers["WEST"]
    assert (east.name, east.adjective, east.letter, east.homes) == ("East", "Eastern", "X", ("CUL", "DOR"))
    assert (west.adjective, west.letter, west.start) == ("Far Western", "W", ("A ALD", "F BRY/SC"))
    assert board.provinces["BRY"].coasts == ("NC", "SC") and board.provinces["NAR"].terrain is Terrain.SEA
    assert board.provinces["CAL"].terrain is Terrain.COAST and "Gull Rock" in board.impassable


def test_the_case_of_a_neighbour_says_who_passes(tmp_path: Path) -> None:
    board, _ = board_of(SHORES, tmp_path)
    assert set(board.reach("A", "ALD")) == {"BRY", "CUL", "EST"}
    assert set(board.reach("F", "ALD")) == {"BRY/SC", "CUL", "NAR", "OPE"}
    assert set(board.reach("F", "BRY/NC")) == {"DOR", "NAR"}
    assert set(board.reach("A", "EST")) == {"ALD", "BRY", "CUL", "DOR"}


def test_names_with_one_meaning_are_names_and_those_with_two_are_asked_back(tmp_path: Path) -> None:
    board, _ = board_of(SHORES, tmp_path)
    assert set(board.provinces["ALD"].aliases) == {"alda mouth"} and board.ambiguous["mouth"] == ("BRY", "CUL")


def test_nothing_is_left_out_without_a_word(tmp_path: Path) -> None:
    text = SHORES + "RULE BUILD_ANY\nCOAST CUL ABUTS ALD EST DOR OPE NAR\n"
    _, remarks = board_of(text, tmp_path)
    assert [remark.partition(":")[0] for remark in remarks] == [
        "RULE BUILD_ANY",
        "PORT CAL",
        "CUL - NAR for fleets is described from CUL only",
        'the name "est?" of EST has several meanings',
    ]


def test_a_file_that_changes_another(tmp_path: Path) -> None:
    text = (
        "MAP base.map\nUNPLAYED ALL EXCEPT EAST\nDUMMY EAST\nNORTH (NORTHERN) ALD\nA ALD\nAMEND EST ABUTS -CUL\n"
        "AMEND CUL ABUTS -EST\nDROP CAL\n"
    )
    board, _ = board_of(text, tmp_path, **{"base.map": SHORES})
    assert list(board.powers) == ["EAST", "NORTH"] and board.powers["EAST"].minor
    assert set(board.reach("A", "EST")) == {"ALD", "BRY", "DOR"} and "CAL" not in board.provinces


def test_a_space_may_be_called_like_a_word_of_the_format(tmp_path: Path) -> None:
    board, _ = board_of(SHORES.replace("Port of Call = cal", "A Coruna = cal"), tmp_path)
    assert board.provinces["CAL"].name == "A Coruna"


def test_powers_and_spaces_may_be_given_another_name(tmp_path: Path) -> None:
    """`OLD -> NEW` in a file that changes another: everything said of the old one holds for the new one."""
    text = "USE base.map\nWEST -> SUNSET (SETTING) ALD\nBrynn -> Brunn = bru\nCullen -> Kullen = cul kull\n"
    board, _ = board_of(text, tmp_path, **{"base.map": SHORES})
    sunset = board.powers["SUNSET"]
    assert list(board.powers) == ["EAST", "SUNSET"] and sunset.adjective == "Setting"
    assert sunset.start == ("A ALD", "F BRU/SC") and board.provinces["BRU"].name == "Brunn"
    assert set(board.reach("F", "ALD")) == {"BRU/SC", "CUL", "NAR", "OPE"} and "BRY" not in board.provinces
    assert board.provinces["CUL"].name == "Kullen" and board.provinces["CUL"].aliases == ("kull",)


@pytest.mark.parametrize(
    ("words", "phase"),
    [
        ("SPRING A.D. 117 MOVEMENT", "S0117M"),
        ("SPRING 117 AD MOVEMENT", "S0117M"),
        ("SPRING 219 B.C. MOVEMENT", "S0001M"),
    ],
)
def test_a_year_may_name_its_era(words: str, phase: str, tmp_path: Path) -> None:
    board, remarks = board_of(SHORES.replace("FALL 850 MOVEMENT", words), tmp_path)
    assert str(board.first_phase) == phase and any("B.C." in remark for remark in remarks) == ("B.C." in words)


DIRECTIVES = (
    "NOTIFY keeper@players.test", "FLAGS standard", "NEWHOMES", "IN", "PRESS white grey", "DIRECTIVES", "HOST nobody",
    "SCORING calhamer 2", "TITLE The Shores", "FLOW SPRING:MOVEMENT,RETREATS", "SORT no", "VARIANT", "CREDITS by+hand",
)  # fmt: skip
"""Words that other judges know and that say nothing of a board; this one has never heard of most of them."""


def test_a_directive_is_no_power_wherever_it_stands(tmp_path: Path) -> None:
    """A power has homes, units or an adjective. Forty files with three directives each: powers, homes and units are
    those of the file without them, and each directive is named with its line.
    """
    plain = read_map("shores", {"shores.map": SHORES}.__getitem__)
    chance = Random("directives")
    for _ in range(40):
        lines = SHORES.splitlines()
        added = chance.sample(DIRECTIVES, 3)
        for directive in added:
            # A word by itself above a unit abroad would be a power with that unit.
            places = [at for at in range(len(lines) + 1) if lines[at : at + 1] != ["F BRY/SC"]]
            lines.insert(chance.choice(places), directive)
        found = read_map("shores", {"shores.map": "\n".join(lines)}.__getitem__)
        assert found.powers == plain.powers, lines
        assert sorted(row.partition('"')[2].rstrip('"') for row in found.unread) == sorted(added)
        numbers = [int(re.findall(r"line (\d+)", row)[0]) for row in found.unread]
        assert [lines[number - 1] for number in numbers] == [row.partition('"')[2][:-1] for row in found.unread]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A PAR\n", "line 1: cannot read"),
        ("AMEND PAR ABUTS BUR\n", "PAR was not described"),
        ("COSAT PAR ABUTS BUR\n", "line 1: .*COSAT is no kind of space; there are COAST, LAND"),
        ("ENGALND\nLAND PAR ABUTS BUR\nLAND BUR ABUTS PAR\n", "no line names a power.*\n.*line 1: .ENGALND"),
        ("USE nowhere.map\n", "nowhere.map: there is no such file"),
        ("FRANCE (FRENCH) PAR\n", "no line says which spaces there are"),
        ("OLD -> NEW (NEWER) PAR\n", "there is no power OLD"),
        ("Old Town -> New Town = new\n", "there is no space Old Town"),
        ("BEGIN LENT 1901 MOVEMENT\nLAND PAR ABUTS BUR\nLAND BUR ABUTS PAR\n", "first phase"),
        ("COAST BUL/XX ABUTS BLA\nCOAST bul ABUTS BLA\nWATER BLA ABUTS BUL/XX\n", "coasts are called"),
    ],
)
def test_what_is_no_map_is_refused_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(MapError, match=said):
        board_of(text, tmp_path)


# --- the command ----------------------------------------------------------------------------------------------------


def run(*words: object) -> Result:
    return CliRunner().invoke(map_group, [str(word) for word in words])


def test_the_command_writes_a_board_that_the_others_know(tmp_path: Path) -> None:
    (tmp_path / "Two_Shores.map").write_text(SHORES, encoding="utf-8")
    made = run("import", tmp_path / "Two_Shores.map", "--maps", tmp_path)
    assert made.exit_code == 0, made.output
    assert "2 powers, 8 spaces, 5 centres, 4 to win" in made.output and "not taken over: PORT CAL" in made.output
    assert "First phase: Fall 0850 moves" in run("show", "two-shores", "--maps", tmp_path).output
    assert "expectation        none" in run("lint", "two-shores", "--maps", tmp_path).output


def test_it_writes_over_nothing_unasked_and_leaves_nothing_half_made(tmp_path: Path) -> None:
    file = tmp_path / "shores.map"
    file.write_text(SHORES, encoding="utf-8")
    assert run("import", file, "--maps", tmp_path).exit_code == 0
    again = run("import", file, "--maps", tmp_path)
    assert again.exit_code == 2 and "--replace" in again.output
    before = (tmp_path / "shores" / "board.toml").read_text(encoding="utf-8")
    broken = SHORES.replace("LAND EST", "LAND ESTUARIES")
    file.write_text(broken, encoding="utf-8")
    failed = run("import", file, "--maps", tmp_path, "--replace")
    assert failed.exit_code == 1 and "nothing was written" in failed.output
    assert (tmp_path / "shores" / "board.toml").read_text(encoding="utf-8") == before
    assert run("import", file, "--maps", tmp_path, "--name", "other").exit_code == 1
    assert not (tmp_path / "other").exists()


def test_a_bad_name_is_a_mistake_in_use(tmp_path: Path) -> None:
    file = tmp_path / "shores.map"
    file.write_text(SHORES, encoding="utf-8")
    assert "--name" in run("import", file, "--maps", tmp_path, "--name", "../up").output

"""The board of the European Variant: what its house rules say about it, and what the reconstruction must not lose."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from judge.board.figures import passages, reach_table, totals
from judge.board.lint import lint, load_expectation
from judge.board.load import load_board
from judge.board.model import Board
from judge.board.names import gazetteer_of


@pytest.fixture(scope="module")
def european(maps: Path) -> Board:
    return load_board(maps / "european")


def test_the_board_is_right(european: Board, maps: Path) -> None:
    assert lint(european, load_expectation(maps / "european")).problems == ()


def test_it_is_called_a_reconstruction(european: Board) -> None:
    assert "econstruction" in european.reconstruction


def test_every_number_of_the_appendix(european: Board) -> None:
    """The appendix prints 53 % for 54 of 103; it is 52."""
    found = totals(european)
    assert (found["centres"], found["homes"], found["neutral"]) == (54, 25, 29)
    assert (found["coastal"] + found["inland"], found["seas"], found["spaces"]) == (103, 40, 143)
    assert found["homes"] + len(european.powers) == 33
    assert round(100 * 54 / 103) == 52
    assert european.victory == 54 // 2 + 1 == 28


def test_the_reach_table_of_the_appendix(european: Board) -> None:
    """France and Spain differ by what had to be invented."""
    printed = {
        "AUSTRIA": "7/10",
        "GERMANY": "8/12",
        "GREAT BRITAIN": "5/6",
        "ITALY": "7/11",
        "OTTOMAN EMPIRE": "7/8",
        "RUSSIA": "7/13",
    }
    found = {power: str(reach) for power, reach in reach_table(european).items()}
    assert found == printed | {"FRANCE": "9/15", "SPAIN": "4/7"}


def test_the_game_lasts_27_years(european: Board) -> None:
    """Spring 1891 to Winter 1917."""
    assert (str(european.first_phase), str(european.last_phase)) == ("S1891M", "W1917A")


def test_eight_powers_and_their_units(european: Board) -> None:
    assert sum(len(power.start) for power in european.powers.values()) == 25
    assert {"F MAL", "A BAR", "A MAD"} == set(european.powers["SPAIN"].start)
    assert "F STP/SC" in european.powers["RUSSIA"].start


@pytest.mark.parametrize(
    ("written", "power"),
    [
        ("Great Britain", "GREAT BRITAIN"),
        ("England", "GREAT BRITAIN"),
        ("British", "GREAT BRITAIN"),
        ("Ottoman Empire", "OTTOMAN EMPIRE"),
        ("Turkey", "OTTOMAN EMPIRE"),
        ("Turkish", "OTTOMAN EMPIRE"),
        ("Spanish", "SPAIN"),
    ],
)
def test_powers_by_all_their_names(european: Board, written: str, power: str) -> None:
    assert gazetteer_of(european).power(written) == (power,)


def test_extra_homes(european: Board) -> None:
    """No power has its eighth part of them at the start."""
    extra = {power: facts.facts["extra_home"] for power, facts in european.powers.items()}
    assert extra == {
        "AUSTRIA": "PRA",
        "FRANCE": "LYO",
        "GERMANY": "FRK",
        "GREAT BRITAIN": "BFS",
        "ITALY": "MIL",
        "OTTOMAN EMPIRE": "IRQ",
        "RUSSIA": "MIN",
        "SPAIN": "TAN",
    }
    assert all(european.provinces[code].centre and code not in european.home_of for code in map(str, extra.values()))


def test_two_coasts(european: Board) -> None:
    """Spain, which is a power here, is none of them."""
    seas = {place: {at for at in european.reach("F", place) if european.provinces.get(at)} for place in (
        "BUL/SC", "BUL/EC", "AND/WC", "AND/EC", "STP/SC", "STP/NC",
    )}  # fmt: skip
    wet = {code for code, province in european.provinces.items() if province.terrain == "sea"}
    assert {place: touched & wet for place, touched in seas.items()} == {
        "BUL/SC": {"AEG"},
        "BUL/EC": {"BLA"},
        "AND/WC": {"MAO"},
        "AND/EC": {"WMS", "ABS"},
        "STP/SC": {"GOF"},
        "STP/NC": {"ONE"},
    }


def test_porous_provinces(european: Board) -> None:
    """Egypt is not among them."""
    assert set(passages(european)) == {"ARK", "CON", "DEN", "KIE", "SWE"}
    assert set(european.reach("F", "DEN")) >= {"BAL", "KAT", "SKA", "NSC", "HEL"}
    assert "STP" not in european.reach("A", "MUR")


def test_switzerland_has_exactly_four_southern_neighbours(european: Board) -> None:
    closed = set(european.reach("A", "SWI", "S")) - set(european.reach("A", "SWI", "F"))
    assert closed == {"MAR", "PIE", "MIL", "TYR"}


@pytest.mark.parametrize("name", ["Malta", "Cyprus", "Caspian Sea"])
def test_unmarked_spaces_are_known_and_refused(european: Board, name: str) -> None:
    assert "not playable" in gazetteer_of(european).find(name).impassable


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("AND", {"AND"}),
        ("Saint Petersburg", {"STP"}),
        ("St. Petersburg (nc)", {"STP/NC"}),
        ("Kharkiv", {"KHA"}),
        ("Balearics", {"BLR"}),
        ("Norwegian Coast", {"NCO"}),
        ("Skagerrak", {"SKA"}),
        ("Gulf of Lyon", {"GOL"}),
        ("Lyo", {"LYO"}),
        ("North Sea", {"NSC", "NSN", "NSS"}),
    ],
)
def test_modern_and_short_names(european: Board, written: str, meant: set[str]) -> None:
    assert set(gazetteer_of(european).places(written)) == meant


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"MUN TYR MIL"', '"BER TYR MIL"', "a ridge leads from BER to TYR, which have no border"),
        ('"MOS PER OMS"', '"MOS KHA OMS"', "which have no border"),
        ('tyr = ["TYR", "TYS"]', 'tri = ["TRI", "TRP"]', "TRI may also mean TRP"),
        ('tyr = ["TYR", "TYS"]', 'bur = ["BUR", "BRE"]', "BUR may also mean BRE"),
    ],
)
def test_a_slip_in_the_facts_is_caught(maps: Path, tmp_path: Path, old: str, new: str, says: str) -> None:
    shutil.copytree(maps / "european", tmp_path / "european")
    sheet = tmp_path / "european" / "board.toml"
    text = sheet.read_text()
    assert old in text
    sheet.write_text(text.replace(old, new))
    problems = lint(load_board(tmp_path / "european"), load_expectation(tmp_path / "european")).problems
    assert any(says in problem for problem in problems)

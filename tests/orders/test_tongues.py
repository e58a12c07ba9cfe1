"""Orders in other languages are read, and no English line is read otherwise for it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from judge.board.load import available_boards, load_board
from judge.board.names import gazetteer_of
from judge.board.placenames import folded, places_abroad, written
from judge.board.sheet import BoardError
from judge.orders.reader import read_line
from judge.orders.tongues import words_abroad
from judge.wordbook import Wordbook, folder
from tests.draw.scenes import position

MAPS = Path(__file__).parents[2] / "maps"
STANDARD = load_board(MAPS / "standard")

ORDERS = """
de  Armee Paris nach Burgund                                    A PAR - BUR
de  A Marseille geht nach Spanien                               A MAR - SPA
de  Flotte Brest bleibt                                         F BRE H
de  Armee Marseille hält                                        A MAR H
de  Armee Marseille haelt                                       A MAR H
de  Armee Marseille unterstützt Armee Paris nach Burgund        A MAR S A PAR - BUR
de  Flotte Brest nach Ärmelkanal                                F BRE - ENG
de  Flotte Brest - Aermelkanal                                  F BRE - ENG
de  F Brest konvoiert A Paris nach London                       F BRE C A PAR - LON
fr  Armée Paris vers Bourgogne                                  A PAR - BUR
fr  Armee Marseille soutient Armee Paris vers Bourgogne         A MAR S A PAR - BUR
fr  L'armée Paris tient                                         A PAR H
fr  Flotte Brest - La Manche                                    F BRE - ENG
fr  Flotte Brest convoie Armée Paris vers Londres               F BRE C A PAR - LON
es  Ejército París hacia Borgoña                                A PAR - BUR
es  Ejercito Marsella apoya Ejercito Paris - Borgona            A MAR S A PAR - BUR
es  Flota Brest mantiene                                        F BRE H
es  A Marsella - España                                         A MAR - SPA
it  Armata Parigi verso Borgogna                                A PAR - BUR
it  A Marsiglia appoggia A Parigi - Borgogna                    A MAR S A PAR - BUR
it  Flotta Brest resta                                          F BRE H
it  Flotta Brest verso Canale della Manica                      F BRE - ENG
nl  A Parijs naar Bourgondië                                    A PAR - BUR
nl  Leger Marseille steunt leger Parijs naar Bourgondie         A MAR S A PAR - BUR
nl  Vloot Brest blijft                                          F BRE H
nl  Vloot Brest naar Het Kanaal                                 F BRE - ENG
"""
ASKED_BACK = """
de  A Paris nicht nach Burgund
de  Wenn Deutschland nach Burgund zieht, dann A Paris nach Burgund
fr  A Paris jamais vers Bourgogne
es  A Paris nunca hacia Borgoña
it  A Parigi se Borgogna
nl  A Parijs niet naar Bourgondië
"""
"""What is against the order, or a condition: nothing is done by it, and it is asked back."""


@pytest.mark.parametrize("row", [row for row in ORDERS.splitlines() if row])
def test_an_order_is_read_in_the_language_of_its_writer(row: str) -> None:
    line, order = row[4:60].strip(), row[60:].strip()
    at = position(STANDARD, {"FRANCE": "A PAR, F BRE, A MAR", "GERMANY": "A MUN", "ENGLAND": "F LON"}, "S1901M")
    (read,) = read_line(line, at, "FRANCE")
    assert read.understood and str(read.order) == order


@pytest.mark.parametrize("row", [row for row in ASKED_BACK.splitlines() if row])
def test_what_turns_an_order_round_is_asked_back(row: str) -> None:
    at = position(STANDARD, {"FRANCE": "A PAR, F BRE, A MAR", "GERMANY": "A MUN"}, "S1901M")
    assert not any(read.understood for read in read_line(row[4:], at, "FRANCE"))


def test_no_word_of_another_language_means_a_place_or_a_power_on_any_board() -> None:
    found = [
        f"languages/{path.parent.name}/orders.toml: {word} on {key}"
        for key in available_boards(MAPS)
        for names in (gazetteer_of(load_board(MAPS / key)),)
        for path in sorted(folder().glob("*/orders.toml"))
        for word, _ in words_abroad(tables=[Wordbook(path)])
        if names.find(word).known or names.power(word)
    ]
    assert found == ["languages/de/orders.toml: sich on global2"]  # Sichuan, which it is there as it ever was


def test_no_word_says_two_things() -> None:
    said: dict[str, set[str]] = {}
    for word, says in words_abroad():
        said.setdefault(word, set()).add(says)
    assert {word: says for word, says in said.items() if len(says) > 1} == {}


@pytest.mark.parametrize("key", available_boards(MAPS))
def test_every_name_in_another_language_names_its_place_and_never_named_or_began_another(key: str) -> None:
    board = load_board(MAPS / key)
    names = gazetteer_of(board)
    english = {
        text: code for code, province in board.provinces.items() for text in (folded(code), folded(province.name))
    }
    aliases = {folded(alias): code for code, province in board.provinces.items() for alias in province.aliases}
    for code, province in board.provinces.items():
        for language, called in province.abroad.items():
            for name in written(called, language):
                assert names.places(name) == (code,), name
                assert aliases.get(folded(name), code) == code, name
                assert not {text for text, other in english.items() if other != code and text.startswith(folded(name))}


@pytest.mark.parametrize("key", available_boards(MAPS))
def test_every_place_has_a_german_name_of_its_own(key: str) -> None:
    board = load_board(MAPS / key)
    german = board.spelled_in["de"]
    assert all(province.abroad["de"] for province in board.provinces.values())
    assert len(set(german.values())) == len(german)


def test_no_row_is_lost_because_its_names_mean_something_else() -> None:
    boards = [load_board(MAPS / key) for key in available_boards(MAPS)]
    places = [(folded(place.name), place) for board in boards for place in board.provinces.values()]
    for language, rows in places_abroad().items():
        for english, called in rows.items():
            found = [place.abroad.get(language, ()) for name, place in places if name == english]
            assert found, english
            assert all(kept == called for kept in found), (language, english)


def test_what_no_table_names_stands_in_english() -> None:
    assert STANDARD.spelled_in["de"]["STP/SC"] == "St. Petersburg (sc)"
    assert STANDARD.spelled_in["sv"] == STANDARD.spelled_in["en"]


def test_a_board_has_names_of_its_own_and_is_told_of_those_that_mean_another_place(tmp_path: Path) -> None:
    shutil.copytree(MAPS / "standard", tmp_path / "own")
    with (tmp_path / "own" / "board.toml").open("a") as file:
        file.write('[names.de]\nMUN = ["Minga"]\n')
    board = load_board(tmp_path / "own")
    assert board.spelled_in["de"]["MUN"] == "Minga"
    assert gazetteer_of(board).places("Minga") == ("MUN",)
    with (tmp_path / "own" / "board.toml").open("a") as file:
        file.write('BER = ["Paris"]\nXYZ = ["Nirgends"]\n')
    with pytest.raises(BoardError) as error:
        load_board(tmp_path / "own")
    assert [problem.what for problem in error.value.problems] == [
        '"Paris", which is BER in another language, means another place too',
        'a name for "XYZ", which is no province',
    ]

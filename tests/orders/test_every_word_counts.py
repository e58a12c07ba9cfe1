"""No word of a line is lost: it changes what is understood, or the line is asked back, or the receipt notes it.

A sweep, since nobody thinks of the next word: orders as many people phrase them, with one more word at every place.
Words that say nothing are on a closed list (`judge.orders.words.FILLERS`), and so are marks.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from judge.board.model import Board, Terrain
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.reader import read_line
from judge.orders.reading import Reading

_UNITS = """FRANCE A PAR|FRANCE A BUR|FRANCE F BRE|FRANCE A GAS|ENGLAND F NTH|ENGLAND A LON|GERMANY A MUN|GERMANY A RUH
ITALY F ION|ITALY A TUN|TURKEY F AEG|TURKEY A SMY"""

PHRASED = """A Par - Pic|A Par-Pic|Army Paris moves to Picardy|army in Paris to Picardy|A Par H|A Par holds|F Bre stands
A Bur S A Par - Pic|A Bur supports the army in Paris to Picardy|A Bur S A Par|A Bur sup Par - Pic|F Nth C A Lon - Nwy
F Nth convoys A Lon to Norway|A Lon - Nwy via convoy|A Bur - Mun, A Par - Bur|A Bur - Mun; F Bre - Mid
A Bur-Mun A Par-Bur F Bre-Mid|move A Par to Pic|A Par is supported by A Bur"""

VERBS = """supporte protège couvre greift deckt schützt sichert ayuda cubre protege copre aiuta dekt valt apoia stöder
støtter tukee wspiera popiera podržava carries backs covers joins bounced"""
OTHER_WORDS = "S supports not if old Ruh Mun Gas Xyzzy zzz Marselles build <-"


def _position(board: Board) -> Position:
    units = (line.split() for line in _UNITS.replace("\n", "|").split("|"))
    placed = tuple(Unit(number, kind, at, power) for number, (power, kind, at) in enumerate(units, start=1))
    return Position(board, Phase.read("F1902M"), placed, {})


def _with_one_more(line: str, word: str) -> Iterator[str]:
    words = line.split()
    for place in range(len(words) + 1):
        yield " ".join((*words[:place], word, *words[place:]))
    yield f"{line}, {word}"
    yield f"{line} ({word})"
    yield f"{line}. {word}"


def _accounts(readings: tuple[Reading, ...], before: tuple[str, ...]) -> bool:
    """Whether one more word was asked back, noted, or made other orders of the line."""
    asked = any(reading.problem is not None for reading in readings)
    noted = any(reading.notes or reading.corrected for reading in readings)
    return asked or noted or tuple(str(reading.order) for reading in readings) != before


@pytest.mark.parametrize("line", PHRASED.replace("\n", "|").split("|"))
def test_one_more_word_is_accounted_for(board: Board, line: str) -> None:
    position = _position(board)
    readings = read_line(line, position, None)
    assert all(reading.understood for reading in readings)
    before = tuple(str(reading.order) for reading in readings)
    for word in (*VERBS.split()[::4], *OTHER_WORDS.split()):
        for longer in _with_one_more(line, word):
            assert _accounts(read_line(longer, position, None), before), f"{longer!r} loses {word!r}"


@pytest.mark.parametrize("verb", VERBS.split())
def test_a_verb_that_is_not_known_makes_no_order_of_either_half(board: Board, verb: str) -> None:
    """ "A Par soutient A Bur - Mun" is a support, and neither half is an order; only a slip is mended to it."""
    position = _position(board)
    for line in (f"A Par {verb} A Bur - Mun", f"A Par {verb} A Bur", f"A Par - Pic {verb} A Bur - Mun"):
        readings = read_line(line, position, None)
        taken = [str(reading.order) for reading in readings if reading.understood]
        assert all(" S " in order for order in taken), f"{line!r} is read as {taken}"


LABELS = """wrong error typo mistake draft example rumour refused proposal set before previous earlier NO
Liverpool Xyzzy"""


@pytest.mark.parametrize("label", LABELS.split())
def test_a_word_before_a_colon_that_may_unsay_the_order_has_it_asked_back(board: Board, label: str) -> None:
    """ "wrong: A Bur - Mun" is not an order; "New: ..." and "My orders: ..." are."""
    for line in (f"{label}: A Bur - Mun", f"{label} order: A Bur - Mun", f"my {label}: A Bur - Mun"):
        readings = read_line(line, _position(board), "FRANCE")
        assert readings and not any(reading.understood for reading in readings), line


@pytest.mark.parametrize("label", ["New", "Final order", "My orders", "Correction", "Here goes", "France"])
def test_a_title_before_a_colon_says_nothing_against_its_order(board: Board, label: str) -> None:
    readings = read_line(f"{label}: A Bur - Mun", _position(board), "FRANCE")
    assert [str(reading.order) for reading in readings] == ["A BUR - MUN"]


@pytest.mark.parametrize("line", ["F Aeg con A Smy - Gre", "F Aeg con Smy - Gre", "F Aeg con Smy to Gre"])
def test_con_is_no_place_where_it_can_be_a_convoy(board: Board, line: str) -> None:
    """Constantinople is next door, so it is asked; never two orders of it."""
    [reading] = read_line(line, _position(board), "TURKEY")
    assert reading.problem is not None and reading.problem.slug == "two-meanings"


@pytest.mark.parametrize(
    "form", ["F {} con A {} {}", "F {} con {} {}", "{} con {} {}", "F {} CON {} - {}", "{} con A {} to {}"]
)
@pytest.mark.parametrize("beside", [True, False], ids=["beside Constantinople", "far from it"])
def test_con_between_a_fleet_and_an_army_on_its_way_is_a_convoy(board: Board, form: str, *, beside: bool) -> None:
    """Every fleet at sea, with armies on shores and places to which they may be carried: a convoy, or asked back where
    the fleet could go to Constantinople; never a move of the fleet, nor one of the army without the fleet.
    """
    seas = [code for code, one in board.provinces.items() if one.terrain is Terrain.SEA]
    shores = [code for code, one in board.provinces.items() if one.terrain is Terrain.COAST and code != "CON"]
    for number, sea in enumerate(seas):
        if ("CON" in board.reach("F", sea)) is not beside:
            continue
        for army, goal in zip(shores[number::5], shores[number + 1 :: 5], strict=False):
            units = (Unit(1, "F", sea, "TURKEY"), Unit(2, "A", army, "TURKEY"))
            line, position = form.format(sea, army, goal), Position(board, Phase.read("F1902M"), units, {})
            readings = read_line(line, position, "TURKEY")
            said = [str(one.order) if one.problem is None else one.problem.slug for one in readings]
            assert said == (["two-meanings"] if beside else [f"F {sea} C A {army} - {goal}"]), line


@pytest.mark.parametrize("tail", ["backed by Par", "+ Ruh", "because of Par", "thanks to Par"])
def test_what_hangs_on_an_order_without_a_break_has_the_whole_asked_back(board: Board, tail: str) -> None:
    readings = read_line(f"A Bur - Mun {tail}", _position(board), "FRANCE")
    assert not any(reading.understood for reading in readings)


@pytest.mark.parametrize("mark", ["//", "#"])
def test_an_order_behind_the_mark_of_a_comment_is_read(board: Board, mark: str) -> None:
    two = read_line(f"A Bur - Mun {mark} A Par - Bur", _position(board), "FRANCE")
    assert [str(reading.order) for reading in two] == ["A BUR - MUN", "A PAR - BUR"]
    unsaid = read_line(f"A Bur - Mun {mark} not if Ruh is taken", _position(board), "FRANCE")
    assert not any(reading.understood for reading in unsaid)
    remark = read_line(f"A Bur - Mun {mark} go get them", _position(board), "FRANCE")
    assert [str(reading.order) for reading in remark] == ["A BUR - MUN"]


@pytest.mark.parametrize("line", ["A Bur - Mun in spring", "A Bur - Mun next spring", "Spring: A Bur - Mun"])
def test_the_name_of_another_season_is_no_chatter(board: Board, line: str) -> None:
    """It is Fall."""
    assert not any(reading.understood for reading in read_line(line, _position(board), "FRANCE"))

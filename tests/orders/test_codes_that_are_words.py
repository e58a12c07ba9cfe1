"""On a board where AND is Andalusia, the word is read as the place wherever a place can stand, and joins elsewhere."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from judge.board.load import available_boards, load_board
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.family import FAMILY, RAIL
from judge.orders.lexer import Named, lexicon_on
from judge.orders.reader import read_orders
from judge.orders.reading import ReadOptions
from judge.orders.words import KEYWORDS
from judge.resources import folder
from tests.support.archipelago import board_named

RAILWAYS = ReadOptions(kinds=FAMILY.having(RAIL))


@pytest.fixture(scope="module")
def european() -> Board:
    return board_named("european")


def read(board: Board, text: str, *units: str, options: ReadOptions = RAILWAYS) -> list[str]:
    """The orders that a text comes to, and the slugs of what it does not."""
    standing = tuple(Unit(number, unit[0], unit[2:], "SPAIN", unit[2:]) for number, unit in enumerate(units, 1))
    position = Position(board, Phase.read("S1891M"), standing, MappingProxyType({}))
    readings = read_orders(text, position, "SPAIN", options=options)
    return [str(each.order) if each.order else str(each.problem and each.problem.slug) for each in readings]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A MAD - AND", "A MAD - AND"),
        ("A Mad-And", "A MAD - AND"),
        ("a mad and", "A MAD - AND"),
        ("Army Madrid to And.", "A MAD - AND"),
        ("A Mad to and", "A MAD - AND"),
        ("A Bar S A Mad - And", "A BAR S A MAD - AND"),
        ("A Bar supports A Mad to AND", "A BAR S A MAD - AND"),
        ("F And/ec - Bes", "F AND/EC - BES"),
        ("F AND/EC - WMS", "F AND/EC - WMS"),
        ("F AND (ec) holds", "F AND/EC H"),
        ("F AND - Abs", "F AND/EC - ABS"),
        ("AND holds", "F AND/EC H"),
        ("AND - Wms", "F AND/EC - WMS"),
        ("F And H", "F AND/EC H"),
        ("A Mad S F And", "A MAD S F AND/EC"),
        ("A Mad S And", "A MAD S F AND/EC"),
        ("F And S A Mad - Bar", "F AND/EC S A MAD - BAR"),
    ],
)
def test_a_code_that_joins_elsewhere(european: Board, text: str, order: str) -> None:
    assert read(european, text, "A MAD", "A BAR", "F AND/EC") == [order]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("A Mad - Por and A Bar - Mar", ["A MAD - POR", "A BAR - MAR"]),
        ("A Mad - Por, and A Bar - Mar", ["A MAD - POR", "A BAR - MAR"]),
        ("A Mad - And and A Bar - Mar", ["A MAD - AND", "A BAR - MAR"]),
        ("A Mad to Por and Bar to Mar", ["A MAD - POR", "A BAR - MAR"]),
        ("A Mad and A Bar hold", ["A MAD H", "A BAR H"]),
        ("A Mad holds and F And - Abs", ["A MAD H", "F AND/EC - ABS"]),
        ("And A Mad - Por", ["A MAD - POR"]),
        ("A Mad H and then A Bar H", ["A MAD H", "A BAR H"]),
    ],
)
def test_the_word_that_joins(european: Board, text: str, orders: list[str]) -> None:
    assert read(european, text, "A MAD", "A BAR", "F AND/EC") == orders


@pytest.mark.parametrize(
    "text",
    [
        "A MOS RR OMS",
        "A Moscow RR Omsk",
        "A Mos - Oms by rail",
        "A Mos rail Oms",
        "Army Moscow rails to Omsk",
        "A Mos RR Per RR Oms",
        "A Mos - Per - Oms RR",
        "A Moscow to Omsk via railway",
        "A Moscow travels by railroad to Omsk",
    ],
)
def test_ways_to_write_a_journey_by_rail(european: Board, text: str) -> None:
    assert read(european, text, "A MOS") == ["A MOS RR OMS"]


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("A Mos - Oms", "railway-not-named"),
        ("A MOS - OMS", "railway-not-named"),
        ("A Moscow - Perm - Omsk", "railway-not-named"),
        ("A Mos RR Per", "no-railway"),
        ("A Mos RR Kha", "no-railway"),
        ("A Mos RR Kha RR Oms", "no-railway"),
        ("A Kha RR Oms", "no-railway"),
        ("A Mos RR Siberia", "impassable"),
        ("A Mos RR Atlantis", "no-railway"),
        ("F Sev RR Oms", "no-railway"),
    ],
)
def test_what_is_no_journey_by_rail_is_asked_back(european: Board, text: str, slug: str) -> None:
    """Never silently the railway."""
    assert read(european, text, "A MOS", "A KHA", "F SEV") == [slug]


def test_where_the_rules_know_no_railway(european: Board) -> None:
    assert read(european, "A Mos RR Oms", "A MOS", options=ReadOptions()) == ["no-such-order"]


def test_a_goal_whose_code_is_a_word_of_opinions_is_a_goal() -> None:
    board = board_named("global2")
    assert read(board, "a syd - can via", "A SYD", options=ReadOptions()) == ["A SYD - CAN VIA"]


def test_on_every_board_a_code_and_the_letter_of_an_order_are_two_words() -> None:
    """ "eas c a smy - lib" is a convoy by the Eastern Mediterranean, and nothing about the East China Sea."""
    for name in available_boards(folder("maps")):
        board = load_board(folder("maps") / name)
        lexicon = lexicon_on(board, FAMILY)
        for code in (code.lower() for code in board.provinces if code.lower() not in KEYWORDS):
            for letter in "schdr":
                lexed = lexicon.lex([code, letter, "a", code])
                first = next(named for named in lexed.values if isinstance(named, Named))
                assert first.text == code, (name, code, letter)

"""What is said of an order names units and places as the rest of a letter does; codes are for machines."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from judge import resources
from judge.adjudicate import adjudicate
from judge.board.load import available_boards
from judge.board.phase import ADJUSTMENTS, MOVES, Phase
from judge.board.position import Position, start_position
from judge.catalogues import language_of, shipped
from judge.languages import speak
from judge.orders.filing import settled
from judge.orders.model import power_of
from judge.orders.reader import read_line, read_orders
from judge.orders.reading import ReadOptions
from judge.orders.spelled import order_words
from judge.rules import RULES_1976
from tests.bench.plausible import moves, others
from tests.support.archipelago import board_named

STRICT = ReadOptions(no_mistakes=True, demand_nationality=True, spelled_names=False)
UNITS = ("A Par", "F Bre", "A Mar", "A Mun", "F StP", "Army in Lapland", "F Par", "Bur", "fleet in Spain")
DEEDS = (
    *("- Picadilly", "- Bur", "- StP", "- Spain - Por - Rome", "- Xanadu?", "- Bur?", "- Switzerland", "", "launches"),
    *("S A Mun - Bur", "S A Par - Bur", "S Xanadu", "S A Par", "S Russian A Mun", "S A Mun - Xanadu", "C A Mun"),
    *("C Tunis", "C A Lon - Xanadu", "R Bur", "D", "- Bur if Italy moves", "build A Par", "- Bur - Mun", "- StP nc sc"),
)
CODED = re.compile(r"\b[AF] [A-Z]{3}\b|\b[A-Z]{3}(/[NSEW]C)?\b")
QUOTED = re.compile(r'"[^"]*"')
CAPITALS = {"VIA"}
BOMBER = re.compile(r"(?:^| )B [A-Z]{3}\b")
"""A unit that the rules of 1976 have no orders for."""


@pytest.mark.parametrize("power", ["FRANCE", "RUSSIA", None])
@pytest.mark.parametrize("phase", ["S1901M", "W1901A"])
def test_no_answer_to_a_line_speaks_in_codes(start: Position, power: str | None, phase: str) -> None:
    position = replace(start, phase=Phase.read(phase), units=start.units[:-4])
    asked = 0
    for unit in UNITS:
        for deed in DEEDS:
            for reading in read_line(f"{unit} {deed}", position, power, options=STRICT):
                if reading.problem is not None:
                    asked += 1
                    said = QUOTED.sub("", reading.problem.sentence)
                    assert {found[0] for found in CODED.finditer(said)} <= CAPITALS, reading.problem.sentence
    assert asked > 100


def test_two_orders_for_one_unit_are_named_in_full(start: Position) -> None:
    readings = read_orders("A Par - Bur\nA Par - Pic", start, "FRANCE")
    first = settled(readings, start.board, options=ReadOptions(no_mistakes=True))[0]
    assert first.problem is not None
    assert first.problem.sentence == "You sent more than one order for A Paris; please send one."
    assert [order_words(order, start.board) for order in first.problem.candidates if not isinstance(order, str)] == [
        "A Paris - Burgundy",
        "A Paris - Picardy",
    ]


@pytest.mark.parametrize(
    ("line", "power", "nearest"),
    [
        ("A Par - Picadilly", "FRANCE", "A PAR - PIC"),
        ("A Par - Gasgonia", "FRANCE", "A PAR - GAS"),
        ("F Lon - Northern Ocean", "ENGLAND", "F LON - NTH"),
        ("A Mos - Lithuania", "RUSSIA", "A MOS - LVN"),
    ],
)
def test_what_is_written_most_alike_is_offered_first(start: Position, line: str, power: str, nearest: str) -> None:
    [reading] = read_line(line, start, power)
    assert reading.problem is not None
    assert str(reading.problem.candidates[0]) == nearest


@pytest.mark.parametrize("key", available_boards(resources.folder("maps")))
@pytest.mark.parametrize("code", shipped())
def test_an_order_in_words_reads_back_as_itself_in_every_language(code: str, key: str) -> None:
    random, position, wrong = Random(1), start_position(board_named(key)), list[tuple[str, str]]()
    for _ in range(20):
        orders = moves(random, position) if position.phase.kind is MOVES else others(random, position)
        for order in orders:
            with speak(language_of(code)):
                adjusting, power = position.phase.kind is ADJUSTMENTS, power_of(order)
                line = order_words(order, position.board, adjusting=adjusting, reader=power)
            if [str(read.order) for read in read_orders(line, position, power)] != [str(order)]:
                wrong.append((line, str(order)))
        position = adjudicate(position, orders, RULES_1976).after
    assert [line for line, order in wrong if not BOMBER.search(order)] == []

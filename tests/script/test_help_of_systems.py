"""Pages of help in games of other rules: each order on them is one that the rules know and let the unit be given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.adjudicate.duty import ways_of
from judge.adjudicate.legality import legality
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Dislodged
from judge.game.core.commands import Role
from judge.mail.letters import Printer
from judge.mail.letters.pages import Is, Leaf
from judge.mail.vocabulary import find_verb
from judge.mail.vocabulary.help import HelpPage, Shows
from judge.mail.vocabulary.pages import Guide
from judge.mail.vocabulary.topics import TOPICS
from judge.orders.model import Build, Disband, Waive
from judge.orders.reader import read_line
from judge.orders.spelled import place
from judge.report.core.letter import Office, plain
from judge.report.reply.helppages import Asker
from judge.report.reply.lessons import Lessons, lessons
from judge.rules import Rules
from judge.service.core.judge import Shelf
from judge.service.hearing.helping import tables
from tests.variants.test_whole_games import started

ROOT = Path(__file__).parents[2]
SHELF = Shelf(ROOT / "maps")
PRESETS = ("1958", "1958-five", "1914", "european", "global2")
WINTER = "W1930A"
"""An adjustment phase late enough that whatever is built at all may be built."""
ORDER = re.compile(r"[AFB]\d* |build |remove |waive")


class Readers:
    """Pages for one power of a game that begins."""

    def __init__(self, preset: str, power: str) -> None:
        self.game = started(preset).running
        self.rules: Rules = self.game.rules
        self.board: Board = self.game.board
        self.power = power
        self.lesson: Lessons = lessons(self.game.position, power, self.rules)

    def leaves(self, printer: Printer, topic: str) -> tuple[Leaf, ...]:
        guide = Guide(Asker(self.lesson.shown, Role.PLAYER, self.game), Office(), self.board, tables(SHELF))
        return printer.leaves("help/leaf.txt", plain(guide.view(HelpPage(Shows.TOPIC, topic), topic)))

    def orders(self, printer: Printer) -> Iterator[tuple[str, str]]:
        """(page, line) of each order on a page that is for this game."""
        for topic in TOPICS.values():
            if not topic.kind or topic.kind in self.rules.words():
                for leaf in self.leaves(printer, topic.name):
                    line = leaf.line.partition(", or ")[0]
                    if leaf.kind is Is.EXAMPLE and ORDER.match(line) and not find_verb(line):
                        yield topic.name, line


def order_fault(line: str, stage: Position, power: str, rules: Rules) -> str:
    """Why a line cannot be followed where its units stand; "" if it can. `stage`: of the lesson of `power`."""
    stage, power = _stage_for(line, stage, power, rules)
    readings = read_line(line, stage, power)
    for reading in readings:
        if reading.order is None:
            return reading.problem.sentence if reading.problem else "no order"
        if isinstance(reading.order, Build):
            return rules.build_fault(stage, reading.order)
        if not isinstance(reading.order, Disband | Waive) and (fault := legality(reading.order, stage, rules)):
            return str(fault)
    return "" if readings else "no order"


def _stage_for(line: str, stage: Position, power: str, rules: Rules) -> tuple[Position, str]:
    """Where a line can be given, and by whom: with its unit dislodged, or its home empty in winter."""
    if match := re.fullmatch(r"[AF]\d* (.+) (?:R .+|D)", line):
        unit = next(unit for unit in stage.units if place(unit.at, stage.board) == match[1])
        lost = Dislodged(unit, ways_of(stage, unit, rules))
        there = tuple(one for one in stage.units if one is not unit)
        return replace(stage, phase=Phase.read("F1930R"), units=there, dislodged=(lost,)), unit.power
    winter = replace(stage, phase=Phase.read(WINTER))
    if match := re.fullmatch(r"build [AF] (.+?)(?: \(.c\))?", line):
        code = next(code for code, one in stage.board.provinces.items() if one.name == match[1])
        return replace(winter, units=()), stage.board.home_of.get(code, power)
    if line.startswith(("remove ", "waive")):
        return replace(winter, owners={}), power
    return stage, power


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer(ROOT / "templates")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_order_on_a_page_can_be_given_by_these_rules(preset: str, printer: Printer) -> None:
    powers = [key for key, one in started(preset).running.board.powers.items() if not one.minor]
    wrong = {}
    for power in powers[:: max(1, len(powers) // 3)]:
        reader = Readers(preset, power)
        seen = set()
        for page, line in reader.orders(printer):
            seen.add(page)
            if fault := order_fault(line, reader.lesson.stage, power, reader.rules):
                wrong[power, page, line] = fault
        assert {"move", "orders", "build"} <= seen
    assert not wrong, wrong


def said(reader: Readers, printer: Printer, topic: str) -> str:
    return " ".join(leaf.text for leaf in reader.leaves(printer, topic))


def test_what_pages_say_of_the_rules_of_1958(printer: Printer) -> None:
    """Whatever a page says of cutting, winning, raising, passing and retreating is what these rules answer."""
    france, russia = Readers("1958", "FRANCE"), Readers("1958", "RUSSIA")
    assert "your own too" in said(france, printer, "support")
    assert "18 units on the board" in said(france, printer, "ending")
    assert not any(leaf.line.startswith("set victory") for leaf in france.leaves(printer, "ending"))
    assert "France may now raise F Brest or A Paris, as many as are due" in said(france, printer, "build")
    assert "that are empty" not in said(france, printer, "build")
    assert "F Sevastopol" in said(russia, printer, "build") and "St. Petersburg (sc)" in said(russia, printer, "build")
    assert "pass each other" in said(france, printer, "move") and "carried" not in said(france, printer, "move")
    assert "may stand together" in said(france, printer, "retreat")


def test_and_of_those_of_1976(printer: Printer) -> None:
    france = Readers("standard", "FRANCE")
    assert "unless that drives the supporter out" in said(france, printer, "support")
    assert "more than half of the centres" in said(france, printer, "ending")
    assert "that are empty" in said(france, printer, "build") and "may now raise" not in said(france, printer, "build")
    assert "unless an army is carried" in said(france, printer, "move")
    assert "stand together" not in said(france, printer, "retreat")

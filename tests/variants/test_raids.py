"""Raids: a kind of order of its own, armies that ride on fleets, and what that costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import pytest

from judge.adjudicate import Adjudication, adjudicate
from judge.adjudicate.legality import legality
from judge.board.position import Position
from judge.orders.model import Order
from judge.orders.reader import looks_like_order, read_line
from tests.variants.raids import SYSTEM, Plunder
from tests.variants.rule_systems import enter

Make = Callable[..., Position]
RULES = SYSTEM.rules


@pytest.fixture(autouse=True)
def _joined(monkeypatch: pytest.MonkeyPatch) -> None:
    enter(monkeypatch)


def on(position: Position, silver: int = 2) -> Position:
    purse = MappingProxyType({"silver": silver})
    board = RULES.board(position.board)
    return replace(position, board=board, accounts=MappingProxyType(dict.fromkeys(board.powers, purse)))


def played(position: Position, *lines: str) -> Adjudication:
    """Each line is "FRANCE A Par - Bur"."""
    orders: list[Order] = []
    for line in lines:
        power, _, text = line.partition(" ")
        orders += [reading.order for reading in read_line(text, position, power) if reading.order is not None]
    return adjudicate(position, orders, RULES)


def test_an_army_sails_for_a_piece_of_silver(position: Make) -> None:
    sailed = played(on(position("france  A BRE, F BRE")), "FRANCE A Bre aboard F Bre", "FRANCE F Bre - Eng").after
    assert [str(unit) for unit in sailed.units] == ["A ENG", "F ENG"]
    assert sailed.accounts["FRANCE"]["silver"] == 1
    assert played(sailed).after.accounts["FRANCE"]["silver"] == 1, "to stay aboard costs nothing"


def test_who_cannot_pay_stays_ashore(position: Make) -> None:
    before = on(position("france  A BRE, F BRE"), silver=0)
    after = played(before, "FRANCE A Bre aboard F Bre", "FRANCE F Bre - Eng").after
    assert {str(unit): unit.aboard for unit in after.units} == {"A BRE": 0, "F ENG": 0}


def test_a_foreign_centre_is_plundered(position: Make) -> None:
    before = on(position("france  A MUN", "owns germany MUN"))
    (outcome, *_) = (result := played(before, "FRANCE army Munich plunders")).outcomes
    assert (str(outcome.order), outcome.reason) == ("A MUN PLUNDER", "plundered")
    assert result.after.accounts["FRANCE"]["silver"] == 4
    assert result.after.accounts["GERMANY"]["silver"] == 2


def test_whoever_is_driven_out_brings_nothing(position: Make) -> None:
    before = on(position("france  A MUN", "germany  A BER, A KIE", "owns germany MUN"))
    lines = ("FRANCE A Mun PLUNDER", "GERMANY A Ber - Mun", "GERMANY A Kie S A Ber - Mun")
    result = played(before, *lines)
    assert [str(each.unit) for each in result.after.dislodged] == ["A MUN"]
    assert result.after.accounts["FRANCE"]["silver"] == 2


@pytest.mark.parametrize("owner", ["france", ""])
def test_no_other_place_is(position: Make, owner: str) -> None:
    before = on(position("france  A MUN", *([f"owns {owner} MUN"] if owner else [])))
    wrong = legality(Plunder(before.units[0]), before, RULES)
    assert wrong is not None
    assert wrong.reason == "nothing-to-plunder"


def test_its_lines_are_no_chatter(position: Make) -> None:
    board = on(position("france  A MUN")).board
    assert looks_like_order("A Mun plunders", board)
    assert not looks_like_order("I will plunder your house", board)

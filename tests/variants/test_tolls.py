"""Tolls: what an attack costs hangs on the battle, and the battle on who has paid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from judge.adjudicate import Adjudication, adjudicate
from judge.board.position import Position
from judge.orders.model import Order
from judge.orders.reader import read_line
from judge.variants import rules_for

Make = Callable[..., Position]

RULES = rules_for("tolls")


def played(position: Position, crowns: dict[str, int], *lines: str) -> Adjudication:
    """Each line is "FRANCE A Par - Bur"."""
    purses = MappingProxyType({power: MappingProxyType({"crowns": number}) for power, number in crowns.items()})
    rich = replace(position, accounts=purses)
    orders: list[Order] = []
    for line in lines:
        power, _, text = line.partition(" ")
        orders += [reading.order for reading in read_line(text, rich, power) if reading.order is not None]
    return adjudicate(rich, orders, RULES)


ATTACK = ("FRANCE A Par - Bur", "FRANCE A Gas S A Par - Bur")


def test_an_attack_and_its_support_are_paid(position: Make) -> None:
    result = played(position("france  A PAR, A GAS", "germany  A BUR"), {"FRANCE": 2}, *ATTACK)
    assert [str(each.unit) for each in result.after.dislodged] == ["A BUR"]
    assert result.after.accounts["FRANCE"]["crowns"] == 0


def test_a_support_for_which_nothing_is_left_does_not_count(position: Make) -> None:
    result = played(position("france  A PAR, A GAS", "germany  A BUR"), {"FRANCE": 1}, *ATTACK)
    assert result.after.dislodged == ()
    assert [outcome.reason for outcome in result.outcomes] == ["held", "not-paid", "no-order"]
    assert result.after.accounts["FRANCE"]["crowns"] == 0, "the attack itself was paid"


def test_whoever_has_nothing_attacks_nobody_and_pays_nothing(position: Make) -> None:
    result = played(position("france  A PAR, A GAS", "germany  A BUR"), {"FRANCE": 0}, *ATTACK)
    assert result.after.dislodged == ()
    assert result.after.accounts["FRANCE"]["crowns"] == 0


def test_an_attack_that_meets_nobody_costs_nothing(position: Make) -> None:
    before = position("france  A PAR, A GAS", "germany  A BUR")
    result = played(before, {"FRANCE": 2}, *ATTACK, "GERMANY A Bur - Mun")
    assert result.after.accounts["FRANCE"]["crowns"] == 2


def test_one_that_cannot_pay_leaves_a_place_to_another(position: Make) -> None:
    """Two attack each other's neighbour: where the first has no strength, its rival is kept out by nobody."""
    before = position("france  A PAR, A GAS", "germany  A BUR", "italy  A MUN, A RUH")
    lines = (*ATTACK, "ITALY A Mun - Bur", "ITALY A Ruh S A Mun - Bur")
    assert played(before, {"FRANCE": 2, "ITALY": 2}, *lines).after.dislodged == ()
    assert [str(each.unit) for each in played(before, {"FRANCE": 0, "ITALY": 2}, *lines).after.dislodged] == ["A BUR"]

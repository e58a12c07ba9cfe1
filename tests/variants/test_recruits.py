"""Recruits: units drill through the first spring after they are built."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge.adjudicate import adjudicate
from judge.adjudicate.legality import legality
from judge.board.position import Position
from judge.orders.model import Order
from judge.orders.reader import read_line
from judge.variants import rules_for

Make = Callable[..., Position]

RULES = rules_for("recruits")
WINTER = ("france  A GAS, F MAO", "owns france PAR SPA POR BRE", "germany  A BUR, A PIC", "owns germany MUN KIE")


def read(position: Position, power: str, *lines: str) -> list[Order]:
    return [one.order for line in lines for one in read_line(line, position, power) if one.order is not None]


@pytest.fixture
def spring(position: Make) -> Position:
    """The spring after France has built an army in Paris."""
    winter = position(*WINTER, phase="W1901A")
    return adjudicate(winter, read(winter, "FRANCE", "Build A Par"), RULES).after


@pytest.mark.parametrize("line", ["A Par - Gas", "A Par S A Gas - Bur", "A Par S A Gas - Bre"])
def test_a_recruit_goes_nowhere_and_supports_nobody(spring: Position, line: str) -> None:
    (order,) = read(spring, "FRANCE", line)
    wrong = legality(order, spring, RULES)
    assert wrong is not None
    assert (wrong.reason, wrong.meaning) == ("recruit", "units drill through the first spring after they are built")


def test_no_order_is_awaited_for_it_and_all_are_told(spring: Position) -> None:
    assert [str(unit) for unit in RULES.asked(spring, "FRANCE")] == ["A GAS", "F MAO"]
    (block,) = RULES.desk(spring)
    assert (block.title, block.lines) == ("Recruits", ("A PAR",))


def test_it_holds_with_support(spring: Position) -> None:
    orders = read(spring, "FRANCE", "A Gas S A Par") + read(spring, "GERMANY", "A Bur - Par", "A Pic S A Bur - Par")
    assert adjudicate(spring, orders, RULES).after.dislodged == ()


def test_one_that_is_dislodged_retreats_and_is_no_recruit_afterwards(spring: Position) -> None:
    orders = read(spring, "GERMANY", "A Bur - Par", "A Pic S A Bur - Par")
    retreats = adjudicate(spring, orders, RULES).after
    assert [str(each.unit) for each in retreats.dislodged] == ["A PAR"]
    fall = adjudicate(retreats, read(retreats, "FRANCE", "A Par - Bre"), RULES).after
    (unit,) = fall.at("BRE")
    assert unit.marks == ()


def test_the_drill_is_over_in_the_fall(spring: Position) -> None:
    fall = adjudicate(adjudicate(spring, (), RULES).after, (), RULES).after
    (order,) = read(fall, "FRANCE", "A Par - Bre")
    assert legality(order, fall, RULES) is None
    assert RULES.desk(fall) == ()

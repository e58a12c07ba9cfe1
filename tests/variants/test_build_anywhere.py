"""Build Anywhere: units are raised in any vacant centre that their power owns."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge.adjudicate import Result, adjudicate
from judge.adjudicate.duty import duty
from judge.adjudicate.legality import legality
from judge.board.position import Position
from judge.orders.model import Build
from judge.orders.reader import read_line
from judge.rules import RULES_1976
from judge.variants import rules_for

Make = Callable[..., Position]

RULES = rules_for("build-anywhere")
WINTER = ("france  A GAS, F MAO", "owns france PAR SPA POR BRE", "germany  A BRE")


def test_it_offers_every_vacant_centre_of_its_power(position: Make) -> None:
    due = duty(position(*WINTER, phase="W1901A"), "FRANCE", RULES)
    assert due.builds == 2
    assert {place for _, place in due.sites} == {"PAR", "SPA", "SPA/NC", "SPA/SC", "POR"}


def test_1976_offers_home_centres_only(position: Make) -> None:
    due = duty(position(*WINTER, phase="W1901A"), "FRANCE", RULES_1976)
    assert {place for _, place in due.sites} == {"PAR"}


def test_units_are_built_abroad(position: Make) -> None:
    winter = position(*WINTER, phase="W1901A")
    orders = [
        reading.order
        for line in ("Build F Spa/sc", "build a por")
        for reading in read_line(line, winter, "FRANCE")
        if reading.order is not None
    ]
    after = adjudicate(winter, orders, RULES).after
    assert {"F SPA/SC", "A POR"} <= {str(unit) for unit in after.of("FRANCE")}


@pytest.mark.parametrize(
    ("at", "reason", "sentence"),
    [
        ("MUN", "not-an-own-centre", "units are built in supply centres that their power owns"),
        ("GAS", "not-an-own-centre", "units are built in supply centres that their power owns"),
        ("BRE", "home-occupied", "the centre is occupied"),
    ],
)
def test_what_is_refused_says_why(position: Make, at: str, reason: str, sentence: str) -> None:
    wrong = legality(Build("FRANCE", "A", at), position(*WINTER, phase="W1901A"), RULES)
    assert wrong is not None
    assert (wrong.reason, wrong.meaning) == (reason, sentence)


def test_builds_that_nobody_orders_lapse_and_nothing_else_changes(position: Make) -> None:
    winter = position(*WINTER, phase="W1901A")
    result = adjudicate(winter, (), RULES)
    assert [each.reason for each in result.outcomes if each.results == (Result.OK,)] == ["unused", "unused"]
    assert result.after.of("FRANCE") == winter.of("FRANCE")

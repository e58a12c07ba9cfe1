"""The register: games that begin get an entry and a number, and the custodian hears of starts and ends, once each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from judge.store.zines import ZineGameRow
from judge.testing.casting import seat_everybody
from judge.testing.local import LocalJudge
from judge.zine.numbers import read_number
from judge.zine.register import keep_register, keep_rule, rule_of, with_designator
from tests.zine.played import GUNBOAT, QUICK, play, player

CUSTODIAN = "custodian@numbers.test"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LocalJudge]:
    under_test = LocalJudge(tmp_path)
    under_test.begin()
    yield under_test
    under_test.stop()


def kept(stage: LocalJudge) -> dict[str, ZineGameRow]:
    """The register, brought up to date."""
    with stage.judge.store.write() as unit:
        keep_register(stage.judge, unit, stage.now)
    stage.settle()
    with stage.judge.store.read() as view:
        return {row.key: row for row in view.zines.games()}


def set_rule(stage: LocalJudge, start: str, custodian: str = "") -> None:
    with stage.judge.store.write() as unit:
        keep_rule(unit, replace(rule_of(unit).starting(read_number(start)), custodian=custodian))


def told(stage: LocalJudge) -> list[str]:
    return [letter.subject for letter in stage.inbox(CUSTODIAN)]


def test_public_games_get_numbers_in_the_order_of_their_starts(stage: LocalJudge) -> None:
    seat_everybody(stage, "zeta", QUICK)
    seat_everybody(stage, "secluded", {**QUICK, "listed": "no"})
    seat_everybody(stage, "verdun", GUNBOAT)
    set_rule(stage, "1901AB")
    register = kept(stage)
    assert {key: row.number for key, row in register.items()} == {"zeta": "1901AB", "verdun": "1901Arb32"}
    assert kept(stage) == register


def test_a_number_that_another_custodian_gave_stays_and_is_given_to_nobody_else(stage: LocalJudge) -> None:
    seat_everybody(stage, "zeta", QUICK)
    with stage.judge.store.write() as unit:
        unit.zines.put_game(ZineGameRow("hero", "HERO", "1901A", True, "running", "", None, None, stage.now))
        unit.zines.put_game(ZineGameRow("zeta", "ZETA", "1899HZ", False, "", "", None, None, stage.now))
    seat_everybody(stage, "other", QUICK)
    numbers = {key: row.number for key, row in kept(stage).items()}
    assert numbers == {"hero": "1901A", "zeta": "1899HZ", "other": "1901B"}


def test_the_custodian_hears_of_start_and_end_once_each(stage: LocalJudge) -> None:
    set_rule(stage, "1901AB", CUSTODIAN)
    seat_everybody(stage, "zeta", {**QUICK, "end_after": "F1901"}, who=player)
    kept(stage)
    stage.send("gm@players.test", "set dias no", subject="zeta")
    play(stage, "zeta", 5, Random(1))
    kept(stage)
    kept(stage)
    assert told(stage) == ["ZETA (1901AB) has begun", "ZETA (1901AB) is over"]
    end = stage.inbox(CUSTODIAN)[-1].text
    assert "It is irregular: while it was played these settings were changed: dias." in " ".join(end.split())
    assert "France" in end and "Gina Master" in end


def test_the_custodian_of_a_game_without_names_hears_none(stage: LocalJudge) -> None:
    set_rule(stage, "1901A", CUSTODIAN)
    seat_everybody(stage, "verdun", GUNBOAT, who=player)
    kept(stage)
    (letter,) = stage.inbox(CUSTODIAN)
    assert "played without names" in letter.text
    assert "Player " not in letter.text and "hidden.test" not in letter.text


def test_a_variant_waits_for_its_place_in_the_catalogue(stage: LocalJudge) -> None:
    seat_everybody(stage, "odd", {**QUICK, "unplayed": "Italy"})
    register = kept(stage)
    assert register["odd"].number is None
    with stage.judge.store.write() as unit:
        unit.zines.put_game(with_designator(register["odd"], "RB09"))
    assert kept(stage)["odd"].number == "1901Arb09"
    assert json.loads(kept(stage)["odd"].facts)["designator"] == "rb09"

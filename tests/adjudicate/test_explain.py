"""Every outcome in one plain sentence, with its numbers, its culprits and its clause."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.adjudicate import Adjudication, adjudicate
from judge.adjudicate.explain import explain_all
from judge.board.position import Position
from judge.rules.reasons import REASONS
from tests.support.archipelago import board_named
from tests.support.cases import position_of, read_file, read_order, rules_named

Make = Callable[..., Position]
Play = Callable[..., Adjudication]
CASES = Path(__file__).parents[1] / "cases"


@pytest.mark.parametrize(
    ("lines", "orders", "sentence"),
    [
        (
            ["germany  A RUH, A MUN", "england  A BEL, F HOL"],
            ["A RUH - BEL", "A MUN S A RUH - BEL", "A BEL H", "F HOL S A BEL"],
            "A Ruhr - Belgium failed: 1 against 2, Belgium was held by A Belgium supported by F Holland (IX.2).",
        ),
        (
            ["austria  A VIE", "italy  A VEN, A PIE"],
            ["A VIE - TYR", "A VEN - TYR", "A PIE S A VEN - TYR"],
            "A Vienna - Tyrolia failed: 1 against 2, Tyrolia was also wanted by A Venice supported by A Piedmont "
            "(VIII).",
        ),
        (
            ["austria  A VIE", "italy  A TYR"],
            ["A VIE - TYR", "A TYR - VIE"],
            "A Vienna - Tyrolia failed: 1 against 1, A Tyrolia came the other way (VIII).",
        ),
        (
            ["austria  A VIE, A BUD", "russia  A GAL"],
            ["A VIE - BUD", "A BUD - GAL", "A GAL H"],
            "A Vienna - Budapest failed: A Budapest did not leave, and is of the same country (IX.3).",
        ),
        (
            ["austria  A VIE", "italy  A BUD", "russia  A GAL"],
            ["A VIE - BUD", "A BUD - GAL", "A GAL H"],
            "A Vienna - Budapest failed: 1 against 1, A Budapest did not get away (VIII).",
        ),
        (
            ["austria  A BOH", "germany  A MUN, A SIL", "france  A BUR"],
            ["A BOH - MUN", "A SIL S A BOH - MUN", "A MUN - BUR", "A BUR H"],
            "A Bohemia - Munich failed: 1 against 1, because support from its own country does not count against "
            "A Munich (IX.3).",
        ),
        (
            ["germany  A SIL, A PRU", "russia  A WAR, A BOH"],
            ["A SIL S A PRU - WAR", "A PRU - WAR", "A WAR H", "A BOH - SIL"],
            "A Silesia S A Prussia - Warsaw was cut: A Bohemia did so by attacking it (X).",
        ),
        (
            ["france  F LYO, A SPA, F TYS", "italy  F ION, F TUN"],
            ["A SPA - NAP", "F LYO C A SPA - NAP", "F TYS C A SPA - NAP", "F ION - TYS", "F TUN S F ION - TYS"],
            "A Spain - Naples failed: the convoy was broken by F Ionian Sea (XII.3).",
        ),
        (
            ["france  A PAR"],
            ["A PAR - MOS"],
            "A Paris - Moscow was not possible: an army cannot go from Paris to Moscow (VII.1).",
        ),
        (
            ["france  A PAR, A BUR"],
            ["A PAR S A BUR - PIC", "A BUR H"],
            "A Paris S A Burgundy - Picardy had no effect: the other unit was not ordered to make this move (IX.1).",
        ),
        (["france  A PAR"], ["A PAR - PIC"], "A Paris moved to Picardy."),
        (["france  A PAR"], [], "A Paris had no order and stood."),
    ],
)
def test_a_sentence_for_each_kind_of_end(
    position: Make, played: Play, lines: list[str], orders: list[str], sentence: str
) -> None:
    result = played(position(*lines), *orders)
    said = explain_all(result)
    subject = orders[0][:5] if orders else "A PAR"
    place = next(n for n, outcome in enumerate(result.outcomes) if str(outcome.order).startswith(subject))
    assert said[place] == sentence


def test_a_dislodged_unit_hears_by_whom_and_where_it_may_go(position: Make, played: Play) -> None:
    result = played(position("france  A BUR", "germany  A MUN, A RUH"),
                    "A BUR H", "A MUN - BUR", "A RUH S A MUN - BUR")  # fmt: skip
    assert explain_all(result)[0] == (
        "A Burgundy was to stand and was driven out: 1 against 2 (IX.2). It was dislodged by A Munich and may retreat "
        "to Belgium, Gascony, Marseilles, Paris, Picardy."
    )


def test_every_outcome_of_every_case_has_a_listed_reason_and_a_sentence() -> None:
    met = set()
    for path in sorted(CASES.rglob("*.case")):
        case = read_file(path)
        for name, stages in case.stages.items():
            position = position_of(case, board_named(case.board))
            for lines in stages:
                orders = [read_order(line.text, position, line.power) for line in lines if line.given]
                result = adjudicate(position, orders, rules_named(name), disorder=case.disorder)
                for outcome, sentence in zip(result.outcomes, explain_all(result), strict=True):
                    assert outcome.reason in REASONS
                    assert outcome.clause == REASONS[outcome.reason].clause
                    assert sentence[0].isupper()
                    assert sentence.endswith(".")
                    assert "  " not in sentence
                    met.add(outcome.reason)
                position = result.after
    assert len(met) > 45

"""The results of the sample game as its report tells them: every order with its end, and why."""

from __future__ import annotations

import pytest

from judge.adjudicate.outcome import End, Outcome, Result
from judge.board.model import Board
from judge.board.position import position_from_json
from judge.board.unit import Unit
from judge.game.core.events import PhaseAdjudicated
from judge.history import OrderResult, played_phase
from judge.orders.model import Disband, Hold, Move, Order, Retreat, Support
from judge.orders.reader import read_orders
from judge.report.core.letter import Kind, Letter
from judge.report.mailing import letters_for
from judge.report.played.results import Causes, results_of
from tests.report.conftest import read, spoken
from tests.support.builders import Table, cast_of


def results_letter(table: Table, seat: str) -> Letter:
    letters = letters_for(table.before, table.last, table.game, cast_of())
    return next(read(one) for one in letters if one.kind is Kind.RESULTS and one.seat == seat)


def lines_of(letter: Letter, power: str, phase: int = 0) -> dict[str, tuple[bool, str]]:
    """Order -> (failed, cause) of one power."""
    block = next(block for block in letter.view["results"][phase]["blocks"] if block["key"] == power)
    return {line["order"]: (line["failed"], line["cause"].replace("\xa0", " ")) for line in block["lines"]}


def test_every_order_of_a_power_stands_with_its_end_and_its_cause(fall_1902: Table) -> None:
    letter = results_letter(fall_1902, "3")
    assert lines_of(letter, "FRANCE") == {
        "A Burgundy - Belgium": (True, "failed; DISLODGED by German A Ruhr (3 against 1)"),
        "F Picardy S A Burgundy - Belgium": (False, "given, not enough"),
        "A Spain S F Marseilles": (False, ""),
        "F Marseilles S A Spain": (True, "cut by Italian A Piedmont"),
    }
    assert lines_of(letter, "ENGLAND")["A Norway - St Petersburg"] == (False, "ok, 2 against 1")


def test_a_unit_that_cannot_retreat_is_said_to_be_lost(fall_1902: Table) -> None:
    letter = results_letter(fall_1902, "3")
    lost = lines_of(letter, "RUSSIA")["F Rumania S A Sevastopol"]
    assert lost == (True, "cut; DISLODGED by Turkish A Bulgaria (3 against 1); disbanded")
    assert letter.view["retreats"] == [
        "French A Burgundy: Gascony, Paris.",
        "Russian A St Petersburg: Finland, Livonia, Moscow.",
        "Russian F Rumania has no retreat and is disbanded.",
    ]


def test_the_chart_shows_what_will_be_if_retreats_change_nothing(fall_1902: Table) -> None:
    chart = results_letter(fall_1902, "3").view["chart"]
    assert chart["title"] == "CENTRES IF NOTHING CHANGES IN RETREATS (was)"
    rows = {row["key"]: (row["now"], row["was"], row["mark"]) for row in chart["rows"]}
    assert rows == {
        "AUSTRIA": (5, 4, "+"),
        "ENGLAND": (5, 4, "+"),
        "FRANCE": (5, 4, "+"),
        "GERMANY": (6, 5, "+"),
        "ITALY": (4, 4, ""),
        "RUSSIA": (4, 6, "--"),
        "TURKEY": (5, 4, "+"),
    }


def test_your_desk_comes_with_the_task_its_deadline_and_a_form(fall_1902: Table) -> None:
    desk = results_letter(fall_1902, "3").view["desk"]
    assert desk["title"] == "YOUR TASKS, FRANCE"
    assert desk["tasks"][0]["text"].replace("\xa0", " ") == "A Burgundy must retreat: Gascony, Paris - or disband"
    assert desk["tasks"][1] == {
        "label": "then",
        "text": "you build 1 to 2, by the same deadline, depending on your retreats",
    }
    assert desk["form"] == ["A Burgundy - ______", "BUILD ______", "BUILD ______"]
    assert desk["example"] == "A Burgundy - Gascony"


def test_who_has_nothing_to_do_is_told_so(fall_1902: Table) -> None:
    desk = results_letter(fall_1902, "5").view["desk"]
    assert [task["label"] for task in desk["tasks"]] == ["nothing"]
    assert desk["form"] == []
    assert desk["todo"].startswith("nothing due")


def test_a_phase_with_nothing_to_do_is_one_line(table: Table) -> None:
    table.process()
    blocks = results_letter(table, "1").view["results"]
    assert [(block["title"], block["said"]) for block in blocks] == [
        ("Spring 1901 moves", ""),
        ("Spring 1901 retreats", "Nothing happened."),
    ]


def test_powers_that_sent_nothing_are_named(table: Table) -> None:
    table.orders("FRANCE", "A Par H", "A Mar H", "F Bre H")
    table.process()
    letter = results_letter(table, "3")
    assert "France" not in letter.view["results"][0]["missing"]
    assert len(letter.view["results"][0]["missing"]) == 6
    assert lines_of(letter, "ITALY")["A Rome H"] == (False, "no order")


def test_the_results_of_a_phase_read_back_as_the_orders_that_were_given(fall_1902: Table) -> None:
    """What the report prints can be pasted back."""
    event = next(event for event in fall_1902.last if isinstance(event, PhaseAdjudicated))
    board: Board = fall_1902.game.board
    before = position_from_json(event.before, board)
    for block in results_of(event, fall_1902.game).blocks:
        given = {str(o.order) for o in played_phase(event, board).results if o.power == block.key}
        text = "\n".join(f"({line.order})" if line.failed else line.order for line in block.lines)
        read = {str(reading.order) for reading in read_orders(text, before, block.key)}
        assert read == given


MUNICH = Unit(1, "A", "MUN", "GERMANY")
BERLIN = Unit(2, "A", "BER", "GERMANY")
PARIS = Unit(3, "A", "PAR", "FRANCE")


def ended(order: Order, *results: str, reason: str, by: tuple[Unit, ...] = ()) -> OrderResult:
    return OrderResult(Outcome((order, End(tuple(map(Result, results)), reason, by))))


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (ended(Hold(MUNICH), "ok", reason="stood"), ""),
        (ended(Hold(MUNICH), "ok", reason="no-order"), "no order"),
        (ended(Move(MUNICH, "BUR"), "bounced", reason="stood-off", by=(PARIS,)), "bounced with French A Paris"),
        (
            ended(Move(MUNICH, "BER"), "bounced", reason="own-unit", by=(BERLIN,)),
            "failed: German A Berlin did not leave",
        ),
        (
            ended(Move(MUNICH, "BER"), "bounced", reason="not-vacated", by=(BERLIN,)),
            "failed: German A Berlin did not leave",
        ),
        (
            ended(Support(MUNICH, BERLIN, "KIE"), "void", reason="supported-move-not-ordered"),
            "no effect: the other unit was not ordered to make this move",
        ),
        (
            ended(Move(MUNICH, "ROM"), "illegal", reason="cannot-go-there"),
            "impossible: an army cannot go from Munich to Rome",
        ),
        (ended(Hold(MUNICH), "dislodged", reason="stood"), "DISLODGED"),
        (ended(Retreat(MUNICH, "TYR"), "disbanded", reason="retreats-collided"),
         "disbanded: another unit was ordered to retreat to the same space"),
        (ended(Disband(MUNICH), "ok", "disbanded", reason="removed-in-disorder"),
         "no order; the farthest from home"),
        (ended(Move(MUNICH, "BUR"), "bounced", reason="a-new-slug"), "failed: a new slug"),
    ],
)  # fmt: skip
def test_the_words_for_one_outcome(table: Table, result: OrderResult, words: str) -> None:
    said = Causes([result], table.game.board).of(result)
    assert spoken(said).replace("\xa0", " ") == words


def test_a_game_may_ask_for_sentences(fall_1902: Table) -> None:
    event = next(event for event in fall_1902.last if isinstance(event, PhaseAdjudicated))
    board = fall_1902.game.board
    assert results_of(event, fall_1902.game).explained == ()
    said = results_of(event, fall_1902.game, explain=True).explained
    failed = [o for o in played_phase(event, board).results if o.results != (Result.OK,)]
    assert len(said) == len(failed)
    assert any("A Vienna - Galicia failed" in sentence for sentence in said)


def test_builds_under_the_deadline_of_the_retreats_are_asked_for_at_once(fall_1902: Table) -> None:
    """England has no retreat; its build is due with the retreats of others (one turn, two phases)."""
    desk = results_letter(fall_1902, "2").view["desk"]
    assert [task["label"] for task in desk["tasks"]] == ["build"]
    assert desk["form"] == ["BUILD ______"]
    assert desk["example"] == "", "a copied WAIVE is a lost build"
    assert desk["todo"].startswith("build 1 by ")

"""Small positions of 1958 and 1914, lowered by hand: the acts can say them, and the solver decides them rightly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.adjudicate.bout import NO, YES, Bout, Company
from judge.adjudicate.jsonl import adjudicate_object
from judge.adjudicate.movement import solved
from judge.board.chart import compile_board
from judge.board.load import load_board
from judge.board.position import Position
from judge.rules import RULES_1976
from judge.variants import rules_for

Make = Callable[..., Position]


class Hand:
    """A bout lowered by hand: moves("A BOH", "MUN"), supports("A TYR", "A BOH", "MUN")."""

    def __init__(self, position: Position) -> None:
        self.names = {str(unit): number for number, unit in enumerate(position.units)}
        self.chart = compile_board(position.board, "S")
        self.bout = Bout(position, RULES_1976)

    def moves(self, unit: int | str, to: str) -> None:
        self.bout.enter(self.number(unit), self.chart.space[to], to)

    def supports(self, unit: str, other: int | str, into: str) -> None:
        self.bout.back(self.names[unit], self.number(other), self.chart.space[into])

    def number(self, unit: int | str) -> int:
        return self.names[unit] if isinstance(unit, str) else unit


@pytest.fixture
def stack(position: Make) -> Hand:
    """Two German armies in Berlin (units 0 and 1), the first of them the guard; Russians around it."""
    hand = Hand(position("germany  A BER, A BER, A KIE", "russia  A PRU, A SIL"))
    berlin = hand.chart.space["BER"]
    hand.bout.guard(berlin, 0)
    hand.bout.company = Company(crowd={berlin: (0, 1)})
    return hand


def test_a_stack_defends_as_one_unit_and_is_dislodged_as_a_whole(stack: Hand) -> None:
    stack.moves("A PRU", "BER")
    stack.supports("A SIL", "A PRU", "BER")
    attacker = stack.number("A PRU")
    assert solved(stack.bout).dislodgements() == {0: attacker, 1: attacker}


def test_the_guard_may_be_supported(stack: Hand) -> None:
    stack.moves("A PRU", "BER")
    stack.supports("A SIL", "A PRU", "BER")
    stack.supports("A KIE", 0, "BER")
    assert solved(stack.bout).dislodgements() == {}


def test_a_stack_of_which_one_unit_stays_keeps_its_space(stack: Hand) -> None:
    stack.moves(1, "MUN")
    stack.moves("A PRU", "BER")
    solver = solved(stack.bout)
    assert (solver.fate[1], solver.fate[stack.number("A PRU")]) == (YES, NO)


def test_a_stack_that_left_leaves_its_space_open(stack: Hand) -> None:
    stack.moves(0, "MUN")
    stack.moves(1, "PRU")
    stack.moves("A PRU", "LVN")
    stack.moves("A SIL", "BER")
    solver = solved(stack.bout)
    assert [solver.fate[each] for each in stack.bout.moving()] == [YES, YES, YES, YES]


def test_of_a_stack_that_was_to_leave_the_rest_is_dislodged(stack: Hand) -> None:
    stack.moves(0, "MUN")
    stack.moves(1, "KIE")
    stack.moves("A SIL", "BER")
    stack.supports("A PRU", "A SIL", "BER")
    assert solved(stack.bout).dislodgements() == {1: stack.number("A SIL")}


def test_a_fleet_moves_in_to_take_an_army_on_board(position: Make) -> None:
    hand = Hand(position("england  A BEL, F NTH"))
    hand.moves("F NTH", "BEL")
    barred = solved(hand.bout)
    assert barred.fate[1] == NO
    hand.bout.company = Company(joins={1: (0,)})
    picked_up = solved(hand.bout)
    assert picked_up.fate[1] == YES
    assert picked_up.dislodgements() == {}


def test_rail_gives_way_to_everybody_and_bars_nobody(position: Make) -> None:
    hand = Hand(position("germany  A BER", "russia  A WAR"))
    hand.moves("A BER", "SIL")
    hand.moves("A WAR", "SIL")
    hand.bout.company = Company(meek=frozenset({0}))
    assert solved(hand.bout).fate == [NO, YES]


def test_rail_that_is_stopped_defends_where_it_stands(position: Make) -> None:
    hand = Hand(position("germany  A BER", "russia  A WAR, A PRU"))
    hand.moves("A BER", "SIL")
    hand.moves("A WAR", "SIL")
    hand.moves("A PRU", "BER")
    hand.bout.company = Company(meek=frozenset({0}))
    assert solved(hand.bout).fate == [NO, YES, NO]


def test_rail_cuts_no_support(position: Make) -> None:
    hand = Hand(position("germany  A MUN, A TYR", "france  A BUR", "italy  A VEN, A PIE"))
    hand.moves("A VEN", "TYR")
    hand.supports("A PIE", "A VEN", "TYR")
    hand.moves("A BUR", "PIE")
    hand.bout.company = Company(meek=frozenset({hand.number("A BUR")}))
    assert solved(hand.bout).fate[hand.number("A VEN")] == YES


def test_a_unit_without_pay_has_no_strength(position: Make) -> None:
    hand = Hand(position("germany  A BER, A SIL", "russia  A WAR"))
    hand.moves("A BER", "PRU")
    hand.moves("A WAR", "PRU")
    hand.bout.company = Company(unpaid=frozenset({0}))
    assert solved(hand.bout).fate[0] == NO
    assert solved(hand.bout).fate[2] == YES


def test_a_holder_without_pay_is_dislodged_by_one(position: Make) -> None:
    hand = Hand(position("germany  A BER", "russia  A PRU"))
    hand.moves("A PRU", "BER")
    hand.bout.company = Company(unpaid=frozenset({0}))
    assert solved(hand.bout).dislodgements() == {0: 1}


@pytest.mark.parametrize(("helper", "fate"), [("A VEN", YES), ("F NAP", NO)])
def test_a_fleet_needs_an_army_to_enter_a_foreign_centre(position: Make, helper: str, fate: int) -> None:
    hand = Hand(position("france  F TYS, A VEN, F NAP"))
    hand.moves("F TYS", "ROM")
    hand.supports(helper, "F TYS", "ROM")
    hand.bout.company = Company(needs_army=frozenset({0}))
    assert solved(hand.bout).fate[0] == fate


def test_a_support_for_any_of_several_is_for_the_one_that_does_what_is_supported() -> None:
    board = load_board(Path(__file__).resolve().parents[2] / "maps" / "calhamer1958")
    data = {
        "id": 1,
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR", "A PAR", "A GAS"], "GERMANY": ["A BUR"]},
        "orders": {"FRANCE": ["A PAR#2 - BUR", "A GAS S A PAR - BUR"]},
    }
    rules = rules_for("1958")
    told = adjudicate_object(data, rules.board(board), rules)["outcomes"]
    assert told["A PAR#2"]["result"] == ["ok"]
    assert told["A BUR"]["result"] == ["dislodged"]

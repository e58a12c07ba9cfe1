"""What is due, what a unit could do, and what cannot be followed: the questions asked before a deadline."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge.adjudicate import Adjudication
from judge.adjudicate.duty import can_reach, duties
from judge.adjudicate.explain import meaning
from judge.adjudicate.legality import legality
from judge.board.model import Board
from judge.board.position import Position, start_position
from judge.orders.model import Build, Disband, Hold, Retreat, Waive
from judge.rules import RULES_1976
from tests.support.cases import read_order
from tests.support.ways import legal_moves

Make = Callable[..., Position]
Play = Callable[..., Adjudication]


def test_in_a_movement_phase_every_unit_is_due(board: Board) -> None:
    due = duties(start_position(board), RULES_1976)
    assert {power: duty.count for power, duty in due.items()} == {
        **dict.fromkeys(["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "TURKEY"], 3),
        "RUSSIA": 4,
    }


def test_orders_missing_are_counted(board: Board) -> None:
    start = start_position(board)
    duty = duties(start, RULES_1976)["FRANCE"]
    orders = [Hold(duty.units[0]), Hold(duty.units[0]), *(Hold(unit) for unit in start.of("ITALY"))]
    assert duty.missing(orders) == 2


def test_in_a_retreat_phase_the_dislodged_units_are_due(position: Make, played: Play) -> None:
    after = played(position("france  A BUR", "germany  A MUN, A RUH"), "A MUN - BUR", "A RUH S A MUN - BUR").after
    due = duties(after, RULES_1976)
    assert due["FRANCE"].retreats == after.dislodged
    assert due["GERMANY"].nothing
    assert due["FRANCE"].missing([]) == 1
    assert due["FRANCE"].missing([Retreat(after.dislodged[0].unit, "PAR")]) == 0


def test_builds_are_due_where_there_is_room(position: Make) -> None:
    before = position("russia  A MOS", "owns russia MOS STP SEV BER", "germany  A SEV", phase="W1901A")
    duty = duties(before, RULES_1976)["RUSSIA"]
    assert (duty.builds, duty.waiting) == (1, 2)
    assert duty.sites == (("A", "STP"), ("F", "STP/NC"), ("F", "STP/SC"))
    assert duties(before, RULES_1976)["GERMANY"].removals == 1


def test_an_unused_build_lapses_unless_the_rules_want_it_waived(position: Make) -> None:
    before = position("france  A SPA", "owns france PAR BRE MAR", phase="W1901A")
    one = [Build("FRANCE", "A", "PAR")]
    assert duties(before, RULES_1976)["FRANCE"].missing(one) == 0
    strict = RULES_1976.with_choices({"waiving": "by-order"})
    assert duties(before, strict)["FRANCE"].missing(one) == 1
    assert duties(before, strict)["FRANCE"].missing([*one, Waive("FRANCE")]) == 0


def test_removals_missing_are_counted_by_unit(position: Make) -> None:
    before = position("france  A SPA, A POR, A PAR", "owns france PAR", phase="W1901A")
    duty = duties(before, RULES_1976)["FRANCE"]
    assert duty.removals == 2
    assert duty.missing([Disband(before.units[0]), Disband(before.units[0])]) == 1


def test_legal_moves_are_ones_own_way_and_where_fleets_could_carry(position: Make) -> None:
    before = position("england  A LON, F NTH, F SPA/SC", "france  F ENG")
    army, _, fleet = before.units[:3]
    assert {"WAL", "YOR", "BEL", "NWY", "BRE", "PIC"} <= set(legal_moves(before, army, RULES_1976))
    assert "TUN" not in legal_moves(before, army, RULES_1976)
    assert legal_moves(before, fleet, RULES_1976) == ("LYO", "MAO", "MAR", "POR", "WES")
    assert can_reach(before, fleet, "MAR")
    assert not can_reach(before, army, "BEL")


@pytest.mark.parametrize(
    ("lines", "order", "reason"),
    [
        (["austria  F GRE, A BUD"], "F GRE S A BUD - SER", "cannot-support-there"),
        (["austria  A TYR, F ROM"], "F ROM S A TYR - VEN", "cannot-support-there"),
        (["england  F LON, A PIC"], "A PIC S F LON - ENG", "cannot-support-there"),
        (["france  A LON, A BUR"], "A LON S A BUR - BEL", "cannot-support-there"),
        (["france  A PAR"], "A PAR - MOS", "cannot-go-there"),
        (["france  A PAR"], "A PAR - LON", "cannot-go-there"),
        (["france  A BRE"], "A BRE - LON", "no-fleets-to-carry"),
        (["france  F POR"], "F POR - SPA", "coast-missing"),
        (["italy  F ROM"], "F ROM - VEN", "cannot-go-there"),
        (["germany  F KIE, A DEN"], "F KIE C A DEN - HOL", "convoy-not-at-sea"),
        (["germany  F HEL, F DEN"], "F HEL C F DEN - HOL", "only-armies-are-convoyed"),
        (["germany  F HEL, A BUR, A DEN"], "F HEL C A BUR - HOL", "convoy-not-between-coasts"),
        (["turkey  F BLA, A RUM"], "F BLA S A RUM - ARM", "supporter-needed-for-convoy"),
        (["turkey  A SMY, A ANK"], "A SMY S A ANK - CON", ""),
        (["turkey  A SMY, A SER"], "A SMY S A SER - CON", "supported-unit-cannot-go-there"),
        (["france  F GAS"], "F GAS - SPA", ""),
        (["france  A PAR"], "A PAR - PIC", ""),
        (["france  A PAR, A MAR"], "A PAR S A MAR - BUR", ""),
        (["england  A LON, F NTH"], "F NTH C A LON - BEL", ""),
        (["england  A LON, F NTH, F HOL"], "F HOL S A LON - BEL", ""),
    ],
)
def test_an_order_that_cannot_be_followed_is_known_at_entry(
    position: Make, lines: list[str], order: str, reason: str
) -> None:
    before = position(*lines)
    found = legality(read_order(order, before), before, RULES_1976)
    assert (found.reason if found else "") == reason
    if found:
        assert found.clause


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("A PAR B", ""),
        ("F BRE B", "home-occupied"),
        ("F PAR B", "unit-cannot-stand-there"),
        ("A MUN B", "not-a-home-centre"),
        ("A MAR B", "home-not-owned"),
        ("A SPA D", "too-many-removals"),
        ("WAIVE", ""),
    ],
)
def test_a_build_that_cannot_be_followed_is_known_at_entry(position: Make, order: str, reason: str) -> None:
    before = position("france  A SPA, F BRE", "owns france PAR BRE SPA", "owns italy MAR", phase="W1901A")
    read = read_order(order, before, "FRANCE")
    found = legality(read, before, RULES_1976)
    assert (found.reason if found else "") == reason


def test_a_retreat_that_cannot_be_followed_is_known_at_entry(position: Make, played: Play) -> None:
    after = played(position("france  A BUR", "germany  A MUN, A RUH"), "A MUN - BUR", "A RUH S A MUN - BUR").after
    unit = after.dislodged[0].unit
    assert legality(Retreat(unit, "PAR"), after, RULES_1976) is None
    refused = legality(Retreat(unit, "MUN"), after, RULES_1976)
    assert refused is not None
    assert [str(unit) for unit in refused.by] == ["A MUN"]
    said = meaning(refused.order, refused.reason, after.board, after.phase.season)
    assert said == "the attacker came from there"

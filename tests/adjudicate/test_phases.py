"""The three kinds of phase as callers see them: positions in, positions and outcomes out."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from types import MappingProxyType

import pytest

from judge.adjudicate import Adjudication, Result, adjudicate
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position, position_from_json, position_to_json, start_position
from judge.board.unit import Dislodged, Unit
from judge.orders.model import Build, Disband, Hold, Misorder, Move, Order, Retreat, Support, Waive
from judge.rules import RULES_1976
from judge.variants import rules_for
from tests.support.cases import read_order

Make = Callable[..., Position]
Play = Callable[..., Adjudication]


def test_the_phase_goes_on_as_the_calendar_says(board: Board) -> None:
    result = adjudicate(start_position(board), [], RULES_1976)
    assert str(result.after.phase) == "S1901R"
    assert {outcome.reason for outcome in result.outcomes} == {"no-order"}
    assert all(isinstance(outcome.order, Hold) for outcome in result.outcomes)


def test_of_several_orders_for_a_unit_the_last_counts(position: Make, played: Play) -> None:
    result = played(position("france  A PAR"), "A PAR - BUR", "A PAR - PIC")
    assert [str(unit) for unit in result.after.units] == ["A PIC"]


SHEET = (
    "A PAR - BUR", "A MUN - BUR", "A RUH S A MUN - BUR", "A GAS S A PAR - BUR", "A BER H", "F KIE H",
    "F ENG C A LON - BRE", "F NTH C A LON - BRE", "A LON - BRE",
)  # fmt: skip


@pytest.mark.parametrize(("one", "other"), list(combinations(range(len(SHEET)), 2)))
def test_orders_may_come_in_any_sequence(position: Make, one: int, other: int) -> None:
    before = position("france  A PAR, A MUN, A RUH, A GAS, A BER, F KIE, F ENG, F NTH, A LON")
    orders = [read_order(line, before) for line in SHEET]
    mixed = list(orders)
    mixed[one], mixed[other] = orders[other], orders[one]
    assert adjudicate(before, mixed, RULES_1976) == adjudicate(before, orders, RULES_1976)
    del mixed[other]
    del orders[one]
    assert adjudicate(before, mixed, RULES_1976) == adjudicate(before, orders, RULES_1976)


def test_the_dislodged_come_in_the_order_of_the_units(position: Make, played: Play) -> None:
    result = played(position("france  A PAR, A BUR, A MUN, A BOH", "germany  A PIC, A TYR, A GAS, A SIL"),
                    "A BUR - PAR", "A MUN - TYR",
                    "A PIC - PAR", "A GAS S A PIC - PAR", "A TYR - BOH", "A SIL S A TYR - BOH")  # fmt: skip
    assert [str(each.unit) for each in result.after.dislodged] == ["A PAR", "A BOH"]
    result = played(position("germany  A PIC, A TYR, A GAS, A SIL", "france  A BOH, A PAR"),
                    "A PIC - PAR", "A GAS S A PIC - PAR", "A TYR - BOH", "A SIL S A TYR - BOH")  # fmt: skip
    assert [str(each.unit) for each in result.after.dislodged] == ["A BOH", "A PAR"]


def test_orders_of_units_that_are_not_there_are_our_mistake(position: Make) -> None:
    ghost = Unit(99, "A", "MUN", "GERMANY")
    with pytest.raises(ValueError, match="A MUN is no unit of this position"):
        adjudicate(position("france  A PAR"), [Hold(ghost)], RULES_1976)
    with pytest.raises(ValueError, match="A MUN is no unit of this position"):
        before = position("france  A PAR")
        adjudicate(before, [Support(before.units[0], ghost)], RULES_1976)


def test_units_that_stand_nowhere_on_the_board_are_our_mistake(board: Board) -> None:
    lost = Position(board, board.first_phase, (Unit(1, "A", "ATL", "FRANCE"),), MappingProxyType({}))
    with pytest.raises(ValueError, match="stands nowhere on the board"):
        adjudicate(lost, [], RULES_1976)


@pytest.mark.parametrize("phase", ["S1901M", "S1901R", "W1901A"])
def test_orders_of_another_kind_of_phase_are_our_mistake(position: Make, phase: str) -> None:
    before = position("france  A PAR", phase=phase)
    unit = before.units[0]
    orders: dict[str, Order] = {"S1901M": Retreat(unit, "BUR"), "S1901R": Move(unit, "BUR"), "W1901A": Hold(unit)}
    with pytest.raises(ValueError, match=r"is no order for|not for a unit"):
        adjudicate(before, [orders[phase]], RULES_1976)


def test_a_unit_without_retreat_is_disbanded_at_once_and_can_be_told(position: Make, played: Play) -> None:
    result = played(position("russia  F RUM", "turkey  A BUL, A SER, A UKR, A SEV, A BUD, F BLA"),
                    "F RUM H", "A BUL - RUM", "A SER S A BUL - RUM")  # fmt: skip
    assert [str(each.unit) for each in result.destroyed] == ["F RUM"]
    assert result.after.dislodged == ()
    assert result.outcomes[0].results == (Result.DISLODGED, Result.DISBANDED)


def test_a_dislodged_unit_waits_for_its_retreat(position: Make, played: Play) -> None:
    result = played(position("france  A BUR", "germany  A MUN, A RUH"),
                    "A BUR H", "A MUN - BUR", "A RUH S A MUN - BUR")  # fmt: skip
    (waiting,) = result.after.dislodged
    assert waiting.options == ("BEL", "GAS", "MAR", "PAR", "PIC")
    assert str(waiting.by) == "A MUN"
    assert "A BUR" not in map(str, result.after.of("FRANCE"))


def test_a_fleet_may_retreat_to_either_coast(position: Make, played: Play) -> None:
    result = played(position("turkey  F CON", "russia  F BLA, A ANK"), "F BLA - CON", "A ANK S F BLA - CON")
    assert result.after.dislodged[0].options == ("AEG", "BUL/EC", "BUL/SC", "SMY")


def test_units_without_adversaries_keep_their_identity(position: Make, played: Play) -> None:
    before = position("france  A PAR, A MAR")
    result = played(before, "A PAR - BUR")
    assert [unit.id for unit in result.after.units] == [unit.id for unit in before.units]
    assert result.after.units[0].built == "PAR"


def retreating(board: Board, phase: str, *waiting: Dislodged, units: tuple[Unit, ...] = ()) -> Position:
    return Position(board, Phase.read(phase), units, MappingProxyType({}), waiting)


ONE = Unit(1, "A", "VIE", "AUSTRIA")
TWO = Unit(2, "A", "BOH", "GERMANY")


def test_units_with_only_the_same_space_are_lost_unless_the_others_give_way(board: Board) -> None:
    before = retreating(board, "S1901R", Dislodged(ONE, ("TYR",)), Dislodged(TWO, ("TYR",)))
    lost = adjudicate(before, [Retreat(ONE, "TYR")], RULES_1976)
    assert lost.after.units == ()
    assert lost.outcomes[0].reason == "same-only-retreat"
    assert lost.outcomes[0].by == (TWO,)
    saved = adjudicate(before, [Retreat(ONE, "TYR"), Disband(TWO)], RULES_1976)
    assert [str(unit) for unit in saved.after.units] == ["A TYR"]
    modern = adjudicate(before, [Retreat(ONE, "TYR")], rules_for("2023"))
    assert [str(unit) for unit in modern.after.units] == ["A TYR"]


def test_units_ordered_to_the_same_space_are_lost_under_every_rule(board: Board) -> None:
    before = retreating(board, "S1901R", Dislodged(ONE, ("TYR", "GAL")), Dislodged(TWO, ("TYR", "MUN")))
    for name in ("1976", "2023"):
        result = adjudicate(before, [Retreat(ONE, "TYR"), Retreat(TWO, "TYR")], rules_for(name))
        assert result.after.units == ()
        assert {outcome.results for outcome in result.outcomes} == {(Result.BOUNCED, Result.DISBANDED)}


def test_no_order_and_nonsense_disband(board: Board) -> None:
    before = retreating(board, "S1901R", Dislodged(ONE, ("TYR",)), Dislodged(TWO, ("SIL",)))
    result = adjudicate(before, [Misorder(TWO, "A Boh flies", "unreadable")], RULES_1976)
    assert [outcome.results for outcome in result.outcomes] == [
        (Result.DISBANDED,),
        (Result.ILLEGAL, Result.DISBANDED),
    ]


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("BUD", "retreat-occupied"),
        ("GAL", "retreat-to-attacker"),
        ("TRI", "retreat-stood-off"),
        ("PAR", "retreat-not-adjacent"),
    ],
)
def test_a_retreat_that_is_not_open_says_why(board: Board, target: str, reason: str) -> None:
    attacker = Unit(3, "A", "GAL", "RUSSIA")
    units = (Unit(3, "A", "VIE", "RUSSIA"), Unit(4, "A", "BUD", "RUSSIA"))
    before = retreating(board, "S1901R", Dislodged(ONE, ("TYR",), attacker), units=units)
    result = adjudicate(before, [Retreat(ONE, target)], RULES_1976)
    assert result.outcomes[0].reason == reason
    assert result.outcomes[0].results == (Result.ILLEGAL, Result.DISBANDED)


def test_a_retreating_fleet_need_not_name_its_only_coast(board: Board) -> None:
    fleet = Unit(1, "F", "MAR", "FRANCE")
    before = retreating(board, "S1901R", Dislodged(fleet, ("LYO", "SPA/SC")))
    result = adjudicate(before, [Retreat(fleet, "SPA")], RULES_1976)
    assert [str(unit) for unit in result.after.units] == ["F SPA/SC"]


def test_ownership_changes_after_fall_retreats_and_not_before(board: Board, position: Make) -> None:
    fall = position("france  A SPA", "owns spain SPA", phase="F1901M")
    assert adjudicate(fall, [], RULES_1976).after.owners["SPA"] == "SPAIN"
    retreats = retreating(board, "F1901R", units=(Unit(1, "A", "SPA", "FRANCE"),))
    assert adjudicate(retreats, [], RULES_1976).after.owners["SPA"] == "FRANCE"
    spring = retreating(board, "S1901R", units=(Unit(1, "A", "SPA", "FRANCE"),))
    assert "SPA" not in adjudicate(spring, [], RULES_1976).after.owners


def test_a_unit_that_retreats_into_a_centre_takes_it(board: Board) -> None:
    before = retreating(board, "F1901R", Dislodged(Unit(1, "A", "RUH", "FRANCE"), ("BEL",)))
    after = adjudicate(before, [Retreat(before.dislodged[0].unit, "BEL")], RULES_1976).after
    assert after.owners == {"BEL": "FRANCE"}


def test_new_units_never_take_over_an_old_identity(position: Make) -> None:
    before = position("france  A SPA, A POR", "owns france PAR BRE MAR", phase="W1901A")
    built = adjudicate(before, [Build("FRANCE", "A", "PAR")], RULES_1976).after
    assert (built.units[-1].id, built.next_id) == (3, 4)
    fewer = Position(board=built.board, phase=before.phase, units=built.units[:1], owners=built.owners, next_id=4)
    again = adjudicate(fewer, [Build("FRANCE", "F", "BRE")], RULES_1976).after
    assert again.units[-1] == Unit(4, "F", "BRE", "FRANCE", "BRE")


def test_a_position_comes_back_from_json_with_its_next_identity(board: Board) -> None:
    start = start_position(board)
    assert start.next_id == 23
    assert position_from_json(position_to_json(start), board) == start


def test_a_waived_build_is_told_and_nothing_is_built(position: Make) -> None:
    before = position("france  A SPA", "owns france PAR BRE", phase="W1901A")
    result = adjudicate(before, [Waive("FRANCE")], RULES_1976)
    assert [outcome.reason for outcome in result.outcomes] == ["waived"]
    assert len(result.after.units) == 1


def test_removals_by_the_letter_of_1976_count_water_for_fleets_and_both_for_armies(position: Make) -> None:
    before = position("austria  F BLA, A BUR", "owns austria VIE", phase="W1901A")
    literal = RULES_1976.with_choices({"removals": "1976-route"})
    assert str(adjudicate(before, [], RULES_1976).outcomes[0].order) == "A BUR D"
    assert str(adjudicate(before, [], literal).outcomes[0].order) == "F BLA D"


def test_the_winner_owns_eighteen_centres(board: Board) -> None:
    start = start_position(board)
    seventeen = dict.fromkeys(board.centres[:17], "FRANCE") | dict.fromkeys(board.centres[17:], "TURKEY")
    assert RULES_1976.winner(Position(board, start.phase, (), seventeen)) is None
    eighteen = seventeen | {board.centres[17]: "FRANCE"}
    assert RULES_1976.winner(Position(board, start.phase, (), eighteen)) == "FRANCE"
    assert RULES_1976.winner(start) is None

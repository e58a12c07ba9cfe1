"""Second thoughts, plans, and a winter divided."""

from judge.game.clock.turnover import SplitTurn
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.filing.kept import MakePlan, UsePlan
from judge.game.filing.standing import State, standings
from judge.game.filing.submitting import SameAgain, Undo
from tests.support.builders import Table


def filed(table: Table, power: str = "FRANCE") -> list[str]:
    sheet = table.game.sheets.get(power)
    return sorted(line.order for line in sheet.lines) if sheet else []


def test_all_others_hold_leaves_alone_what_was_ordered_before(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur")
    table.orders("FRANCE", "all others hold")
    assert filed(table) == ["A MAR H", "A PAR - BUR", "F BRE H"]
    table.orders("FRANCE", "all remaining hold")
    assert filed(table) == ["A MAR H", "A PAR - BUR", "F BRE H"]
    assert isinstance(table.answer, Decision)
    assert {(verdict.order, verdict.notes) for verdict in table.answer.verdicts} == {
        ("A MAR H", ("stays",)), ("A PAR - BUR", ("stays",)), ("F BRE H", ("stays",)),
    }  # fmt: skip
    table.orders("FRANCE", "A Mar - Spa", "all others hold")
    assert filed(table) == ["A MAR - SPA", "A PAR H", "F BRE H"], "other than those in this mail"
    table.orders("FRANCE", "A Par - Bur")
    table.orders("FRANCE", "all hold")
    assert filed(table) == ["A MAR H", "A PAR H", "F BRE H"]


def test_undo_goes_back_to_the_set_before_and_again_forward(table: Table) -> None:
    france = table.player("FRANCE")
    table.orders("FRANCE", "A Par - Bur", "A Mar H", "F Bre H")
    table.orders("FRANCE", "A Par - Pic")
    table.tell(Undo(), france)
    assert "A PAR - BUR" in filed(table) and table.game.sheets["FRANCE"].number == 3
    table.tell(Undo(), france)
    assert "A PAR - PIC" in filed(table)


def test_undo_brings_back_what_was_cleared(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur")
    table.tell(cmd.Clear(), table.player("FRANCE"))
    table.tell(Undo(), table.player("FRANCE"))
    assert filed(table) == ["A PAR - BUR"]


def test_a_mail_that_changed_nothing_is_not_what_undo_takes_back(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur")
    table.orders("FRANCE", "A Par - Pic")
    table.orders("FRANCE", "A Par - Rome")
    table.tell(Undo(), table.player("FRANCE"))
    assert filed(table) == ["A PAR - BUR"]


def test_there_is_nothing_to_undo_in_a_new_turn(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur")
    table.process()
    answer = table.tell(Undo(), table.player("FRANCE"))
    assert isinstance(answer, Refusal) and answer.slug == "nothing-to-undo"


def test_same_again_repeats_orders_of_units_that_have_not_moved(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur", "A Mar S A Par - Bur", "F Bre H")
    table.process()
    answer = table.tell(SameAgain(), table.player("FRANCE"))
    assert isinstance(answer, Decision)
    assert filed(table) == ["F BRE H"]  # Paris has gone; the support is for an army that is not there any more
    assert [verdict.text for verdict in answer.verdicts if verdict.sentence] == ["A MAR S A PAR - BUR"]


def test_same_again_leaves_what_is_on_file_for_this_turn(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur", "A Mar H", "F Bre H")
    answer = table.tell(SameAgain(), table.player("FRANCE"))
    assert isinstance(answer, Decision) and answer.said == "Your orders on file stay as they are."
    assert filed(table) == ["A MAR H", "A PAR - BUR", "F BRE H"]
    table.process()
    table.orders("FRANCE", "A Mar - Spa")
    table.tell(SameAgain(), table.player("FRANCE"))
    assert filed(table) == ["A MAR - SPA", "F BRE H"], "only Brest stands where it stood, and has no order"


def test_there_is_nothing_to_order_again_in_the_first_turn(table: Table) -> None:
    answer = table.tell(SameAgain(), table.player("FRANCE"))
    assert isinstance(answer, Refusal) and answer.sentence.startswith("You ordered no moves last time")


def test_a_plan_waits_for_its_time(table: Table) -> None:
    france = table.player("FRANCE")
    table.tell(MakePlan("attack", ("A Par - Bur", "A Mar S A Par - Bur")), france)
    assert filed(table) == []
    table.tell(UsePlan("Attack"), france)
    assert filed(table) == ["A MAR S A PAR - BUR", "A PAR - BUR"]


def test_plans_are_private_and_can_be_forgotten(table: Table) -> None:
    table.tell(MakePlan("attack", ("A Par - Bur",)), table.player("FRANCE"))
    answer = table.tell(UsePlan("attack"), table.player("GERMANY"))
    assert isinstance(answer, Refusal) and answer.slug == "no-plan"
    table.tell(MakePlan("attack"), table.player("FRANCE"))
    assert isinstance(table.tell(UsePlan("attack"), table.player("FRANCE")), Refusal)


def test_a_new_player_does_not_find_the_plans_of_the_old_one(table: Table) -> None:
    table.tell(MakePlan("attack", ("A Par - Bur",)), table.player("FRANCE"))
    table.tell(cmd.Vacate("FRANCE"), table.gm)
    assert table.game.plans == {}


def test_any_player_may_divide_the_winter(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur - Gas", "build A Par", "build F Bre")
    fallen.tell(SplitTurn(), fallen.player("AUSTRIA"))
    fallen.process()
    assert str(fallen.game.phase) == "W1901A"  # the builds follow with a deadline of their own
    assert fallen.game.deadline is not None and str(fallen.game.deadline.phase) == "W1901A"
    assert filed(fallen) == ["A PAR B", "F BRE B"]
    fallen.process()
    assert str(fallen.game.phase) == "S1902M" and fallen.game.split == ""


def test_a_turn_of_one_phase_cannot_be_divided(table: Table) -> None:
    answer = table.tell(SplitTurn(), table.player("AUSTRIA"))
    assert isinstance(answer, Refusal) and answer.slug == "nothing-to-split"


def test_five_seasons_give_every_phase_its_deadline(table: Table) -> None:
    table.tell(cmd.ChangeSettings("seasons", "5"), table.gm)
    table.all_orders({"FRANCE": ["A Par - Bur", "A Mar - Spa"], "GERMANY": ["A Mun - Ruh", "A Ber - Mun"]})
    table.process()
    table.all_orders({"FRANCE": ["A Bur H"], "GERMANY": ["A Mun - Bur", "A Ruh S A Mun - Bur", "F Kie - Den"]})
    table.process()
    assert str(table.game.phase) == "F1901R"
    table.process()
    assert str(table.game.phase) == "W1901A"


def test_in_a_two_season_year_retreats_and_builds_are_ordered_with_the_moves(table: Table) -> None:
    table.tell(cmd.ChangeSettings("seasons", "2"), table.gm)
    table.all_orders({"FRANCE": ["A Par - Bur", "A Mar - Spa"], "GERMANY": ["A Mun - Ruh", "A Ber - Mun"]})
    table.process()
    retreat = (cmd.OrderLine(1, "A Bur - Gas, Par, or disband"),)
    table.tell(cmd.Submit(retreat, turn="F1901R"), table.player("FRANCE"))
    build = (cmd.OrderLine(1, "if A Bur is disbanded build A Par else build A Mar"),)
    table.tell(cmd.Submit(build, turn="W1901A"), table.player("FRANCE"))
    fleet = (cmd.OrderLine(1, "build F Kie"),)
    table.tell(cmd.Submit(fleet, turn="W1901A"), table.player("GERMANY"))
    table.all_orders({"FRANCE": ["A Bur H"], "GERMANY": ["A Mun - Bur", "A Ruh S A Mun - Bur", "F Kie - Den"]})
    table.process()
    assert str(table.game.phase) == "S1902M"
    position = table.game.position
    assert position is not None
    assert {"A GAS", "A MAR"} <= {str(unit) for unit in position.of("FRANCE")}


def at_the_deadline(table: Table) -> None:
    table.tick(table.running.deadline.at)


def dislodged_in_a_three_season_year(table: Table, nmr: str) -> None:
    """France's army is dislodged in a turn of moves and retreats, for which France has sent moves alone."""
    table.tell(cmd.ChangeSettings("seasons", "3"), table.gm)
    table.tell(cmd.ChangeSettings("nmr", nmr), table.gm)
    table.all_orders({"FRANCE": ["A Par - Bur", "A Mar - Spa"], "GERMANY": ["A Mun - Ruh", "A Ber - Mun"]})
    table.process()
    for power in table.game.board.powers:
        table.orders(power, "all hold")
    table.orders("GERMANY", "A Mun - Bur", "A Ruh S A Mun - Bur", "F Kie - Den")


def test_what_nobody_could_foresee_makes_nobody_late(table: Table) -> None:
    dislodged_in_a_three_season_year(table, "wait")
    assert {one.state for one in standings(table.game)} == {State.COMPLETE}
    at_the_deadline(table)
    assert not any(isinstance(event, ev.LateCalled) for event in table.events)
    assert str(table.game.phase) == "F1901R", "the moves are played, and the retreat has a deadline of its own"
    [asked] = standings(table.game)
    assert (asked.power, asked.state) == ("FRANCE", State.MISSING)
    table.tell(cmd.Submit((cmd.OrderLine(1, "A Bur R Gas"),)), table.player("FRANCE"))
    at_the_deadline(table)
    assert str(table.game.phase) == "W1901A"


def test_a_game_that_never_waits_plays_its_turns_whole(table: Table) -> None:
    dislodged_in_a_three_season_year(table, "hold")
    at_the_deadline(table)
    assert str(table.game.phase) == "W1901A"

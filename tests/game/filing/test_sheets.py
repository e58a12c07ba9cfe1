"""Orders on file: merged line by line, never lost, never applied to another phase, always shown in full."""

from pathlib import Path

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal, Status
from judge.game.filing.standing import State, standing
from tests.support.builders import Table
from tests.support.sample import sample_game

MAPS = Path(__file__).resolve().parents[3] / "maps"
FALL_1902 = 5
"""Turns of the sample game: after so many, Fall 1902's retreats are due."""


def on_file(table: Table, power: str) -> list[str]:
    sheet = table.game.sheets.get(power)
    return [line.order for line in sheet.lines] if sheet else []


def test_a_mail_that_names_some_units_changes_only_these(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mao")
    table.orders("FRANCE", "F Bre - Eng")
    assert sorted(on_file(table, "FRANCE")) == ["A MAR - SPA", "A PAR - BUR", "F BRE - ENG"]
    assert table.game.sheets["FRANCE"].number == 2


def test_a_bad_line_leaves_everything_on_file_as_it_was(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mao")
    answer = table.orders("FRANCE", "A Par - Rome")
    assert isinstance(answer, Decision)
    assert [v.status for v in answer.verdicts] == [Status.REFUSED]
    assert answer.verdicts[0].candidates
    assert sorted(on_file(table, "FRANCE")) == ["A MAR - SPA", "A PAR - BUR", "F BRE - MAO"]
    assert standing(table.game, "FRANCE").state is State.COMPLETE


def test_an_uncorrected_mistake_is_a_missing_set(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Rome")
    assert standing(table.game, "FRANCE").state is State.NEEDS_CORRECTION
    assert standing(table.game, "FRANCE").late
    table.orders("FRANCE", "F Bre - Mao")
    assert standing(table.game, "FRANCE").state is State.COMPLETE


def test_a_unit_left_out_holds_and_makes_nobody_late(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur")
    found = standing(table.game, "FRANCE")
    assert found.state is State.PARTIAL
    assert [str(unit) for unit in found.unordered] == ["F BRE", "A MAR"]
    assert not found.late


def test_holding_with_everything_is_a_complete_set(table: Table) -> None:
    table.orders("FRANCE", "A Par holds", "A Mar H", "F Bre stands")
    assert standing(table.game, "FRANCE").state is State.COMPLETE


def test_orders_for_another_phase_change_nothing(table: Table) -> None:
    lines = (cmd.OrderLine(1, "A Par - Pic"),)
    answer = table.tell(cmd.Submit(lines, turn="F1900M"), table.player("FRANCE"))
    assert isinstance(answer, Refusal) and answer.slug == "wrong-phase"
    assert on_file(table, "FRANCE") == []


def test_nobody_orders_anybody_elses_units(table: Table) -> None:
    answer = table.orders("FRANCE", "A Mun - Bur")
    assert isinstance(answer, Decision)
    assert answer.verdicts[0].status is Status.REFUSED and "German" in answer.verdicts[0].sentence


def test_clear_withdraws_all(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur")
    table.tell(cmd.Clear(), table.player("FRANCE"))
    assert on_file(table, "FRANCE") == []
    assert standing(table.game, "FRANCE").state is State.MISSING


def test_retreats_and_builds_come_in_one_mail(fallen: Table) -> None:
    assert str(fallen.game.phase) == "F1901R"
    fallen.orders("FRANCE", "A Bur - Gas", "build A Par", "build F Bre")
    assert on_file(fallen, "FRANCE") == ["A BUR R GAS", "A PAR B", "F BRE B"]
    assert standing(fallen.game, "FRANCE").state is State.COMPLETE
    fallen.process()
    assert str(fallen.game.phase) == "S1902M"
    position = fallen.game.position
    assert position is not None
    assert sorted(str(unit) for unit in position.of("FRANCE")) == ["A GAS", "A PAR", "A SPA", "F BRE", "F POR"]


def test_a_retreat_alone_leaves_the_builds_missing(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur - Gas")
    found = standing(fallen.game, "FRANCE")
    assert found.state is State.MISSING and found.builds_open == 2


def test_no_more_builds_than_are_due_the_newest_count(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur - Gas", "build A Par", "build F Bre")
    fallen.orders("FRANCE", "build A Mar")
    assert on_file(fallen, "FRANCE") == ["A BUR R GAS", "F BRE B", "A MAR B"]


def test_waiving_takes_the_place_of_a_build(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur D", "build A Par", "waive", "waive")
    assert standing(fallen.game, "FRANCE").builds_open == 0


def test_a_removal_may_be_mailed_before_the_retreat_that_makes_it_due() -> None:
    """The sample game, Fall 1902: were St Petersburg's army to disband, Russia would have nothing to remove."""
    table = sample_game(MAPS, FALL_1902)
    assert str(table.game.phase) == "F1902R"
    table.orders("RUSSIA", "remove A Gal")
    assert on_file(table, "RUSSIA") == ["A GAL D"]
    table.orders("RUSSIA", "A StP - Mos")
    table.process()
    position = table.game.position
    assert position is not None
    assert sorted(str(unit) for unit in position.of("RUSSIA")) == ["A MOS", "A SEV", "A UKR", "F SWE"]

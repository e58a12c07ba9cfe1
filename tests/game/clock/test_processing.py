"""`process`: for one phase, asked about while somebody's orders are not all there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Question, Refusal
from tests.support.builders import Table


def all_hold(table: Table, but: str = "") -> None:
    for power in table.game.board.powers:
        if power != but:
            table.orders(power, *[f"{unit.kind} {unit.at} H" for unit in table.running.position.of(power)])


def say(table: Table, phase: str = "S1901M", *agreed: str) -> Decision | Refusal:
    return table.tell(cmd.Process(phase), replace(table.gm, agreed=agreed))


def question(table: Table) -> Question:
    found = say(table)
    assert isinstance(found, Question)
    return found


def played(table: Table) -> bool:
    return any(isinstance(event, ev.PhaseAdjudicated) for event in table.last)


def test_with_everything_in_it_acts_at_once(table: Table) -> None:
    all_hold(table)
    say(table)
    assert played(table) and str(table.game.phase) == "F1901M"


@pytest.mark.parametrize("phase", ["", "S1901M", "F1902M"])
def test_a_repeat_processes_nothing_more(table: Table, phase: str) -> None:
    all_hold(table)
    say(table)
    all_hold(table)
    refused = say(table, phase)
    assert isinstance(refused, Refusal) and refused.mend == "process F1901M" and not played(table)


def test_a_missing_set_is_asked_about_by_name(table: Table) -> None:
    all_hold(table, but="ITALY")
    asked = question(table)
    assert "Nothing has come from Italy." in asked.sentence and not played(table)
    say(table, "S1901M", asked.about)
    assert played(table)


def test_a_yes_is_good_for_these_names_only(table: Table) -> None:
    all_hold(table, but="ITALY")
    asked = question(table)
    table.tell(cmd.Clear(), table.player("FRANCE"))
    again = say(table, "S1901M", asked.about)
    assert isinstance(again, Question) and "France and Italy" in again.sentence


def test_who_has_sent_since_is_missed_by_nobody(table: Table) -> None:
    asked = question(table)
    table.orders("FRANCE", "A Par H", "A Mar H", "F Bre H")
    say(table, "S1901M", asked.about)
    assert played(table)


def test_a_yes_is_good_for_this_phase_only(table: Table) -> None:
    asked = question(table)
    say(table, "S1901M", asked.about)
    assert isinstance(say(table, "F1901M", asked.about), Question)


def test_a_fault_a_wait_a_gap_and_an_empty_seat_are_asked_about(table: Table) -> None:
    all_hold(table)
    table.tell(cmd.Wait(on=True), table.player("FRANCE"))
    assert "France asked to wait" in question(table).sentence
    table.tell(cmd.Clear(), table.player("GERMANY"))
    table.orders("GERMANY", "A Mun H")
    assert "among those of Germany" in question(table).sentence
    table.tell(cmd.Vacate("ITALY"), table.gm)
    assert "no player for Italy" in question(table).sentence


def test_after_the_deadline_waits_and_gaps_are_no_matter(table: Table) -> None:
    all_hold(table, but="ITALY")
    table.orders("ITALY", "A Ven H")
    table.tell(cmd.Wait(on=True), table.player("FRANCE"))
    table.now = table.running.deadline.at + timedelta(minutes=1)
    say(table)
    assert played(table)

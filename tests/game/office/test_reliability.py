"""Reliability in figures: turns on time, seats lost and left; what is taken back counts for nobody."""

import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from judge.game.core import commands as cmd
from judge.game.office.reliability import Record, counted
from judge.game.office.rulings import Disqualify
from judge.game.repair.rewriting import Amend, PlayForward, Reopen, RollBack, RollForward
from judge.game.table.vacancies import Claim, Excuse
from tests.support.builders import Table


def last(table: Table) -> dict[int, dict[str, int]]:
    assert table.before is not None
    return {person: dict(more) for person, more in counted(table.before, table.last).items()}


def test_a_turn_that_is_processed_counts_for_everybody_at_the_table(table: Table) -> None:
    all_hold(table)
    table.process()
    assert last(table) == {person: {"turns": 1} for person in range(1, 8)}


def all_hold(table: Table, but: str = "") -> None:
    for power in table.game.board.powers:
        if power != but:
            table.orders(power, *[f"{unit.kind} {unit.at} H" for unit in table.running.position.of(power)])


def test_what_the_gamemaster_processed_early_is_nobodys_fault_and_not_on_time(table: Table) -> None:
    all_hold(table, but="ITALY")
    table.process()
    assert last(table)[5] == {"turns": 1, "early": 1} and last(table)[1] == {"turns": 1}


def test_a_turn_without_orders_is_not_on_time_where_nobody_waits(table: Table) -> None:
    """Rank 22."""
    table.tell(cmd.ChangeSettings("nmr", "hold"), table.gm)
    all_hold(table, but="ITALY")
    table.tick(table.running.deadline.at)
    assert last(table)[5] == {"turns": 1, "silent": 1} and last(table)[1] == {"turns": 1}


def test_whoever_was_called_late_was_late(table: Table) -> None:
    table.orders("FRANCE", "A Par H", "A Mar H", "F Bre H")
    table.tick(table.running.deadline.at + timedelta(minutes=1))
    table.process()
    assert last(table)[1] == {"turns": 1, "late": 1} and last(table)[3] == {"turns": 1}


def test_a_turn_that_is_taken_back_counts_for_nobody_until_it_is_played_again(table: Table) -> None:
    """As it was counted, however often it is taken back and whichever way it comes again."""
    table.orders("FRANCE", "A Par H", "A Mar H", "F Bre H")
    table.tick(table.running.deadline.at + timedelta(minutes=1))
    total = Counter[tuple[int, str]]()

    def done(*commands: cmd.Command) -> Counter[tuple[int, str]]:
        for command in commands:
            table.tell(command, replace(table.gm, agreed=("process", "process S1901M despite")))
            for person, more in last(table).items():
                total.update({(person, what): count for what, count in more.items()})
        return Counter({key: count for key, count in total.items() if count})

    table.process()
    total.update({(person, what): count for person, more in last(table).items() for what, count in more.items()})
    once = done()
    assert once[1, "late"] == 1 and once[3, "turns"] == 1
    assert done(RollBack()) == {}
    assert done(RollForward()) == once
    assert done(Amend()) == once
    assert done(RollBack(), PlayForward()) == once
    table.process()
    total.update({(person, what): count for person, more in last(table).items() for what, count in more.items()})
    twice = done()
    assert twice[3, "turns"] == 2 and twice[3, "early"] == 1
    assert done(RollBack("S1901M")) == {}
    assert done(PlayForward()) == twice
    assert done(RollBack("S1901M"), Reopen("S1901M", "a slip")) == {}


def test_leaving_and_being_disqualified_are_on_record(table: Table) -> None:
    table.tell(cmd.Leave(for_good=True), table.player("ITALY"))
    assert last(table) == {5: {"resigned": 1}}
    table.tell(Disqualify("GERMANY", "forged press"), table.gm)
    assert last(table) == {4: {"disqualified": 1}}


def test_leaving_before_the_start_is_no_resignation(hall: Table) -> None:
    hall.tell(cmd.Open(), hall.gm)
    hall.tell(cmd.Join(), cmd.Actor(cmd.Role.STRANGER, "", 1))
    hall.tell(cmd.Leave(for_good=True), cmd.Actor(cmd.Role.PLAYER, "1", 1))
    assert last(hall) == {}


def test_a_record_reads_as_a_sentence() -> None:
    assert str(Record(24, 2, missed=1)) == "22 of 24 turns on time, 1 seat lost"
    assert str(Record(3, resigned=2, disqualified=1)) == "3 of 3 turns on time, resigned 2 times, disqualified"


def test_what_is_taken_back_or_excused_is_struck_out(table: Table) -> None:
    italy = table.player("ITALY")
    table.tell(cmd.Leave(for_good=True), italy)
    table.tell(Claim("ITALY"), cmd.Actor(cmd.Role.STRANGER, "", 5))
    assert last(table) == {5: {"resigned": -1}}
    all_hold(table, but="ITALY")
    table.tick(table.running.deadline.at + timedelta(minutes=1))
    table.tick(table.running.deadline.promised + timedelta(minutes=1))
    assert last(table) == {5: {"missed": 1}}
    table.tell(Excuse("ITALY"), table.gm)
    assert last(table) == {5: {"missed": -1}}


def test_somebody_else_in_the_seat_strikes_out_nothing(table: Table) -> None:
    table.tell(cmd.Leave(for_good=True), table.player("ITALY"))
    table.tell(Claim("ITALY"), cmd.Actor(cmd.Role.STRANGER, "", 8))
    assert last(table) == {}


def test_practice_and_sandboxes_count_for_nothing(hall: Table) -> None:
    for table in (hall.practising("FRANCE"), hall.in_sandbox()):
        table.process()
        assert last(table) == {} and table.game.practice is not None


@pytest.mark.parametrize("record", [Record(24, 2, 1, 3, 1), Record(6, early=6), Record(5), Record(9, silent=9)])
def test_thresholds_go_by_the_figures_that_are_shown(record: Record) -> None:
    shown = re.match(r"(\d+) of (\d+) turns? on time", str(record))
    assert (record.on_time, record.counted) == (tuple(map(int, shown.groups())) if shown else (0, 0))

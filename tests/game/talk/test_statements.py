"""Statements after the end: how long they are sealed, who is waited for, and what opens the seal."""

from datetime import timedelta

import pytest

from judge.game.clock.clockwork import next_wake
from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.repair.rewriting import RollBack
from judge.game.talk.epilogue import Statement, StatementsPublished, StatementsReminded, sealed
from judge.report.core.letter import Kind
from judge.report.mailing import letters_for
from tests.support.builders import Table, cast_of

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


@pytest.fixture
def over(table: Table) -> Table:
    table.tell(cmd.EndGame(), table.gm)
    return table


def kinds(table: Table) -> set[str]:
    return {letter.kind for letter in letters_for(table.before, table.last, table.game, cast_of())}


def test_the_last_statement_opens_the_seal_and_the_game_wants_the_clock_no_more(over: Table) -> None:
    for power in POWERS:
        assert sealed(over.game)
        over.tell(Statement(f"{power} speaks."), over.player(power))
    assert [event.why for event in over.last if isinstance(event, StatementsPublished)] == ["all"]
    assert kinds(over) == {Kind.STATEMENTS} and next_wake(over.game, over.now) is None


def test_the_gamemaster_may_speak_but_nobody_waits_for_him(over: Table) -> None:
    assert isinstance(over.tell(Statement("A fine game."), over.gm), Decision)
    for power in POWERS:
        over.tell(Statement(none=True), over.player(power))
    assert not sealed(over.game) and kinds(over) == {Kind.STATEMENTS}


def test_if_nobody_has_anything_to_say_there_is_no_letter(over: Table) -> None:
    for power in POWERS:
        over.tell(Statement(none=True), over.player(power))
    assert not sealed(over.game) and kinds(over) == set()


def test_each_step_of_the_clock_happens_once(over: Table) -> None:
    reminder = next_wake(over.game, over.now)
    assert reminder == over.now + timedelta(days=11)
    assert [type(event) for event in over.tick(reminder).last] == [StatementsReminded]
    assert not over.tick(reminder).last
    day = next_wake(over.game, over.now)
    assert day == reminder + timedelta(days=3)
    assert [type(event) for event in over.tick(day).last] == [StatementsPublished]
    assert not over.tick(day).last


def test_a_downtime_over_both_moments_publishes_without_a_reminder(over: Table) -> None:
    over.tick(over.now + timedelta(days=20))
    assert [type(event) for event in over.last] == [StatementsPublished]


def test_where_all_have_spoken_ahead_the_final_letter_has_it_all(table: Table) -> None:
    for power in POWERS:
        table.tell(Statement(f"{power} speaks."), table.player(power))
    table.tell(cmd.EndGame(), table.gm)
    assert not sealed(table.game)
    letter = letters_for(table.before, table.last, table.game, cast_of())[0]
    assert len(letter.view["statements"]) == 7 and letter.view["call"] is None


def test_a_short_time_is_reminded_half_way(table: Table) -> None:
    table.tell(cmd.ChangeSettings("statements", "2d"), table.gm)
    table.tell(cmd.EndGame(), table.gm)
    assert next_wake(table.game, table.now) == table.now + timedelta(days=1)


def test_a_game_that_is_taken_back_from_its_end_is_called_for_again(table: Table) -> None:
    table.process()
    table.tell(cmd.EndGame(), table.gm)
    table.tell(RollBack("S1901M"), table.gm)
    assert table.game.epilogue is None and not sealed(table.game)
    table.tell(cmd.EndGame(), table.gm)
    assert sealed(table.game)


def test_only_those_at_the_table_speak(over: Table) -> None:
    stranger = cmd.Actor(cmd.Role.STRANGER, person=8)
    assert isinstance(over.tell(Statement("Me too."), stranger), Refusal)


def test_nobody_says_that_he_has_nothing_to_say_before_the_end(table: Table) -> None:
    assert isinstance(table.tell(Statement(none=True), table.player("FRANCE")), Refusal)

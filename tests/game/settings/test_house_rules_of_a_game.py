"""Rows of the house rules that no other test names: comments, holds and silence, time without a length."""

from __future__ import annotations

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision
from judge.game.core.events import ReminderDue
from judge.game.table.vacancies import Claim
from tests.support.builders import Table


def test_legal_but_silly_orders_pass_without_a_comment(table: Table) -> None:
    """The judge comments on rules and typing, never on wisdom."""
    told = table.orders("FRANCE", "A Par - Bre", "F Bre - Gas", "A Mar - Gas")
    assert isinstance(told, Decision)
    assert [(verdict.reason, verdict.sentence) for verdict in told.verdicts] == [("", "")] * 3


def test_a_set_in_which_everybody_holds_is_a_set(table: Table) -> None:
    """An intended hold is no missing order."""
    table.orders("FRANCE", "all hold")
    table.tick(table.running.deadline.at)
    late = table.running.deadline.late
    assert "3" not in late and len(late) == 6


def test_who_has_sent_everything_is_not_reminded(table: Table) -> None:
    table.orders("FRANCE", "all hold")
    table.tick(table.running.deadline.at)
    reminded = {seat for event in table.events if isinstance(event, ReminderDue) for seat in event.seats}
    assert "3" not in reminded


def test_free_words_without_a_length_are_a_request_for_the_usual_time(table: Table) -> None:
    """Whoever cannot say how long asks all the same."""
    before = table.running.deadline.at
    assert isinstance(table.tell(cmd.Extend(None, "I am moving house"), table.player("FRANCE")), Decision)
    assert table.running.deadline.at - before == table.game.settings.extension_length


def test_no_fleet_is_missed_where_another_route_suffices(table: Table) -> None:
    """Of two ways over the sea one is ordered, and the other fleet may do as it likes."""
    england = ("F Lon - ENG", "F Edi - NTH", "A Lvp - Yor")
    table.orders("ENGLAND", *england)
    table.process()
    told = table.orders("ENGLAND", "A Yor - Hol", "F NTH C A Yor - Hol", "F ENG - IRI")
    assert isinstance(told, Decision)
    assert [(verdict.reason, verdict.sentence) for verdict in told.verdicts] == [("", "")] * 3


def test_a_vacancy_may_be_claimed_by_whoever_has_lost_seats_before(table: Table) -> None:
    """No record bars anybody; whom the Gamemaster does not want he takes from the table."""
    table.tell(cmd.Vacate("ITALY"), table.gm)
    table.tell(cmd.Leave(for_good=True), table.player("FRANCE"))
    left = table.tell(Claim("ITALY"), cmd.Actor(cmd.Role.STRANGER, person=3))
    assert isinstance(left, Decision), left
    seat = table.game.seat_of("ITALY")
    assert seat is not None and seat.person == 3

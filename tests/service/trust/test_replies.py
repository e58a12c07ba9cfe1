"""Replies to the letters that ask for a word: each is answered, none is lost, a no may be taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.store.rows import MailState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import filed, kind_of, last_mail, seat_address

FRANCE = player_of("FRANCE")
PROCESSED = timedelta(days=9)
"""After this the first turn is over, the wait for a word included."""


def waiting(stage: LocalJudge) -> str:
    """France sends orders without proof; where a word for them goes."""
    stage.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    return stage.inbox(FRANCE)[-1].reply_to


def last(stage: LocalJudge, address: str = FRANCE) -> str:
    return " ".join(stage.inbox(address)[-1].text.split())


def test_a_no_sets_it_aside_and_a_yes_may_still_come(table: LocalJudge) -> None:
    to = waiting(table)
    table.send(FRANCE, "No, that was not me.", to=to, vouched=False)
    assert not filed(table, "FRANCE") and "set aside" in last(table)
    table.send(FRANCE, "yes", to=to, vouched=False)
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


def test_a_word_for_what_is_settled_is_answered(table: LocalJudge) -> None:
    to = waiting(table)
    table.send(FRANCE, "yes", to=to, vouched=False)
    table.send(FRANCE, "yes", to=to, vouched=False)
    assert "was confirmed already" in last(table)
    assert last_mail(table).state is MailState.PROCESSED


def test_a_word_that_comes_too_late_is_answered(table: LocalJudge) -> None:
    """Till its turn is processed it is not too late."""
    table.send(GM, "set nmr hold", to=seat_address(table, GM))
    to = waiting(table)
    table.advance(PROCESSED)
    table.send(FRANCE, "yes", to=to, vouched=False)
    assert "no longer waits" in last(table) and not filed(table, "FRANCE")


@pytest.mark.parametrize("lapsed", [False, True], ids=["used", "lapsed"])
def test_orders_in_answer_to_a_settled_question_are_a_mail_like_any_other(table: LocalJudge, *, lapsed: bool) -> None:
    table.send(GM, "set nmr hold", to=seat_address(table, GM))
    to = waiting(table)
    if lapsed:
        table.advance(PROCESSED)
    else:
        table.send(FRANCE, "no", to=to, vouched=False)
    table.send(FRANCE, "A Mar - Spa", to=to)
    assert filed(table, "FRANCE") == ["A MAR - SPA"]
    table.send(FRANCE, "F Bre - Mao", to=to, vouched=False)
    assert last_mail(table).state is MailState.HELD and kind_of(table.inbox(FRANCE)[-1]) == "held"


def test_what_stands_below_a_yes_is_heard_too(table: LocalJudge) -> None:
    table.send(FRANCE, "yes\n\nF Bre - Mao", to=waiting(table))
    assert sorted(filed(table, "FRANCE")) == ["A PAR - BUR", "F BRE - MAO"]
    assert "is confirmed and carried out" in " ".join(one.text for one in table.inbox(FRANCE)).replace("\n", " ")


def test_what_stands_below_a_yes_that_is_not_enough_is_heard_too(table: LocalJudge) -> None:
    table.send(GM, "disqualify FRANCE", subject="baltic", vouched=False)
    to = table.inbox(GM)[-1].reply_to
    table.send(GM, "yes\n\nhold: The server moves.", to=to, vouched=False)
    more, held = table.inbox(GM)[-2:]
    assert "one more proof" in more.subject and last_mail(table).state is MailState.HELD
    table.send(GM, "yes", to=held.reply_to, vouched=False)
    game = table.game("baltic")
    seat = game.seat_of("FRANCE")
    assert game.held_since is not None and seat is not None and seat.filled, "that yes was for the mail below alone"


def test_one_yes_to_two_letters_is_a_yes_to_both(table: LocalJudge) -> None:
    """With more below it, which is heard once; and a yes to a mail that waits counts beside one to a question."""
    asked = []
    press = "Shall we ally?\n\nMy orders:\nA Par - Bur\nA Mar - Spa"
    for power in ("England", "Germany"):
        table.send(FRANCE, f"press to {power}\n{press}", to=seat_address(table, FRANCE))
        asked.append(table.inbox(FRANCE)[-1].reply_to)
    table.send(FRANCE, "F Bre - Mao", subject="baltic", vouched=False)
    asked.append(table.inbox(FRANCE)[-1].reply_to)
    assert len(set(asked)) == 3, "three letters ask"
    before = len(table.inbox(FRANCE))
    table.send(FRANCE, "yes\n\nA Mar - Spa", to=", ".join(asked))
    for power in ("ENGLAND", "GERMANY"):
        assert kind_of(table.inbox(player_of(power))[-1]) == "press", power
    assert sorted(filed(table, "FRANCE")) == ["A MAR - SPA", "F BRE - MAO"]
    answers = [" ".join(one.text.split()) for one in table.inbox(FRANCE)[before:]]
    assert len(answers) == 4, "an answer for each mail that asked, and one to the yes"
    assert "a letter of its own says what came of it. Mail 3 is confirmed and carried out." in answers[2]


def test_several_commands_are_confirmed_together_and_answered_once(table: LocalJudge) -> None:
    text = 'note: Welcome, all.\nvacate France\nvacate England reason "ill"'
    table.send(GM, text, to=seat_address(table, GM), vouched=False)
    asked = table.inbox(GM)[-1]
    assert "`vacate` cannot be taken back easily, so I ask you once more" in last(table, GM)
    before = len([one for one in table.inbox(GM) if kind_of(one) == "receipt"])
    table.send(GM, "confirm", to=asked.reply_to, vouched=False)
    seats = [table.game("baltic").seat_of(power) for power in ("FRANCE", "ENGLAND")]
    assert all(seat is not None and not seat.filled for seat in seats)
    assert len([one for one in table.inbox(GM) if kind_of(one) == "receipt"]) == before + 1


def test_a_question_about_a_line_does_not_keep_the_others_waiting(table: LocalJudge) -> None:
    table.send(FRANCE, "A Par - Bur\nleave", subject="baltic")
    assert filed(table, "FRANCE") == ["A PAR - BUR"]
    receipt, question = table.inbox(FRANCE)[-2:]
    assert "in a letter of its own" in " ".join(receipt.text.split()) and "`leave` waits" in question.subject
    table.send(FRANCE, "no", to=question.reply_to)
    table.send(FRANCE, "yes", to=question.reply_to)  # a question that was answered is settled
    assert filed(table, "FRANCE") == ["A PAR - BUR"] and "settled already" in last(table)


def test_a_yes_to_leaving_is_good_for_that_seat_and_tenure_only(table: LocalJudge) -> None:
    table.send(FRANCE, "leave", subject="baltic")
    asked = table.inbox(FRANCE)[-1].reply_to
    table.send(FRANCE, "leave for good", subject="baltic")
    table.send(FRANCE, "claim France", subject="baltic")
    table.send(FRANCE, "yes", to=asked)
    seat = table.game("baltic").seat_of("FRANCE")
    assert seat is not None and seat.filled and "`leave` waits" in table.inbox(FRANCE)[-1].subject

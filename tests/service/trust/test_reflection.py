"""One mail, however long, makes few letters and short ones: nobody can be flooded through us."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.config import Bounds
from judge.report.core.letter import Frame
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import filed, kind_of, last_mail, seat_address
from tests.support.floods import FLOODS

FRANCE = player_of("FRANCE")
BOUNDS = Bounds()
FOOT = 1_500
"""Bytes of a letter's text that stand around its middle: the line above, proof, rules, check phrase."""


def size(text: str) -> int:
    return len(text.encode())


@pytest.mark.parametrize("name", FLOODS)
def test_a_mail_that_nothing_proves_makes_one_short_letter(table: LocalJudge, name: str) -> None:
    before = len(table.everything())
    table.send(FRANCE, FLOODS[name], subject="baltic", vouched=False)
    letters = table.everything()[before:]
    assert len(letters) <= 1
    assert all(size(letter.text) <= BOUNDS.unproved_bytes + FOOT for letter in letters)


@pytest.mark.parametrize("name", FLOODS)
def test_a_mail_that_is_proved_makes_an_answer_of_bounded_length(table: LocalJudge, name: str) -> None:
    before = len(table.everything())
    table.send(FRANCE, FLOODS[name], subject="baltic")
    letters = table.everything()[before:]
    answer = [letter for letter in letters if letter.to == FRANCE][-1]
    assert size(answer.text) <= BOUNDS.answer_bytes + FOOT
    assert len(letters) <= 1 + 7 * BOUNDS.press_a_mail
    assert sum(line.startswith("HELP - ") for line in answer.text.splitlines()) <= 20


def test_a_question_is_answered_once_however_often_a_mail_asks_it(table: LocalJudge) -> None:
    table.send(FRANCE, "help press\nstatus\nhelp press\nstatus\nA Par - Bur\nhelp press", subject="baltic")
    text = table.inbox(FRANCE)[-1].text
    assert text.count("HELP - WRITING TO THE OTHER PLAYERS") == 1
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


def test_lines_beyond_the_bound_are_counted_and_orders_among_them_are_filed(table: LocalJudge) -> None:
    table.send(FRANCE, "I wonder what the weather will be.\n" * 300 + "A Par - Bur\nF Bre - MAO", subject="baltic")
    text = " ".join(table.inbox(FRANCE)[-1].text.split())
    assert "ok: A Paris - Burgundy" in text and "103 more lines of your mail: 103 ignored." in text
    assert filed(table, "FRANCE") == ["A PAR - BUR", "F BRE - MAO"]


def test_orders_below_a_flood_of_commands_are_filed(table: LocalJudge) -> None:
    table.send(FRANCE, "wait\nready\n" * 300 + "A Par - Bur", subject="baltic")
    text = " ".join(table.inbox(FRANCE)[-1].text.split())
    assert filed(table, "FRANCE") == ["A PAR - BUR"]
    assert "One mail may hold 200 commands: this one and 399 more were not carried out." in text


def test_an_address_gets_four_unproved_answers_a_day(table: LocalJudge) -> None:
    before = len(table.inbox(FRANCE))
    for number in range(12):
        table.send(FRANCE, ("help", "status", "list", "history")[number % 4], subject="baltic", vouched=False)
    assert len(table.inbox(FRANCE)) - before == BOUNDS.unproved_answers
    assert "not proved, not answered" in (last_mail(table).reason or "")
    table.send(FRANCE, "status", subject="baltic")
    assert kind_of(table.inbox(FRANCE)[-1]) == "status", "what is proved is not held back by what was not"


def test_a_letter_stored_before_the_bound_was_known_is_printed() -> None:
    assert Frame("", "", "you", "", "").most == 0


def pressed(stage: LocalJudge, pieces: int) -> int:
    """Somebody sends so many pieces of press with one mail; how many letters reach another player."""
    before = len(stage.inbox(player_of("ENGLAND")))
    text = "".join(f"press to England\nhello {number}\nend press\n" for number in range(pieces))
    stage.send(FRANCE, text, subject="baltic")
    stage.advance(timedelta(minutes=10))
    return len(stage.inbox(player_of("ENGLAND"))) - before


def test_press_is_bounded_by_mail_hour_and_day_and_what_is_beyond_is_refused(table: LocalJudge) -> None:
    assert pressed(table, 25) == 20
    receipt = " ".join(table.inbox(FRANCE)[-1].text.split())
    assert "One mail carries 20 pieces of press; this piece was not sent. Please send it in another mail." in receipt
    assert "21" not in receipt.partition("NOT DONE")[0]
    assert [pressed(table, 20) for _ in range(3)] == [20, 20, 0]
    assert "Please send it again after 13:00 (UTC)." in " ".join(table.inbox(FRANCE)[-1].text.split())
    sent = 60
    for _ in range(4):
        table.advance(timedelta(hours=1))
        sent += sum(pressed(table, 20) for _ in range(3))
    assert sent == 200
    assert "went out in baltic today" in " ".join(table.inbox(FRANCE)[-1].text.split())
    table.advance(timedelta(days=1))
    assert pressed(table, 3) == 3


def test_the_gamemaster_is_not_bounded(table: LocalJudge) -> None:
    text = "".join(f"press to England\nhello {number}\nend press\n" for number in range(25))
    before = len(table.inbox(player_of("ENGLAND")))
    table.send(GM, text, to=seat_address(table, GM), subject="baltic")
    assert len(table.inbox(player_of("ENGLAND"))) - before == 25

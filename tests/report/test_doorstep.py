"""Letters to people the judge does not know: short, fixed, telling nothing about others."""

from __future__ import annotations

import json

from judge.report.core.letter import Kind, Received, Thread
from judge.report.reply.unproved import confirm, error, held, stranger
from tests.support.builders import OFFICE, START, cast_of

MAIL = Received("7", START, "ab" * 32, "<m@else.test>", "buy my watches")


def test_a_stranger_gets_one_letter_a_day_that_quotes_nothing() -> None:
    letter = stranger("Who@Else.test", MAIL, OFFICE, day="2027-01-01")
    again = stranger("who@else.test", Received("8", START, "cd" * 32), OFFICE, day="2027-01-01")
    assert letter.idem_key == again.idem_key
    assert (letter.kind, letter.person, letter.address) == (Kind.STRANGER, 0, "Who@Else.test")
    assert "watches" not in json.dumps(letter.view)


def test_a_confirmation_names_the_token_that_its_answer_goes_to() -> None:
    letter = confirm(
        "who@else.test", MAIL, OFFICE, what="take a seat in tannenburg", reply_as="confirm:7", lapses="Mon 4 Jan"
    )
    assert (letter.reply_as, letter.thread, letter.parent) == ("confirm:7", Thread.MAIL, "<m@else.test>")


def test_a_held_mail_is_told_to_the_person_of_record_and_hangs_under_nothing() -> None:
    """The mail may be a forger's: its Message-ID does not enter the thread of the person it speaks for."""
    member = cast_of().member(3)
    letter = held(
        member,
        MAIL,
        OFFICE,
        what="orders",
        sender="phone@else.test",
        when="now",
        lapses="Mon 4 Jan 18:00 EST",
        reply_as="confirm:7",
    )
    assert (letter.person, letter.address, letter.thread) == (3, "", Thread.ALONE)
    assert letter.view["frame"]["phrase"] == member.phrase


def test_an_error_says_what_is_wrong_and_what_to_do() -> None:
    letter = error(MAIL, OFFICE, wrong="There is no game here.", mend="Send: list", address="who@else.test")
    assert (letter.kind, letter.view["wrong"], letter.view["mend"]) == (
        Kind.ERROR,
        "There is no game here.",
        "Send: list",
    )

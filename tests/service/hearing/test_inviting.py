"""Invitations: who gets one, who is told why not, and what is a yes to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.service.people.applicants import LETTERS_A_GAME, UNANSWERED
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import person_of, staffed
from tests.support.standing import seated

JANE, ANNA, BERT = player_of("FRANCE"), "anna@club.test", "bert@club.test"
FORGED = {"Authentication-Results": "mx.judge.test; dmarc=fail header.from=club.test"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LocalJudge]:
    """An open game for those who are invited; Jane has joined it before that was so."""
    stage = seated(tmp_path, stage="open", config=lambda var: replace(staffed(var), open_creation=True))
    stage.begin()
    stage.send(JANE, "register name Jane")
    stage.send(JANE, "join baltic")
    told(stage, "set access invitation")
    yield stage
    stage.close()


def last(stage: LocalJudge, address: str) -> str:
    """The last letter to somebody, as text on one line."""
    return " ".join(stage.inbox(address)[-1].text.split())


def told(stage: LocalJudge, line: str) -> str:
    """A line from the Gamemaster; the answer."""
    stage.send(GM, line, to="judge+baltic@judge.test")
    return last(stage, GM)


def reply(
    stage: LocalJudge, invited: str, text: str, *, by: str = "", machine: bool = False, vouched: bool = True
) -> None:
    """An answer to the last letter of `invited`."""
    headers = {"Auto-Submitted": "auto-replied"} if machine else {}
    stage.send(by or invited, text, to=stage.inbox(invited)[-1].reply_to, headers=headers, vouched=vouched)


def seats_of(stage: LocalJudge) -> int:
    return len(stage.game("baltic").seats)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("invite bob@", "Not invited: that is not a mail address."),
        ("invite bob.example.org", "Not invited: that is not a mail address."),
        ("invite judge+baltic@judge.test", "Not invited: that is my own address."),
        (f"invite {GM}", "Not invited: that is the Gamemaster's own address."),
        (f"invite {JANE}", "Not invited: Jane has a seat already."),
        ("invite", "An address is missing; write it like this: invite anna@players.test"),
        ("invite " + " ".join(f"p{n}@club.test" for n in range(41)), "nobody was invited. Please send fewer."),
    ],
)
def test_who_is_not_invited_is_named_with_the_reason(table: LocalJudge, line: str, why: str) -> None:
    assert why in told(table, line)
    assert not table.game("baltic").gathering.invitations


def test_good_addresses_are_invited_beside_bad_ones(table: LocalJudge) -> None:
    answer = told(table, f"invite {ANNA}, bob@, {ANNA} and {BERT}")
    assert "PARTLY DONE" in answer and f"Invited: {ANNA} and {BERT}." in answer
    assert len(table.inbox(ANNA)) == len(table.inbox(BERT)) == 1


def test_words_to_the_invited_may_be_a_question_and_a_question_invites_nobody(table: LocalJudge) -> None:
    told(table, "invite anna@club.test: We play as every year. Will you join us?")
    assert "Will you join us?" in last(table, "anna@club.test")
    answer = told(table, "invite bert@club.test?")
    assert "A question changes nothing" in " ".join(answer.split())
    assert not table.inbox("bert@club.test")


def test_somebody_who_does_not_answer_gets_two_letters_and_no_third(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    assert "they were invited on" in told(table, f"invite {ANNA}")
    table.advance(timedelta(days=4))
    assert f"Invited: {ANNA}." in told(table, f"invite {ANNA}")
    assert "I will not write a third time" in last(table, ANNA)
    table.advance(timedelta(days=4))
    assert f"they were written to {LETTERS_A_GAME} times" in told(table, f"invite {ANNA}")
    assert len(table.inbox(ANNA)) == LETTERS_A_GAME


def test_over_all_games_a_stranger_gets_few_invitations(table: LocalJudge) -> None:
    for number in range(UNANSWERED + 1):
        table.send(GM, f"create other{number} preset standard\naccess = invitation\nopen\ninvite {ANNA}")
    assert len(table.inbox(ANNA)) == UNANSWERED
    assert f"{UNANSWERED} invitations to it were never answered, so I send no more" in last(table, GM)


def test_a_plain_yes_to_the_letter_seats_somebody_new_though_nothing_vouches_for_them(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    reply(table, ANNA, "accept", vouched=False)
    assert "welcome - 2 of 7" in table.inbox(ANNA)[-1].subject and seats_of(table) == 2


def test_a_second_answer_is_told_that_one_was_enough(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    to = table.inbox(ANNA)[-1].reply_to
    table.send(ANNA, "accept", to=to)
    table.send(ANNA, "accept", to=to, subject="once more")
    assert "You have a seat in baltic already" in last(table, ANNA) and seats_of(table) == 2
    table.send(ANNA, "no", to=to, subject="and now no")
    assert "To give your seat up, send: leave baltic" in last(table, ANNA) and seats_of(table) == 2


def test_an_answer_from_another_address_seats_nobody_and_both_are_told(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    reply(table, ANNA, "accept", by="somebody@else.test")
    assert seats_of(table) == 1
    assert "Somebody answered your invitation to baltic from another address." in last(table, ANNA)
    assert "else.test" not in last(table, ANNA)
    assert "is for another address, and seats nobody else." in last(table, "somebody@else.test")


def test_a_forged_answer_without_the_letters_token_seats_nobody(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    table.send(ANNA, "accept baltic", headers=FORGED, vouched=False)
    table.send(ANNA, "accept baltic", subject="once more", vouched=False)
    assert seats_of(table) == 1


def test_who_was_invited_may_join_by_the_games_name_once_the_address_is_proved(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    table.send(ANNA, "join baltic")
    assert "welcome - 2 of 7" in table.inbox(ANNA)[-1].subject


def test_who_was_not_invited_is_told_so(table: LocalJudge) -> None:
    table.send(BERT, "join baltic")
    assert "Only people whom its Gamemaster has invited can join baltic" in last(table, BERT) and seats_of(table) == 1


@pytest.mark.parametrize(
    "answer", ["I am out of the office until Monday.", "Your ticket #47 was accepted by our desk.", ""]
)
def test_an_answering_machine_accepts_nothing(table: LocalJudge, answer: str) -> None:
    told(table, f"invite {ANNA}")
    reply(table, ANNA, answer, machine=True)
    reply(table, ANNA, answer)
    assert seats_of(table) == 1


def test_words_that_are_neither_go_to_the_gamemaster(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    reply(table, ANNA, "Who else is in the game?")
    assert "neither yes nor no" in last(table, GM) and "Who else is in the game?" in last(table, GM)
    assert "Your words went to the Gamemaster." in last(table, ANNA)


def test_no_is_told_and_never_ends_all_invitations(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}, {BERT}")
    reply(table, ANNA, "no")
    assert f"{ANNA} has said no to your invitation" in last(table, GM)
    assert "the answer to your invitation was no" in told(table, f"invite {ANNA}")
    reply(table, BERT, "never")
    table.send(GM, f"create other preset standard\nopen\ninvite {BERT}")
    assert "its reader wants no invitations" in last(table, GM)


def test_after_the_table_is_full_a_yes_is_put_on_the_reserve_list(table: LocalJudge) -> None:
    told(table, "invite " + " ".join(f"p{n}@club.test" for n in range(8)))
    for number in range(8):
        reply(table, f"p{number}@club.test", "accept")
    assert seats_of(table) == 7 and len(table.game("baltic").gathering.reserve) == 2
    assert "You are second on the reserve list" in last(table, "p7@club.test")
    told(table, "remove p0")
    assert seats_of(table) == 7 and "welcome - 7 of 7" in table.inbox("p6@club.test")[-1].subject


def test_undo_withdraws_invitations(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    assert "The invitation is withdrawn" in told(table, "undo")
    reply(table, ANNA, "accept")
    assert "The Gamemaster has taken this invitation back." in last(table, ANNA) and seats_of(table) == 1


def test_an_invitation_that_is_too_old_seats_nobody(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    table.advance(timedelta(days=31))
    reply(table, ANNA, "accept")
    assert "This invitation was good for 30 days" in last(table, ANNA) and seats_of(table) == 1


def test_whose_address_it_is_stays_with_the_gamemaster(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    reply(table, ANNA, "accept\nmy name Anna")
    for address in (JANE, GM):
        table.send(address, "status baltic")
        assert ANNA not in last(table, address)
    assert person_of(table, ANNA).name == "Anna"


@pytest.mark.parametrize(("answer", "seats"), [("Deal me in!", 2), ("Thanks, I'm in", 2), ("Yes, I'll play!", 2),
                                               ("Count me out", 1), ("Not this time, sorry", 1)])  # fmt: skip
def test_an_answer_in_own_words_is_a_yes_or_a_no(table: LocalJudge, answer: str, seats: int) -> None:
    told(table, f"invite {ANNA}")
    reply(table, ANNA, answer)
    assert seats_of(table) == seats and "do you play?" not in table.inbox(ANNA)[-1].subject
    assert len(table.inbox(ANNA)) == 2, "the invitation, and one answer"


@pytest.mark.parametrize(
    "lines",
    [
        ("accept", "prefer France, Italy"),
        ("accept", "my name Anna", "prefer Turkey"),
        ("Count me in!", "prefer Italy", "my name Anna"),
        ("accept", "prefer Frnace", "my name Anna"),
        ("accept", "join baltic prefer Turkey name Anna"),
        ("I'd love to play.", "I would like to have France, or else Italy."),
        ("yes", "press to all: Hello"),
    ],
)
def test_every_line_beside_a_yes_has_its_line_in_the_receipt(table: LocalJudge, lines: tuple[str, ...]) -> None:
    told(table, f"invite {ANNA}")
    reply(table, ANNA, "\n".join(lines))
    assert seats_of(table) == 2
    receipt = last(table, ANNA).split("YOUR MAIL, LINE BY LINE")[1]
    for number, line in enumerate(lines, 1):
        assert f"{number} {line}" in receipt


def test_a_question_beside_a_yes_is_answered(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    reply(table, ANNA, "Count me in!\nWho else plays?")
    assert seats_of(table) == 2 and "SEATS" in last(table, ANNA)


def test_a_wish_in_own_words_is_asked_back_as_the_line_to_write(table: LocalJudge) -> None:
    told(table, f"invite {ANNA}")
    reply(table, ANNA, "Yes please! I'd love to have Italy, or else France.")
    assert "1) prefer Italy, France" in last(table, ANNA)
    table.send(ANNA, "1", to=table.inbox(ANNA)[-1].reply_to, headers={"In-Reply-To": table.inbox(ANNA)[-1].message_id})
    assert "you would like to play Italy, then France, then any" in last(table, ANNA)

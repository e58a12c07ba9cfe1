"""A held mail counts from its own arrival: whatever is confirmed in it, a later mail's word stands.

Each row: what is on file, the mail that is held, the mail that comes after it and is heard at once, and what holds once
the first of the two is confirmed.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.service.upkeep.wellbeing import look
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import filed, seat_address

FRANCE = player_of("FRANCE")
ITALY = player_of("ITALY")
MINUTE = timedelta(minutes=1)

ORDERS = [
    ("A Par - Bur\nA Mar H", "clear", "A Par - Pic", ["A PAR - PIC"]),
    ("A Par - Bur\nA Mar H", "clear", "wait", []),
    ("A Par - Bur", "clear", "F Bre - Mao", ["F BRE - MAO"]),
    ("", "clear", "A Par - Pic\nF Bre - Mao", ["A PAR - PIC", "F BRE - MAO"]),
    ("A Par - Bur\nA Mar H", "replace all\nF Bre - Eng", "A Par - Pic", ["A PAR - PIC", "F BRE - ENG"]),
    ("A Par - Bur", "replace all\nA Par - Gas\nA Mar H", "A Par - Pic", ["A MAR H", "A PAR - PIC"]),
    ("A Par - Bur", "A Par - Gas", "clear", []),
    ("A Par - Bur", "A Par - Gas\nA Mar H", "clear", ["A MAR H"]),
    ("A Par - Bur", "A Mar H", "replace all\nF Bre - Mao", ["A MAR H", "F BRE - MAO"]),
    ("A Par - Bur", "undo", "A Par - Pic", ["A PAR - PIC"]),
    ("A Par - Bur\nA Par - Moon", "clear", "A Mar H", ["A MAR H"]),
    # What is on file is given once more: that changes nothing, and stands all the same.
    ("A Par - Bur", "A Par - Pic", "A Par - Bur", ["A PAR - BUR"]),
    ("A Par - Bur", "clear", "Paris to Burgundy", ["A PAR - BUR"]),
    (
        "A Par - Bur\nA Mar H",
        "A Par - Pic\nA Mar - Spa",
        "A Par - Bur\nF Bre H",
        ["A MAR - SPA", "A PAR - BUR", "F BRE H"],
    ),
    (
        "A Par - Bur\nA Mar H",
        "A Par - Pic\nA Mar - Spa",
        "replace all\nA Par - Bur\nA Mar H",
        ["A MAR H", "A PAR - BUR"],
    ),
    ("A Par - Bur", "A Par - Pic", "for F1901M:\nA Par - Bur", ["A PAR - PIC"]),
    ("A Par - Bur", "A Par - Pic", "orders", ["A PAR - PIC"]),
]
"""On file, held, later, and what is on file after the yes."""


def confirmed(table: LocalJudge, before: str, held: str, later: str) -> str:
    """Plays a row; the answer to the yes."""
    if before:
        table.send(FRANCE, before, to=seat_address(table, FRANCE))
    table.advance(MINUTE)
    table.send(FRANCE, held, subject="baltic", vouched=False)
    question = table.inbox(FRANCE)[-1].reply_to
    table.advance(MINUTE)
    table.send(FRANCE, later, to=seat_address(table, FRANCE))
    table.advance(MINUTE)
    table.send(FRANCE, "yes", to=question, vouched=False)
    return " ".join(table.inbox(FRANCE)[-1].text.split())


@pytest.mark.parametrize(("before", "held", "later", "stands"), ORDERS)
def test_orders_of_later_mails_stand(table: LocalJudge, before: str, held: str, later: str, stands: list[str]) -> None:
    confirmed(table, before, held, later)
    assert sorted(filed(table, "FRANCE")) == stands


@pytest.mark.parametrize(("held", "later", "waits"), [("wait", "ready", False), ("ready", "wait", True)])
@pytest.mark.parametrize("before", ["wait", "ready"])
def test_whether_a_turn_waits_is_said_by_the_later_mail(
    table: LocalJudge, before: str, held: str, later: str, *, waits: bool
) -> None:
    said = confirmed(table, before, held, later)
    seat = table.game("baltic").seat_of("FRANCE")
    assert seat is not None and seat.wait is waits
    assert "came too late" in said


@pytest.mark.parametrize(("held", "later", "ballot"), [("aye 1", "nay 1", False), ("nay 1", "aye 1", True)])
@pytest.mark.parametrize("before", ["", "aye 1", "nay 1"])
def test_a_ballot_of_a_later_mail_stands(
    table: LocalJudge, before: str, held: str, later: str, *, ballot: bool
) -> None:
    table.send(ITALY, "propose draw", to=seat_address(table, ITALY))
    said = confirmed(table, before, held, later)
    france = table.game("baltic").seat_of("FRANCE")
    assert france is not None and table.game("baltic").votes[1].votes[france.id] is ballot
    assert "came too late" in said


def test_a_line_of_a_later_mail_that_was_asked_back_is_still_open(table: LocalJudge) -> None:
    said = confirmed(table, "A Par - Bur", "clear", "A Mar - Moon")
    sheet = table.game("baltic").sheets["FRANCE"]
    assert not sheet.lines and [fault.text for fault in sheet.faults] == ["A Mar - Moon"]
    assert "but for those of mails" not in said


def test_a_turn_that_waits_for_a_word_is_not_called_late(table: LocalJudge) -> None:
    """Monitoring calls nobody for what the rules of the game give; a turn that waits for anything else is late."""
    table.send(GM, "set nmr hold", to=seat_address(table, GM))
    table.send("nora@else.test", "A Par - Bur", to=seat_address(table, FRANCE), vouched=False)
    table.clock.set(table.now + timedelta(days=7, hours=1))
    assert len(look(table.judge).late) == 1, "nobody has looked whether anything holds it up"
    table.settle()
    with table.judge.store.read() as view:
        (row,) = view.games.due(table.now)
    assert row.next_due_at is not None and row.next_due_at < table.now and look(table.judge).late == ()


# -- Every letter about a mail that waits names the game in its subject, wherever the mail itself has named it --


FRANCE, ELSEWHERE = player_of("FRANCE"), "somebody@else.test"
WHERE = {
    "address": ("judge+baltic@judge.test", "orders", ""),
    "subject": ("judge@judge.test", "baltic", ""),
    "subject with more": ("judge@judge.test", "orders for baltic", ""),
    "answer's subject": ("judge@judge.test", "Re: [baltic] S1901 Moves: reminder", ""),
    "first line": ("judge@judge.test", "", "baltic\n"),
    "nowhere": ("judge@judge.test", "", ""),
}
"""Where a mail says for which game it is: recipient, subject, what stands ahead of its text. "nowhere": its author has
but one."""
HELD = {
    "orders without proof": (FRANCE, "A Par - Bur", False),
    "press without proof": (FRANCE, "press to England\nHello there.", False),
    "a wrong password": (FRANCE, "password wrong-horse-battery\nA Par - Bur", False),
    "what is asked once more": (FRANCE, "resign", True),
    "what is asked once more, without proof": (FRANCE, "resign", False),
    "a grave act": (GM, 'rollback S1901M reason "an error"', True),
    "a Gamemaster's command without proof": (GM, "extend 24h", False),
    "the end of the game": (GM, "end game", False),
}
"""What makes a mail wait: who writes, what, and whether our own server vouches for them."""


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("held", HELD)
def test_the_letter_about_a_held_mail_names_its_game(table: LocalJudge, where: str, held: str) -> None:
    writer, text, vouched = HELD[held]
    to, subject, ahead = WHERE[where]
    mark = len(table.post.letters)
    table.send(writer, ahead + text, to=to, subject=subject, vouched=vouched)
    letters = [one for one in table.post.letters[mark:] if one.to == writer]
    assert letters and [one.subject for one in letters if not one.subject.startswith("[baltic] ")] == []


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("held", ["orders without proof", "what is asked once more", "the end of the game"])
def test_so_do_the_answers_to_what_is_said_to_it(table: LocalJudge, where: str, held: str) -> None:
    """Neither yes nor no; a yes, which may not be enough; a yes to what is settled."""
    writer, text, vouched = HELD[held]
    to, subject, ahead = WHERE[where]
    table.send(writer, ahead + text, to=to, subject=subject, vouched=vouched)
    asked = table.inbox(writer)[-1].reply_to
    for number, word in enumerate(("Well, perhaps.", "yes", "yes", "no")):
        mark = len(table.post.letters)
        table.send(writer, word, to=asked, subject=f"Re: {number}", vouched=False)
        letters = [one.subject for one in table.post.letters[mark:] if one.to == writer]
        assert [one for one in letters if not one.startswith("[baltic] ")] == []


@pytest.mark.parametrize("where", WHERE)
def test_so_does_the_letter_that_too_many_came(table: LocalJudge, where: str) -> None:
    to, subject, ahead = WHERE[where]
    for number in range(30):
        table.send(
            FRANCE, f"{ahead}A Par - Bur\npress to England\nNumber {number}", to=to, subject=subject, vouched=False
        )
    subjects = [one.subject for one in table.inbox(FRANCE)]
    assert [one for one in subjects if "too many" in one] == ["[baltic] too many mails without proof"]

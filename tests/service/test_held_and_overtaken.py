"""A held mail counts from its own arrival: whatever is confirmed in it, a later mail's word stands.

Each row: what is on file, the mail that is held, the mail that comes after it and is heard at once, and what holds once
the first of the two is confirmed.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.service.upkeep.wellbeing import look
from judge.testing.casting import player_of
from judge.testing.stage import Playhouse
from judge.testing.theatre import GM
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


def confirmed(table: Playhouse, before: str, held: str, later: str) -> str:
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
def test_orders_of_later_mails_stand(table: Playhouse, before: str, held: str, later: str, stands: list[str]) -> None:
    confirmed(table, before, held, later)
    assert sorted(filed(table, "FRANCE")) == stands


@pytest.mark.parametrize(("held", "later", "waits"), [("wait", "ready", False), ("ready", "wait", True)])
@pytest.mark.parametrize("before", ["wait", "ready"])
def test_whether_a_turn_waits_is_said_by_the_later_mail(
    table: Playhouse, before: str, held: str, later: str, *, waits: bool
) -> None:
    said = confirmed(table, before, held, later)
    seat = table.game("baltic").seat_of("FRANCE")
    assert seat is not None and seat.wait is waits
    assert "came too late" in said


@pytest.mark.parametrize(("held", "later", "ballot"), [("aye 1", "nay 1", False), ("nay 1", "aye 1", True)])
@pytest.mark.parametrize("before", ["", "aye 1", "nay 1"])
def test_a_ballot_of_a_later_mail_stands(table: Playhouse, before: str, held: str, later: str, *, ballot: bool) -> None:
    table.send(ITALY, "propose draw", to=seat_address(table, ITALY))
    said = confirmed(table, before, held, later)
    france = table.game("baltic").seat_of("FRANCE")
    assert france is not None and table.game("baltic").votes[1].votes[france.id] is ballot
    assert "came too late" in said


def test_a_line_of_a_later_mail_that_was_asked_back_is_still_open(table: Playhouse) -> None:
    said = confirmed(table, "A Par - Bur", "clear", "A Mar - Moon")
    sheet = table.game("baltic").sheets["FRANCE"]
    assert not sheet.lines and [fault.text for fault in sheet.faults] == ["A Mar - Moon"]
    assert "but for those of mails" not in said


def test_a_turn_that_waits_for_a_word_is_not_called_late(table: Playhouse) -> None:
    """Monitoring calls nobody for what the rules of the game give; a turn that waits for anything else is late."""
    table.send(GM, "set nmr hold", to=seat_address(table, GM))
    table.send("nora@else.test", "A Par - Bur", to=seat_address(table, FRANCE), vouched=False)
    table.clock.set(table.now + timedelta(days=7, hours=1))
    assert len(look(table.house).late) == 1, "nobody has looked whether anything holds it up"
    table.settle()
    with table.house.store.read() as view:
        (row,) = view.games.due(table.now)
    assert row.next_due_at is not None and row.next_due_at < table.now and look(table.house).late == ()

"""Mails that are heard in another order than they reached our site: the one that came last stands.

A mail server that could not reach us sends what it kept when its own clock says so, behind newer mail; a restored judge
hears the mail that it asks for again behind what came meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import permutations

import pytest

from judge.service.intake.door import new_mail
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import build
from judge.transport.ports import Arrival
from tests.service.conftest import filed, seat_address

FRANCE, ITALY = player_of("FRANCE"), player_of("ITALY")
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)

Said = tuple[str, datetime]
"""The text of a mail, and when it reached our site."""


def hear(stage: LocalJudge, mails: Sequence[Said], *, sender: str = FRANCE) -> None:
    """Hear mails in this order, a group to a transaction, whenever they reached our site."""
    with stage.judge.store.write() as unit:
        for number, (text, at) in enumerate(mails):
            headers = [("From", sender), ("Subject", "baltic"), ("Message-ID", f"<{at.timestamp()}.{number}@x.test>")]
            mail = build(headers, text, now=at, number=number, to=stage.address, vouched=True)
            key = f"late:{at.isoformat()}:{number}"
            arrival = Arrival(mail.raw, "lmtp", key, mail.mail_from, mail.rcpts, at, "")
            unit.inbox.put(new_mail(stage.judge, arrival))
    stage.settle()


def said(stage: LocalJudge, reader: str = FRANCE) -> str:
    """The last letter to somebody, without its line breaks."""
    return " ".join(stage.inbox(reader)[-1].text.split())


@pytest.mark.parametrize("at_once", [True, False], ids=["one group", "one by one"])
def test_of_orders_for_one_unit_those_that_came_last_stand(table: LocalJudge, *, at_once: bool) -> None:
    texts = ("A Par - Bur\nA Mar H\nwait", "A Par - Pic\nF Bre - Mao\nready", "A Mar - Spa\nwait")
    for order in permutations(range(3)):
        table.advance(10 * HOUR)
        mails = [(text, table.now - (3 - number) * HOUR) for number, text in enumerate(texts)]
        hear(table, [("clear", table.now - 5 * HOUR)])
        for group in [order] if at_once else [[number] for number in order]:
            hear(table, [mails[number] for number in group])
        assert sorted(filed(table, "FRANCE")) == ["A MAR - SPA", "A PAR - PIC", "F BRE - MAO"], order
        seat = table.game("baltic").seat_of("FRANCE")
        assert seat is not None and seat.wait, order


def test_its_author_is_told_which_line_came_too_late(table: LocalJudge) -> None:
    table.advance(6 * HOUR)
    hear(table, [("A Par - Bur", table.now - HOUR)])
    hear(table, [("A Par - Pic\nA Mar H", table.now - 2 * HOUR)])
    assert sorted(filed(table, "FRANCE")) == ["A MAR H", "A PAR - BUR"]
    told = said(table)
    assert "came too late: a mail that reached me after this one changed it, and that one stands" in told
    assert "in force. If set" not in told, "nothing is said of a set that was replaced"


def test_a_newer_mail_that_changed_nothing_stands_all_the_same(table: LocalJudge) -> None:
    table.advance(6 * HOUR)
    hear(table, [("A Par - Bur", table.now - 3 * HOUR), ("A Par - Bur", table.now - HOUR)])
    hear(table, [("A Par - Pic", table.now - 2 * HOUR)])
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


def test_mails_of_one_second_count_as_they_are_heard(table: LocalJudge) -> None:
    """Mail servers note the second; whatever is finer is no reason to pass an order over."""
    hear(table, [("A Par - Bur", table.now + 0.7 * SECOND), ("A Par - Pic", table.now)])
    assert filed(table, "FRANCE") == ["A PAR - PIC"]


def test_what_others_have_said_meanwhile_passes_nothing_over(table: LocalJudge) -> None:
    table.advance(6 * HOUR)
    hear(table, [("A Ven H", table.now)], sender=ITALY)
    hear(table, [("A Par - Pic", table.now - HOUR)])
    assert filed(table, "FRANCE") == ["A PAR - PIC"]
    assert "too late" not in said(table)


def test_a_clock_that_was_ahead_makes_nobody_late(table: LocalJudge) -> None:
    hear(table, [("A Par - Bur", table.now + 48 * HOUR)])
    hear(table, [("A Par - Pic", table.now)])
    assert filed(table, "FRANCE") == ["A PAR - PIC"]


def test_a_backlog_counts_by_arrival_not_by_the_moment_at_which_it_was_heard(table: LocalJudge) -> None:
    """The first ballot came before the second; that it was heard after the second came makes it no later one."""
    table.send(ITALY, "propose draw", to=seat_address(table, ITALY))
    table.advance(6 * HOUR)
    hear(table, [("wait\naye 1", table.now - 3 * HOUR), ("A Mar H", table.now - HOUR)])
    hear(table, [("ready\nnay 1\nA Mar - Spa", table.now - 2 * HOUR)])
    game = table.game("baltic")
    seat = game.seat_of("FRANCE")
    assert seat is not None and not seat.wait and game.votes[1].votes[seat.id] is False
    assert filed(table, "FRANCE") == ["A MAR H"]


def test_what_came_in_time_is_on_time_however_late_it_is_heard(table: LocalJudge) -> None:
    table.send("gm@players.test", "nmr = grace\ngrace = 2d", to=seat_address(table, "gm@players.test"))
    deadline = table.game("baltic").deadline
    assert deadline is not None
    table.advance(deadline.at + HOUR - table.now)
    hear(table, [("A Par H\nA Mar H\nF Bre H", deadline.at - HOUR)])
    late = table.game("baltic").deadline
    seat = table.game("baltic").seat_of("FRANCE")
    assert late is not None and seat is not None and late.called and seat.id not in late.late
    assert "Your orders came in time: you are not late" in said(table)

"""One mail by two routes, of which one proves more than the other: it acts once, and the better copy acts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import count, permutations

import pytest

from judge.service.intake.door import new_mail
from judge.service.trust.patience import UNPROVED
from judge.store.rows import Mail, MailState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import AUTHSERV, START, RawMail, build, resent
from judge.transport.ports import Arrival
from tests.service.conftest import OPERATOR, filed, kind_of, last_mail, seat_address

FRANCE = player_of("FRANCE")
STRANGER = "nora@else.test"
_KEYS = count(1)


def mail(stage: LocalJudge, text: str = "A Par - Bur", *, sender: str = FRANCE, to: str = "") -> RawMail:
    """A mail for which nobody gives his word."""
    headers = [("From", sender), ("Subject", "baltic"), ("Message-ID", "<one@players.test>")]
    return build(headers, text, now=START, number=1, to=to or stage.address, vouched=False)


def vouched(one: RawMail) -> RawMail:
    """The same mail by the route on which our own mail server looks at it."""
    domain = one.mail_from.rpartition("@")[2]
    word = f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from={domain}\r\n"
    word += f"Received: from {domain} by {AUTHSERV}\r\n"
    return replace(one, raw=word.encode() + one.raw)


def listed(one: RawMail) -> RawMail:
    """The same mail as a mailing list passes it on."""
    return replace(one, raw=b"List-Id: <friends.list.test>\r\nPrecedence: list\r\n" + one.raw)


def together(stage: LocalJudge, *mails: RawMail) -> None:
    """All of them stand in the inbox before the first one is heard."""
    with stage.judge.store.write() as unit:
        for one in mails:
            arrival = Arrival(one.raw, "lmtp", f"lmtp:{next(_KEYS)}", one.mail_from, one.rcpts, stage.now, "127.0.0.1")
            unit.inbox.put(new_mail(stage.judge, arrival))
    stage.settle()


def one_by_one(stage: LocalJudge, *mails: RawMail) -> None:
    for one in mails:
        stage.offer(one)


COME = [pytest.param(together, id="together"), pytest.param(one_by_one, id="one by one")]
Come = Callable[..., None]


def mails_of(stage: LocalJudge) -> list[Mail]:
    """The mails of this test, oldest first."""
    with stage.judge.store.read() as view:
        return [row for row in view.inbox.list(limit=1000) if row.message_id == "<one@players.test>"]


def states(stage: LocalJudge) -> list[str]:
    return [str(row.state) for row in mails_of(stage)]


def letters_since(stage: LocalJudge, before: int) -> list[str]:
    return [kind_of(letter) for letter in stage.inbox(FRANCE)[before:]]


@pytest.mark.parametrize("come", COME)
def test_the_proved_copy_of_a_held_mail_releases_it(table: LocalJudge, come: Come) -> None:
    before = len(table.inbox(FRANCE))
    come(table, mail(table), vouched(mail(table)))
    assert filed(table, "FRANCE") == ["A PAR - BUR"] and table.game("baltic").sheets["FRANCE"].number == 1
    assert states(table) == ["duplicate", "processed"]
    assert letters_since(table, before) == (["receipt"] if come is together else ["held", "receipt"])


@pytest.mark.parametrize("come", COME)
def test_whatever_the_order_and_number_of_copies_it_acts_once(table: LocalJudge, come: Come) -> None:
    one = mail(table)
    copies = (one, vouched(one), listed(one), resent(vouched(one), by="mx2.judge.test"))
    for number, order in enumerate(permutations(copies)):
        text = f"A Par - {('Bur', 'Pic', 'Gas')[number % 3]}"
        tell = f"<{number}@players.test>".encode()
        come(
            table,
            *(
                replace(copy, raw=copy.raw.replace(b"<one@players.test>", tell).replace(b"A Par - Bur", text.encode()))
                for copy in order
            ),
        )
        assert table.game("baltic").sheets["FRANCE"].number == number + 1, order
        table.advance(timedelta(hours=1))


def test_it_counts_from_the_arrival_of_the_first_copy(table: LocalJudge) -> None:
    deadline = table.game("baltic").deadline
    assert deadline is not None
    table.advance(to=deadline.at - timedelta(minutes=1))
    table.offer(mail(table))
    table.advance(to=deadline.at + timedelta(hours=1))
    assert str(table.game("baltic").phase) == "S1901M"
    table.offer(vouched(mail(table)))
    assert filed(table, "FRANCE") == ["A PAR - BUR"] or str(table.game("baltic").phase) != "S1901M"
    assert last_mail(table).arrived_at == deadline.at - timedelta(minutes=1)
    assert last_mail(table).state is MailState.PROCESSED


def test_a_copy_that_proves_no_more_changes_nothing(table: LocalJudge) -> None:
    table.offer(mail(table))
    before = len(table.inbox(FRANCE))
    table.offer(resent(mail(table), by="mx2.judge.test"))
    assert states(table) == ["held", "duplicate"] and not letters_since(table, before)


def test_a_word_for_the_held_mail_that_comes_after_the_better_copy_does_nothing(table: LocalJudge) -> None:
    table.offer(mail(table))
    held = table.inbox(FRANCE)[-1]
    table.offer(vouched(mail(table)))
    table.send(FRANCE, "confirm", to=held.reply_to, vouched=False)
    assert table.game("baltic").sheets["FRANCE"].number == 1
    assert "settled" in (last_mail(table).reason or "")


def test_a_better_copy_after_the_word_does_nothing(table: LocalJudge) -> None:
    table.offer(mail(table))
    table.send(FRANCE, "confirm", to=table.inbox(FRANCE)[-1].reply_to, vouched=False)
    table.offer(vouched(mail(table)))
    assert table.game("baltic").sheets["FRANCE"].number == 1
    assert states(table) == ["processed", "duplicate"]


def test_a_better_copy_of_a_denied_mail_does_nothing(table: LocalJudge) -> None:
    table.offer(mail(table))
    table.send(FRANCE, "no", to=table.inbox(FRANCE)[-1].reply_to, vouched=False)
    table.offer(vouched(mail(table)))
    assert states(table) == ["held", "duplicate"] and not filed(table, "FRANCE")


@pytest.mark.parametrize("come", COME)
def test_what_a_mailing_list_made_machine_mail_of_is_heard_when_it_comes_straight(
    table: LocalJudge, come: Come
) -> None:
    one = vouched(mail(table))
    come(table, listed(one), one)
    assert filed(table, "FRANCE") == ["A PAR - BUR"] and states(table) == ["duplicate", "processed"]


@pytest.mark.parametrize("come", COME)
def test_one_copy_for_each_recipient(table: LocalJudge, come: Come) -> None:
    """As LMTP brings them: first the operator's, then the seat's, whose address stands in no header."""
    one = mail(table, to="postmaster@judge.test")
    come(table, one, replace(one, rcpts=(seat_address(table, FRANCE),)))
    assert filed(table, "FRANCE") == ["A PAR - BUR"]
    assert states(table) == ["duplicate", "processed"]
    assert len(table.inbox(OPERATOR)) == 1


def test_what_was_put_aside_for_want_of_proof_is_heard_when_proof_comes(table: LocalJudge) -> None:
    for number in range(UNPROVED):
        table.send(FRANCE, f"A Par - Pic\n// {number}", subject="baltic", vouched=False)
    table.offer(mail(table))
    assert last_mail(table).state is MailState.IGNORED
    table.offer(vouched(mail(table)))
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


@pytest.mark.parametrize("come", COME)
def test_a_newcomer_whose_second_copy_is_proved_comes_in_without_a_question(table: LocalJudge, come: Come) -> None:
    one = mail(table, "register name Nora", sender=STRANGER)
    come(table, one, vouched(one))
    kinds = [kind_of(letter) for letter in table.inbox(STRANGER)]
    assert kinds[-1] == "receipt" and ("confirm" in kinds) is (come is one_by_one)
    assert states(table) == ["duplicate", "processed"]


def test_a_bounce_by_two_routes_counts_once(table: LocalJudge) -> None:
    body = "550 5.1.1 no such user"
    bounce = replace(mail(table, body, sender="mailer-daemon@players.test"), mail_from="")
    for copy in (bounce, resent(bounce, by="mx2.judge.test"), vouched(bounce)):
        table.offer(copy)
    assert states(table)[0] == "ignored" and last_mail(table).state in (MailState.DUPLICATE, MailState.IGNORED)


@pytest.mark.parametrize("arrow", ["before-desk-commit", "after-desk-commit"])
def test_a_death_in_between_changes_nothing(table: LocalJudge, arrow: str) -> None:
    table.offer(mail(table))
    table.kill_at(arrow)
    table.offer(vouched(mail(table)))
    assert table.dead
    table.restart()
    assert table.game("baltic").sheets["FRANCE"].number == 1 and states(table) == ["duplicate", "processed"]


def test_a_better_copy_of_a_mail_that_was_carried_out_meanwhile_is_only_logged(table: LocalJudge) -> None:
    one_by_one(table, mail(table))
    assert states(table) == ["held"]
    better = vouched(mail(table))
    with table.judge.store.write() as unit:
        arrival = Arrival(better.raw, "lmtp", "lmtp:late", better.mail_from, better.rcpts, table.now, "127.0.0.1")
        unit.inbox.put(new_mail(table.judge, arrival))
        unit.inbox.finish(mails_of(table)[0].id, MailState.PROCESSED, table.now)
    table.settle()
    assert states(table) == ["processed", "duplicate"]

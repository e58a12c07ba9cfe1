"""Who wants to be forgotten is: once his last letter has gone, his address stands nowhere in the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from judge.store.leftovers import FORGOTTEN
from judge.store.rows import MailState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import RawMail
from tests.service.conftest import filed, kind_of, last_mail, person_of
from tests.support.fates import DEFERRED

CARLA, SECOND, DROPPED = "carla@players.test", "carla@second.test", "carla@dropped.test"
DAY = timedelta(days=1)


def places(stage: LocalJudge, word: str) -> set[str]:
    """The columns of the database in which a word stands, as text or within bytes."""
    found = set()
    with closing(sqlite3.connect(stage.folder / "judge.db")) as base:
        tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            names = [row[1] for row in base.execute(f'PRAGMA table_info("{table}")')]
            for row in base.execute(f'SELECT * FROM "{table}"'):
                for name, value in zip(names, row, strict=True):
                    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                    if word.lower() in text.lower():
                        found.add(f"{table}.{name}")
    return found


def say_yes(stage: LocalJudge, address: str, *, nth: int = -1) -> None:
    stage.send(address, "yes", to=stage.inbox(address)[nth].reply_to, vouched=False)


def come_back(stage: LocalJudge, address: str) -> None:
    """The last letter to an address comes back, for want of room."""
    sender = [parcel for parcel in stage.post.tried if address in parcel.rcpt_to][-1].mail_from
    text = f"The box of {address} is full: 452 4.2.2 mailbox full\r\n"
    notice = (
        f"From: mailer-daemon@players.test\r\nTo: {sender}\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: text/plain\r\n\r\n{text}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"Reporting-MTA: dns; mx.players.test\r\n\r\nFinal-Recipient: rfc822; {address}\r\nAction: failed\r\n"
        "Status: 4.2.2\r\n\r\n--b--\r\n"
    )
    stage.offer(RawMail(notice.encode(), "", (sender,)))


@pytest.fixture
def known(table: LocalJudge) -> Iterator[LocalJudge]:
    """Carla has come, asked, observed, practised, changed addresses, and been spoken for."""
    table.send(CARLA, "register name Carla zone Europe/Rome", vouched=False)
    say_yes(table, CARLA)
    table.send(CARLA, f"my address {SECOND}", vouched=False)
    say_yes(table, CARLA)
    say_yes(table, SECOND)
    number = person_of(table, CARLA).id
    with table.judge.store.write() as unit:
        unit.people.add_address(number, DROPPED, table.now, verified=True)
        unit.people.make_primary(DROPPED)
    table.send(CARLA, "observe baltic\nsomething else")
    table.send(player_of("ENGLAND"), "press to all\nHello, onlookers", subject="baltic")
    with table.judge.store.write() as unit:
        unit.people.remove_address(DROPPED)
        unit.people.make_primary(CARLA)
    assert table.inbox(DROPPED)
    table.send(SECOND, "practice")
    table.send(CARLA, "I am away.", headers={"Auto-Submitted": "auto-replied"})
    table.send(CARLA, f"drop address {SECOND}", vouched=False)
    assert last_mail(table).state is MailState.HELD
    come_back(table, CARLA)
    assert "bounce" in (last_mail(table).reason or "")
    yield table


def forget(stage: LocalJudge) -> None:
    stage.send(CARLA, "forget me", vouched=False)
    say_yes(stage, CARLA)
    assert kind_of(stage.inbox(CARLA)[-1]) == "receipt"
    assert "you are forgotten" in " ".join(stage.inbox(CARLA)[-1].text.split())


def test_when_all_is_settled_the_address_stands_nowhere(known: LocalJudge) -> None:
    with known.judge.store.read() as view:
        digests = [mail.digest for mail in view.inbox.list(limit=1000)]
    forget(known)
    for _ in range(4):
        known.advance(DAY)  # until the mail in her name that nobody confirmed has lapsed
    for word in (CARLA, SECOND, DROPPED):
        assert places(known, word) == set()
    with known.judge.store.read() as view:
        mails = view.inbox.list(limit=1000)
    assert [mail.digest for mail in mails][: len(digests)] == digests, "what came is known for ever by its number"
    assert any(mail.reason == FORGOTTEN for mail in mails)


def test_nothing_of_anybody_else_goes_with_it(known: LocalJudge) -> None:
    france = player_of("FRANCE")
    known.send(france, "A Par - Bur", subject="baltic")
    number, letters = last_mail(known).id, len(known.inbox(france))
    forget(known)
    known.advance(4 * DAY)
    with known.judge.store.read() as view:
        mail = view.inbox.get(number)
        assert (mail.sender, mail.state) == (france, MailState.PROCESSED) and view.inbox.raw(number)
        kept = [line for line in view.outbox.list(limit=10_000) if line.delivery.address == france]
    assert len(kept) >= letters and filed(known, "FRANCE") == ["A PAR - BUR"]


def test_the_last_letter_is_tried_as_long_as_any_other(known: LocalJudge) -> None:
    known.send(CARLA, "forget me", vouched=False)
    answer = known.inbox(CARLA)[-1].reply_to
    known.post.answers[CARLA] = DEFERRED
    before = len(known.inbox(CARLA))
    known.send(CARLA, "yes", to=answer, vouched=False)
    known.advance(4 * DAY)  # every mail of hers is settled by now
    assert len(known.inbox(CARLA)) == before
    assert places(known, CARLA) >= {"deliveries.address", "letter_bytes.mime"}
    del known.post.answers[CARLA]
    known.advance(2 * DAY)
    assert "you are forgotten" in " ".join(known.inbox(CARLA)[-1].text.split())
    assert places(known, CARLA) == set()


def test_a_word_that_takes_a_change_back_does_nothing_any_more(known: LocalJudge) -> None:
    undo = next(one.reply_to for one in known.inbox(CARLA) if "undo" in one.text and one.reply_to)
    forget(known)
    known.send(CARLA, "undo", to=undo, vouched=False)
    assert last_mail(known).reason == "a stranger's mail"
    with known.judge.store.read() as view:
        assert view.people.by_address(CARLA) is None


def test_whoever_comes_again_is_a_new_acquaintance(known: LocalJudge) -> None:
    forget(known)
    known.send(CARLA, "register name Clara", vouched=True)
    known.advance(4 * DAY)
    assert person_of(known, CARLA).name == "Clara"
    assert {"addresses.address", "mail_bytes.raw", "deliveries.address"} <= places(known, CARLA)
    assert places(known, SECOND) == set()


def test_what_a_forgotten_person_sent_is_still_known_when_a_copy_comes_late(known: LocalJudge) -> None:
    forget(known)
    mail = next(one for one in known.sent if b"observe baltic" in one.raw)
    known.advance(4 * DAY)
    letters = len(known.everything())
    known.offer(replace(mail, raw=b"Received: from elsewhere by mx2.judge.test\r\n" + mail.raw))
    assert last_mail(known).state is MailState.DUPLICATE and len(known.everything()) == letters

"""Addresses with letters beyond ASCII before the @ (RFC 6531), behind a relay that takes them and one that does not.

Whoever cannot be answered is refused at the door, as long as there is one; mail that was fetched is heard as any other,
and human beings are told whom no letter reaches.
"""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from judge.service.intake.door import Door
from judge.store import InboxWriter
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.sink import SinkServer, SunkMail
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import GM
from judge.transport.listener import Endpoint
from judge.transport.smtp_in import lmtp_listener, smtp_listener
from judge.transport.smtp_out import RelayServer, SmtpCourier
from tests.service.conftest import OPERATOR, filed, staffed

JOERG = "jörg@players.test"


@contextmanager
def behind(folder: Path, *, smtputf8: bool) -> Iterator[tuple[LocalJudge, SinkServer]]:
    """A running game whose letters leave through a relay of this kind, and the relay. France has two addresses."""
    with SinkServer(smtputf8=smtputf8) as relay:
        to = RelayServer("127.0.0.1", relay.port, tls="none")
        courier = SmtpCourier(lambda domain: to, helo="judge.test")
        table = LocalJudge(folder, config=staffed, courier=courier)
        seat_everybody(table, "baltic")
        with table.judge.store.write() as unit:
            france = unit.people.by_address(player_of("FRANCE"))
            assert france is not None
            unit.people.add_address(france.id, JOERG, table.now, verified=True)
        table.begin()
        yield table, relay
        courier.close()
        table.close()


def knocking(table: LocalJudge, wire: str, sender: str) -> tuple[int, str]:
    """What the door says to a mail from `sender`, over a real socket."""
    listen = smtp_listener if wire == "smtp" else lmtp_listener
    with InboxWriter(table.judge.store) as writer:
        door = Door(table.judge, writer)
        listener = listen(door, Endpoint("127.0.0.1", 0), now=lambda: table.now, hostname="judge.test")
        port = listener.start().port
        kind = smtplib.SMTP if wire == "smtp" else smtplib.LMTP
        with kind("127.0.0.1", port) as line:
            line.ehlo("players.test")
            line.command_encoding = "utf-8"
            code, said = line.mail(sender, [] if sender.isascii() else ["SMTPUTF8"])
        listener.stop()
        door.close()
    return code, said.decode()


def _taken(relay: SinkServer, address: str) -> list[SunkMail]:
    return [mail for mail in relay.mails if mail.rcpt_to == (address,)]


def letters_to(relay: SinkServer, address: str) -> list[str]:
    """What the relay took for somebody, as text on one line each."""
    mails = [
        ReceivedLetter(number, address, mail.data)
        for number, mail in enumerate(relay.mails)
        if mail.rcpt_to == (address,)
    ]
    return [" ".join(mail.text.split()) for mail in mails]


@pytest.mark.parametrize("wire", ["smtp", "lmtp"])
def test_whom_the_relay_cannot_reach_is_refused_at_the_door(tmp_path: Path, wire: str) -> None:
    with behind(tmp_path, smtputf8=False) as (table, _):
        code, said = knocking(table, wire, JOERG)
        assert code == 553 and said.startswith("5.6.7 ") and "write from another" in said
        assert knocking(table, wire, "joerg@players.test")[0] == 250
        assert knocking(table, wire, "")[0] == 250, "notices have no sender at all"


@pytest.mark.parametrize("wire", ["smtp", "lmtp"])
def test_a_relay_that_takes_such_addresses_keeps_the_door_open(tmp_path: Path, wire: str) -> None:
    with behind(tmp_path, smtputf8=True) as (table, relay):
        assert knocking(table, wire, JOERG)[0] == 250
        table.send(JOERG, "A Par - Bur", subject="baltic")
        assert "A Par - Bur" in letters_to(relay, JOERG)[-1]


def test_a_relay_that_has_learnt_it_opens_the_door_again(tmp_path: Path) -> None:
    with behind(tmp_path, smtputf8=False) as (table, relay):
        relay.smtputf8 = True
        relay.stop()
        relay.start()
        table.send(player_of("ITALY"), "status baltic")
        table.advance(timedelta(hours=1))
        assert knocking(table, "smtp", JOERG)[0] == 250


def test_nobody_is_refused_by_a_judge_that_has_not_met_its_relay(table: LocalJudge) -> None:
    assert knocking(table, "smtp", JOERG)[0] == 250


def test_mail_that_was_fetched_counts_and_human_beings_hear_of_its_author(tmp_path: Path) -> None:
    with behind(tmp_path, smtputf8=False) as (table, relay):
        for _ in range(2):
            table.send(JOERG, "A Par - Bur", subject="baltic")
        assert filed(table, "FRANCE") == ["A PAR - BUR"]
        assert not letters_to(relay, JOERG)
        for address in (OPERATOR, GM):
            told = [text for text in letters_to(relay, address) if JOERG in text]
            assert len(told) == 1 and "SMTPUTF8" in told[0], address

"""The door: what it knows, which recipient counts, and that a slow mail keeps nobody waiting."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from judge.service.intake import door as doors
from judge.service.intake.door import SMALL, Door, new_mail
from judge.service.trust.read import telling_recipient
from judge.store import InboxWriter, StoreTrouble
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.transport.ports import Arrival, TemporaryTrouble
from tests.service.conftest import filed, seat_address, staffed

HOUR = timedelta(hours=1)
FRANCE = player_of("FRANCE")


@pytest.fixture
def door(table: LocalJudge) -> Iterator[Door]:
    with InboxWriter(table.judge.store) as writer:
        door = Door(table.judge, writer)
        yield door
        door.close()


def arrival(table: LocalJudge, key: str, *, size: int = 0) -> Arrival:
    raw = f"From: {FRANCE}\r\nSubject: baltic\r\n\r\nstatus\r\n".encode() + b"x\r\n" * (size // 3)
    return Arrival(raw, "smtp", key, FRANCE, (table.address,), table.now, "127.0.0.1")


def test_it_knows_our_addresses_games_and_genuine_tokens_alone(table: LocalJudge, door: Door) -> None:
    known = (table.address, "JUDGE@Judge.Test", "judge+baltic@judge.test", "postmaster@judge.test", "abuse@judge.test")
    assert all(door.knows(address) for address in (*known, "Postmaster", seat_address(table, FRANCE)))
    forged = "judge+" + "a" * 31 + "@judge.test"
    unknown = ("judge@else.test", "nobody@judge.test", "judge+nogame@judge.test", forged, "", "@", "judge")
    assert not any(door.knows(address) for address in unknown)


def test_of_several_recipients_the_one_that_tells_most_counts(table: LocalJudge) -> None:
    token = seat_address(table, FRANCE)
    judge = table.judge
    assert telling_recipient(judge, ("else@where.test", table.address, token)) == token
    assert telling_recipient(judge, ("else@where.test", table.address)) == table.address
    assert telling_recipient(judge, ()) is None


def test_a_token_counts_wherever_it_stands_among_the_recipients(table: LocalJudge) -> None:
    to = f"judge@judge.test, postmaster@judge.test, {seat_address(table, FRANCE)}"
    table.send(FRANCE, "A Par - Bur", to=to, vouched=False)
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


@pytest.mark.parametrize(
    ("ahead", "counts"),
    [pytest.param(timedelta(minutes=4), timedelta(), id="in the future"), pytest.param(-HOUR, -HOUR, id="queued")],
)
def test_a_mail_counts_from_our_own_servers_stamp_and_never_later_than_it_came(
    tmp_path: Path, ahead: timedelta, counts: timedelta
) -> None:
    stage = LocalJudge(tmp_path, config=lambda var: replace(staffed(var), trusted_mx=("mx.judge.test", "127.0.0.1")))
    trace = f"Received: from x.test by mx.judge.test; {format_datetime(stage.now + ahead)}"
    raw = f"{trace}\r\nFrom: {FRANCE}\r\nSubject: baltic\r\n\r\nstatus\r\n".encode()
    mail = new_mail(stage.judge, Arrival(raw, "smtp", "key", FRANCE, (stage.address,), stage.now, "127.0.0.1"))
    assert (mail.arrived_at, mail.received_at) == (stage.now + counts, stage.now)
    stage.close()


def test_a_mail_that_takes_long_to_read_keeps_no_other_waiting(
    table: LocalJudge, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, gate = doors.new_mail, threading.Event()

    def slow(judge: object, mail: Arrival) -> object:
        if len(mail.raw) > SMALL:
            assert gate.wait(30)
        return whole(judge, mail)  # type: ignore[arg-type]

    monkeypatch.setattr(doors, "new_mail", slow)
    large = door.take(arrival(table, "smtp:1", size=2 * SMALL))
    small = door.take(arrival(table, "smtp:2"))
    small.result(30)
    assert not large.done()
    gate.set()
    large.result(30)


def test_a_mail_that_cannot_even_be_looked_at_is_not_acknowledged(
    table: LocalJudge, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(judge: object, mail: Arrival) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr(doors, "new_mail", broken)
    with pytest.raises(RuntimeError):
        door.take(arrival(table, "smtp:1", size=2 * SMALL)).result(30)


def test_a_client_that_hangs_up_takes_nothing_back(
    table: LocalJudge, door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    taken = door.take(arrival(table, "smtp:1"))
    assert not taken.cancel()
    assert taken.result(30)
    assert caplog.records == []


def test_a_mail_of_which_nobody_can_be_told_is_not_set_aside(
    table: LocalJudge, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_how: bool) -> object:
        raise StoreTrouble("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(table.judge.store, "write", full)
        with pytest.raises(TemporaryTrouble, match="disk is full"):
            door.oversize(arrival(table, "imap:1"), 1_000_000)


def test_a_mail_about_which_nothing_can_be_said_is_set_aside_all_the_same(
    table: LocalJudge, door: Door, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*given: object, **more: object) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr("judge.service.intake.door.read_envelope", broken)
    door.oversize(arrival(table, "imap:1"), 1_000_000)
    assert "nobody is told of a mail set aside" in caplog.text


def test_a_closed_door_asks_to_come_again(table: LocalJudge, door: Door) -> None:
    door.closed = "the disk is full"
    with pytest.raises(TemporaryTrouble, match="disk is full"):
        door.take(arrival(table, "smtp:1")).result(30)

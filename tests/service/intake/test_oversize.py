"""Mails that are too large to be taken: by IMAP they lie aside, and whoever must know hears of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.config import Config, Imap
from judge.daemon.wires import make_wires
from judge.service.intake.door import Door
from judge.store import InboxWriter
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.transport.ports import MailSource, SourceUnreachable
from tests.service.conftest import OPERATOR, staffed
from tests.support.imap_server import PASSWORD, USER, ImapServer

FRANCE = player_of("FRANCE")


@pytest.fixture
def server() -> Iterator[ImapServer]:
    with ImapServer() as running:
        yield running


@pytest.fixture
def stage(tmp_path: Path, server: ImapServer) -> Iterator[LocalJudge]:
    """A running game behind an IMAP account, for mails of up to 64 KB."""

    def by_imap(var: Path) -> Config:
        (var / "password").write_text(PASSWORD)
        box = Imap("main", server.host, USER, "password", server.port, "none")
        return replace(staffed(var), smtp_listen="", imap=(box,), max_bytes=65_536)

    stage = LocalJudge(tmp_path, config=by_imap)
    seat_everybody(stage, "baltic")
    stage.begin()
    yield stage
    stage.close()


@pytest.fixture
def source(stage: LocalJudge) -> Iterator[MailSource]:
    with InboxWriter(stage.judge.store) as writer:
        door = Door(stage.judge, writer)
        (source,) = make_wires(stage.judge, door).sources
        yield source
        door.close()


def large(sender: str, *more: str, subject: str = "holiday pictures", size: int = 200_000) -> bytes:
    head = [f"From: {sender}", f"Subject: {subject}", *more]
    return "\r\n".join([*head, "", "x" * size]).encode()


def letters(stage: LocalJudge) -> list[ReceivedLetter]:
    """What goes out because of what came in."""
    before = len(stage.everything())
    stage.settle()
    return stage.everything()[before:]


def words(letter: ReceivedLetter) -> str:
    return " ".join(letter.text.split())


def test_a_mail_too_large_is_told_to_the_operator_and_to_its_known_sender(
    stage: LocalJudge, server: ImapServer, source: MailSource
) -> None:
    server.put(large(FRANCE))
    assert source.poll_once() == 0
    assert len(server.folder("Quarantine")) == 1 and not server.folder("INBOX")
    told = {letter.to: words(letter) for letter in letters(stage)}
    assert set(told) == {OPERATOR, FRANCE}
    assert f"195 KB that came by imap from {FRANCE}" in told[OPERATOR] and "holiday pictures" in told[OPERATOR]
    assert "raise mail.max_bytes" in told[OPERATOR]
    assert "up to 64 KB" in told[FRANCE] and "nothing was changed" in told[FRANCE]


@pytest.mark.parametrize(
    "sender",
    ["nobody@else.test", "unproved@else.test", f"{FRANCE}, other@else.test", ""],
    ids=["stranger", "registered but not proved", "two senders", "no sender"],
)
def test_only_a_proved_address_is_answered(
    stage: LocalJudge, server: ImapServer, source: MailSource, sender: str
) -> None:
    with stage.judge.store.write() as unit:
        person = unit.people.by_address(FRANCE)
        assert person is not None
        unit.people.add_address(person.id, "unproved@else.test", stage.now)
    server.put(large(sender))
    source.poll_once()
    assert [letter.to for letter in letters(stage)] == [OPERATOR]


def test_a_machine_is_not_answered(stage: LocalJudge, server: ImapServer, source: MailSource) -> None:
    server.put(large(FRANCE, "Auto-Submitted: auto-replied"))
    source.poll_once()
    assert [letter.to for letter in letters(stage)] == [OPERATOR]


def test_each_mail_is_told_once_and_its_sender_once_a_day(
    stage: LocalJudge, server: ImapServer, source: MailSource
) -> None:
    for number in range(3):
        server.put(large(FRANCE, subject=f"picture {number}"))
    source.poll_once()
    told = [letter.to for letter in letters(stage)]
    assert (told.count(OPERATOR), told.count(FRANCE)) == (3, 1)


def test_a_line_cut_before_the_mail_lies_aside_tells_nobody_twice(
    stage: LocalJudge, server: ImapServer, source: MailSource
) -> None:
    server.put(large(FRANCE))
    cuts = iter(["before"])
    server.cut_line = lambda command: next(cuts, "") if command == "UID MOVE" else ""
    with pytest.raises(SourceUnreachable):
        source.poll_once()
    assert len(letters(stage)) == 2 and server.folder("INBOX")
    source.poll_once()
    assert letters(stage) == [] and len(server.folder("Quarantine")) == 1


def test_a_mail_that_the_server_cannot_show_is_told_as_such(
    stage: LocalJudge, server: ImapServer, source: MailSource
) -> None:
    server.unreadable = {server.put(large(FRANCE, size=10)).uid}
    for _ in range(2):
        with pytest.raises(SourceUnreachable):
            source.poll_once()
    source.poll_once()
    (told,) = letters(stage)
    assert told.to == OPERATOR and "cannot be read there" in words(told)

"""What a person wrote counts as theirs to the judge only if they wrote it to the judge.

The table: how a mail names us and how it came, and what proves its author. Everything that is not addressed to us is
held and asked about, with the reason; nothing of it is done meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.config import Config
from judge.store.rows import MailState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import RawMail
from tests.service.conftest import filed, last_mail, seat_address, staffed
from tests.support.standing import seated

JUDGE, GAME, ALIAS, FRIEND = "judge@judge.test", "judge+baltic@judge.test", "diplomacy@club.test", "friend@else.test"
TOKEN = "the seat's own address"
WORD = {"Authentication-Results": "mx.judge.test; dmarc=pass header.from=players.test"}
SIGNED = {
    **WORD,
    "DKIM-Signature": "v=1; a=rsa-sha256; c=relaxed/relaxed; d=players.test; s=a; h=from:to:subject; b=abc",
}
NOTHING = {"Authentication-Results": "mx.judge.test; none"}
FORGED = {"Authentication-Results": "mx.judge.test; dmarc=fail header.from=players.test"}

DONE, HELD, IGNORED = MailState.PROCESSED, MailState.HELD, MailState.IGNORED

Row = tuple[str, dict[str, str], MailState, MailState, MailState, MailState]
HOW = ("word", "signed", "nothing", "forged")
TABLE: list[Row] = [
    ("To: us", {"To": JUDGE}, DONE, DONE, HELD, HELD),
    ("To: our game", {"To": GAME}, DONE, DONE, HELD, HELD),
    ("To: an alias of ours", {"To": ALIAS, "Delivered-To": JUDGE}, DONE, DONE, HELD, HELD),
    ("To: them and us", {"To": f"{FRIEND}, {JUDGE}"}, DONE, DONE, HELD, HELD),
    ("Cc: us", {"To": FRIEND, "Cc": JUDGE, "Delivered-To": JUDGE}, DONE, HELD, HELD, HELD),
    ("Bcc: us", {"To": FRIEND, "Delivered-To": JUDGE}, HELD, HELD, HELD, HELD),
    ("Bcc: the seat", {"To": FRIEND, "Delivered-To": TOKEN}, DONE, DONE, DONE, DONE),
    ("nobody named", {"To": "undisclosed-recipients:;", "Delivered-To": GAME}, HELD, HELD, HELD, HELD),
    ("redirected to a game", {"To": FRIEND, "Delivered-To": GAME}, HELD, HELD, HELD, HELD),
    ("resent by its author", {"To": FRIEND, "Resent-From": "AUTHOR", "Resent-To": JUDGE, "Delivered-To": JUDGE},
     DONE, HELD, HELD, HELD),
    ("resent by somebody else", {"To": FRIEND, "Resent-From": FRIEND, "Resent-To": JUDGE, "Delivered-To": JUDGE},
     HELD, HELD, HELD, HELD),
    ("through a list", {"To": "talk@list.test", "List-Id": "<talk.list.test>", "Delivered-To": JUDGE},
     IGNORED, IGNORED, IGNORED, IGNORED),
]  # fmt: skip
ORDERS = {
    "AUSTRIA": "A VIE H", "ENGLAND": "F LON H", "FRANCE": "A PAR H", "GERMANY": "A BER H", "ITALY": "A ROM H",
    "RUSSIA": "A MOS H", "TURKEY": "A CON H",
}  # fmt: skip


def known_by_another_name(var: Path) -> Config:
    return replace(staffed(var), aliases=(ALIAS,))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LocalJudge]:
    stage = seated(tmp_path, config=known_by_another_name)
    stage.begin()
    yield stage
    stage.close()


@pytest.mark.parametrize("rows", [TABLE[:6], TABLE[6:]], ids=["first half", "second half"])
def test_what_is_not_written_to_us_waits_for_a_yes(table: LocalJudge, rows: list[Row]) -> None:
    """In halves: of one person a few mails a day are asked about."""
    powers = list(ORDERS)
    for number, (what, fields, *ends) in enumerate(rows):
        for proof, how, end in zip((WORD, SIGNED, NOTHING, FORGED), HOW, ends, strict=True):
            power = powers[(number * 4 + HOW.index(how)) % 7]
            author = player_of(power)
            given = {name: value.replace("AUTHOR", author) for name, value in {**fields, **proof}.items()}
            given = {name: seat_address(table, author) if value == TOKEN else value for name, value in given.items()}
            before = filed(table, power)
            table.send(author, ORDERS[power], subject="baltic", headers=given)
            row = last_mail(table)
            assert row.state is end, (what, how, row.reason)
            if end is not DONE:
                assert filed(table, power) == before, (what, how)


def test_whoever_wrote_to_somebody_else_is_told_why_it_is_held(table: LocalJudge) -> None:
    france = player_of("FRANCE")
    table.send(france, "A Par - Bur", subject="baltic", headers={"To": FRIEND, "Delivered-To": GAME, **WORD})
    letter = table.inbox(france)[-1]
    assert "neither To nor Cc names me" in " ".join(letter.text.split())
    table.send(france, "yes", to=letter.reply_to)
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


def test_a_program_of_this_machine_speaks_for_whoever_it_names_where_the_operator_says_so(tmp_path: Path) -> None:
    """As in deploy/run: the operator's own Gamemaster is believed. What has come from elsewhere never is."""
    stage = seated(tmp_path, config=lambda var: replace(staffed(var), smtp_vouched=True))
    stage.begin()
    head = b"From: france@players.test\r\nTo: judge@judge.test\r\nSubject: baltic\r\n"
    trace = b"Received: from out.test (out.test [203.0.113.9]) by mx.judge.test; Fri, 01 Mar 1901 11:00:00 +0000\r\n"
    for before, ends in ((trace, HELD), (b"Authentication-Results: mx.judge.test; none\r\n", HELD), (b"", DONE)):
        stage.offer(RawMail(before + head + b"\r\nA Par - Bur\r\n", "france@players.test", (JUDGE,)))
        assert last_mail(stage).state is ends, before
    assert filed(stage, "FRANCE") == ["A PAR - BUR"]
    stage.close()

"""The log tells what happened and to whom by number: no address, no token, no password, no word of anybody's mail."""

from __future__ import annotations

import logging

import pytest
from sqlalchemy.exc import IntegrityError

from judge.store.rows import DeliveryState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM, RawMail
from judge.transport.ports import PauseQueue
from tests.service.conftest import kind_of, seat_address
from tests.support.fates import DEFERRED, REFUSED

FRANCE, ENGLAND = player_of("FRANCE"), player_of("ENGLAND")
WORD = "heron-and-oak-41"
STRANGER = "mallory@else.test"


def everything(records: list[logging.LogRecord]) -> str:
    """All that any formatter could show of our own records."""
    ours = [record for record in records if record.name.startswith("judge.")]
    assert ours
    return "\n".join(f"{record.getMessage()} {vars(record)}" for record in ours)


def test_no_address_no_token_and_no_word_of_a_mail_is_logged(
    table: LocalJudge, caplog: pytest.LogCaptureFixture
) -> None:
    token = seat_address(table, FRANCE)
    with caplog.at_level("DEBUG"):
        table.send(FRANCE, f"A Par - Bur\npress to England\nThe walrus dines at {WORD}", to=token)
        table.send(FRANCE, f"password {WORD}\nstatus", subject="baltic")
        table.send(FRANCE, f"new password {WORD}", to=token)
        table.send(STRANGER, "The walrus asks.", vouched=False)
        table.send(STRANGER, "A Par - Gas // walrus", to=token, vouched=False)
        table.send(GM, "process S1901M\nset nonsense walrus", to=seat_address(table, GM))
        table.send(FRANCE, "walrus", to="judge+" + "a" * 31 + "@judge.test")
        table.post.answers[ENGLAND] = REFUSED
        table.send(FRANCE, "press to England\nwalrus", subject="baltic")
        table.post.answers[GM] = DEFERRED
        table.send(FRANCE, "press to gm\nwalrus", subject="baltic")
        bounce = next(parcel.mail_from for parcel in reversed(table.post.tried) if parcel.rcpt_to == (GM,))
        table.offer(RawMail(b"From: mailer-daemon@else.test\r\n\r\n" + FRANCE.encode(), "", (bounce,)))
    text = everything(caplog.records).lower()
    with table.judge.store.read() as view:
        assert view.outbox.list(states=(DeliveryState.FAILED,))
    for secret in (token.partition("+")[2].partition("@")[0], bounce.partition("+")[2].partition("@")[0], "a" * 31):
        assert secret not in text
    for word in ("walrus", WORD, FRANCE, ENGLAND, GM, STRANGER, "@else.test", "@players.test"):
        assert word not in text, word
    assert any(kind_of(letter) == "receipt" for letter in table.inbox(FRANCE))


def test_errors_name_no_value_and_no_word(
    table: LocalJudge, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(heard: object, said: object) -> None:
        raise ValueError(f"walrus from {FRANCE}")

    with monkeypatch.context() as broken:
        broken.setattr("judge.service.hearing.act.perform", stumble)
        table.send(FRANCE, "A Par - Bur", subject="baltic")
    table.post.answers[ENGLAND] = PauseQueue(f"the relay rejects us: 550 5.7.1 <{ENGLAND}>: relaying denied")
    table.send(FRANCE, "press to England\nHello", subject="baltic")
    text = everything(caplog.records)
    assert "mail failed" in text and "relaying denied" in text
    assert not any(word in text for word in ("walrus", FRANCE, ENGLAND, "@players.test"))


def test_trouble_of_the_database_tells_no_value(table: LocalJudge) -> None:
    with pytest.raises(IntegrityError) as caught, table.judge.store.write() as unit:
        unit.meta._connection.exec_driver_sql("INSERT INTO meta (key, value) VALUES (?, NULL)", ("walrus",))
    assert "meta.value" in str(caught.value) and "walrus" not in str(caught.value)

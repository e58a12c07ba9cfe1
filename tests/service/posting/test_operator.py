"""What needs a human being reaches one: once for each matter, and never as a flood."""

from dataclasses import replace
from typing import Any

import pytest

from judge.mail.letters import TemplateError
from judge.service.hearing.act import perform
from judge.service.posting.operator import A_DAY, tell_operator
from judge.store.rows import MailState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import RawMail
from tests.service.conftest import OPERATOR, filed, last_mail

FRANCE = player_of("FRANCE")


def break_on(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """From now on every mail with this text makes the judge stumble."""

    def stumble(heard: object, said: object) -> object:
        if text in heard.envelope.own_text:  # type: ignore[attr-defined]
            raise RuntimeError("stumbled over a stone\n(Background on this error at: the handbook)")
        return perform(heard, said)  # type: ignore[arg-type]

    monkeypatch.setattr("judge.service.hearing.act.perform", stumble)


def test_a_mail_that_breaks_us_is_quarantined_told_once_and_holds_up_nothing_else(
    table: LocalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_on(monkeypatch, "stone")
    table.send(FRANCE, "A Par - Bur\n// stone", subject="baltic")
    number = last_mail(table).id
    assert last_mail(table).state is MailState.QUARANTINED and last_mail(table).attempts == 3
    table.send(player_of("ENGLAND"), "F Lon - Nth", subject="baltic")
    assert filed(table, "ENGLAND") == ["F LON - NTH"]
    told = [letter for letter in table.inbox(OPERATOR) if "quarantine" in letter.subject]
    assert len(told) == 1 and f"judge quarantine show {number}" in " ".join(told[0].text.split())
    said = " ".join(told[0].text.split())
    assert "RuntimeError: stumbled over a stone" in said and "Background" not in said, "the sentence, not its footer"


def test_a_quarantined_mail_counts_from_its_arrival_once_it_is_retried(
    table: LocalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        break_on(broken, "stone")
        table.send(FRANCE, "A Par - Bur\n// stone", subject="baltic")
    deadline = table.game("baltic").deadline
    assert deadline is not None
    table.advance(to=deadline.at)
    assert str(table.game("baltic").phase) == "S1901M"
    with table.judge.store.write() as unit:
        assert unit.inbox.retry(last_mail(table).id, table.now)
    table.settle()
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


def test_mail_to_postmaster_and_abuse_reaches_the_operator_and_its_sender_hears_nothing(table: LocalJudge) -> None:
    for name in ("postmaster", "abuse"):
        table.send("curious@else.test", "Your judge sends me spam.\nA Par - Bur", to=f"{name}@judge.test", subject="hm")
        assert "| Your judge sends me spam." in table.inbox(OPERATOR)[-1].text
        assert "curious@else.test" in table.inbox(OPERATOR)[-1].text
    assert not table.inbox("curious@else.test")


def test_postmaster_needs_no_domain(table: LocalJudge) -> None:
    raw = b"From: curious@else.test\r\nSubject: hm\r\n\r\nYour judge sends me spam.\r\n"
    table.offer(RawMail(raw, "curious@else.test", ("Postmaster",)))
    assert "| Your judge sends me spam." in table.inbox(OPERATOR)[-1].text


def test_machines_that_write_to_postmaster_are_not_passed_on(table: LocalJudge) -> None:
    headers = {"Auto-Submitted": "auto-generated"}
    table.send("robot@else.test", "Report 17", to="postmaster@judge.test", headers=headers)
    assert not table.inbox(OPERATOR)


def test_a_flood_is_cut_off(table: LocalJudge) -> None:
    for number in range(A_DAY + 5):
        table.send("curious@else.test", f"number {number}", to="abuse@judge.test")
    assert len(table.inbox(OPERATOR)) == A_DAY


def test_without_an_operator_nobody_is_written_to(table: LocalJudge) -> None:
    judge = replace(table.judge, config=replace(table.judge.config, operator=""))
    with judge.store.write() as unit:
        assert not tell_operator(judge, unit, "x/1", subject="x", items=("x",))


def test_a_relay_that_turns_us_away_pauses_the_outbox_and_the_operator_hears_of_it_afterwards(
    table: LocalJudge,
) -> None:
    table.post.strike = "535 5.7.8 authentication failed"
    table.send(FRANCE, "status", subject="baltic")
    table.post.strike = ""
    with table.judge.store.write() as unit:
        assert unit.outbox.paused()
        unit.outbox.resume()
    table.settle()
    assert "535 5.7.8" in table.inbox(OPERATOR)[-1].text


def test_a_letter_that_cannot_be_written_is_set_aside_and_told(
    table: LocalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    compose = table.judge.pressroom.compose

    def torn(_: object, kind: str, *given: Any, **named: Any) -> Any:
        if kind == "agenda":
            raise TemplateError("agenda/text.txt: torn")
        return compose(kind, *given, **named)

    with monkeypatch.context() as harm:
        harm.setattr(type(table.judge.pressroom), "compose", torn)
        table.send(FRANCE, "my games")
    told = table.inbox(OPERATOR)[-1]
    assert "cannot be written" in told.subject
    # What the letter tells its reader to do brings the lost answer.
    assert "judge outbox retry --all" in told.text
    before = len(table.inbox(FRANCE))
    with table.judge.store.write() as unit:
        assert unit.outbox.retry_all(table.now) == 1
    table.settle()
    assert len(table.inbox(FRANCE)) == before + 1

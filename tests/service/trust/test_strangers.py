"""What somebody gets whom the judge does not know, and what counts as a word for a mail that waits."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.store.rows import MailState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from tests.service.conftest import filed, kind_of, last_mail

FRANCE = player_of("FRANCE")
NORA = "nora@else.test"


def kinds(stage: LocalJudge, address: str) -> list[str]:
    return [kind_of(letter) for letter in stage.inbox(address)]


def test_a_stranger_gets_four_letters_a_day_and_the_fixed_one_once(table: LocalJudge) -> None:
    """One answer a mail, four a day and address."""
    for text in ("Hello?", "Anybody home?", "help", "help", "list", "list", "Anybody there?"):
        table.send(NORA, text, vouched=False)
    assert kinds(table, NORA) == ["stranger", "help", "help", "list"]
    assert last_mail(table).state is MailState.IGNORED
    assert "had its stranger letter today" in (last_mail(table).reason or "")
    table.advance(timedelta(days=1))
    table.send(NORA, "Hello again", vouched=False)
    assert kinds(table, NORA) == ["stranger", "help", "help", "list", "stranger"]


def waiting(stage: LocalJudge) -> str:
    """France sends orders without proof; where a word for them goes."""
    stage.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    assert not filed(stage, "FRANCE")
    return stage.inbox(FRANCE)[-1].reply_to


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List-Id": "<friends.list.test>"},
        {"Return-Path": "<>"},
        {"Subject": "Out of office: a mail in your name"},
    ],
    ids=str,
)
@pytest.mark.parametrize("text", ["yes", "no", ""], ids=repr)
def test_no_machine_says_the_word_for_a_held_mail(table: LocalJudge, headers: dict[str, str], text: str) -> None:
    table.send(FRANCE, text, to=waiting(table), vouched=False, headers=headers)
    with table.judge.store.read() as view:
        held, answer = view.inbox.list(limit=1000)[-2:]
    assert (held.state, answer.state) == (MailState.HELD, MailState.IGNORED)
    assert not filed(table, "FRANCE")


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "> answer this mail\n", "> yes\n", "-- \nFrance"],
    ids=["empty", "blank", "quoted", "yes", "signed"],
)
def test_an_answer_that_says_nothing_is_neither_and_is_told_once_what_to_write(table: LocalJudge, text: str) -> None:
    """A yes is a word that the author typed."""
    to = waiting(table)
    for _ in range(2):
        table.send(FRANCE, text, to=to, subject="Re: a mail in your name", vouched=False)
    assert not filed(table, "FRANCE")
    assert kinds(table, FRANCE)[-2:] == ["held", "alert"]
    asked = table.inbox(FRANCE)[-1]
    assert "confirm" in asked.text and asked.reply_to == to
    table.send(FRANCE, "confirm", to=asked.reply_to, vouched=False)
    assert filed(table, "FRANCE") == ["A PAR - BUR"]

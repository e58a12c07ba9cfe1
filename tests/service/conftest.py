"""A judge with one running game, and what the tests of the service ask of it again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.config import Config
from judge.store.rows import Mail, Person
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import JudgeUnderTest, rehearsal_config
from tests.support.standing import seated

OPERATOR = "operator@site.test"


def staffed(var: Path) -> Config:
    """The rehearsal's configuration, with an operator."""
    return replace(rehearsal_config(var), operator=OPERATOR)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LocalJudge]:
    """A judge with an operator and the game baltic, all seats taken, at its first turn."""
    stage = seated(tmp_path, config=staffed)
    stage.begin()
    yield stage
    stage.close()


def last_mail(stage: LocalJudge) -> Mail:
    """The row of the mail that came last."""
    with stage.judge.store.read() as view:
        return view.inbox.list(limit=10_000)[-1]


def person_of(stage: LocalJudge, address: str) -> Person:
    """Whose address this is."""
    with stage.judge.store.read() as view:
        found = view.people.by_address(address)
    assert found is not None
    return found


def seat_address(stage: LocalJudge, address: str) -> str:
    """The reply address of the call for orders that somebody got: his seat's token."""
    return next(letter.reply_to for letter in stage.inbox(address) if kind_of(letter) == "started")


def agreed(stage: LocalJudge, address: str, line: str) -> None:
    """Somebody sends a line that waits for a yes, and says yes at the address of record."""
    stage.send(address, line, to=seat_address(stage, address))
    stage.send(address, "confirm", to=stage.inbox(address)[-1].reply_to, vouched=False)


def filed(stage: JudgeUnderTest, power: str) -> list[str]:
    """The orders in force for a power of baltic."""
    sheet = stage.game("baltic").sheets.get(power)
    return [line.order for line in sheet.lines] if sheet else []


def kind_of(letter: ReceivedLetter) -> str:
    """Which kind of letter it is."""
    return letter.header("X-Judge-Kind")

"""A judge with a running zine, for tests of its desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from judge.config import Config
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import rehearsal_config

EDITOR, OPERATOR, ANNA = "editor@zine.test", "root@judge.test", "anna@readers.test"
HARRY, TED = "harry@hand.test", "ted@pub.test"
KEY = "electronic-protocol"
ADDRESS = f"judge+zine-{KEY}@judge.test"
THURSDAY = datetime(2027, 1, 7, 9, tzinfo=UTC)


def staffed(var: Path) -> Config:
    """A judge that somebody runs."""
    return replace(rehearsal_config(var), operator=OPERATOR)


def running(folder: Path, *lines: str, start: datetime = THURSDAY) -> LocalJudge:
    """A zine whose next number is 96, one reader, and what its editor says besides."""
    stage = LocalJudge(folder, start=start, config=staffed)
    stage.begin()
    stage.send(EDITOR, 'zine new "Electronic Protocol"')
    stage.send(OPERATOR, "yes", to=stage.inbox(OPERATOR)[-1].reply_to)
    stage.send(ANNA, f"subscribe {KEY}")
    stage.send(EDITOR, "\n".join(("zine number 96", *lines)))
    return stage


def issues(stage: LocalJudge, address: str) -> list[ReceivedLetter]:
    """The mails in which somebody got an issue."""
    return [letter for letter in stage.inbox(address) if letter.header("X-Judge-Kind") == "zine-issue"]


def answer(stage: LocalJudge, sender: str, text: str, **facts: object) -> str:
    """What the judge answers to a mail, in one line."""
    before = len(stage.inbox(sender))
    stage.send(sender, text, **facts)  # type: ignore[arg-type]
    letters: Sequence[ReceivedLetter] = stage.inbox(sender)[before:]
    return " ".join(" ".join(letter.text.split()) for letter in letters)

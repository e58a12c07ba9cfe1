"""A source of mail that cannot be reached for long is told to the operator, before any deadline needs it."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

from judge.daemon.alarm import SILENT_FOR, Silence
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.transport.ports import Knows
from tests.service.conftest import OPERATOR


class Account:
    """A source that last answered so long ago; None: it never did."""

    name = "imap:main"
    mailbox = ""

    def __init__(self, silent: timedelta | None) -> None:
        self.silent = silent

    def poll_once(self) -> int:
        return 0

    def run(self, stop: threading.Event, /) -> None:
        stop.wait()

    def recall(self, since: datetime, knows: Knows, /) -> int:
        return 0

    def silent_for(self) -> float | None:
        return None if self.silent is None else self.silent.total_seconds()


def told(stage: LocalJudge) -> list[ReceivedLetter]:
    stage.settle()
    return [letter for letter in stage.inbox(OPERATOR) if "cannot be fetched" in letter.subject]


def test_the_operator_hears_of_it_once_a_day_until_it_is_mended(table: LocalJudge) -> None:
    silence, account = Silence(table.now), Account(SILENT_FOR - timedelta(seconds=1))
    silence.look(table.judge, [account])
    assert told(table) == []
    account.silent = SILENT_FOR
    for _ in range(3):
        silence.look(table.judge, [account])
    (letter,) = told(table)
    assert "60 minutes" in " ".join(letter.text.split()) and "imap:main" in letter.subject
    table.advance(timedelta(days=1))
    silence.look(table.judge, [account])
    assert len(told(table)) == 2
    account.silent = timedelta(0)
    table.advance(timedelta(days=1))
    silence.look(table.judge, [account])
    assert len(told(table)) == 2


def test_what_never_answered_counts_from_our_start(table: LocalJudge) -> None:
    silence, account = Silence(table.now), Account(None)
    silence.look(table.judge, [account])
    assert told(table) == []
    table.advance(SILENT_FOR)
    silence.look(table.judge, [account])
    assert len(told(table)) == 1


def test_a_restart_tells_it_no_second_time(table: LocalJudge) -> None:
    account = Account(SILENT_FOR)
    for _ in range(2):
        Silence(table.now).look(table.judge, [account])
    assert len(told(table)) == 1

"""The loops of the daemon: whatever one of them falls over, it begins again and the log says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.daemon.running import Daemon
from judge.service.core.house import open_house
from judge.store import StoreTrouble
from judge.testing.theatre import rehearsal_config

PATIENCE = 60.0


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    house = open_house(replace(rehearsal_config(tmp_path), smtp_listen=""), upgrade=True, careless=True)
    daemon = Daemon(house)
    yield daemon
    daemon.stop()


@pytest.mark.parametrize("trouble", [KeyError("anna@x.test"), StoreTrouble("the disk is full")])
def test_a_loop_that_falls_is_named_and_begins_again(
    daemon: Daemon, caplog: pytest.LogCaptureFixture, trouble: Exception
) -> None:
    begun: list[Exception] = []

    def run() -> None:
        begun.append(trouble)
        if len(begun) == 1:
            raise trouble
        daemon.ask_to_stop()

    daemon._spawn("watch", run)
    daemon._threads[-1].join(PATIENCE)
    assert len(begun) == 2 and not daemon._threads[-1].is_alive()
    (record,) = (record for record in caplog.records if record.name == "judge.daemon")
    assert record.levelname == "ERROR" and record.threadName == "watch"

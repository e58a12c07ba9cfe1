"""The operator's own command hears at once what no letter of ours could tell."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.daemon.alarm import Alarm
from judge.daemon.running import Daemon
from judge.service.core.judge import open_judge
from judge.testing.under_test import rehearsal_config

NOON = datetime(2027, 1, 8, 12, tzinfo=UTC)
DAMAGE, RELAY = "the database is damaged", "nothing is sent: 535"


def test_each_finding_once_and_again_the_next_day() -> None:
    told: list[bytes] = []

    def run(command: Sequence[str], text: bytes) -> int:
        assert command == ("pager", "7")
        told.append(text)
        return 0

    alarm = Alarm(("pager", "7"), "Judge", run=run)
    alarm.look([], NOON)
    assert told == []
    alarm.look([DAMAGE], NOON)
    alarm.look([DAMAGE], NOON + timedelta(minutes=1))
    assert len(told) == 1 and told[0].startswith(b"Subject: Judge needs you\n\n") and DAMAGE.encode() in told[0]
    alarm.look([DAMAGE, RELAY], NOON + timedelta(minutes=2))
    assert len(told) == 2 and RELAY.encode() in told[1] and DAMAGE.encode() not in told[1]
    alarm.look([DAMAGE], NOON + timedelta(days=1))
    assert len(told) == 3
    alarm.look([], NOON + timedelta(days=1, minutes=1))
    alarm.look([DAMAGE], NOON + timedelta(days=1, minutes=2))
    assert len(told) == 4, "what was mended and comes back is new"


@pytest.mark.parametrize("trouble", [FileNotFoundError("no pager"), subprocess.TimeoutExpired("pager", 30), None])
def test_its_own_trouble_disturbs_nothing(trouble: Exception | None, caplog: pytest.LogCaptureFixture) -> None:
    def run(_command: Sequence[str], _text: bytes) -> int:
        if trouble is not None:
            raise trouble
        return 1

    Alarm(("pager",), "Judge", run=run).look([DAMAGE], NOON)
    assert "alarm command" in caplog.text


def test_what_was_not_heard_is_said_again_before_the_day_is_over() -> None:
    codes = [0, 75, 75]
    heard: list[int] = []

    def run(_command: Sequence[str], _text: bytes) -> int:
        heard.append(codes.pop())
        return heard[-1]

    alarm = Alarm(("pager",), "Judge", run=run)
    for minute in range(60 * 20):
        alarm.look([DAMAGE], NOON + timedelta(minutes=minute))
        assert minute > 60 or len(heard) <= 1 + minute // 5, "not with every sweep"
    assert heard == [75, 75, 0], "twice in vain, then heard, then quiet for the day"


def test_a_daemon_whose_relay_refuses_it_rings(tmp_path: Path) -> None:
    out = tmp_path / "rung"
    program = f"import sys; open({str(out)!r}, 'w').write(sys.stdin.read())"
    config = replace(rehearsal_config(tmp_path), smtp_listen="", alarm=(sys.executable, "-c", program))
    daemon = Daemon(open_judge(config, upgrade=True, careless=True))
    try:
        daemon.beat()
        assert not out.exists()
        with daemon.judge.store.write() as unit:
            unit.outbox.pause("535 authentication failed")
        daemon.beat()
        assert "535 authentication failed" in out.read_text() and "judge outbox resume" in out.read_text()
    finally:
        daemon.stop()

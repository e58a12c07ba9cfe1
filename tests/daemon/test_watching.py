"""What monitoring is told: alive, ready, and figures that name nobody."""

from __future__ import annotations

import json
import os
import re
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families

from judge.cli import cli
from judge.daemon.continuity import Alone, lock_of
from judge.daemon.running import Daemon
from judge.daemon.watching import watch_listener
from judge.service.core.judge import open_judge
from judge.service.upkeep.backups import HEARTBEAT, RECALLING, go_on_from
from judge.store.backup import TAKEN_AT
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import rehearsal_config
from judge.transport.listener import CannotListen
from judge.transport.ports import Knows, SourceUnreachable
from tests.support.standing import seated

FRANCE = player_of("FRANCE")


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon with a game on which orders came in, started."""
    stage = seated(tmp_path)
    stage.begin()
    stage.send(FRANCE, "A Par - Bur", subject="baltic")
    stage.close()
    config = replace(rehearsal_config(tmp_path), smtp_listen="", health_listen="127.0.0.1:0", pictures=False)
    running = Daemon(open_judge(config, clock=stage.clock, careless=True))
    running.start()
    yield running
    running.stop()


def ask(daemon: Daemon, path: str, method: str = "GET") -> tuple[int, bytes]:
    request = urllib.request.Request(f"http://{daemon.wires.endpoints['health']}{path}", method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_a_judge_that_runs_is_alive_and_ready(daemon: Daemon) -> None:
    for path in ("/health", "/health/live", "/health/ready"):
        code, body = ask(daemon, path)
        assert (code, json.loads(body)) == (200, {"live": True, "ready": True, "findings": []})


@pytest.mark.parametrize("trouble", ["closed door", "paused outbox"])
def test_one_that_cannot_work_says_why_and_is_not_to_be_killed_for_it(daemon: Daemon, trouble: str) -> None:
    if trouble == "closed door":
        daemon.door.closed = "the judge's database is damaged; its operator has to restore a backup"
    else:
        with daemon.judge.store.write() as unit:
            unit.outbox.pause("535 authentication failed")
    code, body = ask(daemon, "/health/ready")
    facts = json.loads(body)
    assert code == 503 and not facts["ready"]
    assert "restore a backup" in facts["findings"][0] or "judge outbox resume" in facts["findings"][0]
    assert ask(daemon, "/health/live")[0] == 200


def test_one_whose_sweep_gives_no_sign_is_not_alive(daemon: Daemon) -> None:
    daemon._pulse -= 10_000
    assert ask(daemon, "/health/live")[0] == 503
    assert json.loads(ask(daemon, "/health")[1])["live"] is False


def figures(daemon: Daemon) -> dict[str, Any]:
    code, body = ask(daemon, "/metrics")
    assert code == 200
    return {
        f"{sample.name}{''.join(f'/{value}' for value in sample.labels.values())}": sample.value
        for family in text_string_to_metric_families(body.decode())
        for sample in family.samples
    }


def test_the_figures(daemon: Daemon) -> None:
    found = figures(daemon)
    assert found["judge_mails/processed"] == 1 and found["judge_games/running"] == 1
    assert found["judge_deliveries/failed"] == 0, "a rise from nothing is seen only where there was a nothing"
    assert found["judge_queue_length/new"] == 0 == found["judge_queue_length/outbox"]
    assert found["judge_outbox_paused"] == 0 == found["judge_turns_late"]
    assert found["judge_memory_bytes"] > 1e6 and found["judge_open_files"] > 3
    assert found["judge_database_wait_seconds_count"] > 0
    assert "judge_backup_age_seconds" not in found, "there never was one"


def test_an_answer_that_went_out_is_measured(tmp_path: Path) -> None:
    waits: list[float] = []
    stage = LocalJudge(tmp_path)
    stage._carrier.sending._answered = lambda wait: waits.append(wait.total_seconds())
    seat_everybody(stage, "baltic")
    stage.begin()
    assert waits == [], "letters that answer nobody are no answers"
    stage.send(FRANCE, "A Par - Bur", subject="baltic")
    assert waits == [0.0]
    stage.close()


def test_the_figures_name_nobody(daemon: Daemon) -> None:
    text = ask(daemon, "/metrics")[1].decode()
    for word in ("players.test", "baltic", "FRANCE", "france"):
        assert word not in text


def test_other_questions(daemon: Daemon) -> None:
    assert ask(daemon, "/etc/passwd")[0] == 404
    assert ask(daemon, "/metrics", "POST")[0] == 405


def test_a_place_that_is_taken(daemon: Daemon) -> None:
    with pytest.raises(CannotListen, match="already in use"):
        watch_listener(str(daemon.wires.endpoints["health"]), alive=bool, findings=list, figures=bytes).start()


def test_judge_health_asks_the_running_judge(daemon: Daemon) -> None:
    var = daemon.judge.config.var
    (var / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n[health]\nlisten = "127.0.0.1:1"\n')

    def health(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(cli, ["--config", str(var / "judge.toml"), "health", *words])
        return result.exit_code, result.output

    assert health() == (0, "ready\n")
    daemon.door.closed = "the disk is full"
    assert health() == (1, "alive, not ready\n  the disk is full\n")
    assert json.loads(health("--json")[1])["findings"] == ["the disk is full"]
    (var / "listen.json").unlink()
    code, said = health()
    assert code == 1 and "NOT ALIVE" in said and "judge run" in said
    (running := Alone(lock_of(daemon.judge.config))).take()
    assert "a judge runs and does not answer" in health()[1], "as if health.listen was set a minute ago"
    running.free()


@pytest.mark.parametrize(
    ("seen", "began", "says"),
    [
        (None, None, "no judge runs: it never ran on this database"),
        (20, None, "no judge runs: its last sign of life is of"),  # it was stopped half a minute ago
        (20, 3600, "ready"),
        (None, 5, "alive, not ready\n  it has just been started"),
        (900, 5, "alive, not ready\n  it has just been started"),
        (900, 3600, "a judge runs and does nothing"),
    ],
)
def test_without_a_listener_it_counts_who_runs_and_the_last_sign_of_life(
    tmp_path: Path, seen: int | None, began: int | None, says: str
) -> None:
    (tmp_path / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n')
    config = replace(rehearsal_config(tmp_path))
    with closing(open_judge(config, upgrade=True)) as judge, judge.store.write() as unit:
        now = judge.clock.now()
        if seen is not None:
            unit.meta.set(HEARTBEAT, (now - timedelta(seconds=seen)).isoformat())
    running = Alone(lock_of(config))
    if began is not None:
        running.take()
        os.utime(lock_of(config), (now.timestamp() - began,) * 2)
    result = CliRunner().invoke(cli, ["--config", str(tmp_path / "judge.toml"), "health"])
    running.free()
    assert says in result.output and result.exit_code == (says != "ready"), result.output


def test_a_restored_judge_turns_no_page_before_its_mail_was_asked_for(daemon: Daemon, tmp_path: Path) -> None:
    """And its findings say so; then everybody is told, and it is ready."""
    go_on_from(daemon.judge)
    daemon._check_marker()
    daemon.wires.sources.append(box := Mailbox())
    box.reached = False
    daemon.beat()
    assert daemon._surroundings().stopped == RECALLING and daemon.findings() == [RECALLING]
    assert not box.running.is_set(), "newer mail would be heard before what it follows"
    box.reached = True
    daemon.beat()
    assert daemon.findings() == [] and not daemon._surroundings().stopped
    assert box.running.wait(60)
    with daemon.judge.store.read() as view:
        assert view.outbox.list(kind="notice", limit=100), "the table was told"


MONITORING = Path(__file__).parents[2] / "deploy" / "monitoring"
LABELLED = re.compile(r'\b(judge_[a-z_]+)\{\w+="([^"]+)"\}')
NAMES = re.compile(r"\b(?:judge|process)_[a-z_]+\b")


@pytest.mark.parametrize("file", ["alerts.yml", "grafana.json"])
def test_every_figure_that_the_files_ask_for_exists(daemon: Daemon, file: str) -> None:
    """A dashboard of figures that nobody gives is empty, and an alert on one is silent for ever."""
    with daemon.judge.store.write() as unit:
        unit.meta.set(TAKEN_AT, daemon.judge.clock.now().isoformat())
    daemon.wires.sources.append(Mailbox())
    given = {name.partition("/")[0] for name in figures(daemon)}
    text = (MONITORING / file).read_text("utf-8")
    asked = set(NAMES.findall(text))
    assert all(name.startswith("judge_") for name in asked), "the service sees nothing of /proc that others would need"
    assert asked - given == set() and len(asked) > 8
    values = {f"{name}/{value}" for name, value in LABELLED.findall(text.replace('\\"', '"'))}
    assert values - set(figures(daemon)) == set()


class Mailbox:
    """A source that was read a minute ago."""

    name = "imap:main"
    mailbox = ""
    reached = True

    def __init__(self) -> None:
        self.running = threading.Event()

    def poll_once(self) -> int:
        return 0

    def run(self, stop: threading.Event, /) -> None:
        self.running.set()
        stop.wait()

    def recall(self, since: datetime, knows: Knows, /) -> int:
        if not self.reached:
            raise SourceUnreachable("imap:main: no route to host")
        return 0

    def silent_for(self) -> float | None:
        return 60.0

"""The alert rules and the dashboard in a real Prometheus: each alert fires for its trouble, no graph is empty."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.daemon.running import Daemon
from judge.service.core.judge import open_judge
from judge.store.backup import TAKEN_AT
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import rehearsal_config
from tests.wires.conftest import free_ports, listens, until

pytestmark = pytest.mark.wires

HERE = Path(__file__).parent
MONITORING = HERE.parents[1] / "deploy" / "monitoring"
RULES = (MONITORING / "alerts.yml").read_text("utf-8")

NEEDS_A_SOURCE = "judge_source_silent_seconds"
"""Empty where no mail is fetched, as here; `tests/daemon/test_watching.py` sees it with a mailbox."""


@pytest.fixture(scope="module")
def promtool() -> str:
    if (found := shutil.which("promtool")) is not None:
        return found
    missing = "promtool missing (tests/wires/install.sh brings it)"
    if os.environ.get("JUDGE_WIRES") == "require":
        pytest.fail(missing)
    pytest.skip(f"WIRES SKIPPED: {missing}")


CHECKS = (
    ("check", "rules", MONITORING / "alerts.yml"),
    ("check", "config", "--syntax-only", MONITORING / "prometheus.yml"),
    ("test", "rules", HERE / "alerts.test.yml"),
)


@pytest.mark.parametrize("words", CHECKS, ids=["rules", "config", "troubles"])
def test_the_files_are_right_and_each_trouble_has_its_alert(promtool: str, words: tuple[str | Path, ...]) -> None:
    done = subprocess.run([promtool, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_alert_is_without_its_trouble() -> None:
    alerts = re.findall(r"- alert: (\w+)", RULES)
    text = (HERE / "alerts.test.yml").read_text("utf-8")
    assert len(alerts) > 10
    for alert in alerts:
        assert f"alertname: {alert}, exp_alerts: []" in text and f"- name: {alert}\n" in text, alert


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A judge that has answered a mail, and was backed up an hour ago."""
    stage = LocalJudge(tmp_path)
    seat_everybody(stage, "baltic")
    stage.begin()
    stage.send(player_of("FRANCE"), "A Par - Bur", subject="baltic")
    with stage.judge.store.write() as unit:
        unit.meta.set(TAKEN_AT, (stage.now - timedelta(hours=1)).isoformat())
    stage.close()
    config = replace(rehearsal_config(tmp_path), smtp_listen="", health_listen="127.0.0.1:0", pictures=False)
    running = Daemon(open_judge(config, clock=stage.clock, careless=True))
    running.start()
    running.measures.answered(timedelta(seconds=3))
    yield running
    running.stop()


@pytest.fixture
def prometheus(promtool: str, daemon: Daemon, tmp_path: Path) -> Iterator[str]:
    """Where a Prometheus answers that asks this judge twice a second, by our own job and rules."""
    job = (MONITORING / "prometheus.yml").read_text("utf-8").replace("@HEALTH@", str(daemon.wires.endpoints["health"]))
    (tmp_path / "prometheus.yml").write_text(f"global: {{scrape_interval: 500ms, evaluation_interval: 1s}}\n{job}")
    (tmp_path / "alerts.yml").write_text(RULES)
    (port,) = free_ports(1)
    with open(tmp_path / "prometheus.log", "wb") as log:
        server = subprocess.Popen(
            ["prometheus", f"--config.file={tmp_path / 'prometheus.yml'}", f"--storage.tsdb.path={tmp_path / 'tsdb'}",
             f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log,
        )  # fmt: skip
    try:
        until(lambda: listens(port) and ready(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(60)


def ready(port: int) -> bool:
    """Whether this Prometheus has read what it needs; one that only listens answers 503."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=30).close()
    except urllib.error.HTTPError:
        return False
    return True


def asked_for() -> list[str]:
    """Every expression of dashboard and alerts, without what it is compared with."""
    panels = json.loads((MONITORING / "grafana.json").read_text("utf-8"))["panels"]
    graphs = [target["expr"] for panel in panels for target in panel.get("targets", ())]
    alerts = re.findall(r"^ +expr: (.+)$", RULES, re.MULTILINE)
    sides = [re.split(r" (?:>|<|==) ", alert.partition(" or ")[0])[0] for alert in alerts]
    return sorted({*graphs, *sides} - {NEEDS_A_SOURCE})


def results(prometheus: str, expression: str) -> list[object]:
    query = urllib.parse.urlencode({"query": expression})
    with urllib.request.urlopen(f"{prometheus}/api/v1/query?{query}", timeout=30) as answer:
        found: list[object] = json.load(answer)["data"]["result"]
    return found


def test_every_graph_and_alert_has_figures(prometheus: str) -> None:
    expressions = asked_for()
    assert len(expressions) > 15
    until(lambda: len(results(prometheus, 'count_over_time(up{job="judge"}[1m]) > 3')) == 1)
    assert [expression for expression in expressions if not results(prometheus, expression)] == []
    until(lambda: not results(prometheus, "ALERTS"))  # one may be pending from before the first figures came

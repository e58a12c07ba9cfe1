"""`judge health`: is the judge alive and ready? For scripts and containers; `judge doctor` looks deeper."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from datetime import datetime, timedelta
from typing import Any

import click

from judge.cli.common import configured, json_option, judge, say_json
from judge.config import Config
from judge.daemon.continuity import running_since
from judge.service.upkeep.backups import HEARTBEAT

RECENT = timedelta(minutes=2)
"""A daemon notes every half minute that it lives."""


@click.command("health")
@json_option
@click.pass_context
def health_command(context: click.Context, *, as_json: bool) -> None:
    """Whether the judge is alive and ready; exit 1 if not, with what to do.

    Asks the running judge where health.listen is set, else looks whether one runs, and for its last sign of life.
    """
    config = configured(context)
    facts = _asked(config) or _last_sign(context)
    if as_json:
        say_json(facts)
    else:
        click.echo("ready" if facts["ready"] else "alive, not ready" if facts["live"] else "NOT ALIVE")
        for finding in facts["findings"]:
            click.echo(f"  {finding}")
    if not facts["ready"]:
        context.exit(1)


def _asked(config: Config) -> dict[str, Any] | None:
    """What the running judge says of itself; None where it was not told to."""
    try:
        places = json.loads((config.var / "listen.json").read_text("utf-8"))
    except (OSError, ValueError):
        places = {}
    where = places.get("health") or config.health_listen
    if not config.health_listen or not where:
        return None
    try:
        with urllib.request.urlopen(f"http://{where}/health", timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
    except urllib.error.HTTPError as error:
        found = json.load(error)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        if running_since(config) is not None:
            return _not_ready(f"a judge runs and does not answer on {where} ({reason}); systemctl restart judge")
        return _not_ready(f"nobody answers on {where} ({reason}); systemctl start judge, or judge run")
    return found


def _last_sign(context: click.Context) -> dict[str, Any]:
    with judge(context) as home, home.store.read() as view:
        seen, paused = view.meta.get(HEARTBEAT), view.outbox.paused()
        now, began = home.clock.now(), running_since(home.config)
    age = now - datetime.fromisoformat(seen) if seen else None
    last = f"its last sign of life is of {seen[:16]} UTC" if seen else "it never ran on this database"
    if began is None:
        return _not_ready(f"no judge runs: {last}; systemctl start judge, or judge run")
    if age is None or age > RECENT:
        if now - began <= RECENT:
            return _not_ready("it has just been started", live=True)
        return _not_ready(f"a judge runs and does nothing: {last}; systemctl restart judge")
    findings = [f"nothing is sent: {paused}; when that is mended: judge outbox resume"] if paused else []
    return {"live": True, "ready": not findings, "findings": findings, "seconds": int(age.total_seconds())}


def _not_ready(finding: str, *, live: bool = False) -> dict[str, Any]:
    return {"live": live, "ready": False, "findings": [finding]}

"""Memory of a real judge process (`judge run`) with many running games in its database.

python -m tests.bench.memory [GAMES ...]      (default: 10 100 1000)

Three looks at each: after the start, after a mail of orders to every tenth game, and at its highest. The customer's
limit is 200 MB with 1,000 games stored.
"""

from __future__ import annotations

import json
import os
import re
import signal
import smtplib
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from judge.store import open_store
from judge.store.rows import MailState
from tests.bench.full_judge import open_full_judge, order_mail, seat_addresses

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
HEAD = " games   after start MB   after orders MB   highest MB"


def resident(process: int, field: str) -> float:
    """VmRSS or VmHWM of a process in MB (proc(5))."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = re.search(rf"{field}:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


def measure(games: int) -> str:
    """One row of the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        judge = open_full_judge(folder, games)
        mails = seat_addresses(judge)[::70]
        database = judge.config.database
        judge.close()
        (folder / "judge.toml").write_text(
            f'[judge]\ndomain = "{judge.config.domain}"\n[paths]\nvar = "{folder}"\n[smtp]\nlisten = "127.0.0.1:0"\n',
            encoding="utf-8",
        )
        run = "import sys; from judge.cli import main; sys.exit(main())"
        daemon = subprocess.Popen(
            [sys.executable, "-c", run, "--config", str(folder / "judge.toml"), "run"],
            env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            port = _port(folder)
            time.sleep(2)
            first = resident(daemon.pid, "VmRSS")
            _send(port, mails)
            _wait_for(database, len(mails))
            return (
                f"{games:6} {first:16.0f} {resident(daemon.pid, 'VmRSS'):17.0f} {resident(daemon.pid, 'VmHWM'):12.0f}"
            )
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.wait(PATIENCE)


def _port(folder: Path) -> int:
    listening = folder / "listen.json"
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if listening.exists() and listening.read_text(encoding="utf-8").strip():
            return int(json.loads(listening.read_text(encoding="utf-8"))["smtp"].rpartition(":")[2])
        time.sleep(0.1)
    raise RuntimeError("the daemon does not listen")


def _send(port: int, mails: list[tuple[str, str, str]]) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as line:
        for number, (sender, token, _) in enumerate(mails, start=1):
            line.sendmail(sender, [token], order_mail(number, sender, token, ["A Vie - Gal", "A Bud - Ser", "status"]))


def _wait_for(database: str, mails: int) -> None:
    store = open_store(database, migrations=ROOT / "migrations")
    end = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end:
            with store.read() as view:
                counts = view.inbox.counts()
            if sum(counts.values()) >= mails and not counts.get(MailState.NEW):
                return
            time.sleep(0.2)
    finally:
        store.close()
    raise RuntimeError("the daemon does not come to rest")


def main() -> None:
    print(HEAD)
    for games in [int(word) for word in sys.argv[1:]] or [10, 100, 1000]:
        print(measure(games), flush=True)


if __name__ == "__main__":
    main()

"""One daemon a database: the second is told who runs already; death frees the lock; everything else works beside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.config import Config
from judge.daemon.continuity import Alone, NotAlone, lock_of

PATIENCE = 60.0


def test_a_second_lock_names_the_process_that_has_the_first(tmp_path: Path) -> None:
    first, second = Alone(tmp_path / "judge.db.lock"), Alone(tmp_path / "judge.db.lock")
    first.take()
    with pytest.raises(NotAlone, match=f"process {os.getpid()} holds .*judge.db.lock.; stop it first"):
        second.take()
    first.free()
    second.take()
    second.free()


def test_the_lock_lies_beside_the_database_whatever_it_is_called(tmp_path: Path) -> None:
    config = Config(var=tmp_path / "var")
    assert lock_of(config) == tmp_path / "var" / "judge.db.lock"
    (tmp_path / "var").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "var")
    assert lock_of(replace(config, store_url=f"sqlite:///{tmp_path}/link/judge.db")) == lock_of(config)


def start(home: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "judge.cli", "--config", str(home / "judge.toml"), "run"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def judge(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "judge.cli", "--config", str(home / "judge.toml"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, input="help\n")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n[smtp]\nlisten = "127.0.0.1:0"\n')
    return tmp_path


@pytest.fixture
def daemon(home: Path) -> Iterator[subprocess.Popen[str]]:
    with start(home) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Listening")
        yield process
        process.kill()


def test_two_daemons_do_not_run_on_one_database(home: Path, daemon: subprocess.Popen[str]) -> None:
    second = judge(home, "run")
    assert second.returncode == 1
    assert second.stderr == (
        f"Error: another judge runs on this database already (process {daemon.pid} holds {home / 'judge.db.lock'}); "
        "stop it first, or give this one a configuration of its own (another paths.var, or another store.url)\n"
    )


def test_the_other_commands_work_beside_a_daemon(home: Path, daemon: subprocess.Popen[str]) -> None:
    assert judge(home, "gm", "add", "gm@x.test").returncode == 0
    assert judge(home, "feed", "--rcpt", "judge@judge.test").returncode == 0
    for words in (["quarantine", "list"], ["outbox", "list"], ["game", "list"], ["db", "check"], ["doctor"]):
        assert judge(home, *words).returncode == 0, words


def test_death_frees_the_lock(home: Path, daemon: subprocess.Popen[str]) -> None:
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.wait(PATIENCE)
    with start(home) as heir:
        assert heir.stdout is not None
        assert heir.stdout.readline().startswith("Listening")
        heir.send_signal(signal.SIGTERM)
        assert heir.wait(PATIENCE) == 0


def test_what_a_daemon_makes_is_its_owners_alone(home: Path, daemon: subprocess.Popen[str]) -> None:
    judge(home, "gm", "add", "gm@x.test")
    assert judge(home, "mail", "--from", "gm@x.test", "help").returncode == 0
    until = time.monotonic() + PATIENCE
    while not list(home.glob("mail/**/*judge*")) and time.monotonic() < until:
        time.sleep(0.05)
    made = [path for path in home.rglob("*") if path.name != "judge.toml"]
    assert {"judge.db", "judge.db-wal", "judge.db-shm", "judge.db.lock", "listen.json", "generation.json", "mail"} <= {
        path.name for path in made
    }
    assert [path for path in made if path.stat().st_mode & 0o077] == []

"""The judge as a systemd service: the unit is right and tight, and the daemon says what systemd waits for."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.daemon.watching import Manager

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "deploy" / "systemd" / "judge.service"

analyze = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(analyze is None, reason="no systemd-analyze here")


# --- the unit -----------------------------------------------------------------------------------------------------


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a command that is there."""
    path = tmp_path / "judge.service"
    text = UNIT.read_text().replace("/usr/local/bin/judge", sys.executable)
    path.write_text(re.sub(r"^Documentation=.*\n", "", text, flags=re.MULTILINE))  # the man page is not installed here
    return path


@needs_systemd
def test_systemd_finds_nothing_wrong_with_the_unit(unit: Path) -> None:
    done = subprocess.run([str(analyze), "verify", "--recursive-errors=no", str(unit)], capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@needs_systemd
def test_what_it_is_open_to_is_next_to_nothing(unit: Path) -> None:
    done = subprocess.run([str(analyze), "security", "--offline=yes", str(unit)], capture_output=True, text=True)
    level = re.search(r"Overall exposure level for judge.service: ([\d.]+)", done.stdout)
    assert level is not None, done.stdout + done.stderr
    assert float(level[1]) <= 1.2, "0 is shut, 10 is open"


def test_the_unit_restarts_what_fails_and_keeps_a_place_for_its_data() -> None:
    lines = UNIT.read_text().splitlines()
    for line in ("Type=notify", "Restart=on-failure", "StateDirectory=judge", "ProtectSystem=strict", "User=judge"):
        assert line in lines


def test_it_comes_back_by_itself_however_long_the_harm_lasted() -> None:
    """A disk that was full for an hour, or a mistake mended after ten tries: no start is refused as one too many."""
    lines = UNIT.read_text().splitlines()
    assert "StartLimitIntervalSec=0" in lines
    assert not any(line.startswith(("StartLimitBurst=", "RestartPreventExitStatus=")) for line in lines)
    pause = next(int(line.partition("=")[2]) for line in lines if line.startswith("RestartSec="))
    assert 10 <= pause <= 60, "each try costs a second or two of a processor; mail waits meanwhile"


def test_the_alarm_of_the_example_is_one_that_the_service_can_ring() -> None:
    """Postfix's sendmail starts a set-gid program and lists the machine's addresses: the sandbox lets it do neither."""
    [example] = re.findall(r"^#   Example: alarm = (.*)$", (ROOT / "deploy" / "judge.toml").read_text(), re.MULTILINE)
    lines = UNIT.read_text().splitlines()
    assert "NoNewPrivileges=yes" in lines and not any("AF_NETLINK" in line for line in lines)
    assert "sendmail" not in example and "smtp://" in example


# --- what systemd is told -----------------------------------------------------------------------------------------


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """A service manager's end of the wire."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(str(tmp_path / "notify"))
        wire.settimeout(60)
        yield wire


def heard(manager: socket.socket, word: str) -> str:
    """The next message that has this word."""
    while True:
        said = manager.recv(4096).decode()
        if word in said:
            return said


def test_a_running_judge_says_that_it_is_ready_alive_and_stopping(manager: socket.socket, tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n[smtp]\nlisten = "127.0.0.1:0"\n')
    told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
    command = [sys.executable, "-m", "judge.cli", "--config", str(tmp_path / "judge.toml"), "run"]
    with subprocess.Popen(command, env={**os.environ, **told}, cwd=ROOT, stdout=subprocess.DEVNULL) as running:
        try:
            assert re.search(r"^STATUS=taking mail: smtp on 127.0.0.1:\d+$", heard(manager, "READY=1"), re.MULTILINE)
            heard(manager, "WATCHDOG=1")
            heard(manager, "WATCHDOG=1")
            running.send_signal(signal.SIGTERM)
            heard(manager, "STOPPING=1")
            assert running.wait(60) == 0
        finally:
            running.kill()


def test_a_judge_that_is_stuck_says_nothing_more(manager: socket.socket, tmp_path: Path) -> None:
    now = [1000.0]
    told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "120000000"}
    judge = Manager(told, monotonic=lambda: now[0])
    judge.watch(lambda: True)
    assert manager.recv(100) == b"WATCHDOG=1"
    now[0] += 41
    judge.watch(lambda: False)
    judge.ready("waiting")
    assert manager.recv(100).startswith(b"READY=1"), "no sign of life came before"


def test_signs_of_life_come_three_times_as_often_as_needed(manager: socket.socket, tmp_path: Path) -> None:
    now = [1000.0]
    told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "120000000"}
    judge = Manager(told, monotonic=lambda: now[0])
    signs = 0
    manager.setblocking(False)
    for _ in range(240):
        now[0] += 0.5
        judge.watch(lambda: True)
        try:
            signs += manager.recv(100) == b"WATCHDOG=1"
        except BlockingIOError:
            continue
    assert signs == 3


@pytest.mark.parametrize(
    "environ",
    [{}, {"WATCHDOG_USEC": "1"}, {"NOTIFY_SOCKET": "/nowhere/at/all"}, {"NOTIFY_SOCKET": "@judge-test-nobody"}],
    ids=["none", "no socket", "no manager", "abstract"],
)
def test_without_a_manager_nothing_happens(environ: dict[str, str]) -> None:
    judge = Manager(environ)
    judge.starting("x")
    judge.ready("x")
    judge.watch(lambda: True)
    judge.stopping()


def test_another_process_watchdog_is_not_ours(manager: socket.socket, tmp_path: Path) -> None:
    told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1"}
    Manager(told, monotonic=time.monotonic).watch(lambda: True)
    manager.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager.recv(100)

"""Real servers for the integration set: a Dovecot and a Postfix of our own, on free loopback ports, in one folder.

They need root and the Debian packages that `tests/wires/install.sh` brings. Where they are missing the tests are
skipped and the last line of the run says so; with `JUDGE_WIRES=require` in the environment that is a failure instead.
"""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from imapclient import IMAPClient

from judge.cli.init import facts_of, filled
from judge.config import Config
from judge.testing.sink import SinkServer
from judge.testing.under_test import AUTHSERV
from judge.transport.imap_in import ImapAccount
from judge.transport.smtp_out import RelayServer
from tests.support.chromium import AXE, Tab, axe_core, chromium
from tests.support.postgres import empty_database, running
from tests.support.postgres import missing as missing_postgres

HERE = Path(__file__).parent
PASSWORD = "secret"
_BINARIES = (
    "dovecot", "doveadm", "postfix", "postconf", "postqueue", "openssl", "opendkim", "opendmarc", "nginx",
)  # fmt: skip
_PORTS = ("IMAP", "IMAPS", "DOVECOT_LMTP", "SASL", "JUDGE_LMTP", "OUTSIDE", "MX", "RELAY", "SUBMISSION", "MILTER")
_skipped: list[str] = []


def until(what: Callable[[], bool], *, seconds: float = 60.0) -> None:
    """Wait for something that another process does; fails loudly."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


@dataclass
class Servers:
    """The running pair: where it listens, and how a test disturbs it."""

    run: Path
    ports: dict[str, int]
    outside: SinkServer

    def account(self, address: str, *, tls: bool = True) -> ImapAccount:
        """The mailbox of an address, for a judge to fetch from."""
        port = self.ports["IMAPS" if tls else "IMAP"]
        return ImapAccount(
            address, "localhost", address, PASSWORD, port, tls="tls" if tls else "starttls", context=self.trust()
        )

    def submission(self, user: str, *, password: str = PASSWORD) -> RelayServer:
        """The door for letters out: STARTTLS and a login."""
        return RelayServer("localhost", self.ports["SUBMISSION"], user, password, context=self.trust(), timeout=60.0)

    def trust(self) -> ssl.SSLContext:
        """What a client needs in order to believe our certificate."""
        return ssl.create_default_context(cafile=str(self.run / "cert.pem"))

    def folder(self, address: str, name: str) -> list[bytes]:
        """The mails that lie in a folder, as a mail program would see them."""
        with IMAPClient("localhost", self.ports["IMAPS"], ssl_context=self.trust()) as client:
            client.login(address, PASSWORD)
            client.select_folder(name, readonly=True)
            found = client.fetch(client.search("ALL"), ["BODY.PEEK[]"])
            return [found[uid][b"BODY[]"] for uid in sorted(found)]

    def queue_is_empty(self) -> bool:
        """Whether Postfix has delivered, returned or given up everything.

        Asked twice: a mail that moves from one queue into the other while both are listed is in neither listing.
        """
        look = ("postqueue", "-c", str(self.run / "postfix"), "-p")
        return all("Mail queue is empty" in _command(*look) for _ in range(2))

    def kill_sessions(self, address: str) -> int:
        """Kill the server processes that serve this user, the hard way; how many there were."""
        listing = self._doveadm("who", "-1", address).stdout
        pids = [int(pid) for pid in re.findall(r"\b(?:imap)\s+(\d+)\b", listing)]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        return len(pids)

    def forget_mailbox(self, address: str) -> None:
        """Remove a mailbox from the disk; Dovecot makes a new one with another UIDVALIDITY."""
        self._doveadm("kick", address)
        shutil.rmtree(self.run / "mail" / address, ignore_errors=True)
        # UIDVALIDITY counts in seconds.
        time.sleep(1.1)

    def stop_dovecot(self) -> None:
        """Dovecot goes away."""
        self._doveadm("stop")
        until(lambda: not listens(self.ports["IMAPS"]))

    def start_dovecot(self) -> None:
        """Dovecot comes (back)."""
        _command("dovecot", "-c", str(self.run / "dovecot.conf"))
        until(lambda: listens(self.ports["IMAPS"]))

    def start_postfix(self) -> None:
        """Postfix comes."""
        _command("postfix", "-c", str(self.run / "postfix"), "start")
        until(lambda: listens(self.ports["SUBMISSION"]))

    def stop_postfix(self) -> None:
        """Postfix goes away."""
        _command("postfix", "-c", str(self.run / "postfix"), "stop")

    def _doveadm(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [_find("doveadm"), "-c", str(self.run / "dovecot.conf"), *words],
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL, started once for all tests of a run; the URL of its databases, with the place of their name."""
    must_be_there(missing_postgres())
    with running() as server:
        yield server


def must_be_there(reason: str) -> None:
    """Skip what cannot be tested for this reason, if there is one, or fail where it is required."""
    if not reason:
        return
    if os.environ.get("JUDGE_WIRES") == "require":
        pytest.fail(reason)
    _skipped.append(reason)
    pytest.skip(f"WIRES SKIPPED: {reason}")


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database of it."""
    return empty_database(postgres)


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """The pair, started once for all tests of a run."""
    reason = _missing()
    if reason is not None:
        if os.environ.get("JUDGE_WIRES") == "require":
            pytest.fail(f"the integration set is required here, but {reason}")
        _skipped.append(reason)
        pytest.skip(f"WIRES SKIPPED: {reason}")
    # Unix sockets want short paths, and the servers' own users must be able to get there.
    run = Path(tempfile.mkdtemp(prefix="wires-", dir="/tmp"))
    run.chmod(0o755)
    with SinkServer() as outside:
        pair = _lay_out(run, outside)
        try:
            pair.start_dovecot()
            pair.start_postfix()
            yield pair
        finally:
            pair.stop_postfix()
            pair.stop_dovecot()
            shutil.rmtree(run, ignore_errors=True)


@pytest.fixture(scope="session")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A page in a headless Chromium, one for all tests of a run."""
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next((found for name in names if (found := shutil.which(name)) is not None), None)
    if program is None:
        reason = "Chromium is missing (tests/wires/install.sh brings it)"
        if os.environ.get("JUDGE_WIRES") == "require":
            pytest.fail(reason)
        _skipped.append(reason)
        pytest.skip(f"WIRES SKIPPED: {reason}")
    with chromium(program, tmp_path_factory.mktemp("chromium")) as running:
        yield running


@pytest.fixture(scope="session")
def axe() -> str:
    """The rules of accessibility. They come from npm, which not every machine has or can reach: whoever lacks them is
    told that they were not tried, and everything else is.
    """
    script = axe_core()
    if not script:
        reason = f"{AXE} could not be fetched from npm: the rules of accessibility were not tried on any page"
        _skipped.append(reason)
        pytest.skip(f"WIRES SKIPPED: {reason}")
    return script


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test shows what the servers wrote last."""
    report = yield
    pair = getattr(item, "funcargs", {}).get("servers")
    if report.failed and isinstance(pair, Servers):
        for name in ("postfix.log", "dovecot.log"):
            lines = (pair.run / name).read_text(errors="replace").splitlines() if (pair.run / name).exists() else []
            report.sections.append((name, "\n".join(lines[-30:])))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly at the end what was not tested."""
    for reason in dict.fromkeys(_skipped):
        terminalreporter.write_line(f"WIRES SKIPPED: {reason}", red=True)


def _missing() -> str | None:
    """Why the servers cannot run here, or None."""
    absent = [name for name in _BINARIES if shutil.which(name, path=_path()) is None]
    if absent:
        return f"{', '.join(absent)} missing (tests/wires/install.sh brings them)"
    if os.geteuid() != 0:
        return "Dovecot and Postfix can be started by root only"
    version = subprocess.run([_find("dovecot"), "--version"], capture_output=True, text=True, check=True).stdout
    if not version.startswith("2.3."):
        return f"dovecot.conf is written for Dovecot 2.3, here is {version.strip()}"
    return None


def _lay_out(run: Path, outside: SinkServer) -> Servers:
    """Make the folders, the certificate, and the configuration with its ports."""
    ports = dict(zip(_PORTS, free_ports(len(_PORTS)), strict=True))
    ports["OUTSIDE"] = outside.port
    for folder, owner in (
        ("run", "root"),
        ("mail", "dovecot"),
        ("spool", "root"),
        ("pfdata", "postfix"),
        ("postfix", "root"),
    ):
        (run / folder).mkdir()
        shutil.chown(run / folder, owner, owner)
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(run / "key.pem"), "-out", str(run / "cert.pem")]
    _command(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        *names,
        *files,
    )
    facts = {f"{name}_PORT": str(port) for name, port in ports.items()}
    facts["RUN"] = str(run)
    facts["POSTFIX_SBIN"] = _command("postconf", "-d", "-h", "command_directory")
    facts["POSTFIX_DAEMONS"] = _command("postconf", "-d", "-h", "daemon_directory")
    for template in ("dovecot.conf", "postfix/main.cf", "postfix/master.cf"):
        text = re.sub(r"@([A-Z_]+)@", lambda match: facts[match[1]], (HERE / template).read_text())
        if template == "postfix/master.cf":
            text = f"{text}\n{filled(template, _site(run, ports))}"
        elif template == "postfix/main.cf":
            (run / template).write_text(filled(template, _site(run, ports)))
            _command("postconf", "-c", str(run / "postfix"), "-e", *_settings(text))
            continue
        (run / template).write_text(text)
    (run / "judge.conf").write_text(filled("dovecot/judge.conf", {}))
    return Servers(run, ports, outside)


def _settings(text: str) -> list[str]:
    """The lines of a main.cf that set something."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _site(run: Path, ports: dict[str, int]) -> dict[str, str]:
    """What deploy/ is filled in with: the site of a judge for play.test, on this run's ports."""
    config = Config(domain="play.test", lmtp_listen=f"127.0.0.1:{ports['JUDGE_LMTP']}", authserv_id=AUTHSERV)
    return facts_of(config) | {
        "MX": f"127.0.0.1:{ports['MX']}",
        "RELAY": f"127.0.0.1:{ports['RELAY']}",
        "MILTERS": f"inet:127.0.0.1:{ports['MILTER']}",
        "CERTIFICATE": str(run / "cert.pem"),
        "KEY": str(run / "key.pem"),
    }


def free_ports(count: int) -> list[int]:
    """Ports on loopback that nobody listens at."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [sock.getsockname()[1] for sock in sockets]
    for sock in sockets:
        sock.close()
    return ports


def listens(port: int) -> bool:
    """Whether somebody answers at a loopback port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _command(name: str, *words: str) -> str:
    # Files, not pipes: what a daemon inherits it keeps open, and reading a pipe would wait for its end.
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        code = subprocess.run([_find(name), *words], stdout=out, stderr=err, check=False, timeout=180).returncode
        out.seek(0)
        err.seek(0)
        assert code == 0, f"{name} {' '.join(words)}: {err.read()}"
        return out.read().strip()


def _find(name: str) -> str:
    found = shutil.which(name, path=_path())
    assert found is not None
    return found


def _path() -> str:
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"

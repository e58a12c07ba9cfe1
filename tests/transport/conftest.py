"""What the tests of the wires share: a fixed moment, raw dialogues, listeners that stop by themselves."""

import select
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.testing.sink import SinkServer
from judge.transport.listener import Endpoint, Listener, ListenerLimits
from judge.transport.ports import Accept
from judge.transport.smtp_in import lmtp_listener, smtp_listener
from tests.support.certificates import make_key, self_signed
from tests.support.tray import Tray

MOMENT = datetime(1901, 4, 1, 12, tzinfo=UTC)
LOOPBACK = Endpoint("127.0.0.1", 0)

PATIENCE = 60.0
"""Seconds after which a test gives up what another thread should do; a busy machine takes its time."""

OpenListener = Callable[..., Listener]


def until(what: Callable[[], bool]) -> None:
    """Wait for something another thread does; fails loudly."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


class Dialogue:
    """A client that says exactly what it is told and reads one reply at a time."""

    def __init__(self, where: Endpoint) -> None:
        family = socket.AF_UNIX if where.path else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(where.path or (where.host, where.port))
        self._file = self._socket.makefile("rb")
        self.greeting = self.hear()

    def hear(self) -> str:
        """One reply, all its lines; "" when the other side has hung up."""
        lines = []
        while line := self._read_line():
            lines.append(line.rstrip("\r\n"))
            if line[3:4] != "-":
                break
        return "\n".join(lines)

    def say(self, line: str | bytes) -> str:
        """Say one line and hear the reply."""
        self.send(line)
        return self.hear()

    def hears_nothing_for(self, seconds: float) -> bool:
        """Whether the other side stays silent that long."""
        readable, _, _ = select.select([self._socket], [], [], seconds)
        return not readable

    def send(self, line: str | bytes) -> None:
        """Say one line without waiting."""
        raw = line.encode() if isinstance(line, str) else line
        self._socket.sendall(raw + b"\r\n")

    def mail(self, *recipients: str, body: bytes = b"Subject: x\r\n\r\nA PAR - BUR", sender: str = "a@x.test") -> str:
        """A whole transaction; the first final reply."""
        self.say(f"MAIL FROM:<{sender}>")
        for recipient in recipients:
            self.say(f"RCPT TO:<{recipient}>")
        assert self.say("DATA").startswith("354")
        return self.say(body + b"\r\n.")

    def close(self) -> None:
        """Hang up without a word."""
        self._file.close()
        self._socket.close()

    def _read_line(self) -> str:
        try:
            return self._file.readline().decode()
        except ConnectionResetError:
            return ""


@pytest.fixture
def tray() -> Tray:
    """A judge that knows everybody except nobody@."""
    return Tray(knows=lambda recipient: not recipient.startswith("nobody@"))


@pytest.fixture
def open_smtp() -> Iterator[OpenListener]:
    """Starts SMTP listeners on free ports: open_smtp(accept, limits=...)."""
    yield from _opener(smtp_listener)


@pytest.fixture
def open_lmtp() -> Iterator[OpenListener]:
    """Starts LMTP listeners: open_lmtp(accept, limits=..., where=...)."""
    yield from _opener(lmtp_listener)


def _opener(make: Callable[..., Listener]) -> Iterator[OpenListener]:
    listeners: list[Listener] = []

    def start(accept: Accept, *, limits: ListenerLimits | None = None, where: Endpoint = LOOPBACK) -> Listener:
        listener = make(accept, where, now=lambda: MOMENT, hostname="judge.test", limits=limits)
        listener.start()
        listeners.append(listener)
        return listener

    yield start
    for listener in listeners:
        listener.stop(grace=1.0)


@pytest.fixture
def sink() -> Iterator[SinkServer]:
    """A server that swallows mail."""
    with SinkServer() as server:
        yield server


@pytest.fixture
def short_path(tmp_path: Path) -> Path:
    """A path short enough for a unix socket."""
    return tmp_path / "s"


class Certificate:
    """A throw-away certificate for localhost."""

    def __init__(self, folder: Path) -> None:
        self.key, self.cert = folder / "key.pem", folder / "cert.pem"
        key = make_key()
        self.key.write_text(key.pem())
        self.cert.write_text(self_signed(key, "localhost", "127.0.0.1"))

    def server(self) -> ssl.SSLContext:
        """What a server shows."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cert, self.key)
        return context

    def client(self) -> ssl.SSLContext:
        """What a client needs in order to trust it."""
        return ssl.create_default_context(cafile=str(self.cert))


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """One certificate for all tests."""
    return Certificate(tmp_path_factory.mktemp("tls"))

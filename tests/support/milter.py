"""A milter for tests: a mail filter that tells a mail server what to change in the head of each mail.

It speaks the milter protocol, version 6, as Postfix and Sendmail do: packets of a length (four octets), a letter and
data, one answer to each. What it does with a mail is a plain function that names `Edit`s, so a test can behave as
OpenDKIM, as rspamd, or as a filter that forgets half of its work.
"""

import socketserver
import struct
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

_ADD_HEADERS, _CHANGE_HEADERS = 0x01, 0x10
_NEGOTIATE, _CONNECT, _HEADER, _END_OF_BODY, _MACROS, _ABORT, _QUIT = b"O", b"C", b"L", b"E", b"D", b"A", b"Q"
_CONTINUE = b"c"


@dataclass(frozen=True)
class Insert:
    """A new field at this place; how servers count places is what tests are for."""

    place: int
    name: str
    value: str


@dataclass(frozen=True)
class Remove:
    """Take away the `number`th field (from 1) of this name."""

    number: int
    name: str


Edit = Insert | Remove
Field = tuple[str, str]
Judge = Callable[[str, Sequence[Field]], Sequence[Edit]]
"""From the client's address, as the server saw it, and the mail's fields to what is changed."""


class Milter:
    """A filter on a free loopback port; use it as a context manager. `judge` is asked once per mail.

    >>> with Milter(lambda client, fields: [Insert(1, "X-Client", client)]) as milter:
    ...     milter.port > 0
    True
    """

    def __init__(self, judge: Judge, *, port: int = 0) -> None:
        self._judge = judge
        self._port = port

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    def __enter__(self) -> Self:
        judge = self._judge

        class Session(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                _converse(self, judge)

        socketserver.ThreadingTCPServer.allow_reuse_address = True
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", self._port), Session)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


def _converse(line: socketserver.StreamRequestHandler, judge: Judge) -> None:
    """One connection of the server; it may bring several mails."""
    client, fields = "", list[Field]()
    while len(size := line.rfile.read(4)) == 4:
        packet = line.rfile.read(int.from_bytes(size, "big"))
        kind, data = packet[:1], packet[1:]
        if kind == _QUIT:
            return
        if kind == _NEGOTIATE:
            _say(line, _NEGOTIATE + struct.pack(">III", 6, _ADD_HEADERS | _CHANGE_HEADERS, 0))
            continue
        if kind == _ABORT:
            fields = []
        if kind in (_MACROS, _ABORT):
            continue
        if kind == _CONNECT:
            # Host name, family (a letter), port (two octets), address.
            client = data.partition(b"\0")[2][3:].rstrip(b"\0").decode("ascii")
        if kind == _HEADER:
            name, value = data.split(b"\0")[:2]
            fields.append((name.decode("ascii"), value.decode("utf-8", "replace")))
        if kind == _END_OF_BODY:
            for edit in judge(client, fields):
                _say(line, _spelled(edit))
            fields = []
        _say(line, _CONTINUE)


def _spelled(edit: Edit) -> bytes:
    if isinstance(edit, Insert):
        return b"i" + struct.pack(">I", edit.place) + _strings(edit.name, edit.value)
    return b"m" + struct.pack(">I", edit.number) + _strings(edit.name, "")


def _strings(*texts: str) -> bytes:
    return b"".join(text.encode() + b"\0" for text in texts)


def _say(line: socketserver.StreamRequestHandler, packet: bytes) -> None:
    line.wfile.write(len(packet).to_bytes(4, "big") + packet)

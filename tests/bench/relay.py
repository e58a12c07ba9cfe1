"""A relay for benchmarks: it swallows every letter and notes when each came, for next to no processor time of its own.

It runs in a process beside the bench. It offers PIPELINING, as nearly every real relay does, unless told not to.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import re
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import NamedTuple

from judge.clock import SystemClock

_now = SystemClock().now
_FORK = multiprocessing.get_context("fork")
_ANSWERS = re.compile(rb"^In-Reply-To: *<([^>]*)>", re.MULTILINE | re.IGNORECASE)


class Came(NamedTuple):
    """A letter that came: the moment in seconds of the epoch, to whom, the Message-ID that it answers, its pictures."""

    moment: float
    to: str
    answers: str
    pictures: int


class Relay:
    """The relay as the bench holds it."""

    def __init__(self, line: Connection, port: int) -> None:
        self._line = line
        self.port = port

    def count(self) -> int:
        """How many letters have come."""
        self._line.send("count")
        number: int = self._line.recv()
        return number

    def letters(self) -> list[Came]:
        """All that have come, in their order."""
        self._line.send("letters")
        found: list[Came] = self._line.recv()
        return found


@contextmanager
def relay(*, pause: float = 0.0, pipelining: bool = True) -> Iterator[Relay]:
    """A relay that takes `pause` seconds to answer for each letter."""
    ours, theirs = _FORK.Pipe()
    process = _FORK.Process(target=_serve, args=(theirs, pause, pipelining), daemon=True)
    process.start()
    try:
        yield Relay(ours, ours.recv())
    finally:
        process.kill()
        process.join()


def _serve(line: Connection, pause: float, pipelining: bool) -> None:  # noqa: FBT001 (a target of a process)
    came: list[Came] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Session(came, pause, pipelining=pipelining), "127.0.0.1", 0)
        line.send(server.sockets[0].getsockname()[1])
        while True:
            asked = await loop.run_in_executor(None, line.recv)
            line.send(len(came) if asked == "count" else came)

    asyncio.run(run())


class _Session(asyncio.Protocol):
    """One connection. What is said while an answer is due waits in the buffer."""

    def __init__(self, came: list[Came], pause: float, *, pipelining: bool) -> None:
        self._came, self._pause = came, pause
        self._offer = b"250-PIPELINING\r\n" if pipelining else b""
        self._buffer = bytearray()
        self._in_data = self._waits = False
        self._seen = 0
        self._to = ""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"220 relay\r\n")

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._go_on()

    def _go_on(self) -> None:
        while not self._waits and (self._take_letter() if self._in_data else self._take_line()):
            pass

    def _take_line(self) -> bool:
        end = self._buffer.find(b"\r\n")
        if end < 0:
            return False
        said = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        self._transport.write(self._answer(said))
        if said[:4].upper() == b"QUIT":
            self._transport.close()
        return True

    def _answer(self, said: bytes) -> bytes:
        word = said[:4].upper()
        if word == b"EHLO":
            return b"250-relay\r\n" + self._offer + b"250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 0\r\n"
        if word == b"RCPT":
            self._to = said.partition(b"<")[2].partition(b">")[0].decode()
        if word == b"DATA":
            self._in_data, self._seen = True, 0
            return b"354 go on\r\n"
        return b"221 bye\r\n" if word == b"QUIT" else b"250 OK\r\n"

    def _take_letter(self) -> bool:
        end = self._buffer.find(b"\r\n.\r\n", max(0, self._seen - 4))
        if end < 0:
            self._seen = len(self._buffer)
            return False
        letter = bytes(self._buffer[:end])
        del self._buffer[: end + 5]
        head, _, body = letter.partition(b"\r\n\r\n")
        answers = _ANSWERS.search(head)
        self._in_data = False
        self._came.append(
            Came(
                _now().timestamp(),
                self._to,
                answers[1].decode() if answers else "",
                body.count(b"Content-Type: image/png"),
            )
        )
        if not self._pause:
            self._transport.write(b"250 swallowed\r\n")
            return True
        self._waits = True
        asyncio.get_running_loop().call_later(self._pause, self._swallowed)
        return False

    def _swallowed(self) -> None:
        self._waits = False
        self._transport.write(b"250 swallowed\r\n")
        self._go_on()

"""A listening socket with its own thread and event loop, limits on connections, and a graceful stop.

SMTP and LMTP share it; they differ only in the session that is made for each connection. Endpoints are written
`HOST:PORT`, `[IPV6]:PORT` or `unix:/path/to/socket`; port 0 lets the system pick one, and `Listener.endpoint` tells it.
"""

import asyncio
import contextlib
import os
import re
import socket
import stat
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

_INET = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<host>[^:\[\]]+)):(?P<port>\d{1,5})")


class CannotListen(Exception):
    """The endpoint cannot be used; the message names it and the mend."""


@dataclass(frozen=True)
class Endpoint:
    """Where to listen: a host and port, or the path of a unix socket."""

    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_endpoint(text: str) -> Endpoint:
    """The endpoint that a configuration line means.

    >>> read_endpoint("127.0.0.1:8025")
    Endpoint(host='127.0.0.1', port=8025, path='')
    >>> str(read_endpoint("unix:/run/judge/lmtp"))
    'unix:/run/judge/lmtp'

    Raises `CannotListen` with the forms that are understood.
    """
    if text.startswith("unix:"):
        return _unix_endpoint(text)
    match = _INET.fullmatch(text.strip())
    if match is None or int(match["port"]) > 65535:
        raise CannotListen(f'"{text}" is not a place to listen: write HOST:PORT, [IPV6]:PORT or unix:/path')
    return Endpoint(host=match["six"] or match["host"], port=int(match["port"]))


def _unix_endpoint(text: str) -> Endpoint:
    path = text.removeprefix("unix:")
    if not path.startswith("/"):
        raise CannotListen(f'"{text}": the path of a unix socket must be absolute, as in unix:/run/judge/lmtp')
    if len(os.fsencode(path)) > 100:
        raise CannotListen(f'"{text}": the path is longer than a unix socket allows; choose one under 100 bytes')
    return Endpoint(path=path)


@dataclass(frozen=True)
class ListenerLimits:
    """The limits of one listener. Sizes in bytes, times in seconds."""

    message: int = 1_048_576
    line: int = 65_536
    """Longer than RFC 5321 asks for: programs that break no lines lose no mail by it."""
    recipients: int = 50
    mails_per_connection: int = 1000
    other_commands: int = 20
    connections: int = 100
    connections_per_host: int = 20
    idle: float = 300.0
    mail_within: float = 600.0
    """Seconds from DATA to the last dot: a mail that drips in more slowly is to be sent again."""


class Guest(Protocol):
    """A session as the listener sees it: something to close."""

    @property
    def busy(self) -> bool:
        """Whether it is in the middle of something that is to be finished."""
        ...

    def dismiss(self) -> None:
        """Say goodbye and close, unless a mail is just being taken."""
        ...

    def abort(self) -> None:
        """Close at once."""
        ...


class Porch:
    """Counts open connections, in all and per host. Touched from the listener's loop only.

    When all places are taken, a newcomer gets one of the host that has most, as long as that one has more than the
    newcomer's would: nobody is locked out by the many connections of a few.
    """

    def __init__(self, limits: ListenerLimits) -> None:
        self._limits = limits
        self._hosts: Counter[str] = Counter()
        self.guests: dict[Guest, str] = {}
        """Everybody inside with their host, the longest guest first."""
        self.closing = False

    def admit(self, guest: Guest, host: str) -> str | None:
        """Let the guest in and return None, or return the line to turn it away with. A unix peer has no host count."""
        if self.closing:
            return "421 4.3.2 Closing down, try again later"
        if host != "unix" and self._hosts[host] >= self._limits.connections_per_host:
            return "421 4.7.0 Too many connections from your host, try again later"
        if len(self.guests) >= self._limits.connections and not self._make_room(host):
            return "421 4.3.2 Too many connections, try again later"
        self.guests[guest] = host
        self._hosts[host] += 1
        return None

    def _make_room(self, host: str) -> bool:
        """Close the oldest connection of the host with most, if that host keeps as many as the newcomer's has."""
        greedy, most = max(self._hosts.items(), key=lambda item: item[1], default=("", 0))
        if most <= self._hosts[host] + 1:
            return False
        longest = next(guest for guest, its in self.guests.items() if its == greedy)
        self.leave(longest, greedy)
        longest.abort()
        return True

    def leave(self, guest: Guest, host: str) -> None:
        """Note that an admitted connection has closed; harmless when repeated."""
        if self.guests.pop(guest, None) is None:
            return
        self._hosts[host] -= 1
        if self._hosts[host] <= 0:
            del self._hosts[host]


MakeSession = Callable[[asyncio.AbstractEventLoop, Porch], asyncio.Protocol]


class Listener:
    """Runs sessions behind one endpoint in a thread of its own, from `start()` to `stop()`."""

    def __init__(self, wanted: Endpoint, limits: ListenerLimits, make_session: MakeSession, *, name: str) -> None:
        self.endpoint = wanted
        self._limits = limits
        self._make_session = make_session
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: asyncio.Server | None = None
        self._thread: threading.Thread | None = None
        self._porch = Porch(limits)

    def start(self) -> Endpoint:
        """Bind, begin to serve, and return the endpoint with its real port. Raises `CannotListen`."""
        if self._thread is not None:
            raise RuntimeError(f"{self._name} listens already")
        sock = _bind(self.endpoint)
        if not self.endpoint.path:
            self.endpoint = replace(self.endpoint, port=sock.getsockname()[1])
        self._porch = Porch(self._limits)
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._serve, args=(sock, ready), name=self._name, daemon=True)
        self._thread.start()
        ready.result()
        return self.endpoint

    def stop(self, *, grace: float = 5.0) -> None:
        """Accept no more connections, wait up to `grace` seconds for mails being received, then close. Harmless when
        not started.
        """
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._see_off(grace), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        self._loop = self._thread = None
        if self.endpoint.path:
            Path(self.endpoint.path).unlink(missing_ok=True)

    @property
    def running(self) -> bool:
        """Whether the thread that serves is alive, for health checks."""
        return self._thread is not None and self._thread.is_alive()

    def _serve(self, sock: socket.socket, ready: Future[None]) -> None:
        loop = self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        try:
            self._server = loop.run_until_complete(self._open(loop, sock))
            loop.call_soon(ready.set_result, None)
            loop.run_forever()
            loop.run_until_complete(_cancel_rest(loop))
            loop.run_until_complete(loop.shutdown_default_executor())
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)
        finally:
            loop.close()

    async def _open(self, loop: asyncio.AbstractEventLoop, sock: socket.socket) -> asyncio.Server:
        def session() -> asyncio.Protocol:
            return self._make_session(loop, self._porch)

        if self.endpoint.path:
            return await loop.create_unix_server(session, sock=sock)
        return await loop.create_server(session, sock=sock)

    async def _see_off(self, grace: float) -> None:
        self._porch.closing = True
        if self._server is not None:
            self._server.close()
        deadline = asyncio.get_running_loop().time() + grace
        while self._porch.guests:
            late = asyncio.get_running_loop().time() >= deadline
            for guest in list(self._porch.guests):
                if late:
                    guest.abort()
                elif not guest.busy:
                    guest.dismiss()
            await asyncio.sleep(0.01)


async def _cancel_rest(loop: asyncio.AbstractEventLoop) -> None:
    tasks = [task for task in asyncio.all_tasks(loop) if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _bind(where: Endpoint) -> socket.socket:
    family = socket.AF_UNIX if where.path else socket.AF_INET6 if ":" in where.host else socket.AF_INET
    # asyncio turns Nagle's delay off only where the protocol is named; with it an EHLO takes 40 ms.
    sock = socket.socket(family, socket.SOCK_STREAM, 0 if where.path else socket.IPPROTO_TCP)
    try:
        if where.path:
            _clear_stale(where.path)
            sock.bind(where.path)
            os.chmod(where.path, 0o660)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((where.host, where.port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise CannotListen(_mend(where, error)) from error
    sock.setblocking(False)
    return sock


def _clear_stale(path: str) -> None:
    """Remove the socket that a dead process left behind; leave a living one and anything else alone."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            if probe.connect_ex(path) != 0:
                os.unlink(path)


def _mend(where: Endpoint, error: OSError) -> str:
    why = os.strerror(error.errno) if error.errno else str(error)
    if where.path:
        return f"cannot listen on {where}: {why}; is another judge running, and may this user write to that folder?"
    if isinstance(error, PermissionError):
        return f"cannot listen on {where}: {why}; ports under 1024 need root, choose a higher one"
    return f"cannot listen on {where}: {why}; stop whatever listens there, or choose another port (0 picks a free one)"

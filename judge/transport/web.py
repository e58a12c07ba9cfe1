"""An app of web pages (ASGI) behind a listener: uvicorn speaks HTTP, our listener holds the socket and the limits.

uvicorn's own server has no limit for a whole exchange and none for a host: its protocol alone is taken, a class that
its configuration lets others name. One request to a connection, then it is closed. What a rude client may cost is
bounded before the app hears of it: the head, the body, the whole time of an exchange, the number of connections. No
request is logged, because paths of ours hold secrets.
"""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus
from typing import Any

import uvicorn
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from judge.transport.listener import Endpoint, Listener, ListenerLimits, Porch

WEB_LIMITS = ListenerLimits(message=4096, line=8192, connections=64, connections_per_host=64, idle=10.0)
"""`message` bounds a body, `line` the whole head, `idle` the whole exchange. A web server before us is one host."""


def web_listener(app: ASGIApp, listen: Endpoint, *, name: str, limits: ListenerLimits = WEB_LIMITS) -> Listener:
    """A listener, not yet started, that answers requests with this app, and with a brief refusal whatever exceeds its
    limits. `name`: of its thread.
    """
    config = uvicorn.Config(
        RequestBodyLimitMiddleware(app, limits.message), h11_max_incomplete_event_size=limits.line, lifespan="off",
        ws="none", proxy_headers=False, server_header=False, date_header=False, access_log=False, log_config=None,
    )  # fmt: skip
    config.load()
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # that somebody sends nonsense is no news
    state = ServerState()
    state.default_headers = [(b"connection", b"close")]

    def session(loop: asyncio.AbstractEventLoop, porch: Porch) -> asyncio.Protocol:
        return _Session(config, state, loop, porch, limits.idle)

    return Listener(listen, limits, session, name=name)


class _Session(H11Protocol):
    """One connection, with one request and one answer."""

    def __init__(
        self, config: uvicorn.Config, state: ServerState, loop: asyncio.AbstractEventLoop, porch: Porch, idle: float
    ) -> None:
        super().__init__(config, state, {}, loop)
        self.access_log = False  # uvicorn looks only for somebody who hears its log, and there is: us
        self._porch = porch
        self._idle = idle
        self._peer = ""
        self._end: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is just being found: all of the request is there, and it is not answered."""
        return self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the client in, or turn it away."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._peer = _host_of(transport.get_extra_info("peername"))
        self._end = self.loop.call_later(self._idle, self._too_late)
        if self._porch.admit(self, self._peer) is not None:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note of the leaving."""
        if self._end is not None:
            self._end.cancel()
        self._porch.leave(self, self._peer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Hear what comes, until an answer is on its way out."""
        if not self.transport.is_closing():
            super().data_received(data)

    def dismiss(self) -> None:
        """Close, unless an answer is just being found."""
        self.transport.close()

    def abort(self) -> None:
        """Close at once."""
        self.transport.abort()

    def _too_late(self) -> None:
        if self.cycle is None or not self.cycle.response_started:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        # Whoever does not read our answer either is not waited for.
        self._end = self.loop.call_later(self._idle, self.transport.abort)

    def _refuse(self, status: HTTPStatus) -> None:
        """A word past the app, which has not begun to answer."""
        if not self.transport.is_closing():
            self.transport.write(
                f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
            )
            self.transport.close()


def _host_of(peername: Any) -> str:
    return peername[0] if isinstance(peername, tuple) else "unix"

"""Web pages behind a listener: uvicorn speaks HTTP, our listener holds the socket and the limits; and the one page that
ends a subscription with a click (RFC 8058).

uvicorn's own server has no limit for a whole exchange and none for a host: its protocol alone is taken, a class that
its configuration lets others name. One request to a connection, then it is closed. What a rude client may cost is
bounded before the app hears of it: the head, the body, the whole time of an exchange, the number of connections. No
request is logged, because paths of ours hold secrets.

It answers at `.../u/TOKEN` and nowhere else. GET shows a page with a button and changes nothing, because programs look
at links before people do; POST with the one field that the RFC prescribes stores the wish, and is answered only when it
is stored. A genuine token and an invented one get the same answer, so that nobody learns which is which. No path,
token or address is ever logged.
"""

from __future__ import annotations

import asyncio
import html
import logging
import re
from collections.abc import Mapping
from concurrent.futures import Future
from http import HTTPStatus
from typing import Any, Protocol

import uvicorn
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send
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


log = logging.getLogger("judge.transport")

_PLACE = re.compile(r".*/u/([A-Za-z0-9]*)")
# The one field that counts (RFC 8058, 3.2), sent as forms of pages are, or as multipart/form-data.
_FIELD = re.compile(
    rb"(?:^|&)List-Unsubscribe=One-Click(?:&|\s*$)"
    rb'|name="?List-Unsubscribe"?(?:;[^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\nOne-Click\r\n'
)


class Wishes(Protocol):
    """The judge, as this wire sees it."""

    def wish(self, token: str, /) -> Future[Any] | Any:
        """Store the wish to end the subscription that a token names; no such token or subscription is no trouble.

        Returns when it is stored, or a future that is done then; what they return means nothing. Any exception means:
        not stored, try again later.
        """
        ...


def http_listener(
    wishes: Wishes, listen: Endpoint, *, title: str = "Judge", limits: ListenerLimits = WEB_LIMITS
) -> Listener:
    """A listener, not yet started, that brings wishes to the judge; `title` names the judge on its pages."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await _answer(Request(scope, receive), wishes, title)
        await response(scope, receive, send)

    return web_listener(app, listen, name="http-in", limits=limits)


async def _answer(request: Request, wishes: Wishes, title: str) -> HTMLResponse:
    place = _PLACE.fullmatch(request.scope["path"])
    if place is None:
        return _page(title, HTTPStatus.NOT_FOUND, "There is nothing here.")
    if request.method in ("GET", "HEAD"):
        return _page(title, HTTPStatus.OK, _ASK, button=True)
    if request.method != "POST":
        words = "Only GET and POST are understood here."
        return _page(title, HTTPStatus.METHOD_NOT_ALLOWED, words, {**_MANNERS, "Allow": "GET, HEAD, POST"})
    if _FIELD.search(await request.body()) is None:
        return _page(title, HTTPStatus.BAD_REQUEST, _ASK, button=True)
    if not await _stored(wishes, place[1].lower()):
        return _page(title, HTTPStatus.SERVICE_UNAVAILABLE, _LATER, {**_MANNERS, "Retry-After": "120"})
    return _page(title, HTTPStatus.OK, _DONE)


async def _stored(wishes: Wishes, token: str) -> bool:
    try:
        pending = wishes.wish(token)
        if isinstance(pending, Future):
            await asyncio.wrap_future(pending)
    except Exception as error:
        log.warning("a wish to unsubscribe was not stored: %s", type(error).__name__)
        return False
    return True


_ASK = "Press the button to end the subscription that this link came with."
_DONE = "Done. If there was such a subscription, it ends now, and a letter says so."
_LATER = "That could not be stored just now. Please try again in a few minutes."

_MANNERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
}

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title></head>
<body><h1>{title}</h1>
<p>{sentence}</p>
{form}</body></html>
"""
_FORM = """<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">Unsubscribe</button></form>
"""


def _page(
    title: str, status: HTTPStatus, sentence: str, headers: Mapping[str, str] = _MANNERS, *, button: bool = False
) -> HTMLResponse:
    """A page that says one thing. It repeats nothing of the request; the form goes where the page came from."""
    shown = _PAGE.format(title=html.escape(title), sentence=html.escape(sentence), form=_FORM if button else "")
    return HTMLResponse(shown, status, headers)

"""One click that ends a subscription (RFC 8058): a tiny HTTP listener behind a web server that speaks TLS.

It answers at `.../u/TOKEN` and nowhere else. GET shows a page with a button and changes nothing, because programs look
at links before people do; POST with the one field that the RFC prescribes stores the wish, and is answered only when it
is stored. A genuine token and an invented one get the same answer, so that nobody learns which is which. Requests are
small, quick, and one to a connection; no path, token or address is ever logged.
"""

import asyncio
import html
import logging
import re
from concurrent.futures import Future
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol

from judge.transport.listener import Endpoint, Listener, ListenerLimits, Porch

CLICK_LIMITS = ListenerLimits(message=4096, line=8192, connections=64, connections_per_host=64, idle=10.0)
"""`message` bounds a body, `line` the whole head, `idle` the whole exchange. The web server before us is one host."""

log = logging.getLogger("judge.transport")

_REQUEST = re.compile(rb"([A-Z]{1,20}) (\S+) HTTP/1\.[01]")
_PLACE = re.compile(rb"[^?#]*/u/([A-Za-z0-9]*)(?:[?#].*)?")
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,6})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_CHUNKED = re.compile(rb"^transfer-encoding:", re.IGNORECASE | re.MULTILINE)
_EXPECTS = re.compile(rb"^expect:[ \t]*100-continue[ \t]*$", re.IGNORECASE | re.MULTILINE)
# The one field that counts (RFC 8058, 3.2), sent as forms of pages are, or as multipart/form-data.
_FIELD = re.compile(
    rb"(?:^|&)List-Unsubscribe=One-Click(?:&|\s*$)"
    rb'|name="?List-Unsubscribe"?(?:;[^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\nOne-Click\r\n'
)


class Wishes(Protocol):
    """The house, as this wire sees it."""

    def wish(self, token: str, /) -> "Future[Any] | Any":
        """Store the wish to end the subscription that a token names; no such token or subscription is no trouble.

        Returns when it is stored, or a future that is done then; what they return means nothing. Any exception means:
        not stored, try again later.
        """
        ...


@dataclass(frozen=True)
class _Request:
    method: str
    place: bytes
    body: bytes


class _BadRequest(Exception):
    """This cannot be answered as a request."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


def http_listener(
    wishes: Wishes, listen: Endpoint, *, title: str = "Judge", limits: ListenerLimits = CLICK_LIMITS
) -> Listener:
    """A listener, not yet started, that brings wishes to the house; `title` names the judge on its pages."""

    def session(loop: asyncio.AbstractEventLoop, porch: Porch) -> asyncio.Protocol:
        return _Session(wishes, limits, porch, loop, title)

    return Listener(listen, limits, session, name="http-in")


class _Session(asyncio.Protocol):
    """One connection, with one request and one answer."""

    def __init__(
        self, wishes: Wishes, limits: ListenerLimits, porch: Porch, loop: asyncio.AbstractEventLoop, title: str
    ) -> None:
        self._wishes = wishes
        self._limits = limits
        self._porch = porch
        self._loop = loop
        self._title = title
        self._heard = b""
        self._line: asyncio.Transport | None = None
        self._peer = ""
        self._inside = False
        self._encouraged = False
        self._end: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self.busy = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the client in, or turn it away."""
        assert isinstance(transport, asyncio.Transport)
        self._line = transport
        self._peer = _host_of(transport.get_extra_info("peername"))
        self._end = self._loop.call_later(self._limits.idle, self._too_late)
        if self._porch.admit(self, self._peer) is not None:
            self._say(HTTPStatus.SERVICE_UNAVAILABLE, _LATER)
            return
        self._inside = True

    def connection_lost(self, error: Exception | None) -> None:
        """Take note of the leaving."""
        if self._end is not None:
            self._end.cancel()
        if self._inside:
            self._porch.leave(self, self._peer)

    def data_received(self, data: bytes) -> None:
        """Gather the request; what comes after it is not heard."""
        if self.busy or self._line is None or self._line.is_closing():
            return
        self._heard += data
        try:
            request = self._read()
        except _BadRequest as refused:
            self._say(refused.status, refused.status.phrase)
            return
        if request is not None:
            self.busy = True
            self._task = self._loop.create_task(self._answer(request))

    def dismiss(self) -> None:
        """Close, unless an answer is just being found."""
        if self._line is not None:
            self._line.close()

    def abort(self) -> None:
        """Close at once."""
        if self._line is not None:
            self._line.abort()

    def _read(self) -> _Request | None:
        """The request, once it is all there. Raises _BadRequest for what is none or is too large."""
        head, gap, body = self._heard.partition(b"\r\n\r\n")
        if len(head) > self._limits.line:
            raise _BadRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if not gap:
            return None
        first, _, fields = head.replace(b"\r\n", b"\n").partition(b"\n")
        match = _REQUEST.fullmatch(first)
        if match is None:
            raise _BadRequest(HTTPStatus.BAD_REQUEST)
        if _CHUNKED.search(fields):
            raise _BadRequest(HTTPStatus.LENGTH_REQUIRED)
        lengths = {int(found) for found in _LENGTH.findall(fields)}
        if len(lengths) > 1:
            raise _BadRequest(HTTPStatus.BAD_REQUEST)
        length = max(lengths, default=0)
        if length > self._limits.message:
            raise _BadRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if len(body) < length:
            self._encourage(fields)
            return None
        return _Request(match[1].decode("ascii"), match[2], body[:length])

    def _encourage(self, fields: bytes) -> None:
        """Some clients wait for a word before they send a body."""
        if self._line is not None and not self._encouraged and _EXPECTS.search(fields):
            self._encouraged = True
            self._line.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    async def _answer(self, request: _Request) -> None:
        place = _PLACE.fullmatch(request.place)
        if place is None:
            self._say(HTTPStatus.NOT_FOUND, "There is nothing here.")
        elif request.method in ("GET", "HEAD"):
            self._say(HTTPStatus.OK, _ASK, button=True, bare=request.method == "HEAD")
        elif request.method != "POST":
            self._say(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and POST are understood here.")
        elif _FIELD.search(request.body) is None:
            self._say(HTTPStatus.BAD_REQUEST, _ASK, button=True)
        elif await self._stored(place[1].decode("ascii").lower()):
            self._say(HTTPStatus.OK, _DONE)
        else:
            self._say(HTTPStatus.SERVICE_UNAVAILABLE, _LATER)

    async def _stored(self, token: str) -> bool:
        try:
            pending = self._wishes.wish(token)
            if isinstance(pending, Future):
                await asyncio.wrap_future(pending)
        except Exception as error:
            log.warning("a wish to unsubscribe was not stored: %s", type(error).__name__)
            return False
        return True

    def _too_late(self) -> None:
        self._say(HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_TIMEOUT.phrase)
        if self._line is not None:
            # Whoever does not read our answer either is not waited for.
            self._loop.call_later(self._limits.idle, self._line.abort)

    def _say(self, status: HTTPStatus, sentence: str, *, button: bool = False, bare: bool = False) -> None:
        if self._line is None or self._line.is_closing():
            return
        page = _page(self._title, sentence, button=button)
        lines = [f"HTTP/1.1 {status.value} {status.phrase}", f"Content-Length: {len(page)}", *_MANNERS]
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            lines.append("Allow: GET, HEAD, POST")
        if status is HTTPStatus.SERVICE_UNAVAILABLE:
            lines.append("Retry-After: 120")
        self._line.write("\r\n".join([*lines, "", ""]).encode("ascii") + (b"" if bare else page))
        self._line.close()


_ASK = "Press the button to end the subscription that this link came with."
_DONE = "Done. If there was such a subscription, it ends now, and a letter says so."
_LATER = "That could not be stored just now. Please try again in a few minutes."

_MANNERS = (
    "Content-Type: text/html; charset=utf-8",
    "Cache-Control: no-store",
    "Referrer-Policy: no-referrer",
    "X-Robots-Tag: noindex",
    "X-Content-Type-Options: nosniff",
    "X-Frame-Options: DENY",
    "Content-Security-Policy: default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    "Connection: close",
)

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


def _page(title: str, sentence: str, *, button: bool) -> bytes:
    """A page that says one thing. It repeats nothing of the request; the form goes where the page came from."""
    shown = _PAGE.format(title=html.escape(title), sentence=html.escape(sentence), form=_FORM if button else "")
    return shown.encode("utf-8")


def _host_of(peername: Any) -> str:
    return peername[0] if isinstance(peername, tuple) else "unix"

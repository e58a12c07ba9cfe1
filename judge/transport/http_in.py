"""One click that ends a subscription (RFC 8058): a tiny web app behind a web server that speaks TLS.

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

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from judge.transport.listener import Endpoint, Listener, ListenerLimits
from judge.transport.web import WEB_LIMITS, web_listener

log = logging.getLogger("judge.transport")

_PLACE = re.compile(r".*/u/([A-Za-z0-9]*)")
# The one field that counts (RFC 8058, 3.2), sent as forms of pages are, or as multipart/form-data.
_FIELD = re.compile(
    rb"(?:^|&)List-Unsubscribe=One-Click(?:&|\s*$)"
    rb'|name="?List-Unsubscribe"?(?:;[^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\nOne-Click\r\n'
)


class Wishes(Protocol):
    """The house, as this wire sees it."""

    def wish(self, token: str, /) -> Future[Any] | Any:
        """Store the wish to end the subscription that a token names; no such token or subscription is no trouble.

        Returns when it is stored, or a future that is done then; what they return means nothing. Any exception means:
        not stored, try again later.
        """
        ...


def http_listener(
    wishes: Wishes, listen: Endpoint, *, title: str = "Judge", limits: ListenerLimits = WEB_LIMITS
) -> Listener:
    """A listener, not yet started, that brings wishes to the house; `title` names the judge on its pages."""

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

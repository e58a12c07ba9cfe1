"""The page for the person at this machine: mailboxes, letters, answers, games, and the web site of the judge as it
stands now.

It belongs to nobody else. It listens on loopback alone, its address holds a secret that is drawn at each start, and it
answers to its own names only, so that no page from elsewhere can reach it under a name of its own (DNS rebinding). A
GET changes nothing. A POST must come from a form of ours: it repeats a word that the form holds, and names no other
origin. Letters are shown in a frame in which no script runs and which belongs to nobody.

A picture is drawn when it is asked for, and kept as long as it would look the same. Pages are made again when any game
or zine has moved on.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import mimetypes
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from email.message import EmailMessage
from email.utils import unquote as unquoted
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from judge import resources
from judge.acts.looking import acts_view
from judge.browser.mailbox import (
    SHOWN_AS_PICTURES,
    Mailboxes,
    date_of,
    file_name,
    has_page,
    page_of,
    parts_of,
    text_of,
)
from judge.game.core.events import GameStarted, PhaseAdjudicated
from judge.game.core.model import Stage
from judge.mail.letters.rendering import TemplateError
from judge.mail.letters.words import FILTERS
from judge.service.core.judge import Judge
from judge.service.core.keeper import thaw_all
from judge.service.posting.outgoing import cast_of
from judge.store import StoreTrouble, View
from judge.transport.listener import CannotListen, Endpoint, Listener, ListenerLimits, read_endpoint
from judge.transport.web import web_listener
from judge.transport.writing import MailDraft, NotSent, answer_to, compose, send
from judge.zine.archive import MadeFile, MapPainter, gathered
from judge.zine.html import ZinePrinter
from judge.zine.site import files

_BEGUN = (Stage.RUNNING, Stage.ENDED)
_PICTURES = 200
"""Pictures that are kept at hand."""


class GameSite:
    """What there is to read of the games of a judge. Any thread may ask."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._boards = judge.config.maps or resources.folder("maps")
        own = judge.config.templates
        self.templates: tuple[Path, ...] = (*([own] if own else []), resources.folder("templates"))
        self._turn = threading.Lock()
        self._drawing = threading.Lock()
        self._painter = MapPainter()
        self._known: object = None
        self._pages: Mapping[str, bytes] = {}
        self._made: Mapping[str, MadeFile] = {}
        self._drawn: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def file(self, path: str) -> tuple[bytes, str] | None:
        """(contents, type) of a file of the site, None where it has none of that name; "": its front page."""
        path = path or "index.html"
        with self._turn:
            self._gather()
            contents, made = self._pages.get(path), self._made.get(path)
        if contents is None:
            if made is None:
                return None
            with self._drawing:  # nobody who reads on waits for a picture
                contents = self._picture(made)
        return contents, _KINDS.get(Path(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"

    def games(self) -> list[tuple[str, bool]]:
        """(name, whether the site has pages of it) of every game."""
        judge = self._judge
        with judge.store.read() as view:
            found = [judge.keeper.load(view, row.key) for row in view.games.list()]
        return [(game.key, game.stage in _BEGUN and game.position is not None) for game in found if game is not None]

    def log(self, key: str) -> list[Mapping[str, Any]] | None:
        """What was done in a game, the newest first: `seq`, `when`, `who`, `what`; None where there is no such game.

        It is what a Gamemaster is told, without what players did since the last turn: nobody's orders are known before
        they are played.
        """
        judge = self._judge
        with judge.store.read() as view:
            game = judge.keeper.load(view, key)
            if game is None:
                return None
            events = list(enumerate(thaw_all(view.events.load(key)), 1))
            played = max(
                (seq for seq, event in events if isinstance(event, (GameStarted, PhaseAdjudicated))), default=0
            )
            events = [(seq, event) for seq, event in events if seq <= played or event.by not in game.seats]
            acts = acts_view(game, events, cast_of(judge, view, game), everything=True).view["acts"]
        told: list[Mapping[str, Any]] = judge.pressroom.do(lambda printer: printer.spoken(acts))[0]
        return told[::-1]

    def _gather(self) -> None:
        with self._judge.store.read() as view:
            if (known := _state(view)) == self._known:
                return
            found = gathered(self._judge, view, self._boards, shown=lambda _: True)
        self._pages = dict(files(replace(found.site, mailboxes=".."), *self.templates))
        self._made = {one.path: one for one in found.made}
        self._known = known

    def _picture(self, made: MadeFile) -> bytes:
        name = (made.path, made.mark)
        if name not in self._drawn:
            self._drawn[name] = made.make(self._painter.png)
            if len(self._drawn) > _PICTURES:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(name)
        return self._drawn[name]


_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".atom": "application/atom+xml",
    ".epub": "application/epub+zip",
}


def _state(view: View) -> object:
    """What is another when anything that the site shows is another."""
    games = tuple((row.key, view.events.last_seq(row.key)) for row in view.games.list())
    issues = tuple((row.key, one.number, one.chapter, one.state) for row in view.zines.all()
                   for one in view.zines.issues(row.key))  # fmt: skip
    return games, issues


LIMITS = ListenerLimits(message=262_144, line=32_768, connections=64, connections_per_host=64, idle=60.0)
"""A letter's button may fill a form by its address: `line` has room for it. A map takes some seconds to draw."""

_OURS = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_SITE = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_LETTER = (
    "sandbox allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox; default-src 'none'; "
    "style-src 'unsafe-inline'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
"""A letter brings its styles; nothing in it runs, is sent or is fetched from elsewhere."""
_FILE = "sandbox; default-src 'none'; frame-ancestors 'none'"

_MANNERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Browser:
    """The page, not yet started. `smtp`: where mail is handed to the judge, None as long as it takes none by SMTP;
    `first`: the address whose mailbox is shown first; `waits_for`: what its game waits for, in a sentence. Raises
    CannotListen for a place that others could reach.
    """

    def __init__(
        self,
        judge: Judge,
        listen: str,
        *,
        smtp: Callable[[], Endpoint | None],
        first: str = "",
        waits_for: Callable[[], str] = str,
    ) -> None:
        where = read_endpoint(listen)
        if where.path or not _is_loopback(where.host):
            raise CannotListen(f"browser.listen: {listen} is no HOST:PORT of this machine alone, as 127.0.0.1:8028 is")
        self._secret = secrets.token_urlsafe(24)
        app = _Guard(self._app(judge, smtp, first, waits_for), self._secret, self._names)
        self._listener: Listener = web_listener(app, where, name="browser", limits=LIMITS)

    def start(self) -> str:
        """Answer from now on; returns the address to open. Raises CannotListen."""
        try:
            return f"http://{self._listener.start()}/{self._secret}/"
        except CannotListen as error:
            raise CannotListen(f"{error} (the setting is browser.listen)") from error

    def stop(self) -> None:
        """Answer no more."""
        self._listener.stop(grace=1.0)

    def _names(self) -> frozenset[str]:
        """As what a browser may call us."""
        place = self._listener.endpoint
        return frozenset({str(place), f"localhost:{place.port}"})

    def _app(
        self, judge: Judge, smtp: Callable[[], Endpoint | None], first: str, waits_for: Callable[[], str]
    ) -> ASGIApp:
        pages = _Pages(
            judge, Mailboxes(judge.config.var / "mail", first), GameSite(judge), smtp, (first, waits_for), self._secret
        )
        return Starlette(
            routes=[
                Route("/", _get(pages.front)),
                Route("/mail/{address}/", _get(pages.mailbox)),
                Route("/mail/{address}/list", _get(pages.list)),
                Route("/mail/{address}/write", _form(pages.form), methods=["GET", "POST"]),
                Route("/mail/{address}/sent/{mark}", _get(pages.sent)),
                Route("/mail/{address}/{number:int}/", _get(pages.letter)),
                Route("/mail/{address}/{number:int}/text", _get(pages.text)),
                Route("/mail/{address}/{number:int}/letter.html", _get(pages.framed)),
                Route("/mail/{address}/{number:int}/file/{place:int}/{name}", _get(pages.file)),
                Route("/mail/{address}/{number:int}/answer", _form(pages.form), methods=["GET", "POST"]),
                Route("/log/{game}", _get(pages.log)),
                Route("/site/{path:path}", _get(pages.site)),
                Route("/{asset}", _get(pages.asset)),
            ],
            exception_handlers={HTTPException: _refused, StoreTrouble: _unwell, TemplateError: _unwell},
        )


class _Guard:
    """Lets nobody in who does not know the secret or calls us by a name that is not ours."""

    def __init__(self, app: ASGIApp, secret: str, names: Callable[[], frozenset[str]]) -> None:
        self._app = app
        self._secret = secret
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        names = self._names()
        said = scope["path"].split("/")[1] if scope["path"].startswith("/") else ""
        if request.headers.get("host", "") not in names:
            refusal: Response = _brief(
                HTTPStatus.MISDIRECTED_REQUEST,
                "Open this page by the very address that the judge printed when it started.",
            )
        elif not hmac.compare_digest(said.encode(), self._secret.encode()):
            refusal = _brief(
                HTTPStatus.NOT_FOUND, "There is nothing here. Open the address that the judge printed when it started."
            )
        elif request.method == "POST" and not _same_origin(request, names):
            refusal = _brief(HTTPStatus.FORBIDDEN, "That form is not of this page.")
        else:
            await self._app({**scope, "root_path": f"/{self._secret}"}, receive, send)
            return
        await refusal(scope, receive, send)


def _same_origin(request: Request, names: frozenset[str]) -> bool:
    """Whether the browser says that a form stood on a page of ours, or says nothing."""
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site", "same-origin")
    return site == "same-origin" and (origin is None or origin in {f"http://{name}" for name in names})


class _Pages:
    """What each address shows. Every function is called in a thread of its own, with the request alone."""

    def __init__(
        self,
        judge: Judge,
        mailboxes: Mailboxes,
        site: GameSite,
        smtp: Callable[[], Endpoint | None],
        waiting: tuple[str, Callable[[], str]],
        secret: str,
    ) -> None:
        self._judge = judge
        self._mailboxes = mailboxes
        self._site = site
        self._smtp = smtp
        self._waiting = waiting
        self._base = f"/{secret}"
        self._word = secrets.token_urlsafe(24)
        self._printer = ZinePrinter(*site.templates)
        self._printer.learn({"short": FILTERS["short"], "path": lambda text: quote(str(text), safe="@")})

    def front(self, _request: Request) -> Response:
        """The first mailbox."""
        addresses = self._mailboxes.addresses()
        if addresses:
            return RedirectResponse(
                f"{self._base}/mail/{quote(addresses[0], safe='@')}/", HTTPStatus.SEE_OTHER, _MANNERS
            )
        return self._shown("empty.html", awaited=True)

    def mailbox(self, request: Request) -> Response:
        """A mailbox with its newest letter."""
        address = self._address(request)
        headings = self._mailboxes.headings(address)
        if not headings:
            return self._shown("mailbox.html", address)
        return self._letter(address, headings[0].number, shown="newest")

    def list(self, request: Request) -> Response:
        """The list of letters alone, for the script that keeps it up to date."""
        return self._shown("list.html", self._address(request), number=request.query_params.get("number", ""))

    def letter(self, request: Request) -> Response:
        """A letter, as a page if it is one."""
        return self._letter(self._address(request), request.path_params["number"])

    def text(self, request: Request) -> Response:
        """A letter as text."""
        return self._letter(self._address(request), request.path_params["number"], as_text=True)

    def framed(self, request: Request) -> Response:
        """The page of a letter, for the frame."""
        letter = self._found(self._address(request), request.path_params["number"])
        return HTMLResponse(page_of(letter), headers={**_MANNERS, "Content-Security-Policy": _LETTER,
                                                      "Referrer-Policy": "no-referrer"})  # fmt: skip

    def file(self, request: Request) -> Response:
        """A picture or file of a letter."""
        letter = self._found(self._address(request), request.path_params["number"])
        part = next((one for one in parts_of(letter) if one.place == request.path_params["place"]), None)
        if part is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        picture = part.kind in SHOWN_AS_PICTURES
        headers = {
            **_MANNERS,
            "Content-Security-Policy": _FILE,
            "Content-Type": part.kind if picture else "application/octet-stream",
        }
        if not picture:
            headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(part.name)}"
        return Response(part.content, headers=headers)

    def form(self, request: Request, sent: Mapping[str, str] | None) -> Response:
        """The form for a mail, an answer if a letter is named; `sent`: its fields, once the button was pressed."""
        address = self._address(request)
        number = request.path_params.get("number", 0)
        letter = self._found(address, number) if number else None
        if sent is None:
            asked = _draft(request.query_params)
            draft = answer_to(letter, asked) if letter else MailDraft(self._judge.config.address)
            return self._letter(address, number, draft=draft)
        if not hmac.compare_digest(sent.get("word", "").encode(), self._word.encode()):
            raise HTTPException(
                HTTPStatus.FORBIDDEN, "That form is not of this page, or of an earlier start of the judge."
            )
        draft = _draft(sent)
        try:
            mark = self._send(address, draft, letter)
        except NotSent as trouble:
            return self._letter(address, number, draft=draft, trouble=str(trouble))
        where = f"{self._base}/mail/{quote(address, safe='@')}/sent/{quote(mark, safe='')}"
        return RedirectResponse(where, HTTPStatus.SEE_OTHER, _MANNERS)

    def sent(self, request: Request) -> Response:
        """The letter that answers what was sent; until it has come, a page that looks again by itself."""
        address = self._address(request)
        number = self._mailboxes.answer_to(address, f"<{request.path_params['mark']}>")
        if number is None:
            return self._shown("sent.html", address, awaited=True)
        return RedirectResponse(
            f"{self._base}/mail/{quote(address, safe='@')}/{number}/", HTTPStatus.SEE_OTHER, _MANNERS
        )

    def log(self, request: Request) -> Response:
        """What was done in a game."""
        acts = self._site.log(request.path_params["game"])
        if acts is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return self._shown("log.html", game=request.path_params["game"], acts=acts, follow="")

    def site(self, request: Request) -> Response:
        """A file of the judge's public site."""
        found = self._site.file(request.path_params["path"])
        if found is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        contents, kind = found
        return Response(contents, headers={**_MANNERS, "Content-Type": kind, "Content-Security-Policy": _SITE})

    def asset(self, request: Request) -> Response:
        """The style and the script of these pages."""
        kind = _ASSETS.get(request.path_params["asset"])
        if kind is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        contents = self._printer.file(f"browser/{request.path_params['asset']}").read_bytes()
        return Response(contents, headers={**_MANNERS, "Content-Type": kind})

    # --- what they share ------------------------------------------------------------------------------------------

    def _letter(self, address: str, number: int, *, as_text: bool = False, draft: MailDraft | None = None,
                trouble: str = "", shown: str = "") -> Response:  # fmt: skip
        """A letter of a mailbox, and the form for an answer to it; number 0: the form alone."""
        letter = None if draft is not None and not number else self._found(address, number)
        facts: dict[str, Any] = {}
        if letter is not None:
            facts = {
                "subject": str(letter["Subject"] or "(no subject)"), "sender": str(letter["From"] or ""),
                "to": str(letter["To"] or ""), "date": date_of(letter),
                "framed": has_page(letter) and not as_text, "has_page": has_page(letter), "text": text_of(letter),
                "files": [(part.name, file_name(part)) for part in parts_of(letter)],
            }  # fmt: skip
        status = HTTPStatus.UNPROCESSABLE_ENTITY if trouble else HTTPStatus.OK
        return self._shown("letter.html", address, status=status, number=number, letter=facts, draft=draft,
                           trouble=trouble, shown=shown)  # fmt: skip

    def _send(self, address: str, draft: MailDraft, answered: EmailMessage | None) -> str:
        """Send a mail; returns its Message-ID without the angle brackets. Raises NotSent."""
        listener = self._smtp()
        if listener is None:
            raise NotSent("This judge takes no mail by SMTP (the setting is smtp.listen).")
        message = compose(address, draft, self._judge.clock.now(), answered)
        send(message, listener)
        return unquoted(str(message["Message-ID"]))

    def _address(self, request: Request) -> str:
        """The mailbox that a request names; only those that are there count."""
        address: str = request.path_params["address"]
        if address not in self._mailboxes.addresses():
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return address

    def _found(self, address: str, number: int) -> EmailMessage:
        letter = self._mailboxes.letter(address, number)
        if letter is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return letter

    def _shown(self, template: str, address: str = "", *, status: HTTPStatus = HTTPStatus.OK, **facts: Any) -> Response:
        yours, waits_for = self._waiting
        context = {
            "number": 0, "letter": {}, "draft": None, "trouble": "", "shown": "", "awaited": False, "game": "",
            "follow": f"{self._base}/mail/{quote(address, safe='@')}/list", **facts,
        }  # fmt: skip
        page = self._printer.render(
            f"browser/{template}", base=self._base, judge=self._judge.config.name, word=self._word, address=address,
            addresses=self._mailboxes.addresses(), games=self._site.games,
            headings=self._mailboxes.headings(address) if address else [],
            waits_for=waits_for() if address == yours else "", **context,
        )  # fmt: skip
        return HTMLResponse(page, status, {**_MANNERS, "Content-Security-Policy": _OURS})


_ASSETS = {"style.css": "text/css; charset=utf-8", "follow.js": "text/javascript; charset=utf-8"}


def _get(page: Callable[[Request], Response]) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        return await asyncio.to_thread(page, request)

    return answer


def _form(page: Callable[[Request, Mapping[str, str] | None], Response]) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        sent = _fields(await request.body()) if request.method == "POST" else None
        return await asyncio.to_thread(page, request, sent)

    return answer


def _fields(body: bytes) -> dict[str, str]:
    try:
        read = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=20)
    except ValueError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from error
    return {name: values[0] for name, values in read.items()}


def _draft(fields: Mapping[str, str]) -> MailDraft:
    return MailDraft(fields.get("to", ""), fields.get("subject", ""), fields.get("body", ""))


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = error.detail if error.status_code == HTTPStatus.FORBIDDEN else HTTPStatus(error.status_code).phrase
    return _brief(HTTPStatus(error.status_code), said)


async def _unwell(_request: Request, error: Exception) -> Response:
    return _brief(HTTPStatus.SERVICE_UNAVAILABLE, f"That cannot be shown just now: {error}")


def _brief(status: HTTPStatus, sentence: str) -> Response:
    return PlainTextResponse(f"{sentence}\n", status, {**_MANNERS, "Content-Security-Policy": "default-src 'none'"})


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

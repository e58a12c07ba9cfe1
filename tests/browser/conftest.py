"""A judge with hand-made letters in a local mailbox, and a page that shows them."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from judge.browser.app import Browser
from judge.cli.run import _browser
from judge.config import Config
from judge.daemon.demo import Demo
from judge.daemon.running import Daemon
from judge.service.core.judge import open_judge
from judge.testing.local import LocalJudge
from judge.transport.maildir import write_mail

YOU = "you@judge.test"
PICTURE = b"\x89PNG\r\n\x1a\n..."
HOSTILE = """<!doctype html><html><head><title>Hello</title></head><body style="color:#111111">
<p>Hello.</p><img src="cid:map@judge.test" alt="The map"><img src="https://elsewhere.example/seen.png" alt="">
<a href="mailto:judge+tok@judge.test?subject=Re%3A%20a%2Bb&amp;body=A%20Par%20-%20Bur%0D%0AF%20Bre%20H">Write</a>
<a href="https://elsewhere.example/">Elsewhere</a>
<script>top.document.title = "caught"; document.title = "caught"; new Image().src = "/caught"</script>
<form action="/caught" method="post"><button id="trap">Press me</button></form>
<p onclick="document.title='caught'">Click me</p></body></html>"""


def letter(number: int, *, page: str = "", subject: str = "Orders, please") -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Judge <judge@judge.test>", YOU, f"{subject} {number}"
    mail["Reply-To"], mail["Message-ID"] = "judge+tok@judge.test", f"<{number}@judge.test>"
    mail["Date"] = "Fri, 01 Mar 1901 12:00:00 +0000"
    mail.set_content(f"The text of letter {number}: <b>not bold</b>\n")
    if page:
        mail.add_alternative(page, subtype="html")
        body = mail.get_body(("html",))
        assert isinstance(body, EmailMessage)
        body.add_related(
            PICTURE, "image", "png", cid="<map@judge.test>", filename="../../map.png", disposition="inline"
        )
        mail.add_attachment("BEGIN:VCALENDAR", subtype="html", filename="deadline.html")
    return bytes(mail)


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Visitor:
    """Somebody with the address of the page. `base`: its path, with the secret."""

    place: str
    base: str

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: str | Iterator[bytes] | None = None,
        *,
        base: str | None = None,
        **headers: str,
    ) -> Answer:
        """One request; `path` is behind the secret, or behind another `base`. Redirections are not followed."""
        line = http.client.HTTPConnection(self.place, timeout=60)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            line.request(method, (self.base if base is None else base) + path, body, sent)
            heard = line.getresponse()
            told = {name.lower(): value for name, value in heard.getheaders()}
            return Answer(heard.status, told, heard.read().decode("utf-8", "replace"))
        finally:
            line.close()

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Answer:
        return self.ask(path, "POST", urlencode(fields), **headers)

    def follow(self, answer: Answer) -> Answer:
        """Where a redirection leads."""
        assert answer.status == 303, answer
        return self.ask(answer.headers["location"], base="")


def visitor_of(address: str) -> Visitor:
    split = urlsplit(address)
    return Visitor(split.netloc, split.path.rstrip("/"))


@contextmanager
def running_demo(config: Config) -> Iterator[tuple[str, str]]:
    """A demo with its page, as `judge run` has them: the page's address, and that of whoever plays."""
    daemon = Daemon(open_judge(config, upgrade=True, careless=True))
    robots = Demo(daemon, pause=0.05, seed=1)
    page = _browser(daemon, robots)
    assert page is not None
    address = page.start()
    daemon.start()
    assert address in robots.start(address)
    yield address, robots.visitor
    robots.stop()
    page.stop()
    daemon.stop()


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    stage = LocalJudge(tmp_path)
    mailbox = stage.judge.config.var / "mail" / YOU
    write_mail(mailbox, 1, letter(1))
    write_mail(mailbox, 2, letter(2, page=HOSTILE))
    (stage.judge.config.var / "mail" / "robot@judge.test" / "new").mkdir(parents=True)
    page = Browser(stage.judge, "127.0.0.1:0", smtp=lambda: None, first=YOU, waits_for=lambda: "It waits for you.")
    yield visitor_of(page.start())
    page.stop()
    stage.close()

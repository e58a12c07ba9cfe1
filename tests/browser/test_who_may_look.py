"""The page belongs to the person at this machine: what it tells nobody else, and what no letter can do in it."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from judge.browser.app import Browser
from judge.cli.run import _browser
from judge.config import Config, Relay
from judge.testing.local import LocalJudge
from judge.testing.under_test import rehearsal_config
from judge.transport.listener import CannotListen
from tests.browser.conftest import YOU, Visitor, visitor_of

LETTER = f"/mail/{YOU}/2"
EVERY_GET = (
    "/", f"/mail/{YOU}/", f"/mail/{YOU}/list", f"/mail/{YOU}/write", f"/mail/{YOU}/sent/x@y", f"{LETTER}/",
    f"{LETTER}/text", f"{LETTER}/letter.html", f"{LETTER}/answer", f"{LETTER}/answer?to=a@b.c&subject=s&body=b",
    "/site/", "/site/index.html", "/style.css", "/follow.js",
)  # fmt: skip


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", "", "[::1]:80"])
def test_under_another_name_there_is_nothing(visitor: Visitor, host: str) -> None:
    """A page of somebody else's that calls this machine by a name of its own (DNS rebinding) reads nothing."""
    answer = visitor.ask("/", Host=host)
    assert answer.status == 421 and YOU not in answer.text


@pytest.mark.parametrize("base", ["", "/", "/x", "/%2e%2e", "//", "/..", "/%e9"])
def test_without_the_secret_there_is_nothing(visitor: Visitor, base: str) -> None:
    for path in EVERY_GET:
        answer = visitor.ask(path, base=base)
        assert answer.status in (400, 404) and YOU not in answer.text and visitor.base not in answer.text


def test_the_secret_is_long_and_another_each_time(tmp_path: Path) -> None:
    stage = LocalJudge(tmp_path)
    seen = {Browser(stage.judge, "127.0.0.1:0", smtp=lambda: None)._secret for _ in range(3)}
    assert len(seen) == 3 and all(len(secret) >= 32 for secret in seen)
    stage.close()


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "192.0.2.1:80", "[::]:0", "unix:/tmp/page", "judge.example:80"])
def test_it_listens_on_this_machine_alone(tmp_path: Path, listen: str) -> None:
    stage = LocalJudge(tmp_path)
    with pytest.raises(CannotListen, match=r"browser\.listen"):
        Browser(stage.judge, listen, smtp=lambda: None)
    stage.close()


@pytest.mark.parametrize(
    "path",
    [
        "/mail/..%2f..%2fjudge.db/", "/mail/%2e%2e/", "/mail/nobody@judge.test/", f"/mail/{YOU}/3/", f"/mail/{YOU}/0/",
        f"/mail/{YOU}/../../x", f"{LETTER}/file/99/x", "/site/../judge.db", "/site/..%2f..%2fjudge.db",
        "/site/%2fetc%2fpasswd", "/..%2fstyle.css", "/base.html", "/log/nosuch", "/log/..%2f..",
    ],
)  # fmt: skip
def test_no_path_leads_out(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).status == 404


def test_a_get_changes_nothing(visitor: Visitor, tmp_path: Path) -> None:
    def state() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in (tmp_path / "mail").rglob("*") if path.is_file()}

    before = state()
    for path in EVERY_GET:
        assert visitor.ask(path).status in (200, 303), path
        assert visitor.ask(path, "HEAD").status in (200, 303), path
    assert state() == before
    for path in EVERY_GET:
        if "answer" not in path and "write" not in path:
            assert visitor.ask(path, "POST", "x=y").status == 405, path


def word_of(visitor: Visitor) -> str:
    found = re.search(r'name="word" value="([^"]+)"', visitor.ask(f"{LETTER}/answer").text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"},
     {"Sec_Fetch_Site": "same-site"}],
)  # fmt: skip
def test_a_form_of_another_page_sends_nothing(visitor: Visitor, headers: dict[str, str]) -> None:
    fields = {"word": word_of(visitor), "to": "judge@judge.test", "body": "A Par H"}
    assert visitor.post(f"{LETTER}/answer", fields, **headers).status == 403


@pytest.mark.parametrize("word", ["", "x", "é"])
def test_a_form_without_our_word_sends_nothing(visitor: Visitor, word: str) -> None:
    assert visitor.post(f"{LETTER}/answer", {"word": word, "to": "judge@judge.test", "body": "A Par H"}).status == 403


def test_a_form_is_bounded(visitor: Visitor) -> None:
    fields = {"word": word_of(visitor), "to": "judge@judge.test", "body": "x" * 300_000}
    assert visitor.post(f"{LETTER}/answer", fields).status == 413
    drops = visitor.ask(f"{LETTER}/answer", "POST", iter([b"x" * 200_000] * 2))
    assert drops.status == 413, "sent without a length"
    assert visitor.post(f"{LETTER}/answer", {f"field{n}": "x" for n in range(50)}).status == 400


def test_the_page_of_a_letter_is_shut_in(visitor: Visitor) -> None:
    """That nothing in it runs is seen in a real browser (tests/wires); here, that it is told so."""
    framed = visitor.ask(f"{LETTER}/letter.html")
    policy = framed.headers["content-security-policy"]
    assert policy.startswith("sandbox ") and "allow-scripts" not in policy and "allow-same-origin" not in policy
    assert "default-src 'none'" in policy and "script-src" not in policy and "form-action 'none'" in policy
    around = visitor.ask(f"{LETTER}/")
    frame = re.search(r"<iframe [^>]*>", around.text)
    assert frame is not None and "allow-scripts" not in frame[0] and "allow-same-origin" not in frame[0]
    assert "caught" not in around.text, "of the letter's page nothing stands in ours"
    assert "&lt;b&gt;not bold&lt;/b&gt;" in visitor.ask(f"{LETTER}/text").text


def test_every_page_is_told_what_it_may_do(visitor: Visitor) -> None:
    for path in EVERY_GET[1:]:
        answer = visitor.ask(path)
        if answer.headers["content-type"].startswith("text/html"):
            assert "default-src 'none'" in answer.headers["content-security-policy"], path
        assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["cache-control"] == "no-store"
        assert "set-cookie" not in answer.headers


def test_a_file_that_is_no_picture_is_handed_out_and_not_shown(visitor: Visitor) -> None:
    files = re.findall(rf"{visitor.base}({LETTER}/file/[^\"]+)", visitor.ask(f"{LETTER}/").text)
    kinds = {}
    for path in files:
        answer = visitor.ask(path)
        assert answer.status == 200 and answer.headers["content-security-policy"].startswith("sandbox")
        kinds[path.rpartition("/")[2]] = (answer.headers["content-type"], "content-disposition" in answer.headers)
    assert kinds == {"map.png": ("image/png", False), "deadline.html": ("application/octet-stream", True)}


def test_no_thread_is_left_behind(tmp_path: Path) -> None:
    stage = LocalJudge(tmp_path)
    before = threading.active_count()
    page = Browser(stage.judge, "127.0.0.1:0", smtp=lambda: None)
    assert "no mailbox yet" in visitor_of(page.start()).ask("/").text
    page.stop()
    assert threading.active_count() <= before
    stage.close()


@pytest.mark.parametrize(
    ("listen", "relay", "demo", "opened"),
    [
        ("", "", True, True),
        ("", "", False, False),
        ("127.0.0.1:0", "", False, True),
        ("127.0.0.1:0", "mx", True, False),
    ],
)
def test_it_is_there_in_a_demo_or_where_it_is_asked_for_and_never_beside_a_relay(
    tmp_path: Path, listen: str, relay: str, *, demo: bool, opened: bool
) -> None:
    def config(folder: Path) -> Config:
        return replace(rehearsal_config(folder), browser_listen=listen, relay=Relay(relay))

    stage = LocalJudge(tmp_path, config=config)
    daemon: Any = SimpleNamespace(judge=stage.judge)
    robots: Any = SimpleNamespace(visitor=YOU, waits_for=str) if demo else None
    assert (_browser(daemon, robots) is not None) is opened
    stage.close()

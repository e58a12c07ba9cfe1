"""Letters as their readers see them, and answers that go the way of all mail."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from judge.browser.app import Browser
from judge.browser.mailbox import page_of
from judge.daemon.demo import EXAMPLE, KEY
from judge.testing.local import LocalJudge
from judge.testing.under_test import rehearsal_config
from tests.browser.conftest import YOU, Answer, Visitor, running_demo, visitor_of

LETTER = f"/mail/{YOU}/2"


def test_the_first_mailbox_is_shown_with_its_newest_letter(visitor: Visitor) -> None:
    page = visitor.follow(visitor.ask("/")).text
    assert "<h1>Orders, please 2</h1>" in page and "It waits for you." in page
    assert page.index("Orders, please 2") < page.index("Orders, please 1"), "the newest stands first"
    assert "1 other" in page and "robot@judge.test" in page


def test_another_mailbox_may_be_empty(visitor: Visitor) -> None:
    page = visitor.ask("/mail/robot@judge.test/").text
    assert "There is no letter here yet." in page and "It waits for you." not in page


def test_a_letter_is_shown_as_a_page_or_as_text(visitor: Visitor) -> None:
    page = visitor.ask(f"{LETTER}/").text
    assert "<iframe" in page and "The text of letter 2" not in page and "Fri 1 Mar 1901, 12:00 UTC" in page
    text = visitor.ask(f"{LETTER}/text").text
    assert "<iframe" not in text and "The text of letter 2" in text
    assert "The text of letter 1" in visitor.ask(f"/mail/{YOU}/1/").text, "one that is no page is text"


def test_a_button_of_a_letter_fills_the_form(visitor: Visitor) -> None:
    framed = visitor.ask(f"{LETTER}/letter.html").text
    link = re.search(r'<a target="_top" href="(answer\?[^"]+)">Write</a>', framed)
    assert link is not None
    form = visitor.ask(f"{LETTER}/{html.unescape(link[1])}").text
    assert 'value="judge+tok@judge.test"' in form and 'value="Re: a+b"' in form
    assert "A Par - Bur\nF Bre H</textarea>" in form
    assert 'src="file/' in framed and "cid:" not in framed
    assert 'target="_blank" rel="noopener noreferrer" href="https://elsewhere.example/"' in framed


def test_what_could_not_be_sent_is_still_in_the_form(visitor: Visitor) -> None:
    answer = sent(visitor, f"{LETTER}/answer", "A Paris <holds>")
    assert answer.status == 422 and "takes no mail by SMTP" in answer.text
    assert "A Paris &lt;holds&gt;</textarea>" in answer.text


def sent(visitor: Visitor, form: str, body: str, **fields: str) -> Answer:
    """What comes of filling in a form and pressing its button."""
    page = visitor.ask(form).text
    held = {name: html.unescape(value) for name, value in re.findall(r'name="(\w+)"[^>]* value="([^"]*)"', page)}
    return visitor.post(form, {**held, "body": body.replace("\n", "\r\n"), **fields})


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Visitor]:
    """Somebody who opens the page of a demo, once their first letter has come."""
    config = replace(rehearsal_config(tmp_path), smtp_vouched=True)  # as deploy/run has it
    with running_demo(config) as (address, _):
        yield visitor_of(address)


def awaited(visitor: Visitor, path: str, *words: str) -> str:
    """The text of a page, or of the one that it leads to, as soon as it says all this."""
    end = time.monotonic() + 60
    while True:
        answer = visitor.ask(path)
        if answer.status == 303:
            answer = visitor.follow(answer)
        if all(word in answer.text for word in words):
            return answer.text
        assert time.monotonic() < end, answer.text
        time.sleep(0.05)


def test_orders_written_in_the_form_are_answered_and_played(demo: Visitor) -> None:
    first = awaited(demo, "/", "orders by", "The game waits for your orders")
    number = re.search(r'/(\d+)/" aria-current="page"', first)
    assert number is not None
    mailbox = f"/mail/{robots_visitor(first)}"
    form = f"{mailbox}/{number[1]}/answer"
    refused = sent(demo, form, "A Paris H", to="nobody-here@elsewhere.test")
    assert refused.status == 422 and "the judge refused the address: 550" in refused.text
    assert sent(demo, form, "A Paris H", to="").status == 422
    assert sent(demo, form, "A Paris H", to="a@b\r\nBcc: c@d").status == 422

    assert sent(demo, form, "A Paris H\npress to Germany\nA word.\nendpress").status == 303
    awaited(demo, f"/log/{KEY}", "The demo&#39;s Gamemaster", "Robot Turkey joins")
    assert "A Paris" not in demo.ask(f"/log/{KEY}").text, "what is not played yet is nobody's business"

    accepted = sent(demo, form, "\n".join(EXAMPLE))
    assert accepted.status == 303
    waiting = accepted.headers["location"].removeprefix(demo.base)
    receipt = awaited(demo, waiting, "set 2 for France")
    assert "<iframe" in receipt
    awaited(demo, f"{mailbox}/", "S1901 Moves: results")  # press of robots may have come after it

    played = demo.ask(f"/site/games/{KEY}/S1901M.html")
    assert "A Paris - Burgundy" in played.text
    picture = re.search(r'<img src="(S1901M-[^"]+)"', played.text)
    assert picture is not None and demo.ask(f"/site/games/{KEY}/{picture[1]}").headers["content-type"] == "image/png"
    assert f'href="../../../log/{KEY}"' in demo.ask(f"/site/games/{KEY}/index.html").text
    assert sent(demo, f"{mailbox}/write", "sandbox").status == 303
    page = awaited(demo, f"{mailbox}/", "/site/games/sandbox-1/index.html")
    assert "log of sandbox-1" in page.replace('<span class="unseen"> ', " ").replace("</span>", "")
    assert "The game SANDBOX-1" in demo.ask("/site/games/sandbox-1/index.html").text
    assert "sandbox" not in demo.ask("/site/games.csv").text, "what is for everybody tells of public games alone"
    log = demo.ask(f"/log/{KEY}").text
    assert "A Paris - Burgundy" in log and "A word." not in log


def robots_visitor(page: str) -> str:
    found = re.search(r"/mail/([^/]+)/\" aria-current=\"true\"", page)
    assert found is not None
    return found[1]


def test_a_link_with_a_plus_or_a_percent_is_read_as_a_mail_program_reads_it() -> None:
    mail = EmailMessage()
    mail.set_content('<a href="mailto:a%2Bb@c.test?body=1%2B1%20%26%20x&amp;Subject=S%25">x</a>', subtype="html")
    link = re.search(r'href="([^"]+)"', page_of(mail))
    assert link is not None
    asked = parse_qs(urlsplit(html.unescape(link[1])).query)
    assert asked == {"to": ["a+b@c.test"], "subject": ["S%"], "body": ["1+1 & x"]}


def test_a_broken_template_of_the_site_is_named(tmp_path: Path) -> None:
    (tmp_path / "own" / "browser").mkdir(parents=True)
    (tmp_path / "own" / "browser" / "empty.html").write_text("{{ nothing.of.that.name }}", encoding="utf-8")
    stage = LocalJudge(tmp_path, config=lambda folder: replace(rehearsal_config(folder), templates=tmp_path / "own"))
    page = Browser(stage.judge, "127.0.0.1:0", smtp=lambda: None)
    answer = visitor_of(page.start()).ask("/")
    assert answer.status == 503 and "browser/empty.html: 'nothing' is undefined" in answer.text
    page.stop()
    stage.close()

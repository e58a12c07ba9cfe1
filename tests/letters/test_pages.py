"""Every letter as a page: the same words, nothing from elsewhere, small, and readable without pictures and style."""

from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes, policy
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from judge.mail.letters.pages import blocks
from judge.mail.quoting import SENTINEL
from judge.report.core.letter import Letter
from tests.letters.conftest import Post
from tests.support.gallery import gallery

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (Path(__file__).parent / "golden").glob("*.mail"))
VOID = {"meta", "br", "hr", "img"}
KNOWN = VOID | {
    *("html", "head", "title", "style", "body", "div", "p", "h1", "h2", "b", "i", "a", "pre", "code", "blockquote"),
    *("table", "caption", "tr", "th", "td", "ul", "li"),
}


class Page(HTMLParser):
    """Checks that elements nest, and gathers what a reader reads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.buttons: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        assert tag in KNOWN, tag
        assert not [name for name in facts if name.startswith("on")]
        self.links += [value or "" for name, value in facts.items() if name in ("href", "src", "background", "action")]
        if tag == "a" and "button" in (facts.get("class") or ""):
            self.buttons.append(facts["href"] or "")
        if tag == "img":
            assert facts.get("alt")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "title", "a"} & set(self.open) or ("a" in self.open and "@" in data):
            self.words += data.split()


@cache
def letters() -> dict[str, Letter]:
    return gallery(ROOT / "maps")


def page_of(post: Post, name: str) -> str:
    body = message_from_bytes(post(letters()[name]).mime, policy=policy.default).get_body(("html",))
    assert body is not None
    return str(body.get_content())


@pytest.mark.parametrize("name", NAMES)
def test_every_letter_is_a_page_in_good_order(post: Post, name: str) -> None:
    """Elements nest, nothing runs, nothing is fetched; Gmail cuts pages at about 100 kB."""
    text = page_of(post, name)
    page = Page(text)
    assert len(text.encode()) < 100_000
    assert not re.search(r"https?:|url\(|@import|<script|<link|javascript:", text)
    assert all(link.startswith(("mailto:", "cid:")) for link in page.links)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("results")])
def test_a_page_made_of_the_text_says_every_word_of_it(post: Post, name: str) -> None:
    text = post(letters()[name], page=False, calendar=False).text.removeprefix(SENTINEL)
    told = [word for word in text.split() if not re.fullmatch(r"-{20,}|={20,}|\|", word)]
    said = [word for word in Page(page_of(post, name)).words[len(SENTINEL.split()) :] if word != "|"]
    assert said == told


def test_what_can_be_done_is_a_button_that_fills_in_the_mail(post: Post) -> None:
    """No link of a web is needed, and nothing happens before the reader sends what the button wrote."""
    assert [re.sub(r".*&body=", "", link) for link in Page(page_of(post, "vote")).buttons] == ["AYE%201", "NAY%201"]
    (orders,) = Page(page_of(post, "reminder")).buttons
    assert orders.startswith("mailto:judge+kq7wseat@judge.test?subject=Re%3A")
    assert "F%20Brest%20-%20______%0D%0AA%20Marseilles" in orders


def test_folded_lines_are_put_together_and_others_stay() -> None:
    folded = "It passes only if every active player says aye; silence is nay. Once all have\nsaid aye the game ends."
    assert blocks(folded)[0].lines == (folded.replace("\n", " "),)
    assert blocks("Proof: 7c1e\nYour check phrase")[0].lines == ("Proof: 7c1e", "Your check phrase")


def test_rows_keep_what_hangs_under_them() -> None:
    """A line that had no room for the next word goes on in it; another one stands for itself."""
    units = "for 7 units: F Brest, A Paris, F Mid-Atlantic Ocean, A Marseilles,"
    text = f"  ORDERS    {units}\n            A Bulgaria\n  DUE       Sat 9 Jan\n            or later"
    assert blocks(text)[0].rows == (("ORDERS", f"{units} A Bulgaria"), ("DUE", "Sat 9 Jan\nor later"))


def test_columns_keep_their_layout() -> None:
    chart = " Austria  3 (3)   England  3 (3)   France 3 (3)\n Germany  3 (3)   Italy    3 (3)   Russia 4 (4)"
    assert [(block.kind, block.lines) for block in blocks(chart)] == [("lines", tuple(chart.split("\n")))]


def test_words_of_players_are_quoted_and_never_become_a_page(post: Post) -> None:
    letter = letters()["press-white"]
    hostile = replace(letter, view={**letter.view, "text": "<b>hello</b> <img src=x>\n</blockquote>"})
    body = message_from_bytes(post(hostile).mime, policy=policy.default).get_body(("html",))
    assert body is not None
    text = body.get_content().replace("\r\n", "\n")
    assert "&lt;b&gt;hello&lt;/b&gt; &lt;img src=x&gt;\n&lt;/blockquote&gt;" in text
    Page(text)

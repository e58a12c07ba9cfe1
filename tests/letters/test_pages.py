"""Every letter as a page: the same words, nothing from elsewhere, small, and readable without pictures and style."""

from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes, policy
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from judge.mail.letters.pages import blocks
from judge.report.core.letter import Letter
from tests.letters.conftest import Post
from tests.support.gallery import gallery
from tests.support.webpage import Page

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (Path(__file__).parent / "golden").glob("*.mail"))


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
    links = [element.attributes["href"] for element in page.root.all("a")]
    links += [element.attributes["src"] for element in page.root.all("img")]
    assert all(link.startswith(("mailto:", "cid:")) for link in links)


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_every_word_of_its_text(post: Post, name: str) -> None:
    """Whoever reads the page alone misses nothing, though it is laid out otherwise."""
    text = post(letters()[name], page=False, calendar=False).text
    assert sorted(words_of(text) - words_of(" ".join(Page(page_of(post, name)).said))) == []


def test_the_pages_that_a_page_of_help_names_are_one_click_away(post: Post) -> None:
    named = letters()["help-support"].view["more"]
    links = [unquote(element.attributes["href"]) for element in Page(page_of(post, "help-support")).root.all("a")]
    assert named and all(any(f"help {name}" in link for link in links) for name in named)


def bodies(page: Page) -> list[str]:
    """What the buttons of a page write."""
    links = [element.attributes["href"] for element in page.root.all("a") if "button" in element.classes]
    assert all(link.startswith("mailto:judge+kq7wseat@judge.test?subject=Re%3A") for link in links)
    return [unquote(link.partition("&body=")[2]) for link in links]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("vote", ["AYE 1", "NAY 1"]),
        ("held", ["confirm", "no"]),
        ("list", ["join verdun"]),
        ("vacancy", ["claim tannenburg Italy", "standby off"]),
        ("receipt-correction", ["1", "2", "3", "4", "undo"]),
        ("reminder", ["F Brest - ______\r\nA Marseilles - ______\r\nA Paris - ______"]),
    ],
)
def test_what_can_be_done_is_a_button_that_fills_in_the_mail(post: Post, name: str, written: list[str]) -> None:
    """No link of a web is needed, and nothing happens before the reader sends what the button wrote."""
    assert bodies(Page(page_of(post, name))) == written


def test_folded_lines_are_put_together_and_others_stay() -> None:
    folded = "It passes only if every active player says aye; not voting counts as nay. Once\nall have, the game ends."
    assert blocks(folded)[0].lines == (folded.replace("\n", " "),)
    assert blocks("Proof: 7c1e\nYour check phrase")[0].lines == ("Proof: 7c1e", "Your check phrase")


@pytest.mark.parametrize("mark", ["| ", "  | "])
def test_words_of_others_are_a_quotation_however_deep_they_stand(mark: str) -> None:
    said = blocks(f"England to France:\n{mark}Shall we?\n{mark.rstrip()}\n{mark}I give my word.")
    assert [one.kind for one in said] == ["prose", "words"]
    assert said[1].lines == ("Shall we?", "", "I give my word.")


def test_rows_keep_what_hangs_under_them() -> None:
    """A line that had no room for the next word goes on in it; another one stands for itself."""
    units = "for 7 units: F Brest, A Paris, F Mid-Atlantic Ocean, A Marseilles,"
    text = f"  ORDERS    {units}\n            A Bulgaria\n  DUE       Sat 9 Jan\n            or later"
    assert blocks(text)[0].rows == (("ORDERS", f"{units} A Bulgaria"), ("DUE", "Sat 9 Jan\nor later"))
    cases = "cases: position, orders and position after, all of them as"
    file = f"  tannenburg.txt  {cases}\n                  DATC files have them"
    assert blocks(file)[0].rows == (("tannenburg.txt", f"{cases} DATC files have them"),)


def test_points_are_a_list_each_with_what_hangs_under_it() -> None:
    """A sentence with a colon is no label with its text, and what it goes on in is none of its own."""
    text = "IN SENTENCES\n - A Budapest - Galicia failed: 1 against 1, also wanted by\n   A Warsaw.\n - A Rome stood."
    assert [(one.kind, one.lines) for one in blocks(text)] == [
        ("title", ("IN SENTENCES",)),
        ("points", ("A Budapest - Galicia failed: 1 against 1, also wanted by A Warsaw.", "A Rome stood.")),
    ]


def test_an_order_that_failed_stands_with_its_power() -> None:
    """Its parenthesis begins before the column; the heading above says what it means."""
    text = (
        f"{'SPRING 1901 MOVES   ( ) = failed ':-<78}\n"
        "AUSTRIA  A Vienna - Trieste\n        (A Budapest - Galicia)       bounced: Russian A Warsaw\n"
        "ENGLAND  F London - North Sea"
    )
    assert [(one.kind, one.lines or one.rows) for one in blocks(text)] == [
        ("rule", ()),
        ("title", ("SPRING 1901 MOVES",)),
        ("prose", ("( ) = failed",)),
        (
            "rows",
            (
                ("AUSTRIA", "A Vienna - Trieste\n(A Budapest - Galicia)  bounced: Russian A Warsaw"),
                ("ENGLAND", "F London - North Sea"),
            ),
        ),
    ]


def test_numbers_of_one_and_of_two_figures_are_rows_of_one_table() -> None:
    text = "    9  Fri 1 Jan - the game begins\n   10  Fri 1 Jan - Spring 1901 moves due by Mon\n       4 Jan"
    assert [[number for number, _ in one.rows] for one in blocks(text)] == [["9", "10"]]


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

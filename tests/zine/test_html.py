"""An issue as a page: in mails and in an archive, the same words as its text."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from justhtml import JustHTML

from judge.zine.html import ZinePrinter, print_archive_page, print_pages_for_mail
from judge.zine.issue import Item, ItemKind
from judge.zine.pictures import draw_graphs
from tests.zine.sample import ROOT, sample_issue
from tests.zine.test_text import PRINTER, golden, whole

PICTURES = {"tannenburg-F1902R": "cid:map@judge.test", "cartoon-6": "cid:cartoon@judge.test"}


class Words(HTMLParser):
    """The words of a page, and where its links lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.links, self.anchors, self._inside = "", set[str](), set[str](), ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        facts = dict(attrs)
        self.links |= {str(facts["href"])} if "href" in facts else set()
        self.anchors |= {str(facts["id"])} if "id" in facts else set()
        self.text += f" {facts.get('alt') or ''} {facts.get('href') or ''} "

    def handle_data(self, data: str) -> None:
        self.text += data if self._inside not in ("style", "title") else ""


def test_the_page_of_a_mail_is_the_golden_one() -> None:
    (part,) = print_pages_for_mail(sample_issue(), PRINTER, PICTURES)
    golden("issue-96.html", part.html)
    assert part.pictures == ("tannenburg-F1902R", "cartoon-6")


def test_a_page_says_what_the_text_says() -> None:
    """Every word of the text stands on the page, but for what only a text needs."""
    found = set(re.findall(r"\w+", Words(print_archive_page(sample_issue(), PRINTER, PICTURES)).text))
    said = set(re.findall(r"\w+", whole().replace("_", "")))
    assert said - found <= {"A", "picture", "goes", "with", "this", "ELECTRONIC", "PROTOCOL", "PRESS", "NOTES"}


def test_every_link_within_a_part_leads_somewhere() -> None:
    parts = print_pages_for_mail(sample_issue(), PRINTER, PICTURES, most=24_000)
    assert len(parts) > 1
    for number, part in enumerate(parts, 1):
        words = Words(part.html)
        assert {link[1:] for link in words.links if link.startswith("#")} <= words.anchors
        assert f"part {number} of {len(parts)}" in words.text
        assert "Chapter Three contains: BISMARK and COLD WAR" in words.text


def test_two_games_of_one_name_are_told_apart() -> None:
    issue = sample_issue()
    again = replace(issue.chapters[0], entries=issue.chapters[0].entries * 2)
    page = print_archive_page(replace(issue, chapters=(again, *issue.chapters[1:])), PRINTER, {})
    ids = re.findall(r' id="([^"]+)"', page)
    assert "chapter-1-verdun-2" in ids
    assert len(ids) == len(set(ids))


def test_a_mail_shows_graphs_as_pictures_and_an_archive_draws_them() -> None:
    (name,) = draw_graphs(sample_issue())
    (part,) = print_pages_for_mail(sample_issue(), PRINTER, {name: "cid:graph"})
    assert part.pictures == (name,)
    assert "<svg" not in part.html
    assert "<svg" in print_archive_page(sample_issue(), PRINTER, {})


def test_a_graph_lies_on_light_paper_in_the_dark() -> None:
    """Its ink is dark, whatever the page is."""
    page = print_archive_page(sample_issue(), PRINTER, {})
    assert 'class="graph"' in page
    assert re.search(r"\.graph \{\s*background: #fff", page.partition("prefers-color-scheme: dark")[2])
    assert ".picture img { max-width: 100%; background: #fff" in PRINTER.file("zine/book/style.css").read_text("utf-8")


def test_what_is_broad_is_moved_by_itself_and_not_the_page() -> None:
    """Tables, and what is laid out by hand, which is never broken into lines."""
    page = print_archive_page(sample_issue(), PRINTER, PICTURES)
    assert page.count("<table") == len(re.findall(r'<div class="wide" style="overflow-x:auto">\s*<table', page)) > 3
    for block in re.findall(r"<pre [^>]+>", page):
        assert "white-space:pre;" in block and "overflow-x:auto" in block


def test_what_is_not_there_is_named() -> None:
    (part,) = print_pages_for_mail(sample_issue(), PRINTER, {})
    assert "<img" not in part.html
    assert "[Picture: Two fleets stare at each other across the Channel. By Lew]" in part.html


def test_a_part_of_a_mail_is_not_cut_off() -> None:
    items = tuple(Item(n, ItemKind.ARTICLE, "word " * 1500, title=f"Article {n}") for n in range(60))
    parts = print_pages_for_mail(replace(sample_issue(), items=items), PRINTER, PICTURES)
    assert all(len(part.html.encode()) < 102_000 for part in parts)
    assert all(sum(f"Article {n}</h3>" in part.html for part in parts) == 1 for n in range(60))


def test_a_zine_has_a_masthead_of_its_own_by_a_file_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "zine" / "page").mkdir(parents=True)
    style = (ROOT / "templates/zine/page/style.css").read_text(encoding="utf-8")
    (tmp_path / "zine" / "page" / "style.css").write_text(style.replace("Georgia", "Verdana"), encoding="utf-8")
    assert "Verdana" in print_archive_page(sample_issue(), ZinePrinter(tmp_path, ROOT / "templates"), {})


def test_a_page_is_html_that_a_strict_parser_takes() -> None:
    (mail,) = print_pages_for_mail(sample_issue(), PRINTER, PICTURES, foot="To leave: leave zine electronic-protocol")
    for page in (mail.html, print_archive_page(sample_issue(), PRINTER, PICTURES, home="../index.html")):
        assert JustHTML(page, strict=True, sanitize=False).query("h2")
    assert "leave zine electronic-protocol</p>" in mail.html

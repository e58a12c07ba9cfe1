"""Words of others can do no harm in any face: whatever they hold, it is printed as words, and nothing else happens."""

from __future__ import annotations

import io
import re
import zipfile
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from judge.zine.html import print_archive_page, print_epub, print_pages_for_mail
from judge.zine.issue import Issue, Item, ItemKind, Markup
from judge.zine.pdf import print_pdf
from judge.zine.text import print_text
from judge.zine.tree import Node, markdown, plain_text
from judge.zine.tree import words as fit_words
from tests.zine.sample import sample_issue
from tests.zine.test_text import PRINTER

EVIL = (
    "#panic()", '#eval("1")', "#import", "$x$", "]", "[", "*", "_", "`", "```", "~~~", "<script>alert(1)</script>",
    "<b", "&amp;", "&#60;", "</p></body>", "{{ 7*7 }}", "{% raw %}", "{#", "\u202e", "\x00", "\x01",
    "\r\nBcc: x@evil.test\r\n", "![x](http://evil.test/x.png)", "[a](javascript:alert(1))", "[b](data:text/html,x)",
    "<img src=http://evil.test/x>", "@cite", "<label>", "\\", "//", "/*", "\n= head", "\n- x", "\n\n", "'", '"',
    "\ud800", "\ufffe", "]]>", "<!--", "\n| a |\n|-|", '" onload="x', "' style='x", "\x1b[31m", "http://evil.test",
    "<http://evil.test>", "[r]: http://evil.test/r", "![r][r]", "> " * 40, "1. " * 30, "[" * 60, "*" * 80, "\u200b",
)  # fmt: skip
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "div", "p", "h1", "h2", "h3", "h4", "a", "b", "i", "br", "ul",
    "ol", "li", "table", "caption", "tr", "th", "td", "img", "pre", "blockquote", "hr", "code", "svg", "path", "text",
    "g", "circle", "polyline",
}  # fmt: skip
"""Elements of a page."""
SPARED = {"position", "date", "sort", "markup", "colour", "number", "seasons", "values", "kind", "picture"}
"""Fields that are no words of anybody's."""

words = st.lists(st.one_of(st.sampled_from(EVIL), st.text(max_size=12)), min_size=1, max_size=6).map(" x ".join)


def spoilt(value: Any, evil: str, name: str = "") -> Any:
    """The issue as plain values, with such words behind all that it says."""
    if isinstance(value, str) and name not in SPARED:
        return f"{value} {evil}" if value else value
    if isinstance(value, dict):
        return {key: item if key in SPARED else spoilt(item, evil, key) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [spoilt(item, evil, name) for item in value]
    return value


def evil_issue(evil: str) -> Issue:
    """Every heading, name, table and text of it is spoilt."""
    return msgspec.convert(spoilt(msgspec.to_builtins(sample_issue()), evil), Issue)


class Skeleton(HTMLParser):
    """Elements, their attributes, and every address."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: set[str] = set()
        self.ids: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses |= {str(value) for name, value in attrs if name in ("src", "href")}
        self.ids += [str(value) for name, value in attrs if name == "id"]


@settings(max_examples=15, deadline=None)
@given(words)
def test_no_words_become_mark_up_of_a_page(evil: str) -> None:
    """A page that was spoilt has the elements of any page, each identity once, and no address but those it was given,
    and those of links that are links.
    """
    pictures = {"tannenburg-F1902R": "cid:1", "cartoon-6": "cid:2"}
    pages = [part.html for part in print_pages_for_mail(evil_issue(evil), PRINTER, pictures)]
    pages.append(print_archive_page(evil_issue(evil), PRINTER, pictures, home="index.html"))
    for page in pages:
        found = Skeleton(page)
        assert found.tags <= ALLOWED, found.tags - ALLOWED
        assert not [name for name in found.attributes if name.startswith("on")]
        assert all(re.match(r"cid:[12]$|#|index\.html$|https?://|mailto:", one) for one in found.addresses)
        assert not re.search(r"<img[^>]*src=\"(?!cid:)", page)
        assert len(found.ids) == len(set(found.ids))


@settings(max_examples=15, deadline=None)
@given(words)
def test_no_words_break_a_book(evil: str) -> None:
    """Every page of it is well-formed XML, and no picture is fetched from elsewhere."""
    with zipfile.ZipFile(io.BytesIO(print_epub(evil_issue(evil), PRINTER, {}))) as book:
        for name in book.namelist():
            if name.endswith(("xml", "opf", "xhtml", "svg")):
                root = ElementTree.fromstring(book.read(name))
                sources = [value for element in root.iter() for key, value in element.items() if key == "src"]
                assert all(re.fullmatch(r"(?:graph|picture)-\d+\.(?:svg|png)", source) for source in sources)


@settings(max_examples=5, deadline=None)
@given(words)
def test_no_words_become_a_program_of_typst(evil: str) -> None:
    """It is printed, and what was evil stands there to be read."""
    reader = PdfReader(io.BytesIO(print_pdf(evil_issue(evil), PRINTER, {})))
    text = "".join(page.extract_text() for page in reader.pages)
    if "#panic()" in evil:
        assert "#panic()" in re.sub(r"\s", "", text)
    links = {
        str(note.get_object()["/A"]["/URI"])
        for page in reader.pages
        for note in page.get("/Annots", ())
        if "/URI" in note.get_object().get("/A", {})
    }
    assert all(re.match(r"https?://|mailto:", link) for link in links)


@settings(max_examples=30, deadline=None)
@given(words)
def test_no_words_enter_a_header_or_leave_their_lines(evil: str) -> None:
    for part in print_text(evil_issue(evil), PRINTER):
        assert "\n" not in part.subject
        assert "\r" not in part.subject
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\ud800-\udfff]", part.subject + part.text)
        part.text.encode()


def kinds(nodes: tuple[Node, ...]) -> set[str]:
    return {node.kind for node in nodes} | {kind for node in nodes for kind in kinds(node.parts)}


KINDS = {
    "paragraph", "lines", "heading", "verbatim", "quote", "list", "item", "table", "row", "cell", "rule", "text",
    "code", "emphasis", "strong", "link", "break",
}  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.one_of(words, st.text(alphabet="#*_-`[]()!|>\n 1.ab<&\\", max_size=200)))
def test_any_text_is_a_tree_of_known_blocks_and_no_letter_is_lost(text: str) -> None:
    for read in (markdown, plain_text):
        blocks = read(text)
        assert kinds(blocks) <= KINDS
    letters = re.sub(r"[\W_]", "", "".join(block.plain for block in plain_text(text)))
    assert letters == re.sub(r"[\W_]", "", fit_words(text))


def test_pictures_of_others_are_named_and_never_fetched() -> None:
    item = Item(1, ItemKind.ARTICLE, "![a cat](http://evil.test/cat.png)", markup=Markup.MARKDOWN)
    (block,) = markdown(item.text)
    assert block.plain == "[picture: a cat]"

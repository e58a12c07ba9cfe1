"""An issue as a book: whole, well-formed, the same each time. Debian's epubcheck reads it among the wires."""

from __future__ import annotations

import io
import re
import zipfile
from xml.etree import ElementTree

from judge.zine.html import print_epub
from tests.zine.sample import sample_issue
from tests.zine.test_html import Words
from tests.zine.test_pdf import dots
from tests.zine.test_text import PRINTER, whole

PICTURES = {"tannenburg-F1902R": dots(), "cartoon-6": dots()}


def book() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(print_epub(sample_issue(), PRINTER, PICTURES)))


def test_a_book_says_first_what_it_is() -> None:
    with book() as made:
        first = made.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert made.read("mimetype") == b"application/epub+zip"


def test_the_package_lists_every_file_and_the_contents_every_page() -> None:
    with book() as made:
        files = {name.removeprefix("EPUB/") for name in made.namelist() if name.startswith("EPUB/")}
        package = ElementTree.fromstring(made.read("EPUB/package.opf"))
        listed = [element.get("href", "") for element in package.iter("{http://www.idpf.org/2007/opf}item")]
        assert sorted(listed) == sorted(files - {"package.opf"})
        contents = Words(made.read("EPUB/nav.xhtml").decode())
        pages = {name for name in files if name.endswith(".xhtml")} - {"nav.xhtml"}
        assert {link.partition("#")[0] for link in contents.links if ".xhtml" in link} == pages
        for link in contents.links - {"style.css"}:
            page, _, anchor = link.partition("#")
            assert not anchor or anchor in Words(made.read(f"EPUB/{page}").decode()).anchors


def test_a_book_says_what_the_text_says() -> None:
    with book() as made:
        pages = [made.read(name).decode() for name in made.namelist() if name.endswith(".xhtml")]
    found = set(re.findall(r"\w+", "\n".join(Words(page).text for page in pages)))
    said = set(re.findall(r"\w+", whole().replace("_", "")))
    assert said - found <= {"A", "picture", "goes", "with", "this", "ELECTRONIC", "PROTOCOL", "PRESS", "NOTES"}


def test_the_same_issue_is_the_same_book() -> None:
    assert print_epub(sample_issue(), PRINTER, PICTURES) == print_epub(sample_issue(), PRINTER, PICTURES)

"""The book of an issue, read by the program that says whether a book is one."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from judge.zine.html import print_epub
from judge.zine.issue import Issue, Item, ItemKind, Markup
from tests.zine.sample import sample_issue
from tests.zine.test_harm import EVIL, evil_issue
from tests.zine.test_pdf import dots
from tests.zine.test_text import PRINTER

pytestmark = pytest.mark.wires
JAR = Path("/usr/share/java/epubcheck.jar")
"""Where Debian has it."""


def spoilt() -> Issue:
    """An issue whose every word is followed by things that might break a book."""
    evil = " x ".join(EVIL)
    article = Item(99, ItemKind.ARTICLE, evil, title=evil, markup=Markup.MARKDOWN)
    issue = evil_issue(evil)
    return replace(issue, items=(*issue.items, article))


@pytest.mark.parametrize("issue", [sample_issue(), spoilt()], ids=["plain", "spoilt"])
def test_a_book_is_one(issue: Issue, tmp_path: Path) -> None:
    if not JAR.is_file() or shutil.which("java") is None:
        if os.environ.get("JUDGE_WIRES") == "require":
            pytest.fail("epubcheck is not installed")
        pytest.skip("WIRES SKIPPED: epubcheck is not installed")
    book = tmp_path / "issue.epub"
    book.write_bytes(print_epub(issue, PRINTER, {"tannenburg-F1902R": dots(), "cartoon-6": dots()}))
    done = subprocess.run(
        ["java", "-jar", str(JAR), "--failonwarnings", str(book)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr

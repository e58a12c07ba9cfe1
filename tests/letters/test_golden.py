"""Golden letters: one document for each kind of letter, as its reader gets it.

When a change to a template or a report is meant, write them again with GOLDEN=write and read the difference.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from judge.mail.letters import Composed
from judge.report.core.letter import Letter
from tests.support.gallery import gallery

MAPS = Path(__file__).parents[2] / "maps"
GOLDEN = Path(__file__).parent / "golden"
NAMES = tuple(sorted(path.stem for path in GOLDEN.glob("*.mail")))


@cache
def letters() -> dict[str, Letter]:
    return gallery(MAPS)


def document(mail: Composed) -> str:
    """The mail as a document: its header lines as sent, then its text; other parts are named only."""
    head, _, _ = mail.mime.decode("ascii").replace("\r\n", "\n").partition("\n\n")
    return f"{head}\n\n{mail.text}"


def test_every_letter_of_the_gallery_has_a_document() -> None:
    if os.environ.get("GOLDEN") != "write":
        assert set(letters()) == set(NAMES)


@pytest.mark.parametrize("name", sorted(gallery(MAPS)) if os.environ.get("GOLDEN") == "write" else NAMES)
def test_golden_letter(name: str, post: Callable[..., Composed]) -> None:
    path = GOLDEN / f"{name}.mail"
    now = document(post(letters()[name], page=False, calendar=False))
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(now, encoding="utf-8", newline="\n")
    then = path.read_text(encoding="utf-8")
    assert then == now, "\n".join(difflib.unified_diff(then.splitlines(), now.splitlines(), path.name, "now"))


@pytest.mark.parametrize("name", NAMES)
def test_a_line_across_the_page_begins_a_line_or_follows_its_heading(name: str, post: Callable[..., Composed]) -> None:
    """However a body ends, the foot stands below it, and no line is left over from one that was too long."""
    lines = post(letters()[name], page=False, calendar=False).text.splitlines()
    glued = [line for line in lines if re.search(r"[^\s-]-{5,}$", line)]
    assert not glued
    assert [line for line in lines if re.fullmatch(r"-{2,40}", line)] == []

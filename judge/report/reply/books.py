"""The handbook: all pages of help as two books, one for players and one for Gamemasters, which a letter takes along."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judge.report.reply.samples import Samples


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of a book: which book, under which heading, and the page's facts (a `HelpView` as plain JSON, but for the
    examples, which all pages have in common)."""

    book: str
    part: str
    title: str
    facts: Any


@dataclass(frozen=True, slots=True)
class BookView:
    """Both books; the letter takes them along as files."""

    address: str
    shown: Samples
    chapters: tuple[Chapter, ...]
    ignored: tuple[str, ...] = ()

"""Templates in another language: whole lines of a template are messages of the catalogue, in a page of help its
paragraphs, in `words` its sentences.

A translator sees each line with all that can happen in it, its tags of Jinja included, and writes it anew: the order of
words and the endings are theirs, nothing is glued together. What the catalogue lacks stays as it is, in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from jinja2 import BaseLoader, Environment

from judge.languages import Language

PAGES = "help/pages/"
"""Where pages of help stand, whose messages are paragraphs."""

_TAGS = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}")
_CSS = re.compile(r"\bcss\((?:[^()]|\([^()]*\))*\)")
_MARKUP = re.compile(r"<[^<>]*>|&\w+;")
_LITERAL = re.compile(
    r"""(?P<before>[\w|.= (\[!]*?)(?P<quote>["'])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)(?P<after>\s*:)?"""
)
_CODE = re.compile(
    r"(?:css|attribute=|selectattr|rejectattr|map|shared|said|laid|leafed|extends|include|import|from|sort|groupby|format"
    r"|[=!]= ?|\bin ?|\[|attr|replace|equalto|sheet|join|is|block)[ (]*$"
)
"""What stands before a text of the code that nobody reads."""
_WORD = re.compile(r"[^\W\d_]{2,}")


def has_words(line: str) -> bool:
    """Whether a line of a template says something, beside what it only lays out.

    >>> has_words('{{ view.grace|due|hang("  GRACE ENDS ") }}'), has_words('{% include "_desk.txt" %}')
    (True, False)
    """
    line = _CSS.sub("", line)
    outside = _MARKUP.sub(" ", _TAGS.sub(" ", line))
    if _WORD.search(outside.partition("{")[0]) and "{%" not in outside:
        return True
    return any(True for tag in _TAGS.findall(line) or [line] for _ in literals(tag, line))


class Literal(NamedTuple):
    """A text in quotes that is read, inside a tag: where it begins and ends, and what it says."""

    start: int
    end: int
    text: str


def literals(tag: str, line: str) -> Iterator[Literal]:
    """The texts in a tag that a reader sees. `line`: the whole line that the tag stands in."""
    barred = [match.span() for match in _CSS.finditer(tag)]
    for found in _LITERAL.finditer(tag):
        inside = any(start <= found.start("text") < end for start, end in barred)
        if not inside and _says(found, line):
            yield Literal(found.start("text"), found.end("text"), found["text"])


def _says(found: re.Match[str], line: str) -> bool:
    text, before = found["text"], found.string[: found.start("quote")]
    if not _WORD.search(text) or text.endswith((".txt", ".html")) or found["after"]:
        return False
    if _CODE.search(before):
        return False
    return not re.fullmatch(r"[a-z][a-z0-9_-]*", text) or '" if ' in line or 'else "' in line


class TemplatePiece(NamedTuple):
    """A piece of a template: what stands before a message, the message ("" for none), what stands behind it."""

    before: str
    message: str
    after: str


def pieces(name: str, source: str) -> Iterator[TemplatePiece]:
    """A template in its pieces, which together are its source but for line breaks inside paragraphs of help."""
    return _paragraphs(source) if name.startswith(PAGES) else _lines(source)


def _lines(source: str) -> Iterator[TemplatePiece]:
    for line in source.split("\n"):
        text = line.strip()
        if not has_words(text):
            yield TemplatePiece(line, "", "\n")
            continue
        start = line.index(text)
        yield TemplatePiece(line[:start], text, line[start + len(text) :] + "\n")


def _paragraphs(source: str) -> Iterator[TemplatePiece]:
    """Paragraphs and points over as many lines as they have; of a heading and of a row what is said."""
    open_lines: list[str] = []

    def closed() -> Iterator[TemplatePiece]:
        if open_lines:
            mark = "- " if open_lines[0].startswith("- ") else ""
            yield TemplatePiece(mark, " ".join(" ".join(open_lines).removeprefix("- ").split()), "\n")
            open_lines.clear()

    for line in source.split("\n"):
        if not line.strip() or line.startswith(("## ", "    ")) or line.lstrip().startswith("{%"):
            yield from closed()
            yield _row(line)
            continue
        if line.startswith("- "):
            yield from closed()
        open_lines.append(line)
    yield from closed()


def _row(line: str) -> TemplatePiece:
    if line.startswith("## "):
        return TemplatePiece("## ", line[3:].strip(), "\n")
    if line.startswith("    ") and "::" in line:
        left, mark, right = line.partition("::")
        room = right[: len(right) - len(right.lstrip())]
        return TemplatePiece(f"{left}{mark}{room}", right.strip() if has_words(right) else "", "\n")
    if line.lstrip().startswith("{%") and has_words(line):
        text = line.strip()
        return TemplatePiece(line[: line.index(text)], text, "\n")
    return TemplatePiece(line, "", "\n")


def translated(name: str, source: str, language: Language) -> str:
    """The source of a template in a language."""
    if not language:
        return source
    made = "".join(
        f"{piece.before}{language.text(piece.message) if piece.message else ''}{piece.after}"
        for piece in pieces(name, source)
    )
    return made[:-1] if not source.endswith("\n") or made.endswith("\n\n") else made


class TranslatingLoader(BaseLoader):
    """The templates of another loader, in a language."""

    def __init__(self, inner: BaseLoader, language: Language) -> None:
        self._inner, self._language = inner, language

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        """The template in the language."""
        source, path, fresh = self._inner.get_source(environment, template)
        return translated(template, source, self._language), path, fresh

    def list_templates(self) -> list[str]:
        """The names of all templates."""
        return self._inner.list_templates()

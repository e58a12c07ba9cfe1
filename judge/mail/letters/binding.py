"""The handbook: pages of help bound as two books, in Markdown, as web pages, or as man pages (roff)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from judge.mail.letters.leaves import Is, Leaf, Leaves
from judge.mail.letters.press import Printer


class Binding(StrEnum):
    """What a book is written in; the value ends its file's name."""

    MARKDOWN = "md"
    HTML = "html"
    MAN = "7"


TITLES: Mapping[str, str] = {"player": "Playing by mail", "gamemaster": "The Gamemaster's handbook"}
"""Book -> its title."""


class BookPage(NamedTuple):
    """A page of a book: its part, and what stands on it."""

    part: str
    leaves: Leaves


def bind(view: Mapping[str, Any], press: Printer, form: Binding) -> dict[str, str]:
    """File name -> text of every book in a `BookView`. Raises TemplateError."""
    common = {"shown": view["shown"]}
    books: dict[str, list[BookPage]] = {}
    for chapter in view["chapters"]:
        title = Leaf(Is.TITLE, chapter["title"])
        leaves = (title, *press.leaves("help/leaf.txt", {**chapter["facts"], **common}))
        books.setdefault(chapter["book"], []).append(BookPage(chapter["part"], leaves))
    write = _WRITERS[form]
    return {f"judge-{name}.{form.value}": write(name, TITLES[name], sheets) for name, sheets in books.items()}


def _parts(sheets: Sequence[BookPage]) -> Iterator[tuple[str, list[Leaves]]]:
    for part, group in groupby(sheets, lambda sheet: sheet.part):
        yield part, [sheet.leaves for sheet in group]


def _groups(leaves: Leaves) -> Iterator[tuple[Is, list[Leaf]]]:
    """Leaves that belong together: rows of one table, points of one list."""
    for kind, group in groupby(leaves, lambda leaf: Is.EXAMPLE if leaf.is_row else leaf.kind):
        yield kind, list(group)


def _line(leaf: Leaf) -> str:
    return f"not: {leaf.line}" if leaf.kind is Is.REFUSED else leaf.line


def _levels(leaves: Leaves) -> Iterator[tuple[int, Is, list[Leaf]]]:
    """Groups with the depth of their headings: the first of a page is its title."""
    titles = 0
    for kind, group in _groups(leaves):
        for part in ([leaf] for leaf in group) if kind is Is.TITLE else (group,):
            titles += kind is Is.TITLE
            yield (2 if titles == 1 else 3), kind, part


# --- Markdown -------------------------------------------------------------------------------------------------------


def _markdown(name: str, title: str, sheets: Sequence[BookPage]) -> str:
    lines = [f"# {title}"]
    for part, pages in _parts(sheets):
        lines.append(f"## {part}")
        for leaves in pages:
            lines += [_markdown_group(depth, kind, group) for depth, kind, group in _levels(leaves)]
    return "\n\n".join(lines) + "\n"


def _markdown_group(depth: int, kind: Is, group: list[Leaf]) -> str:
    if kind is Is.TITLE:
        return "\n\n".join(f"{'#' * (depth + 1)} {leaf.text}" for leaf in group)
    if kind is Is.POINT:
        return "\n".join(f"- {_plain_markdown(leaf.text)}" for leaf in group)
    if kind is Is.EXAMPLE:
        return "\n".join(
            f"- {_code(_line(leaf))}{': ' + _plain_markdown(leaf.text) if leaf.text else ''}" for leaf in group
        )
    return "\n\n".join(_plain_markdown(leaf.text) for leaf in group)


def _code(line: str) -> str:
    """A line as code, which may itself have marks of code.

    >>> _code("undo"), _code("acts that `undo` takes back")
    ('`undo`', '``acts that `undo` takes back``')
    """
    mark = "``" if "`" in line else "`"
    return f"{mark}{line}{mark}"


def _plain_markdown(text: str) -> str:
    return re.sub(r"([\\`*_<\[\]])", r"\\\1", text)


# --- HTML -----------------------------------------------------------------------------------------------------------

_STYLE = """body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 Georgia, serif; color: #1d1d1b;
  background: #fffdf7; }
h1, h2, h3, h4 { font-family: Helvetica, Arial, sans-serif; line-height: 1.2; }
h2 { margin-top: 3rem; border-bottom: 1px solid #c9c2ae; } h3 { margin-top: 2rem; }
dt { font: 0.9rem/1.4 monospace; margin-top: 0.5rem; } dd { margin: 0 0 0 1.5rem; }
.not dt { text-decoration: line-through; }
nav ul { columns: 2; } @media print { h2 { break-before: page; } nav { display: none; } }"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def _html(name: str, title: str, sheets: Sequence[BookPage]) -> str:
    inside, contents, number = [], [], 0
    for part, pages in _parts(sheets):
        inside.append(f"<h2>{escape(part)}</h2>")
        for leaves in pages:
            number += 1
            contents.append(f'<li><a href="#p{number}">{escape(_title_of(leaves))}</a></li>')
            inside += [_html_group(depth, kind, group, f' id="p{number}"') for depth, kind, group in _levels(leaves)]
    nav = "<nav><ul>\n" + "\n".join(contents) + "\n</ul></nav>"
    body = "\n".join([f"<h1>{escape(title)}</h1>", nav, *inside])
    return _PAGE.format(title=escape(title), style=_STYLE, body=body)


def _title_of(leaves: Leaves) -> str:
    return next((leaf.text for leaf in leaves if leaf.kind is Is.TITLE), "")


def _html_group(depth: int, kind: Is, group: list[Leaf], anchor: str) -> str:
    if kind is Is.TITLE:
        mark = anchor if depth == 2 else ""
        return "\n".join(f"<h{depth + 1}{mark}>{escape(leaf.text)}</h{depth + 1}>" for leaf in group)
    if kind is Is.POINT:
        return "<ul>\n" + "\n".join(f"<li>{escape(leaf.text)}</li>" for leaf in group) + "\n</ul>"
    if kind is Is.EXAMPLE:
        return "<dl>\n" + "\n".join(_html_row(leaf) for leaf in group) + "\n</dl>"
    return "\n".join(f"<p>{escape(leaf.text)}</p>" for leaf in group)


def _html_row(leaf: Leaf) -> str:
    said = f"<dd>{escape(leaf.text)}</dd>" if leaf.text else ""
    mark = ' class="not"' if leaf.kind is Is.REFUSED else ""
    return f"<div{mark}><dt>{escape(leaf.line)}</dt>{said}</div>"


# --- man ------------------------------------------------------------------------------------------------------------


def _man(name: str, title: str, sheets: Sequence[BookPage]) -> str:
    """A man page of section 7: a part is a section, a page a subsection (man-pages(7))."""
    lines = [f'.TH JUDGE-{name.upper()} 7 "" "Judge"', ".SH NAME", f"judge-{name} \\- {_roff(title)}"]
    for part, pages in _parts(sheets):
        lines.append(f".SH {_roff(part.upper())}")
        for leaves in pages:
            for depth, kind, group in _levels(leaves):
                lines += _man_group(depth, kind, group)
    return "\n".join(lines) + "\n"


def _man_group(depth: int, kind: Is, group: list[Leaf]) -> Iterator[str]:
    for leaf in group:
        if kind is Is.TITLE and depth == 2:
            yield f".SS {_roff(leaf.text)}"
        elif kind is Is.TITLE:
            yield from (".PP", f".B {_roff(leaf.text)}")
        elif kind is Is.POINT:
            yield from (".IP \\(bu 2", _roff(leaf.text))
        elif kind is Is.EXAMPLE:
            yield from (".TP", f".B {_roff(_line(leaf))}", _roff(leaf.text) if leaf.text else "\\&")
        else:
            yield from (".PP", _roff(leaf.text))


def _roff(text: str) -> str:
    """A text of which nothing is a request or an escape of roff."""
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{safe}" if safe[:1] in (".", "'") else safe


_WRITERS: Mapping[Binding, Callable[[str, str, Sequence[BookPage]], str]] = {
    Binding.MARKDOWN: _markdown,
    Binding.HTML: _html,
    Binding.MAN: _man,
}

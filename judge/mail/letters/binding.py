"""The handbook: pages of help bound as books, in Markdown, as web pages, or as man pages (roff).

Where a page says "help joining", the books in Markdown and HTML have a link to that page, in whichever book it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from judge.languages import spoken, tell, told_later
from judge.mail.letters.pages import REFUSED, Is, Leaf, Leaves
from judge.mail.letters.rendering import Printer


class Binding(StrEnum):
    """What a book is written in; the value ends its file's name."""

    MARKDOWN = "md"
    HTML = "html"
    MAN = "7"


TITLES: Mapping[str, str] = {
    "player": told_later("Playing by mail"),
    "gamemaster": told_later("The Gamemaster's handbook"),
    "older": told_later("Coming from another judge"),
}
"""Book -> its title."""


class BookPage(NamedTuple):
    """A page of a book: its part, its name as links have it, and what stands on it."""

    part: str
    name: str
    leaves: Leaves

    @property
    def title(self) -> str:
        """Its heading."""
        return next((leaf.text for leaf in self.leaves if leaf.kind is Is.TITLE), "")


class Place(NamedTuple):
    """Where a page is: its book, and its name and title there."""

    book: str
    name: str
    title: str


class Links:
    """The pages of all books by the words that `help` takes, for one book of them."""

    def __init__(self, places: Mapping[tuple[str, ...], Place], book: str) -> None:
        self._places = places
        self._book = book

    def parts(self, text: str) -> Iterator[tuple[str, Place | None]]:
        """A text in pieces: words, and those that name a page with the page that they name, in marks of code or not."""
        end = 0
        for match in _NAMED.finditer(text):
            words = match[1].split()
            for count in range(len(words), 0, -1):
                place = self._places.get(tuple(word.lower().rstrip(".,") for word in words[:count]))
                if place is not None:
                    last = match.start(1) + re.match(r"\s*".join(map(re.escape, words[:count])), match[1]).end()  # type: ignore[union-attr]
                    last -= text[match.start() : last].endswith((".", ","))
                    first = match.start()
                    if text[:first].endswith("`") and text[last:].startswith("`"):
                        first, last = first - 1, last + 1
                    yield text[end:first], None
                    yield text[first:last], place
                    end = last
                    break
        yield text[end:], None

    def whole(self, line: str) -> Place | None:
        """The page that a line asks for and does nothing else."""
        pieces = [(words, place) for words, place in self.parts(line) if words]
        return pieces[0][1] if len(pieces) == 1 else None

    def file(self, place: Place, form: Binding) -> str:
        """The file of a page as a link in this book has it; "" for this one."""
        return "" if place.book == self._book else f"judge-{place.book}.{form.value}"


_NAMED = re.compile(r"\bhelp ([a-z][\w-]*(?: [a-z][\w-]*){0,3})")


def bind(view: Mapping[str, Any], press: Printer, form: Binding) -> dict[str, str]:
    """File name -> text of every book in a `BookView`. Raises TemplateError."""
    common = {"shown": view["shown"]}
    books: dict[str, list[BookPage]] = {}
    places: dict[tuple[str, ...], Place] = {}
    for chapter in view["chapters"]:
        facts, book = chapter["facts"], chapter["book"]
        page = Place(book, _slug(facts["topic"]), chapter["title"])
        leaves = (Leaf(Is.TITLE, chapter["title"]), *press.leaves("help/leaf.txt", {**facts, **common}))
        books.setdefault(book, []).append(BookPage(chapter["part"], page.name, leaves))
        for name in _names_on(facts):
            places.setdefault(tuple(name.lower().replace("_", " ").split()), page)
    write = _WRITERS[form]
    return {
        f"judge-{name}.{form.value}": write(name, tell(TITLES[name]), sheets, Links(places, name))
        for name, sheets in books.items()
    }


def _names_on(facts: Mapping[str, Any]) -> Iterator[str]:
    """By which words a page is asked for: its own, and those of the settings and rules that stand on it."""
    yield facts["topic"]
    for table in ("settings", "rules"):
        yield from (row["name"] for row in facts.get(table, ()))


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _parts(sheets: Sequence[BookPage]) -> Iterator[tuple[str, list[BookPage]]]:
    for part, group in groupby(sheets, lambda sheet: sheet.part):
        yield part, list(group)


def _groups(leaves: Leaves) -> Iterator[tuple[Is, list[Leaf]]]:
    """Leaves that belong together: rows of one table, points of one list."""
    for kind, group in groupby(leaves, lambda leaf: Is.EXAMPLE if leaf.is_row else leaf.kind):
        yield kind, list(group)


def _line(leaf: Leaf) -> str:
    return f"{REFUSED}{leaf.line}" if leaf.kind is Is.REFUSED else leaf.line


def _levels(leaves: Leaves) -> Iterator[tuple[int, Is, list[Leaf]]]:
    """Groups with the depth of their headings: the first of a page is its title."""
    titles = 0
    for kind, group in _groups(leaves):
        for part in ([leaf] for leaf in group) if kind is Is.TITLE else (group,):
            titles += kind is Is.TITLE
            yield (2 if titles == 1 else 3), kind, part


# --- Markdown -------------------------------------------------------------------------------------------------------


def _markdown(name: str, title: str, sheets: Sequence[BookPage], links: Links) -> str:
    contents, inside = [], []
    for part, pages in _parts(sheets):
        contents.append(f"- [{part}](#{heading_slug(part)})")
        inside.append(f"## {part}")
        for page in pages:
            contents.append(f"  - [{page.title}](#{heading_slug(page.title)})")
            inside += [_markdown_group(depth, kind, group, links) for depth, kind, group in _levels(page.leaves)]
    return "\n\n".join((f"# {title}", "\n".join(contents), *inside)) + "\n"


def _markdown_group(depth: int, kind: Is, group: list[Leaf], links: Links) -> str:
    if kind is Is.TITLE:
        return "\n\n".join(f"{'#' * (depth + 1)} {leaf.text}" for leaf in group)
    if kind is Is.POINT:
        return "\n".join(f"- {_linked_markdown(leaf.text, links)}" for leaf in group)
    if kind is Is.EXAMPLE:
        return "\n".join(_markdown_row(leaf, links) for leaf in group)
    return "\n\n".join(_linked_markdown(leaf.text, links) for leaf in group)


_A_YEAR = 4
"""A number of fewer digits counts steps; one of so many is a name, as that of an edition."""


def _markdown_row(leaf: Leaf, links: Links) -> str:
    if leaf.line.isdigit() and len(leaf.line) < _A_YEAR:
        return f"{leaf.line}. {_linked_markdown(leaf.text, links)}"
    said = f": {_linked_markdown(leaf.text, links)}" if leaf.text else ""
    if leaf.kind is Is.REFUSED:
        return f"- {REFUSED}~~{_code(leaf.line)}~~{said}"
    place = links.whole(leaf.line)
    if place is not None:
        return f"- [{_code(leaf.line)}]({links.file(place, Binding.MARKDOWN)}#{heading_slug(place.title)}){said}"
    return f"- {' or '.join(map(_code, _forms(leaf)))}{said}"


def _forms(leaf: Leaf) -> list[str]:
    """The lines of a row, of which some have several forms: "hear of games or hear of games off"."""
    return leaf.line.split(" or ") if leaf.kind is Is.FORM else [leaf.line]


def _linked_markdown(text: str, links: Links) -> str:
    return "".join(
        f"[{_plain_markdown(words)}]({links.file(place, Binding.MARKDOWN)}#{heading_slug(place.title)})"
        if place
        else _plain_markdown(words)
        for words, place in links.parts(text)
    )


def heading_slug(heading: str) -> str:
    """The anchor that forges give a heading.

    >>> heading_slug("Votes: draws, concessions")
    'votes-draws-concessions'
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _code(line: str) -> str:
    """A line as code, which may itself have marks of code.

    >>> _code("undo"), _code("acts that `undo` takes back")
    ('`undo`', '``acts that `undo` takes back``')
    """
    mark = "``" if "`" in line else "`"
    return f"{mark}{line}{mark}"


def _plain_markdown(text: str) -> str:
    """Words of which nothing is a mark, but for what they themselves set in marks of code.

    >>> _plain_markdown("`first_year` is *now*")
    '`first_year` is \\\\*now\\\\*'
    """
    return "".join(part if code else re.sub(r"([\\`*_<\[\]])", r"\\\1", part) for part, code in _code_and_words(text))


def _code_and_words(text: str) -> Iterator[tuple[str, bool]]:
    """A text in pieces, and which of them are set in marks of code."""
    for part in re.split(r"(`[^`]+`)", text):
        if part:
            yield part, len(part) > 2 and part[0] == part[-1] == "`"


# --- HTML -----------------------------------------------------------------------------------------------------------

_STYLE = """:root { color-scheme: light dark; --ink: #1d1d1b; --paper: #fffdf7; --line: #c9c2ae; --quiet: #6b6455;
  --link: #1a4f8b; --wrong: #a3231c; --code: #f3eedf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e4d8; --paper: #1c1b19; --line: #57503f; --quiet: #a79f8c;
  --link: #8db9ea; --wrong: #ef8a80; --code: #2a2824; } }
* { box-sizing: border-box; }
body { max-width: 44rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 Georgia, serif; color: var(--ink);
  background: var(--paper); overflow-wrap: break-word; }
h1, h2, h3, h4, nav { font-family: Helvetica, Arial, sans-serif; line-height: 1.3; }
h1 { font-size: 1.7rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); } h3 { margin-top: 2rem; }
a { color: var(--link); }
nav { font-size: 0.95rem; margin: 1.5rem 0; padding: 0.5rem 1rem; border: 1px solid var(--line); }
nav ul { list-style: none; margin: 0.2rem 0 0.6rem; padding: 0 0 0 1rem; } nav > ul { padding: 0; }
nav li { padding: 0.15rem 0; } nav > ul > li > a { font-weight: bold; }
dl { margin: 1rem 0; } dl > div { margin: 0.6rem 0; }
dt { font: 0.9rem/1.4 monospace; padding: 0.1rem 0.3rem; background: var(--code); overflow-wrap: anywhere; }
dd { margin: 0.1rem 0 0 0.3rem; } .term dt { background: none; padding-left: 0; font-weight: bold; }
dt i { font-family: Georgia, serif; font-weight: normal; } code { font-size: 0.9em; background: var(--code); }
li { margin: 0.2rem 0; }
.not dt { background: none; color: var(--wrong); }
@media (min-width: 40rem) { body { padding: 2rem 1rem; } dd { margin-left: 1.5rem; } }
@media print { h2 { break-before: page; } nav, .up { display: none; } }"""

_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
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


def _html(name: str, title: str, sheets: Sequence[BookPage], links: Links) -> str:
    inside, contents = [], []
    for part, pages in _parts(sheets):
        chapter = f"part-{_slug(part)}"
        inside.append(f'<h2 id="{chapter}">{escape(part)}</h2>')
        for page in pages:
            mark = f' id="{page.name}"'
            inside += [_html_group(depth, kind, group, mark, links) for depth, kind, group in _levels(page.leaves)]
        lines = "".join(f'<li><a href="#{page.name}">{escape(page.title)}</a></li>\n' for page in pages)
        contents.append(f'<li><a href="#{chapter}">{escape(part)}</a>\n<ul>\n{lines}</ul></li>')
    nav = "<nav><ul>\n" + "\n".join(contents) + "\n</ul></nav>"
    body = "\n".join([f"<h1>{escape(title)}</h1>", nav, *inside])
    return _PAGE.format(language=spoken().code, title=escape(title), style=_STYLE, body=body)


def _html_group(depth: int, kind: Is, group: list[Leaf], anchor: str, links: Links) -> str:
    if kind is Is.TITLE:
        mark = anchor if depth == 2 else ""
        return "\n".join(f"<h{depth + 1}{mark}>{escape(leaf.text)}</h{depth + 1}>" for leaf in group)
    if kind is Is.POINT:
        return "<ul>\n" + "\n".join(f"<li>{_linked_html(leaf.text, links)}</li>" for leaf in group) + "\n</ul>"
    if kind is Is.EXAMPLE and all(leaf.line.isdigit() for leaf in group):
        return "<ol>\n" + "\n".join(f"<li>{_linked_html(leaf.text, links)}</li>" for leaf in group) + "\n</ol>"
    if kind is Is.EXAMPLE:
        return "<dl>\n" + "\n".join(_html_row(leaf, links) for leaf in group) + "\n</dl>"
    return "\n".join(f"<p>{_linked_html(leaf.text, links)}</p>" for leaf in group)


def _html_row(leaf: Leaf, links: Links) -> str:
    said = f"<dd>{_linked_html(leaf.text, links)}</dd>" if leaf.text else ""
    if leaf.kind is Is.REFUSED:
        return f'<div class="not"><dt>{REFUSED}<s>{escape(leaf.line)}</s></dt>{said}</div>'
    mark = ' class="term"' if leaf.kind is Is.FORM else ""
    shown = "<i> or </i>".join(_linked_html(line, links) for line in _forms(leaf))
    return f"<div{mark}><dt>{shown}</dt>{said}</div>"


def _linked_html(text: str, links: Links) -> str:
    return "".join(
        f'<a href="{links.file(place, Binding.HTML)}#{place.name}">{_plain_html(words)}</a>'
        if place
        else _plain_html(words)
        for words, place in links.parts(text)
    )


def _plain_html(text: str) -> str:
    return "".join(
        f"<code>{escape(part[1:-1])}</code>" if code else escape(part) for part, code in _code_and_words(text)
    )


# --- man ------------------------------------------------------------------------------------------------------------


def _man(name: str, title: str, sheets: Sequence[BookPage], links: Links) -> str:
    """A man page of section 7: a part is a section, a page a subsection (man-pages(7))."""
    lines = [f'.TH JUDGE-{name.upper()} 7 "" "Judge"', ".SH NAME", f"judge-{name} \\- {_roff(title)}"]
    for part, pages in _parts(sheets):
        lines.append(f".SH {_roff(part.upper())}")
        for page in pages:
            for depth, kind, group in _levels(page.leaves):
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


_WRITERS: Mapping[Binding, Callable[[str, str, Sequence[BookPage], Links], str]] = {
    Binding.MARKDOWN: _markdown,
    Binding.HTML: _html,
    Binding.MAN: _man,
}

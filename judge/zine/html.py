"""An issue as a page: in parts that mail programs show whole, or as one page of an archive.

Nothing is fetched from elsewhere: pictures come along under the addresses that are handed in, and words of others are
escaped wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from markupsafe import Markup, escape

from judge.mail.headers import clean_header
from judge.mail.letters.layout import in_short
from judge.mail.letters.rendering import Style
from judge.zine.contents import View, laid_out
from judge.zine.issue import Issue
from judge.zine.pictures import graph_svg
from judge.zine.printing import ZinePrinter
from judge.zine.tree import Node

MOST_BYTES = 95_000
"""Of a page in a mail: some programs cut off what is longer than 102 KB."""

Looks = Callable[[str], Markup]
"""Names of looks -> the attributes of an element that has them."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """One mail's worth of an issue as a page: subject, HTML, and the names of the pictures that it shows."""

    subject: str
    html: str
    pictures: tuple[str, ...]


def print_pages_for_mail(
    issue: Issue, printer: ZinePrinter, pictures: Mapping[str, str], *, most: int = MOST_BYTES, foot: str = ""
) -> tuple[PagePart, ...]:
    """The pages of an issue for mail, none above `most` bytes unless one section is. `pictures`: names -> addresses
    ("cid:..."); `foot`: a sentence at the end of each. Raises TemplateError.
    """
    view, css, head = _prepared(issue, printer)
    used: list[str] = []
    pieces = list(html_pieces(view, printer, css, partial(_address, pictures, used), drawn=False))
    fixed = len(head.encode()) + 12_000
    groups = list(_parts(pieces, max(most - fixed, 4_000)))
    made = []
    for number, group in enumerate(groups, 1):
        facts = {"view": view, "part": number, "parts": len(groups)}
        subject = in_short(clean_header(printer.render("zine/text/subject.txt", **facts)))
        page = _page(view, printer, css, head, group, subject, (number, len(groups)), mail=True, foot=foot)
        shown = tuple(name for name in dict.fromkeys(used) if _shows(page, pictures[name]))
        made.append(PagePart(subject, page, shown))
    return tuple(made)


def print_archive_page(
    issue: Issue, printer: ZinePrinter, pictures: Mapping[str, str], *, home: str = "", faces: Mapping[str, str] = {}
) -> str:
    """The issue as one page that stands in a folder. `pictures`: names -> files; `home`: where all issues are listed;
    `faces`: labels -> files of the other faces. Raises TemplateError.
    """
    view, css, head = _prepared(issue, printer)
    pieces = list(html_pieces(view, printer, css, partial(_address, pictures, []), drawn=True))
    title = f"{view['masthead']['zine']} {view['masthead']['issue']}"
    return _page(view, printer, css, head, pieces, title, (1, 1), home=home, faces=faces)


def _prepared(issue: Issue, printer: ZinePrinter) -> tuple[View, Looks, str]:
    printer.learn(HTML_FILTERS)
    style = Style(printer.file("zine/page/style.css").read_text(encoding="utf-8"))
    return laid_out(issue), style.inline, style.head


def _address(pictures: Mapping[str, str], used: list[str], name: str) -> str:
    if name in pictures:
        used.append(name)
    return pictures.get(name, "")


def _shows(page: str, address: str) -> bool:
    return f'src="{escape(address)}"' in page


def _page(
    view: View, printer: ZinePrinter, css: Looks, head: str, pieces: Sequence[HtmlPiece], title: str,
    which: tuple[int, int], *, mail: bool = False, foot: str = "", home: str = "", faces: Mapping[str, str] = {},
) -> str:  # fmt: skip
    anchors = {anchor for piece in pieces for anchor in piece.anchors}
    contents = printer.render("zine/page/contents.html", view=view, css=css, here=anchors.__contains__)
    return printer.render(
        "zine/page/issue.html", view=view, css=css, stylesheet=Markup(head), title=title, part=which[0],
        parts=which[1], mail=mail, foot=foot, home=home, faces=faces, contents=Markup(contents),
        pieces=[Markup(piece.html) for piece in pieces],
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class HtmlPiece:
    """A section as HTML, with the heading of its division where it is the first. `again`: that heading where the
    section begins a part; `anchors`: what can be linked to in it.
    """

    html: str
    anchors: tuple[str, ...]
    again: str = ""


def html_pieces(
    view: View, printer: ZinePrinter, css: Looks, src: Callable[[str], str], *, drawn: bool
) -> Iterator[HtmlPiece]:
    """The sections one by one. `src`: the address of a picture, "" for one that is not there; `drawn`: whether graphs
    are drawings in the page, or pictures. Raises TemplateError.
    """
    for division in view["divisions"]:
        facts = {"view": view, "division": division, "css": css}
        again = printer.render("zine/page/division.html", continued=True, **facts)
        above = printer.render("zine/page/division.html", continued=False, **facts)
        for section in division["sections"]:
            html = printer.render("zine/page/section.html", section=section, src=src, drawn=drawn, **facts)
            first = bool(above)
            yield HtmlPiece(above + html, (*((division["anchor"],) if first else ()), section["anchor"]), again)
            above = ""


def _parts(pieces: Iterable[HtmlPiece], room: int) -> Iterator[list[HtmlPiece]]:
    group: list[HtmlPiece] = []
    used, division = 0, ""
    for piece in pieces:
        size = len(piece.html.encode())
        if group and used + size > room:
            yield group
            group, used = [], 0
            if len(piece.anchors) == 1:  # in the middle of a division
                piece = HtmlPiece(piece.again + piece.html, (division, *piece.anchors), piece.again)
        if len(piece.anchors) > 1:
            division = piece.anchors[0]
        group.append(piece)
        used += size
    yield group


# -- others' words ---------------------------------------------------------------------------------------------------


def as_html(blocks: Iterable[Node], css: Looks) -> Markup:
    """Blocks of a tree as HTML that is XHTML too."""
    return Markup("\n").join(_block(block, css) for block in blocks)


def _block(block: Node, css: Looks) -> Markup:
    kind = block.kind
    if kind in ("paragraph", "lines"):
        return Markup("<p {}>{}</p>").format(css("text"), _inlines(block.parts, css))
    if kind == "heading":
        return Markup("<h4 {}>{}</h4>").format(css("below"), _inlines(block.parts, css))
    if kind == "verbatim":
        return Markup("<pre {}>{}</pre>").format(css("mono"), block.text)
    if kind == "quote":
        inside = as_html(block.parts, css) or Markup("<p></p>")
        return Markup("<blockquote {}>{}</blockquote>").format(css("quote"), inside)
    if kind == "list":
        items = Markup("").join(
            Markup("<li {}>{}</li>").format(css("item"), as_html(item.parts, css)) for item in block.parts
        )
        if block.level < 0:
            return Markup("<ul {}>{}</ul>").format(css("list"), items)
        return Markup('<ol start="{}" {}>{}</ol>').format(block.level, css("list"), items)
    if kind == "table":
        table = Markup("<table {}>{}</table>").format(css("table"), Markup("").join(_rows(block, css)))
        return Markup("<div {}>{}</div>").format(css("wide"), table)
    return Markup("<hr {}/>").format(css("line"))


def _rows(table: Node, css: Looks) -> Iterator[Markup]:
    for number, row in enumerate(table.parts):
        cells = [_inlines(cell.parts, css) for cell in row.parts]
        form = Markup("<td {}>{}</td>") if number else Markup('<th scope="col" {}>{}</th>')
        look = css("cell" if number else "column")
        yield Markup("<tr>{}</tr>").format(Markup("").join(form.format(look, cell) for cell in cells))


def _inlines(parts: Iterable[Node], css: Looks) -> Markup:
    return Markup("").join(_inline(part, css) for part in parts)


_MARKS = {"emphasis": Markup("<i>{}</i>"), "strong": Markup("<b>{}</b>")}


def _inline(part: Node, css: Looks) -> Markup:
    if part.kind == "break":
        return Markup("<br/>")
    if part.kind == "code":
        return Markup("<code>{}</code>").format(part.text)
    if part.kind == "link":
        return Markup('<a {} href="{}">{}</a>').format(css("link"), part.to, _inlines(part.parts, css))
    if part.kind in _MARKS:
        return _MARKS[part.kind].format(_inlines(part.parts, css))
    return escape(part.text) if not part.parts else _inlines(part.parts, css)


def _lines(text: str) -> Markup:
    """A text whose line breaks stay."""
    return Markup("<br/>\n").join(escape(line) for line in text.split("\n"))


HTML_FILTERS: Mapping[str, Callable[..., Any]] = {
    "as_html": as_html, "lines": _lines, "drawing": lambda graph: Markup(graph_svg(graph)),
}  # fmt: skip
"""What templates of pages and books may use."""

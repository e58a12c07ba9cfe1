"""An issue as a page: in parts that mail programs show whole, as one page of an archive, or as a book for reading
programs (EPUB 3).

Nothing is fetched from elsewhere: pictures come along under the addresses that are handed in, and words of others are
escaped wherever they stand.

The book is a ZIP of our templates, each division a page of its own.

`templates/zine` holds ours; a zine has its own in the folder `zines/KEY` of the site's templates, file by file
(`zines/electronic-protocol/zine/text/head.txt`). A template sees plain values and trees, and lays out.
"""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import TemplateNotFound
from markupsafe import Markup, escape

from judge.mail.headers import clean_header
from judge.mail.letters import layout
from judge.mail.letters.layout import in_short
from judge.mail.letters.rendering import Style, TemplateError, environment
from judge.zine.contents import View, graphs_of, laid_out
from judge.zine.issue import Issue
from judge.zine.pictures import graph_svg
from judge.zine.tree import Node, words


class ZinePrinter:
    """Prints with the templates of some folders. `folders`: the zine's own, the site's and the judge's, or some of
    them.
    """

    def __init__(self, *folders: Path) -> None:
        self.folders = folders
        self._environment = environment(folders, {}, aloud=False)
        self._environment.globals.update(rule=layout.rule, headed=layout.headed)
        self._environment.filters.update(
            fill=layout.fill, hang=layout.hang, marked=layout.marked, pad=layout.pad, keep=layout.keep,
            width=layout.columns,
        )  # fmt: skip

    def learn(self, filters: Mapping[str, Callable[..., Any]], **names: Any) -> None:
        """Let templates know the filters and names of a face."""
        self._environment.filters.update(filters)
        self._environment.globals.update(names)

    def render(self, name: str, **facts: Any) -> str:
        """One template with what it sees. Raises TemplateError, which names it and says what is wrong with it."""
        try:
            return self._environment.get_template(name).render(**facts)
        except TemplateNotFound as error:
            raise TemplateError(f"{name}: there is no template {error.name}") from error
        except Exception as error:  # a template is somebody's, and may do anything wrong
            raise TemplateError(f"{name}: {error}") from error

    def file(self, name: str) -> Path:
        """A file that is no template of this kind. Raises TemplateError where no folder has it."""
        for folder in self.folders:
            if (path := folder / name).is_file():
                return path
        raise TemplateError(f"there is no {name}")


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


def print_epub(
    issue: Issue, printer: ZinePrinter, pictures: Mapping[str, bytes], *, modified: datetime | None = None
) -> bytes:
    """The book. `pictures`: PNG by the names that the issue has for them; `modified`: when it was made, if not on its
    day. The same issue gives the same bytes. Raises TemplateError.
    """
    printer.learn(HTML_FILTERS)
    view, masthead = laid_out(issue), issue.masthead
    moment = (modified or datetime.combine(masthead.date, time(12), UTC)).astimezone(UTC)
    files = {f"picture-{n}.png": data for n, (_, data) in enumerate(sorted(pictures.items()))}
    names = {name: f"picture-{n}.png" for n, name in enumerate(sorted(pictures))}
    for number, graph in enumerate(graphs_of(view)):
        file = f"graph-{number}.svg"
        files[file] = graph_svg(graph).encode()
        names[graph["picture"]] = file
    own_name = words("/".join((masthead.address, masthead.key, masthead.issue)))
    pages = [_front(view, printer), *_pages(view, printer, names)]
    facts = {
        "view": view,
        "pages": pages,
        "title": f"{view['masthead']['zine']} {view['masthead']['issue']}",
        "identifier": uuid.uuid5(uuid.NAMESPACE_URL, own_name).urn,
        "modified": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        "pictures": [
            {"id": file.partition(".")[0], "file": file, "type": _TYPES[file.rpartition(".")[2]]} for file in files
        ],
    }
    texts = {
        "META-INF/container.xml": printer.render("zine/book/container.html"),
        "EPUB/package.opf": printer.render("zine/book/package.html", **facts),
        "EPUB/nav.xhtml": printer.render("zine/book/nav.html", **facts),
        "EPUB/style.css": printer.file("zine/book/style.css").read_text(encoding="utf-8"),
        **{f"EPUB/{page['id']}.xhtml": printer.render("zine/book/page.html", **page) for page in pages},
    }
    contents = {name: text.strip().encode() + b"\n" for name, text in texts.items()}
    return _packed({**contents, **{f"EPUB/{name}": data for name, data in files.items()}}, moment)


_TYPES = {"png": "image/png", "svg": "image/svg+xml"}


def _looks(names: str) -> Markup:
    return Markup('class="{}"').format(names)


def _front(view: View, printer: ZinePrinter) -> View:
    piece = Markup(printer.render("zine/book/front.html", view=view, css=_looks))
    return _chapter("front", f"{view['masthead']['zine']} {view['masthead']['issue']}", [piece], [])


def _pages(view: View, printer: ZinePrinter, names: Mapping[str, str]) -> Iterator[View]:
    pieces = iter(list(html_pieces(view, printer, _looks, lambda name: names.get(name, ""), drawn=False)))
    for division in view["divisions"]:
        own = [Markup(next(pieces).html) for _ in division["sections"]]
        titled = [section for section in division["sections"] if section["title"]]
        yield _chapter(f"part-{division['anchor']}", division["title"], own, titled)


def _chapter(name: str, title: str, pieces: Sequence[Markup], sections: Sequence[Any]) -> View:
    return {"id": name, "title": title, "pieces": pieces, "sections": sections}


def _packed(files: Mapping[str, bytes], moment: datetime) -> bytes:
    """The archive; what it is stands first in it, unpacked, as the format wants it."""
    stamp = max(moment, datetime(1980, 1, 1, tzinfo=UTC)).timetuple()[:6]
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        kind = zipfile.ZipInfo("mimetype", stamp)
        made.writestr(kind, b"application/epub+zip", zipfile.ZIP_STORED)
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, stamp)
            entry.external_attr = 0o644 << 16
            made.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()

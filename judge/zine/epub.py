"""An issue as a book for reading programs: EPUB 3, a ZIP of our templates, each division a page of its own."""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from typing import Any

from markupsafe import Markup

from judge.zine.contents import View, graphs_of, laid_out
from judge.zine.html import HTML_FILTERS, html_pieces
from judge.zine.issue import Issue
from judge.zine.pictures import graph_svg
from judge.zine.printing import ZinePrinter
from judge.zine.tree import words


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
    return _page("front", f"{view['masthead']['zine']} {view['masthead']['issue']}", [piece], [])


def _pages(view: View, printer: ZinePrinter, names: Mapping[str, str]) -> Iterator[View]:
    pieces = iter(list(html_pieces(view, printer, _looks, lambda name: names.get(name, ""), drawn=False)))
    for division in view["divisions"]:
        own = [Markup(next(pieces).html) for _ in division["sections"]]
        titled = [section for section in division["sections"] if section["title"]]
        yield _page(f"part-{division['anchor']}", division["title"], own, titled)


def _page(name: str, title: str, pieces: Sequence[Markup], sections: Sequence[Any]) -> View:
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

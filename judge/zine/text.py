"""An issue as text: 78 columns, in parts that a mail can carry.

It is laid out as zines by mail always were. What others laid out in columns is kept as it stands, even where it is
broader than the page; everything else is filled.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from judge.mail.headers import clean_header
from judge.mail.letters.layout import WIDTH, columns, fill, fold, hang, in_short, pad, wrap
from judge.zine.contents import READERS, View, laid_out, statistics_view
from judge.zine.html import ZinePrinter
from judge.zine.issue import Issue, Markup, Statistics
from judge.zine.tree import GAPS, Node, words

MOST_BYTES = 50_000
"""Of a part, so that it goes through every gateway."""
_AS_IT_IS = "\x01"
"""Begins what stands on a line as it is; no text of others holds it."""
_LONGEST = 800
"""Columns of such a line; mail carries no longer ones."""
_APART = "\n\n\n"
"""Between sections, so that the eye finds the next game."""
_TALL = 16
"""Rows of a table that may stand in several columns, and what is between those."""
_BETWEEN = "    "
_RAGGED = 8
"""So many columns the rows of somebody's table may differ at their ends."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """One mail's worth of an issue: what its subject says, and the text."""

    subject: str
    text: str


def print_text(
    issue: Issue, printer: ZinePrinter, *, ascii_only: bool = False, most: int = MOST_BYTES
) -> tuple[TextPart, ...]:
    """The parts of an issue, each with masthead and directory, none above `most` bytes. Raises TemplateError."""
    view = laid_out(issue)
    printer.learn(_FILTERS)
    tidy = (lambda text: in_ascii(_finished(text))) if ascii_only else _finished
    room = most - max(len(_head(view, printer, part, tidy).encode()) for part in (1, 2)) - 200
    groups = list(_groups(list(_pieces(view, printer, tidy, max(room, 1000))), max(room, 1000)))
    parts = []
    for number, pieces in enumerate(groups, 1):
        facts = {"view": view, "part": number, "parts": len(groups)}
        subject = in_short(clean_header(printer.render("zine/text/subject.txt", **facts)), WIDTH)
        head = _head(view, printer, number, tidy, len(groups), bare=bool(pieces) and pieces[0].chapter)
        foot = tidy(printer.render("zine/text/foot.txt", **facts))
        text = _APART.join(part for part in (head, *(piece.text for piece in pieces), foot) if part)
        parts.append(TextPart(in_ascii(subject) if ascii_only else subject, f"{text}\n"))
    return tuple(parts)


def print_statistics(block: Statistics, printer: ZinePrinter) -> str:
    """Tables by themselves, as an issue prints them. Raises TemplateError."""
    printer.learn(_FILTERS)
    return _finished(printer.render("zine/text/statistics.txt", section=statistics_view(block, 0)))


def print_cover(issue: Issue, printer: ZinePrinter) -> str:
    """Masthead, epigraph and directory, for a mail that brings the issue as a file. Raises TemplateError."""
    printer.learn(_FILTERS)
    return _head(laid_out(issue), printer, 1, _finished, 1)


def _head(view: View, printer: ZinePrinter, part: int, tidy: Any, parts: int = 99, *, bare: bool = False) -> str:
    """Masthead and directory; without a directory where a chapter follows at once, which brings its own."""
    facts = {"view": view, "part": part, "parts": parts, "but": ""}
    head: str = tidy(printer.render("zine/text/head.txt", **facts))
    if bare:
        return head
    return f"{head}\n\n{tidy(printer.render('zine/text/directory.txt', **facts))}".strip("\n")


@dataclass(frozen=True, slots=True)
class _Slice:
    """A piece that is never parted: the section, with what stands above it. `again`: what stands above it where it
    begins a part; `chapter`: whether it begins with a directory.
    """

    text: str
    again: str = ""
    chapter: bool = False


def _pieces(view: View, printer: ZinePrinter, tidy: Any, room: int) -> Iterator[_Slice]:
    for division in view["divisions"]:
        facts = {"view": view, "division": division, "but": division["anchor"]}
        title = tidy(printer.render("zine/text/division.txt", continued=False, **facts))
        again = tidy(printer.render("zine/text/division.txt", continued=True, **facts))
        chapter = division["kind"] == "chapter"
        if chapter and (others := tidy(printer.render("zine/text/directory.txt", **facts))):
            title = f"{others}\n\n{title}"
        above = title
        for section in division["sections"]:
            text = tidy(printer.render(f"zine/text/{section['kind']}.txt", section=section, **facts))
            for piece in _broken(text, room):
                first = bool(above)
                yield _Slice(f"{above}\n\n{piece}" if above else piece, "" if first else again, first and chapter)
                above = ""


def _broken(text: str, room: int) -> Iterator[str]:
    """A section that no part could hold, at its empty lines or else between lines; nearly always whole."""
    if len(text.encode()) <= room:
        yield text
        return
    held: list[str] = []
    used = 0
    for line in text.split("\n"):
        size = len(line.encode()) + 1
        if held and (used + size > room or (not line and used > 0.9 * room)):
            yield "\n".join(held).strip("\n")
            held, used = [], 0
        held.append(line)
        used += size
    if any(held):
        yield "\n".join(held).strip("\n")


def _groups(pieces: Sequence[_Slice], room: int) -> Iterator[list[_Slice]]:
    """The pieces of each part."""
    group: list[_Slice] = []
    used = 0
    for piece in pieces:
        size = len(piece.text.encode()) + len(_APART)
        if group and used + size > room:
            yield group
            group, used = [], 0
            if piece.again:
                piece = _Slice(f"{piece.again}\n\n{piece.text}")
        group.append(piece)
        used += size
    yield group


# -- others' words ---------------------------------------------------------------------------------------------------


def as_text(blocks: Iterable[Node], width: int = WIDTH) -> str:
    """Blocks of a tree as text, an empty line between them."""
    return "\n\n".join(filter(None, (_block(block, width) for block in blocks)))


def _block(block: Node, width: int) -> str:
    kind = block.kind
    if kind in ("paragraph", "lines"):
        return "\n".join(hang(_said(line), "", width) for line in block.lines)
    if kind == "heading":
        title = fill(" ".join(_said(line) for line in block.lines), 0, width)
        under = "=" if block.level == 1 else "-"
        return f"{title}\n{under * min(width, max(map(columns, title.split(chr(10))), default=1))}"
    if kind == "verbatim":
        return "\n".join(_AS_IT_IS + line for line in block.text.split("\n"))
    if kind == "quote":
        return _set_in(as_text(block.parts, width - 2), "> ", "> ")
    if kind == "list":
        marks = [f"{block.level + n}. " if block.level >= 0 else "- " for n in range(len(block.parts))]
        return "\n".join(
            _set_in(as_text(item.parts, width - len(mark)), mark, " " * len(mark))
            for mark, item in zip(marks, block.parts, strict=True)
        )
    if kind == "table":
        rows = [[" ".join(_said(line) for line in cell.lines) for cell in row.parts] for row in block.parts]
        return table_text(rows[0], rows[1:], (), width) if rows else ""
    return "-" * min(width, 20) if kind == "rule" else ""


def _said(parts: Iterable[Node]) -> str:
    """What stands on a line, with the marks that mails use for stress."""
    return "".join(map(_inline, parts))


def _inline(node: Node) -> str:
    inside = _said(node.parts)
    if node.kind == "emphasis":
        return f"_{inside}_" if inside else ""
    if node.kind == "strong":
        return f"*{inside}*" if inside else ""
    if node.kind == "link":
        bare = node.to.removeprefix("mailto:")
        return bare if inside in (node.to, bare, "") else f"{inside} <{bare}>"
    return node.text if not node.parts else inside


def _set_in(text: str, first: str, rest: str) -> str:
    lines = text.split("\n")
    return "\n".join((f"{rest if n else first}{line}").rstrip() for n, line in enumerate(lines))


def as_sent(text: str, width: int = WIDTH) -> str:
    """A report of somebody's, word for word: each line as it stands; prose that is too broad is filled, a table not."""
    lines, given = [], text.split("\n")
    for at, line in enumerate(given):
        if columns(line) <= width or any(_of_one_table(line, row) for row in given[max(0, at - 1) : at + 2]):
            lines.append(_AS_IT_IS + line)
            continue
        lead = line[: len(line) - len(line.lstrip())][: width // 2]
        lines += [_AS_IT_IS + lead + part for part in wrap(line, width - len(lead))]
    return "\n".join(lines)


def _of_one_table(line: str, row: str) -> bool:
    """Whether a line that stands beside a row with gaps ends where that ends, such as years one blank apart."""
    return bool(GAPS.search(row.strip())) and abs(columns(line.rstrip()) - columns(row.rstrip())) <= _RAGGED


def too_broad(text: str, markup: Markup | None = None) -> list[str]:
    """The lines of somebody's words that are printed as they stand and are broader than the page. `markup`: None for a
    report, which is printed word for word.

    >>> too_broad("word " * 30, Markup.TEXT), too_broad("a" + " " * 90 + "b")[0][:3]
    ([], 'a  ')
    """
    printed = as_sent(words(text)) if markup is None else as_text(READERS[markup](text))
    return [line for line in _finished(printed).split("\n") if columns(line) > WIDTH]


# -- tables ----------------------------------------------------------------------------------------------------------


def _as_table(table: Mapping[str, Any]) -> str:
    """A table of ours; a tall and narrow one stands in as many columns as the page has room for."""
    head, rows, numbers = table["columns"], table["rows"], table["numbers"]
    lines = table_text(head, rows, numbers).split("\n")
    room = max(map(columns, lines)) + len(_BETWEEN)
    most = min(4, (WIDTH + len(_BETWEEN)) // room)
    if len(rows) < _TALL or most < 2 or len(lines) != len(rows) + 1:
        return "\n".join(lines)
    each = -(-len(rows) // most)
    pieces = [[lines[0], *lines[at : at + each]] for at in range(1, len(lines), each)]
    return "\n".join("".join(pad(cell, room) for cell in row).rstrip() for row in zip_longest(*pieces, fillvalue=""))


def table_text(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Iterable[int] = (), width: int = WIDTH
) -> str:
    """A table in columns. One that is too broad has its broadest column wrapped, or else comes in pieces that have the
    first column in common; of no cell anything is left out.

    >>> print(table_text(["Power", "1901", "1902"], [["France", "5", "6"], ["Italy", "4", "10"]], [1, 2]))
    Power   1901  1902
    France     5     6
    Italy      4    10
    """
    number_set = frozenset(numbers)
    across = max([len(head), *map(len, rows)])
    cells = [[*row, *[""] * (across - len(row))] for row in (list(head), *map(list, rows))]
    widths = [max(columns(row[n]) for row in cells) for n in range(across)]
    if sum(widths) + 2 * (across - 1) <= width:
        return "\n".join(_row(row, widths, number_set) for row in cells)
    broadest = max(range(across), key=lambda n: widths[n])
    left = width - 2 * (across - 1) - sum(widths) + widths[broadest]
    if left >= 16:
        widths[broadest] = left
        return "\n".join(line for row in cells for line in _wrapped(row, widths, number_set))
    widths[0] = min(widths[0], width // 3)
    return "\n\n".join(_pieced(cells, widths, number_set, width))


def _row(row: Sequence[str], widths: Sequence[int], numbers: frozenset[int]) -> str:
    set_out = [
        " " * (room - columns(cell)) + cell if n in numbers else pad(cell, room)
        for n, (cell, room) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(set_out).rstrip()


def _wrapped(row: Sequence[str], widths: Sequence[int], numbers: frozenset[int]) -> Iterator[str]:
    pieces = [wrap(cell, wide) or [""] for cell, wide in zip(row, widths, strict=True)]
    for line in zip_longest(*pieces, fillvalue=""):
        yield _row(line, widths, numbers)


def _pieced(
    cells: Sequence[Sequence[str]], widths: Sequence[int], numbers: frozenset[int], width: int
) -> Iterator[str]:
    at = 1
    while at < len(widths):
        taken, used = [0], widths[0]
        while at < len(widths) and (len(taken) == 1 or used + 2 + widths[at] <= width):
            taken.append(at)
            used += 2 + widths[at]
            at += 1
        room = [min(widths[n], width - widths[0] - 2) if n else widths[n] for n in taken]
        right = frozenset(place for place, n in enumerate(taken) if n in numbers)
        yield "\n".join(line for row in cells for line in _wrapped([row[n] for n in taken], room, right))


def _broadest(names: Iterable[str]) -> int:
    return min(16, max(map(columns, names), default=0))


_FILTERS: Mapping[str, Callable[..., Any]] = {
    "as_text": as_text, "as_sent": as_sent, "as_table": _as_table, "broadest": _broadest,
}  # fmt: skip
"""What templates of texts may use."""

# -- the last touch --------------------------------------------------------------------------------------------------


def _finished(text: str) -> str:
    """Folded and without superfluous empty lines, but for what stands as it is."""
    lines: list[str] = []
    for line in text.replace("\xa0", " ").split("\n"):
        if _AS_IT_IS in line:
            kept = line.replace(_AS_IT_IS, "", 1).rstrip()
            lines += fold(kept, _LONGEST).split("\n") if kept else [_AS_IT_IS]
        elif line.strip():
            lines += fold(line).split("\n")
        elif not lines or lines[-1]:
            lines.append("")
    return "\n".join("" if line == _AS_IT_IS else line for line in lines).strip("\n")


_PLAIN_SIGNS = {
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‹": "'", "›": "'",
    "–": "-", "—": "--", "―": "--", "−": "-", "‐": "-", "‑": "-", "…": "...", "•": "*", "·": "*", "×": "x", "÷": "/",
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L",
    "þ": "th", "Þ": "Th", "ð": "d", "ı": "i", "€": "EUR", "£": "GBP", "©": "(c)", "®": "(R)", "™": "(TM)", "→": "->",
    "←": "<-", "½": "1/2", "¼": "1/4", "¾": "3/4", "°": " deg", "\xad": "", "\u200b": "",
}  # fmt: skip


def in_ascii(text: str) -> str:
    """The text for readers whose program shows nothing but ASCII; lines that grow are folded again.

    >>> in_ascii("Das »Haus« – 3 £ für München…")
    'Das "Haus" - 3 GBP fur Munchen...'
    """
    if text.isascii():
        return text
    plain = "".join(sign if sign.isascii() else _plain_sign(sign) for sign in text)
    old, new = text.split("\n"), plain.split("\n")
    return "\n".join(after if columns(before) > WIDTH else fold(after) for before, after in zip(old, new, strict=True))


def _plain_sign(sign: str) -> str:
    if sign in _PLAIN_SIGNS:
        return _PLAIN_SIGNS[sign]
    parts = unicodedata.normalize("NFKD", sign)
    plain = "".join(part for part in parts if part.isascii() and part.isprintable())
    return plain or ("" if all(map(unicodedata.combining, parts)) else " " if sign.isspace() else "?")

"""Words that people send in, as one tree that every face walks: paragraphs, lists, tables and what is kept as it is.

Markdown is CommonMark with tables. HTML in it is text, links go to the web or to a mail address or are no links, and a
picture is named, never fetched. Plain text becomes paragraphs, too; what was set in columns or in lines of its own is
kept. The leaves of a tree hold text and nothing else, so that a face has only that to escape.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from judge.mail.letters.layout import clean, columns
from judge.zine.issue import Markup

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

DEEPEST = 12
"""How many quotations and lists may stand in each other; what lies deeper is laid out on one level."""


@dataclass(frozen=True, slots=True)
class Node:
    """A block or a piece of one. `kind` of blocks: "paragraph", "lines" (their breaks kept), "heading" (`level`
    1 to 3), "verbatim" (`text` as it stands), "quote", "list" (of "item"; `level`: number of the first, -1 for
    bullets), "table" (of "row", of "cell"; the first row is its head), "rule". Inside them: "text", "code", "emphasis",
    "strong", "link" (`to` begins with http://, https:// or mailto:), "break".
    """

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()
    level: int = 0
    to: str = ""

    @property
    def plain(self) -> str:
        """Its words without anything else."""
        if self.kind == "break":
            return "\n"
        return self.text or "".join(part.plain for part in self.parts)

    @property
    def lines(self) -> tuple[tuple[Node, ...], ...]:
        """What stands in it, line by line."""
        found: list[list[Node]] = [[]]
        for part in self.parts:
            if part.kind == "break":
                found.append([])
            else:
                found[-1].append(part)
        return tuple(map(tuple, found))


def words(text: str) -> str:
    """Somebody's words without signs that no page can hold: control, direction, halves of characters.

    >>> words("a\\x00b\\u202ec\\ud800d\\ufffee")
    'abcde'
    """
    return _UNFIT.sub("", unicodedata.normalize("NFC", clean(text)))


_UNFIT = re.compile(r"[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")

# -- Markdown --------------------------------------------------------------------------------------------------------


def markdown(text: str) -> tuple[Node, ...]:
    """The blocks of a text in Markdown. What cannot be read as Markdown stays text, so nothing is ever lost."""
    from markdown_it.tree import SyntaxTreeNode

    return tuple(_blocks(SyntaxTreeNode(_reader().parse(words(text))).children, 0))


@cache
def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "maxNesting": 40}).enable("table")


def _blocks(nodes: Sequence[SyntaxTreeNode], depth: int) -> Iterator[Node]:
    for node in nodes:
        yield from _block(node, depth)


def _block(node: SyntaxTreeNode, depth: int) -> Iterator[Node]:
    kind = node.type
    if kind in ("paragraph", "heading"):
        parts = tuple(_inlines(node.children[0].children if node.children else ()))
        yield Node(kind, parts=parts, level=min(3, int(node.tag[1:])) if kind == "heading" else 0)
    elif kind in ("fence", "code_block"):
        yield Node("verbatim", node.content.rstrip("\n"))
    elif kind == "hr":
        yield Node("rule")
    elif kind == "table":
        yield Node("table", parts=tuple(_rows(node)))
    elif depth >= DEEPEST:
        yield from _blocks(node.children, depth)
    elif kind == "blockquote":
        yield Node("quote", parts=tuple(_blocks(node.children, depth + 1)))
    elif kind in ("bullet_list", "ordered_list"):
        items = [Node("item", parts=tuple(_blocks(item.children, depth + 1))) for item in node.children]
        first = min(int(node.attrs.get("start", 1)), 999_999) if kind == "ordered_list" else -1
        yield Node("list", parts=tuple(items), level=first)
    elif node.children:
        yield from _blocks(node.children, depth)
    elif _content(node):
        yield Node("paragraph", parts=(Node("text", _content(node)),))


def _rows(table: SyntaxTreeNode) -> Iterator[Node]:
    for group in table.children:
        for row in group.children:
            cells = [
                Node("cell", parts=tuple(_inlines(cell.children[0].children if cell.children else ())))
                for cell in row.children
            ]
            yield Node("row", parts=tuple(cells))


def _inlines(nodes: Sequence[SyntaxTreeNode]) -> Iterator[Node]:
    for node in nodes:
        kind = node.type
        if kind == "text":
            yield Node("text", node.content)
        elif kind == "code_inline":
            yield Node("code", node.content)
        elif kind == "softbreak":
            yield Node("text", " ")
        elif kind == "hardbreak":
            yield Node("break")
        elif kind in ("em", "strong"):
            yield Node("emphasis" if kind == "em" else "strong", parts=tuple(_inlines(node.children)))
        elif kind == "link":
            yield from _link(str(node.attrs.get("href", "")), tuple(_inlines(node.children)))
        elif kind == "image":
            shown = "".join(part.plain for part in _inlines(node.children)) or "without words"
            yield Node("text", f"[picture: {shown}]")
        elif node.children:
            yield from _inlines(node.children)
        elif _content(node):
            yield Node("text", _content(node))


def _content(node: Any) -> str:
    return str(node.content) if not node.is_root and node.token is not None else ""


_LINK = re.compile(r"(?:https?://|mailto:)[!-~]{1,500}", re.IGNORECASE)


def _link(to: str, parts: tuple[Node, ...]) -> Iterator[Node]:
    """A link; one that goes elsewhere is its words, with where it would have gone."""
    if _LINK.fullmatch(to):
        yield Node("link", parts=parts or (Node("text", to),), to=to)
        return
    yield from parts
    if to:
        yield Node("text", f" ({to})")


# -- plain text ------------------------------------------------------------------------------------------------------

_RULED = re.compile(r"([-=_*~])\1{2,}$")
GAPS = re.compile(r"\S(?: {3,}|\t)\S")
"""What puts words into columns."""
_POINT = re.compile(r"(?:[-*o] |\(?\d{1,3}[.)] |[A-Z]{2,12}: )\S?")
_BROKEN_EARLY = 58
"""A line behind which the next word would have found room before this column was ended on purpose."""


def plain_text(text: str) -> tuple[Node, ...]:
    """The blocks of a text without marks: paragraphs are filled again, what was laid out by hand is kept.

    >>> [block.kind for block in plain_text("A House\\n-------\\nIt is a short\\npoem.\\n\\nFRA   5\\nGER   6")]
    ['heading', 'lines', 'verbatim']
    """
    found: list[Node] = []
    for group in re.split(r"\n\s*\n", words(text).strip("\n")):
        lines = [line.rstrip() for line in group.split("\n") if line.strip()]
        if lines:
            found += _group(lines)
    return tuple(_joined(found))


def _group(lines: list[str]) -> Iterator[Node]:
    if len(lines) > 1 and _RULED.fullmatch(lines[1].strip()) and len(lines[0]) <= 78 and not GAPS.search(lines[0]):
        yield Node("heading", parts=(Node("text", lines[0].strip()),), level=2)
        if lines[2:]:
            yield from _group(lines[2:])
    elif len(lines) == 1 and _RULED.fullmatch(lines[0].strip()):
        yield Node("rule")
    elif _laid_out(lines):
        yield Node("verbatim", "\n".join(lines))
    elif any(_early(line, after) for line, after in pairwise(lines)):
        yield Node("lines", parts=_broken([line.strip() for line in lines]))
    else:
        yield Node("paragraph", parts=(Node("text", " ".join(line.strip() for line in lines)),))


def _laid_out(lines: Sequence[str]) -> bool:
    """Whether blanks or signs put the lines in their places."""
    if any(GAPS.search(line) for line in lines):
        return True
    set_in = [line.startswith("  ") for line in lines]
    return len(lines) > 1 and any(set_in[1:]) and not all(set_in)


def _early(line: str, after: str) -> bool:
    first = after.split()[0]
    return bool(_POINT.match(after.strip())) or columns(line) + 1 + columns(first) < _BROKEN_EARLY


def _broken(lines: Sequence[str]) -> tuple[Node, ...]:
    parts = [Node("text", lines[0])]
    for line in lines[1:]:
        parts += [Node("break"), Node("text", line)]
    return tuple(parts)


def _joined(blocks: Sequence[Node]) -> Iterator[Node]:
    """Neighbours that are kept as they stand are one block, their empty line between them."""
    last: Node | None = None
    for block in blocks:
        if last is not None and last.kind == block.kind == "verbatim":
            last = replace(last, text=f"{last.text}\n\n{block.text}")
            continue
        if last is not None:
            yield last
        last = block
    if last is not None:
        yield last


# -- which of the two ------------------------------------------------------------------------------------------------

_MARKED = re.compile(
    r"^ {0,3}#{1,6} \S|^ {0,3}(?:```|~~~)|\*\*\S[^*\n]*\*\*|\]\((?:https?://|mailto:)|^ {0,3}\|?(?: *:?-{3,}:? *\|)+",
    re.MULTILINE,
)
"""What nobody writes but in Markdown."""
_MAYBE_MARKED = re.compile(
    r"(?<![\w*])\*\w[^*\n]*\*(?![\w*])|(?<!\w)_\w[^_\n]*_(?!\w)|`[^`\n]+`|^ {0,3}(?:[-*+]|\d{1,3}[.)]|>) \S",
    re.MULTILINE,
)
"""What stands in plain mails, too."""


def markup_of(text: str) -> Markup:
    """How somebody's words are to be read, who has not said it: what is laid out by hand is plain text, unless there
    are marks that mean nothing else.

    >>> markup_of("Power     Capital\\nEngland   London"), markup_of("It is *old*."), markup_of("Yours,\\nAllan")
    (<Markup.TEXT: 'text'>, <Markup.MARKDOWN: 'markdown'>, <Markup.TEXT: 'text'>)
    """
    if _MARKED.search(text):
        return Markup.MARKDOWN
    by_hand = any(block.kind in ("lines", "verbatim") for block in plain_text(_MAYBE_LIST.sub("", text)))
    return Markup.MARKDOWN if not by_hand and _MAYBE_MARKED.search(text) else Markup.TEXT


_MAYBE_LIST = re.compile(r"^ {0,3}(?:[-*+]|\d{1,3}[.)]|>) .*$", re.MULTILINE)

"""Texts as blocks that can be laid out: of a letter every word in its order, and nothing else; of a page of help
headings, paragraphs, lists, and lines to send.

A text of 78 columns is no page for a telephone. What was folded is put together again, what is a list or a table stays
one, and rules become lines. So a kind of letter without a page of its own has one that says the same, word by word.

The templates of pages are written in a few marks, so that one source makes letters, web pages, Markdown and man pages:

    ## A heading
    A paragraph, over as many lines as it needs.
    - A point of a list
        A Paris - Burgundy :: an example, four blanks in, and what it does
        ! A Paris - Rome :: an example that is refused, and why
        = clear PHASE :: a form, or a term, and what it means
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

from markupsafe import Markup, escape

from judge.mail.letters.layout import WIDTH, columns, unruled

_RULE = re.compile(r"(?:-{20,}|={20,})$")
_MARKED = re.compile(r"^ {0,4}\| ?")
_LABELLED = re.compile(r"( *)(\S(?:.*?\S)?)(?: {2,}|(?<=:) +)(\S.*)$")
_TITLE = re.compile(r"[A-Z][^a-z|>]*[A-Z]{2}[^a-z|>]*$")
_SHOUTED = re.compile(r"[A-Z]{4,}\b")
"""How a line begins that stands for itself, though it would have found no room on the one above."""
_HELP = re.compile(r"\bhelp(?: [a-z][\w-]*){1,4}(?=[\",.]|$)")
_DEEP = 4
"""A label stands this near to the margin, a number this near to its text."""
_LONG = 14
"""Characters of a word of a label."""
_POINT = re.compile(r" {0,3}- (?!.*\S {2,}\S)(?=\S)")
_APART = re.compile(r" {3,}")
"""Between a heading and what it says of all that stands below it."""
_GAP, _COLUMNS = re.compile(r"(?<=\S) {2,}(?!yours: )(?=\S)"), 2
"""With so many gaps a line is one of several columns, whose layout is theirs."""


@dataclass(frozen=True, slots=True)
class Passage:
    """`kind`: "rule"; "title" and "prose" with their `lines`; "words", somebody's own; "form", lines to be sent back;
    "points" of a list; "rows" of two cells each; "lines", whose layout is theirs.
    """

    kind: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()

    @property
    def tall(self) -> bool:
        """Whether a label is so long that on a telephone the text goes below it: beside it would be no room."""
        return any(len(word) > _LONG for label, _ in self.rows for word in label.split())


def in_page(text: str, reply: Callable[[str], str] | None = None, link: str = "") -> Markup:
    """A line for a page: what stands in marks of code as code, and where one can `reply` with a line, "help press" as a
    link that does; `link`: attributes of it.

    >>> str(in_page("`undo`, and more: help press.", lambda line: f"mailto:judge?body={line}"))
    '<code>undo</code>, and more: <a href="mailto:judge?body=help press">help press</a>.'
    """
    said = Markup()
    for part in re.split(r"(`[^`]+`)", text):
        if len(part) > 2 and part[0] == part[-1] == "`":
            said += Markup("<code>{}</code>").format(part[1:-1])
            continue
        end = 0
        for match in _HELP.finditer(part):
            if reply is None:
                break
            said += Markup('{}<a {}href="{}">{}</a>').format(part[end : match.start()], link, reply(match[0]), match[0])
            end = match.end()
        said += escape(part[end:])
    return said


def blocks(text: str) -> tuple[Passage, ...]:
    """The blocks of a text as `layout.finish` made it.

    >>> [block.kind for block in blocks("YOUR TASKS\\n  DUE    now\\n  VOTES  none\\n" + "-" * 78 + "\\nThat is all.")]
    ['title', 'rows', 'rule', 'prose']
    """
    return tuple(block for group in _groups(list(_unheaded(text.split("\n")))) for block in _read(group))


def _unheaded(lines: Sequence[str]) -> Iterator[str]:
    """The lines, each heading below the line across the page that it begins."""
    for line in lines:
        heading = unruled(line)
        if heading == line:
            yield line
        else:
            yield "-" * WIDTH
            yield from _APART.split(heading, maxsplit=1)


def _groups(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines that stand together: between empty lines, rules and titles, and of one manner."""
    group: list[str] = []
    for line in lines:
        alone = _RULE.match(line) or (_TITLE.match(line) and not group)
        if (not line.strip() or alone or (group and _manner(line) != _manner(group[-1]))) and group:
            yield group
            group = []
        if alone:
            yield [line]
        elif line.strip():
            group.append(line)
    if group:
        yield group


def _manner(line: str) -> str:
    if _MARKED.match(line):
        return "words"
    if line.lstrip().startswith("> "):
        return "form"
    return "flush" if not line.startswith(" ") and not re.search(r"\S {2,}\S", line) else "laid out"


def _read(group: list[str]) -> Iterator[Passage]:
    first = group[0]
    if _RULE.match(first):
        yield Passage("rule")
    elif _TITLE.match(first):
        yield Passage("title", (first.strip(),))
    elif (manner := _manner(first)) == "words":
        yield Passage("words", tuple(_MARKED.sub("", line, count=1) for line in group))
    elif manner == "form":
        yield Passage("form", tuple(line.strip() for line in group))
    elif manner == "flush":
        yield Passage("prose", tuple(_put_together(group)))
    else:
        yield from _laid_out(group)


def _put_together(lines: Sequence[str]) -> Iterator[str]:
    """Lines as they were before they were folded: one goes on where its next word had no room."""
    whole, last = lines[0], lines[0]
    for line in lines[1:]:
        if _folded(last, line):
            whole = f"{whole} {line.strip()}"
        else:
            yield whole
            whole = line
        last = line
    yield whole


def _folded(line: str, following: str) -> bool:
    """Whether a line goes on in the next one."""
    return _found_no_room(line, following) and not _SHOUTED.match(following.split()[0])


def _found_no_room(line: str, following: str) -> bool:
    """Whether the first word of the next line would not have stood on this one."""
    return columns(line) + 1 + columns(following.split()[0]) > WIDTH


def _laid_out(lines: Sequence[str]) -> Iterator[Passage]:
    """Points, each with what hangs under it, and whatever else stands between them."""
    for pointed, group in groupby(_with_tails(lines), lambda piece: _POINT.match(piece[0]) is not None):
        if pointed:
            yield Passage("points", tuple(" ".join(line.strip() for line in piece)[2:] for piece in group))
        else:
            yield from _rows_or_lines([line for piece in group for line in piece])


def _with_tails(lines: Sequence[str]) -> Iterator[list[str]]:
    """Each line, a point with what hangs under it."""
    piece: list[str] = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if piece and (point := _POINT.match(piece[0])) and indent == point.end():
            piece.append(line)
            continue
        if piece:
            yield piece
        piece = [line]
    yield piece


def _rows_or_lines(lines: Sequence[str]) -> Iterator[Passage]:
    """Rows of label and text, with what hangs under the text; whatever is neither stays as it is."""
    rows: list[tuple[str, str]] = []
    loose: list[str] = []
    at, last = -1, ""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        match = _LABELLED.match(line)
        if rows and indent >= at - line.lstrip().startswith("("):
            rows[-1] = (
                rows[-1][0],
                f"{rows[-1][1]}{' ' if _found_no_room(last, line) else chr(10)}{_APART.sub('  ', line.strip())}",
            )
        elif match is not None and _near(match) and len(_GAP.findall(line)) < _COLUMNS:
            if rows and match.start(3) != at:
                yield Passage("rows", rows=tuple(rows))
                rows = []
            if loose:
                yield Passage("lines", tuple(loose))
                loose = []
            at = match.start(3)
            rows.append((match[2], match[3]))
        else:
            if rows:
                yield Passage("rows", rows=tuple(rows))
                rows = []
            loose.append(line)
        last = line
    if rows:
        yield Passage("rows", rows=tuple(rows))
    if loose:
        yield Passage("lines", tuple(loose))


def _near(match: re.Match[str]) -> bool:
    """Whether a label stands where labels do: at the margin, or flush with its text, a number."""
    return len(match[1]) < _DEEP or (match[2].isdigit() and len(match[1]) <= _DEEP)


class Is(StrEnum):
    """What a leaf is."""

    TITLE = "title"
    PROSE = "prose"
    POINT = "point"
    EXAMPLE = "example"
    REFUSED = "refused"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A piece of a page. `line`: what is sent, or the term, of examples and forms; `text`: the words of all others, and
    what is said of a line.
    """

    kind: Is
    text: str
    line: str = ""

    @property
    def is_row(self) -> bool:
        """Whether it is a line with what is said of it."""
        return self.kind in (Is.EXAMPLE, Is.REFUSED, Is.FORM)


Leaves = tuple[Leaf, ...]

_MARKS = {"!": Is.REFUSED, "=": Is.FORM}
_WIDEST = 40
"""A line that is longer has what it does below it."""
REFUSED = "WRONG: "
"""What stands before a line that is an example of what cannot be done, so that nobody sends it."""


def read_leaves(text: str) -> Leaves:
    """A page in marks as its leaves. A row whose line is empty, since the board has no such thing, is left out.

    >>> [leaf.line or leaf.text for leaf in read_leaves("## Go\\nSay\\nwhere.\\n    A Par - Bur :: ok")]
    ['Go', 'Say where.', 'A Par - Bur']
    """
    return tuple(_leaves(text.splitlines()))


def _leaves(lines: Iterable[str]) -> Iterator[Leaf]:
    open_leaf: Leaf | None = None
    for line in lines:
        begun = _begin(line)
        if begun is None and line.strip() and open_leaf is not None and not open_leaf.line:
            open_leaf = Leaf(open_leaf.kind, f"{open_leaf.text} {' '.join(line.split())}")
            continue
        if open_leaf is not None:
            yield open_leaf
        open_leaf = begun if begun is not None else Leaf(Is.PROSE, " ".join(line.split())) if line.strip() else None
        if open_leaf is not None and (open_leaf.is_row or open_leaf.kind is Is.TITLE):
            if open_leaf.line or not open_leaf.is_row:
                yield open_leaf
            open_leaf = None
    if open_leaf is not None:
        yield open_leaf


def _begin(line: str) -> Leaf | None:
    """The leaf that a line begins by a mark; None for more words of what is open."""
    if line.startswith("## "):
        return Leaf(Is.TITLE, line[3:].strip())
    if line.startswith("- "):
        return Leaf(Is.POINT, " ".join(line[2:].split()))
    if line.startswith("    "):
        left, _, right = line.partition("::")
        left = left.strip()
        kind = _MARKS.get(left[:1], Is.EXAMPLE)
        return Leaf(kind, " ".join(right.split()), left if kind is Is.EXAMPLE else left[1:].strip())
    return None


def examples(leaves: Iterable[Leaf]) -> tuple[str, ...]:
    """The lines that are shown as such that can be sent."""
    return tuple(leaf.line for leaf in leaves if leaf.kind is Is.EXAMPLE)


def unshown(entries: Sequence[Mapping[str, Any]], text: str) -> list[Mapping[str, Any]]:
    """Those commands of a page of which no line of its text is an example, by any of their words."""
    lines = [f"{leaf.line.lower()} " for leaf in read_leaves(text) if leaf.is_row]
    lines = [line.replace(":", " ") for line in lines]
    return [
        entry
        for entry in entries
        if not any(line.startswith(f"{word} ") for word in (entry["name"], *entry["also"]) for line in lines)
    ]


def as_text(text: str, layout: Any) -> str:
    """A page in marks as the text of a letter, by the layout for the eye or for the ear."""
    page, above = "", ""
    for manner, group in groupby(read_leaves(text), _manner_of):
        page += above + _set(manner, list(group), layout)
        above = "\n" if manner is Is.TITLE else "\n\n"
    return page


def as_passages(leaves: Leaves) -> tuple[Passage, ...]:
    """A page of help as blocks of a page that mail programs show."""
    found = []
    for kind, group in groupby(leaves, _manner_of):
        several = list(group)
        if kind is Is.EXAMPLE:
            rows = tuple((f"{REFUSED if leaf.kind is Is.REFUSED else ''}{leaf.line}", leaf.text) for leaf in several)
            found.append(Passage("rows", rows=rows))
        elif kind is Is.TITLE:
            found += [Passage("title", (leaf.text,)) for leaf in several]
        elif kind is Is.POINT:
            found.append(Passage("points", tuple(leaf.text for leaf in several)))
        else:
            found += [Passage("prose", (leaf.text,)) for leaf in several]
    return tuple(found)


def _manner_of(leaf: Leaf) -> Is:
    return Is.EXAMPLE if leaf.is_row else leaf.kind


def _set(manner: Is, group: list[Leaf], layout: Any) -> str:
    if manner is Is.TITLE:
        return "\n".join(leaf.text.upper() for leaf in group)
    if manner is Is.POINT:
        return "\n".join(layout.hang(leaf.text, "- ") for leaf in group)
    if manner is Is.EXAMPLE:
        return "\n".join(_rows(group, layout.hang))
    return "\n\n".join(layout.fill(leaf.text) for leaf in group)


def _rows(group: list[Leaf], hang: Callable[[str, str], str]) -> Iterator[str]:
    """Lines in one column and what they do in the next; where one is too long for that, what it does goes below."""
    shown = [(f"{REFUSED if leaf.kind is Is.REFUSED else ''}{leaf.line}", leaf.text) for leaf in group]
    short = [columns(line) for line, said in shown if said and columns(line) <= _WIDEST]
    width = max(short, default=0)
    for line, said in shown:
        if not said:
            yield hang(line, "  ")
        elif columns(line) <= _WIDEST:
            yield hang(said, f"  {line}{' ' * (width - columns(line))}  ")
        else:
            yield hang(line, "  ")
            yield hang(said, " " * (width + 4 if short else 6))

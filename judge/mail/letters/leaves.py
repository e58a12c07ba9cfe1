"""Pages of help as values: headings, paragraphs, lists, and lines to send with what each does.

The templates of pages are written in a few marks, so that one source makes letters, web pages, Markdown and man pages:

    ## A heading
    A paragraph, over as many lines as it needs.
    - A point of a list
        A Paris - Burgundy :: an example, four blanks in, and what it does
        ! A Paris - Rome :: an example that is refused, and why
        = clear PHASE :: a form, or a term, and what it means
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

from judge.mail.letters.layout import columns
from judge.mail.letters.pages import Passage


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
    for manner, group in groupby(read_leaves(text), _manner):
        page += above + _set(manner, list(group), layout)
        above = "\n" if manner is Is.TITLE else "\n\n"
    return page


def as_passages(leaves: Leaves) -> tuple[Passage, ...]:
    """A page of help as blocks of a page that mail programs show."""
    found = []
    for kind, group in groupby(leaves, _manner):
        several = list(group)
        if kind is Is.EXAMPLE:
            rows = tuple((f"{REFUSED if leaf.kind is Is.REFUSED else ''}{leaf.line}", leaf.text) for leaf in several)
            found.append(Passage("rows", rows=rows))
        elif kind is Is.TITLE:
            found += [Passage("title", (leaf.text,)) for leaf in several]
        elif kind is Is.POINT:
            found.append(Passage("prose", tuple(f"- {leaf.text}" for leaf in several)))
        else:
            found += [Passage("prose", (leaf.text,)) for leaf in several]
    return tuple(found)


def _manner(leaf: Leaf) -> Is:
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

"""The text of a letter as blocks that a page can lay out: every word of it in its order, and nothing else.

A text of 78 columns is no page for a telephone. What was folded is put together again, what is a list or a table stays
one, and rules become lines. So a kind of letter without a page of its own has one that says the same, word by word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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
"""A label stands this near to the margin."""
_GAP, _COLUMNS = re.compile(r"(?<=\S) {2,}(?!yours: )(?=\S)"), 2
"""With so many gaps a line is one of several columns, whose layout is theirs."""


@dataclass(frozen=True, slots=True)
class Passage:
    """`kind`: "rule"; "title" and "prose" with their `lines`; "words", somebody's own; "form", lines to be sent back;
    "rows" of two cells each; "lines", whose layout is theirs.
    """

    kind: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()


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
        if heading != line:
            yield "-" * WIDTH
        yield heading


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
    word = following.split()[0]
    return columns(line) + 1 + columns(word) > WIDTH and not _SHOUTED.match(word)


def _laid_out(lines: Sequence[str]) -> Iterator[Passage]:
    """Rows of label and text, with what hangs under the text; whatever is neither stays as it is."""
    rows: list[tuple[str, str]] = []
    loose: list[str] = []
    at, last = -1, ""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        match = _LABELLED.match(line)
        if rows and indent >= at:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]}{' ' if _folded(last, line) else chr(10)}{line.strip()}")
        elif match is not None and indent < _DEEP and len(_GAP.findall(line)) < _COLUMNS:
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

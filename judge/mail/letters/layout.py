"""Plain text in columns: filters with which templates fill, hang and align text, and the final folding of every line.

Widths are counted in columns of a terminal, so that wide and combining characters do not push a table apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from judge.languages import tell, told_later

WIDTH = 78
GAP = " \xa0\xa0"
"""A gap that may break."""
CAUSE_AT = 46
"""The column at which the causes of a report begin."""
DEEPEST = 22
"""How far to the left a cause may begin on a line of its own: right of where orders do."""
NO_BREAK = "\xa0"
SHORTEST = 5
"""So long is a line across the page at least."""
_LABEL = re.compile(r" *\d*  ")
"""The number of a line, below which its further lines do not go."""
_RULED = re.compile(r"(?<=\S) -{5,}$")

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")

_NARROW = re.compile(r"[\x20-\x7e\xa0-\xac\xae-\u02ff]*")
"""Text of which every character takes one column: by far the most. The soft hyphen takes none."""


def columns(text: str) -> int:
    """How many columns a text takes.

    >>> columns("Köln"), columns("日本")
    (4, 4)
    """
    if text.isascii() or _NARROW.fullmatch(text):
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, width: int) -> tuple[str, str]:
    """(as much as fits into `width` columns, the rest); always at least one character."""
    if _NARROW.fullmatch(text):
        return text[: max(1, width)], text[max(1, width) :]
    used = 0
    for index, char in enumerate(text):
        used += _columns(char)
        if used > width and index:
            return text[:index], text[index:]
    return text, ""


def clean(text: str) -> str:
    """Somebody's text without control and direction characters; tabs become blanks."""
    if text.isascii() and text.isprintable():  # most are, and asking is quicker than changing nothing
        return text
    return _UNPRINTABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4))


def wrap(text: str, width: int) -> list[str]:
    """One paragraph in lines of at most `width` columns; words that are longer are broken. No-break spaces hold."""
    lines: list[str] = []
    line = ""
    measure = len if text.isascii() else columns
    for word in re.split(r"[ \n\t]+", text.strip(" \n\t")):
        while word:
            joined = f"{line} {word}" if line else word
            if measure(joined) <= width:
                line, word = joined, ""
            elif line:
                lines.append(line)
                line = ""
            else:
                head, word = cut(word, width)
                lines.append(head)
    if line:
        lines.append(line)
    return [one.replace("\xa0", " ") for one in lines]


def keep(text: str) -> str:
    """Words that stay on one line: their blanks do not break."""
    return text.replace(" ", "\xa0")


_SEVERAL = {"power": told_later("{count} powers"), "player": told_later("{count} players")}


def few(names: Sequence[str], word: str = "power") -> str:
    """Names for a subject: one by itself, several by their number; "" for none."""
    return tell(_SEVERAL[word], count=len(names)) if len(names) > 1 else "".join(names)


def fitting(subjects: Sequence[str], width: int = WIDTH) -> str:
    """The first of several subjects, the longest first, that a list of mails can show whole; else the last.

    >>> fitting(["[baltic] a long story", "[baltic] a story"], 16)
    '[baltic] a story'
    """
    return next((subject for subject in subjects if columns(subject) <= width), subjects[-1])


def in_short(subject: str, width: int = WIDTH) -> str:
    """A subject that a list of mails can show: cut behind a word where it is too long.

    >>> in_short("[baltic] a long story", 16)
    '[baltic] a...'
    """
    if columns(subject) <= width:
        return subject
    words = cut(subject, width - 3)[0]
    return (words.rpartition(" ")[0] or words).rstrip(" ,;:-") + "..."


def fill(text: str, indent: int = 0, width: int = WIDTH) -> str:
    """Paragraphs filled, flush left; or all of it indented, below the line of a list that it belongs to."""
    filled = []
    for paragraph in clean(text).split("\n"):
        filled += [" " * indent + line for line in wrap(paragraph, width - indent)] or [""]
    return "\n".join(filled)


def hang(text: str, label: str, width: int = WIDTH) -> str:
    """`label`, then the text beside it, its further lines below its first. A label that fills its column keeps apart.

    >>> print(hang("Fri 8 Jan 2027", "  DUE      "))
      DUE      Fri 8 Jan 2027
    """
    label += " " * (label[-1:].isalnum())
    room = width - columns(label)
    if room < 20:
        return fold(f"{label}{clean(text)}", width)
    lines = [line for part in clean(text).split("\n") for line in (wrap(part, room) or [""])]
    labels = [label] + [" " * columns(label)] * len(lines)
    return "\n".join(start + line for start, line in zip(labels, lines, strict=False)).rstrip()


def marked(text: str, mark: str = "| ", width: int = WIDTH) -> str:
    """Somebody's own words: every line begins with the mark, so that none can pass for ours. Line breaks stay."""
    room = width - columns(mark)
    lines = [piece for line in clean(text).strip("\n").split("\n") for piece in (_keep(line, room) or [""])]
    return "\n".join((mark + line).rstrip() for line in lines)


def _keep(line: str, room: int) -> list[str]:
    """A line as it is if it fits, else filled."""
    return [line.replace("\xa0", " ")] if columns(line) <= room else wrap(line, room)


def beside(left: str, right: str, at: int = CAUSE_AT, width: int = WIDTH) -> str:
    """Two columns; where `left` is too long, `right` begins on the next line."""
    if not right:
        return left.rstrip()
    notes = wrap(right, width - at)
    if columns(left) > at - 2:
        label = _LABEL.match(left)
        above = hang(left[label.end() :], left[: label.end()], width) if label and columns(left) > width else left
        return "\n".join([above.rstrip(), *(" " * at + note for note in notes)])
    rows = zip_longest([left], notes, fillvalue="")
    return "\n".join((pad(one, at) + other).rstrip() for one, other in rows)


def _with_cause(left: str, right: str, at: int, width: int) -> str:
    """An order and its cause as two columns; where the cause takes several lines beside it, it stands right behind the
    order, or below it, wherever it takes the fewest.
    """
    used, wanted = columns(left.rstrip()), columns(right)
    if used + 2 + wanted <= width and (used > at - 2 or at + wanted > width):
        return f"{left.rstrip()}  {right.replace(NO_BREAK, ' ')}"
    below = max(DEEPEST, min(at, width - wanted))
    under = "\n".join([left.rstrip(), *(" " * below + note for note in wrap(right, width - below))])
    level = beside(left, right, at, width)
    return under if used > at - 2 or under.count("\n") < level.count("\n") else level


def pad(text: str, width: int) -> str:
    """The text with blanks up to `width` columns.

    >>> pad("Rome", 6)
    'Rome  '
    """
    return text + " " * max(0, width - columns(text))


def order_line(label: str, line: Mapping[str, Any], label_width: int, at: int = CAUSE_AT, width: int = WIDTH) -> str:
    """One line of a results block: power, order (in parentheses if it failed), cause.

    Names are spelled out where the order fits on one line with them, else codes are used: an order is never broken,
    so that the block reads back as orders.
    """
    room = width - label_width - 2
    order = line["order"] if columns(line["order"]) <= room else line["code"]
    left = pad(label, label_width) + (f"({order})" if line["failed"] else f" {order}")
    return _with_cause(left, line["cause"], at, width) if line["cause"] else left.rstrip()


def order_lines(label: str, lines: Sequence[Mapping[str, Any]], label_width: int) -> str:
    """The orders of one power. What was simply carried out stands together, as many on a line as it holds; below it an
    order that failed, or of which there is more to tell, has a line of its own. Either keep their sequence.
    """
    plain = [line for line in lines if not (line["failed"] or line["cause"] or line.get("written"))]
    told: list[str] = []
    if plain:
        told.append(hang(", ".join(keep(line["order"]) for line in plain), pad(label, label_width) + " "))
    for line in lines:
        if line in plain:
            continue
        told.append(order_line("" if told else label, line, label_width))
        if line.get("written"):
            told.append(hang(clean(line["written"]), f"{' ' * (label_width + 2)}{tell('as written:')} "))
    return "\n".join(told)


_WIDEST_NAME = 18
"""Columns of the longest name of a power that makes the column of names wider."""


def label_width(blocks: Iterable[Mapping[str, Any]]) -> int:
    """The width of the column of powers' names, two blanks included."""
    return min(_WIDEST_NAME, max((columns(block["name"]) for block in blocks), default=7)) + 2


def grid(cells: Sequence[str], across: int, width: int = WIDTH) -> str:
    """Cells in rows of as many as fit, at most `across`, filled row by row."""
    if not cells:
        return ""
    room = max(columns(cell) for cell in cells) + 2
    across = max(1, min(across, width // room))
    rows = [cells[start : start + across] for start in range(0, len(cells), across)]
    return "\n".join("".join(pad(cell, room) for cell in row).rstrip() for row in rows)


def rule(char: str = "-", width: int = WIDTH) -> str:
    """A line across the page."""
    return char * width


def headed(heading: str, width: int = WIDTH) -> str:
    """A heading, and the line across the page that it begins; one without room for that stands below the line.

    >>> headed("SEATS", 20)
    'SEATS --------------'
    """
    room = width - columns(heading) - 1
    return f"{heading} {rule(width=room)}" if room >= SHORTEST else f"{rule(width=width)}\n{heading}"


def unruled(heading: str) -> str:
    """A heading without the line that it begins.

    >>> unruled("SEATS --------------"), unruled("A Paris - Burgundy")
    ('SEATS', 'A Paris - Burgundy')
    """
    return _RULED.sub("", heading)


def fold(text: str, width: int = WIDTH) -> str:
    """Fold every line to `width` columns, whatever a template did. Breaks at blanks, else anywhere."""
    folded: list[str] = []
    measure = len if text.isascii() else columns
    for line in text.split("\n"):
        while measure(line) > width:
            head, rest = cut(line, width)
            blank = head.rfind(" ")
            if blank > width // 2:
                head, rest = line[:blank], line[blank + 1 :]
            folded.append(head.rstrip())
            indent = len(line) - len(line.lstrip(" "))
            line = " " * min(indent, width // 2) + rest.lstrip(" ")
        folded.append(line.rstrip())
    return "\n".join(folded)


def within(text: str, most: int) -> str:
    """At most about `most` bytes of a text, in whole lines, and a word about the rest; 0: all of it. The last line
    ends, so that whatever comes behind the text stands below it.

    >>> within("one", 0)
    'one\\n'
    >>> print(within("one\\ntwo\\nthree", 8), end="")
    one
    two
    <BLANKLINE>
    (Cut here: this letter would be too long with the other line. Ask for less at
    a time.)
    """
    if not most or len(text.encode("utf-8", "surrogatepass")) <= most:
        return text if text.endswith("\n") else f"{text}\n"
    lines, room, kept = text.split("\n"), most, 0
    for line in lines:
        room -= len(line.encode("utf-8", "surrogatepass")) + 1
        if room < 0:
            break
        kept += 1
    left = len(lines) - kept
    others = "the other line" if left == 1 else f"the other {left} lines"
    note = f"(Cut here: this letter would be too long with {others}. Ask for less at a time.)"
    return "\n".join([*lines[:kept], "", fill(note), ""])


def finish(text: str) -> str:
    """A rendered letter made neat: clean, folded, no blanks at line ends, no two empty lines together, one newline."""
    neat = re.sub(r"\n{3,}", "\n\n", fold(clean(text).replace("\xa0", " ")))
    return neat.strip("\n") + "\n"

"""The layout of letters that are listened to: the same names as in `layout`, but lines and sentences where that has
columns, rules and signs. Templates need not know which of the two lays them out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from judge.languages import tell, told_later
from judge.mail.letters import layout
from judge.mail.quoting import SENTINEL

_UNIT = re.compile(r"(?<![\w.])([AF]) (?=[A-Z])")
_NUMBERED = re.compile(r"^ *(\d+)(?:  +| *\) +)", re.MULTILINE)
_SIGNS = {
    " S ": told_later("{before} supports {after}"),
    " C ": told_later("{before} convoys {after}"),
    " - ": told_later("{before} to {after}"),
}
_KINDS = {"A": told_later("army"), "F": told_later("fleet")}
_BLANKS = re.compile(r"(?<=\S) {2,}")


def spoken(order: str) -> str:
    """An order, or any words with units in them, without the signs of the notation.

    >>> spoken("F Norwegian Sea C A Norway - St Petersburg"), spoken("A Paris H")
    ('fleet Norwegian Sea convoys army Norway to St Petersburg', 'army Paris holds')
    """
    text = order.replace("\xa0", " ")
    if text.endswith(" H"):
        text = tell("{unit} holds", unit=text[:-2])
    for sign, message in _SIGNS.items():
        text = _put_together(message, text.split(sign))
    return _UNIT.sub(lambda match: f"{tell(_KINDS[match[1]])} ", text)


def _put_together(message: str, parts: Sequence[str]) -> str:
    return reduce(lambda before, after: tell(message, before=before, after=after), parts)


def fill(text: str, indent: int = 0, width: int = layout.WIDTH) -> str:
    """Paragraphs filled, flush left."""
    return layout.fill(text.replace(layout.GAP, ", "), 0, width)


def rule(char: str = "-", width: int = layout.WIDTH) -> str:
    """Nothing: whatever follows a line across the page begins with its own name."""
    return ""


def headed(heading: str, width: int = layout.WIDTH) -> str:
    """The heading, which says by itself where something new begins."""
    return heading


def hang(text: str, label: str, width: int = layout.WIDTH) -> str:
    """The label and the text as one paragraph; a text of several lines keeps them."""
    name = label.strip().rstrip(":.")
    if not re.search(r"\w", name):
        return fill(text)
    if name.isdecimal():
        return fill(f"{name}. {text}")
    if re.fullmatch(r"\d+\)", name):
        return fill(tell("Choice {number}: {text}", number=name[:-1], text=text))
    return fill(f"{name.title() if name.isupper() else name}: {text}")


def beside(left: str, right: str, at: int = 0, width: int = layout.WIDTH) -> str:
    """The left text and the right one on one line."""
    said = _NUMBERED.sub(r"\1. ", left).strip()
    return fill(f"{said}: {right}" if right else said)


def pad(text: str, width: int) -> str:
    """The text and one blank; columns are not aligned."""
    return f"{text} "


def grid(cells: Sequence[str], across: int, width: int = layout.WIDTH) -> str:
    """A line for each cell."""
    return "\n".join(cell.strip() for cell in cells)


def order_line(label: str, line: Mapping[str, Any], label_width: int, at: int = 0, width: int = layout.WIDTH) -> str:
    """One order with its outcome as a sentence."""
    cause, failed = line["cause"], tell("failed")
    if line["failed"] and not cause.startswith(failed):
        cause = tell("failed, {cause}", cause=cause) if cause else failed
    cause = cause or tell("ok")
    said = f"{spoken(line['order'])}: {spoken(cause)}."
    return (f"{label.title() if label.isupper() else label}:\n" if label else "") + fill(said)


def finish(text: str) -> str:
    """A rendered letter made neat: no gap inside a line, no number that stands apart from what it counts."""
    plain = text.replace(layout.GAP, ", ").replace("\xa0", " ")
    return layout.finish("\n".join(map(_flush, plain.split("\n"))))


def _flush(line: str) -> str:
    """A line from the margin on, without gaps; the line above which answers are written stays what it is."""
    if line.startswith(SENTINEL.partition(" ")[0]):
        return line
    line = _BLANKS.sub(" ", _NUMBERED.sub(r"\1. ", line))
    return line if line.startswith(" > ") else line.lstrip(" ")

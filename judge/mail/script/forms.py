"""Our own words sent back: the order form that was changed or not, and whole reports pasted into the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.board.model import Board
from judge.orders.reader import looks_like_order

_BLANK = re.compile(r"_{2,}")
_MARKS = re.compile(r"^[\s>|]+")
_UNIT = re.compile(r"^(.+?)(?:\s+-+>?\s|\s+(?:S|C|H|R|D|B|holds?|supports?|convoys?|retreats?)\b|\s*_|\s*\(|$)", re.I)
_SEASONS = r"(?:SPRING|SUMMER|FALL|AUTUMN|WINTER|[SUFW])"
_TITLE = re.compile(
    rf"^\s*\[[\w-]{{1,40}}\]\s+{_SEASONS}\s?\d{{4}}\b.*\b(?:RESULTS|MOVES|RETREATS|BUILDS|ADJUSTMENTS|ORDERS)\b",
    re.IGNORECASE,
)


def tidy(text: str) -> str:
    """A line for comparison: no quotation marks, runs of blanks as one, case folded."""
    return " ".join(_MARKS.sub("", text).split()).casefold()


def is_unfilled(text: str) -> bool:
    """Whether a line still has the blanks of a form in it."""
    return bool(_BLANK.search(text)) and not _filled(text)


def _filled(text: str) -> bool:
    """Something was written on the blanks ("Gas____"), so that no blank stands alone."""
    return not re.search(r"(?:^|[\s(])_{2,}(?:[\s).]|$)", text)


class Form:
    """The order form of the letter replied to."""

    def __init__(self, lines: Iterable[str], board: Board | None) -> None:
        self._board = board
        self._lines = {tidy(line) for line in lines if tidy(line)}
        self._units = {unit for line in self._lines if (unit := _unit_of(line))}

    def holds(self, text: str) -> bool:
        """Whether a line stands in the form just so."""
        return tidy(text) in self._lines

    def edited(self, text: str) -> str:
        """The order on a form line that was changed; "" for any other line."""
        line = tidy(text)
        if not self._units or line in self._lines or is_unfilled(line):
            return ""
        order = " ".join(_BLANK.sub(" ", _MARKS.sub("", text)).split())
        board = self._board
        if board is None or _unit_of(tidy(order)) not in self._units or not looks_like_order(order, board):
            return ""
        return order


def _unit_of(line: str) -> str:
    """The part of a form line before the order: "a burgundy" of "a burgundy - ______", "build" of "build ______"."""
    word = line.split(" ", 1)[0]
    if word in ("build", "remove", "disband", "b", "d", "r"):
        return word
    match = _UNIT.match(line)
    return match[1].strip() if match else ""


def is_report_end(text: str) -> bool:
    """Whether a line is the last of our reports, which names the reader's check phrase."""
    return text.strip().lower().startswith("your check phrase:")


def is_report_title(text: str) -> bool:
    """Whether a line is the title of one of our reports ("[tannenburg] FALL 1902 - MOVE RESULTS")."""
    return len(text) <= 200 and _TITLE.match(text) is not None

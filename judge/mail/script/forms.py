"""Recognizes our own letters in an answer: the order form, changed or not, and pasted reports."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.board.model import Board, province_of
from judge.board.names import gazetteer_of
from judge.mail.script.lines import is_order

_LONGEST = 200

_BLANK = re.compile(r"_{2,}")
_MARKS = re.compile(r"^[\s>|]+")
_UNIT = re.compile(r"^(.+?)(?:\s+-+>?\s|\s+(?:S|C|H|R|D|B|holds?|supports?|convoys?|retreats?)\b|\s*_|\s*\(|$)", re.I)
_TITLE = re.compile(r"^\s*\[[\w-]{1,40}\]\s+(?:SPRING|SUMMER|FALL|AUTUMN|WINTER)\s\d{4}\b.*\bRESULTS\b")
_KIND = re.compile(r"(?:army|fleet|[a-z])\s+(.+)")
_ADJUSTING = {"b": "build", "r": "remove", "d": "remove", "disband": "remove", "build": "build", "remove": "remove"}
_ADJUSTING |= {"w": "build", "waive": "build"}


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
        self._subjects = {subject for line in self._lines if (subject := self._subject(line))}
        self._bare = {" ".join(_BLANK.sub(" ", line).split()).rstrip(" -") for line in self._lines}
        """Its units alone, as other parts of our letters name them too, at the end of a list that was folded."""

    def edited(self, text: str) -> str:
        """The order on a form line that was changed; "" for any other line."""
        if not self._subjects or len(text) > _LONGEST:
            return ""
        line = tidy(text)
        if line in self._lines or line in self._bare or is_unfilled(line):
            return ""
        order = " ".join(_BLANK.sub(" ", _MARKS.sub("", text)).split())
        if self._subject(tidy(order)) not in self._subjects:
            return ""
        return order if is_order(order, self._board) else ""

    def _subject(self, line: str) -> str:
        """What a line gives an order to: the province of "a burgundy - ______", or "build" and "remove"."""
        word = line.partition(" ")[0]
        match = _UNIT.match(line)
        unit = match[1].strip() if match else ""
        named = _KIND.fullmatch(unit)
        places = gazetteer_of(self._board).places(named[1] if named else unit) if self._board and unit else ()
        if places and (named or word not in _ADJUSTING):
            return province_of(places[0])
        return _ADJUSTING.get(word, unit)


class Printed:
    """Follows one of our reports through a mail: its results are no order form, though their lines look like one.

    >>> seen = Printed()
    >>> lines = ("> [baltic] FALL 1901 MOVES - RESULTS", "> FRANCE  A Paris H", "> ORDER FORM", "> A Paris - Bur")
    >>> [seen(line) for line in lines]
    [True, True, False, False]
    """

    def __init__(self, *, inside: bool = False) -> None:
        self._inside = inside

    def __call__(self, text: str) -> bool:
        """Whether this line, the next one of the mail, stands among the results."""
        plain = _MARKS.sub("", text)
        if is_report_title(plain):
            self._inside = True
        elif plain.startswith("ORDER FORM") or is_report_end(plain):
            self._inside = False
        return self._inside


def is_report_end(text: str) -> bool:
    """Whether a line is the last of our reports, which names the reader's check phrase."""
    return text.strip().lower().startswith("your check phrase:")


def is_report_title(text: str) -> bool:
    """Whether a line is the title of one of our reports ("[tannenburg] FALL 1902 - MOVE RESULTS")."""
    return len(text) <= 200 and _TITLE.match(text) is not None

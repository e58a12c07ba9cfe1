"""Recognizes what a mail repeats: our order form, changed or not, our reports, and pasted results of other powers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from judge.board.model import Board, province_of
from judge.board.names import gazetteer_of
from judge.mail.script.lines import is_order
from judge.mail.script.model import Script, Unasked
from judge.mail.vocabulary import Around
from judge.mail.vocabulary.powers import is_power_word

_LONGEST = 200

_BLANK = re.compile(r"_{2,}")
_AROUND = " -.:"
_COAST = re.compile(r"\s*\([^()]*\)?$")
_OPEN_END = re.compile(r"_{2,}[\s.:)(-]*$")
"""A blank at the end of a line, with whatever stops it."""
_MARKS = re.compile(r"^[\s>|]+")
_UNIT = re.compile(r"^(.+?)(?:\s+-+>?\s|\s+(?:S|C|H|R|D|B|holds?|supports?|convoys?|retreats?)\b|\s*_|\s*\(|$)", re.I)
_TITLE = re.compile(r"^\s*\[[\w-]{1,40}\]\s+(?:SPRING|SUMMER|FALL|AUTUMN|WINTER)\s\d{4}\b.*\bRESULTS\b")
_KIND = re.compile(r"(?:army|fleet|[a-z])\s+(.+)")
_ADJUSTING = {"b": "build", "r": "remove", "d": "remove", "disband": "remove", "build": "build", "remove": "remove"}
_ADJUSTING |= {"w": "build", "waive": "build"}
_ADJUSTED = {"build", "remove"}
_BUILDING = {"build", "remove", "disband"}


def tidy(text: str) -> str:
    """A line for comparison: no quotation marks, runs of blanks as one, case folded."""
    return " ".join(_MARKS.sub("", text).split()).casefold()


def has_blanks(text: str) -> bool:
    """Whether a line has blanks of a form in it, filled in or not."""
    return _BLANK.search(text) is not None


def without_blanks(text: str) -> str:
    """What is written on and around the blanks of a line, without the marks of quotation."""
    return " ".join(_BLANK.sub(" ", _MARKS.sub("", text)).split())


def is_unfilled(text: str) -> bool:
    """Whether a line has blanks of a form in it, and nothing is written in their place, before or behind them.

    >>> [is_unfilled(line) for line in ("A Paris - ____", "A Paris - ____ Bur", "A Paris - Bur____", "BUILD ____")]
    [True, False, False, True]
    """
    if not _OPEN_END.search(text):
        return has_blanks(text) and not without_blanks(text)
    rest = without_blanks(text).rpartition(": ")[2].lower().rstrip(_AROUND)
    rest = _COAST.sub("", rest)
    unit = _UNIT.match(rest)
    return rest in _ADJUSTING or (rest.partition(" ")[0] not in _BUILDING and (unit is None or unit.end() == len(rest)))


_WORDS = (Unasked.CHATTER, Unasked.STOP, Unasked.AFTER_STOP, Unasked.AFTER_FAILURES, Unasked.UNTRIED, Unasked.FORWARDED)
"""Lines in which the author says something of their own, understood or not."""


def came_back_unfilled(script: Script, form: Iterable[str]) -> bool:
    """Whether a mail brought lines of an order form as they were sent, and nothing besides but courtesy. `form`: the
    lines of the letter that it answers.
    """
    if not script.empty or any(one.why in _WORDS for one in script.ignored):
        return False
    sent = {tidy(line) for line in form}
    return any(one.why is Unasked.FORM or tidy(one.text) in sent for one in script.ignored)


class Form:
    """The order form of the letter replied to."""

    def __init__(self, lines: Iterable[str], board: Board | None) -> None:
        self._board = board
        self._lines = {tidy(line) for line in lines if tidy(line)}
        self._subjects = {subject for line in self._lines if (subject := self._subject(line))}
        self._bare = {without_blanks(line).rstrip(" -") for line in self._lines}
        """Its units alone, as other parts of our letters name them too, at the end of a list that was folded."""

    def edited(self, text: str) -> str:
        """The order on a form line that was changed; "" for any other line."""
        if not self._subjects or len(text) > _LONGEST:
            return ""
        line = tidy(text)
        if line in self._lines or line.rstrip(" -") in self._bare or is_unfilled(line):
            return ""
        order = without_blanks(text)
        if self._subject(tidy(order)) not in self._subjects:
            return ""
        return order if is_order(order, self._board) else ""

    def _subject(self, line: str) -> str:
        """What a line gives an order to: the province of "a burgundy - ______", or "build" and "remove", of one power
        where its reader has several.
        """
        whose, colon, rest = line.rpartition(": ")
        if colon and (subject := self._subject(rest)) in _ADJUSTED:
            return f"{whose}: {subject}"
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


_ROW = re.compile(r"^\s{0,3}([A-Za-z][\w.-]{2,20}(?: [\w.-]{2,20})?):?\s{2,}\S")
_CONTINUED = 20
"""Columns by which the end of a row is set in where it runs on."""


@dataclass(slots=True)
class PastedResults:
    """Follows the lines of a mail; ask it about each of them in turn."""

    _row: str = ""
    """The power whose rows these are."""
    _wide: bool = False

    def is_of_others(self, text: str, around: Around) -> bool:
        """Whether a line is a row of a power that its author does not play, or runs on from an outcome column."""
        indent = len(text) - len(text.lstrip())
        if self._wide and indent >= _CONTINUED:
            return True
        board, match = around.board, _ROW.match(text)
        if board and match and (power := is_power_word(match[1], board)):
            self._row = power
        elif indent < 4:
            self._row = ""
        self._wide = bool(self._row) and "  " in text.strip()
        return bool(self._row and around.powers and self._row not in around.powers)

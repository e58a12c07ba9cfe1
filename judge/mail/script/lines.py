"""Single lines: courtesies, names below regards, stop words and comments, which are never commands; and orders."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.game.filing.conditional import bare_condition
from judge.languages import tell
from judge.mail.phrases import WROTE
from judge.mail.script.phrases import ordering as phrases
from judge.mail.script.phrases import words as known
from judge.mail.vocabulary import Unclear
from judge.orders.reader import looks_like_order

Typed = tuple[int, str]
"""A line number and what its author typed."""

_COMMENT = re.compile(r"(?:^|\s)//.*$")
_BULLET = re.compile(r"^\s*(?:[*•·‣▪◦+-]\s+|\(?\d{1,3}[.)]\s+)")

_LONGEST_ORDERS = 2000


def plain_line(text: str) -> str:
    """A line without comment, bullet or number before it, and blanks around it."""
    return _BULLET.sub("", _COMMENT.sub("", text)).strip()


def is_comment(text: str) -> bool:
    """Whether a line is nothing but a comment."""
    return text.lstrip().startswith("//")


def is_stop(text: str) -> bool:
    """Whether a line ends what is to be read."""
    word = " ".join(text.lower().split()).rstrip(".!")
    return word in known.STOP_WORDS


def begins_copy(text: str) -> bool:
    """Whether a line says whose words stand below it, as mail programs do above an earlier mail.

    >>> begins_copy("On Tue, 7 Jan 2031, France <france@players.test> wrote:"), begins_copy("As I wrote: A Par - Bur")
    (True, False)
    """
    return text.rstrip().endswith((":", "：")) and WROTE.search(text) is not None


def is_courtesy(text: str) -> bool:
    """Whether a line is a greeting, thanks, or the like.

    >>> is_courtesy("Thanks, all"), is_courtesy("Hi Judge,"), is_courtesy("Bestest of plans: A Par - Bur")
    (True, True, False)
    """
    return len(text) <= 80 and known.COURTESY.fullmatch(text.strip()) is not None


def is_order(text: str, board: Board | None) -> bool:
    """Whether a line is meant as an order, on a board that is known."""
    if board is None or len(text) > _LONGEST_ORDERS:
        return False
    if phrases.CONDITIONAL.fullmatch(text):
        return continues_condition(text, board)
    return looks_like_order(_TIME_OF_DAY.sub(" ", text), board) or continues_condition(text, board)


_TIME_OF_DAY = re.compile(r"\b\d{1,2}(?:[:.]\d\d)? ?[ap]\.? ?m\b\.?", re.IGNORECASE)
""" "3 a.m.", which is no army."""


def _is_talk(text: str, board: Board) -> bool:
    """Whether "if ..., then ..." is a sentence among others: it orders nothing, and depends on no place of the board.

    "If I do exactly that, then Germany cannot complain" is one; "if Italy attacks Trieste then hold" is not.
    """
    match = phrases.IF_THEN.fullmatch(text)
    if match is None:
        return False
    case, deed = match["case"].strip(" ,"), match["deed"].strip(" ,:")
    if _names_place(case, board):
        return False
    return bool(phrases.STATED.match(deed)) or not (
        looks_like_order(deed, board) or _names_place(deed, board) or _orders(deed)
    )


def _orders(words: str) -> bool:
    return not phrases.ORDERING.isdisjoint(words.lower().split())


def _names_place(words: str, board: Board) -> bool:
    """Whether capitalised or coded words name a place."""
    names = gazetteer_of(board)
    return any(bool(names.find(word).exact) for word in re.findall(r"[A-Z][\w.'’-]{2,}", words))


def continues_condition(text: str, board: Board) -> bool:
    """Whether a line belongs to a condition written over several lines: it must never be passed over as chatter."""
    if len(text) > 400 or _is_talk(text, board):
        return False
    if phrases.CONDITIONAL.fullmatch(text) or bare_condition(text, board):
        return True
    return (other := phrases.ELSE.match(text)) is not None and looks_like_order(text[other.end() :], board)


_HALF_AN_ORDER = re.compile(
    r"(?P<from>[A-Z][\w'’.]+(?: [A-Z][\w'’.]+)?)\s*(?:->|=>|[-–—→])\s*"
    r"(?P<to>[A-Z][\w'’.()/]*(?: [A-Z][\w'’.()/]*){0,2})"
)


def half_an_order(text: str, board: Board | None) -> Unclear | None:
    """What to ask of a line such as "Lapland - Finland": the shape of a move, to a place of the board, from none."""
    match = _HALF_AN_ORDER.fullmatch(text.strip()) if board is not None else None
    if match is None or board is None:
        return None
    names = gazetteer_of(board)
    start, goal = match["from"], match["to"]
    if names.places(start) or names.power(start) or not names.places(goal):
        return None
    sentence = tell(
        'No place on this board is called "{start}", so I cannot read that as an order. If it was meant as one, ',
        start=start,
    )
    return Unclear(
        "no-place", tell("{sentence}please write it again; nothing else of yours waits for it.", sentence=sentence)
    )


_RULE = frozenset("|:+=- ")


def untabled(text: str) -> str:
    """A row of a table drawn with bars as one line, "" for a rule of it; any other line as it is.

    >>> untabled("| A Paris | - Burgundy |"), untabled("|------|:-----|"), untabled("| A Par - Bur")
    ('A Paris - Burgundy', '', '| A Par - Bur')
    """
    row = text.strip()
    if not row.startswith("|") or not row.endswith("|") or row.count("|") < 3:
        return text
    return "" if _RULE.issuperset(row) else " ".join(" ".join(row.split("|")).split())


_NAME = re.compile(r"[-–—~]{0,2}\s*[^\W\d_][\w.'’-]*(?: \(?[^\W\d_][\w.'’)-]*){0,3}")
_BELOW_CLOSING = 2


def signatures(lines: Iterable[tuple[int, str]]) -> frozenset[int]:
    """The numbers of lines that are a name below thanks or regards.

    >>> sorted(signatures([(1, "A Par - Bur"), (2, "Kind regards,"), (3, "Anna Berger"), (4, "Berlin")]))
    [3, 4]
    """
    found, left = set(), 0
    for number, text in lines:
        line = text.strip()
        if known.CLOSING.fullmatch(line):
            left = _BELOW_CLOSING
        elif left and _NAME.fullmatch(line) and line.lstrip("-–—~ ")[:1].isupper():
            found.add(number)
            left -= 1
        elif line:
            left = 0
    return frozenset(found)

"""What the lines of njudge and DPjudge come to here: one table, read, printed by the help, and its own test.

Whoever played or governed there types them from habit. A line that has a counterpart is read as our own line, and the
answer shows it; one that has none, or several, is answered by what there is instead. Nothing is ever guessed at: a
line is one of these rows, or it is none of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from judge.mail.vocabulary.older import calendar, masters, players
from judge.mail.vocabulary.older.model import DPJUDGE, NJUDGE, Here, Row

_PARTS: Mapping[str, tuple[Row, ...]] = MappingProxyType(
    {
        "Before signing on": players.BEFORE_SIGNING_ON,
        "Players": players.PLAYERS,
        "Press": masters.PRESS,
        "Masters": masters.MASTERS,
        "Who may play": players.SEATS,
        "Deadlines and lateness": calendar.ROWS,
        "Press settings": masters.SETTINGS,
        "Rules and the rest": masters.SWITCHES,
    }
)
JUDGES = (NJUDGE, DPJUDGE)
"""The judges whose lines are in the table."""

ROWS: tuple[Row, ...] = tuple(row for rows in _PARTS.values() for row in rows)
"""The whole table, in the order in which help prints it."""


def rows_of(judge: str) -> tuple[tuple[str, tuple[Row, ...]], ...]:
    """(title, rows) of the parts of the table that concern one of `JUDGES`."""
    parts = ((title, tuple(row for row in rows if judge in row.judges)) for title, rows in _PARTS.items())
    return tuple((title, rows) for title, rows in parts if rows)


def sentences() -> frozenset[str]:
    """What rows say of their lines, told when a line is answered."""
    return frozenset(row.said for row in ROWS) | {here.said for here in masters.DP_RULES.values()} - {""}


def here_for(line: str) -> Here | None:
    """What a line of the older judges comes to here; None for any other line, and for one that is the same here.

    >>> here_for("SET NODIAS").lines, here_for("set capture win").lines, here_for("set dias no")
    (('set dias no',), (), None)
    """
    words = line.split(maxsplit=1)
    for row in _BY_FIRST_WORD.get(words[0].lower().rstrip("!.,:"), ()) if words else ():
        if (found := row.read(line)) is not None:
            return found
    return None


def _by_first_word() -> Iterator[tuple[str, Row]]:
    for row in ROWS:
        for word in row.first_words:
            yield word, row


def _indexed() -> Mapping[str, tuple[Row, ...]]:
    found: dict[str, tuple[Row, ...]] = {}
    for word, row in _by_first_word():
        found[word] = (*found.get(word, ()), row)
    return MappingProxyType(found)


_BY_FIRST_WORD = _indexed()

__all__ = ["DPJUDGE", "JUDGES", "NJUDGE", "ROWS", "Here", "Row", "here_for", "rows_of", "sentences"]

"""'All others hold' and 'the rest stays as it is': which units such a line speaks of, and what becomes of them.

"The rest holds" in a mail that says nothing else is for the units without an order on file; beside other orders it
means all units that this mail does not name, as the order reader takes it. What "stays as it is" keeps its order
on file, and holds where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.game.core.model import Game
from judge.game.filing.read import Read
from judge.game.instructions.kinds import FiledOrder
from judge.orders import problems
from judge.orders.reading import EXPANDED, KEPT

_REST = re.compile(r"\b(others?|remaining|rest|remainder|else)\b", re.IGNORECASE)


def left_alone(game: Game, reads: Sequence[Read], *, replace_all: bool) -> list[FiledOrder | None]:
    """For each reading the order on file that it leaves as it is; None where it orders something. `replace_all`: the
    mail is to stand in place of all that is on file, which then stays only where it is said so.
    """
    everything = not replace_all and left_to_rest(reads)
    return [_on_file(game, read) if everything or keeps(read) else None for read in reads]


def left_to_rest(reads: Sequence[Read]) -> bool:
    """Whether a mail orders nothing but the units without an order."""
    return all(_is_rest(read) for read in reads)


def keeps(read: Read) -> bool:
    """Whether a line leaves what it speaks of as it is on file."""
    return KEPT in read.reading.notes


def unseen_words(read: Read) -> str:
    """What is said of a line about all others to an author who may not see what is on file."""
    return "for every unit without an order" if EXPANDED in read.reading.notes else "its order stays, or it holds"


def without_blanket(game: Game, read: Read) -> Read:
    """The reading; refused where it would order a unit among many, and the game wants each ordered by itself."""
    if game.settings.blanket or EXPANDED not in read.reading.notes or not keeps(read):
        return read
    return read._replace(reading=read.reading._replace(order=None, problem=problems.no_blanket()))


def _is_rest(read: Read) -> bool:
    return EXPANDED in read.reading.notes and _REST.search(read.reading.text) is not None


def _on_file(game: Game, read: Read) -> FiledOrder | None:
    sheet = game.sheets.get(read.power)
    if sheet is None or read.unit is None:
        return None
    return next((line for line in sheet.lines if line.unit == read.unit and line.phase == str(read.phase)), None)

"""'All others hold' in a mail that says nothing else: the others are the units without an order on file.

Beside other orders the words mean all units that this mail does not name, as the order reader takes them (B40).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.game.core.model import Game
from judge.game.filing.read import Read
from judge.game.instructions.filed import FiledOrder

_REST = re.compile(r"\b(others?|remaining|rest|remainder|else)\b", re.IGNORECASE)


def left_alone(game: Game, reads: Sequence[Read]) -> list[FiledOrder | None]:
    """For each reading the order on file that it leaves as it is; None where it orders something."""
    if not left_to_rest(reads):
        return [None] * len(reads)
    return [_on_file(game, read) for read in reads]


def left_to_rest(reads: Sequence[Read]) -> bool:
    """Whether a mail orders nothing but the units without an order."""
    return all(_is_rest(read) for read in reads)


def _is_rest(read: Read) -> bool:
    return "expanded" in read.reading.notes and _REST.search(read.reading.text) is not None


def _on_file(game: Game, read: Read) -> FiledOrder | None:
    sheet, unit = game.sheets.get(read.power), getattr(read.order, "unit", None)
    if sheet is None or unit is None:
        return None
    return next((line for line in sheet.lines if line.unit == unit.id and line.phase == str(read.phase)), None)

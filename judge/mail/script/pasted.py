"""Lists of results that were pasted into a mail: their rows are no orders of its author."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.mail.vocabulary import Around
from judge.mail.vocabulary.powers import is_power_word

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

"""The game of 1976 for four or for three players (XIV.2): some of them play several powers.

1. Each player has the powers of one line of his table below. Everything in the rules goes by power all the same: who
   owns a centre, builds, removes, dislodges, cuts a support. Votes, press, receipts and lateness go by player.
2. Everything else is as in 1976.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.board.model import Board
from judge.rules import Rules
from judge.rules.registry import Room


@dataclass(frozen=True, slots=True)
class Few(Rules):
    """The answers that differ. `hands`: the powers of each player."""

    hands: tuple[tuple[str, ...], ...] = ()

    def seats(self, board: Board) -> tuple[tuple[str, ...], ...]:
        """Clause 1."""
        return self.hands


FOUR = (("ENGLAND",), ("AUSTRIA", "FRANCE"), ("GERMANY", "TURKEY"), ("ITALY", "RUSSIA"))
THREE = (("RUSSIA",), ("ENGLAND", "FRANCE", "GERMANY"), ("AUSTRIA", "ITALY", "TURKEY"))
THREE_OTHERWISE = (("AUSTRIA", "ENGLAND", "GERMANY"), ("ITALY", "RUSSIA"), ("FRANCE", "TURKEY"))

ROOMS = tuple(
    Room(
        Few(key=key, hands=hands),
        title,
        presets={key: {"rules": key, "players": str(len(hands)), "nmr": "grace"}},
    )
    for key, hands, title in (
        ("four", FOUR, "Four players"),
        ("three", THREE, "Three players"),
        ("three-otherwise", THREE_OTHERWISE, "Three players, the second way"),
    )
)

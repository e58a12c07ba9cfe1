"""The game of 1976 for six to three players (XIV.2): powers are out of it, or several are in one hand.

1. Each player has the powers of one line of their table below. Everything in the rules goes by power all the same: who
   owns a centre, builds, removes, dislodges, cuts a support. Votes, press, receipts and lateness go by player.
2. A power of no table is in nobody's hand: its units hold, support nobody, may be supported by anybody, and are
   disbanded when they are dislodged. What it has to remove goes as in civil disorder.
3. Six play from 1870, five from 1801, unless the Gamemaster sets another year.
4. Everything else is as in 1976.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.board.model import Board
from judge.rules import Rules
from judge.rules.registry import Room

Hands = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Few(Rules):
    """The answers that differ. `hands`: the powers of each player."""

    hands: Hands = ()

    def seats(self, board: Board) -> Hands:
        """Clauses 1 and 2."""
        return self.hands


SIX = (("AUSTRIA",), ("ENGLAND",), ("FRANCE",), ("GERMANY",), ("RUSSIA",), ("TURKEY",))
FIVE = tuple(hand for hand in SIX if hand != ("GERMANY",))
FOUR = (("ENGLAND",), ("AUSTRIA", "FRANCE"), ("GERMANY", "TURKEY"), ("ITALY", "RUSSIA"))
THREE = (("RUSSIA",), ("ENGLAND", "FRANCE", "GERMANY"), ("AUSTRIA", "ITALY", "TURKEY"))
THREE_OTHERWISE = (("AUSTRIA", "ENGLAND", "GERMANY"), ("ITALY", "RUSSIA"), ("FRANCE", "TURKEY"))


def room(rules: Few, title: str, first_year: str = "") -> Room:
    """The room of a game for as many players as there are hands, and a preset of its name."""
    preset = {"rules": rules.key, "players": str(len(rules.hands)), "nmr": "grace"}
    year = {"first_year": first_year} if first_year else {}
    return Room(rules, title, presets={rules.key: preset | year})


ROOMS = (
    room(Few(key="six", hands=SIX), "Six players", "1870"),
    room(Few(key="five", hands=FIVE), "Five players", "1801"),
    room(Few(key="four", hands=FOUR), "Four players"),
    room(Few(key="three", hands=THREE), "Three players"),
    room(Few(key="three-otherwise", hands=THREE_OTHERWISE), "Three players, the second way"),
)

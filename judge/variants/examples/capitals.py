"""Capitals: the game of 1976, but two units of a power may stand together in its capital (after 1958, C34).

1. Vienna, London, Paris, Berlin, Rome, Moscow and Constantinople are capitals; there two units of the power may stand.
2. A unit is raised in the capital while fewer than two stand there, and one may move in beside one that is there.
3. They are worth one unit in defence; support counts for one of them only. Who drives one out drives out both.
4. Everything else is as in 1976.
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.board.extras import Badge, Extras
from judge.board.model import Board
from judge.board.position import Position
from judge.rules import Rules
from judge.rules.registry import Room

CAPITALS = frozenset({"VIE", "LON", "PAR", "BER", "ROM", "MOS", "CON"})


class Capitals(Rules):
    """The answers that differ."""

    def stacks(self, board: Board) -> Mapping[str, tuple[str, int]]:
        """Clauses 1 and 2; clause 3 is what stacks are."""
        return {home: (key, 2) for key, power in board.powers.items() for home in power.homes if home in CAPITALS}

    def extras(self, position: Position) -> Extras:
        """Clause 1, for those who look at the board."""
        shown = {home: (Badge("II", power),) for home, (power, _) in self.stacks(position.board).items()}
        return Extras(spaces=shown, notes=("II: a capital, in which two units of its power may stand together",))


ROOMS = (Room(Capitals(key="capitals"), "Capitals", presets={"capitals": {"rules": "capitals", "nmr": "grace"}}),)

"""Capitals: the game of 1976, but two units of a power may stand together in its capital.

1. Vienna, London, Paris, Berlin, Rome, Moscow and Constantinople are capitals; there two units of the power may stand.
2. A unit is raised in the capital while fewer than two stand there, and one may move in beside one that is there.
3. They are worth one unit in defence; support counts for one of them only. Who drives one out drives out both.
4. Everything else is as in 1976.
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.board.extras import Badge, Extras
from judge.board.position import Position
from judge.board.status import Stack
from judge.rules import Rules
from judge.rules.model import RuleSystem, page_of

CAPITALS = frozenset({"VIE", "LON", "PAR", "BER", "ROM", "MOS", "CON"})


class Capitals(Rules):
    """The answers that differ."""

    def stacks(self, position: Position) -> Mapping[str, Stack]:
        """Clauses 1 and 2; clause 3 is what stacks are."""
        powers = position.board.powers.items()
        return {home: Stack(key, 2) for key, power in powers for home in power.homes if home in CAPITALS}

    def extras(self, position: Position) -> Extras:
        """Clause 1, for those who look at the board."""
        shown = {home: (Badge("II", stack.power),) for home, stack in self.stacks(position).items()}
        return Extras(spaces=shown, notes=("II: a capital, in which two units of its power may stand together",))


_PRESETS = {"capitals": {"rules": "capitals", "nmr": "grace"}}
RULE_SYSTEMS = (RuleSystem(Capitals(key="capitals"), "Capitals", presets=_PRESETS, page=page_of(__doc__)),)

"""Garrisons: the game of 1976, but an army that is nobody's stands in every neutral supply centre.

1. An army stands at the start in each centre that no power begins with. It is a garrison; no player has it.
2. Garrisons hold and do not retreat: who wants such a centre drives one out.
   Anybody may support one where it stands.
3. They own nothing, neither build nor remove: the centre of one is nobody's, and one that is gone does not come back.
4. Everything else is as in 1976.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from judge.board.model import Board, Power
from judge.board.position import Position
from judge.board.unit import Unit
from judge.rules import Rules
from judge.rules.model import RuleSystem, page_of

GARRISONS = "GARRISONS"


class Garrisons(Rules):
    """The answers that differ."""

    def board(self, board: Board) -> Board:
        """Clauses 1 and 2: one more power, that is given to nobody, has an army in each centre that is no home."""
        homes = {home for power in board.powers.values() for home in power.homes}
        armies = tuple(f"A {p.code}" for p in board.provinces.values() if p.centre and p.code not in homes)
        garrisons = Power(GARRISONS, "Garrisons", "Garrison", "N", homes=(), start=armies, minor=True)
        return replace(board, powers=MappingProxyType({**board.powers, GARRISONS: garrisons}))

    def owners(self, position: Position, units: Iterable[Unit]) -> Mapping[str, str]:
        """Clause 3."""
        return super().owners(position, (unit for unit in units if unit.power != GARRISONS))

    def balance(self, position: Position, power: str) -> int:
        """Clause 3."""
        return 0 if power == GARRISONS else super().balance(position, power)


_PRESETS = {"garrisons": {"rules": "garrisons", "nmr": "grace"}}
RULE_SYSTEMS = (RuleSystem(Garrisons(key="garrisons"), "Garrisons", presets=_PRESETS, page=page_of(__doc__)),)

"""Chaos: thirty-four players, each with one supply centre; units are built in any owned centre.

1. Every supply centre of the board is a power of its own, named after it, and owned by it at the start.
2. The game begins with adjustments, in the Winter before the board's first year: there are no units yet.
3. Units are raised in any vacant centre that their power owns.
4. Everything else is as in 1976.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from judge.board.model import Board, Power, Province
from judge.board.phase import WINTER, Phase, PhaseKind
from judge.rules.model import RuleSystem, page_of
from judge.variants.examples.build_anywhere import REASONS, BuildAnywhere


class Chaos(BuildAnywhere):
    """The answers that differ; clause 3 is Build Anywhere's."""

    def board(self, board: Board) -> Board:
        """Clauses 1 and 2."""
        centres = sorted((p for p in board.provinces.values() if p.centre), key=lambda p: p.name)
        powers = {centre.name.upper(): _power(centre) for centre in centres}
        winter = Phase(board.first_phase.year - 1, WINTER.code, PhaseKind.ADJUSTMENTS)
        return replace(board, powers=MappingProxyType(powers), first_phase=winter)


def _power(province: Province) -> Power:
    return Power(
        province.name.upper(), province.name, province.name, province.code, (province.code,), (), province.aliases
    )


RULE_SYSTEMS = (
    RuleSystem(
        Chaos(key="chaos"),
        "Chaos",
        presets={"chaos": {"rules": "chaos", "players": "34", "nmr": "hold"}},
        reasons=REASONS,
        page=page_of(__doc__),
    ),
)

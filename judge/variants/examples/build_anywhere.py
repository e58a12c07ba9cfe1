"""Build Anywhere: the game of 1976, but units are raised in any owned centre, at home or not.

1. A power that may build raises its units in any vacant supply centre that it owns, not at home alone.
2. Everything else is as in 1976.
"""

from __future__ import annotations

from judge.board.position import Position
from judge.orders.model import Build
from judge.rules import Rules
from judge.rules.model import RuleSystem, page_of
from judge.rules.reasons import Reason

REASONS = {"not-an-own-centre": Reason("units are built in supply centres that their power owns", "1")}


class BuildAnywhere(Rules):
    """The answers that differ."""

    def building_centres(self, position: Position, power: str) -> tuple[str, ...]:
        """Clause 1."""
        return position.centres(power)

    def build_fault(self, position: Position, order: Build) -> str:
        """Clause 1, as the reason for a refusal."""
        fault = super().build_fault(position, order)
        return "not-an-own-centre" if fault == "not-a-home-centre" else fault


RULE_SYSTEMS = (
    RuleSystem(
        BuildAnywhere(key="build-anywhere"),
        "Build Anywhere",
        presets={"build-anywhere": {"rules": "build-anywhere", "nmr": "grace"}},
        reasons=REASONS,
        page=page_of(__doc__),
    ),
)

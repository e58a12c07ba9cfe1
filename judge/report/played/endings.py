"""How a game ended: for its letters, and in short for their subjects."""

from __future__ import annotations

from typing import Any

from judge.game.core.model import Game
from judge.game.core.parts import Ending
from judge.report.core.facts import Said, say
from judge.report.core.naming import power_name


def ending_sentence(game: Game) -> Said | None:
    """How the game ended; None while it goes on."""
    return say("ended", **_ending(game, game.ending)) if game.ending else None


def ending_in_short(game: Game) -> Said | None:
    """The end for a subject; None while it goes on."""
    return say("ended-in-short", **_ending(game, game.ending)) if game.ending else None


def _ending(game: Game, end: Ending) -> dict[str, Any]:
    """`reason`: of a time limit, what is counted then ("" for a draw); else the Gamemaster's own (A06, B69)."""
    powers = [power_name(power, game.board) for power in end.powers]
    return {"how": end.how, "powers": powers, "reason": end.reason, "after": game.end_after}

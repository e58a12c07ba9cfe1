"""How a game ended: as a sentence for its letters, and in a few words for their subjects."""

from __future__ import annotations

from judge.game.core.model import Game
from judge.report.naming import agreed, few, joined, power_name


def ending_sentence(game: Game) -> str:
    """How the game ended, as one sentence; "" while it goes on."""
    if game.ending is None:
        return ""
    names = joined(power_name(power, game.board) for power in game.ending.powers)
    if game.ending.how == "win":
        return f"{names} {agreed('has', len(game.ending.powers))} won the game."
    if game.ending.how == "draw":
        return f"The game ends as a draw of {names}."
    if game.ending.how == "practice":
        return "This practice game is over."
    if game.ending.how == "limit":
        return _limit_sentence(game, names)
    if game.ending.how == "concession":
        return f"The players concede the game to {names}."
    reason = f": {game.ending.reason.rstrip('.')}." if game.ending.reason else "."
    return f"The Gamemaster has closed the game{reason}"


def _limit_sentence(game: Game, names: str) -> str:
    """The time limit of the house rules is reached (A06, B69)."""
    assert game.ending is not None
    over = f"The game ends after {game.settings.end_after}, its time limit"
    if not game.ending.powers:
        return f"{over}; nobody was left to share it."
    if not game.ending.reason:
        return f"{over}, as a draw of {names}."
    one = len(game.ending.powers) == 1
    return f"{over}: with most {game.ending.reason} {names} {'has won' if one else 'share the win'}."


def ending_in_short(game: Game) -> str:
    """The end for a subject: "draw of 5 powers", "England has won"; "" while it goes on."""
    end = game.ending
    if end is None:
        return ""
    names = few([power_name(power, game.board) for power in end.powers])
    if end.how == "limit" and not end.powers:
        return "time limit reached"
    if end.how == "draw" or (end.how == "limit" and not end.reason):
        return f"draw of {names}"
    if end.how in ("win", "limit"):
        return f"{names} {'has won' if len(end.powers) == 1 else 'share the win'}"
    if end.how == "concession":
        return f"conceded to {names}"
    return "the practice is over" if end.how == "practice" else "closed by the Gamemaster"

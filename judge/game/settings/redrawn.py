"""What a Gamemaster changes of a board: powers that nobody plays, for fewer players than it has powers (XIV.2), and the
number of centres that win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.rules import Rules
from judge.rules.questions import CENTRES

LEAST = 2
SEATING = ("map", "rules", "unplayed")
"""Settings that say how many seats there are: the number of players moves with them."""

OF_THE_SYSTEM = ("map", "rules", "choices", "first_year", "unplayed", "victory")
"""Settings on which board and rules depend."""


def without_players(board: Board, names: Sequence[str], rules: Rules) -> Board:
    """The board on which these powers have units and centres but no seat. Raises ValueError with a sentence."""
    if not names:
        return board
    keys = {_power(name, board) for name in names}
    powers = {key: replace(power, minor=power.minor or key in keys) for key, power in board.powers.items()}
    changed = replace(board, powers=MappingProxyType(powers))
    hands = rules.seats(changed)
    held = sorted(keys & {key for hand in hands for key in hand})
    if held:
        name = board.powers[held[0]].name
        raise ValueError(
            f"unplayed: by the rules {rules.key} a player holds {name}; choose other rules, or leave it out."
        )
    if len(hands) < LEAST:
        raise ValueError(f"unplayed: at least {LEAST} powers must have a player.")
    return changed


def won_with(board: Board, centres: int, rules: Rules) -> Board:
    """The board on which so many centres win; 0: as many as it has ever been. Raises ValueError with a sentence."""
    if not centres:
        return board
    if rules.won_by != CENTRES:
        needed = rules.needed(board)
        raise ValueError(f"victory: the rules {rules.key} decide who wins: {needed} {rules.won_by}, not centres.")
    owned = max(rules.ranking(rules.start(board)).values(), default=0)
    if not owned < centres <= len(board.centres):
        raise ValueError(
            f"victory: it must be from {owned + 1} to {len(board.centres)} here: the board has {len(board.centres)} "
            f"centres, and somebody begins with {owned}."
        )
    return replace(board, victory=centres)


def _power(name: str, board: Board) -> str:
    found = gazetteer_of(board).power(name)
    if len(found) != 1:
        known = ", ".join(power.name for power in board.powers.values())
        raise ValueError(f'unplayed: "{name}" is not a power of this board; there are {known}.')
    return found[0]

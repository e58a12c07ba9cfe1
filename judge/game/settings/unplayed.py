"""Powers that nobody plays, by the Gamemaster's choice: for fewer players than the board has powers (XIV.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.rules import Rules

LEAST = 2
SEATING = ("map", "rules", "unplayed")
"""Settings that say how many seats there are: the number of players moves with them."""


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


def _power(name: str, board: Board) -> str:
    found = gazetteer_of(board).power(name)
    if len(found) != 1:
        known = ", ".join(power.name for power in board.powers.values())
        raise ValueError(f'unplayed: "{name}" is not a power of this board; there are {known}.')
    return found[0]

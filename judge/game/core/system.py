"""The rule system that a game is played by: its board, and the answers to the questions of the rules."""

from __future__ import annotations

from dataclasses import dataclass

from judge.board.model import Board
from judge.board.position import Position
from judge.game.core.remembered import remembered
from judge.rules import Rules


@dataclass(frozen=True, slots=True)
class System:
    """What the service looks up for a game's `map` and `rules`: the board and the answers to the rules' questions."""

    board: Board
    rules: Rules


@remembered
def for_players(system: System) -> tuple[str, ...]:
    """The powers that players may have, in the board's order."""
    return system.rules.for_players(system.board)


@remembered
def survivors(position: Position, powers: tuple[str, ...], rules: Rules) -> tuple[str, ...]:
    """Those of the powers that are still in the game, in the order given."""
    alive = rules.alive(position)
    return tuple([power for power in powers if power in alive])

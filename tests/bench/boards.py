"""What a phase in the middle of a game costs on each board, per unit, beside the standard one.

python -m tests.bench.boards [--phases 150] [--rounds 5]

The phases are those of games that the demo's robots play, from their fourth year on. Time is processor time of a core;
each figure is the best of the rounds, which go over all boards in turn.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from judge.adjudicate import adjudicate
from judge.board.load import load_board
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.daemon.robots import think
from judge.orders.model import Order
from judge.resources import folder
from judge.rules import Rules
from judge.variants import rules_for

GAMES = (
    ("standard", "1976"),
    ("european", "1976"),
    ("european", "european"),
    ("global2", "1976"),
    ("global2", "global2"),
)
Played = list[tuple[Position, list[Order]]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phases", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=5)
    wanted = parser.parse_args()
    games = {game: _played(*game, wanted.phases) for game in GAMES}
    best: dict[tuple[str, str], list[float]] = {}
    for _ in range(wanted.rounds):
        for game, phases in games.items():
            rules = rules_for(game[1])
            took = [_time(phases, rules, told=told) for told in (False, True)]
            best[game] = [min(pair) for pair in zip(took, best.get(game, took), strict=True)]
    for game, phases in games.items():
        units = sum(len(position.units) for position, _ in phases)
        plain, told = (seconds / units * 1e6 for seconds in best[game])
        share = plain / (best[GAMES[0]][0] / sum(len(position.units) for position, _ in games[GAMES[0]]) * 1e6)
        average = units / len(phases)
        print(
            f"{'/'.join(game):20} {average:5.1f} units, {plain:5.2f} us a unit, {told:5.2f} with reasons, x{share:.2f}"
        )


def _played(board_name: str, rules_name: str, count: int) -> Played:
    rules, chance = rules_for(rules_name), Random(1)
    board = rules.board(load_board(folder("maps") / board_name))
    found: Played = []
    while len(found) < count:
        position = rules.start(board)
        first = position.phase.year
        while position.phase.year < first + 12 and len(found) < count and rules.winner(position) is None:
            orders = _orders(position, rules, chance)
            if position.phase.kind is PhaseKind.MOVES and position.phase.year >= first + 3:
                found.append((position, orders))
            position = adjudicate(position, orders, rules).after
    return found


def _orders(position: Position, rules: Rules, chance: Random) -> list[Order]:
    if position.phase.kind is PhaseKind.TALKS:
        return []
    return [order for power in position.board.powers for order in think(position, power, rules, chance)]


def _time(phases: Played, rules: Rules, *, told: bool) -> float:
    begun = time.process_time()
    for position, orders in phases:
        result = adjudicate(position, orders, rules)
        if told:
            assert result.outcomes
    return time.process_time() - begun


if __name__ == "__main__":
    main()

"""Phases a second of the PyPI package `diplomacy`, for the phases that come in as JSON; run by adjudication.py.

Timed is its `process()` with the orders already set, as ours is timed with the orders already read.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from diplomacy import Game


def prepare(phase: dict[str, Any]) -> Game:
    """A game of that package in the given position, its orders set."""
    game = Game()
    game.clear_units()
    for power, units in phase["units"].items():
        game.set_units(power, units)
    game.set_current_phase(phase["phase"])
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders)
    return game


def main() -> None:
    games = [prepare(phase) for phase in json.load(sys.stdin)]
    start = time.process_time()
    for game in games:
        game.process()
    print(len(games) / (time.process_time() - start))


if __name__ == "__main__":
    main()

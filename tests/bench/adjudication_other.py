"""The speed of the PyPI package `diplomacy`, for the phases that come in as JSON; run by adjudication.py.

Timed is its `process()` with the orders already set, as ours is timed with the orders already read. Prints the phases
a second and the phases in the time of a calibration loop.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from diplomacy import Game

from tests.bench.reference import speed

SLICE = 60
"""Games that wait at a time: each is large, and hundreds of them slow the garbage collector down."""


def prepare(phase: dict[str, Any]) -> Game:
    """A game of that package in the given position, its orders set."""
    game = Game()
    game.clear_units()
    game.clear_centers()
    for power, units in phase["units"].items():
        game.set_units(power, units)
    for power, centres in phase["centers"].items():
        game.set_centers(power, centres)
    game.set_current_phase(phase["phase"])
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders)
    return game


def process(games: list[Game]) -> int:
    """Adjudicate all of them."""
    for game in games:
        game.process()
    return len(games)


def slices(phases: list[dict[str, Any]]) -> Iterator[Callable[[], int]]:
    """Work in slices, each prepared when its turn comes."""
    for start in range(0, len(phases), SLICE):
        yield partial(process, [prepare(phase) for phase in phases[start : start + SLICE]])


def main() -> None:
    print(json.dumps(speed(slices(json.load(sys.stdin)))))


if __name__ == "__main__":
    main()

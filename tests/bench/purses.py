"""Phases of 1914 with points that do not suffice, beside the same positions and orders without points: milliseconds of
processor time a phase, and the ratio.

    python -m tests.bench.purses [PHASES]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import median
from time import process_time

from judge.adjudicate import Adjudication, adjudicate
from judge.board.position import Position
from judge.orders.model import Order
from judge.rules import Rules
from judge.variants.pulsipher1914.state import GREATS, CountryState
from tests.variants.pulsipher1914.play import RULES
from tests.variants.pulsipher1914.test_laws import a_battle


def phase(seed: int) -> tuple[Position, list[Order]]:
    """Twenty-six units in battle, each power with six points at most."""
    chance = Random(f"short of points {seed}")
    position, orders = a_battle(chance)
    state = CountryState(position)
    state.points = {power: chance.randint(0, 6) for power in GREATS}
    return state.applied(position), orders


def milliseconds(play: Callable[[], Adjudication]) -> float:
    """The processor time of a phase with all that is told of it."""
    began = process_time()
    assert play().outcomes
    return (process_time() - began) * 1000


def main(phases: int) -> None:
    """Print the figures."""
    given = [phase(seed) for seed in range(phases)]
    ours = [milliseconds(lambda: adjudicate(at, orders, RULES)) for at, orders in given]  # noqa: B023
    bare = [(replace(at, marks={}, accounts={}), orders) for at, orders in given]
    plain = [milliseconds(lambda: adjudicate(at, orders, Rules())) for at, orders in bare]  # noqa: B023
    short = sum(bool(adjudicate(at, orders, RULES).after.marks.get("season", {}).get("unpaid")) for at, orders in given)
    print(f"{phases} phases, in {short} of them points ran short")
    print(f"median {median(ours):.2f} ms, at most {max(ours):.2f} ms; without points {median(plain):.2f} ms")
    print(f"{median(ours) / median(plain):.1f} times a phase without points")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)

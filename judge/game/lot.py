"""Drawing powers by lot: the only element of chance (A03), recorded as a seed so that anybody can draw it again.

Preferences are served as well as they can be together; where they leave a choice, the seed decides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

_UNIT = 1 << 40
"""One step down a preference list outweighs any lot."""


def draw(
    seed: int, seats: Sequence[str], powers: Sequence[str], wishes: Mapping[str, Sequence[Sequence[str]]]
) -> dict[str, str]:
    """Seat -> power, with the least total distance from everybody's wishes.

    `wishes`: seat -> groups of powers, best first, equals in one group; powers that are not named come last.
    Deterministic in its arguments. There must be as many seats as powers.

    >>> sorted(draw(7, ["1", "2"], ["FRANCE", "ITALY"], {"1": [["ITALY"]]}).items())
    [('1', 'ITALY'), ('2', 'FRANCE')]
    """
    if len(seats) != len(powers):
        raise ValueError("as many seats as powers")
    cost = [[_cost(seed, seat, power, wishes.get(seat, ())) for power in powers] for seat in seats]
    # best[mask]: the cheapest way to give the powers in `mask` to the first seats, and the last power given.
    best: dict[int, tuple[int, int]] = {0: (0, -1)}
    for row, seat_cost in enumerate(cost):
        layer: dict[int, tuple[int, int]] = {}
        for mask, (sofar, _) in best.items():
            if mask.bit_count() != row:
                continue
            for column, price in enumerate(seat_cost):
                if mask >> column & 1:
                    continue
                candidate = (sofar + price, column)
                into = mask | 1 << column
                if into not in layer or candidate < layer[into]:
                    layer[into] = candidate
        best.update(layer)
    return _unwind(best, seats, powers)


def _unwind(best: Mapping[int, tuple[int, int]], seats: Sequence[str], powers: Sequence[str]) -> dict[str, str]:
    mask = (1 << len(powers)) - 1
    result: dict[str, str] = {}
    for seat in reversed(seats):
        column = best[mask][1]
        result[seat] = powers[column]
        mask &= ~(1 << column)
    return result


def _cost(seed: int, seat: str, power: str, wishes: Sequence[Sequence[str]]) -> int:
    rank = next((i for i, group in enumerate(wishes) if power in group), len(wishes))
    chance = hashlib.sha256(f"{seed}/{seat}/{power}".encode()).digest()
    return rank * _UNIT + int.from_bytes(chance[:4], "big")

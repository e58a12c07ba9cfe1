"""Drawing powers by lot: the only element of chance, recorded as a seed so that anybody can draw it again.

Preferences are served as well as they can be together; where they leave a choice, the seed decides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from math import inf

_UNIT = 1 << 40
"""One step down a preference list outweighs any lot."""


Hand = tuple[str, ...]
"""The powers that one player has together."""


def draw(
    seed: int, seats: Sequence[str], hands: Sequence[Hand], wishes: Mapping[str, Sequence[Sequence[str]]]
) -> dict[str, Hand]:
    """Seat -> the powers it plays, with the least total distance from everybody's wishes.

    `wishes`: seat -> groups of powers, best first, equals in one group; powers that are not named come last. Several
    powers in one hand are liked as the one of them that is liked best. Deterministic in its arguments. There must be
    as many seats as hands.

    >>> sorted(draw(7, ["1", "2"], [("FRANCE",), ("ITALY", "RUSSIA")], {"1": [["ITALY"]]}).items())
    [('1', ('ITALY', 'RUSSIA')), ('2', ('FRANCE',))]
    """
    if len(seats) != len(hands):
        raise ValueError("as many seats as hands")
    cost = [[_cost(seed, seat, hand, wishes.get(seat, ())) for hand in hands] for seat in seats]
    return {seat: hands[column] for seat, column in zip(seats, cheapest(cost), strict=True)}


def cheapest(cost: Sequence[Sequence[int]]) -> list[int]:
    """Row -> its column in the assignment of least total cost; n^3 steps for n rows and n columns.

    The Hungarian method by shortest augmenting paths (Jonker and Volgenant 1987): each row in turn finds its cheapest
    way into the assignment, which may move rows that have their columns already.

    >>> cheapest([[4, 1], [2, 3]])
    [1, 0]
    """
    count = len(cost)
    row_price, column_price = [0] * count, [0] * (count + 1)
    held_by = [-1] * (count + 1)
    """Column -> its row; the last column stands for the row that looks for one."""
    for row in range(count):
        held_by[count] = row
        came_from = _path(cost, row_price, column_price, held_by)
        column = came_from.pop()
        while column != count:
            before = came_from[column]
            held_by[column] = held_by[before]
            column = before
    columns = {held_by[column]: column for column in range(count)}
    return [columns[row] for row in range(count)]


def _path(
    cost: Sequence[Sequence[int]], row_price: list[int], column_price: list[int], held_by: Sequence[int]
) -> list[int]:
    """Column -> the column before it on the cheapest way to a free one, and at the end that free column. The prices
    are raised so that no reduced cost falls below zero.
    """
    count = len(cost)
    away: list[float] = [inf] * count
    before = [count] * count
    seen = [False] * (count + 1)
    here = count
    while held_by[here] >= 0:
        seen[here] = True
        row = held_by[here]
        for column in range(count):
            reduced = cost[row][column] - row_price[row] - column_price[column]
            if not seen[column] and reduced < away[column]:
                away[column], before[column] = reduced, here
        nearest = min((column for column in range(count) if not seen[column]), key=lambda column: away[column])
        step = int(away[nearest])
        for column in range(count + 1):
            if seen[column]:
                row_price[held_by[column]] += step
                column_price[column] -= step
            elif column < count:
                away[column] -= step
        here = nearest
    return [*before, here]


def _cost(seed: int, seat: str, hand: Hand, wishes: Sequence[Sequence[str]]) -> int:
    rank = next((i for i, group in enumerate(wishes) if not set(hand).isdisjoint(group)), len(wishes))
    chance = hashlib.sha256(f"{seed}/{seat}/{'+'.join(hand)}".encode()).digest()
    return rank * _UNIT + int.from_bytes(chance[:4], "big")

"""Seeding a round of a tournament: who plays at which board, and which power.

Nobody meets the same people again where it can be avoided, nobody plays a power twice, the boards are equally strong,
and wishes are served as far as these leave a choice. The same arguments give the same boards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations

_MET, _REPEATED = 1_000_000.0, 1_000.0
"""What it costs that two meet once more, and that somebody gets a power once more: wishes and strength come after."""
_MOST_PASSES = 50
"""Rounds of exchanges; far fewer are needed."""


@dataclass(frozen=True, slots=True)
class Seed:
    """Somebody to be seated: their rating, their wishes (best first, equals together), whom they have met and which
    powers they have played in this tournament, each with how often.
    """

    person: int
    rating: float = 1500.0
    wishes: tuple[tuple[str, ...], ...] = ()
    met: Mapping[int, int] = field(default_factory=dict)
    played: Mapping[str, int] = field(default_factory=dict)


def seed_boards(seeds: Sequence[Seed], hands: Sequence[tuple[str, ...]], lot: int) -> list[dict[int, tuple[str, ...]]]:
    """The boards, each as person -> the powers in their hand. There must be as many seeds as the boards have hands.

    >>> boards = seed_boards([Seed(n) for n in range(4)], [("FRANCE",), ("ITALY",)], 1)
    >>> sorted(person for board in boards for person in board)
    [0, 1, 2, 3]
    """
    size = len(hands)
    if size == 0 or len(seeds) % size:
        raise ValueError("the seeds must fill the boards")
    boards = _apart(_snake(seeds, len(seeds) // size, lot))
    return [_powers(board, hands, lot) for board in boards]


def top_board(seeds: Sequence[Seed], hands: Sequence[tuple[str, ...]], lot: int) -> list[dict[int, tuple[str, ...]]]:
    """Boards in the order in which the seeds stand: the best together at the first, and so on."""
    size = len(hands)
    return [_powers(seeds[first : first + size], hands, lot) for first in range(0, len(seeds), size)]


Draft = tuple[tuple[tuple[int, tuple[str, ...]], ...], ...]
"""Boards as they are written down: each as pairs of a person and their powers."""


def swapped(boards: Draft, idle: tuple[int, ...], one: int, other: int) -> tuple[Draft, tuple[int, ...]]:
    """A draft in which two have changed places, at one board or two, or with somebody who sits out.

    >>> swapped((((1, ("FRANCE",)), (2, ("ITALY",))),), (3,), 2, 3)
    ((((1, ('FRANCE',)), (3, ('ITALY',))),), (2,))
    """
    place = {one: other, other: one}
    seated = tuple(tuple(sorted((place.get(person, person), hand) for person, hand in board)) for board in boards)
    return seated, tuple(sorted(place.get(person, person) for person in idle))


def _chance(lot: int, *words: object) -> float:
    digest = sha256("/".join(map(str, (lot, *words))).encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32


def _snake(seeds: Sequence[Seed], count: int, lot: int) -> list[list[Seed]]:
    """The best to the first board, the next to the second ..., and back again."""
    ranked = sorted(seeds, key=lambda seed: (-seed.rating, _chance(lot, seed.person)))
    boards: list[list[Seed]] = [[] for _ in range(count)]
    for place, seed in enumerate(ranked):
        there, back = divmod(place, count)[1], (place // count) % 2
        boards[count - 1 - there if back else there].append(seed)
    return boards


def _apart(boards: list[list[Seed]]) -> list[list[Seed]]:
    """Exchange players between boards as long as that lets fewer people meet again, or evens the boards out."""
    for _ in range(_MOST_PASSES):
        gained = [_exchange(one, other) for one, other in combinations(boards, 2)]
        if not any(gained):
            break
    return boards


def _exchange(one: list[Seed], other: list[Seed]) -> bool:
    """The best exchange of two players between two boards; False if none is any use."""
    before, best = _cost(one, other), None
    least = before
    for i in range(len(one)):
        for j in range(len(other)):
            one[i], other[j] = other[j], one[i]
            cost = _cost(one, other)
            one[i], other[j] = other[j], one[i]
            if cost < least - 1e-6:
                least, best = cost, (i, j)
    if best is None:
        return False
    i, j = best
    one[i], other[j] = other[j], one[i]
    return True


def _cost(one: Sequence[Seed], other: Sequence[Seed]) -> float:
    uneven = abs(sum(seed.rating for seed in one) - sum(seed.rating for seed in other))
    return _MET * (meetings(one) + meetings(other)) + uneven


def meetings(board: Sequence[Seed]) -> int:
    """How often those at a board have met before, counted for each pair; a second time weighs more than a first."""
    return sum(one.met.get(other.person, 0) ** 2 for one, other in combinations(board, 2))


def _powers(board: Sequence[Seed], hands: Sequence[tuple[str, ...]], lot: int) -> dict[int, tuple[str, ...]]:
    """Who gets which hand: as well as exchanges of two can make it."""
    order = sorted(board, key=lambda seed: _chance(lot, seed.person))
    dealt = sorted(hands, key=lambda hand: _chance(lot, *hand))
    for _ in range(_MOST_PASSES):
        gained = False
        for i, j in combinations(range(len(order)), 2):
            now = _liked(order[i], dealt[i], lot) + _liked(order[j], dealt[j], lot)
            if _liked(order[i], dealt[j], lot) + _liked(order[j], dealt[i], lot) < now - 1e-9:
                dealt[i], dealt[j], gained = dealt[j], dealt[i], True
        if not gained:
            break
    return {seed.person: hand for seed, hand in zip(order, dealt, strict=True)}


def _liked(seed: Seed, hand: tuple[str, ...], lot: int) -> float:
    """What it costs that somebody gets a hand."""
    again = sum(seed.played.get(power, 0) for power in hand)
    rank = next((i for i, group in enumerate(seed.wishes) if not set(hand).isdisjoint(group)), len(seed.wishes))
    return _REPEATED * again**2 + rank + _chance(lot, seed.person, *hand) / 2

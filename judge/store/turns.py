"""Who goes first when more letters wait than can be sent at once."""

from typing import NamedTuple


class SendingOrder(NamedTuple):
    """The kinds of letters that go ahead of all others, and those that go behind them."""

    first: frozenset[str]
    last: frozenset[str]

    def rank(self, kind: str) -> int:
        """0 for what goes ahead, 1 for most, 2 for what can wait."""
        return 0 if kind in self.first else 2 if kind in self.last else 1


def in_turn(waiting: list[tuple[int, str, int]]) -> list[int]:
    """The numbers of (rank, cause, number): by rank; within one, the first of each cause, then the second of each, and
    so on. What has no cause ("") takes its place by age.

    >>> in_turn([(2, "anna", 1), (2, "anna", 2), (2, "bert", 3), (1, "", 4)])
    [4, 1, 3, 2]
    """
    seen: dict[tuple[int, str], int] = {}
    places = []
    for age, (rank, cause, number) in enumerate(waiting):
        turn = seen[rank, cause] = seen.get((rank, cause), -1) + 1
        places.append((rank, turn if cause else 0, age, number))
    return [number for *_, number in sorted(places)]

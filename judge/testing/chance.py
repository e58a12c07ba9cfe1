"""Chance that is the same in every run, so that what was played can be played again."""

import hashlib


class Chance:
    """Lots and random bytes that are the same in every run of one seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._count = 0

    def lot(self) -> int:
        """A seed for a drawing of lots."""
        return int.from_bytes(self.entropy(7), "big")

    def entropy(self, length: int) -> bytes:
        """Random bytes in name only."""
        self._count += 1
        return hashlib.shake_256(f"{self._seed}/{self._count}".encode("ascii")).digest(length)

"""What a rule system remembers beside units and centres, as a Gamemaster puts it right: read, said, and told apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from judge.board.model import Board
from judge.board.position import Position


class Remembered(NamedTuple):
    """A mark of a position, or an account: of whom, its name, and what is remembered; a number is an account."""

    key: str
    name: str
    value: str | int


class Corrections(Protocol):
    """The lines of a system's own that `correct position` understands."""

    def read(self, text: str, position: Position) -> Remembered | None:
        """What a line says is to be remembered; None for a line that is none of these."""
        ...

    def words(self, change: Remembered, board: Board) -> str:
        """The same as the log and the letters say it."""
        ...

    def between(self, was: Position, now: Position) -> Iterator[str]:
        """The lines that make what one position remembers what the other does."""
        ...

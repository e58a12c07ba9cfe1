"""What players do beside ordering units: a deed is a line that a rule system knows by its first word."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from judge.board.position import Position


class Deed(NamedTuple):
    """A line such as "capital Lyon": whose, its first word in lower case, and the words behind it as they were sent."""

    power: str
    word: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.word, *self.words))


def nothing_wrong(position: Position, deed: Deed) -> str:
    """The check of what anybody may do at any time."""
    return ""


class Business(NamedTuple):
    """What a word does. A deed is secret until its phase is played; the last of a power's with one word counts."""

    usage: str
    """How it is written, for help: "capital PLACE"."""
    summary: str
    """What it does, in a sentence."""
    effect: Callable[[Position, Deed], Position]
    """The position with what it does, asked when the phase has been judged; deeds are taken in the board's order of
    powers, and those that the check now refuses are left out.
    """
    fault: Callable[[Position, Deed], str] = nothing_wrong
    """Why it cannot be done, as a reason's slug; ""."""
    first: bool = False
    """Whether it is done before the phase is judged, so that its orders go by it; else after that."""

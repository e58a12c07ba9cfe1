"""What can break: a list of functions, each of which plays a whole trial.

Such a function opens a `Trial` in an empty folder, loads it, breaks something, mends it and returns the findings.
`scale` is 1 for a sample of some seconds; what is counted or lasts (deaths, mails) grows with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from judge.testing.faults.findings import Findings

MANY = 40
"""Mails of a short load."""

Play = Callable[[Path, int], Findings]


@dataclass(frozen=True)
class Breakage:
    """`what` breaks, in the words of a list. `play` runs a whole trial in an empty folder, at a scale."""

    name: str
    what: str
    play: Play
    root: bool = False
    """Whether only root can cause it: it wants a file system of its own."""


FAULTS: dict[str, Breakage] = {}


def fault(name: str, what: str, *, root: bool = False) -> Callable[[Play], Play]:
    """Enter a function in the list of faults."""

    def enter(play: Play) -> Play:
        FAULTS[name] = Breakage(name, what, play, root)
        return play

    return enter

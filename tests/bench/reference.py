"""The machine to which speed goals refer, and the loop by which any machine is compared with it.

The reference is the machine on which the PyPI package `diplomacy` (1.1.2, under CPython 3.11.7 as built by default)
adjudicates 503 movement phases a second: its `process()`, with the orders already set. Machines differ and are busy
with other things, and the loop below is slowed down with everything else; so what holds everywhere is how many phases
fit into one loop. The package does 40.2 of the phases of `plausible` in the time of a loop (the median of eight runs
of `adjudication --other`, 36.9 to 42.4). On the reference a loop therefore takes 40.2 / 503 s. The number stays,
whatever later runs say: goals that move with the weather are none. Interpreters built otherwise have another ratio of
the loop to everything else; adjudication.md tells them apart.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from statistics import median
from time import process_time
from typing import NamedTuple

REFERENCE = 0.08
"""Seconds that a loop takes on the reference machine."""


def loop(rounds: int = 250_000) -> float:
    """Processor seconds for a fixed piece of pure Python, a million rounds of arithmetic (fewer are scaled up)."""
    start = process_time()
    total = 0
    for number in range(rounds):
        total += number * number % 7
    return (process_time() - start) * 1_000_000 / rounds


class Speed(NamedTuple):
    """How many things a second (the best slice) and in the time of one loop (the median slice) were done."""

    a_second: float
    a_loop: float

    @property
    def on_the_reference(self) -> float:
        """How many a second it would be there."""
        return self.a_loop / REFERENCE


def speed(slices: Iterable[Callable[[], int]]) -> Speed:
    """The speed of work that comes in slices; each does some and says how many. The garbage collector stays on."""
    a_second, a_loop = [], []
    for work in slices:
        gc.collect()
        before = loop()
        start = process_time()
        done = work()
        rate = done / (process_time() - start)
        a_second.append(rate)
        a_loop.append(rate * (before + loop()) / 2)
    return Speed(max(a_second), median(a_loop))

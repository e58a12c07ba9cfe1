"""Which of several orders for one unit counts: the last legal one, and the receipt says so (ruling 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from judge.orders.model import Build, Order, Waive
from judge.orders.reading import TOLERANT, Problem, Reading, ReadOptions

Slot = object
"""What an order is for: a unit, or the province of a build."""


@dataclass(frozen=True, slots=True)
class OnFile:
    """The readings of one mail, sorted. Every reading is in exactly one of the four."""

    orders: tuple[Reading, ...]
    """What counts, in the order written; "same-line-twice" among the notes where it replaced another line."""
    superseded: tuple[Reading, ...] = ()
    """Understood, and replaced by a later line for the same unit."""
    refused: tuple[Reading, ...] = ()
    """Not understood or not legal; `problem` is None for those that only `legal` refused."""
    conflicting: tuple[Reading, ...] = ()
    """In a no-mistakes game: different orders for one unit, asked back, none applied."""


def slot_of(order: Order) -> Slot | None:
    """What an order is for; None for a waived build, of which there may be many."""
    if isinstance(order, Waive):
        return None
    if isinstance(order, Build):
        return (order.power, order.at.partition("/")[0])
    return order.unit


def orders_on_file(
    readings: Iterable[Reading],
    *,
    legal: Callable[[Order], bool] = lambda order: True,
    options: ReadOptions = TOLERANT,
) -> OnFile:
    """Sorts readings into what counts and what does not.

    The last legal order for a unit counts. The same order twice is no conflict; two different legal orders for one
    unit are asked back in no-mistakes games, as the problem "two-orders" on each of them.
    """
    good: dict[Slot, list[Reading]] = {}
    refused: list[Reading] = []
    for number, reading in enumerate(readings):
        order = reading.order
        if order is None or not (reading.problem is None or options.permissive) or not legal(order):
            refused.append(reading)
            continue
        slot = slot_of(order)
        good.setdefault(("waive", number) if slot is None else slot, []).append(reading)
    orders: list[Reading] = []
    superseded: list[Reading] = []
    conflicting: list[Reading] = []
    for several in good.values():
        if options.no_mistakes and len({reading.order for reading in several}) > 1:
            conflicting += [replace(reading, problem=_two_orders(several)) for reading in several]
            continue
        last = several[-1]
        orders.append(replace(last, notes=(*last.notes, "same-line-twice")) if len(several) > 1 else last)
        superseded += several[:-1]
    return OnFile(tuple(orders), tuple(superseded), tuple(refused), tuple(conflicting))


def _two_orders(readings: list[Reading]) -> Problem:
    candidates = tuple(dict.fromkeys(reading.order for reading in readings if reading.order is not None))
    lines = " and ".join(str(order) for order in candidates)
    first = candidates[0]
    who = str(first.unit) if not isinstance(first, (Build, Waive)) else first.at if isinstance(first, Build) else ""
    return Problem("two-orders", f"You sent more than one order for {who}: {lines}. Please send one.", candidates)

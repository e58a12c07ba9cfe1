"""Which of several orders for one unit counts: the last legal one, and the receipt says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from judge.board.model import Board
from judge.board.position import Position
from judge.board.unit import Unit
from judge.languages import tell
from judge.orders.model import Build, Order, UnitOrder, Waive
from judge.orders.reading import TOLERANT, Problem, Reading, ReadOptions
from judge.orders.scene import ONE_OF_SEVERAL
from judge.orders.spelled import place, unit_text

_MOST_NAMED = 5
"""Different orders for one unit that the question names."""

Slot = object
"""What an order is for: a unit, or the province of a build."""

COUNTS = "same-line-twice"
"""The note of an order that counts although another line is for the same unit."""

SUPERSEDED = "superseded"
"""The note of an order that does not count, because a later line for the same unit does."""


GIVES_WAY = "gives-way"
"""The note of an order that does not count, because one of another kind for the same unit goes before it."""


def slot_of(order: Order) -> Slot | None:
    """What an order is for; None for a waived build, of which there may be many."""
    if isinstance(order, Waive):
        return None
    if isinstance(order, Build):
        return (order.power, order.at.partition("/")[0])
    return order.unit


def settled(
    readings: Sequence[Reading],
    board: Board,
    is_legal: Callable[[Order], bool] = lambda order: True,
    *,
    options: ReadOptions = TOLERANT,
    room: Callable[[Build], int] = lambda build: 1,
) -> tuple[Reading, ...]:
    """The readings of one mail, in the order given, each with what its neighbours make of it.

    Where lines for one unit differ, the last legal one has the note `COUNTS` and those before it `SUPERSEDED`. In a
    game that lets impossible orders stand, an impossible one after it is superseded as well; in a no-mistakes game it
    stays to be asked back, and so do two different legal ones, with the problem "two-orders" on each. Builds are for
    one slot only as far as there is no `room` for more of them at their site.
    """
    slots: dict[Slot, list[int]] = {}
    for number, reading in enumerate(readings):
        if reading.order is None or not (reading.problem is None or options.permissive):
            continue
        slot = slot_of(reading.order)
        if slot is not None:
            slots.setdefault(slot, []).append(number)
    found = list(readings)
    for numbers in slots.values():
        if len(numbers) < 2:
            continue
        build = readings[numbers[0]].order
        if isinstance(build, Build) and len(numbers) <= room(build):
            for place, number in enumerate(numbers, start=1):
                found[number] = found[number]._replace(slot=place)
            continue
        orders = [order for number in numbers if (order := readings[number].order) is not None]
        legal = [number for number, order in zip(numbers, orders, strict=True) if is_legal(order)]
        if options.known.gives_way and (waives := _that_give_way(readings, numbers, legal, options)):
            for number in waives:
                found[number] = _noted(found[number], GIVES_WAY)
            numbers, legal = ([each for each in some if each not in waives] for some in (numbers, legal))
            orders = [order for number in numbers if (order := readings[number].order) is not None]
        if len(set(orders)) < 2 or not legal:
            continue
        if options.no_mistakes and len({readings[number].order for number in legal}) > 1:
            problem = _two_orders([readings[number] for number in legal], board)
            for number in legal:
                found[number] = found[number]._replace(problem=problem)
            continue
        for number in numbers:
            if number < legal[-1] or (number > legal[-1] and not options.no_mistakes):
                found[number] = _noted(found[number], SUPERSEDED)
        found[legal[-1]] = _noted(found[legal[-1]], COUNTS)
    return tuple(found)


def _that_give_way(
    readings: Sequence[Reading], numbers: Sequence[int], legal: Sequence[int], options: ReadOptions
) -> frozenset[int]:
    """Of the lines for one unit, those instead of which one of another kind counts: a legal one, or, of lines that are
    legal themselves, an impossible one, too: such a unit loses its move and does nothing else.
    """
    ways = options.known.gives_way
    every, possible = ({type(readings[number].order) for number in some} for some in (numbers, legal))
    return frozenset(
        number
        for number in numbers
        if not (every if number in legal else possible).isdisjoint(ways.get(type(readings[number].order), ()))
    )


def spread(readings: Sequence[Reading], position: Position) -> tuple[Reading, ...]:
    """The readings of one power: where units alike stand together, orders that do not say for which of them they are
    are spread over those that nothing else is ordered for.
    """
    if not any(ONE_OF_SEVERAL in reading.notes for reading in readings):
        return tuple(readings)
    ordered = [reading.order for reading in readings if isinstance(reading.order, UnitOrder)]
    vague = {id(reading.order) for reading in readings if ONE_OF_SEVERAL in reading.notes}
    taken = {order.unit.id for order in ordered if id(order) not in vague}
    found: list[Reading] = []
    for reading in readings:
        order = reading.order
        if isinstance(order, UnitOrder) and id(order) in vague:
            free = [unit for unit in _alike(order.unit, position) if unit.id not in taken]
            if free:
                taken.add(free[0].id)
                reading = reading._replace(order=replace(order, unit=free[0]))
        notes = tuple(note for note in reading.notes if note != ONE_OF_SEVERAL)
        found.append(reading if notes == reading.notes else reading._replace(notes=notes))
    return tuple(found)


def _alike(unit: Unit, position: Position) -> list[Unit]:
    """The units that nothing tells apart from one, itself among them; ashore, or aboard, like it."""
    everybody = (*position.units, *(each.unit for each in position.dislodged))
    like = (unit.kind, unit.at, unit.power, bool(unit.aboard))
    return [each for each in everybody if (each.kind, each.at, each.power, bool(each.aboard)) == like]


def _noted(reading: Reading, note: str) -> Reading:
    return reading._replace(notes=(*reading.notes, note))


def _two_orders(readings: Sequence[Reading], board: Board) -> Problem:
    candidates = tuple(dict.fromkeys(reading.order for reading in readings if reading.order is not None))
    first = candidates[0]
    assert not isinstance(first, Waive), "builds that are waived stand for no unit"
    who = place(first.at, board) if isinstance(first, Build) else unit_text(first.unit, board)
    return Problem(
        "two-orders",
        tell("You sent more than one order for {who}; please send one.", who=who),
        candidates[:_MOST_NAMED],
    )

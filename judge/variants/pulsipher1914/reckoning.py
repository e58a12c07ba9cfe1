"""What a set of orders costs if it comes to the worst, and what is left: for receipts."""

from __future__ import annotations

from collections.abc import Iterable

from judge.board.model import Terrain, province_of
from judge.board.phase import ADJUSTMENTS, MOVES
from judge.board.position import Position
from judge.board.unit import Unit
from judge.languages import tell
from judge.orders.model import Convoy, Move, Order, Support
from judge.orders.spelled import order_words
from judge.rules.business import Deed
from judge.variants.pulsipher1914.business import BUSINESS
from judge.variants.pulsipher1914.orders import Cover, Raid, Segments, Visit
from judge.variants.pulsipher1914.report import in_names
from judge.variants.pulsipher1914.state import BOOK, HAD, CountryState
from judge.variants.pulsipher1914.table import BOMBER
from judge.variants.pulsipher1914.winter import play_winter


def reckoned(position: Position, power: str, orders: Iterable[Order], deeds: Iterable[Deed]) -> tuple[str, ...]:
    """What a power has, what its orders cost at most, and what is left, as lines for its receipt."""
    state = CountryState(position)
    if not state.player(power):
        return ()
    if position.phase.kind is MOVES:
        return tuple(_of_moves(state, power, tuple(orders)))
    if position.phase.kind is ADJUSTMENTS:
        return tuple(_of_winter(position, power, tuple(orders), tuple(deeds)))
    return ()


def _of_moves(state: CountryState, power: str, orders: tuple[Order, ...]) -> Iterable[str]:
    have, board = state.points.get(power, 0), state.position.board
    acts = [(cost, order) for order in orders if (cost := _at_most(order))]
    raids = any(isinstance(order, Raid) for order in orders)
    yield (
        tell("you have {points}; without a battle only raids are paid for", points=_points(have))
        if raids
        else tell("you have {points}; without a battle nothing is paid", points=_points(have))
    )
    for cost, order in acts:
        yield f"-{cost} {order_words(order, board)}, {_when(order)}"
    total = sum(cost for cost, _ in acts)
    yield tell("what you order costs {points} at most{left}", points=_points(total), left=_left(have, total))
    ground = [unit for unit in state.position.of(power) if unit.kind != BOMBER]
    worst = total + sum(_driven_out(state, unit) for unit in ground)
    yield f"if every unit is driven out besides: {_points(worst)}{_left(have, worst)}"


def _driven_out(state: CountryState, unit: Unit) -> int:
    """What it costs at most to be attacked and to retreat: a fleet at sea is attacked in both parts of a season."""
    terrain = state.position.board.provinces[province_of(unit.at)].terrain
    return 3 if terrain is Terrain.SEA else 2


def _at_most(order: Order) -> int:
    if isinstance(order, Segments):
        return _part(order.first) + _part(order.then)
    if isinstance(order, (Move, Visit, Raid)):
        return 1 if isinstance(order, Raid) and order.lost else 2
    return 1 if isinstance(order, (Support, Convoy, Cover)) else 0


def _when(order: Order) -> str:
    """When an order costs that."""
    if isinstance(order, Raid):
        return "if it gets through" if order.lost else "if it is beaten off, else 1"
    return "if it beats a raid off" if isinstance(order, Cover) else "if it meets somebody"


def _part(text: str) -> int:
    return {"-": 2, "S": 1, "C": 1}.get(text[:1], 0)


def _of_winter(position: Position, power: str, orders: tuple[Order, ...], deeds: tuple[Deed, ...]) -> Iterable[str]:
    """The adjustments as they are if nobody else sends anything, supply lines aside."""
    state = CountryState(position)
    have = state.points.get(power, 0)
    play_winter(position, orders, state, deeds, lambda: position.phase, BUSINESS)
    yield tell("you have {points}; if nobody else sends anything:", points=_points(have))
    for line in state.get(power, BOOK).splitlines():
        if not line.startswith(HAD):
            yield in_names(line, position.board)
    yield f"{_points(state.points.get(power, 0))} left"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _left(have: int, cost: int) -> str:
    return f", {have - cost} left" if cost <= have else tell(", {cost} more than you have", cost=cost - have)

"""Did you mean: what a unit could do that is nearest to what was written.

Nearest is near in writing first ("Bug" for Burgundy), then near on the board: who cannot reach Brest may have meant
the sea before it. Whether an order is legal here and now is for those who know the rules (`judge.game.filing.judging`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from judge.board.model import Board, Location, province_of
from judge.board.position import Position
from judge.board.spelling import slips
from judge.board.unit import Unit
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.orders.reach import Reach
from judge.orders.scene import ground_of

_FAR = 20
"""Further than any two places of a board, in steps, or than any two of their names in slips."""


def reachable_moves(reach: Reach, units: Sequence[Unit]) -> list[Order]:
    """Every move by its own way of one unit; nothing for several units."""
    return [Move(units[0], to) for to in reach.walk(units[0])] if len(units) == 1 else []


def nearest(orders: Iterable[Order], wanted: str, board: Board) -> tuple[Order, ...]:
    """Orders, those first whose places are written most like a word that names none of the board."""

    def far(order: Order) -> int:
        return sum(_slips(board, province_of(place), wanted) for place in _places_of(order))

    return tuple(sorted(orders, key=far))


def _places_of(order: Order) -> list[Location]:
    units = [getattr(order, name, None) for name in ("unit", "of")]
    named = [getattr(order, name, None) for name in ("to", "at")]
    return [*(unit.at for unit in units if unit is not None), *(place for place in named if place)]


def units_that_could(reach: Reach, units: Iterable[Unit], places: Iterable[Location]) -> list[Order]:
    """Moves into one of the places by units that can go there by their own way."""
    provinces = {province_of(place) for place in places}
    return [Move(unit, to) for unit in units for to in reach.walk(unit) if province_of(to) in provinces]


def suggest(
    order: Order, position: Position, is_possible: Callable[[Order], bool] = lambda order: True
) -> Iterator[Order]:
    """Possible orders for the same unit or build, the most alike first: of the same kind, else of another.

    For answers to well-formed orders that are refused: "A PAR - ROM" -> A PAR - BUR, ... No order is applied by this.
    """
    reach = ground_of(position).reach
    if isinstance(order, Move) and province_of(order.to) == province_of(order.unit.at):
        yield Hold(order.unit)
    for kind in (_alike(order, position, reach), _otherwise(order, reach)):
        ranked = sorted(enumerate(kind), key=lambda found: (_unlike(found[1][0], order, reach.board), found[0]))
        choices = dict.fromkeys(choice for _, (_, choice) in ranked if choice != order and is_possible(choice))
        yield from choices
        if choices and not isinstance(order, Retreat):
            return


def _alike(order: Order, position: Position, reach: Reach) -> list[tuple[Location, Order]]:
    if isinstance(order, Move):
        return [(to, Move(order.unit, to)) for to in reach.walk(order.unit)]
    if isinstance(order, Support):
        return _supports(order, reach)
    if isinstance(order, Convoy):
        ports = sorted(reach.convoy(order.of))
        return [(to, Convoy(order.unit, order.of, to)) for to in ports if reach.can_carry(order.unit, order.of, to)]
    if isinstance(order, Retreat):
        options = next((beaten.options for beaten in position.dislodged if beaten.unit == order.unit), ())
        return [(to, Retreat(order.unit, to)) for to in options]
    return _builds(order, position) if isinstance(order, Build) else []


def _otherwise(order: Order, reach: Reach) -> list[tuple[Location, Order]]:
    """Orders of another kind for the same unit: its moves and, last, to hold; for a dislodged unit, to disband."""
    if isinstance(order, Retreat):
        return [(order.unit.at, Disband(order.unit))]
    if isinstance(order, (Move, Support, Convoy)):
        stays: tuple[Location, Order] = (order.unit.at, Hold(order.unit))
        return [*((to, Move(order.unit, to)) for to in reach.walk(order.unit)), stays]
    return []


def _builds(order: Build, position: Position) -> list[tuple[Location, Order]]:
    """Units of the same kind, then of any, in the vacant home centres that the power still owns."""
    board = position.board
    homes = [home for home in board.powers[order.power].homes if position.owners.get(home) == order.power]
    sites = [
        (kind, place)
        for home in homes
        if not position.at(home)
        for kind in board.kinds
        for place in dict.fromkeys((home, *board.provinces[home].locations()))
        if board.can_stand(kind, place)
    ]
    alike = [site for site in sites if site[0] == order.kind] or sites
    return [(place, Build(order.power, kind, place)) for kind, place in alike]


def _supports(order: Support, reach: Reach) -> list[tuple[Location, Order]]:
    """Supports of the same unit into places that both can reach, or where it stands."""
    both = reach.walk_provinces(order.unit)
    found: list[tuple[Location, Order]] = [
        (to, Support(order.unit, order.of, to)) for to in sorted(both) if reach.can_enter(order.of, to)
    ]
    if province_of(order.of.at) in both:
        found.append((order.of.at, Support(order.unit, order.of)))
    return found


def _unlike(place: Location, order: Order, board: Board) -> tuple[int, int]:
    """How far a place is from the one that an order names: in typing slips, then in steps."""
    wanted = order.at if isinstance(order, Build) else getattr(order, "to", None)
    if wanted is None:
        return 0, 0
    here, there = province_of(place), province_of(wanted)
    near = slips(here.casefold(), there.casefold(), 1)
    return _FAR if near is None else near, _steps(board, there).get(here, _FAR)


def _slips(board: Board, province: str, wanted: str) -> int:
    """Slips between what was written and the name or code of a province, however many."""
    typed = wanted.casefold()[:_FAR]
    near = [slips(name.casefold(), typed, _FAR) for name in (province, board.provinces[province].name)]
    return min((distance for distance in near if distance is not None), default=_FAR)


@lru_cache(maxsize=512)
def _steps(board: Board, origin: str) -> dict[str, int]:
    """How many borders lie between a province and each other one, whatever unit crosses them."""
    found, border = {origin: 0}, [origin]
    while border:
        around = [place for here in border for place in _around(board).get(here, ())]
        border = [place for place in dict.fromkeys(around) if place not in found]
        found |= dict.fromkeys(border, 1 + max(found.values()))
    return found


@lru_cache(maxsize=16)
def _around(board: Board) -> dict[str, tuple[str, ...]]:
    around: dict[str, dict[str, None]] = {}
    for edge in board.borders:
        here, there = province_of(edge.a), province_of(edge.b)
        around.setdefault(here, {})[there] = None
        around.setdefault(there, {})[here] = None
    return {place: tuple(others) for place, others in around.items()}

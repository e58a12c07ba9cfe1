"""Did you mean: what a unit could do that is nearest to what was written. Suggests only what can be carried out.

Also for orders that were read and are then refused: `suggest(order, position)` lists the likely ones to send instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judge.board.model import Location, province_of
from judge.board.position import Position, Unit
from judge.board.spelling import slips
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.orders.reach import Reach


def reachable_moves(reach: Reach, units: Sequence[Unit]) -> list[Order]:
    """Every move by its own way of one unit; nothing when several units could be meant."""
    return [Move(units[0], to) for to in reach.walk(units[0])] if len(units) == 1 else []


def units_that_could(reach: Reach, units: Iterable[Unit], places: Iterable[Location]) -> list[Order]:
    """Moves into one of the places by units that can go there by their own way."""
    provinces = {province_of(place) for place in places}
    return [Move(unit, to) for unit in units for to in reach.walk(unit) if province_of(to) in provinces]


def suggest(order: Order, position: Position, most: int = 5) -> tuple[Order, ...]:
    """Orders of the same kind for the same unit that can be carried out, the most alike first.

    For answers to well-formed orders that are refused: "A PAR - ROM" -> A PAR - BUR, ... No order is applied by this.
    """
    reach = Reach(position)
    choices: list[tuple[int, int, Order]] = []
    for count, (place, choice) in enumerate(_alike(order, position, reach)):
        choices.append((_unlike(place, order, reach), count, choice))
    return tuple(choice for _, _, choice in sorted(choices, key=lambda found: found[:2])[:most])


def _alike(order: Order, position: Position, reach: Reach) -> list[tuple[Location, Order]]:
    if isinstance(order, Move):
        return [(to, Move(order.unit, to)) for to in reach.walk(order.unit)]
    if isinstance(order, Support):
        return _supports(order, reach)
    if isinstance(order, Convoy):
        ports = reach.convoy(order.of)
        if not reach.can_carry(order.unit, order.of, next(iter(ports), "")):
            return [(order.unit.at, Hold(order.unit))]
        return [(to, Convoy(order.unit, order.of, to)) for to in sorted(ports)]
    if isinstance(order, Retreat):
        options = next((beaten.options for beaten in position.dislodged if beaten.unit == order.unit), ())
        return [(order.unit.at, Disband(order.unit)), *((to, Retreat(order.unit, to)) for to in options)]
    return _builds(order, position) if isinstance(order, Build) else []


def _builds(order: Build, position: Position) -> list[tuple[Location, Order]]:
    """Units of the same kind, else of any, in the vacant home centres that the power still owns."""
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


def _unlike(place: Location, order: Order, reach: Reach) -> int:
    """Typing slips between the names of two places; far apart counts as twenty."""
    wanted = order.at if isinstance(order, Build) else getattr(order, "to", None)
    if wanted is None:
        return 0
    names = reach.board.provinces
    pairs = (
        (province_of(place).casefold(), province_of(wanted).casefold()),
        (names[province_of(place)].name.casefold(), names[province_of(wanted)].name.casefold()),
    )
    near = [slips(one, other, 3) for one, other in pairs]
    return min((distance for distance in near if distance is not None), default=20)

"""Armies and the fleets that are to carry them: which convoy orders are possible, which armies go by sea.

XII.1 and XII.2 (convoys), XIV.5 (fleets in coastal provinces), and the choice `adjacent_convoy`.
"""

from __future__ import annotations

from typing import Final

from judge.adjudicate.bout import Bout, Carriage
from judge.adjudicate.chains import Chains, needed_fleets
from judge.adjudicate.outcome import Result
from judge.board.chart import Mask, spaces
from judge.board.model import province_of
from judge.board.routes import has_route
from judge.orders.model import Convoy, Move
from judge.rules.choices import AdjacentConvoy, LandFallback

SWAP_ONLY: Final = AdjacentConvoy.SWAP_ONLY
INTENT: Final = AdjacentConvoy.INTENT
OWN_FLEET_OR_VIA: Final = AdjacentConvoy.OWN_FLEET_OR_VIA
WALKS: Final = LandFallback.YES
"""Module-level names: looking up a member of an enumeration is slow."""


def embark(bout: Bout, voyages: list[int]) -> None:
    """Enter the moves that no unit could make on its own way: armies over sea where a chain of fleets stands."""
    for unit in voyages:
        order: Move = bout.given[unit]
        fault = _voyage_fault(bout, unit, order)
        if fault:
            bout.faults[unit] = (Result.ILLEGAL, "is-aboard" if unit in bout.layout.riders else fault)
            continue
        bout.enter(unit, bout.chart.space[order.to], province_of(order.to))
        bout.carry(unit, Carriage(may_walk=False))


def _carries_nobody(bout: Bout) -> bool:
    """Whether the system has no convoys."""
    return "convoy" not in bout.rules.kinds().names


def _voyage_fault(bout: Bout, unit: int, order: Move) -> str:
    chart, start = bout.chart, bout.at[unit]
    target = chart.space.get(order.to, -1)
    if target < 0 or target == start:
        return "cannot-go-there"
    if order.unit.kind not in chart.carried:
        near = chart.spots[order.unit.kind][order.unit.at].near
        return "coast-missing" if target in near and "/" not in order.to else "cannot-go-there"
    if not chart.coasts >> start & chart.coasts >> target & 1 or (bout.asked and _carries_nobody(bout)):
        return "cannot-go-there"
    return "" if has_route(chart, start, target, bout.fleets) else "no-fleets-to-carry"


def match_convoys(bout: Bout, convoys: list[int], walks: list[int]) -> None:
    """Bring convoy orders and armies together, and decide for each army whether it goes by sea."""
    offers: dict[int, Mask] = dict.fromkeys(walks, 0)
    own: set[int] = set()
    useful: dict[tuple[int, int], Chains] = {}
    for unit in convoys:
        order: Convoy = bout.given[unit]
        army = bout.number[order.of.id]
        target = bout.chart.space[order.to]
        fault = _convoy_fault(bout, unit, army, target, useful)
        if fault:
            bout.faults[unit] = (Result.ILLEGAL, fault)
            continue
        bout.carriers.append(unit)
        if bout.landing[army] is None or bout.aim[army] != target:
            bout.faults[unit] = (Result.VOID, "convoyed-move-not-ordered")
            continue
        sea = 1 << bout.at[unit]
        bout.convoying |= sea
        offers[army] = offers.get(army, 0) | sea
        if bout.power[army] == bout.power[unit]:
            own.add(army)
    for army, offered in offers.items():
        _assign(bout, army, offered, owned=army in own)


def _convoy_fault(bout: Bout, unit: int, army: int, target: int, useful: dict[tuple[int, int], Chains]) -> str:
    """XII.1, XIV.5: fleets at sea carry armies from coast to coast; a fleet that no route needs carries nobody.

    `useful` keeps what is known about the chains from one coast to another.
    """
    chart, here, start = bout.chart, bout.at[unit], bout.at[army]
    if bout.asked and (fault := _forbidden(bout, unit, army)):
        return fault
    if not bout.fleets >> here & 1:
        return "convoy-not-at-sea"
    if bout.position.units[army].kind not in chart.carried:
        return "only-armies-are-convoyed"
    if target == start or not chart.coasts >> start & chart.coasts >> target & 1:
        return "convoy-not-between-coasts"
    if chart.shores[start] & chart.shores[target] & 1 << here:
        return ""
    if (start, target) not in useful:
        useful[start, target] = Chains(chart, start, target, bout.fleets)
    return "" if useful[start, target].need(1 << here) else "convoy-of-no-use"


def _forbidden(bout: Bout, unit: int, army: int) -> str:
    units = bout.position.units
    return bout.rules.carriage_fault(bout.position, units[unit], units[army])


def _assign(bout: Bout, army: int, offered: Mask, *, owned: bool) -> None:
    carriage = bout.carriage.get(army)
    order: Move = bout.given[army]
    if carriage is None:
        if bout.position.units[army].kind not in bout.chart.carried or not _goes_by_sea(
            bout, army, order, offered, owned=owned
        ):
            return
        carriage = Carriage(may_walk=bout.rules.land_fallback is WALKS)
        start, target = bout.at[army], bout.aim[army]
        if not carriage.may_walk and not has_route(bout.chart, start, target, bout.fleets):
            _cancel(bout, army)
            return
        bout.carry(army, carriage)
    if order.route:
        offered &= sum(1 << bout.chart.space[sea] for sea in set(order.route))
    board_fleets(bout, army, offered)


def board_fleets(bout: Bout, army: int, fleets: Mask) -> None:
    """Let exactly these fleets carry an army."""
    carriage = bout.carriage[army]
    carriage.fleets = fleets
    carriage.routes = needed_fleets(bout.chart, bout.at[army], bout.aim[army], fleets)
    carriage.crew = tuple([bout.occupant[sea] for sea in spaces(carriage.routes)])


def _goes_by_sea(bout: Bout, army: int, order: Move, offered: Mask, *, owned: bool) -> bool:
    """Whether an army that could walk is to be convoyed (the choice `adjacent_convoy`)."""
    choice = bout.rules.adjacent_convoy
    if choice is SWAP_ONLY:
        return bool(offered) and _swaps(bout, army)
    if choice is INTENT:
        return owned or (order.via and bool(offered))
    if choice is OWN_FLEET_OR_VIA:
        return owned or order.via
    return order.via


def _swaps(bout: Bout, army: int) -> bool:
    """XIV.5: whether the unit in the army's target is ordered to where the army is."""
    other = bout.occupant[bout.aim[army]]
    return other >= 0 and bout.landing[other] is not None and bout.aim[other] == bout.at[army]


def _cancel(bout: Bout, army: int) -> None:
    """An army told to go by sea where no fleets stand: an order that cannot be followed."""
    bout.withdraw(army)
    bout.faults[army] = (Result.ILLEGAL, "no-fleets-to-carry")

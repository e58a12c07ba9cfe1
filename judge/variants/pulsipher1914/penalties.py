"""What attacks on minor countries cost in political factors: clauses 16.F, 16.G and 16.I."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from judge.board.model import province_of
from judge.board.position import Position
from judge.orders.model import Move, Support, UnitOrder
from judge.variants.pulsipher1914.state import CountryState
from judge.variants.pulsipher1914.table import GREATS, GROUPS, MINORS


def land_of(state: CountryState, code: str) -> str:
    """The minor country that owns a space: a centre by its owner, other land by the country in which it lies; ""."""
    province = state.position.board.provinces[code]
    owner = state.position.owners.get(code, "") if province.centre else province.territory or ""
    return owner if owner in MINORS else ""


def attacked(state: CountryState, position: Position, order: Move, left: Collection[int]) -> set[str]:
    """The minor countries against which a move is: where it leads, and whose unit stands there. `left`: units that
    went elsewhere, and were not attacked.
    """
    code = province_of(order.to)
    found = {land_of(state, code)}
    found |= {unit.power for unit in position.at(code) if unit.power in MINORS and unit.id not in left}
    return found - {"", order.unit.power}


def penalise(
    state: CountryState, position: Position, acts: Iterable[UnitOrder], left: Collection[int]
) -> list[tuple[str, str]]:
    """Take the factors of those who attacked; the pairs (player, minor country) that had any. `position`: where units
    stand when these orders are carried out; `left`: those that went elsewhere.
    """
    acts = tuple(acts)
    moves = {order.unit.id: order for order in acts if isinstance(order, Move)}
    lost: list[tuple[str, str]] = []
    for order in acts:
        move = order if isinstance(order, Move) else None
        if isinstance(order, Support) and order.to:
            move = moves.get(order.of.id)
        if move is None:
            continue
        player = state.player(order.unit.power)
        if not player:
            continue
        for minor in attacked(state, position, move, left):
            for struck in _struck(state, player, order.unit.power, minor):
                if state.factors(player, struck):
                    state.set_factors(player, struck, 0)
                    lost.append((player, struck))
    return lost


def _struck(state: CountryState, player: str, country: str, minor: str) -> Iterator[str]:
    master = state.controller(minor)
    if master != player:
        yield minor
    if not master and country == player:
        for group in GROUPS:
            if minor in group:
                yield from sorted(group)


def occupied(state: CountryState) -> list[tuple[str, str]]:
    """Take the factors of players who own a home centre of a minor country, or control one that does."""
    lost: list[tuple[str, str]] = []
    owners = state.position.owners
    for name, minor in MINORS.items():
        holders = {state.player(owners[home]) for home in minor.homes if owners.get(home, name) != name}
        for player in sorted(holders & GREATS.keys()):
            if state.factors(player, name):
                state.set_factors(player, name, 0)
                lost.append((player, name))
    return lost

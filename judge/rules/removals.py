"""Which unit goes when somebody has too many and names none (XIV.4, and how other books answer)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from judge.board.model import Board, Location, province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.rules.choices import Removals

FAR = 1000
"""The distance of a place from which no centre can be reached."""


def farthest_first(
    position: Position, power: str, edition: Removals, homes: tuple[str, ...] | None = None
) -> tuple[Unit, ...]:
    """A power's units, the one that goes first standing first.

    XIV.4: the farthest from the nearest home centre; of equals fleets before armies, then by the name of the space.
    `homes`: the home centres that count; None for all.
    """
    board = position.board
    units = position.of(power)
    if edition is Removals.OWNED_DISTANCE:
        distance = _search(position.centres(power), _any_border(board))
        return tuple(sorted(units, key=lambda unit: _owned_key(board, unit, distance)))
    if homes is None:
        homes = board.powers[power].homes if power in board.powers else ()
    if edition is Removals.HOME_DISTANCE:
        distance = _search(homes, _any_border(board))
        return tuple(sorted(units, key=lambda unit: _key(board, unit, distance)))
    return tuple(sorted(units, key=lambda unit: _route_key(board, unit, homes)))


def _key(board: Board, unit: Unit, distance: dict[str, int]) -> tuple[int, bool, str]:
    province = province_of(unit.at)
    return -distance.get(province, FAR), not board.kinds[unit.kind].coasts, board.provinces[province].name


def _owned_key(board: Board, unit: Unit, distance: dict[str, int]) -> tuple[bool, int, bool, str]:
    """2023: units on a centre go last."""
    return board.provinces[province_of(unit.at)].centre, *_key(board, unit, distance)


def _route_key(board: Board, unit: Unit, homes: tuple[str, ...]) -> tuple[int, bool, str]:
    """XIV.4 by the letter: an army walks, or is convoyed over any water; a fleet sails."""
    province = province_of(unit.at)
    if unit.kind not in board.carried:
        steps = _search((unit.at,), lambda here: board.reach(unit.kind, here))
        away = min((far for here, far in steps.items() if province_of(here) in homes), default=FAR)
    else:
        steps = _search((province,), _any_border(board))
        away = min((steps.get(home, FAR) for home in homes), default=FAR)
    return -away, not board.kinds[unit.kind].coasts, board.provinces[province].name


def _any_border(board: Board) -> Callable[[str], Iterable[str]]:
    """Neighbouring provinces whatever may pass between them."""
    near: dict[str, set[str]] = {code: set() for code in board.provinces}
    for border in board.borders:
        one, other = province_of(border.a), province_of(border.b)
        near[one].add(other)
        near[other].add(one)
    return lambda here: near[here]


def _search(start: Iterable[Location], steps: Callable[[Location], Iterable[Location]]) -> dict[Location, int]:
    """Place -> the number of moves from the nearest of the starting places."""
    distance = dict.fromkeys(start, 0)
    fresh = list(distance)
    while fresh:
        following: list[Location] = []
        for here in fresh:
            for there in steps(here):
                if there not in distance:
                    distance[there] = distance[here] + 1
                    following.append(there)
        fresh = following
    return distance

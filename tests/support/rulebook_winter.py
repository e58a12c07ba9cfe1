"""Retreats, ownership and adjustments of 1976 a second time, sentence by sentence, with what the European Variant
changes in them. Nothing of the adjudicator is used: only the board's borders, names and home centres.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from judge.board.model import Board, Terrain
from tests.support.rulebook_1976 import Piece

DISBAND = "D"
"""A retreat order that is none."""


@dataclass(frozen=True)
class Build:
    """A line of an adjustment: a unit to be raised, "F" at "STP/NC"."""

    kind: str
    at: str


@dataclass(frozen=True)
class Remove:
    """A line of an adjustment: a piece to be removed."""

    of: int


@dataclass
class Adjusted:
    """What becomes of one power's adjustments."""

    built: list[Build] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)


def retreated(options: Mapping[int, Sequence[str]], orders: Mapping[int, str]) -> dict[int, str]:
    """Piece -> where it retreats to; those that are disbanded are missing.

    "A player may choose to disband a unit rather than retreat it. If two or more units may retreat only to the same
    space, they are all disbanded, unless only one of the units is ordered to retreat and the others are ordered to be
    disbanded. [...] If two or more units are ordered to retreat to the same space, they are all disbanded. If a player
    fails to order a retreat when necessary, the unit is disbanded."
    """
    only = {n: places.pop() for n, may in options.items() if len(places := {place[:3] for place in may}) == 1}
    going = {n: to for n, order in orders.items() if (to := _meant(order, options.get(n, ())))}
    lost = set()
    for n in going:
        rivals = [each for each in only if each != n and only[each] == only.get(n)]
        if any(orders.get(each) != DISBAND for each in rivals):
            lost.add(n)
    crowds = Counter(to[:3] for to in going.values())
    return {n: to for n, to in going.items() if n not in lost and crowds[to[:3]] == 1}


def _meant(order: str, options: Sequence[str]) -> str:
    """A coast need not be named where only one can be reached: VII.3b asks for it "if it is possible for the fleet to
    move to either coast".
    """
    coasts = [to for to in options if order in (to, to[:3])]
    return coasts[0] if len(coasts) == 1 else ""


def owners_after_fall(owners: Mapping[str, str], pieces: Iterable[Piece], centres: Iterable[str]) -> dict[str, str]:
    """ "Occupation of a supply center by a Great Power occurs when one of its units is located in that supply center
    after a Fall move has been played, complete with retreats. Once occupation has been established, the center may be
    left vacant".
    """
    known = set(centres)
    return dict(owners) | {piece.place: piece.power for piece in pieces if piece.place in known}


def adjusted(
    board: Board,
    power: str,
    homes: Iterable[str],
    owners: Mapping[str, str],
    pieces: Sequence[Piece],
    lines: Sequence[Build | Remove],
    far: Iterable[str] | None = None,
) -> Adjusted:
    """ "Each player’s number of units must be adjusted to equal the number of supply centers his Great Power controls."
    `far`: the homes from which distances are counted, where they are others than those in which units are built.
    """
    own = [piece for piece in pieces if piece.power == power]
    due = sum(owner == power for owner in owners.values()) - len(own)
    found = Adjusted()
    if due > 0:
        for line in lines:
            full = {piece.place for piece in pieces} | {each.at[:3] for each in found.built}
            if (
                len(found.built) < due
                and isinstance(line, Build)
                and may_build(board, power, homes, owners, full, line)
            ):
                found.built.append(line)
        return found
    ordered = [line.of for line in lines if isinstance(line, Remove) and line.of in {piece.id for piece in own}]
    found.removed = list(dict.fromkeys(ordered))[:-due] if due else []
    rest = [piece for piece in own if piece.id not in found.removed]
    found.removed += first_to_go(board, homes if far is None else far, rest)[: -due - len(found.removed)]
    return found


def may_build(
    board: Board, power: str, homes: Iterable[str], owners: Mapping[str, str], full: Iterable[str], line: Build
) -> bool:
    """ "He may build units by placing them, one in each unoccupied supply center, in his home country only (provided
    that such supply centers are still under his control). He must specify a fleet or an army in a coastal supply
    center (if Russia builds a fleet in St. Petersburg, he must specify the coast on which it is to appear, or the build
    is invalid)."
    """
    place = line.at[:3]
    if place not in set(homes) or owners.get(place) != power or place in set(full):
        return False
    province = board.provinces[place]
    if line.kind == "A":
        return province.terrain is not Terrain.SEA and line.at == place
    if province.terrain is Terrain.INLAND:
        return False
    return line.at in ([f"{place}/{coast}" for coast in province.coasts] or [place])


def first_to_go(board: Board, homes: Iterable[str], pieces: Sequence[Piece]) -> list[int]:
    """ "The unit farthest from home (most distant from the nearest home supply center as computed by the shortest
    available route, including convoys) is removed first, the fleet before the army. If more units are equally eligible
    for removal than should be removed, priority is established by the names of the space in which they are located,
    the earliest in alphabetical order coming off first."
    """
    far = distances(board, homes)

    def rank(piece: Piece) -> tuple[int, bool, str]:
        return -far[piece.place], piece.kind == "A", board.provinces[piece.place].name

    return [piece.id for piece in sorted(pieces, key=rank)]


def distances(board: Board, homes: Iterable[str]) -> dict[str, int]:
    """Steps of anybody, by land or by sea, from the nearest of some places."""
    near: dict[str, set[str]] = {}
    for border in board.borders:
        near.setdefault(border.a[:3], set()).add(border.b[:3])
        near.setdefault(border.b[:3], set()).add(border.a[:3])
    far = dict.fromkeys(homes, 0)
    edge = list(far)
    while edge:
        here = edge.pop(0)
        for there in near[here] - set(far):
            far[there] = far[here] + 1
            edge.append(there)
    return far


# ---- Zmolek's European Variant

EXTRA_HOMES = {
    "AUSTRIA": "PRA",
    "FRANCE": "LYO",
    "GERMANY": "FRK",
    "GREAT BRITAIN": "BFS",
    "ITALY": "MIL",
    "OTTOMAN EMPIRE": "IRQ",
    "RUSSIA": "MIN",
    "SPAIN": "TAN",
}
"""Prague, Lyon, Frankfurt, Belfast, Milan, Iraq, Minsk, Tangier."""


def homes_of_european(board: Board, power: str) -> list[str]:
    """ "Each power will have one additional SC which must first be occupied like any vacant SC, after which it can be
    used to build on."
    """
    return [*board.powers[power].homes, EXTRA_HOMES[power]]


MAJORITY_OF_EUROPEAN = 28
"""Out of 54: "One player gains control of a majority of supply centres"."""

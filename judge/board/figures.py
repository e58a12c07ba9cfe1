"""What can be counted on a board: totals, touching spaces, coastal pairs, passages, reach.

`judge.board.lint` compares these figures with what the author expects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from judge.board.kinds import Terrain
from judge.board.model import Board, Border, Location, Power, province_of
from judge.board.phase import FALL
from judge.board.planar import Graph, graph_of

Pair = tuple[str, str]


class OpeningReach(NamedTuple):
    """Centres that a power's start units can come to in the first two moves, each unit alone on the board."""

    free: tuple[str, ...]
    """Of those, the centres that nobody owns at the start."""
    foreign: tuple[str, ...]
    """Those that another power owns."""

    def __str__(self) -> str:
        """As such tables are printed: free, a stroke, free or foreign ("4/8")."""
        return f"{len(self.free)}/{len(self.free) + len(self.foreign)}"


def totals(board: Board) -> dict[str, int]:
    """The plain counts, under the names that expect.toml uses."""
    terrains = [province.terrain for province in board.provinces.values()]
    ways = {kind: sum(kind in border.kinds for border in board.borders) for kind in board.kinds}
    passing = fleet_pairs(board)
    return {
        "spaces": len(board.provinces),
        "seas": terrains.count(Terrain.SEA),
        "coastal": terrains.count(Terrain.COAST),
        "inland": terrains.count(Terrain.INLAND),
        "centres": len(board.centres),
        "homes": len(board.home_of),
        "neutral": len(neutral_centres(board)),
        "army_borders": ways.get("A", 0),
        "fleet_borders": ways.get("F", 0),
        "unit_borders": 2 * sum(ways.values()),
        "touching": len(touching(board)),
        "fleet_pairs": sum(1 for pair in coastal_pairs(board) if pair in passing),
        "army_only": sum(1 for pair in coastal_pairs(board) if pair not in passing),
        "faces": len(touching(board)) - len(board.provinces) + 2,
    }


def neutral_centres(board: Board) -> tuple[str, ...]:
    """Centres that are nobody's home."""
    return tuple(centre for centre in board.centres if centre not in board.home_of)


def touching(board: Board) -> tuple[Pair, ...]:
    """Pairs of spaces with a border for any unit, coasts not told apart; smaller code first, sorted."""
    pairs = {_pair(border) for border in board.borders}
    return tuple(sorted(pairs))


@lru_cache(maxsize=8)
def neighbours(board: Board) -> Mapping[str, frozenset[str]]:
    """Space -> those that it touches, for any unit; boards are known by identity."""
    found: dict[str, set[str]] = {code: set() for code in board.provinces}
    for border in board.borders:
        a, b = province_of(border.a), province_of(border.b)
        found[a].add(b)
        found[b].add(a)
    return {code: frozenset(near) for code, near in found.items()}


def coastal_pairs(board: Board) -> tuple[Pair, ...]:
    """Touching pairs of coastal provinces."""
    coastal = {code for code, province in board.provinces.items() if province.terrain is Terrain.COAST}
    return tuple(pair for pair in touching(board) if coastal.issuperset(pair))


def fleet_pairs(board: Board) -> frozenset[Pair]:
    """Pairs of spaces between which fleets pass, on whatever coast."""
    return frozenset(_pair(border) for border in board.borders if border.kinds & board.carriers)


def seas_at(board: Board, location: Location) -> frozenset[str]:
    """The seas that a coast touches; for a province code, those of all its coasts."""
    province = board.provinces[province_of(location)]
    places = (location,) if "/" in location else province.locations()
    return frozenset(
        other
        for place in places
        for other in board.reach("F", place)
        if board.provinces[province_of(other)].terrain is Terrain.SEA
    )


def joined(board: Board, seas: frozenset[str]) -> bool:
    """Whether a fleet could sail from any of these seas to any other within them."""
    if not seas:
        return True
    reached, todo = set[str](), [min(seas)]
    while todo:
        sea = todo.pop()
        reached.add(sea)
        todo += [other for other in board.reach("F", sea) if other in seas and other not in reached]
    return reached == seas


def passages(board: Board) -> tuple[str, ...]:
    """One-coast provinces that let fleets through: the seas they touch are not joined (Kiel, Constantinople)."""
    return tuple(
        code
        for code, province in board.provinces.items()
        if province.terrain is Terrain.COAST and not province.coasts and not joined(board, seas_at(board, code))
    )


def drawing_graph(board: Board) -> Graph:
    """The touching spaces without those that have only two neighbours, which touch each other.

    Such a space can lie on either side of the border between the two, so it says nothing about the drawing.
    """
    graph = graph_of(touching(board))
    loose = {place for place, others in graph.items() if len(others) == 2 and min(others) in graph[max(others)]}
    return {place: others - loose for place, others in graph.items() if place not in loose}


def reach_table(board: Board) -> Mapping[str, OpeningReach]:
    """Every power's reach in the first two moves of the game, seasonal closures and units that are `laid_up` heeded."""
    return {power.key: _reach(board, power) for power in board.powers.values()}


def _reach(board: Board, power: Power) -> OpeningReach:
    found: set[str] = set()
    for unit in set(power.start).difference(power.laid_up):
        kind, _, place = unit.partition(" ")
        first = board.reach(kind, place, board.first_phase.season)
        second = {there for here in (place, *first) for there in _onward(board, kind, place, here)}
        found |= {province_of(here) for here in (place, *first, *second)}
    centres = [centre for centre in board.centres if centre in found]
    free = tuple(centre for centre in centres if centre not in board.home_of)
    return OpeningReach(free, tuple(c for c in centres if board.home_of.get(c, power.key) != power.key))


def _onward(board: Board, kind: str, start: Location, here: Location) -> Iterator[Location]:
    """Where a unit can go in Fall that came here in Spring, or stayed."""
    for there in board.reach(kind, here, FALL.code):
        if (start, here, there) not in board.ridges:
            yield there


def _pair(border: Border) -> Pair:
    a, b = sorted((province_of(border.a), province_of(border.b)))
    return a, b


def pairs_across(face: tuple[str, ...], graph: Graph) -> list[Pair]:
    """Pairs around a face that do not touch: where a border may be missing."""
    return [pair for pair in combinations(sorted(face), 2) if pair[1] not in graph[pair[0]]]

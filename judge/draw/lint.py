"""Does a board's picture say what its rules say? Borders, coasts, room for units: each fault is a sentence.

The picture is looked at as it is stored, before corners are rounded. It may come from our own recipe or from an artist;
nothing here cares.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, pairwise, product
from math import hypot

from judge.board.figures import coastal_pairs, fleet_pairs, seas_at, touching
from judge.board.lint import Figure, LintReport
from judge.board.model import Board, Terrain
from judge.draw.letters import Type
from judge.draw.measures import DOT, UNIT, Box, label_size, label_type, overlap
from judge.draw.parts import READ, can_be_read, crowded
from judge.draw.topology import EDGE, Anchors, Point, Topology, contains

LEAST = 4.0
"""Page units (of 1000) that two spaces must share to be neighbours in the picture; what is shorter is a touch."""
_WEAK = 3 * LEAST

Pair = tuple[str, str]


def lint_picture(board: Board, topology: Topology) -> LintReport:
    """Every check of a picture against its board."""
    drawn = shared_lengths(board, topology)
    links = {_pair(a, b) for a, b, *_ in topology.links}
    found = {pair for pair, length in drawn.items() if length >= LEAST} | links
    rules = set(touching(board))
    problems = [
        *_check_zones(board, topology),
        *(
            f"{a} and {b} are neighbours, but the picture does not show it{_by(drawn, (a, b))}"
            for a, b in sorted(rules - found)
        ),
        *(
            f"{a} and {b} are no neighbours, but the picture shows {drawn[a, b]:.0f} of border"
            for a, b in sorted(found - rules)
        ),
        *_check_coasts(board, topology, links),
        *_check_split_coasts(board, topology),
        *_check_spots(board, topology),
        *_check_seam(topology),
        *_check_reading(board, topology),
    ]
    weak = sorted((drawn[pair], pair) for pair in found & set(drawn) if drawn[pair] < _WEAK)
    figures = (
        Figure("drawn borders", str(len(found & rules)), str(len(rules))),
        Figure("drawn and no border", str(len(found - rules)), "0"),
        Figure(
            "short borders", " ".join(f"{a}-{b}={length:.1f}" for length, (a, b) in weak), "", "of a page 1000 wide"
        ),
    )
    return LintReport(board.key, figures, tuple(problems))


def shared_lengths(board: Board, topology: Topology) -> Mapping[Pair, float]:
    """Two spaces of the board -> how much border the picture gives them in common."""
    lengths: dict[Pair, float] = defaultdict(float)
    for arc in topology.arcs:
        if arc.a in board.provinces and arc.b in board.provinces:
            lengths[_pair(arc.a, arc.b)] += _length(arc.points)
    return lengths


def _pair(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)


def _by(drawn: Mapping[Pair, float], pair: Pair) -> str:
    return f" ({drawn[pair]:.1f} is too short)" if pair in drawn else ""


def _length(points: Iterable[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))


# -- spaces --------------------------------------------------------------------------------------------------------


def _check_zones(board: Board, topology: Topology) -> Iterator[str]:
    for code, province in board.provinces.items():
        zone = topology.zones.get(code)
        if zone is None or not zone.rings:
            yield f"{code} is not in the picture"
        elif zone.kind != str(province.terrain):
            yield f"{code} is {province.terrain} by the rules and {zone.kind} in the picture"
    for code, zone in topology.zones.items():
        if code not in board.provinces and zone.kind not in ("land", "water"):
            yield f"{code} is in the picture and no space of the board"
        if any(ring[0] != ring[-1] for ring in topology.outlines[code]):
            yield f"an outline of {code} is not closed"


# -- the edge that is a line in the middle of the board ------------------------------------------------------------


def _check_seam(topology: Topology) -> Iterator[str]:
    """Where the west and the east edge are one line, the same space lies at both."""
    if not topology.seam:
        return
    west, east = _at_edge(topology, 0.0), _at_edge(topology, topology.width)
    apart: dict[Pair, float] = defaultdict(float)
    for (top, bottom, one), (high, low, other) in product(west, east):
        if one != other:
            apart[one, other] += max(0.0, min(bottom, low) - max(top, high))
    for (one, other), length in apart.items():
        if length >= LEAST:
            yield f"{one} at the west edge meets {other} at the east edge, for {length:.0f}"


def _at_edge(topology: Topology, x: float) -> list[tuple[float, float, str]]:
    """Top, bottom and space of each piece of the page's edge at `x`."""
    return [
        (min(ay, by), max(ay, by), arc.a)
        for arc in topology.arcs
        if arc.b == EDGE
        for (ax, ay), (bx, by) in pairwise(arc.points)
        if abs(ax - x) < 0.1 and abs(bx - x) < 0.1
    ]


# -- coasts --------------------------------------------------------------------------------------------------------


def _check_coasts(board: Board, topology: Topology, links: set[Pair]) -> Iterator[str]:
    """Two coastal neighbours let fleets pass exactly if their border ends at a sea that both touch."""
    ends = _ends(topology)
    passing = fleet_pairs(board)
    for a, b in coastal_pairs(board):
        if (a, b) in links:
            continue
        at_sea = {
            sea
            for point in ends[a, b]
            for sea, province in board.provinces.items()
            if province.terrain is Terrain.SEA and point in ends[_pair(a, sea)] and point in ends[_pair(b, sea)]
        }
        if at_sea and (a, b) not in passing:
            yield f"the border of {a} and {b} ends at {' '.join(sorted(at_sea))}, but no fleet passes there"
        elif not at_sea and (a, b) in passing:
            yield f"fleets pass between {a} and {b}, but their border does not end at a sea of both"


def _ends(topology: Topology) -> Mapping[Pair, set[Point]]:
    """Two spaces -> where their common borders end."""
    ends: dict[Pair, set[Point]] = defaultdict(set)
    for arc in topology.arcs:
        if arc.b != EDGE:
            ends[_pair(arc.a, arc.b)] |= {arc.points[0], arc.points[-1]}
    return ends


def _check_split_coasts(board: Board, topology: Topology) -> Iterator[str]:
    """The seas of each coast are those along one stretch of shore between two land borders."""
    for code, province in board.provinces.items():
        if not province.coasts or code not in topology.zones:
            continue
        stretches = list(shores(board, topology, code))
        for place in province.locations():
            if seas_at(board, place) not in stretches:
                shown = ", ".join(" ".join(sorted(seas)) for seas in stretches)
                yield f"{place} touches {' '.join(sorted(seas_at(board, place)))}, but the shores are: {shown}"


def shores(board: Board, topology: Topology, code: str) -> Iterator[frozenset[str]]:
    """The seas along each stretch of a space's shore, from land border to land border."""
    for ring in topology.zones[code].rings:
        beside = [topology.arcs[n if n >= 0 else ~n] for n in ring]
        others = [arc.b if arc.a == code else arc.a for arc in beside]
        first = next((n for n, other in enumerate(others) if other == EDGE or not topology.wet(other)), 0)
        seas: set[str] = set()
        for other in (*others[first:], *others[:first], EDGE):
            if other != EDGE and topology.wet(other):
                seas |= {other} & set(board.provinces)
            elif seas:
                yield frozenset(seas)
                seas = set()


# -- names, units, centres -----------------------------------------------------------------------------------------


def _check_spots(board: Board, topology: Topology) -> Iterator[str]:
    for naming, spots in topology.spots.items():
        for code, province in board.provinces.items():
            if code not in topology.zones:
                continue
            if code not in spots or spots[code].unit is None:
                yield f"{code} has no place for a unit ({naming})"
            elif province.centre and spots[code].dot is None:
                yield f"{code} has no place for its centre ({naming})"
            else:
                yield from _check_spot(topology, naming, code, spots[code])
        for place in (place for place in board.locations() if "/" in place):
            if place not in topology.coasts[naming]:
                yield f"{place} has no place for a fleet ({naming})"
            elif not _near(topology, place.partition("/")[0], topology.coasts[naming][place][0]):
                yield f"a fleet in {place} would stand elsewhere ({naming})"
        yield from _check_overlaps(topology, naming)


def _check_spot(topology: Topology, naming: str, code: str, spot: Anchors) -> Iterator[str]:
    outline = topology.outlines[code]
    for what, point in (("a unit", spot.unit), ("the centre", spot.dot)):
        if point and not contains(outline, point):
            yield f"{what} of {code} would stand outside of it ({naming})"
    label = spot.label
    if not any(
        contains(topology.outlines[other], label) for other in topology.zones if other == code or topology.wet(other)
    ):
        yield f"the name of {code} stands on other land ({naming})"


def _near(topology: Topology, code: str, point: Point) -> bool:
    """Inside a space, or on water at its shore."""
    if contains(topology.outlines.get(code, ()), point):
        return True
    return any(topology.wet(other) and contains(topology.outlines[other], point) for other in topology.zones)


def _check_overlaps(topology: Topology, naming: str) -> Iterator[str]:
    rooms = []
    for code, spot in topology.spots[naming].items():
        type_ = label_type(naming, sea=topology.wet(code))
        rooms += [(code, what, box) for what, box in rooms_of(spot, type_)]
    for (a, one, box), (b, other, next_box) in combinations(rooms, 2):
        if overlap(box, next_box) > 0.2:
            yield f"{one} of {a} and {other} of {b} lie on each other ({naming})"


def _check_reading(board: Board, topology: Topology) -> Iterator[str]:
    """A board whose names are too small on a telephone says which of its parts are crowded, and no other does."""
    parts = crowded(board)
    if bool(parts) == can_be_read(topology):
        yield (
            "the facts of the board list crowded parts, but all of it can be read on a telephone"
            if parts
            else f"a telephone shows names of less than {READ:g} pixels: list the crowded parts in [facts.board], as "
            'crowded = ["Europe: POR MOS CON"]'
        )
    for code in chain(*parts):
        if code not in board.provinces:
            yield f"crowded parts: there is no {code}"


def rooms_of(spot: Anchors, type_: Type) -> Iterator[tuple[str, Box]]:
    """What a spot fills, each by its name."""
    yield "the name", (*spot.label, *label_size(spot.lines, type_))
    if spot.unit:
        yield "a unit", (*spot.unit, *UNIT)
    if spot.dot:
        yield "the centre", (*spot.dot, DOT, DOT)

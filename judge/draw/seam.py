"""Lines on a page whose west and east edge are one line: they take the shorter way, and are drawn at both edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judge.draw.topology import Point, Topology


def nearer(topology: Topology, start: Point, end: Point) -> Point:
    """`end`, or where it lies once the page is gone round, whichever is nearer to `start`."""
    if not topology.seam:
        return end
    way = end[0] - start[0]
    return end[0] - topology.width * round(way / topology.width), end[1]


def stops(topology: Topology, points: Sequence[Point]) -> list[Point]:
    """Stops of a journey, each the image that is nearer to the stop before."""
    gone = [points[0]]
    for point in points[1:]:
        gone.append(nearer(topology, gone[-1], point))
    return gone


def onto(topology: Topology, point: Point) -> Point:
    """Where a point is seen on the page."""
    return (point[0] % topology.width, point[1]) if topology.seam else point


def at_both_edges(topology: Topology, drawn: str, points: Iterable[Point]) -> str:
    """What is drawn along these points; twice, cut at the frame, if they leave the page over the seam."""
    over = {int(x // topology.width) for x, _ in points} - {0} if topology.seam else ()
    if not over:
        return drawn
    again = "".join(f'<g transform="translate({-page * topology.width:g} 0)">{drawn}</g>' for page in sorted(over))
    return f'<g clip-path="url(#map)">{drawn}{again}</g>'

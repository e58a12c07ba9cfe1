"""Who may pass where by a `.map` file: the case in which a neighbour is written says which units.

    RUM  army and fleet      rum  armies only      Rum  fleets only      BUL/EC  fleets to that coast, armies to BUL

Borders hold both ways here; one that a file knows only from one side is named and left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.board.dotmap.read import MapFile

_ARMIES = frozenset({"LAND", "COAST", "PORT"})
_FLEETS = frozenset({"WATER", "COAST", "PORT"})

Way = tuple[str, str]


def army_ways(found: MapFile) -> set[Way]:
    """(from, to) of every step of an army, both provinces."""
    return {
        (place, to)
        for place, terrain in found.terrain.items()
        if terrain in _ARMIES and "/" not in place
        for near in found.abuts.get(place, ())
        if found.terrain.get(to := near.upper().partition("/")[0]) in _ARMIES and near != near.title()
    }


def fleet_ways(found: MapFile) -> set[Way]:
    """(from, to) of every step of a fleet; coasts are named where there are two."""
    return {
        (place, to)
        for place, terrain in found.terrain.items()
        if terrain in _FLEETS and not coasts_of(found, place)
        for near in found.abuts.get(place, ())
        if near[0].isupper() and found.terrain.get(near.upper()) in _FLEETS
        for to in _landings(found, place, near.upper())
    }


def coasts_of(found: MapFile, place: str) -> list[str]:
    """The coasts of a province as codes, "BUL/EC"; none where there is but one coast, or for a coast."""
    return [] if "/" in place else sorted(code for code in found.terrain if code.startswith(f"{place}/"))


def _landings(found: MapFile, place: str, to: str) -> Iterator[str]:
    """Where a fleet arrives: where no coast is written, at those from which it could come back."""
    coasts = coasts_of(found, to)
    if not coasts:
        yield to
    for coast in coasts:
        if place in (near.upper() for near in found.abuts.get(coast, ()) if near[0].isupper()):
            yield coast


def both_ways(ways: set[Way]) -> tuple[set[Way], list[Way]]:
    """(borders, the smaller name first; steps that lead there and not back)."""
    borders = {(a, b) for a, b in ways if a < b and (b, a) in ways}
    return borders, sorted((a, b) for a, b in ways if (b, a) not in ways)

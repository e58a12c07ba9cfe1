"""What does not change from turn to turn: sea and land, coasts and borders, names. One drawing of it serves all
pictures of a board in one theme.
"""

from __future__ import annotations

from collections.abc import Collection

from judge.draw.faces import Theme
from judge.draw.ink import dead_ground
from judge.draw.letters import safe
from judge.draw.measures import LEADING, label_type
from judge.draw.paths import arc_path, at, number, polyline, zone_path
from judge.draw.topology import EDGE, Topology

_DEAD = "nobodys"


def ground(topology: Topology, theme: Theme) -> str:
    """Sea, borders at sea, land that nobody can enter. Flat colours alone: what fades costs a mail kilobytes."""
    zones = topology.zones
    shallow = "".join(zone_path(topology, code) for code, zone in zones.items() if zone.kind == "water")
    dead = "".join(zone_path(topology, code) for code, zone in zones.items() if zone.kind == "land")
    cuts = "".join(
        arc_path(topology, arc)
        for arc in topology.arcs
        if arc.b != EDGE and topology.wet(arc.a) and topology.wet(arc.b)
    )
    return (
        f"<defs>{dead_ground(_DEAD, theme)}</defs>"
        f'<rect width="{number(topology.width)}" height="{number(topology.height)}" fill="{theme.sea}"/>'
        f'<path d="{shallow}" fill="{theme.shallow}"/>'
        f'<path d="{cuts}" fill="none" stroke="{theme.sea_border}" stroke-width="1" stroke-dasharray="5 3"/>'
        f'<path d="{dead}" fill="url(#{_DEAD})" fill-rule="evenodd"/>'
        f"{_tiles(topology, theme) if topology.schematic else ''}"
    )


def _links(topology: Topology) -> str:
    return "".join(f"M{at(a)}L{at(b)}" for _, _, a, b in topology.links)


def _tiles(topology: Topology, theme: Theme) -> str:
    """The borders of a schematic picture, and the tiles of its seas on them."""
    seas = "".join(zone_path(topology, code) for code, zone in topology.zones.items() if zone.kind == "sea")
    return (
        f'<path d="{_links(topology)}" stroke="{theme.sea_border}" stroke-width="1.4"/>'
        f'<path d="{seas}" fill="{theme.shallow}" stroke="{theme.sea_border}"/>'
    )


def land(topology: Topology, theme: Theme, washed: Collection[str] = ()) -> str:
    """The land that units can enter, in the colour of land without an owner; what will be washed is left out."""
    codes = [code for code, zone in topology.zones.items() if zone.kind in ("coast", "inland") and code not in washed]
    path = "".join(zone_path(topology, code) for code in codes)
    return f'<path d="{path}" fill="{theme.land}" fill-rule="evenodd"/>'


def lines(topology: Topology, theme: Theme, *, rivers: bool = True) -> str:
    """What lies on the washes: rivers, lakes, borders, coasts, links."""
    streams = "".join(polyline(line) for line in topology.rivers if rivers)
    lakes = "".join(polyline(line, closed=True) for line in topology.lakes)
    borders = "".join(
        arc_path(topology, arc)
        for arc in topology.arcs
        if arc.b != EDGE and not topology.wet(arc.a) and not topology.wet(arc.b)
    )
    links = "" if topology.schematic else _links(topology)
    return (
        f'<path d="{streams}" fill="none" stroke="{theme.river}" stroke-width=".9" stroke-linecap="round"/>'
        f'<path d="{lakes}" fill="{theme.lake}" stroke="{theme.coast}" stroke-width=".5"/>'
        f'<path d="{borders}" fill="none" stroke="{theme.border}" stroke-width=".9" stroke-linejoin="round"/>'
        f'<use href="#coast" stroke="{theme.coast}" stroke-width=".9"/>'
        f'<path d="{links}" stroke="{theme.ink}" stroke-width="2.6" stroke-dasharray="1.5 1.5"/>'
    )


def coast(topology: Topology) -> str:
    """The definition of all coasts as one line, which the other layers use."""
    if "coast" not in topology.memo:
        path = "".join(
            arc_path(topology, arc)
            for arc in topology.arcs
            if arc.b != EDGE and topology.wet(arc.a) != topology.wet(arc.b)
        )
        topology.memo["coast"] = f'<path id="coast" d="{path}" fill="none" stroke-linejoin="round"/>'
    definition: str = topology.memo["coast"]
    return definition


def labels(topology: Topology, theme: Theme, naming: str) -> str:
    """The names of the spaces, each with a rim in the colour of the ground so that it stands out from lines."""
    texts = []
    for code, spot in topology.spots[naming].items():
        wet = topology.wet(code)
        plain = topology.nobodys(code)
        type_ = label_type("names" if plain else naming, sea=wet)
        rim = theme.sea if wet else theme.halo
        ink = theme.sea_ink if wet else theme.faint if plain else theme.name_ink
        for n, line in enumerate(spot.lines):
            x, middle = spot.label
            y = middle + type_.size * (0.31 + LEADING * (n - (len(spot.lines) - 1) / 2))
            texts.append(
                f'<text x="{number(x)}" y="{number(y)}" {type_.attributes()} fill="{ink}" stroke="{rim}" '
                f'stroke-opacity="{".95" if wet else ".8"}" stroke-width="2.6">{safe(line)}</text>'
            )
    return f'<g text-anchor="middle" paint-order="stroke" stroke-linejoin="round">{"".join(texts)}</g>'

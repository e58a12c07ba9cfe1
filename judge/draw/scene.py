"""What is on the page besides the board: units at their places, the paints of their powers, whose land is whose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from judge.board.extras import NO_EXTRAS, Area, Badge, Extras, Line
from judge.board.model import Board, Terrain, province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.draw import glyphs
from judge.draw.faces import LIGHT, PRINT, THEMES, Theme
from judge.draw.ink import Paint, nobodys_paint, paints, stripes
from judge.draw.measures import label_size, label_type
from judge.draw.paths import arc_path, zone_path
from judge.draw.places import standing_at, unit_places
from judge.draw.routes import Obstacles
from judge.draw.topology import EDGE, Point, Topology

_CORNERS = ((12.0, -11.0), (-12.0, -11.0), (12.0, 9.0), (-12.0, 9.0))
"""Where the badges of a unit go: its letter, in the middle, stays to be read."""
_LADEN = ((17.0, -11.0), (-15.0, 9.0), (15.0, 9.0), (-17.0, -11.0))
"""The same of a unit that carries another one, which stands above the middle."""


_BADGE = 19.0
"""From the middle of a badge to that of the next one."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is made: in colour or black and white, spaces named by code ("codes") or by name ("names"). `face`:
    "light" or "dark", of one in colour.
    """

    printed: bool = False
    naming: str = "codes"
    face: str = LIGHT

    @property
    def theme(self) -> Theme:
        """The colours."""
        return PRINT if self.printed else THEMES[self.face]


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """One picture's ground and manner. `places`: unit's id -> where its token stands, and how large."""

    topology: Topology
    board: Board
    look: Look
    extras: Extras
    paints: Mapping[str, Paint]
    places: Mapping[int, tuple[Point, float]]
    letters: Mapping[str, str]
    """Power -> what stands on its units; no two powers have the same."""
    laden: frozenset[int] = frozenset()
    """The ids of those who carry others."""

    @property
    def theme(self) -> Theme:
        """The colours of what belongs to no power."""
        return self.look.theme

    def ink(self, power: str) -> str:
        """The colour of a power's lines."""
        return self.theme.ink if self.theme.printed else self.paints[power].dark

    def letter(self, power: str) -> str:
        """The letter on a power's units."""
        return self.letters[power]

    def at(self, place: str, *, driven_out: bool = False) -> Point:
        """Where a unit stands in a place."""
        if driven_out:
            return self.topology.unit_at(self.look.naming, place, driven_out=True)
        return standing_at(self.topology, self.look.naming, place)

    def token(self, unit: Unit, over: str = "") -> glyphs.Stamp:
        """A unit with its badges; who is carried is too small for any. `over`: signs on it."""
        point, scale = self.places[unit.id]
        inside = self.bare_token(unit) + over
        badges = () if unit.aboard else self.extras.units.get(unit.id, ())
        corners = _LADEN if unit.id in self.laden else _CORNERS
        free = corners[1:] if over else corners  # signs of orders stand in the first
        for badge, corner in zip(badges, free, strict=False):
            grown = min(1.5, 1 / scale)  # badges are read, however small the unit is
            raised = corner[0], corner[1] * (1 + (grown - 1) / 2)
            inside += glyphs.placed(raised, self.badge(badge), grown)
        return glyphs.Stamp(point, inside, scale, f' data-unit="{unit.id}"')

    def bare_token(self, unit: Unit) -> str:
        """A unit about 0 0."""
        outline = self.extras.outlines.get(unit.kind, "")
        return glyphs.token(unit.kind, self.paints[unit.power], self.letter(unit.power), self.theme, outline)

    def badge(self, badge: Badge) -> str:
        """A badge about 0 0."""
        return glyphs.badge(badge.text, self.paints.get(badge.power), self.theme)


def make_scene(
    topology: Topology, position: Position, look: Look, extras: Extras = NO_EXTRAS, built: Iterable[Unit] = ()
) -> Canvas:
    """A scene with the units of a position, those that were driven out, and those that are built."""
    places = unit_places(topology, look.naming, position, built, extras.perched)
    board = position.board
    face = LIGHT if look.printed else look.face
    found = _paints(topology, board, face)
    if extras.paints:
        given = {power: found.get(other, nobodys_paint(face)) for power, other in extras.paints.items()}
        found = {**found, **given}
    laden = frozenset(unit.aboard for unit in (*position.units, *(lost.unit for lost in position.dislodged)))
    return Canvas(topology, board, look, extras, found, places, _letters(topology, board), laden)


def _paints(topology: Topology, board: Board, face: str) -> Mapping[str, Paint]:
    key = ("paints", board, face)
    if key not in topology.memo:
        topology.memo[key] = paints(board, face)
    found: Mapping[str, Paint] = topology.memo[key]
    return found


def _letters(topology: Topology, board: Board) -> Mapping[str, str]:
    key = ("letters", board)
    if key not in topology.memo:
        topology.memo[key] = distinct_letters(board)
    found: Mapping[str, str] = topology.memo[key]
    return found


def distinct_letters(board: Board) -> Mapping[str, str]:
    """Each power's letter; where several have the same, initials or as much of the names as tells them apart."""
    often = Counter(power.letter for power in board.powers.values())
    used = {letter for letter, times in often.items() if times == 1}
    letters = {}
    for n, (key, power) in enumerate(board.powers.items()):
        words = power.name.replace("-", " ").split()
        tries = ["".join(word[0] for word in words)] if len(words) > 1 else []
        tries += [power.name[:2], power.name[:1] + power.name[-1:], power.name[:3], str(n + 1)]
        if often[power.letter] > 1:
            letters[key] = next((each for each in tries if each not in used), f"#{n + 1}")
            used.add(letters[key])
        else:
            letters[key] = power.letter
    return letters


# -- land ----------------------------------------------------------------------------------------------------------


def land_owners(position: Position, extras: Extras) -> Mapping[str, str]:
    """Province -> in whose colour it is washed. A centre: its owner's. Other land: the colour of whoever stands there,
    else of the power inside whose frontier it lies, while that power has a centre.
    """
    alive = set(position.owners.values())
    standing = {province_of(unit.at): unit.power for unit in position.units}
    owners = {}
    for code, province in position.board.provinces.items():
        if province.terrain is Terrain.SEA:
            continue
        if province.centre:
            owner = position.owners.get(code)
        else:
            owner = standing.get(code) or (province.territory if province.territory in alive else None)
        if owner := extras.owners.get(code, owner or ""):
            owners[code] = owner
    return owners


def washes(scene: Canvas, owners: Mapping[str, str]) -> str:
    """The land of each power in its colour, or its hatching."""
    theme = scene.theme
    by_paint: dict[Paint, list[str]] = {}
    for code, power in owners.items():
        if code in scene.topology.zones and not scene.topology.wet(code):
            by_paint.setdefault(scene.paints[power], []).append(code)
    drawn = []
    for paint, codes in by_paint.items():
        fill = f"url(#hatch{paint.hatch})" if theme.printed else paint.wash
        path = "".join(zone_path(scene.topology, code) for code in codes)
        drawn.append(f'<path d="{path}" fill="{fill}" fill-rule="evenodd"/>')
    return "".join(drawn)


def frontiers(scene: Canvas, owners: Mapping[str, str]) -> Mapping[str, tuple[int, ...]]:
    """Where the land of two powers meets, and where two regions do: width -> arcs by number."""
    topology, regions = scene.topology, scene.extras.regions
    powers, parts = [], []
    for number, arc in enumerate(topology.arcs):
        if arc.b == EDGE or topology.wet(arc.a) or topology.wet(arc.b):
            continue
        if arc.a in regions and arc.b in regions and regions[arc.a] != regions[arc.b]:
            parts.append(number)
        elif owners.get(arc.a) != owners.get(arc.b):
            powers.append(number)
    return {"1.9": tuple(powers), "3.4": tuple(parts)}


def broad_lines(topology: Topology, theme: Theme, numbers: Mapping[str, tuple[int, ...]]) -> str:
    """Frontiers as SVG."""
    return "".join(
        f'<path d="{"".join(arc_path(topology, topology.arcs[number]) for number in arcs)}" fill="none" '
        f'stroke="{theme.frontier}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"/>'
        for width, arcs in numbers.items()
        if arcs
    )


def occupied(scene: Canvas, position: Position) -> Mapping[str, str]:
    """Centres in which somebody stands who does not own them -> who stands there."""
    return {
        code: unit.power
        for unit in position.units
        if (code := province_of(unit.at)) in position.owners and position.owners[code] != unit.power
        if code in scene.topology.zones
    }


def striped(scene: Canvas, held: Mapping[str, str]) -> tuple[str, str]:
    """Occupied centres as SVG: the patterns, and stripes in the colour of whoever stands there."""
    spots: dict[Paint, list[str]] = {}
    for code, power in held.items():
        spots.setdefault(scene.paints[power], []).append(code)
    patterns, drawn = "", ""
    for paint, codes in spots.items():
        name = f"held{paint.hatch}"
        patterns += stripes(name, "#9a9a9a" if scene.theme.printed else paint.wash)
        path = "".join(zone_path(scene.topology, code) for code in codes)
        drawn += f'<path d="{path}" fill="url(#{name})" fill-rule="evenodd"/>'
    return patterns, drawn


def rims(scene: Canvas) -> Mapping[str, str]:
    """Region -> the outline of its centres; "" is a circle. The last by name has the circle."""
    regions = sorted(set(scene.extras.regions.values()))
    outlines = (*glyphs.RIMS, "")
    return {region: outlines[(n - len(regions)) % len(outlines)] for n, region in enumerate(regions)}


def dots(scene: Canvas, position: Position) -> tuple[glyphs.Stamp, ...]:
    """All centres' dots; in each region they have an outline of their own."""
    drawn = []
    outlines, regions = rims(scene), scene.extras.regions
    spots = scene.topology.spots[scene.look.naming]
    for code in position.board.centres:
        spot = spots.get(code)
        if spot is None or spot.dot is None:
            continue
        owner = position.owners.get(code)
        paint = scene.paints[owner] if owner else None
        rim = outlines.get(regions.get(code, ""), "")
        sign = glyphs.centre_dot(paint, scene.letter(owner) if owner else "", scene.theme, rim)
        drawn.append(glyphs.Stamp(spot.dot, sign))
    return tuple(drawn)


def additions(scene: Canvas, *, standing: bool) -> str:
    """Lines that a rule system adds. `standing`: those of a picture without orders too."""
    extras = scene.extras
    drawn = [_line(scene, line) for line in (*extras.lines, *(extras.standing if standing else ()))]
    return "".join([_around(scene, area) for area in extras.areas if standing] + drawn)


def space_badges(scene: Canvas, taken: Obstacles) -> Iterator[glyphs.Stamp]:
    """Badges of spaces, on the side of the name on which they hide least. `taken`: what is drawn already."""
    naming = scene.look.naming
    for code, badges in scene.extras.spaces.items():
        spot = scene.topology.spots[naming][code]
        wide, high = label_size(spot.lines, label_type(naming, sea=scene.topology.wet(code)))
        (x, y), far, count = spot.label, wide / 2 + 10, len(badges)
        rows = [
            [(x + side * (far + _BADGE * n), y) for n in range(count)] for side in (1, -1)
        ] + [
            [(x + _BADGE * (n - (count - 1) / 2), y + side * (high / 2 + 8)) for n in range(count)] for side in (1, -1)
        ]  # fmt: skip
        costs = [
            taken.cost(at for u, v in row for at in ((u - 4, v), (u + 4, v), (u, v - 4), (u, v + 4))) for row in rows
        ]
        best = min(range(4), key=lambda n: costs[n] + n)
        for badge, point in zip(badges, rows[best], strict=True):
            taken.put((*point, _BADGE - 5, 11.0), 6)
            yield glyphs.Stamp(point, scene.badge(badge))


def added_keys(scene: Canvas, *, standing: bool) -> Iterator[tuple[str, str]]:
    """What the signs mean that a rule system adds: a sign about 0 0, and its meaning."""
    seen = {line.look for line in (*scene.extras.lines, *(scene.extras.standing if standing else ()))}
    for sign, meaning in scene.extras.keys:
        if isinstance(sign, Badge):
            yield scene.badge(sign), meaning
        elif sign == "area" and standing and scene.extras.areas:
            yield f'<path d="M-18 0H18" {_dashed(scene.theme.ink)}/>', meaning
        elif sign in seen:
            yield _between(scene, (-18.0, 0.0), (18.0, 0.0), sign, ""), meaning


def _dashed(ink: str) -> str:
    return f'fill="none" stroke="{ink}" stroke-width="1.8" stroke-dasharray="7 4"'


def _around(scene: Canvas, area: Area) -> str:
    """A broken line around spaces."""
    topology, theme = scene.topology, scene.theme
    spaces = scene.board.provinces.keys()  # what nobody enters, islands among it, is no end of anything
    arcs = [a for a in topology.arcs if {a.a, a.b} <= spaces and (a.a in area.spaces) != (a.b in area.spaces)]
    path = "".join(arc_path(topology, arc) for arc in arcs)
    return (
        f'<path d="{path}" fill="none" stroke="{theme.halo}" stroke-width="3.6" stroke-opacity=".7"/>'
        f'<path d="{path}" {_dashed(scene.ink(area.power))}/>'
    )


def _line(scene: Canvas, line: Line) -> str:
    return _between(scene, scene.at(line.a), scene.at(line.b), line.look, line.power)


def _between(scene: Canvas, start: Point, end: Point, look: str, power: str) -> str:
    (ax, ay), (bx, by) = start, end
    path, ink = f"M{ax:g} {ay:g}L{bx:g} {by:g}", scene.ink(power) if power else scene.theme.faint
    if look == "rail":
        return f'<path d="{path}" stroke="{ink}" stroke-width="1.2"/>' + (
            f'<path d="{path}" stroke="{ink}" stroke-width="6" stroke-dasharray="1.2 4.8"/>'
        )
    if look == "broken":
        return (
            f'<path d="{path}" stroke="{ink}" stroke-width="1.6" stroke-dasharray="1 4" stroke-linecap="round"/>'
            + glyphs.placed(((ax + bx) / 2, (ay + by) / 2), glyphs.cross(scene.theme, 5))
        )
    if look == "double":
        return f'<path d="{path}" stroke="{ink}" stroke-width="4"/>' + (
            f'<path d="{path}" stroke="{scene.theme.halo}" stroke-width="2"/>'
        )
    return f'<path d="{path}" stroke="{ink}" stroke-width="1.6" stroke-dasharray="1 4" stroke-linecap="round"/>'

"""The two pictures of a phase: what was ordered and became of it, and where everything stands.

A picture is made in layers, of which three never change for a board: whoever makes many can prepare those once (see
`judge.raster`). Put together the layers are one SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.adjudicate.outcome import Outcome
from judge.board.extras import NO_EXTRAS, Extras
from judge.board.model import province_of
from judge.board.position import Position
from judge.board.unit import Dislodged, Unit
from judge.draw import glyphs
from judge.draw.faces import Theme
from judge.draw.frame import Caption, around, frame, page_sides
from judge.draw.glyphs import Stamp
from judge.draw.ground import coast, ground, labels, land, lines
from judge.draw.ink import Paint, hatching
from judge.draw.letters import safe
from judge.draw.measures import Box
from judge.draw.paths import at, number
from judge.draw.routes import Obstacles, Route, route
from judge.draw.scene import (
    Canvas,
    Look,
    added_keys,
    additions,
    broad_lines,
    dots,
    frontiers,
    land_owners,
    make_scene,
    occupied,
    rims,
    space_badges,
    striped,
    washes,
)
from judge.draw.seam import at_both_edges, nearer
from judge.draw.strokes import Draughtsman, Strokes
from judge.draw.topology import Topology, contains
from judge.orders.kinds import kinds_on
from judge.orders.model import Build, Support

CODES, NAMES = Look(naming="codes"), Look(naming="names")
"""The manners of the two pictures: three letters under many orders, full names where there is room."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One picture in layers, the lowest first: ground (fixed), land and washes, lines (fixed), dots, middle, labels
    (fixed), signs, what is outside of the map.

    `box`: the page's left, top, width and height; the map itself lies from 0 0 to the topology's width and height.
    """

    topology: Topology
    look: Look
    title: str
    box: tuple[float, float, float, float]
    patterns: str
    owners: Mapping[str, str]
    """Province -> in whose colour it is washed."""
    paints: Mapping[str, Paint]
    washes: str
    frontiers: Mapping[str, tuple[int, ...]]
    """Width -> numbers of the arcs that are drawn so broad."""
    held: Mapping[str, str]
    """Centre -> the power that stands in it without owning it: stripes in its colour."""
    stripes: str
    dots: tuple[Stamp, ...]
    """Centres, and what is around units: below all lines."""
    middle: str
    signs: tuple[Stamp, ...]
    """Units, and the crosses of what failed: above the names."""
    outside: str
    touched: tuple[tuple[frozenset[str], Box], ...] = ()
    """Whom the things on the map concern: powers, and where a unit stands or a line lies (`judge.draw.parts`)."""

    def pixels(self, usual: int) -> int:
        """Pixels across, where a page that is 1000 units wide has `usual`: more on a wider one, 1.6 times as many at
        most (the board of the whole world is read at 1440).
        """
        return round(usual * min(1.6, self.topology.width / 1000))

    def svg(self) -> str:
        """The whole as one SVG, which needs nothing else but fonts."""
        return document(self, self.map() + self.outside, paper=True)

    def map(self, *, cut: bool = True) -> str:
        """The map in its frame, with nothing around it. `cut`: whatever runs beyond the frame is cut off."""
        drawn, signs = self.below() + self.lines(), "".join(sign.svg() for sign in self.signs)
        framed = fixed_frame(self.topology, self.look.theme)
        return (clipped(self.topology, drawn) if cut else drawn) + framed + signs

    def below(self, *, rivers: bool = True) -> str:
        """What lies below lines and units: sea, land in the colours of its owners, borders."""
        topology, theme = self.topology, self.look.theme
        inner = (
            fixed_ground(topology, theme), land(topology, theme, self.owners), self.washes, self.stripes,
            fixed_lines(topology, theme, rivers=rivers), broad_lines(topology, theme, self.frontiers),
        )  # fmt: skip
        return "".join(inner)

    def lines(self) -> str:
        """What lies on it, but for units and signs."""
        labels = fixed_labels(self.topology, self.look.theme, self.look.naming)
        return "".join((*(dot.svg() for dot in self.dots), self.middle, labels))


def orders_picture(
    topology: Topology,
    before: Position,
    outcomes: Sequence[Outcome],
    caption: Caption,
    look: Look = CODES,
    extras: Extras = NO_EXTRAS,
) -> Picture:
    """What was ordered in a phase, and what became of it. `before`: where everything stood when it began."""
    built = [_built(n, o.order) for n, o in enumerate(outcomes) if isinstance(o.order, Build) and o.ok]
    scene = make_scene(topology, before, look, extras, built)
    strokes = Draughtsman(scene, before, outcomes).drawn()
    for unit in built:
        sign = glyphs.placed((10.5, -11.0), glyphs.plus(scene.theme))
        strokes.mark(unit, f'<g data-order="{safe(f"{unit.power} {unit} B")}">{sign}</g>')
    keys = [*_keys(scene, before.phase.kind), *_other_keys(scene, strokes.looks), *added_keys(scene, standing=False)]
    return _picture(scene, before, caption, strokes, keys, built)


def position_picture(
    topology: Topology,
    position: Position,
    caption: Caption,
    look: Look = NAMES,
    extras: Extras = NO_EXTRAS,
    contested: Sequence[str] = (),
    taken: Collection[str] = (),
) -> Picture:
    """Where everything stands. `contested`: provinces that a stand-off left vacant (`judge.draw.strokes.clashes`);
    `taken`: centres that have changed hands since the phase that was played last.
    """
    scene = make_scene(topology, position, look, extras)
    strokes = Strokes()
    for code in contested:
        strokes.below.append(glyphs.placed(scene.at(code), glyphs.clash(scene.theme)))
    _retreats_due(scene, position, strokes)
    keys = []
    spots = scene.topology.spots[scene.look.naming]
    if dots_taken := [dot for code in taken if code in spots and (dot := spots[code].dot) is not None]:
        strokes.rings += [Stamp(dot, glyphs.changed(scene.theme)) for dot in dots_taken]
        keys.append((glyphs.changed(scene.theme), "changed hands"))
    if contested:
        keys.append((glyphs.clash(scene.theme), "vacant after a stand-off"))
    if position.dislodged:
        keys.append((glyphs.placed((0.0, 0.0), glyphs.burst(scene.theme), 0.6), "must retreat"))
        tip = glyphs.arrowhead((19.0, 0.0), (1.0, 0.0), 12, scene.theme.ink, scene.theme.halo)
        dashes = f'<path d="M-18 0H10" stroke="{scene.theme.ink}" stroke-width="2.4" stroke-dasharray="2.4 3.6"/>'
        keys.append((dashes + tip, "may go"))
        if any(not lost.options for lost in position.dislodged):
            keys.append((glyphs.cross(scene.theme, 6), "nowhere to go"))
    return _picture(scene, position, caption, strokes, [*keys, *added_keys(scene, standing=True)], standing=True)


def _built(n: int, order: Build) -> Unit:
    return Unit(-1 - n, order.kind, order.at, order.power, order.at)


def _retreats_due(scene: Canvas, position: Position, strokes: Strokes) -> None:
    """A burst round each unit that was driven out, and a dotted line to each place where it may go."""
    strokes.taken = _with_tokens(scene)
    for lost in position.dislodged:
        if lost.unit.aboard:
            continue  # it goes with its carrier
        start, scale = scene.places[lost.unit.id]
        strokes.rings.append(Stamp(start, glyphs.burst(scene.theme), scale))
        if not lost.options:
            strokes.mark(lost.unit, glyphs.gone(scene.theme))
    for lost, line in ways_of_retreat(scene, position, strokes.taken):
        ink = scene.ink(lost.unit.power)
        drawn = (
            f'<path d="{line.path}" fill="none" stroke="{scene.theme.halo}" stroke-width="5" stroke-opacity=".85"/>'
            f'<path d="{line.path}" fill="none" stroke="{ink}" stroke-width="2.4" stroke-dasharray="2.4 3.6"/>'
            + glyphs.arrowhead(line.end, line.direction, 13, ink, scene.theme.halo)
        )
        strokes.below.append(at_both_edges(scene.topology, drawn, line.points))


def ways_of_retreat(
    scene: Canvas, position: Position, obstacles: Obstacles | None = None
) -> Iterator[tuple[Dislodged, Route]]:
    """A line from each unit that was driven out to each place where it may go."""
    obstacles = obstacles or _with_tokens(scene)
    for lost in position.dislodged:
        if lost.unit.aboard:
            continue
        start = scene.places[lost.unit.id][0]
        obstacles.take_token(start)
        for option in lost.options:
            end = nearer(scene.topology, start, scene.at(option))
            yield lost, route(obstacles, start, end, leave=(22.0, 22.0), stop=(4.0, 4.0))
        obstacles.put_token(start)


def _with_tokens(scene: Canvas) -> Obstacles:
    """A page with names and units."""
    obstacles = Obstacles(scene.topology, scene.look.naming)
    for point, _ in scene.places.values():
        obstacles.put_token(point)
    return obstacles


def _leashes(scene: Canvas, position: Position) -> Iterator[str]:
    """A line to each driven-out unit that found no room in its own space, from there."""
    for lost in position.dislodged:
        point, _ = scene.places[lost.unit.id]
        outline = scene.topology.outlines.get(province_of(lost.unit.at), ())
        if not (lost.unit.aboard or contains(outline, point)):
            path, ink = f"M{at(scene.at(lost.unit.at))}L{at(point)}", scene.theme
            yield f'<path d="{path}" stroke="{ink.halo}" stroke-width="4.5"/>'
            yield f'<path d="{path}" stroke="{ink.bad}" stroke-width="2"/>'


def _picture(
    scene: Canvas,
    position: Position,
    caption: Caption,
    strokes: Strokes,
    keys: Sequence[tuple[str, str]],
    built: Sequence[Unit] = (),
    *,
    standing: bool = False,
) -> Picture:
    owners = land_owners(position, scene.extras)
    held = occupied(scene, position)
    patterns, stripes = striped(scene, held)
    if scene.theme.printed:
        hatches = sorted({paint.hatch for paint in scene.paints.values()})
        patterns += "".join(hatching(f"hatch{n}", n) for n in hatches)
    perched = scene.extras.perched
    units = sorted(
        (*position.units, *built, *(lost.unit for lost in position.dislodged)),
        key=lambda unit: (unit.kind in perched, scene.places[unit.aboard or unit.id][0][1], unit.aboard),
    )
    tokens = [scene.token(unit, strokes.over.get(unit.id, "")) for unit in units]
    of_regions = [(glyphs.centre_dot(None, "", scene.theme, rim), region) for region, rim in rims(scene).items()]
    outside = around(scene, position, caption, (*keys, *of_regions), strokes.notes)
    middle = additions(scene, standing=standing) + "".join((*_leashes(scene, position), *strokes.below))
    return Picture(
        scene.topology,
        scene.look,
        " ".join((caption.game, caption.title)),
        outside.box,
        patterns,
        owners,
        scene.paints,
        washes(scene, owners),
        frontiers(scene, owners),
        held,
        stripes,
        (*dots(scene, position), *strokes.rings),
        middle,
        (*tokens, *space_badges(scene, strokes.taken or _with_tokens(scene)), *strokes.above),
        outside.svg,
        tuple(_touched(scene, position, units, strokes)),
    )


def _touched(
    scene: Canvas, position: Position, units: Sequence[Unit], strokes: Strokes
) -> Iterator[tuple[frozenset[str], Box]]:
    """A unit concerns its power; a line also who stands or owns the centre where it leads, and whom it helps."""
    for unit in units:
        yield frozenset((unit.power,)), (*scene.places[unit.id][0], 0.0, 0.0)
    for line in strokes.lines:
        order = line.order
        goal = province_of(getattr(order, "to", None) or order.unit.at)
        whom = {order.unit.power, *(unit.power for unit in position.at(goal))}
        whom |= {owner} if (owner := position.owners.get(goal)) else set()
        whom |= {order.of.power} if isinstance(order, Support) else set()
        xs, ys = zip(*line.route.points, strict=True)
        left, right, top, low = min(xs), max(xs), min(ys), max(ys)
        yield frozenset(whom), ((left + right) / 2, (top + low) / 2, right - left, low - top)


def _keys(scene: Canvas, phase: str) -> list[tuple[str, str]]:
    theme, ink = scene.theme, scene.theme.ink

    def line(dashes: str, width: float, *, head: bool = True) -> str:
        tip = glyphs.arrowhead((19.0, 0.0), (1.0, 0.0), 12, ink, theme.halo) if head else ""
        return f'<path d="M-18 0H10" stroke="{ink}" stroke-width="{width:g}"{dashes}/>{tip}'

    failed = line(' stroke-dasharray="7 4.5"', 2.9) + glyphs.placed((-2.0, 0.0), glyphs.cross(theme, 4))
    dotted = line(' stroke-dasharray=".1 4.1" stroke-linecap="round"', 2.2, head=False)
    support = f'{dotted}<circle cx="14" r="3.2" fill="{ink}"/>'
    convoy = line("", 4.4) + f'<path d="M-18 0H8" stroke="{theme.halo}" stroke-width="1.7"/>'
    small = 0.6
    burst = glyphs.placed((0.0, 0.0), glyphs.burst(theme), small)
    gone = glyphs.cross(theme, 6)
    if phase == "M":
        kinds = kinds_on(scene.board)
        by_sea = [(convoy, "by convoy"), (glyphs.placed((0.0, 0.0), glyphs.ring(ink, theme.halo), small), "convoys")]
        signs = [(glyphs.order_sign(kind.sign, ink, theme.halo), kind.name) for kind in kinds if kind.sign]
        return [
            (line("", 2.9), "moved"), (failed, "failed"), (support, "support"),
            *(by_sea if "convoy" in kinds else ()), *signs,
            (glyphs.placed((0.0, 0.0), glyphs.octagon(ink, theme.halo), small), "stands"),
            (burst, "driven out"), (glyphs.placed((0.0, 0.0), glyphs.clash(theme), 0.9), "stand-off"),
        ]  # fmt: skip
    if phase == "R":
        return [(line("", 2.9), "retreated"), (failed, "failed"), (gone, "disbanded")]
    return [(glyphs.plus(theme), "built"), (gone, "removed")]


def _other_keys(scene: Canvas, looks: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What the strokes mean that only some systems have, where there are any."""
    theme, ink = scene.theme, scene.theme.ink
    line = f'<path d="M-18 0H10" stroke="{ink}" stroke-width="2.9"/>'
    tip = glyphs.arrowhead((19.0, 0.0), (1.0, 0.0), 12, ink, theme.halo)
    thin = f'<path d="M-18 4Q-2-5 12 0" fill="none" stroke="{ink}" stroke-width="1.5"/>'
    if "rail" in looks:
        yield f'<path d="M-18 0H10" stroke="{ink}" stroke-width="8" stroke-dasharray="1.6 5"/>{line}{tip}', "by rail"
    if any(look.startswith("later") for look in looks):
        yield line + tip + glyphs.placed((-8.0, 0.0), glyphs.badge("2", None, theme)), "in the second part"
    if "base" in looks:
        yield thin + glyphs.arrowhead((18.0, 3.0), (0.9, 0.43), 11, ink, theme.halo), "new base"
    for look, meaning in (("raid", "bombs"), ("cover", "defends against bombs")):
        if look in looks:
            yield thin + glyphs.placed((14.0, 0.0), glyphs.order_sign(look, ink, theme.halo), 0.8), meaning


# -- layers put together -------------------------------------------------------------------------------------------


_SHARP = ' shape-rendering="crispEdges"'


def document(picture: Picture, inside: str, *, paper: bool, sharp: bool = False) -> str:
    """An SVG of a picture's page with these contents, on paper or on nothing. `sharp`: each pixel has one colour."""
    sides = " ".join(f'{key}="{value}"' for key, value in page_sides(picture.box).items())
    left, top, width, height = (number(side) for side in picture.box)
    sheet = f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{picture.look.theme.paper}"/>'
    topology = picture.topology
    coasts = coast(topology) if paper else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {sides}{_SHARP if sharp else ""}><title>{safe(picture.title)}</title>'
        f'<defs><clipPath id="map"><rect width="{number(topology.width)}" height="{number(topology.height)}"/>'
        f"</clipPath>{coasts}{picture.patterns}</defs>{sheet if paper else ''}{inside}</svg>\n"
    )


def clipped(topology: Topology, inside: str) -> str:
    """What may not run beyond the map's frame."""
    return f'<g clip-path="url(#map)">{inside}</g>'


def fixed_ground(topology: Topology, theme: Theme) -> str:
    """The lowest layer, kept."""
    return _kept(topology, ("ground", theme.name), lambda: ground(topology, theme))


def fixed_lines(topology: Topology, theme: Theme, *, rivers: bool = True) -> str:
    """Borders and waters, kept."""
    key = ("lines", theme.name, "rivers" if rivers else "")
    return _kept(topology, key, lambda: lines(topology, theme, rivers=rivers))


def fixed_frame(topology: Topology, theme: Theme) -> str:
    """The lines around the map."""
    return frame(topology.width, topology.height, theme.ink)


def fixed_labels(topology: Topology, theme: Theme, naming: str) -> str:
    """Names, kept."""
    return _kept(topology, ("labels", theme.name, naming), lambda: labels(topology, theme, naming))


def _kept(topology: Topology, key: tuple[str, ...], make: Callable[[], str]) -> str:
    if key not in topology.memo:
        topology.memo[key] = make()
    text: str = topology.memo[key]
    return text

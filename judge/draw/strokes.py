"""What was ordered, and what became of it, as lines and signs.

Without colour: a whole line succeeded, a broken one with a cross failed; dots are support, a double line is a convoy's
passage; a burst is round who was driven out, a cross on who has gone. Orders of other systems are drawn as the order of
1976 that they are like, or by the strokes that their kind names: sleepers are a railway, a 2 is on the second part of a
season, a thin bow is a flight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot

from judge.adjudicate.outcome import Outcome, Result
from judge.board.extras import Stroke
from judge.board.model import province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.draw import glyphs
from judge.draw.letters import safe
from judge.draw.routes import Obstacles, Room, Route, bow, chain, route
from judge.draw.scene import Canvas
from judge.draw.seam import at_both_edges, nearer, onto, stops
from judge.draw.topology import Point
from judge.orders.kinds import kind_of
from judge.orders.model import (
    Build,
    Convoy,
    Disband,
    Hold,
    Misorder,
    Move,
    Order,
    Retreat,
    Support,
    UnitOrder,
    Waive,
)

_LEAVE, _STOP, _MEET = (15.5, 12.0), (22.5, 18.5), (19.0, 16.0)
"""What lines leave free: about the unit that they come from; about one at which an arrow ends, whose head reaches
beyond its line, or a support.
"""
_STAR, _REACH, _FREE = (14.0, 14.0), (3.0, 3.0), (0.0, 0.0)
"""About an empty place that nobody came into, which may have a star; about one that somebody came into; nothing."""
_FLIGHTS: Mapping[str, float] = {"base": 0.0, "raid": -8.0, "cover": 8.0}
"""Looks of what flies -> how far beside a centre's dot it ends, so that a bomb and a shield are both seen."""
_SHORT = 50.0
"""On a line of less than this a cross would hide the arrow."""
_PARTS = tuple(n / 20 for n in range(3, 18))
"""Where on a line a cross may lie, as parts of its length."""


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """An order's line as it lies on the page, and where the cross lies that says that it failed."""

    order: UnitOrder
    route: Route
    cross: Point | None = None


@dataclass(slots=True)
class Strokes:
    """What is drawn: below the names, above the units; around units and on each unit's own token."""

    below: list[str] = field(default_factory=list)
    above: list[glyphs.Stamp] = field(default_factory=list)
    rings: list[glyphs.Stamp] = field(default_factory=list)
    over: dict[int, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    taken: Obstacles | None = None
    """What lies on the page once these are drawn; None: units and names alone."""
    looks: list[str] = field(default_factory=list)
    """Of the strokes that are no orders of 1976 (`judge.board.extras.Stroke`): the legend explains them."""
    lines: list[DrawnLine] = field(default_factory=list)
    """Of moves, retreats and supports: whom they concern is asked for parts of a picture (`judge.draw.parts`)."""

    def mark(self, unit: Unit, sign: str) -> None:
        """A sign above a unit's token."""
        self.over[unit.id] = self.over.get(unit.id, "") + sign


class Draughtsman:
    """Draws the orders of one phase."""

    def __init__(self, scene: Canvas, before: Position, outcomes: Sequence[Outcome]) -> None:
        self._scene = scene
        self._before = before
        self._outcomes = tuple(_plainly(before, outcomes))
        self._written = {
            each.order.unit.id: each.order
            for each, plain in zip(outcomes, self._outcomes, strict=True)
            if each is not plain and not isinstance(each.order, (Build, Waive))
        }
        self._obstacles = Obstacles(scene.topology, scene.look.naming)
        self._plain = Obstacles(scene.topology, scene.look.naming)
        for point, _ in scene.places.values():
            self._obstacles.put_token(point)
            self._plain.put_token(point)
        for each in self._outcomes:
            if Result.DISLODGED in each.results and not isinstance(each.order, (Build, Waive)):
                self._plain.put((*scene.places[each.order.unit.id][0], 44.0, 44.0), 4)  # its burst
        self._standing = {province_of(unit.at) for unit in before.units}
        self._routes: dict[int, Route] = {}
        self._strokes = Strokes(taken=self._obstacles)
        self._goes_to = {o.order.unit.id: o.order.to for o in self._outcomes if isinstance(o.order, Move)}

    def drawn(self) -> Strokes:
        """All orders, each once."""
        helpers: dict[int, list[Outcome]] = {}
        for outcome in self._outcomes:
            if isinstance(outcome.order, (Move, Retreat)):
                self._go(outcome)
            elif isinstance(outcome.order, Support):
                helpers.setdefault(outcome.order.of.id, []).append(outcome)
        moves, self._strokes.below = self._strokes.below, []
        for each in helpers.values():
            for n, outcome in enumerate(each):
                self._support(outcome, n, len(each))
        self._strokes.below += moves
        for outcome in self._outcomes:
            self._rest(outcome)
            self._beyond(outcome)
        self._clashes()
        waived = Counter(each.order.power for each in self._outcomes if isinstance(each.order, Waive))
        if waived:
            names = (f"{self._scene.board.powers[power].name} {count}" for power, count in waived.items())
            self._strokes.notes.append(f"Builds not used: {', '.join(names)}")
        return self._strokes

    # -- moves and retreats

    def _go(self, outcome: Outcome) -> None:
        order = outcome.order
        assert isinstance(order, (Move, Retreat))
        scene, unit = self._scene, order.unit
        start, end = scene.places[unit.id][0], scene.at(order.to)
        taken = province_of(order.to) in self._standing
        stop = _STOP if taken else _REACH if outcome.ok else _STAR
        carriers = [scene.at(at) for at in self._passage(order)] if isinstance(order, Move) else []
        for point in (start, end):
            self._obstacles.take_token(point)
        if carriers:
            line = chain(self._obstacles, stops(scene.topology, [start, *carriers, end]), leave=_LEAVE, stop=stop)
        else:
            ends = (province_of(unit.at), province_of(order.to))
            line = route(self._obstacles, start, nearer(scene.topology, start, end), leave=_LEAVE, stop=stop, ends=ends)
        self._obstacles.put_token(start)
        if taken:
            self._obstacles.put_token(end)
        self._routes[unit.id] = line
        drawn = self._arrow(line, unit.power, ok=outcome.ok, carried=bool(carriers))
        self._strokes.below.append(self._named(order, drawn))
        self._strokes.lines.append(DrawnLine(order, line, None if outcome.ok else self._crossed(line, 4.6)))

    def _arrow(self, line: Route, power: str, *, ok: bool, carried: bool) -> str:
        theme, ink = self._scene.theme, self._scene.ink(power)
        dashes = "" if ok else ' stroke-dasharray="7 4.5"'
        width = 4.4 if carried else 2.9
        drawn = (
            f'<path d="{line.path}" fill="none" stroke="{theme.halo}" stroke-width="{width + 2.6:g}" '
            f'stroke-linecap="round" stroke-opacity=".85"/>'
            f'<path d="{line.path}" fill="none" stroke="{ink}" stroke-width="{width:g}"{dashes}/>'
        )
        if carried:
            drawn += f'<path d="{line.path}" fill="none" stroke="{theme.halo}" stroke-width="1.7"/>'
        (x, y), (u, v) = line.end, line.direction
        tip = (x + u * 7, y + v * 7)
        drawn += glyphs.arrowhead(tip, line.direction, 13.5, ink, theme.halo)
        return at_both_edges(self._scene.topology, drawn, (*line.points, tip))

    def _passage(self, order: Move) -> list[str]:
        """The seas over which a convoy was to take the army, in order; empty for a march."""
        carriers = [
            each.order.unit
            for each in self._outcomes
            if isinstance(each.order, Convoy)
            and each.order.of.id == order.unit.id
            and province_of(each.order.to) == province_of(order.to)
        ]
        board = self._before.board
        if not carriers:
            return []
        ways = [[unit] for unit in carriers if self._touches(unit, province_of(order.unit.at))]
        seen = {way[-1].id for way in ways}
        while ways:
            way = ways.pop(0)
            if self._touches(way[-1], province_of(order.to)):
                return [unit.at for unit in way]
            near = {province_of(place) for place in board.reach(way[-1].kind, way[-1].at)}
            for unit in carriers:
                if unit.id not in seen and province_of(unit.at) in near:
                    seen.add(unit.id)
                    ways.append([*way, unit])
        return []

    def _touches(self, fleet: Unit, code: str) -> bool:
        return code in {province_of(place) for place in self._before.board.reach(fleet.kind, fleet.at)}

    # -- supports and the rest

    def _support(self, outcome: Outcome, n: int, count: int) -> None:
        order = outcome.order
        assert isinstance(order, Support)
        scene = self._scene
        start = scene.places[order.unit.id][0]
        end, stop = self._aim(order, n, count)
        self._obstacles.take_token(start)
        if stop != _FREE:
            self._obstacles.take_token(end)
        line = route(self._obstacles, start, nearer(scene.topology, start, end), leave=_LEAVE, stop=stop)
        self._obstacles.put_token(start)
        if stop != _FREE:
            self._obstacles.put_token(end)
        self._strokes.below.append(self._named(order, self._dots(line, order.unit.power)))
        self._strokes.lines.append(DrawnLine(order, line, None if outcome.ok else self._crossed(line, 3.4)))

    def _dots(self, line: Route, power: str) -> str:
        """A support's line."""
        ink, halo = self._scene.ink(power), self._scene.theme.halo
        drawn = (
            f'<path d="{line.path}" fill="none" stroke="{halo}" stroke-width="4.6" stroke-opacity=".8" '
            f'stroke-linecap="round"/>'
            f'<path d="{line.path}" fill="none" stroke="{ink}" stroke-width="2.2" stroke-dasharray=".1 4.1" '
            f'stroke-linecap="round"/>'
            f'<circle cx="{line.end[0]:.1f}" cy="{line.end[1]:.1f}" r="3.2" fill="{ink}" stroke="{halo}"/>'
        )
        return at_both_edges(self._scene.topology, drawn, line.points)

    def _aim(self, order: Support, n: int, count: int) -> tuple[Point, Room]:
        """Where a support's line ends, and what it leaves free there: on the arrow that it helps, or at the unit."""
        scene = self._scene
        known = scene.places.get(order.of.id)
        where = known[0] if known else scene.at(order.of.at)
        if order.to is None:
            return where, _MEET
        part = 0.6 + (n - (count - 1) / 2) * min(0.09, 0.5 / count)
        line = self._routes.get(order.of.id)
        goal = self._goes_to.get(order.of.id, "")
        if line is not None and province_of(goal) == province_of(order.to):
            return line.along(part), _FREE
        to = nearer(scene.topology, where, scene.at(order.to))
        return (where[0] + (to[0] - where[0]) * part, where[1] + (to[1] - where[1]) * part), _FREE

    def _rest(self, outcome: Outcome) -> None:
        order, theme, strokes = outcome.order, self._scene.theme, self._strokes
        if isinstance(order, (Build, Waive)):
            self._winter(outcome)
            return
        ink = self._scene.ink(order.unit.power)
        if isinstance(order, Hold):
            self._ring(order, glyphs.octagon(ink, theme.halo))
        elif isinstance(order, Convoy):
            self._ring(order, glyphs.ring(ink, theme.halo))
            if not outcome.ok:
                strokes.mark(order.unit, glyphs.placed((15.0, -9.0), glyphs.cross(theme, 3.4)))
        elif isinstance(order, Misorder):
            sign = glyphs.octagon(ink, theme.halo) + glyphs.placed((15.0, -9.0), glyphs.badge("?", None, theme))
            strokes.mark(order.unit, self._named(order, sign))
        elif sign := kind_of(order).sign:
            self._signed(order, sign, ok=outcome.ok)
        if Result.DISLODGED in outcome.results:
            point, scale = self._scene.places[order.unit.id]
            scale *= 1.2 if isinstance(order, (Hold, Convoy)) else 1  # round the ring that these have
            strokes.rings.insert(0, glyphs.Stamp(point, glyphs.burst(theme), scale))
        gone = glyphs.gone(theme)
        if isinstance(order, Disband):
            strokes.mark(order.unit, self._named(order, gone))
        elif Result.DISBANDED in outcome.results:
            strokes.mark(order.unit, gone)

    def _signed(self, order: UnitOrder, sign: str, *, ok: bool) -> None:
        """The sign of an order without a line, beside its unit's token; crossed where it failed."""
        theme, ((x, y), _) = self._scene.theme, self._scene.places[order.unit.id]
        drawn = glyphs.order_sign(sign, self._scene.ink(order.unit.power), theme.halo)
        drawn += "" if ok else glyphs.placed((6.5, -6.5), glyphs.cross(theme, 3.4))
        apart = (-17.0, 0.0) if order.unit.aboard else (0.0, -19.0)
        self._strokes.above.append(glyphs.Stamp((x + apart[0], y + apart[1]), self._named(order, drawn)))

    # -- orders that are like none of 1976

    def _beyond(self, outcome: Outcome) -> None:
        order = outcome.order
        if isinstance(order, (Build, Waive)) or (strokes := kind_of(order).strokes) is None:
            return
        for stroke in strokes(order):
            self._strokes.looks.append(stroke.look)
            draw = self._flight if stroke.look in _FLIGHTS else self._journey
            draw = self._later_support if stroke.look == "later support" else draw
            draw(order, stroke, ok=outcome.ok)

    def _journey(self, order: UnitOrder, stroke: Stroke, *, ok: bool) -> None:
        """By rail, or in the second part of a season from where the first was to lead."""
        scene = self._scene
        start, leave = self._from(order.unit, stroke)
        ends = [scene.at(place) for place in stroke.places]
        taken = province_of(stroke.places[-1]) in self._standing
        stop = _STOP if taken else _REACH if ok else _STAR
        if len(ends) > 1:
            line = chain(self._obstacles, stops(scene.topology, [start, *ends]), leave=leave, stop=stop)
        else:
            line = route(self._obstacles, start, nearer(scene.topology, start, ends[0]), leave=leave, stop=stop)
        drawn = self._arrow(line, order.unit.power, ok=ok, carried=False)
        if stroke.look == "rail":
            ink = scene.ink(order.unit.power)
            drawn = (
                f'<path d="{line.path}" fill="none" stroke="{ink}" stroke-width="8" stroke-dasharray="1.6 5"/>' + drawn
            )
        self._strokes.below.append(self._named(order, drawn))
        if stroke.look == "later":
            self._second(line)
        if not ok:
            self._crossed(line, 4.6)

    def _later_support(self, order: UnitOrder, stroke: Stroke, *, ok: bool) -> None:
        scene = self._scene
        start, leave = self._from(order.unit, stroke)
        of, to = scene.at(stroke.places[0]), scene.at(stroke.places[-1])
        end = (of[0] + (to[0] - of[0]) * 0.6, of[1] + (to[1] - of[1]) * 0.6)
        stop = _STOP if of == to else _FREE
        line = route(self._obstacles, start, nearer(scene.topology, start, end), leave=leave, stop=stop)
        self._strokes.below.append(self._named(order, self._dots(line, order.unit.power)))
        self._second(line)
        if not ok:
            self._crossed(line, 3.4)

    def _from(self, unit: Unit, stroke: Stroke) -> tuple[Point, Room]:
        """Where a line begins, and what it leaves free there."""
        if stroke.look.startswith("later") and unit.id in self._goes_to:
            return self._scene.at(self._goes_to[unit.id]), _REACH
        return self._scene.places[unit.id][0], _LEAVE

    def _second(self, line: Route) -> None:
        plate = glyphs.badge("2", None, self._scene.theme)
        self._strokes.above.append(glyphs.Stamp(self._free(line, 0.25), plate))

    def _flight(self, order: UnitOrder, stroke: Stroke, *, ok: bool) -> None:
        """A thin bow over everything, to a new base or to the dot of a centre."""
        scene, code = self._scene, province_of(stroke.places[-1])
        ink, theme = scene.ink(order.unit.power), scene.theme
        start, end = scene.places[order.unit.id][0], scene.at(stroke.places[-1])
        dot = scene.topology.spots[scene.look.naming][code].dot
        if stroke.look != "base" and dot is not None:
            end = _beside(dot, end, _FLIGHTS[stroke.look])
        line = bow(start, end, leave=_LEAVE, stop=(8.0, 8.0) if stroke.look != "base" else _STOP)
        dashes = "" if ok else ' stroke-dasharray="7 4.5"'
        drawn = (
            f'<path d="{line.path}" fill="none" stroke="{theme.halo}" stroke-width="4" stroke-opacity=".8"/>'
            f'<path d="{line.path}" fill="none" stroke="{ink}" stroke-width="1.5"{dashes}/>'
        )
        if stroke.look == "base":
            drawn += glyphs.arrowhead(line.end, line.direction, 11, ink, theme.halo)
        else:
            self._strokes.above.append(glyphs.Stamp(end, glyphs.order_sign(stroke.look, ink, theme.halo)))
        self._strokes.below.append(self._named(order, drawn))
        if not ok:
            self._crossed(line, 3.4)

    # -- builds

    def _winter(self, outcome: Outcome) -> None:
        order, theme = outcome.order, self._scene.theme
        if isinstance(order, Waive):
            return
        assert isinstance(order, Build)
        if outcome.ok:
            return
        point = self._scene.at(order.at, driven_out=province_of(order.at) in self._standing)
        sign = glyphs.ring(self._scene.ink(order.power), theme.halo) + glyphs.cross(theme, 6)
        self._strokes.above.append(glyphs.Stamp(point, self._named(order, sign)))

    def _clashes(self) -> None:
        """A sign on each empty place that several units wanted and nobody got."""
        scene = self._scene
        for code in clashes(self._before, self._outcomes):
            self._strokes.below.append(glyphs.placed(scene.at(code), glyphs.clash(scene.theme)))

    # -- help

    def _crossed(self, line: Route, radius: float) -> Point:
        """A cross on a line: where it lies on no name, no unit and no other cross, rather near the middle; beside one
        that is too short to be seen under it.
        """
        point = self._free(line, 0.58, beside=radius + 4.0 if line.length < _SHORT else 0.0)
        self._strokes.above.append(glyphs.Stamp(point, glyphs.cross(self._scene.theme, radius)))
        return point

    def _free(self, line: Route, wanted: float, beside: float = 0.0) -> Point:
        """A place on a line with room for a small sign, near the wanted part of it; it is free no more. `beside`: how
        far from the line, on either side.
        """
        places = [(abs(part - wanted), line.beside(part, far)) for part in _PARTS for far in {beside, -beside}]
        _, best = min(places, key=lambda place: (self._plain.cost(_plus_shape(place[1])), *place))
        point = onto(self._scene.topology, best)
        self._plain.put((*point, 12.0, 12.0), 4)
        return point

    def _ring(self, order: Hold | Convoy, sign: str) -> None:
        """A sign around a unit."""
        point, scale = self._scene.places[order.unit.id]
        self._strokes.rings.append(glyphs.Stamp(point, sign, scale, self._mark(order)))

    def _named(self, order: Order, drawn: str) -> str:
        return f"<g{self._mark(order)}>{drawn}</g>"

    def _mark(self, order: Order) -> str:
        """The attribute that says which order an element is, as it was written."""
        if isinstance(order, (Build, Waive)):
            return f' data-order="{safe(f"{order.power} {order}")}"'
        written = order if kind_of(order).strokes else self._written.get(order.unit.id, order)
        return f' data-order="{safe(str(written))}"'


def _plainly(before: Position, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes, with the order of 1976 in place of each that pictures show as one."""
    for outcome in outcomes:
        form = kind_of(outcome.order).plain_form
        plain = form(outcome.order, before) if form else None
        yield outcome if plain is None else Outcome((plain, outcome.end))


def _beside(dot: Point, unit: Point, aside: float) -> Point:
    """A place by a centre's dot, away from the unit that stands there."""
    dx, dy = dot[0] - unit[0], dot[1] - unit[1]
    far = hypot(dx, dy) or 1.0
    return dot[0] + (4 * dx - aside * dy) / far, dot[1] + (4 * dy + aside * dx) / far


def _plus_shape(at: Point) -> tuple[Point, ...]:
    """The points that a cross covers, more or less."""
    x, y = at
    return at, (x - 6, y), (x + 6, y), (x, y - 6), (x, y + 6)


def changed_hands(before: Position, after: Position) -> tuple[str, ...]:
    """Centres whose owner is another than before."""
    return tuple(code for code in after.board.centres if before.owners.get(code) != after.owners.get(code))


def clashes(before: Position, outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Provinces that stood empty and from which several moves were turned back: nobody may retreat there."""
    turned: dict[str, int] = {}
    taken = {province_of(unit.at) for unit in before.units}
    for outcome in _plainly(before, outcomes):
        if isinstance(outcome.order, Move):
            code = province_of(outcome.order.to)
            if Result.BOUNCED in outcome.results:
                turned[code] = turned.get(code, 0) + 1
            elif outcome.ok:
                taken.add(code)
        elif strokes := kind_of(outcome.order).strokes:
            for stroke in strokes(outcome.order):
                if stroke.look == "later" and Result.BOUNCED in outcome.results:
                    code = province_of(stroke.places[-1])
                    turned[code] = turned.get(code, 0) + 1
    yield from (code for code, times in turned.items() if times > 1 and code not in taken)

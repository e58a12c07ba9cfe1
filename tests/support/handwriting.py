"""How people write orders, as a grammar from which sentences are drawn: names, arrows, ways over sea, lists, frames.

A `Hand` writes about one position. What it writes says in plain values what was meant, so that a law can be asked of
every sentence: who is ordered, which order, which words. A seed gives the same sentences again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from judge.board.model import Board, Terrain, province_of
from judge.board.names import gazetteer_of
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.scene import Reach
from judge.orders.words import FILLERS, KEYWORDS

ARROWS = (" - ", "-", " -> ", "->", " => ", " > ", " → ", " – ", " to ", " moves to ", " goes to the ")
STEPS = (" - ", "-", " -> ", " > ", " → ", " to ")
"""Between the places of a way that is written from place to place."""
JOINTS = (", ", ",", " and ", " & ", " / ", "/", "; ", " - ", " ", ", then ", " + ")
"""Between the places of a list."""
SUPPORTS = (" S ", " s ", " supports ", " sup. ", " support ")
CONVOYS = (" C ", " c ", " convoys ", " conv. ")


@dataclass(frozen=True)
class Written:
    """A sentence: the unit that it orders, and the order that it means as a canonical line."""

    text: str
    unit: Unit
    order: str


@dataclass(frozen=True)
class Crossing:
    """An army on a coast, the fleets of a way over sea, where it leads, and a unit that can support the landing."""

    position: Position
    power: str
    army: Unit
    fleets: tuple[Unit, ...]
    goal: str
    helper: Unit


def crossings(board: Board, rng: Random, count: int) -> Iterator[Crossing]:
    """Ways over one to three seas with a fleet in each, all units of one power."""
    power, phase = next(iter(board.powers)), Phase.read(f"S{board.first_phase.year + 1}M")
    empty = Position(board, phase, (), MappingProxyType({}))
    reach = Reach(empty)
    coasts = [code for code, one in board.provinces.items() if one.terrain is Terrain.COAST and not one.coasts]
    found = 0
    while found < count:
        start = rng.choice(coasts)
        if not board.can_stand("A", start):
            continue
        seas: list[str] = []
        for _ in range(rng.randint(1, 3)):
            near = sorted(set(reach.seas_at(seas[-1] if seas else start)) - set(seas))
            if near:
                seas.append(rng.choice(near))
        goals = [code for code in coasts if seas and seas[-1] in reach.seas_at(code) and code != start]
        helpers = [
            (kind, place)
            for goal in goals[:1] + goals[-1:]
            for kind in ("A", "F")
            for place in board.locations()
            if board.can_stand(kind, place) and province_of(place) not in {start, goal, *seas}
            and goal in {province_of(to) for to in board.reach(kind, place, phase.season)}
        ]  # fmt: skip
        if not helpers:
            continue
        kind, place = rng.choice(helpers)
        reached = {province_of(to) for to in board.reach(kind, place, phase.season)}
        goal = rng.choice([one for one in goals if one in reached and one != province_of(place)])
        units = tuple(
            Unit(number, letter, at, power)
            for number, (letter, at) in enumerate([("A", start), *(("F", sea) for sea in seas), (kind, place)], 1)
        )
        position = Position(board, phase, units, MappingProxyType({}))
        yield Crossing(position, power, units[0], units[1:-1], goal, units[-1])
        found += 1


class Hand:
    """Somebody's way of writing."""

    def __init__(self, board: Board, rng: Random) -> None:
        self.board, self.rng = board, rng
        self._gazetteer = gazetteer_of(board)
        self._full = rng.random() < 0.4
        self._words = rng.random() < 0.3

    def place(self, location: str) -> str:
        """A place by its code or its full name, in one of the usual cases; only what means nothing else."""
        name, code = self.board.place_name(location), location
        sure = self._gazetteer.find(code).exact == (location,) and not {code.lower()} & (KEYWORDS.keys() | FILLERS)
        if self._full or not sure or "/" in code:
            return self.rng.choice((name, name, name.upper(), name.lower()))
        return self.rng.choice((code, code.title(), code.lower()))

    def unit(self, unit: Unit) -> str:
        """A unit with its letter or its word."""
        army = unit.kind == "A"
        word = ("Army" if army else "Fleet") if self._words else unit.kind
        return f"{word}{self.rng.choice((' ', ' ', ' in ') if self._words else (' ', ' ', '. '))}{self.place(unit.at)}"

    def listed(self, fleets: Sequence[Unit], *, units: bool = False) -> str:
        """A list of seas, or of the fleets there."""
        joint = self.rng.choice(JOINTS)
        return joint.join(self.unit(fleet) if units else self.place(fleet.at) for fleet in fleets)

    def goes(self, crossing: Crossing, *, who: str) -> Iterator[str]:
        """The ways to write that the army goes over these seas. `who`: the army as written."""
        fleets, step = crossing.fleets, self.rng.choice(STEPS)
        goal, seas = self.place(crossing.goal), [self.place(fleet.at) for fleet in crossing.fleets]
        arrow = self.rng.choice(ARROWS)
        yield step.join([who, *seas, goal])
        yield step.join([who, *(f"({sea})" for sea in seas), goal])
        yield step.join([who, *map(self.unit, fleets), goal])
        yield f"{who} ({self.listed(fleets)}){step}{goal}"
        yield f"{who} ({self.listed(fleets, units=True)}){step}{goal}"
        yield f"{who}{step}({self.listed(fleets)}){step}{goal}"
        yield f"{who}, {', '.join(seas)}{step}{goal}"
        yield f"{who}{step}{self.rng.choice(JOINTS).join(seas)}{step}{goal}"
        yield f"{who} {' '.join(seas)} {goal}"
        for via in (" via {}", " through {}", " (via {})", " ({})", " [{}]", " convoyed by {}"):
            for units in (False, True):
                yield f"{who}{arrow}{goal}{via.format(self.listed(fleets, units=units))}"
        yield f"{who}{arrow}{goal} by {self.listed(fleets, units=True)}"
        yield f"{who} via {self.listed(fleets)}{step}{goal}"

    def ways(self, crossing: Crossing) -> Iterator[Written]:
        """Every order in which the way of the army is written out: its own, a support of it, a convoy of it."""
        army, fleets, helper = crossing.army, crossing.fleets, crossing.helper
        for text in self.goes(crossing, who=self.unit(army)):
            yield Written(text, army, f"{army} - {crossing.goal} VIA")
        carried = self.rng.choice(STEPS).join([*(self.place(fleet.at) for fleet in fleets), self.place(crossing.goal)])
        yield Written(f"{self.unit(army)} c. {carried}", army, f"{army} - {crossing.goal} VIA")
        support, convoy = self.rng.choice(SUPPORTS), self.rng.choice(CONVOYS)
        for text in self.goes(crossing, who=self.unit(army)):
            yield Written(f"{self.unit(helper)}{support}{text}", helper, f"{helper} S {army} - {crossing.goal}")
            yield Written(f"{self.unit(fleets[0])}{convoy}{text}", fleets[0], f"{fleets[0]} C {army} - {crossing.goal}")

"""Orders lowered to acts: all that the solver knows of a movement phase.

The acts are a closed list. Whatever words a rule system has, they become these; whatever else it knows (coasts,
convoy chains, railways, purses) has been turned into numbers and masks before the solver starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.adjudicate.chart import Chart, Mask, Spot
from judge.adjudicate.outcome import Result
from judge.board.model import Location
from judge.board.position import Position, Unit
from judge.orders.model import MovementOrder
from judge.rules.model import Rules

STAND, MOVE, SUPPORT, CARRY = range(4)
"""What a unit does in a bout. A unit whose order cannot be followed stands (VII.4)."""

NO_UNIT = -1
"""The number of the unit in an empty space."""

Fault = tuple[Result, str]
"""Why an order is not followed: ILLEGAL or VOID, and the slug of the reason."""


class Carriage:
    """How an army is to be carried: by which fleets, and whether it may walk instead."""

    __slots__ = ("crew", "fleets", "may_walk", "routes")

    def __init__(self, *, may_walk: bool) -> None:
        self.may_walk = may_walk
        self.fleets: Mask = 0
        """Seas of the fleets with the matching order."""
        self.routes: Mask = 0
        """Those of them that lie on a route which could not do without them."""
        self.crew: tuple[int, ...] = ()
        """The units on `routes`."""


@dataclass(frozen=True, slots=True)
class Company:
    """What only other systems than that of 1976 need to say. The solver for it is `judge.adjudicate.company`."""

    crowd: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Spaces in which two units or more stand (1958: capitals, naval bases); their occupant is the guard, the one
    unit that may be supported in place."""
    joins: Mapping[int, int] = field(default_factory=dict)
    """Mover -> the own unit in its target that does not bar its way (1958: a fleet that takes an army on board)."""
    cargo: Mapping[int, int] = field(default_factory=dict)
    """Rider -> its carrier: no unit on its own for the solver, it goes where the carrier goes."""
    meek: frozenset[int] = frozenset()
    """Movers that have no influence on others: they never prevent, cut or meet head to head (1914: rail)."""
    unpaid: frozenset[int] = frozenset()
    """Units without strength of their own (1914: the purse was empty)."""
    needs_army: frozenset[int] = frozenset()
    """Movers that get in only with the support of an army (1914: fleets into foreign centres)."""


class Bout:
    """The acts of one phase as flat lists, indexed by unit (its number in the position) or by space."""

    __slots__ = (
        "act", "aim", "at", "backing", "carriage", "carriers", "chart", "company", "convoying", "faults",
        "given", "landing", "marching", "movers", "number", "occupant", "position", "power", "rules", "spots",
        "supporters", "unordered", "unsupportable",
    )  # fmt: skip

    def __init__(self, position: Position, rules: Rules, chart: Chart) -> None:
        """Put the units on the chart; they stand, as long as nothing else is entered."""
        units = position.units
        count = len(units)
        self.position = position
        self.rules = rules
        self.chart = chart
        self.power: list[str] = []
        self.spots: list[Spot] = []
        self.at: list[int] = []
        self.number: dict[int, int] = {}
        """Unit's id -> its number."""
        self.occupant = [NO_UNIT] * chart.count
        """Who is in a space."""
        self._put(units)
        self.given: list[MovementOrder | None] = [None] * count
        """The order that counts for a unit."""
        self.unordered: list[int] = []
        """The units without an order."""
        self.act = [STAND] * count
        self.aim = [-1] * count
        """The space an act is about: where a move goes, where a support or a convoy leads."""
        self.landing = [""] * count
        """Where a mover would stand, coast included."""
        self.marching: list[int] = []
        """The units that move."""
        self.supporters: list[int] = []
        """The units ordered to support; those with a fault stand."""
        self.carriers: list[int] = []
        """The fleets that could be of use to the army they are to carry."""
        self.movers: dict[int, list[int]] = {}
        """Space -> the units ordered into it."""
        self.backing: dict[int, list[int]] = {}
        """Unit -> the supports that match its move, or its standing where it is."""
        self.carriage: dict[int, Carriage] = {}
        """The armies that go by sea, or may."""
        self.convoying: Mask = 0
        """Seas with a fleet whose convoy order matches its army's."""
        self.company: Company | None = None
        self.faults: dict[int, Fault] = {}
        self.unsupportable: set[int] = set()
        """Units that stand because their move was impossible (B39)."""

    def _put(self, units: tuple[Unit, ...]) -> None:
        """Put the units where they stand."""
        spots, at, power, number, occupant = self.spots, self.at, self.power, self.number, self.occupant
        known = self.chart.spots
        for unit, (identity, kind, place, whose, _) in enumerate(units):
            spot = known[kind][place]
            spots.append(spot)
            at.append(spot.space)
            power.append(whose)
            number[identity] = occupant[spot.space] = unit

    def fleets_at_sea(self) -> Mask:
        """The seas with a fleet."""
        fleets = 0
        for spot in self.spots:
            fleets |= spot.afloat
        return fleets

    def enter(self, unit: int, target: int, landing: Location) -> None:
        """Let a unit move."""
        self.act[unit] = MOVE
        self.aim[unit] = target
        self.landing[unit] = landing
        self.marching.append(unit)
        self.movers.setdefault(target, []).append(unit)

    def back(self, unit: int, supported: int, goal: int) -> None:
        """Let a unit support the act of another one."""
        self.act[unit], self.aim[unit] = SUPPORT, goal
        self.supporters.append(unit)
        self.backing.setdefault(supported, []).append(unit)

    def withdraw(self, unit: int) -> None:
        """Let a unit stand that was entered as moving."""
        rivals = self.movers[self.aim[unit]]
        rivals.remove(unit)
        if not rivals:
            del self.movers[self.aim[unit]]
        self.marching.remove(unit)
        self.act[unit], self.aim[unit], self.landing[unit] = STAND, -1, ""

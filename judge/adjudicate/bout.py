"""Orders lowered to acts: all that the solver knows of a movement phase.

The acts are a closed list: a unit stands, moves, supports or carries. Whatever words a rule system has, they become
these; whatever else it knows (coasts, convoy chains, railways, purses) has been turned into numbers and masks before
the solver starts. A unit whose order cannot be followed stands (VII.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Final

from judge.adjudicate.outcome import Result
from judge.board.chart import Mask
from judge.board.model import Location
from judge.board.position import Position
from judge.rules.model import Rules

NO: Final = 0
OPEN: Final = 1
YES: Final = 2
"""Answers to a question about a bout: of two, the lesser is "both", the greater "either", and 2 - x is "not"."""

Answer = int | None
"""NO, OPEN or YES; None: not asked yet."""

Units = tuple[int, ...]
"""Units by their numbers."""

Fault = tuple[Result, str]
"""Why an order is not followed: ILLEGAL or VOID, and the slug of the reason."""


NONE: Final[Set[int]] = frozenset()
"""No units."""


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


@dataclass(slots=True)
class Company:
    """What only other systems than that of 1976 need to say: filled while orders are lowered. The solver for it is
    `judge.adjudicate.company`.
    """

    crowd: dict[int, Units] = field(default_factory=dict)
    """Spaces in which two units or more stand (1958: capitals, naval bases); their occupant is the guard, the one
    unit that may be supported in place."""
    joins: dict[int, Units] = field(default_factory=dict)
    """Mover -> the own units in its target that do not bar its way (1958: a stack, an army that is taken on board)."""
    stacking: dict[int, bool] = field(default_factory=dict)
    """Movers that may stand with others of their power where they go -> whether of another kind, too."""
    blocked: dict[int, Units] = field(default_factory=dict)
    """Mover -> the own units in its target that have to leave for it to have any effect there."""
    rides: dict[int, int] = field(default_factory=dict)
    """Who is carried -> its carrier, as the phase begins: it goes where that goes, and holds nothing."""
    ashore: dict[int, int] = field(default_factory=dict)
    """Of them, those that are ordered off -> the carrier."""
    lands: dict[int, tuple[int, Units]] = field(default_factory=dict)
    """Of them, those whose carrier is ordered out -> it, and the others that have to leave. While it leaves, they
    count as standing where they are."""
    boarding: dict[int, int] = field(default_factory=dict)
    """Army -> the fleet that it is ordered aboard, whatever that does."""
    sails_with: dict[int, int] = field(default_factory=dict)
    """Army -> the fleet beside it with which it leaves its place."""
    picked_up: dict[int, int] = field(default_factory=dict)
    """Army -> the fleet that comes in and takes it aboard."""
    meek: frozenset[int] = frozenset()
    """Movers that have no influence on others: they never prevent, cut or meet head to head (1914: rail)."""
    unpaid: frozenset[int] = frozenset()
    """Units without strength of their own, and supporters that do not count (1914: the purse was empty)."""
    weak: frozenset[int] = frozenset()
    """Units that hold their place without strength of their own; their supports count (1914: nothing to pay with)."""
    powerless: frozenset[int] = frozenset()
    """Movers whose move has no strength, and cuts nothing; they hold their place with one (1914: after a retreat)."""
    needs_army: frozenset[int] = frozenset()
    """Movers that have no strength without the support of an army (1914: fleets into foreign centres)."""
    tellers: set[int] = field(default_factory=set)
    """Units with an order of a kind that tells itself what became of it."""
    escorts: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    """Mover -> the unit (or -1) without whose support it has no strength, and the slug of the reason."""


class Bout:
    """The acts of one phase as flat lists, indexed by unit (its number in the position) or by space."""

    __slots__ = (
        "aim", "apart", "asked", "at", "attacks", "backing", "carriage", "carriers", "chart", "company", "contests",
        "convoying", "fate", "faults", "fleets", "given", "landing", "layout", "movers", "number", "occupant",
        "position", "power", "rules", "spots", "supporters", "unsupportable",
    )  # fmt: skip

    def __init__(self, position: Position, rules: Rules, given: Sequence[Any] = ()) -> None:
        """The units stand, as long as nothing else is entered. Raises ValueError if one is off the board."""
        layout = position.layout
        if layout is None:
            raise ValueError("these units cannot be moved: one of them stands nowhere on the board")
        count = len(position.units)
        self.position = position
        self.rules = rules
        self.asked = rules.in_battle
        """The questions about single orders that the rules answer otherwise; others need not be asked."""
        self.layout = layout
        self.chart = layout.chart
        self.spots = layout.spots
        self.at = layout.at
        self.power = layout.power
        self.number = layout.number
        """Unit's id -> its number, if anybody has that id (`judge.board.chart`)."""
        self.occupant = layout.occupant
        """Who is in a space."""
        self.fleets = layout.fleets
        """The seas with a fleet."""
        self.given = given
        """The order that counts for each unit, if there is one."""
        self.aim = [-1] * count
        """The space an act is about: where a move goes, where a support or a convoy leads."""
        self.fate: list[Answer] = [None] * count
        """Whether a unit moves. Those succeed that go their own way to where nobody stands, and nobody else goes."""
        self.attacks: list[int] = []
        """The units that move to where somebody stands."""
        self.contests: list[int] = []
        """The empty spaces that several units want, or one that comes by sea."""
        self.landing: list[Location | None] = [None] * count
        """Where a unit that moves would stand, coast included; None: it does not move."""
        self.supporters: list[int] = []
        """The units ordered to support; those with a fault only stand."""
        self.carriers: list[int] = []
        """The fleets that could be of use to the army they are to carry."""
        self.movers: list[Any] = list(layout.claims)
        """Space -> the units ordered into it; None for an empty space that nobody wants."""
        self.backing: list[Units] = [()] * count
        """Unit -> the supports that match its move, or its standing where it is."""
        self.carriage: dict[int, Carriage] = {}
        """The armies that go by sea, or may."""
        self.convoying: Mask = 0
        """Seas with a fleet whose convoy order matches its army's."""
        self.company: Company | None = None
        self.faults: dict[int, Fault] = {}
        self.apart: dict[int, str] = {}
        """Units whose order is of a kind that nobody can support where it leads -> the slug of the reason."""
        self.unsupportable: Set[int] = NONE
        """Units that stand because their move was impossible."""

    def is_untouched(self) -> bool:
        """Whether nothing has been entered yet."""
        return not (self.attacks or self.contests or self.supporters or self.faults or self.apart or any(self.fate))

    def guard(self, space: int, unit: int) -> None:
        """Let a unit be the one that stands for all in its space."""
        self.occupant = (*self.occupant[:space], unit, *self.occupant[space + 1 :])

    def enter(self, unit: int, target: int, landing: Location) -> None:
        """Let a unit move."""
        self.aim[unit] = target
        self.landing[unit] = landing
        rivals = self.movers[target]
        if rivals:
            self.contend(unit, target, rivals)
            return
        self.movers[target] = (unit,)
        if rivals is None:
            self.fate[unit] = YES
        else:
            self.attacks.append(unit)

    def contend(self, unit: int, target: int, rivals: Units) -> None:
        """Let one more unit move where others want to go."""
        self.movers[target] = (*rivals, unit)
        if self.occupant[target] >= 0:
            self.attacks.append(unit)
        elif self.fate[rivals[0]]:
            self.fate[rivals[0]] = None
            self.contests.append(target)

    def moving(self) -> list[int]:
        """All the units ordered to move, if they can."""
        return [unit for unit, landing in enumerate(self.landing) if landing is not None]

    def back(self, unit: int, supported: int, goal: int) -> None:
        """Let a unit support the act of another one."""
        self.aim[unit] = goal
        self.supporters.append(unit)
        self.backing[supported] = (*self.backing[supported], unit)

    def carry(self, army: int, carriage: Carriage) -> None:
        """Let a unit that moves go by sea, or be free to."""
        self.carriage[army] = carriage
        if self.fate[army]:
            self.fate[army] = None
            self.contests.append(self.aim[army])

    def withdraw(self, unit: int) -> None:
        """Let a unit stand that was entered as moving."""
        target = self.aim[unit]
        rivals = self.movers[target] = tuple([rival for rival in self.movers[target] if rival != unit])
        if not rivals and target in self.contests:
            self.contests.remove(target)
        self.landing[unit] = None
        self.fate[unit] = None
        if unit in self.attacks:
            self.attacks.remove(unit)
        self.aim[unit] = -1

"""Orders lowered to acts: all that the solver knows of a movement phase.

The acts are a closed list. Whatever words a rule system has, they become these; whatever else it knows (coasts,
convoy chains, railways, purses) has been turned into numbers and masks before the solver starts.
"""

from __future__ import annotations

from judge.adjudicate.chart import Chart, Mask
from judge.adjudicate.outcome import Result
from judge.board.position import Position
from judge.orders.model import MovementOrder
from judge.rules.model import Rules

STAND, MOVE, SUPPORT, CARRY = range(4)
"""What a unit does in a bout. A unit whose order cannot be followed stands (VII.4)."""

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


class Bout:
    """The acts of one phase as flat lists, indexed by unit (its number in the position) or by space."""

    __slots__ = (
        "act", "aim", "at", "backing", "carriage", "chart", "convoying", "faults", "given", "landing", "movers",
        "number", "occupant", "position", "power", "rules", "unsupportable",
    )  # fmt: skip

    def __init__(self, position: Position, rules: Rules, chart: Chart) -> None:
        count = len(position.units)
        self.position = position
        self.rules = rules
        self.chart = chart
        self.number: dict[int, int] = {}
        """Unit's id -> its number."""
        self.given: list[MovementOrder | None] = [None] * count
        self.at = [0] * count
        self.power = [""] * count
        self.act = [STAND] * count
        self.aim = [-1] * count
        """The space an act is about: where a move goes, where a support or a convoy leads."""
        self.landing = [""] * count
        """Where a mover would stand, coast included."""
        self.backing: list[list[int] | None] = [None] * count
        """The supports that match a unit's move, or its standing where it is."""
        self.occupant = [-1] * chart.count
        """Space -> the unit there."""
        self.movers: list[list[int] | None] = [None] * chart.count
        """Space -> the units ordered into it."""
        self.carriage: dict[int, Carriage] = {}
        """The armies that go by sea, or may."""
        self.convoying: Mask = 0
        """Seas with a fleet whose convoy order matches its army's."""
        self.faults: dict[int, Fault] = {}
        self.unsupportable: set[int] = set()
        """Units that stand because their move was impossible (B39)."""

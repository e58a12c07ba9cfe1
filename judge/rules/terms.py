"""What sets a move apart in a battle, where a rule system says so."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from judge.board.position import Position
from judge.orders.model import UnitOrder


class Term(StrEnum):
    """What sets a move apart from others in a battle."""

    MEEK = "meek"
    """It keeps nobody out, cuts nothing, meets nobody head to head."""
    NEEDS_ARMY = "needs-army"
    """Without the support of an army that stands it has no strength: it keeps nobody out and cuts nothing."""
    UNPAID = "unpaid"
    """Its unit has no strength of its own."""
    POWERLESS = "powerless"
    """The move has no strength and cuts nothing; its unit holds its own place with one."""


class Escort(NamedTuple):
    """Whose support a move needs, and why: the unit in a province. Where that support does not stand, the move has no
    strength: it keeps nobody out, cuts nothing, meets nobody head to head.
    """

    at: str
    reason: str
    """The slug of the reason for its failure."""


class Bill(NamedTuple):
    """What an act costs: whose purse pays, the identity of the unit that acts, and how much."""

    power: str
    unit: int
    amount: int
    purse: str


class Battle(NamedTuple):
    """A battle as it was decided, for those who say what it costs. Units are named by their identity."""

    position: Position
    orders: Mapping[int, UnitOrder]
    moved: frozenset[int]
    dislodged: Mapping[int, int]
    """Who was driven out -> by whom."""
    aims: Mapping[int, str]
    """Who was ordered to move, and could -> the province."""
    faults: frozenset[int]
    """Whose order was not followed, or was for nothing."""
    unpaid: frozenset[int]
    """Who could not pay before: its act has no strength, and is not billed again."""


NO_TERMS: frozenset[Term] = frozenset()
"""Of a move like any other."""

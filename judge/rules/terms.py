"""What sets a move apart in a battle, where a rule system says so."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Term(StrEnum):
    """What sets a move apart from others in a battle."""

    MEEK = "meek"
    """It keeps nobody out, cuts nothing, meets nobody head to head."""
    NEEDS_ARMY = "needs-army"
    """It gets in only with the support of an army that stands."""
    UNPAID = "unpaid"
    """Its unit has no strength of its own."""


class Escort(NamedTuple):
    """Whose support a move needs, and why: the unit in a province. Where that support does not stand, the move has no
    strength: it keeps nobody out, cuts nothing, meets nobody head to head.
    """

    at: str
    reason: str
    """The slug of the reason for its failure."""


NO_TERMS: frozenset[Term] = frozenset()
"""Of a move like any other."""

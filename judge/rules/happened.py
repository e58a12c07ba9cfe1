"""What a rule system sees when a phase has been judged, and what it may add."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from judge.board.position import Position
from judge.orders.model import Order


class Happened(NamedTuple):
    """A phase as it was judged. `lot`: a number drawn for this phase, the only chance."""

    before: Position
    after: Position
    orders: tuple[Order, ...]
    """Those that were given, and those that the rules gave."""
    told: Callable[[], tuple[Any, ...]]
    """What became of them (`judge.adjudicate.outcome.Outcome`), worked out when it is asked for."""
    lot: int


class SettledPosition(NamedTuple):
    """The position with which the next phase begins, and what is to be told beside the outcomes that there are."""

    position: Position
    told: tuple[Any, ...]
    """Outcomes: of a unit that was lost with another one, say."""

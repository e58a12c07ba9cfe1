"""In what circumstances a command is given: who gives it, when, and what the world hands in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from judge.game.core.commands import Actor
from judge.game.core.evolve import Systems
from judge.game.core.model import System
from judge.game.settings.table import Settings

Lot = Callable[[], int]
"""Draws a fresh seed. Asked only when powers are drawn."""


def _no_lot() -> int:
    raise LookupError("nothing can be drawn here: no lot was handed in")


def _no_systems(settings: Settings) -> System:
    raise LookupError("settings cannot be changed here: no boards and rules were handed in")


@dataclass(frozen=True, slots=True)
class Context:
    """Who acts and at which moment; the lot, and boards and rules by name, for commands that need them."""

    actor: Actor
    now: datetime
    lot: Lot = _no_lot
    systems: Systems = _no_systems

    @property
    def seat(self) -> str:
        """The seat from which it is given; "gm" for the Gamemaster's."""
        return self.actor.seat

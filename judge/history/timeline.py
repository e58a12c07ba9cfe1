"""When a game was in which phase, read from its events: to which turn something belongs that was said then."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from judge.game.core.events import Event, GameStarted, PhaseAdjudicated, PhaseSkipped
from judge.game.repair.rewriting import RolledBack


@dataclass(frozen=True, slots=True)
class Timeline:
    """The phases of a game as they came, each from the moment of its beginning on."""

    moments: tuple[datetime, ...]
    phases: tuple[str, ...]

    def at(self, moment: datetime) -> str:
        """The code of the phase that was to be played then, "" before the start."""
        place = bisect_right(self.moments, moment)
        return self.phases[place - 1] if place else ""


def timeline(events: Iterable[Event]) -> Timeline:
    """The timeline of a game from its log. What was taken back is on it twice."""
    found: list[tuple[datetime, str]] = []
    for event in events:
        if isinstance(event, GameStarted):
            found.append((event.at, event.position["phase"]))
        elif isinstance(event, (PhaseAdjudicated, PhaseSkipped)):
            found.append((event.at, event.after["phase"]))
        elif isinstance(event, RolledBack):
            found.append((event.at, event.phase))
    return Timeline(tuple(at for at, _ in found), tuple(phase for _, phase in found))

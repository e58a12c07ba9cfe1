"""How reliable a player is, in figures: turns played, turns late, seats lost or left. Counted from the events.

A replay counts nobody's turn twice, and what an excuse or an outage explains was never called late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.game import events as ev
from judge.game.model import Game

_LOST = {"nmr": "missed", "left": "resigned", "disqualified": "disqualified"}


@dataclass(frozen=True, slots=True)
class Record:
    """What is counted of one person over all games."""

    turns: int = 0
    late: int = 0
    missed: int = 0
    resigned: int = 0
    disqualified: int = 0

    def __str__(self) -> str:
        """As the Gamemaster reads it.

        >>> str(Record(24, 2, 1)), str(Record())
        ('22 of 24 turns on time, 1 seat lost', 'no turns yet')
        """
        if not self.turns:
            words = ["no turns yet"]
        else:
            words = [f"{self.turns - min(self.late, self.turns)} of {self.turns} turns on time"]
        if self.missed:
            words.append(f"{self.missed} {'seat' if self.missed == 1 else 'seats'} lost")
        if self.resigned:
            words.append(f"resigned {self.resigned} times" if self.resigned > 1 else "resigned once")
        if self.disqualified:
            words.append("disqualified")
        return ", ".join(words)


def counted(before: Game, events: Sequence[ev.Event]) -> Mapping[int, Mapping[str, int]]:
    """Person -> what the events of one transaction add to his record."""
    found: dict[int, dict[str, int]] = {}

    def add(person: int, what: str) -> None:
        mine = found.setdefault(person, {})
        mine[what] = mine.get(what, 0) + 1

    if before.practice is not None:
        return found
    if before.replay is None and _turn_ended(events):
        late = before.deadline.late if before.deadline else ()
        alive = set(before.survivors)
        for seat in before.seats.values():
            if seat.person is not None and alive.intersection(seat.powers):
                add(seat.person, "turns")
                if seat.id in late:
                    add(seat.person, "late")
    for event in events:
        if isinstance(event, ev.SeatVacated) and event.why in _LOST and before.position is not None:
            add(event.person, _LOST[event.why])
    return found


def _turn_ended(events: Sequence[ev.Event]) -> bool:
    """Whether a turn was processed for the first time."""
    played = [event for event in events if isinstance(event, ev.PhaseAdjudicated)]
    return bool(played) and all(event.version == 1 for event in played)

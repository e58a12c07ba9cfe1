"""Deadlines that calendars must cancel: the turn was played, the game is over, or the reader has left the game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC

from judge.game.core.model import Game
from judge.game.core.parts import Seat


@dataclass(frozen=True, slots=True)
class ClosedDeadline:
    """The deadline of the turn that began with the phase `turn`: ISO text in UTC, and its version.

    `seat` and `tenure`: whose it was, where the reader of the letter holds that seat no more.
    """

    turn: str
    due_at: str
    version: int
    seat: str = ""
    tenure: int = 0


def closed(game: Game | None, left: Seat | None = None) -> ClosedDeadline | None:
    """The deadline of `game`, which is that before the events, to be cancelled; None if it had none. `left`: the seat
    that the reader has lost.
    """
    deadline = game.deadline if game is not None else None
    if deadline is None:
        return None
    at = deadline.at.astimezone(UTC).isoformat()
    seat, tenure = (left.id, left.tenure) if left is not None else ("", 0)
    return ClosedDeadline(str(deadline.phase), at, deadline.version, seat, tenure)


def given_up(before: Game | None, after: Game, person: int) -> ClosedDeadline | None:
    """The deadline to be cancelled for a person who held a seat before their mail and holds it no longer; else None."""
    if before is None or before.seats is after.seats or (held := before.seat_held_by(person)) is None:
        return None
    now = after.seats.get(held.id)
    kept = now is not None and now.person == person
    return None if kept or after.seat_held_by(person) is not None else closed(before, held)

"""Places at a table: whether one is free while it gathers, sitting down at it, and which are vacant."""

from __future__ import annotations

from datetime import datetime

from judge.game.core import events as ev
from judge.game.core.model import Game, Stage


def is_full(game: Game) -> bool:
    """Whether every seat is taken."""
    return len(game.seats) >= game.settings.players


def gathers(game: Game) -> bool:
    """Whether a game is open, no practice, and has a free seat."""
    return game.stage is Stage.OPEN and game.practice is None and not is_full(game)


def sit_down(
    game: Game, person: int, preferences: tuple[tuple[str, ...], ...], at: datetime, *, by: str = ""
) -> ev.PlayerJoined:
    """Somebody takes the first free seat. `by`: who brought that about; "" for themselves."""
    seat = next(str(n) for n in range(1, game.settings.players + 1) if str(n) not in game.seats)
    tenure = game.tenures.get(seat, 0) + 1
    return ev.PlayerJoined(at=at, by=by or seat, seat=seat, person=person, tenure=tenure, preferences=preferences)


def powers_vacant(game: Game) -> tuple[str, ...]:
    """The powers of seats that nobody holds, in the order of seats."""
    return tuple(power for seat in game.seats.values() if not seat.filled for power in seat.powers)

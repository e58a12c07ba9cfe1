"""Places at a table: whether one is free while it gathers, sitting down at it, and which are vacant."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from judge.game.core import events as ev
from judge.game.core.affairs import Gathering
from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game, Stage


def is_full(game: Game) -> bool:
    """Whether every seat is taken."""
    return len(game.seats) >= game.settings.players


def gathers(game: Game) -> bool:
    """Whether a game is open, no practice, and has a free seat."""
    return game.stage is Stage.OPEN and game.practice is None and not is_full(game)


def noted_for_the_gamemaster(game: Game, event: ev.PlayerJoined) -> Gathering:
    """Who has joined is told to the Gamemaster in one letter a day, and at once when the last seat is taken: that
    letter tells of all. `game`: ahead of the event.
    """
    gathering = game.gathering
    if len(game.seats) + 1 >= game.settings.players:
        return replace(gathering, fresh=(), fresh_since=None)
    if event.by == GM_SEAT:
        return gathering
    return replace(gathering, fresh=(*gathering.fresh, event.person), fresh_since=gathering.fresh_since or event.at)


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

"""The year in which a game begins, and what is counted from it."""

from __future__ import annotations

from dataclasses import replace

from judge.board.model import Board
from judge.board.phase import Phase
from judge.game.settings.table import Settings
from judge.orders.spelled import listed
from judge.rules.calendar import Calendar

COUNTED = ("draw_from", "end_after")
"""Settings that name a season: it stays as far from the first year as it was."""


def begun_in(board: Board, year: int) -> Board:
    """The board with another first year, and the same number of years until its end; 0: the board's own."""
    later = year - board.first_phase.year if year else 0
    if not later:
        return board
    last = board.last_phase
    return replace(
        board, first_phase=_moved(board.first_phase, later), last_phase=_moved(last, later) if last else None
    )


def moved_along(settings: Settings, first: int, later: int) -> dict[str, str]:
    """Name -> season of those settings that move when the first year does. `first`: what it was; `later`: by how many
    years it moves. A season before the first year was not counted from it, and stays.
    """
    seasons = {name: str(getattr(settings, name)) for name in COUNTED}
    return {
        name: f"{season[:-4]}{int(season[-4:]) + later}"
        for name, season in seasons.items()
        if season and later and int(season[-4:]) >= first
    }


def check_seasons(settings: Settings, calendar: Calendar) -> None:
    """Raises ValueError with a sentence if a setting names a season that the game's years do not have."""
    known = [season.code for season in calendar.seasons]
    for name in COUNTED:
        season = str(getattr(settings, name))
        if season and season[:-4] not in known:
            there = listed([f"{code}{season[-4:]}" for code in known], "or")
            raise ValueError(f"{name}: the years of this game have no season {season}; write {there}")


def _moved(phase: Phase, years: int) -> Phase:
    return phase._replace(year=phase.year + years)

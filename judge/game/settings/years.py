"""What is counted from the year in which a game begins."""

from __future__ import annotations

from judge.game.settings.table import Settings
from judge.orders.spelled import listed
from judge.rules.calendar import Calendar

COUNTED = ("draw_from", "end_after")
"""Settings that name a season: it stays as far from the first year as it was."""


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

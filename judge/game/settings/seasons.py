"""How a game counts its years, and divides them into turns."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from judge.board.phase import Phase, PhaseKind
from judge.game.settings.table import Settings
from judge.orders.spelled import listed
from judge.rules.calendar import Calendar, Step
from judge.rules.model import Rules


@lru_cache(maxsize=256)
def divided(rules: Rules, seasons: str, split: str) -> Rules:
    """The rules with another calendar. `seasons`: "5", "3", "2" or "" for the rules' own; `split`: the first phase of
    a turn that is cut, or "".
    """
    calendar = _grouped(rules.calendar, seasons)
    if split:
        calendar = calendar.split(Phase.read(split))
    return rules if calendar is rules.calendar else replace(rules, calendar=calendar)


def _grouped(calendar: Calendar, seasons: str) -> Calendar:
    if not seasons:
        return calendar
    turns: list[list[Step]] = []
    for step in (step for turn in calendar.turns for step in turn):
        alone = (
            seasons == "5" or step.kind is PhaseKind.MOVES or (seasons == "3" and step.kind is PhaseKind.ADJUSTMENTS)
        )
        if alone or not turns:
            turns.append([step])
        else:
            turns[-1].append(step)
    return replace(calendar, turns=tuple(tuple(turn) for turn in turns), new_year=calendar.steps[0].code)


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

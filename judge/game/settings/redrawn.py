"""What a Gamemaster changes of a board and of its rules: powers that nobody plays, for fewer players than it has powers
(XIV.2), the number of centres that win, and how the game counts its years and turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.board.phase import Phase, PhaseKind
from judge.game.settings.table import Settings
from judge.languages import tell
from judge.orders.spelled import listed
from judge.rules import Rules
from judge.rules.calendar import Calendar, Step
from judge.rules.questions import CENTRES

LEAST = 2
SEATING = ("map", "rules", "unplayed")
"""Settings that say how many seats there are: the number of players moves with them."""

OF_THE_SYSTEM = ("map", "rules", "choices", "first_year", "unplayed", "victory")
"""Settings on which board and rules depend."""


def without_players(board: Board, names: Sequence[str], rules: Rules) -> Board:
    """The board on which these powers have units and centres but no seat. Raises ValueError with a sentence."""
    if not names:
        return board
    keys = {_power(name, board) for name in names}
    powers = {key: replace(power, minor=power.minor or key in keys) for key, power in board.powers.items()}
    changed = replace(board, powers=MappingProxyType(powers))
    hands = rules.seats(changed)
    held = sorted(keys & {key for hand in hands for key in hand})
    if held:
        name = board.powers[held[0]].told
        sentence = tell(
            "by the rules {rules} a player holds {name}; choose other rules, or leave it out",
            rules=rules.key,
            name=name,
        )
        raise ValueError(f"unplayed: {sentence}")
    if len(hands) < LEAST:
        sentence = tell("at least {least} powers must have a player", least=LEAST)
        raise ValueError(f"unplayed: {sentence}")
    return changed


def won_with(board: Board, centres: int, rules: Rules) -> Board:
    """The board on which so many centres win; 0: as many as it has ever been. Raises ValueError with a sentence."""
    if not centres:
        return board
    if rules.won_by != CENTRES:
        sentence = tell(
            "the rules {rules} decide who wins: {needed} units, not centres",
            rules=rules.key,
            needed=rules.needed(board),
        )
        raise ValueError(f"victory: {sentence}")
    owned = max(rules.ranking(rules.start(board)).values(), default=0)
    if not owned < centres <= len(board.centres):
        sentence = tell(
            "it must be from {least} to {centres} here: the board has {centres} centres, and somebody begins with "
            "{owned}",
            least=owned + 1,
            centres=len(board.centres),
            owned=owned,
        )
        raise ValueError(f"victory: {sentence}")
    return replace(board, victory=centres)


def _power(name: str, board: Board) -> str:
    found = gazetteer_of(board).power(name)
    if len(found) != 1:
        known = ", ".join(power.told for power in board.powers.values())
        sentence = tell('"{name}" is not a power of this board; there are {known}', name=name, known=known)
        raise ValueError(f"unplayed: {sentence}")
    return found[0]


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
            sentence = tell("the years of this game have no season {season}; write {there}", season=season, there=there)
            raise ValueError(f"{name}: {sentence}")

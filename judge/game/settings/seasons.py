"""How a game divides its years into turns: as the rules do, every phase apart, or retreats and builds with the moves.

Any single player may ask that one turn be divided, when the retreats are many or complicated (6E).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from judge.board.phase import Phase, PhaseKind
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

"""Rule systems that only tests have, played like those that ship: other years, other boards."""

from __future__ import annotations

import pytest

from judge.board.phase import FALL, SPRING, SUMMER, PhaseKind, Season
from judge.orders.kinds import join_kinds
from judge.rules import Rules, model
from judge.rules.calendar import Calendar, Step
from judge.rules.model import RuleSystem
from judge.rules.reasons import add_reasons
from tests.variants import condottieri, raids

JANUARY = Season("J", "January", ("j", "jan", "january"))
FEBRUARY = Season("W", "February", ("w", "feb", "february"))
DECEMBER = Season("D", "December", ("d", "dec", "december"))

_DECEMBER_RETREATS = Step(FALL, PhaseKind.RETREATS, shown=DECEMBER)

FEBRUARY_YEAR = Calendar(
    turns=(
        (Step(SPRING, PhaseKind.MOVES),),
        (Step(SPRING, PhaseKind.RETREATS, shown=SUMMER),),
        (Step(FALL, PhaseKind.MOVES),),
        (_DECEMBER_RETREATS, Step(FEBRUARY, PhaseKind.ADJUSTMENTS)),
    ),
    captures=frozenset({_DECEMBER_RETREATS.code}),
    new_year="WA",
)
"""The adjustments are made in February and bear the new year; one mail in December holds retreats and adjustments."""

_LATE_RETREATS = Step(FALL, PhaseKind.RETREATS, part=2, name="last retreats")

LONG_YEAR = Calendar(
    turns=(
        (Step(JANUARY, PhaseKind.TALKS, name="influence"),),
        (Step(FEBRUARY, PhaseKind.ADJUSTMENTS),),
        (Step(SPRING, PhaseKind.MOVES),),
        (Step(SPRING, PhaseKind.RETREATS),),
        (Step(FALL, PhaseKind.MOVES),),
        (Step(FALL, PhaseKind.RETREATS),),
        (Step(FALL, PhaseKind.MOVES, part=2, name="late moves", pace="retreats"),),
        (_LATE_RETREATS,),
    ),
    captures=frozenset({_LATE_RETREATS.code}),
)
"""A phase without orders in January, and two movement phases in Fall."""


def _system(key: str, calendar: Calendar) -> RuleSystem:
    return RuleSystem(Rules(key=key, calendar=calendar), key.title(), presets={key: {"rules": key, "nmr": "grace"}})


RULE_SYSTEMS = (_system("february", FEBRUARY_YEAR), _system("long-year", LONG_YEAR), condottieri.SYSTEM, raids.SYSTEM)


def enter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let these systems stand in the registry as long as a test runs."""
    for system in RULE_SYSTEMS:
        monkeypatch.setitem(model._systems, system.rules.key, system)
        add_reasons(system.reasons)
        join_kinds(system.rules.kinds(), system.rules.key)
        for name, bundle in system.presets.items():
            monkeypatch.setitem(model._presets, name, bundle)

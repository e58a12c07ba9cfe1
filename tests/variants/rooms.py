"""Rule systems that only tests have, played like those that ship: other years, other boards."""

from __future__ import annotations

import pytest

from judge.board.phase import FALL, SPRING, SUMMER, PhaseKind, Season
from judge.orders.kinds import join_kinds
from judge.rules import Rules, model
from judge.rules.calendar import Calendar, Step
from judge.rules.model import Room
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


def _room(key: str, calendar: Calendar) -> Room:
    return Room(Rules(key=key, calendar=calendar), key.title(), presets={key: {"rules": key, "nmr": "grace"}})


ROOMS = (_room("february", FEBRUARY_YEAR), _room("long-year", LONG_YEAR), condottieri.ROOM, raids.ROOM)


def enter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let these rooms stand in the registry as long as a test runs."""
    for room in ROOMS:
        monkeypatch.setitem(model._rooms, room.rules.key, room)
        add_reasons(room.reasons)
        join_kinds(room.rules.kinds(), room.rules.key)
        for name, bundle in room.presets.items():
            monkeypatch.setitem(model._presets, name, bundle)

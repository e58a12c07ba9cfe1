"""The calendar as data: which phases a year has, which of them share a deadline, and when centres change hands.

A *turn* is one deadline and one set of orders; it covers one phase or several, in order. In 1976 a year is
(Spring moves), (Spring retreats), (Fall moves), (Fall retreats, Winter adjustments).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from judge.board.phase import Phase

Step = tuple[str, str]
"""Season and kind of a phase: ("F", "R")."""


@dataclass(frozen=True)
class Calendar:
    """A year of turns. `captures` are the phases after which centres belong to who stands on them (XIII.1)."""

    turns: tuple[tuple[Step, ...], ...]
    captures: frozenset[Step]

    @cached_property
    def _steps(self) -> tuple[Step, ...]:
        return tuple(step for turn in self.turns for step in turn)

    @cached_property
    def _follower(self) -> dict[Step, tuple[int, str, str]]:
        """Step -> years to add, season and kind of the step after it."""
        steps = self._steps
        after = (*steps[1:], steps[0])
        return {step: (int(step is steps[-1]), *after[i]) for i, step in enumerate(steps)}

    def next_phase(self, phase: Phase) -> Phase:
        """The phase after this one, played or not.

        >>> str(CALENDAR_1976.next_phase(Phase.read("W1901A")))
        'S1902M'
        """
        return self.passing(phase)[0]

    def passing(self, phase: Phase) -> tuple[Phase, bool]:
        """The phase after this one, and whether centres change hands when this one has been played."""
        known = self._passed.get(phase)
        if known is None:
            years, season, kind = self._follower[self._step(phase)]
            known = self._passed[phase] = Phase(phase.year + years, season, kind), self.is_capture(phase)
        return known

    @cached_property
    def _passed(self) -> dict[Phase, tuple[Phase, bool]]:
        """What `passing` has answered so far."""
        return {}

    def turn_of(self, phase: Phase) -> tuple[Phase, ...]:
        """All phases, in order, of the turn to which this phase belongs.

        >>> [str(each) for each in CALENDAR_1976.turn_of(Phase.read("W1901A"))]
        ['F1901R', 'W1901A']
        """
        known = self._turns_of.get(phase)
        if known is None:
            step = self._step(phase)
            turn = next(turn for turn in self.turns if step in turn)
            known = self._turns_of[phase] = tuple(Phase(phase.year, season, kind) for season, kind in turn)
        return known

    @cached_property
    def _turns_of(self) -> dict[Phase, tuple[Phase, ...]]:
        """What `turn_of` has answered so far."""
        return {}

    def is_capture(self, phase: Phase) -> bool:
        """Whether centres change hands when this phase has been played."""
        return (phase.season, phase.kind) in self.captures

    def _step(self, phase: Phase) -> Step:
        step = (phase.season, phase.kind)
        if step not in self._follower:
            raise ValueError(f"{phase} is no phase of this calendar; a year has {self.describe()}")
        return step

    def describe(self) -> str:
        """The phases of a year in short: "SM, SR, FM, FR + WA"."""
        return ", ".join(" + ".join(season + kind for season, kind in turn) for turn in self.turns)

    def split(self, phase: Phase) -> Calendar:
        """This calendar with the phase's turn cut into one turn for each phase (a winter in two, B42)."""
        step = self._step(phase)
        turns: list[tuple[Step, ...]] = []
        for turn in self.turns:
            turns.extend(((each,) for each in turn) if step in turn else (turn,))
        return Calendar(tuple(turns), self.captures)


CALENDAR_1976 = Calendar(
    turns=((("S", "M"),), (("S", "R"),), (("F", "M"),), (("F", "R"), ("W", "A"))),
    captures=frozenset({("F", "R")}),
)

"""Recruits: the game of 1976, but units drill through the first spring after they are built.

1. A unit that is built is a recruit until the moves of the next spring have been made. All are told which ones are.
2. A recruit goes nowhere and supports nobody elsewhere: it can hold and be supported. No order is awaited for it.
3. One that is dislodged retreats like any other unit, and is no recruit afterwards.
4. Everything else is as in 1976.
"""

from __future__ import annotations

from dataclasses import replace

from judge.board.extras import Badge, Extras
from judge.board.model import Location
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.rules import Rules
from judge.rules.model import RuleSystem, page_of
from judge.rules.questions import Block, Happened
from judge.rules.reasons import Reason

RECRUIT = ("recruit", "yes")


class Recruits(Rules):
    """The answers that differ."""

    def settled(self, happened: Happened) -> Position:
        """Clauses 1 and 3: units that were not there before the builds are marked; any later phase takes marks away."""
        before, after = happened.before, happened.after
        built = before.phase.kind is PhaseKind.ADJUSTMENTS
        old = {unit.id for unit in before.units}
        units = tuple(unit._replace(marks=(RECRUIT,) if built and unit.id not in old else ()) for unit in after.units)
        return replace(after, units=units)

    def barred(self, position: Position, unit: Unit, to: Location) -> str:
        """Clause 2."""
        return "recruit" if RECRUIT in unit.marks else ""

    def asked(self, position: Position, power: str) -> tuple[Unit, ...]:
        """Clause 2."""
        return tuple(unit for unit in position.of(power) if RECRUIT not in unit.marks)

    def desk(self, position: Position) -> tuple[Block, ...]:
        """Clause 1."""
        names = [str(unit) for unit in position.units if RECRUIT in unit.marks]
        return (Block("Recruits", (", ".join(names),)),) if names else ()

    def extras(self, position: Position) -> Extras:
        """Clause 1."""
        marked = {unit.id: (Badge("r"),) for unit in position.units if RECRUIT in unit.marks}
        return Extras(units=marked, notes=("r: a recruit, which drills through the spring",) if marked else ())


_DRILL = {"recruit": Reason("units drill through the first spring after they are built", "2")}
_PRESETS = {"recruits": {"rules": "recruits", "nmr": "grace"}}
_RULES = Recruits(key="recruits")
RULE_SYSTEMS = (RuleSystem(_RULES, "Recruits", presets=_PRESETS, reasons=_DRILL, page=page_of(__doc__)),)

"""Global Diplomacy II by John Armstrong: twelve powers on the whole world, and continents that feed their own units.

1. Twelve powers, 82 centres; whoever owns 42 has won (II, III).
2. England, France, Germany and Russia are Colonial Powers: units of a continent are fed by its centres alone. A unit is
   of the continent in which it was built or started. What a power has too much on one continent does not make up for
   what it lacks on another (IV.A-C).
3. A Colonial Power without status on a continent at the end of a year is eliminated from it: it builds there no more,
   and has no status there (IV.D).
4. A centre that is taken on a continent where its new owner had no home centre, or from which it was eliminated in an
   earlier year, feeds the continent of the unit that took it; so does a Turkish home centre taken by England (IV.E).
5. The Russian fleet of Siberia holds in Spring and Fall 1901; who dislodges it lets it retreat (VI).
6. The year: adjustments in February, Spring moves, Summer retreats, Fall moves, December retreats; centres change hands
   and status is computed in January (VII).
7. A Colonial Power's units that nobody removes go by continent: the farthest from its home centres there goes first.
8. Canals, coasts and land bridges are facts of the board (V). Everything else is as in 1976.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.board.extras import Badge, Extras
from judge.board.model import Board
from judge.board.phase import FALL, MOVES, SPRING, SUMMER, WINTER, PhaseKind, Season
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Build
from judge.orders.spelled import foreign
from judge.rules import Rules
from judge.rules.calendar import Calendar, Step
from judge.rules.happened import Happened
from judge.rules.questions import Block
from judge.rules.registry import Room
from judge.rules.removals import farthest_first
from judge.variants.global2_continents import (
    CONTINENT,
    ELIMINATED,
    all_remembering,
    away_from,
    colonial_powers,
    continent_of,
    eliminated_from,
    home_continents,
    is_colonial,
    is_laid_up,
    lies_in,
    marks_of_centres,
    remembering,
    status_of,
    told,
    without_status,
)
from judge.variants.global2_words import PAGE, REASONS

FEBRUARY = Season("W", "February", ("w", "feb", "february"))
DECEMBER = Season("D", "December", ("d", "dec", "december"))
_DECEMBER_RETREATS = Step(FALL, PhaseKind.RETREATS, shown=DECEMBER)
_FEBRUARY_ADJUSTMENTS = Step(FEBRUARY, PhaseKind.ADJUSTMENTS, also=WINTER)

CALENDAR = Calendar(
    turns=(
        (Step(SPRING, PhaseKind.MOVES),),
        (Step(SPRING, PhaseKind.RETREATS, shown=SUMMER),),
        (Step(FALL, PhaseKind.MOVES),),
        (_DECEMBER_RETREATS, _FEBRUARY_ADJUSTMENTS),
    ),
    captures=frozenset({_DECEMBER_RETREATS.code}),
    new_year=_FEBRUARY_ADJUSTMENTS.code,
)

_SHORT = MappingProxyType({"Africa": "Af", "America": "Am", "Asia": "As", "Europe": "Eu"})


@dataclass(frozen=True, slots=True)
class Global(Rules):
    """The answers that differ; clause 6 is `calendar`."""

    calendar: Calendar = CALENDAR

    def start(self, board: Board) -> Position:
        """Clause 2: units of a Colonial Power remember where they come from."""
        position = Rules.start(self, board)
        return replace(position, units=tuple(remembering(unit, board) for unit in position.units))

    # -- Clause 5

    def held(self, position: Position, unit: Unit) -> str:
        """Clause 5."""
        return "laid-up" if position.phase.kind is MOVES and is_laid_up(unit, position) else ""

    def asked(self, position: Position, power: str) -> tuple[Unit, ...]:
        """Clause 5: nobody waits for an order to a unit that can only hold."""
        return tuple(unit for unit in position.of(power) if not self.held(position, unit))

    # -- Clauses 2 to 4

    def settled(self, happened: Happened) -> Position:
        """Clauses 2 to 5: of which continent units are, what taken centres feed, who is eliminated where, and which
        unit is under repair, wherever it has been driven.
        """
        before, after = happened.before, happened.after
        after = all_remembering(before, after)
        if not self.calendar.is_capture(before.phase):
            return after
        taken = replace(after, marks=MappingProxyType(marks_of_centres(before, after)))
        marks = dict(taken.marks)
        alive = {*taken.owners.values(), *(unit.power for unit in taken.units)}
        for power in alive.intersection(colonial_powers(taken.board)):
            if gone := (*eliminated_from(taken, power), *without_status(taken, power)):
                marks[power] = MappingProxyType({**marks.get(power, {}), ELIMINATED: ",".join(gone)})
        return replace(taken, marks=MappingProxyType(marks))

    def ledgers(self, position: Position, power: str) -> Mapping[str, int]:
        """Clause 2: the continents on which a Colonial Power began; one for all the world for any other power."""
        if not is_colonial(position.board, power):
            return Rules.ledgers(self, position, power)
        units = Counter(continent_of(unit, position.board) for unit in position.of(power))
        status = status_of(position, power)
        return {each: status[each] - units[each] for each in home_continents(position.board, power)}

    def ledger(self, position: Position, unit: Unit) -> str:
        """Clause 2."""
        return continent_of(unit, position.board) if is_colonial(position.board, unit.power) else ""

    def build_fault(self, position: Position, order: Build) -> str:
        """Clauses 2 and 3, as the reason for a refusal."""
        if fault := Rules.build_fault(self, position, order):
            return fault
        if not is_colonial(position.board, order.power):
            return ""
        continent = lies_in(position.board, order.at)
        if continent in eliminated_from(position, order.power):
            return "eliminated-from-continent"
        return "" if self.ledgers(position, order.power)[continent] > 0 else "no-build-on-continent"

    def removal_fault(self, position: Position, unit: Unit) -> str:
        """Clause 2, as the reason for a refusal."""
        due = self.ledgers(position, unit.power)
        return "no-removal-on-continent" if len(due) > 1 and min(due.values()) < 0 else ""

    def removal_order(self, position: Position, power: str) -> tuple[Unit, ...]:
        """Clause 7."""
        if not is_colonial(position.board, power):
            return Rules.removal_order(self, position, power)
        found: list[Unit] = []
        for continent, homes in home_continents(position.board, power).items():
            farthest = farthest_first(position, power, self.removals, homes)
            found += [unit for unit in farthest if continent_of(unit, position.board) == continent]
        return tuple(found)

    # -- What people read

    def desk(self, position: Position) -> tuple[Block, ...]:
        """Clauses 2 to 5: each Colonial Power's continents, with what feeds whom."""
        alive = {*position.owners.values(), *(unit.power for unit in position.units)}
        powers = [power for power in colonial_powers(position.board) if power in alive]
        lines = tuple(line for power in powers for line in told(position, power))
        held = (unit for unit in position.units if self.held(position, unit))
        lines += tuple(f"{foreign(unit, position.board)} holds this year." for unit in held)
        return (Block("Continents of the Colonial Powers", lines),) if lines else ()

    def extras(self, position: Position) -> Extras:
        """Clauses 2 and 4: the continents, the units that stand on another than their own, and what feeds another."""
        board = position.board
        regions = {code: where for code in board.provinces if (where := lies_in(board, code))}
        units = {
            unit.id: (Badge(_SHORT[away], unit.power),) for unit in position.units if (away := away_from(unit, board))
        }
        feeds = {
            code: (Badge(_SHORT[marks[CONTINENT]], position.owners[code]),)
            for code, marks in position.marks.items()
            if code in position.owners and CONTINENT in marks
        }
        return Extras(units=units, spaces=feeds, regions=regions)


ROOMS = (
    Room(
        Global(key="global2"),
        "Global Diplomacy II",
        presets={"global2": {"rules": "global2", "map": "global2", "players": "12", "nmr": "grace"}},
        reasons=REASONS,
        page=PAGE,
    ),
)

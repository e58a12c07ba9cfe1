"""Global Diplomacy II by John Armstrong: twelve powers on the whole world, and the continents that feed them (IV)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.board.extras import Badge, Extras
from judge.board.model import Board, province_of
from judge.board.phase import FALL, MOVES, SPRING, SUMMER, WINTER, PhaseKind, Season
from judge.board.position import Position
from judge.board.unit import Unit
from judge.languages import tell, tell_counted, told_later
from judge.orders.model import Build
from judge.orders.spelled import foreign, listed, unit_text
from judge.rules import Rules
from judge.rules.calendar import Calendar, Step
from judge.rules.model import RuleSystem
from judge.rules.questions import Block, Happened, farthest_first
from judge.rules.reasons import Reason

CONTINENT = "continent"
"""Fact of a province: where it lies. Mark of a unit: of which continent it is. Mark of a centre: which one it feeds,
where that is not its own.
"""
LAID_UP = "laid_up"
"""Mark of a unit that is under repair and has been driven from its first place: the year."""
ELIMINATED = "eliminated"
"""Mark of a power: the continents from which it was eliminated, parted by commas."""


def colonial_powers(board: Board) -> tuple[str, ...]:
    """The powers that keep their continents apart (IV.A), in the board's order."""
    return tuple(key for key in board.powers if is_colonial(board, key))


def is_colonial(board: Board, power: str) -> bool:
    """Whether a power keeps its continents apart."""
    known = board.powers.get(power)
    return known is not None and bool(known.facts.get("colonial"))


def lies_in(board: Board, place: str) -> str:
    """The continent of a place; "" for the sea."""
    return board.provinces[province_of(place)].facts.get(CONTINENT, "")


def home_continents(board: Board, power: str) -> Mapping[str, tuple[str, ...]]:
    """The continents where a power has home centres, the first named being its own -> these centres."""
    found: dict[str, tuple[str, ...]] = {}
    for home in board.powers[power].homes:
        continent = lies_in(board, home)
        found[continent] = (*found.get(continent, ()), home)
    return found


def continent_of(unit: Unit, board: Board) -> str:
    """Of which continent a unit of a Colonial Power is; of one of which nothing is known, where it was built or stands,
    else the power's own.
    """
    own = home_continents(board, unit.power)
    known = dict(unit.marks).get(CONTINENT) or lies_in(board, unit.built or unit.at)
    return known if known in own else next(iter(own))


def remembering(unit: Unit, board: Board) -> Unit:
    """A unit with the continent of which it is as a mark, where its power keeps continents apart."""
    if not is_colonial(board, unit.power):
        return unit
    marks = {**dict(unit.marks), CONTINENT: continent_of(unit, board)}
    return unit._replace(marks=tuple(sorted(marks.items())))


def is_laid_up(unit: Unit, position: Position) -> bool:
    """Whether a unit only holds in the first year: a first unit that is under repair, driven from its place or not."""
    if position.phase.year != position.board.first_phase.year:
        return False
    return LAID_UP in dict(unit.marks) or f"{unit.kind} {unit.built}" in position.board.powers[unit.power].laid_up


def all_remembering(before: Position, after: Position) -> Position:
    """A position in which each Colonial Power's unit has its continent as a mark, and one under repair that is driven
    from its place has that: so a position that is handed on without its past is judged like one that has it.
    """
    colonial = colonial_powers(after.board)
    new = {unit.id: remembering(unit, after.board) for unit in after.units if not unit.marks and unit.power in colonial}
    driven = tuple([each._replace(unit=_driven_out(each.unit, before)) for each in after.dislodged])
    if not new and driven == after.dislodged:
        return after
    units = tuple([new.get(unit.id, unit) for unit in after.units])
    return after.followed_by(after.phase, units, after.owners, driven, after.next_id)


def _driven_out(unit: Unit, before: Position) -> Unit:
    known = remembering(unit, before.board)
    if not is_laid_up(unit, before):
        return known
    return known._replace(marks=tuple(sorted({**dict(known.marks), LAID_UP: str(before.phase.year)}.items())))


def eliminated_from(position: Position, power: str) -> tuple[str, ...]:
    """The continents from which a power was eliminated at the end of an earlier year (IV.D)."""
    return tuple(filter(None, position.marks.get(power, {}).get(ELIMINATED, "").split(",")))


def _fed_by(position: Position, power: str, centre: str) -> str:
    """The continent whose status a power's centre adds to."""
    if known := position.marks.get(centre, {}).get(CONTINENT):
        return known
    continent, own = lies_in(position.board, centre), home_continents(position.board, power)
    lost = continent not in own or continent in eliminated_from(position, power)
    return next(iter(own)) if lost else continent


def status_of(position: Position, power: str) -> Counter[str]:
    """Continent -> the centres that feed a Colonial Power's units of it."""
    return Counter(_fed_by(position, power, centre) for centre in position.centres(power))


def without_status(position: Position, power: str) -> Iterator[str]:
    """Continents from which a power is eliminated now."""
    status, gone = status_of(position, power), eliminated_from(position, power)
    for continent in home_continents(position.board, power):
        if not status[continent] and continent not in gone:
            yield continent


def marks_of_centres(before: Position, after: Position) -> dict[str, Mapping[str, str]]:
    """The marks after the captures of January: a centre that has changed hands feeds again."""
    marks = dict(after.marks)
    for centre, owner in after.owners.items():
        if before.owners.get(centre) == owner:
            continue
        kept = {name: text for name, text in marks.pop(centre, {}).items() if name != CONTINENT}
        takers = after.at(centre)
        if takers and is_colonial(after.board, owner) and _is_exception(after, owner, centre):
            kept[CONTINENT] = continent_of(takers[0], after.board)
        if kept:
            marks[centre] = MappingProxyType(kept)
    return marks


def _is_exception(position: Position, power: str, centre: str) -> bool:
    """IV.E: whether a centre that a power has taken feeds the continent of the unit that took it."""
    board = position.board
    continent = lies_in(board, centre)
    turkish = power == "ENGLAND" and board.home_of.get(centre) == "TURKEY"
    return turkish or continent not in home_continents(board, power) or continent in eliminated_from(position, power)


def away_from(unit: Unit, board: Board) -> str:
    """The continent of a Colonial Power's unit that does not stand on it; "" where nobody would be in doubt."""
    if not is_colonial(board, unit.power):
        return ""
    own, here = continent_of(unit, board), lies_in(board, unit.at)
    return "" if own == (here or next(iter(home_continents(board, unit.power)))) else own


def told(position: Position, power: str) -> Iterator[str]:
    """What people read of a Colonial Power's continents, a line for each."""
    board, gone = position.board, eliminated_from(position, power)
    name, status = board.powers[power].told, status_of(position, power)
    for continent in home_continents(board, power):
        units = [unit_text(u, board) for u in position.of(power) if continent_of(u, board) == continent]
        if continent in gone:
            yield tell("{name} is eliminated from {continent}.", name=name, continent=tell(continent))
        if status[continent] or units:
            fed = f"{status[continent]} {tell_counted(status[continent], 'centre', 'centres')}"
            there = listed(units) or tell("no unit")
            yield tell(
                "{name} in {continent}: {fed}; {units}.", name=name, continent=tell(continent), fed=fed, units=there
            )
    other = [
        tell("{place} feeds {continent}", place=board.spelled[code], continent=tell(position.marks[code][CONTINENT]))
        for code in position.centres(power)
        if CONTINENT in position.marks.get(code, {})
    ]
    if other:
        yield f"{name}: {listed(other)}."


PAGE = (
    Block(
        "Global Diplomacy II",
        (
            "Twelve powers play on the whole world: the seven of the standard game, and Brazil, Ethiopia, India,"
            " Japan and the United States. John Armstrong made it; these are his rules of 1999. His map and his list of"
            " provinces are lost: this board, of 195 spaces and 82 supply centres, is a reconstruction that meets all"
            " that his rules say. Everything below stands beside the rules of 1976.",
            "WINNING. Whoever owns 42 centres has won.",
            "THE YEAR begins with the adjustments of February. Spring moves, Summer retreats, Fall moves and December"
            " retreats follow; in January centres change hands. The first phase is Spring 1901, and the first"
            " adjustments are those of February 1902.",
            "CONTINENTS are Africa, America (north and south), Asia (with Australia) and Europe. England, France,"
            " Germany and Russia are Colonial Powers, and keep each continent on which they began apart: England in"
            " Europe, Africa and Asia, France and Germany in Europe and Africa, Russia in Europe and Asia. Their units"
            " are of the continent in which they were built or started, wherever they go, and are fed by the centres"
            " of that continent alone. So a Colonial Power may have to build on one continent and to remove on another"
            " in the same winter; where it has no room to build, it stays short. A centre counts on the continent in"
            " which it lies, whatever unit took it. For the other eight powers the world is one.",
            "ELIMINATION. A Colonial Power that has no centre left for a continent when a year ends is eliminated from"
            " it: its units of that continent go, and it builds there no more.",
            "THE EXCEPTION. A centre feeds the continent of the unit that took it, instead of its own, in three cases:"
            " on a continent where its new owner had no home centre when the game began; on one from which that owner"
            " was eliminated in an earlier year; and if England takes Ankara, Constantinople, Jerusalem or Smyrna from"
            " whomever. It does so until it changes hands.",
            "SIBERIA. The Russian fleet that begins there holds in Spring and Fall 1901. It may be supported; if it is"
            " dislodged it retreats, and holds where it then stands.",
            "CANALS are Central America, Constantinople, Egypt and Kiel: fleets pass by stopping there, and they need"
            " no coast. Bulgaria (EC, SC), Colombia (NC, WC), Mexico (EC, WC), St Petersburg and Spain (NC, SC) have"
            " two coasts; name the one that you mean where a fleet could come to both.",
            "LAND BRIDGES join Denmark and Sweden, Indonesia and Siam, Indonesia and New Guinea, Hokkaido and Tokyo,"
            " and Kyushu, Shikoku and Osaka with one another: armies walk over them, fleets pass beside them. Indonesia"
            " and the Philippines are one space each. Nobody jumps over a space: `F South China Sea - East Indian"
            " Ocean` is no move.",
            "THE EDGES. The east and the west edge of the map join in the Pacific; nobody passes the poles. Ural,"
            " Yakutsk and Yukon touch no sea but the Arctic, so no fleet comes to them.",
            "WHO SENDS NO REMOVALS loses those units of the continent concerned that stand farthest from the power's"
            " home centres there.",
        ),
    ),
)

REASONS = {
    "laid-up": Reason("the Russian fleet of Siberia is under repair, and holds in Spring and Fall 1901", "VI"),
    "eliminated-from-continent": Reason(
        "the power was eliminated from this continent, and builds there no more", "IV.D"
    ),
    "no-build-on-continent": Reason(
        "no build is due on this continent: its units are fed by its own centres alone", "IV.C"
    ),
    "no-removal-on-continent": Reason(
        "the unit is of a continent on which nothing has to be removed: each continent feeds its own units", "IV.C"
    ),
}


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

_SHORT = MappingProxyType(
    {told_later("Africa"): "Af", told_later("America"): "Am", told_later("Asia"): "As", told_later("Europe"): "Eu"}
)


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
        lines += tuple(tell("{foreign} holds this year.", foreign=foreign(unit, position.board)) for unit in held)
        return (Block(tell("Continents of the Colonial Powers"), lines),) if lines else ()

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


RULE_SYSTEMS = (
    RuleSystem(
        Global(key="global2"),
        "Global Diplomacy II",
        presets={"global2": {"rules": "global2", "map": "global2", "players": "12", "nmr": "grace"}},
        reasons=REASONS,
        page=PAGE,
    ),
)

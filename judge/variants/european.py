"""The European Variant by Mike Zmolek: eight powers on a board of 143 spaces, with mountains that close and open, and
armies that travel by rail.

1. Eight powers. Beside the centres where its first units stand each has an extra home centre, nobody's at the start, in
   which it builds like in any other once it is its own; then it is home to units that go in civil disorder, too. Other
   centres within its frontier are never home (7.C).
2. An army in Kurdistan supports nobody (5.C).
3. In Fall, moves and retreats, no army enters or leaves the Norse Coast. A move does if a fleet in the Norwegian Sea
   supports it and that support stands; without it the army has no strength but in its own place. An army there supports
   in Fall only fleets that enter the province from which it came (5.C).
4. The south of Switzerland is closed to armies in Fall: a fact of the board (5.C).
5. An army that came to Tyrolia in Spring over one side of its mountains may not go on over the other in the Fall that
   follows, nor support there: a ridge of the board. Retreats are free (5.C; the second "Milan or Venice" means Munich).
6. An army travels along the railway in one move as far as nobody stands on its line, and nobody goes there (5.D).
7. Support of a convoyed attack is cut by Thundar's rules (7.D). Foreign units are named with their nationality (7.C).
8. The first phase is the round of negotiations of 1890; nobody orders then (7.B).
9. Everything else is as in 1976.

A line is open as long as nobody stands on it at the start and nobody else goes to a place of it, whether they get in or
not; where it is closed the army stops before that place, or stays. It meets nobody, cuts nothing and needs no support.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from judge.adjudicate.bout import Bout
from judge.adjudicate.outcome import Result
from judge.board.extras import Extras, Line
from judge.board.model import Board, Location, province_of
from judge.board.phase import ADJUSTMENTS, FALL, MOVES, SPRING, WINTER, Phase, PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.languages import tell
from judge.orders.family import FAMILY, RAIL
from judge.orders.kinds import ORDERS, Kinds
from judge.orders.model import Build, Move
from judge.orders.spelled import listed
from judge.rules import Rules
from judge.rules.calendar import CALENDAR_1976, Calendar, Step
from judge.rules.choices import Paradox
from judge.rules.model import RuleSystem
from judge.rules.questions import Block, Escort, Happened, farthest_first
from judge.rules.reasons import Reason


def run_trains(bout: Bout, trains: list[int]) -> None:
    """Let armies travel as far as their lines are open: called when all other moves have been entered."""
    stops: dict[int, str] = {}
    bout.apart |= dict.fromkeys(trains, "no-support-by-rail")
    for unit in trains:
        order = bout.given[unit]
        places = bout.chart.board.line(order.unit.kind, order.unit.at, order.to)
        if not places:
            bout.faults[unit] = (Result.ILLEGAL, "no-railway")
            continue
        stops[unit] = _last_open(bout, places)
        if stops[unit] != places[-1]:
            bout.faults[unit] = (Result.BOUNCED, "railway-cut-short")
    for unit, stop in stops.items():
        if stop and list(stops.values()).count(stop) == 1:
            bout.enter(unit, bout.chart.space[stop], stop)
        else:
            bout.faults[unit] = (Result.BOUNCED, "railway-closed")
    bout.unsupportable = frozenset(stops)


def _last_open(bout: Bout, places: Sequence[str]) -> str:
    """The last place before the first that is closed; "" for the start."""
    reached = ""
    for place in places:
        space = bout.chart.space[place]
        if bout.occupant[space] >= 0 or bout.movers[space]:
            break
        reached = place
    return reached


KURDISTAN, NORSE_COAST, NORWEGIAN_SEA = "KUR", "NCO", "NWG"
COVER = Escort(NORWEGIAN_SEA, "norse-coast-uncovered")
IN_FALL = FALL.code
CAME, WHEN = "entered_from", "entered"
"""Marks of armies: the province from which they came to where they stand, and the phase."""


_RAILWAY = "Sleepers: a railway, which takes an army to its far end in one move (RR)"
_CLOSED_IN_FALL = "In Fall the south of Switzerland is closed to armies; the Norse Coast too, but for a fleet's support"

KINDS = FAMILY.having(replace(RAIL, lower=run_trains))
_NEGOTIATIONS = Step(WINTER, PhaseKind.TALKS)
_CALENDAR = replace(CALENDAR_1976, prelude=_NEGOTIATIONS)


@dataclass(frozen=True, slots=True)
class European(Rules):
    """The answers that differ; clause 7 is `paradox`, clause 8 the calendar's prelude."""

    calendar: Calendar = _CALENDAR
    paradox: Paradox = Paradox.THUNDAR

    def board(self, board: Board) -> Board:
        """Clause 8."""
        talks = Phase(board.first_phase.year - 1, _NEGOTIATIONS.season.code, _NEGOTIATIONS.kind)
        return replace(board, first_phase=talks, facts={**board.facts, ORDERS: self.key})

    def kinds(self) -> Kinds:
        """Clause 6."""
        return KINDS

    def barred(self, position: Position, unit: Unit, to: Location) -> str:
        """Clauses 3 and 5."""
        if not _is_army_in_fall(position, unit):
            return ""
        start, goal = province_of(unit.at), province_of(to)
        if NORSE_COAST in (start, goal):
            return "" if _may_be_covered(position, goal) else "norse-coast-closed"
        came = _came_from(unit) if _came_this_spring(unit, position) else ""
        over = position.phase.kind is MOVES and (came, start, goal) in position.board.ridges
        return "over-the-ridge" if over else ""

    def extras(self, position: Position) -> Extras:
        """Clauses 3, 4 and 6, for those who look at the board."""
        stretches = {pair for line in position.board.railways for pair in pairwise(line) if pair[0] < pair[1]}
        lines = tuple(Line(a, b, "rail") for a, b in sorted(stretches))
        in_fall = position.phase.season == IN_FALL and position.phase.kind is not ADJUSTMENTS
        return Extras(lines=lines, notes=(_RAILWAY, _CLOSED_IN_FALL) if in_fall else (_RAILWAY,))

    def escort(self, position: Position, order: Move) -> Escort | None:
        """Clause 3."""
        crosses = order.unit.at == NORSE_COAST or order.to == NORSE_COAST  # armies stand on no coast
        return COVER if crosses and _is_army_in_fall(position, order.unit) else None

    def support_fault(self, position: Position, unit: Unit, of: Unit, to: Location) -> str:
        """Clauses 2, 3 and 5."""
        start, goal = province_of(unit.at), province_of(to)
        if start == KURDISTAN:
            return "no-support-from-kurdistan"
        if _is_army_in_fall(position, unit) and NORSE_COAST in (start, goal):
            lands = of.kind in position.board.carriers and province_of(of.at) != goal
            return "" if lands and goal == _came_from(unit) else "no-support-at-norse-coast"
        return self.barred(position, unit, to)

    def retreats(self, position: Position, unit: Unit, options: tuple[Location, ...]) -> tuple[Location, ...]:
        """Clause 3."""
        if not _is_army_in_fall(position, unit):
            return options
        return tuple(to for to in options if NORSE_COAST not in (unit.at, to))

    def settled(self, happened: Happened) -> Position:
        """Clauses 3 and 5: whence an army came to a place where it matters."""
        before, after = happened.before, happened.after
        places = {NORSE_COAST, *(through for _, through, _ in before.board.ridges)}
        carried = before.board.carried
        concerned = [unit for unit in after.units if unit.marks or (unit.at in places and unit.kind in carried)]
        stood = {unit.id: unit.at for unit in (*before.units, *(each.unit for each in before.dislodged))}
        came = {unit.id: at for unit in concerned if (at := stood.get(unit.id, unit.at)) != unit.at}
        if not came:
            return after
        units = tuple([_remembering(u, came[u.id], before.phase, places) if u.id in came else u for u in after.units])
        return after.followed_by(after.phase, units, after.owners, after.dislodged, after.next_id)

    def building_centres(self, position: Position, power: str) -> tuple[str, ...]:
        """Clause 1."""
        return (*Rules.building_centres(self, position, power), *_extra_homes(position.board, power))

    def removal_order(self, position: Position, power: str) -> tuple[Unit, ...]:
        """Clause 1: once it is its power's own, an extra home is one from which distances are counted."""
        extra = [home for home in _extra_homes(position.board, power) if position.owners.get(home) == power]
        homes = (*Rules.building_centres(self, position, power), *extra)
        return farthest_first(position, power, self.removals, homes)

    def build_fault(self, position: Position, order: Build) -> str:
        """Clause 1, as the reason for a refusal."""
        home = province_of(order.at)
        if home not in position.owners and home in _extra_homes(position.board, order.power):
            return "extra-home-not-taken"
        return Rules.build_fault(self, position, order)

    def desk(self, position: Position) -> tuple[Block, ...]:
        """Clauses 1, 3 and 5: which extra homes are still to be taken, and what is remembered of armies."""
        board = position.board
        homes = [(key, home) for key in board.powers for home in _extra_homes(board, key)]
        vacant = [(key, home) for key, home in homes if home not in position.owners]
        waiting = [f"{_name(board, home)} ({board.powers[key].told})" for key, home in vacant]
        lines = [tell("Still to be taken: {waiting}.", waiting=", ".join(waiting))] if waiting else []
        lines += filter(None, (_memory(position, unit) for unit in position.units))
        return (Block(tell("Extra home centres and mountains"), tuple(lines)),) if lines else ()


def _name(board: Board, place: str) -> str:
    return board.spelled[place]


def _memory(position: Position, unit: Unit) -> str:
    """What an army's way to where it stands bars or allows it in the next Fall; "" for nothing."""
    board, here, came = position.board, province_of(unit.at), _came_from(unit)
    who = f"{tell(board.powers[unit.power].adjective)} A {_name(board, here)}"
    if here == NORSE_COAST and came:
        return tell("{who} came from {name}.", who=who, name=_name(board, came))
    beyond = [_name(board, to) for start, through, to in sorted(board.ridges) if (start, through) == (came, here)]
    ahead = str(position.phase) in (f"{SPRING.code}{position.phase.year}R", f"{FALL.code}{position.phase.year}M")
    if not beyond or not ahead or not _came_this_spring(unit, position):
        return ""
    return tell(
        "{who} came from {name}: this Fall not on to {beyond}, nor support there.",
        who=who,
        name=_name(board, came),
        beyond=listed(beyond, "or"),
    )


def _is_army_in_fall(position: Position, unit: Unit) -> bool:
    return position.phase.season == IN_FALL and unit.kind in position.board.carried


def _may_be_covered(position: Position, goal: str) -> bool:
    """Whether a fleet stands in the Norwegian Sea that could support into a province."""
    if position.phase.kind is not MOVES:
        return False
    carriers = [unit for unit in position.at(NORWEGIAN_SEA) if unit.kind in position.board.carriers]
    return any(province_of(to) == goal for fleet in carriers for to in position.board.reach(fleet.kind, fleet.at))


def _came_from(unit: Unit) -> str:
    return dict(unit.marks).get(CAME, "")


def _came_this_spring(unit: Unit, position: Position) -> bool:
    return dict(unit.marks).get(WHEN) == f"{SPRING.code}{position.phase.year}{MOVES.value}"


def _remembering(unit: Unit, stood: Location, phase: Phase, places: set[str]) -> Unit:
    """A unit that has come to where it stands, with what is remembered of that."""
    if unit.at in places:
        return unit._replace(marks=((WHEN, str(phase)), (CAME, province_of(stood))))
    return unit._replace(marks=()) if unit.marks else unit


def _extra_homes(board: Board, power: str) -> tuple[str, ...]:
    known = board.powers.get(power)
    extra = known.facts.get("extra_home") if known else None
    return (extra,) if isinstance(extra, str) else ()


PAGE = (
    Block(
        "The European Variant",
        (
            "Eight powers play on a board of 143 spaces, 103 of land and 40 of sea, with 54 supply centres: the"
            " seven of the standard game, England as Great Britain and Turkey as the Ottoman Empire, and Spain with A"
            " Barcelona, A Madrid and F Malaga. Mike Zmolek made it in 1998. His map is lost; this board is a"
            " reconstruction that meets the numbers and names that his rules give. Everything below stands beside the"
            " rules of 1976.",
            "TIME. The year 1890 is one round of negotiations in which nobody orders; the first moves are those of"
            " Spring 1891. Whoever owns 28 centres has won. Otherwise the game ends after Winter 1917, with the 54th"
            " movement turn, and all survivors draw.",
            "HOME CENTRES. Beside the centres in which its first units stand, each power has one more that is"
            " nobody's at the start: Austria Prague, France Lyon, Germany Frankfurt, Great Britain Belfast, Italy"
            " Milan, the Ottoman Empire Iraq, Russia Minsk, Spain Tangier. Once it owns it, it builds there like at"
            " home, and it counts as home where units are removed in civil disorder. Sicily, Kharkov, Odessa, Tehran"
            " and Egypt are centres like any other: nobody builds there.",
            "WATERS. Andalusia and Bulgaria have a west or south and an east coast, St. Petersburg a south coast at"
            " the Gulf of Finland and a north coast at Lake Onega; name the coast where a fleet could come to both."
            " Fleets pass through Arkhangel'sk, Constantinople, Denmark and Kiel by stopping there; they need no"
            " coast. The canal of Egypt leads nowhere.",
            "SWITZERLAND is a province with a centre. To Marseilles, Piedmont, Milan and Tyrolia its borders are"
            " closed to armies in Fall: no moves, no supports, and no retreats after the Fall moves.",
            "TYROLIA. An army that came from Munich in Spring neither goes to Milan or Venice in the Fall of that"
            " year, nor supports there; one that came from Milan or Venice not to Munich. Retreats are free, and so"
            " is an army that has stood there longer.",
            "THE NORSE COAST. In Fall an army enters or leaves it only if a fleet in the Norwegian Sea supports its"
            " move and that support is not cut; else the army has no effect where it was to go, and holds its place"
            " with a strength of one. So it leaves by Norway, or by sea. No army retreats there or from there after"
            " the Fall moves. An army there supports in Fall only a fleet that enters the province from which the"
            " army came.",
            "KURDISTAN. An army there supports nobody.",
            "THE RAILWAY runs from Moscow by Perm to Omsk. `A Moscow RR Omsk` takes an army there in one move, `A"
            " Omsk RR Moscow` back, if nobody stands in Perm or at its end when the turn begins, and nobody is"
            " ordered there; else the army stops before the first place that is closed. A journey by rail is not"
            " supported.",
            "CONVOYS. An army that arrives by sea cuts the support of a fleet, also for an attack on one of its own"
            " carriers, but not where that attack is on the last sea of its route, unless it dislodges the fleet. A"
            " convoy that would break itself by what it does has not taken place. Who supports or carries a foreign"
            " unit names its nationality: `F North Sea South S FRENCH A Belgium - Holland`.",
        ),
    ),
)

REASONS = {
    "norse-coast-closed": Reason(
        "in Fall no army enters or leaves the Norse Coast, unless a fleet in the Norwegian Sea supports it", "5.C"
    ),
    "norse-coast-uncovered": Reason(
        "no support of a fleet in the Norwegian Sea stood, and the Norse Coast is closed to armies in Fall without it",
        "5.C",
    ),
    "no-support-at-norse-coast": Reason(
        "in Fall no army supports into the Norse Coast, and one that is there helps only a fleet to enter the province"
        " from which it came itself",
        "5.C",
    ),
    "no-support-from-kurdistan": Reason("an army in Kurdistan supports nobody", "5.C"),
    "over-the-ridge": Reason(
        "an army that came from beyond the mountains in Spring does not cross them to the other side in the next Fall",
        "5.C",
    ),
    "extra-home-not-taken": Reason("this extra home centre has to be taken before units are built in it", "7.C"),
}

RULE_SYSTEMS = (
    RuleSystem(
        European(key="european"),
        "European Variant",
        presets={
            "european": {
                "like": "houserules-003",
                "rules": "european",
                "map": "european",
                "players": "8",
                "nationality": "yes",
            }
        },
        reasons=REASONS,
        page=PAGE,
    ),
)

"""Orders to come aboard a fleet and to go ashore, for systems in which fleets carry armies that way (1958).

An army that is carried stands where its fleet stands, holds nothing and does nothing but go ashore, when its fleet is
ordered out. Boarding and sailing are one act: if the fleet is stopped, the army is still ashore.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judge.adjudicate.bout import YES, Bout, Company
from judge.adjudicate.company import CompanySolver
from judge.adjudicate.outcome import Result
from judge.adjudicate.why import Verdict
from judge.board.model import Board, province_of
from judge.board.phase import MOVES
from judge.board.position import Position
from judge.board.status import Flaw
from judge.board.unit import ANY, Unit, any_like
from judge.languages import tell
from judge.orders.grammar import Tile
from judge.orders.kinds import UNSAID, OrderKind
from judge.orders.lexer import Lexed
from judge.orders.model import Convoy, Move, Order, UnitOrder
from judge.orders.moving import decided, find_ways, no_subject, read_hold
from judge.orders.reading import Problem
from judge.orders.scene import Meaning, Scene
from judge.orders.spelled import foreign, order_words, unit_text
from judge.rules.model import Rules


@dataclass(frozen=True, slots=True)
class Aboard(UnitOrder):
    """Come aboard a fleet, which is ordered out on the same move, or comes in."""

    of: Unit

    def __str__(self) -> str:
        return f"{self.unit} ABOARD {self.of}"


@dataclass(frozen=True, slots=True)
class Ashore(UnitOrder):
    """Go ashore where the fleet is that carries the unit, while it is ordered out."""

    def __str__(self) -> str:
        return f"{self.unit} ASHORE"


def board(bout: Bout, armies: list[int]) -> None:
    """Let armies come aboard: the `lower` of `Aboard`."""
    company = bout.company = bout.company or Company()
    for army in armies:
        order: Aboard = bout.given[army]
        fleet = _fleet_of(bout, company, order.of)
        if fault := boarding_fault(bout, army, fleet):
            bout.faults[army] = (Result.ILLEGAL, fault)
        else:
            company.boarding[army] = fleet


def _fleet_of(bout: Bout, company: Company, named: Unit) -> int:
    """The fleet that an order means; of several alike, if it leaves that open, one that sails and has no army yet."""
    fleet = bout.number[named.id]
    if not named.mark(ANY):
        return fleet
    units, taken = bout.position.units, company.boarding.values()
    like = (units[fleet].kind, units[fleet].at, units[fleet].power)
    alike = [number for number, unit in enumerate(units) if (unit.kind, unit.at, unit.power) == like]
    return next((each for each in alike if bout.landing[each] is not None and each not in taken), fleet)


def boarding_fault(bout: Bout, army: int, fleet: int) -> str:
    """Why an army could never come aboard a fleet, as a reason's slug."""
    units = bout.position.units
    if army in bout.layout.riders:
        return "aboard-already"
    if units[army].kind not in bout.chart.carried or units[fleet].kind not in bout.chart.carriers:
        return "only-armies-aboard-fleets"
    if reason := bout.rules.carriage_fault(bout.position, units[fleet], units[army]):
        return reason
    here = bout.at[army]
    return "" if bout.at[fleet] == here or here in bout.spots[fleet].near else "fleet-cannot-come"


def wrongly_carried(position: Position, rules: Rules) -> Iterator[Flaw]:
    """Who is aboard a unit that may not carry it, by the rules."""
    everybody = {unit.id: unit for unit in (*position.units, *(each.unit for each in position.dislodged))}
    for unit in everybody.values():
        carrier = everybody.get(unit.aboard)
        if carrier is not None and rules.carriage_fault(position, carrier, unit):
            yield Flaw("no-carrier", unit.at, f"{unit} is aboard a unit that may not carry it")


def put_ashore(bout: Bout, armies: list[int]) -> None:
    """Let armies go ashore: the `lower` of `Ashore`."""
    company = bout.company = bout.company or Company()
    for army in armies:
        unit = bout.position.units[army]
        if army not in bout.layout.riders:
            bout.faults[army] = (Result.ILLEGAL, "not-aboard")
        elif not bout.chart.board.can_stand(unit.kind, unit.at):
            bout.faults[army] = (Result.ILLEGAL, "no-shore")
        else:
            company.ashore[army] = bout.number[unit.aboard]


def told_aboard(solver: CompanySolver, army: int, attacker: int) -> Verdict:
    """What became of an order to come aboard: the army is, or its fleet was stopped."""
    company = solver.company
    fleet = company.sails_with.get(army, company.picked_up.get(army, -1))
    return _told(solver, "came-aboard", fleet, done=solver.fate[fleet] == YES)


def told_ashore(solver: CompanySolver, army: int, attacker: int) -> Verdict:
    """What became of an order to go ashore: the army is, or its fleet was stopped."""
    return _told(solver, "went-ashore", solver.company.lands[army][0], done=solver.lands(army) == YES)


def _told(solver: CompanySolver, how: str, fleet: int, *, done: bool) -> Verdict:
    if done:
        return Result.OK, how, (), None
    stopped = solver.fate[fleet] != YES
    return Result.BOUNCED, "fleet-stopped" if stopped else "shore-not-cleared", (fleet,), None


# ---- how they are written -------------------------------------------------------------------------------------------


def read_aboard(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Bre ABOARD F Bre", "A Bel embarks on F Eng"; "A Bre aboard", where one fleet alone could take it."""
    subject = scene.subject(lexed, tile)
    if not subject.units:
        return no_subject(scene, lexed, tile)
    position, board = scene.ground.position, scene.board
    armies = [unit for unit in subject.units if unit.kind in board.carried] or list(subject.units)
    fleets = _fleets_meant(scene, lexed, tile, armies[0])
    meant = [Aboard(unit, fleet) for unit in armies for fleet in fleets if fleet != unit]
    if not meant or (tile.of_at < 0 and len(fleets) > 1):
        near = [order for unit in armies for order in _boardings(position, unit)]
        sentence = tell("Which fleet is meant?" if near else "There is no fleet of yours that could take it aboard.")
        return Meaning(problem=Problem("no-such-unit", sentence, tuple(near), "Aboard", guessed=True), unit=armies[0])
    if tile.to:
        return _two_lines(scene, lexed, tile, meant[0])
    return decided(scene, subject._replace(units=tuple(armies)), meant)


def _fleets_meant(scene: Scene, lexed: Lexed, tile: Tile, army: Unit) -> tuple[Unit, ...]:
    """The fleets that a line can mean: those that it names; else the army's own that are beside it, or else near."""
    if tile.of_at >= 0:
        named = scene.others(lexed, tile).units
        carriers = tuple(fleet for fleet in named if fleet.kind in scene.board.carriers)
        return tuple(fleet for fleet in carriers if fleet.power == army.power) or carriers or named
    own = [order.of for order in _boardings(scene.ground.position, army) if order.of.power == army.power]
    beside = [fleet for fleet in own if province_of(fleet.at) == province_of(army.at)]
    return tuple(
        {(fleet.kind, fleet.at): any_like(fleet) if fleet.number else fleet for fleet in beside or own}.values()
    )


def read_who_boards(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "Board F Bre", "F Bre takes ... aboard": which army is not said."""
    fleets = scene.others(lexed, tile).units
    position = scene.ground.position
    armies = [unit for fleet in fleets for unit in position.of(fleet.power)]
    near = [order for unit in armies for order in _boardings(position, unit) if order.of in fleets]
    problem = Problem("no-such-unit", tell("Which army is to come aboard?"), tuple(near), "Aboard", guessed=True)
    return Meaning(problem=problem)


def _two_lines(scene: Scene, lexed: Lexed, tile: Tile, order: Aboard) -> Meaning:
    """ "A Bre - ABOARD F Bre - Eng": where the fleet goes is its own order."""
    ways = find_ways(scene, [order.of], lexed.values[tile.to[-1]])
    sails = [order_words(Move(way.unit, way.to), scene.board) for way in ways[:1]]
    sentence = tell("Where an army aboard goes is its fleet's order; please send both, as two orders.")
    both = ", ".join((order_words(order, scene.board), *sails))
    return Meaning(problem=Problem("army-and-fleet", sentence, (both,), "Aboard"), unit=order.unit)


def read_ashore(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Bel ASHORE", "A Bel lands"."""
    subject = scene.subject(lexed, tile)
    if not subject.units:
        return no_subject(scene, lexed, tile)
    armies = tuple(unit for unit in subject.units if unit.kind in scene.board.carried) or subject.units
    if tile.of_at >= 0 and armies[0].kind in scene.board.carriers:  # "F Bel unloads A Bel"
        armies = tuple(unit for unit in scene.others(lexed, tile).units if unit.kind in scene.board.carried) or armies
    aboard = tuple(unit for unit in armies if unit.aboard) or armies
    return decided(scene, subject._replace(units=aboard), [Ashore(unit) for unit in aboard])


def read_no_convoy(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "F Eng C A Bre - Bel", where there are no convoys: the two orders that do it."""
    fleets, armies = scene.subject(lexed, tile).units, scene.others(lexed, tile).units
    pairs = [(fleet, army) for fleet in fleets for army in armies if army.kind in scene.board.carried]
    sentence = tell(
        "There are no convoys in this game: an army comes aboard a fleet (`A ... ABOARD F ...`, with the fleet's own"
        " move), and on a later move goes ashore (`A ... ASHORE`, with the fleet ordered out)."
    )
    lines = _lines_instead(scene, lexed, tile, *pairs[0]) if pairs else ()
    unit = fleets[0] if len(fleets) == 1 else None
    return Meaning(problem=Problem("no-convoys", sentence, lines, "Aboard", guessed=True), unit=unit)


def _lines_instead(scene: Scene, lexed: Lexed, tile: Tile, fleet: Unit, army: Unit) -> tuple[str, ...]:
    """What takes an army along, or puts it ashore: both orders in one line where the fleet's is known."""
    board = scene.board
    one: Order = Ashore(army) if army.aboard else Aboard(army, fleet)
    to = next((to for to in board.reach(fleet.kind, fleet.at) if province_of(to) == province_of(army.at)), "")
    if province_of(fleet.at) == province_of(army.at) and tile.to:
        to = next((way.to for way in find_ways(scene, [fleet], lexed.values[tile.to[-1]])), "")
        to = to if scene.ground.reach.can_go(fleet, to) else ""
    sails = (order_words(Move(fleet, to), board),) if to else ()
    return (", ".join((order_words(one, board), *sails)),)


def _could_take(position: Position, army: Unit, fleet: Unit) -> bool:
    here = province_of(army.at)
    near = position.board.reach(fleet.kind, fleet.at)
    return province_of(fleet.at) == here or any(province_of(to) == here for to in near)


def _boardings(position: Position, unit: Unit) -> list[Aboard]:
    board = position.board
    if unit.kind not in board.carried or unit.aboard:
        return []
    own = (fleet for fleet in position.of(unit.power) if fleet.kind in board.carriers)
    return [Aboard(unit, fleet) for fleet in own if _could_take(position, unit, fleet)]


def _landings(position: Position, unit: Unit) -> list[Order]:
    return [Ashore(unit)] if unit.aboard and position.board.can_stand(unit.kind, unit.at) else []


def _canonical_aboard(unit: Unit, words: list[str], scene: Scene) -> Order | None:
    fleet = scene.ground.lines.get(f"{words[3]} {words[4]}") if len(words) == 5 else None
    good = fleet is not None and fleet.kind in scene.board.carriers
    return Aboard(unit, fleet) if fleet is not None and good and unit.kind in scene.board.carried else None


def _canonical_ashore(unit: Unit, words: list[str], scene: Scene) -> Order | None:
    return Ashore(unit) if len(words) == 3 and unit.kind in scene.board.carried else None


def _aboard_spelled(order: Aboard, board: Board) -> str:
    carrier = foreign(order.of, board) if order.of.power != order.unit.power else unit_text(order.of, board)
    return f"{unit_text(order.unit, board)} ABOARD {carrier}"


def _ashore_spelled(order: Ashore, board: Board) -> str:
    return f"{unit_text(order.unit, board)} ASHORE"


_IN_MOVES = frozenset({MOVES})
_NO_RIDE = "Armies come aboard and go ashore with the moves."

ABOARD_KIND = OrderKind(
    "aboard",
    Aboard,
    _IN_MOVES,
    said="come aboard a fleet",
    wrong=_NO_RIDE,
    words={
        **dict.fromkeys(
            ("aboard", "board", "boards", "boarding", "onboard", "embark", "embarks", "embarking", "embarked"), "A"
        ),
        **dict.fromkeys(("get", "gets", "getting", "climbs", "comes", "steps"), ""),
    },
    forms={
        "aboard": ("{subject}-?A-?{of}", "{subject}-?A-?U?(?![A-Z])"),
        "aboard-and-on": ("{subject}-?A-?{of}{to}",),
        "who-boards": ("A-?{of}",),
        "stays-aboard": ("{subject}-?HA",),
    },
    readers={
        "aboard": read_aboard,
        "aboard-and-on": read_aboard,
        "who-boards": read_who_boards,
        "stays-aboard": read_hold,
    },
    canonical={"ABOARD": _canonical_aboard},
    spelled=_aboard_spelled,
    told=_aboard_spelled,
    tries=_boardings,
    sign="aboard",
    lower=board,
    tell=told_aboard,
)
ASHORE_KIND = OrderKind(
    "ashore",
    Ashore,
    _IN_MOVES,
    said="go ashore",
    wrong=_NO_RIDE,
    words={
        **dict.fromkeys(("ashore", "land", "lands", "landing", "landed", "off", "unload", "unloads", "unloading"), "G"),
        **dict.fromkeys(("disembark", "disembarks", "disembarking", "disembarked"), "G"),
        **dict.fromkeys(("debark", "debarks", "debarking", "debarked"), "G"),
    },
    forms={"ashore": ("{subject}-?G(?:-?{of})?", "G{at}")},
    readers={"ashore": read_ashore},
    canonical={"ASHORE": _canonical_ashore},
    spelled=_ashore_spelled,
    told=_ashore_spelled,
    tries=_landings,
    sign="ashore",
    lower=put_ashore,
    tell=told_ashore,
)
NO_CONVOY_KIND = OrderKind(
    "no-convoy",
    Convoy,
    _IN_MOVES,
    said=UNSAID,
    words={
        **dict.fromkeys(
            ("carry", "carries", "carrying", "take", "takes", "taking", "bring", "brings", "picks", "loads"), "C"
        ),
        **dict.fromkeys(("pick", "fetch", "fetches", "fetching", "load", "ship", "ships", "collects", "collect"), "C"),
        "up": "",
    },
    forms={"takes-aboard": ("{subject}-?C-?{of}-?A(?:-?{to})?",)},
    readers={"convoy": read_no_convoy, "convoy-nowhere": read_no_convoy, "takes-aboard": read_no_convoy},
)
"""Convoys, of a system that has none: whoever orders one is told how armies are carried."""

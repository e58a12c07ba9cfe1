"""How the orders of 1914 are written and read: whole lines, in canonical form and as people write them.

Adjustments that depend on points that may come (clause 4): "if received 3 from Russia then A Ber B else F Kie B".

Who expects points writes adjustments for both cases. A gift itself never depends on anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from judge.adjudicate.bout import Bout
from judge.adjudicate.outcome import Result
from judge.board.extras import Stroke
from judge.board.model import Board, Terrain, province_of
from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS
from judge.board.position import Position
from judge.board.unit import Unit
from judge.languages import tell, told_later
from judge.orders.family import FAMILY
from judge.orders.kinds import OrderKind
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Support, UnitOrder, Waive
from judge.orders.reader import read_line
from judge.orders.reading import Problem, ReadOptions
from judge.orders.scene import Scene
from judge.orders.spelled import place, unit_text
from judge.orders.tongues import BUILD, DISBAND, words_abroad
from judge.rules.business import Business, Deed, begun
from judge.variants.pulsipher1914.bombers import flight_fault, may_base
from judge.variants.pulsipher1914.lines import places_named
from judge.variants.pulsipher1914.orders import (
    Cover,
    GuestRetreat,
    Later,
    Raid,
    Rebase,
    Segments,
    Train,
    Visit,
    open_route,
    part_of,
    route_fault,
    second_fault,
    visit_fault,
)
from judge.variants.pulsipher1914.state import BOMBER, CountryState, country_called, is_home, spaces_within

_BUILDS, _REMOVES = (
    "|".join((*english, *(word for word, says in words_abroad() if says == meant)))
    for meant, english in ((BUILD, ("build",)), (DISBAND, ("remove", "disband")))
)
"""What a line that builds, or removes, begins with in any language."""
_WITHOUT_CAPTURE = r"(?:without captur(?:e|ing(?: it)?)|ohne einnahme)"
_UNIT = r"(?P<kind>A|F|B|Army|Fleet|Bomber)\.?\s+(?P<at>[^-]+?)"
_TWO = re.compile(r"^(?P<first>.+?)\s*[,;.]?\s*(?:\(2\)|2nd:|\(2nd\)|then:)\s*(?P<then>.+)$", re.IGNORECASE)
_RAIL = re.compile(
    rf"^{_UNIT}\s*-?\s*\b(?:RR|(?:(?:goes|go|travels?)\s+)?by rail(?:road|way)?(?: to)?)\b\s*-?\s*(?P<route>.+)$",
    re.IGNORECASE,
)
_RAIL_BEHIND = re.compile(rf"^{_UNIT}\s*-\s*(?P<route>.+?)\s+(?:RR|by rail(?:road|way)?)$", re.IGNORECASE)
_VISIT = re.compile(rf"^{_UNIT}\s*-\s*(?P<to>.+?)\s*,?\s+(?:{_WITHOUT_CAPTURE}|visit)$", re.IGNORECASE)
_RETREAT = re.compile(
    rf"^{_UNIT}\s*(?:-|\bretreats?\b(?:\s+to\b)?|\bR\b)\s*(?P<to>.+?)\s*,?"
    rf"\s+{_WITHOUT_CAPTURE}$",
    re.IGNORECASE,
)
_BASE = re.compile(rf"^{_UNIT}\s*-?\s*\b(?:base[sd]?|rebases?|basis)\b\s*(?:to|in|at)?\s*(?P<to>.+)$", re.IGNORECASE)
_COVER = re.compile(rf"^{_UNIT}\s+(?:defends?|covers?|verteidigt)\s+(?P<to>.+)$", re.IGNORECASE)
_FLOWN = re.compile(rf"^{_UNIT}\s*(?:-+>?|\bto\b|\bmoves?(?: to)?\b)\s*(?P<to>.+)$", re.IGNORECASE)
_WAITS = re.compile(rf"^{_UNIT}\s+(?:H|holds?|stands?)$", re.IGNORECASE)
_RAID = re.compile(
    rf"^{_UNIT}\s+(?:bombs?|raids?|bombardiert)\s+(?P<to>.+?)(?P<lost>\s+(?:or (?:is|be) lost|oder geht verloren))?$",
    re.IGNORECASE,
)
_SECOND_MOVE = re.compile(r"^(?:-|–|to\b|moves? to\b)\s*(?P<to>.+)$", re.IGNORECASE)
_SECOND_SUPPORT = re.compile(
    r"^S(?:upports?)?\s+(?:F(?:leet)?\.?\s+)(?P<of>[^-]+?)(?:\s*-\s*(?P<to>.+))?$", re.IGNORECASE
)
_SECOND_HOLD = re.compile(r"^(?:H|holds?|stands?)$", re.IGNORECASE)
_SECOND_CONVOY = re.compile(r"^C(?:onvoys?)?\s+(?P<rest>.+)$", re.IGNORECASE)
_OF_BOMBERS = re.compile(
    rf"^[\s>*-]*(?:(?:{_BUILDS}|{_REMOVES})\s+)?(?:B|bomber)\.?\s+(?:in\s+)?[A-Za-z]{{3}}.*"
    r"|^[\s>*-]*F(?:leet)?\.?\s+\w+.*\(2\)",
    re.IGNORECASE,
)
_OF_BOMBER = re.compile(rf"^(?:(?:{_BUILDS})\s+)?(?:B|bomber)\.?\s+\w{{2}}", re.IGNORECASE)
_BUILT = re.compile(
    rf"^(?P<builds>(?:{_BUILDS})\s+)?(?:a\s+)?(?:B|bomber)\.?\s+(?:in\s+|at\s+)?(?P<at>[^-]+?)(?:\s+(?P<verb>B|D|build|disband|remove[sd]?))?$",
    re.IGNORECASE,
)
_WITHOUT = re.compile(_WITHOUT_CAPTURE, re.IGNORECASE)
_REMOVAL = re.compile(rf"^(?:{_REMOVES})\s+", re.IGNORECASE)
_MARK = re.compile(r"^(?:[\s>*•-]|\d{1,2}[.):]\s)+")
"""What stands before an order in a list, or in a quotation."""
_ONE = re.compile(r"\(1\)\s*|\b1st:\s*", re.IGNORECASE)


def read_whole(line: str, scene: Scene) -> Order | None:
    """The order on a line, if it is one that only 1914 has; None for any other."""
    text = _MARK.sub("", line).strip().rstrip(".!")
    if scene.kind is ADJUSTMENTS:
        return _bomber_in_winter(text, scene)
    if len(text) > 200:
        return None
    if scene.kind is RETREATS and _WITHOUT.search(text):
        match = _RETREAT.match(text)
        return _guest(match, scene) if match else None
    if scene.kind is not MOVES:
        return None
    if ("2" in text or "then:" in text.lower()) and (match := _TWO.match(text)) is not None:
        return _segments(match["first"], match["then"], scene)
    upper = text.upper()
    if "RR" in upper or "RAIL" in upper:
        match = _RAIL.match(text) or _RAIL_BEHIND.match(text)
        return _train(match, scene) if match else None
    if _WITHOUT.search(text) or upper.endswith("VISIT"):
        match = _VISIT.match(text)
        return _visit(match, scene) if match else None
    if upper[:1] == BOMBER or "BOMB" in upper or "RAID" in upper:
        return _flight(text, scene)
    return None


def misread(line: str, scene: Scene) -> Problem | None:
    """Why a line with words of 1914 is no order."""
    text = _MARK.sub("", line).strip().rstrip(".!")
    if len(text) > 200 or scene.kind is ADJUSTMENTS:
        return None
    if _OF_BOMBER.match(text):
        return _bomber_trouble(text, scene)
    if scene.kind is MOVES and (match := _TWO.match(text)) is not None:
        return _second_trouble(match["first"], match["then"], scene)
    if scene.kind is MOVES and (match := _VISIT.match(text)) is not None:
        return _stranger(match, scene, "14")
    match = _RAIL.match(text) or _RAIL_BEHIND.match(text) if scene.kind is MOVES else None
    return _journey_trouble(match, scene) if match is not None else None


def _bomber_trouble(text: str, scene: Scene) -> Problem | None:
    if (built := _BUILT.match(text)) is not None and (built["verb"] or built["builds"]):
        return Problem("wrong-phase", tell("Bombers are built and removed in the Fall adjustments."), (), "15")
    if (match := _WAITS.match(text)) is not None and (at := _place(match["at"], scene.board)):
        return _no_bomber(at, scene)
    for pattern in (_BASE, _COVER, _RAID, _FLOWN):
        if (match := pattern.match(text)) is None:
            continue
        at, to = _place(match["at"], scene.board), _place(match["to"], scene.board)
        if not at or not to:
            unknown = (match["to"] if at else match["at"]).strip()
            said = tell('"{text}" is no place on this board.', text=unknown[:40])
            return Problem("no-such-place", said, (), "15")
        return _no_bomber(at, scene)
    return None


def _no_bomber(at: str, scene: Scene) -> Problem:
    said = tell("No bomber of yours stands in {place}.", place=place(at, scene.board))
    return Problem("no-such-unit", said, (), "15")


def _second_trouble(first: str, then: str, scene: Scene) -> Problem | None:
    readings = read_line(_ONE.sub("", first), scene.ground.position, scene.power, options=scene.options)
    if len(readings) == 1 and readings[0].problem is not None:
        return readings[0].problem
    said = tell(
        'The second part, "{then}", is none that I can read; it is "- PLACE", "S F PLACE - PLACE" or "H".',
        then=then.strip()[:60],
    )
    return Problem("second-part-unread", said, (), "11")


def _journey_trouble(match: re.Match[str], scene: Scene) -> Problem | None:
    if not _place(match["at"], scene.board):
        return None
    if problem := _stranger(match, scene, "10"):
        return problem
    said = tell('"{route}" is no way over places of this board.', route=match["route"].strip()[:60])
    return Problem("no-such-place", said, (), "10")


def _stranger(match: re.Match[str], scene: Scene, clause: str) -> Problem | None:
    """The unit of an order is not there, or is another's."""
    at = _place(match["at"], scene.board)
    if not at or _subject(match, scene) is not None:
        return None
    kind = scene.board.kinds[match["kind"][0].upper()].name.lower()
    said = tell("No {kind} of yours stands in {place}.", kind=tell(kind), place=place(at, scene.board))
    return Problem("no-such-unit", said, (), clause)


def looks_whole(line: str) -> bool:
    """Whether a line is about a bomber, or has a second part."""
    return len(line) <= 200 and _OF_BOMBERS.match(_MARK.sub("", line)) is not None


def _bomber_in_winter(text: str, scene: Scene) -> Order | None:
    """ "B Ber B", "build bomber Berlin", "remove B Ber"."""
    removes = _REMOVAL.match(text)
    match = _BUILT.match(text[removes.end() :] if removes else text) if len(text) <= 60 else None
    code = _place(match["at"], scene.board) if match else ""
    if match is None or not code or scene.power is None:
        return None
    verb = (match["verb"] or "").upper()[:1]
    if removes or verb in ("D", "R"):
        own = [unit for unit in scene.ground.position.of(scene.power) if unit.kind == BOMBER and unit.at == code]
        return Disband(own[0]) if own else None
    return Build(scene.power, BOMBER, code) if verb == "B" or match["builds"] else None


def _subject(match: re.Match[str], scene: Scene) -> Unit | None:
    kind = match["kind"][0].upper()
    wanted = {province_of(at) for at in places_named(match["at"], scene.board)}
    found = [
        unit
        for unit in scene.ground.position.units
        if unit.kind == kind and province_of(unit.at) in wanted and scene.power in (None, unit.power)
    ]
    return found[0] if len(found) == 1 else None


def _place(text: str, board: Board, near: Iterable[str] = ()) -> str:
    """The province that a text names: of several that one which is near."""
    codes = dict.fromkeys(province_of(at) for at in places_named(text, board))
    close = {province_of(at) for at in near}
    best = [code for code in codes if code in close] or list(codes)
    return best[0] if best else ""


def _segments(first: str, then: str, scene: Scene) -> Order | None:
    readings = read_line(_ONE.sub("", first), scene.ground.position, scene.power, options=scene.options)
    order = readings[0].order if len(readings) == 1 and readings[0].problem is None else None
    if not isinstance(order, (Hold, Move, Support, Convoy)):
        return None
    if type(order) is not Move and isinstance(order, Move):
        return None
    unit = order.unit
    at = order.to if isinstance(order, Move) else unit.at
    second = _second(then.strip(" .,"), unit, at, scene.board)
    said = str(order)[len(str(unit)) + 1 :]
    return Segments(unit, said, second) if second else None


def _second(text: str, unit: Unit, at: str, board: Board) -> str:
    if _SECOND_HOLD.match(text):
        return "H"
    near = board.reach(unit.kind, at)
    if match := _SECOND_SUPPORT.match(text):
        of = _place(match["of"], board, near)
        to = _place(match["to"], board, near) if match["to"] else ""
        return f"S F {of} - {to}" if of and to else f"S F {of}" if of and not match["to"] else ""
    if match := _SECOND_CONVOY.match(text):
        return f"C {match['rest'].upper()}"
    if match := _SECOND_MOVE.match(text):
        code = _place(match["to"], board, near)
        landing = [to for to in near if province_of(to) == code]
        return f"- {landing[0] if len(landing) == 1 else code}" if code else ""
    return ""


def _train(match: re.Match[str], scene: Scene) -> Order | None:
    unit, board = _subject(match, scene), scene.board
    if unit is None:
        return None
    stops: list[str] = []
    here = unit.at
    for part in re.split(r"\s*(?:-|,|\bRR\b)\s*", match["route"], flags=re.IGNORECASE):
        if part:
            here = _place(part, board, board.reach(unit.kind, here))
            stops.append(here)
    if not stops or not all(stops):
        return None
    if len(stops) == 1 and stops[0] not in board.reach(unit.kind, unit.at):
        return Train(unit, shortest_route(board, unit, stops[0]) or tuple(stops))
    return Train(unit, tuple(stops))


def shortest_route(board: Board, unit: Unit, goal: str) -> tuple[str, ...]:
    """The shortest way over land through the home country of a unit; () for none."""
    paths: dict[str, tuple[str, ...]] = {unit.at: ()}
    edge = [unit.at]
    while edge:
        new: list[str] = []
        for code in edge:
            for to in board.reach(unit.kind, code):
                if to in paths:
                    continue
                if to == goal:
                    return (*paths[code], to)
                if is_home(board, to, unit.power):
                    paths[to] = (*paths[code], to)
                    new.append(to)
        edge = new
    return ()


def _visit(match: re.Match[str], scene: Scene) -> Order | None:
    unit = _subject(match, scene)
    if unit is None:
        return None
    near = scene.board.reach(unit.kind, unit.at)
    code = _place(match["to"], scene.board, near)
    landing = [to for to in near if province_of(to) == code]
    return Visit(unit, landing[0] if landing else code) if code else None


def _guest(match: re.Match[str], scene: Scene) -> Order | None:
    wanted = {province_of(at) for at in places_named(match["at"], scene.board)}
    for each in scene.ground.position.dislodged:
        unit = each.unit
        if unit.kind != match["kind"][0].upper() or province_of(unit.at) not in wanted:
            continue
        if scene.power in (None, unit.power):
            code = _place(match["to"], scene.board, each.options)
            landing = [to for to in each.options if province_of(to) == code]
            return GuestRetreat(unit, landing[0] if landing else code) if code else None
    return None


def _flight(text: str, scene: Scene) -> Order | None:
    if (match := _WAITS.match(text)) is not None:
        unit = _subject(match, scene)
        return Hold(unit) if unit is not None and unit.kind == BOMBER else None
    for pattern, kind in ((_BASE, Rebase), (_COVER, Cover), (_RAID, Raid), (_FLOWN, Rebase)):
        match = pattern.match(text)
        unit = _subject(match, scene) if match else None
        if match is None or unit is None:
            continue
        code = _place(match["to"], scene.board, spaces_within(scene.board, unit.at, 6))
        if not code:
            return None
        return Raid(unit, code, bool(match["lost"])) if kind is Raid else kind(unit, code)
    return None


# ---- what of it is impossible, whatever others do -------------------------------------------------------------------


def _refusing(fault: Callable[[Bout, UnitOrder], str]) -> Callable[[Bout, list[int]], None]:
    def lower(bout: Bout, units: list[int]) -> None:
        for unit in units:
            if reason := fault(bout, bout.given[unit]):
                bout.faults[unit] = (Result.ILLEGAL, reason)

    return lower


def _segments_fault(bout: Bout, order: UnitOrder) -> str:
    assert isinstance(order, Segments)
    unit = order.unit
    at = order.first.split(" ")[1] if order.first.startswith("-") else unit.at
    fault = second_fault(bout.position, unit._replace(at=at), order)
    words = order.then.split(" ")
    goal = words[1] if words[0] == "-" else words[-1] if words[0] == "S" else ""
    near = {province_of(to) for to in bout.position.board.reach(unit.kind, at)}
    return fault or ("second-out-of-reach" if goal and province_of(goal) not in near else "")


def _in_names(text: str, board: Board) -> str:
    """A part of a fleet's order with its places spelled out."""
    return " ".join(board.spelled.get(word, word) for word in text.split(" "))


def _spelled_segments(order: Segments, board: Board) -> str:
    return f"{unit_text(order.unit, board)} {_in_names(order.first, board)}, (2) {_in_names(order.then, board)}"


def _spelled_train(order: Train, board: Board) -> str:
    return f"{unit_text(order.unit, board)} RR {' - '.join(place(code, board) for code in order.route)}"


def _spelled_visit(order: Visit, board: Board) -> str:
    return f"{unit_text(order.unit, board)} - {place(order.to, board)} {tell('without capture')}"


def _spelled_guest(order: GuestRetreat, board: Board) -> str:
    return f"{unit_text(order.unit, board)} R {place(order.to, board)} {tell('without capture')}"


def _spelled_flight(order: Rebase | Cover | Raid, board: Board) -> str:
    said = _LOST if isinstance(order, Raid) and order.lost else _FLIGHTS[type(order)]
    return tell(said, unit=unit_text(order.unit, board), place=place(order.to, board))


_FLIGHTS: Mapping[type, str] = {
    Rebase: told_later("{unit} base {place}"),
    Cover: told_later("{unit} defends {place}"),
    Raid: told_later("{unit} bombs {place}"),
}
_LOST = told_later("{unit} bombs {place} or is lost")


def _later_strokes(order: Later) -> tuple[Stroke, ...]:
    words = order.then.split(" ")
    if words[0] == "-":
        return (Stroke("later", (words[1],)),)
    if words[0] == "S" and len(words) > 2:
        return (Stroke("later support", (words[2], *words[4:])),)
    return ()


def _flown(order: Rebase | Cover | Raid) -> tuple[Stroke, ...]:
    return (Stroke({Rebase: "base", Cover: "cover", Raid: "raid"}[type(order)], (order.to,)),)


def _later_told(order: Later, board: Board) -> str:
    return f"{unit_text(order.unit, board)} (2) {_in_names(order.then, board)}"


def _flights(kind: type[Rebase] | type[Cover] | type[Raid]) -> Callable[[Position, Unit], Iterator[Order]]:
    def tries(position: Position, unit: Unit) -> Iterator[Order]:
        if unit.kind != BOMBER:
            return
        state = CountryState(position)
        places = position.board.provinces if kind is Rebase else position.board.centres
        for code in places:
            if not flight_fault(state, kind(unit, code)) and (kind is not Rebase or may_base(state, unit, code)):
                yield kind(unit, code)

    return tries


def _two_seas(position: Position, unit: Unit) -> Iterator[Order]:
    """A fleet goes to one sea space and on to another."""
    board = position.board
    seas = {code for code, each in board.provinces.items() if each.terrain is Terrain.SEA}
    if unit.kind not in board.carriers:
        return
    for first in board.reach(unit.kind, unit.at):
        for then in board.reach(unit.kind, first) if first in seas else ():
            if then in seas and then != unit.at:
                yield Segments(unit, f"- {first}", f"- {then}")


def _journeys(position: Position, unit: Unit) -> Iterator[Order]:
    """Through free provinces of the army's home country, two or more."""
    board = position.board
    if unit.kind not in board.carried:
        return
    for code in board.provinces:
        route = shortest_route(board, unit, code) if is_home(board, code, unit.power) and code != unit.at else ()
        if len(route) > 1 and open_route(position, route) == route:
            yield Train(unit, route)


def _visits(position: Position, unit: Unit) -> Iterator[Order]:
    state = CountryState(position)
    for to in position.board.reach(unit.kind, unit.at) if unit.kind != BOMBER else ():
        if position.owners.get(province_of(to)) != unit.power and not visit_fault(state, unit, to):
            yield Visit(unit, to)


_IN_MOVES = frozenset({MOVES})
SEGMENTS = OrderKind(
    "segments", Segments, _IN_MOVES, said="move twice", spelled=_spelled_segments, told=_spelled_segments,
    lower=_refusing(_segments_fault), whole=read_whole, looks=looks_whole, misread=misread,
    tries=_two_seas,
    plain_form=lambda order, position: part_of(order.first, order.unit, position),
)  # fmt: skip
LATER = OrderKind("second-part", Later, frozenset(), said="-", spelled=_later_told, told=_later_told,
                  strokes=_later_strokes)  # fmt: skip
TRAIN = OrderKind(
    "railway", Train, _IN_MOVES, said="go by rail", spelled=_spelled_train, told=_spelled_train,
    strokes=lambda order: (Stroke("rail", order.route),),
    lower=_refusing(lambda bout, order: route_fault(bout.position, order.unit, order.route)),  # type: ignore[attr-defined]
    tries=_journeys,
)  # fmt: skip
VISIT = OrderKind(
    "visit", Visit, _IN_MOVES, said="move without capture", spelled=_spelled_visit, told=_spelled_visit,
    plain_form=lambda order, _: Move(order.unit, order.to),
    lower=_refusing(lambda bout, order: visit_fault(CountryState(bout.position), order.unit, order.to)),  # type: ignore[attr-defined]
    tries=_visits,
)  # fmt: skip
GUEST = OrderKind("guest-retreat", GuestRetreat, frozenset({RETREATS}), said="retreat without capture",
                  spelled=_spelled_guest, told=_spelled_guest)  # fmt: skip
_FLIGHT = _refusing(lambda bout, order: flight_fault(CountryState(bout.position), order))
BASE = OrderKind("base", Rebase, _IN_MOVES, said="change its base", spelled=_spelled_flight, told=_spelled_flight,
                 lower=_FLIGHT, tries=_flights(Rebase), strokes=_flown)  # fmt: skip
COVER = OrderKind("air-defence", Cover, _IN_MOVES, said="defend a centre", spelled=_spelled_flight,
                  told=_spelled_flight, lower=_FLIGHT, tries=_flights(Cover), strokes=_flown)  # fmt: skip
RAID = OrderKind("raid", Raid, _IN_MOVES, said="bomb a centre", spelled=_spelled_flight, told=_spelled_flight,
                 lower=_FLIGHT, tries=_flights(Raid), strokes=_flown)  # fmt: skip

KINDS = FAMILY.having(SEGMENTS, LATER, TRAIN, VISIT, GUEST, BASE, COVER, RAID)


IF = "if received"
_FROM = re.compile(
    r"^(?:at least )?(?P<amount>\d{1,4})(?: (?:supply )?(?:points?|sps?))? from (?P<giver>[A-Za-z-]+)[\s,:;]*"
    r"(?:then\b[\s,:;]*)?",
    re.IGNORECASE,
)
_ELSE = re.compile(r"[\s,;.]*\b(?:or else|else|otherwise|if not)\b[\s,:;]*", re.IGNORECASE)
_END = re.compile(r"[\s,;.]*\bend ?if\b\W*$", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[;,]\s*|\s+and\s+(?=\S+\s)", re.IGNORECASE)
_MOST = 12
_READING = ReadOptions(kinds=KINDS)

Gifts = Mapping[tuple[str, str], int]
"""(giver, receiver) -> the points that arrived."""


class Ways(NamedTuple):
    """What a line says: how much from whom, what then, and what otherwise."""

    amount: int
    giver: str
    then: tuple[str, ...]
    otherwise: tuple[str, ...]


def ways_of(deed: Deed) -> Ways | None:
    """A line with a condition; None where it has not that form."""
    text = _END.sub("", " ".join(deed.words))
    match = _FROM.match(text)
    if match is None or not (giver := country_called(match["giver"])):
        return None
    then, *other = _ELSE.split(text[match.end() :], maxsplit=1)
    otherwise = (other[0],) if other and other[0].lower().startswith(f"{IF} ") else _parts(other[0] if other else "")
    return Ways(int(match["amount"]), giver, _parts(then), otherwise)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip(" .") for part in _BETWEEN.split(text) if part.strip(" ."))


def received_slot(deed: Deed) -> str:
    """What a later line replaces: one about as many points from the same country."""
    ways = ways_of(deed)
    return f"{ways.amount} {ways.giver}" if ways else ""


def received_fault(position: Position, deed: Deed, business: Mapping[str, Business]) -> str:
    """Why such a line is none, whatever is given."""
    ways = ways_of(deed)
    if ways is None or not ways.then or len(ways.then) + len(ways.otherwise) > _MOST or ways.giver == deed.power:
        return "received-not-understood"
    for part in (*ways.then, *ways.otherwise):
        found = _meant(position, deed.power, part, business)
        if found is None:
            return "received-not-understood"
        if isinstance(found, Deed) and (fault := _deed_fault(position, found, business)):
            return fault
    return ""


def _deed_fault(position: Position, deed: Deed, business: Mapping[str, Business]) -> str:
    if deed.word == "give":
        return "gift-on-condition"
    if deed.word == IF:
        return received_fault(position, deed, business)
    return business[deed.word].fault(position, deed)


def _meant(position: Position, power: str, text: str, business: Mapping[str, Business]) -> Deed | Order | None:
    """An order or another line of the adjustments that stands under a condition."""
    if (line := begun(text, business)) is not None:
        return Deed(power, line[0], tuple(line[1].split()))
    readings = read_line(text, position, power, options=_READING)
    if len(readings) != 1 or readings[0].problem is not None:
        return None
    order = readings[0].order
    return order if isinstance(order, (Build, Disband, Waive)) else None


def due(position: Position, deed: Deed, gifts: Gifts, business: Mapping[str, Business]) -> Iterator[Deed | Order]:
    """What a line comes to, once it is known who gave what."""
    ways = ways_of(deed)
    if ways is None:
        return
    got = gifts.get((ways.giver, deed.power), 0) >= ways.amount
    for part in ways.then if got else ways.otherwise:
        found = _meant(position, deed.power, part, business)
        if isinstance(found, Deed) and found.word == IF:
            yield from due(position, found, gifts, business)
        elif found is not None:
            yield found

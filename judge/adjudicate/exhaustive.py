"""A second adjudicator of movement phases: slow and plain, with a reading of orders of its own.

Questions that hang on each other, and worlds: an answer to each of them.

A second opinion on a movement phase: from `exhaustive`, which shares no code with the adjudicator of this package.

It knows the moves of the family of 1976, whichever choices are made; not the systems that answer questions of the
battle themselves, boards with borders that close, or other kinds of unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product

from judge.adjudicate.outcome import Outcome, Result
from judge.board.model import Board, Terrain, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Convoy, Move, Order, Support
from judge.rules import Rules
from judge.rules.choices import Cutting

Question = tuple[str, int]
"""("moves" | "stands" | "arrives", unit id)."""

World = dict[Question, bool]


class _Unknown(Exception):
    def __init__(self, question: Question) -> None:
        self.question = question


class _Partial(World):
    def __missing__(self, question: Question) -> bool:
        raise _Unknown(question)


def branches(follow: Callable[[World], bool], known: World) -> Iterator[tuple[World, bool]]:
    """The answer for every way to fill in what it looks at."""
    waiting: list[World] = [{}]
    while waiting:
        branch = waiting.pop()
        try:
            yield branch, follow(_Partial({**known, **branch}))
        except _Unknown as unknown:
            waiting += [{**branch, unknown.question: answer} for answer in (False, True)]


def reach(question: Question, needs: dict[Question, set[Question]]) -> frozenset[Question]:
    """Everything a question hangs on, and itself."""
    seen = {question}
    fresh = [question]
    while fresh:
        for other in needs.get(fresh.pop(), set()) - seen:
            seen.add(other)
            fresh.append(other)
    return frozenset(seen)


def fullest(worlds: list[World]) -> World:
    """The world with most successful moves."""
    best, most = worlds[0], -1
    for world in worlds:
        count = sum(answer for (sort, _), answer in world.items() if sort == "moves")
        if count > most:
            best, most = world, count
    return best


class ReadOrders:
    """What each order means in its position."""

    def __init__(self, position: Position, orders: list[Order], rules: Rules) -> None:
        self.rules = rules
        self.board = position.board
        self.units = {unit.id: unit for unit in position.units}
        self.unit_in = {province_of(unit.at): unit.id for unit in position.units}
        self.order: dict[int, Order] = {order.unit.id: order for order in orders if hasattr(order, "unit")}
        self.sea_fleets = {
            province_of(unit.at) for unit in position.units if unit.kind == "F" and self.is_sea(province_of(unit.at))
        }
        self.target: dict[int, str] = {}
        self.coast: dict[int, str] = {}
        self.by_sea: dict[int, str] = {}
        """Convoyed armies: "always", or "if possible" for those that walk otherwise."""
        self.refused: set[int] = set()
        self.carriers: dict[int, set[str]] = {}
        self.matched_convoys: set[str] = set()
        self.supports: dict[int, tuple[int, str, bool]] = {}
        """Supporter -> supported unit, province supported into, whether it is for a move."""
        self.stopped: set[int] = set()
        self._read_moves()
        self._read_convoys()
        self._read_supports()

    # ---- the board -----------------------------------------------------------------------------------------------

    def is_sea(self, province: str) -> bool:
        return self.board.provinces[province].terrain is Terrain.SEA

    def is_coast(self, province: str) -> bool:
        return self.board.provinces[province].terrain is Terrain.COAST

    def near(self, unit: Unit) -> set[str]:
        """Locations one step away."""
        found = set()
        for border in self.board.borders:
            if unit.kind in border.kinds:
                if border.a == unit.at:
                    found.add(border.b)
                if border.b == unit.at:
                    found.add(border.a)
        return found

    def enters(self, unit: Unit, province: str) -> bool:
        return province in {province_of(place) for place in self.near(unit)}

    def seas_touching(self, province: str) -> set[str]:
        return _seas_touching(self.board, province)

    def routes(self, start: str, end: str, fleets: set[str]) -> list[frozenset[str]]:
        """The sets of fleets that carry from start to end and of which none can be left out."""
        found: list[frozenset[str]] = []

        def walk(path: list[str]) -> None:
            if path[-1] in self.seas_touching(end):
                found.append(frozenset(path))
            for sea in self.seas_touching(path[-1]) & fleets:
                if sea not in path:
                    walk([*path, sea])

        for sea in self.seas_touching(start) & fleets:
            walk([sea])
        return [route for route in found if not any(other < route for other in found)]

    # ---- reading the orders --------------------------------------------------------------------------------------

    def _read_moves(self) -> None:
        for number, order in self.order.items():
            if isinstance(order, Move):
                place = self._destination(order)
                if place is None:
                    self.refused.add(number)
                else:
                    self.target[number], self.coast[number] = province_of(place), place

    def _destination(self, order: Move) -> str | None:
        """Where a legal move ends, coast supplied; None if it cannot be made in this position."""
        unit, to = order.unit, order.to
        start, end = province_of(unit.at), province_of(to)
        if unit.kind == "F":
            reachable = [place for place in self.near(unit) if province_of(place) == end]
            if to in reachable:
                return to
            return reachable[0] if len(reachable) == 1 and to == end else None
        if end in self.near(unit):
            return end
        if start == end or not (self.is_coast(start) and self.is_coast(end)):
            return None
        if not self.routes(start, end, self.sea_fleets):
            return None
        self.by_sea[unit.id] = "always"
        return end

    def _read_convoys(self) -> None:
        own: set[int] = set()
        for number, order in self.order.items():
            if isinstance(order, Convoy) and self._convoy_possible(order):
                army, end = order.of.id, province_of(order.to)
                if self.target.get(army) == end:
                    sea = province_of(self.units[number].at)
                    self.matched_convoys.add(sea)
                    self.carriers.setdefault(army, set()).add(sea)
                    if order.of.power == order.unit.power:
                        own.add(army)
        for army in list(self.target):
            order = self.order[army]
            assert isinstance(order, Move)
            if army not in self.by_sea and order.unit.kind == "A":
                self._choose_way(army, order, own)
            if order.route and army in self.carriers:
                self.carriers[army] &= set(order.route)

    def _convoy_possible(self, order: Convoy) -> bool:
        sea, start, end = province_of(order.unit.at), province_of(order.of.at), province_of(order.to)
        if sea not in self.sea_fleets or order.of.kind != "A" or start == end:
            return False
        if not (self.is_coast(start) and self.is_coast(end)):
            return False
        return any(sea in route for route in self.routes(start, end, self.sea_fleets))

    def _choose_way(self, army: int, order: Move, own: set[int]) -> None:
        """An army that could walk: does it go by sea?"""
        offered = bool(self.carriers.get(army))
        choice = self.rules.adjacent_convoy.value
        if choice == "swap-only":
            other = self.unit_in.get(self.target[army])
            sails = offered and other is not None and self.target.get(other) == province_of(order.unit.at)
        elif choice == "intent":
            sails = army in own or (order.via and offered)
        elif choice == "own-fleet-or-via":
            sails = army in own or order.via
        else:
            sails = order.via
        if not sails:
            return
        if self.rules.land_fallback.value == "yes":
            self.by_sea[army] = "if possible"
        elif self.routes(province_of(order.unit.at), self.target[army], self.sea_fleets):
            self.by_sea[army] = "always"
        else:
            del self.target[army]
            self.refused.add(army)

    def _read_supports(self) -> None:
        for number, order in self.order.items():
            if isinstance(order, Support):
                other = order.of.id
                into = province_of(order.to or order.of.at)
                if self.enters(order.unit, into) and self._support_matches(order, other, into):
                    self.supports[number] = (other, into, order.to is not None)

    def _support_matches(self, order: Support, other: int, into: str) -> bool:
        if order.to is None:
            impossible = other in self.refused and self.rules.impossible_orders.value == "unsupported"
            return other not in self.target and not impossible
        if self.target.get(other) != into or not self._coast_matches(order, other):
            return False
        walks = self.enters(order.of, into) or self.by_sea.get(other) == "if possible"
        sea = province_of(order.unit.at)
        return walks or bool(self.routes(province_of(order.of.at), into, self.sea_fleets - {sea}))

    def _coast_matches(self, order: Support, other: int) -> bool:
        choice, coast = self.rules.support_coast.value, self.coast[other]
        if choice == "ignored" or order.of.kind == "A" or order.to == coast:
            return True
        return choice == "may-be-omitted" and order.to == province_of(coast)


@lru_cache(maxsize=1024)
def _seas_touching(board: Board, province: str) -> set[str]:
    found = set()
    for border in board.borders:
        for here, there in ((border.a, border.b), (border.b, border.a)):
            if "F" in border.kinds and province_of(here) == province:
                found.add(province_of(there))
    return {p for p in found if board.provinces[p].terrain is Terrain.SEA}


MOST_TANGLED = 14
"""So many questions that hang on each other are tried in all their combinations."""


class TooTangled(Exception):
    """More questions hang on each other than can be tried in all their combinations."""


class Settled:
    """Who moved, who was dislodged by whom (unit ids), and which empty provinces were fought over."""

    def __init__(self, moved: set[int], dislodged: dict[int, int], contested: set[str]) -> None:
        self.moved, self.dislodged, self.contested = moved, dislodged, contested

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settled) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"moved {sorted(self.moved)}, dislodged {self.dislodged}, contested {sorted(self.contested)}"


class Exhaustive(ReadOrders):
    """One movement phase. `solve()` gives the result; `worlds()` every combination in which all orders fit.
    `weak`: units that hold with no strength of their own, where a rule system says so.
    """

    weak: frozenset[int] = frozenset()

    # ---- the equations -------------------------------------------------------------------------------------------

    def questions(self) -> list[Question]:
        return [
            *(("moves", unit) for unit in self.target),
            *(("stands", unit) for unit in self.supports),
            *(("arrives", unit) for unit in self.by_sea),
        ]

    def follows(self, question: Question, world: World) -> bool:
        """The answer to a question that follows from the answers to all others."""
        sort, unit = question
        if sort == "moves":
            return self._moves(unit, world)
        return self._stands(unit, world) if sort == "stands" else self._arrives(unit, world)

    def _attackers(self, province: str) -> list[int]:
        return [unit for unit, target in self.target.items() if target == province]

    def _dislodger(self, unit: int, world: World) -> int | None:
        if unit in self.target and world["moves", unit]:
            return None
        for other in self._attackers(province_of(self.units[unit].at)):
            if world["moves", other]:
                return other
        return None

    def _path(self, unit: int, world: World) -> bool:
        if unit in self.stopped:
            return False
        return self.by_sea.get(unit) != "always" or world["arrives", unit]

    def _sails(self, unit: int, world: World) -> bool:
        return self.by_sea.get(unit) == "always" or (unit in self.by_sea and world["arrives", unit])

    def _facing(self, one: int, other: int, world: World) -> bool:
        """Whether two moves meet head to head."""
        home, away = self.units[one].at, self.units[other].at
        if self.target.get(one) != province_of(away) or self.target.get(other) != province_of(home):
            return False
        if self.rules.coastal_crawl.value == "allowed" and self._crawl(one, other):
            return False
        return not self._sails(one, world) and not self._sails(other, world)

    def _crawl(self, one: int, other: int) -> bool:
        """Whether two fleets pass each other along different coasts."""
        if self.units[one].kind != "F" or self.units[other].kind != "F":
            return False
        return self.coast[one] != self.units[other].at or self.coast[other] != self.units[one].at

    def _backers(self, unit: int, world: World) -> list[int]:
        return [s for s, (other, _, _) in self.supports.items() if other == unit and world["stands", s]]

    def _moves(self, unit: int, world: World) -> bool:
        if not self._path(unit, world):
            return False
        there = self.unit_in.get(self.target[unit])
        force = 1 + len(self._backers(unit, world))
        if there is not None:
            facing = self._facing(unit, there, world)
            leaves = there in self.target and not facing and world["moves", there]
            if not leaves:
                victim = self.units[there].power
                if victim == self.units[unit].power:
                    return False
                force = 1 + sum(self.units[s].power != victim for s in self._backers(unit, world))
                stands = there not in self.target or facing
                own = 0 if there in self.weak else 1
                if force <= (own + len(self._backers(there, world)) if stands else own):
                    return False
        rivals = [other for other in self._attackers(self.target[unit]) if other != unit]
        return all(force > self._prevents(other, world) for other in rivals)

    def _prevents(self, unit: int, world: World) -> int:
        if not self._path(unit, world):
            return 0
        there = self.unit_in.get(self.target[unit])
        if there is not None and self.target.get(there) == province_of(self.units[unit].at):
            literal = self.rules.dislodged_effect.value == "never"
            if self._facing(unit, there, world) and world["moves", there]:
                return 0
            if literal and world["moves", there] and not world["moves", unit]:
                return 0
        return 1 + len(self._backers(unit, world))

    def _stands(self, unit: int, world: World) -> bool:
        return not any(
            self._cuts(other, unit, world)
            for other in self._attackers(province_of(self.units[unit].at))
            if self.units[other].power != self.units[unit].power
        )

    def _cuts(self, attacker: int, unit: int, world: World) -> bool:
        _, into, for_move = self.supports[unit]
        if province_of(self.units[attacker].at) == into:
            from_sea = self.rules.convoyed_origin.value == "sea" and attacker in self.by_sea
            return world["moves", attacker] or (from_sea and world["arrives", attacker])
        if attacker not in self.by_sea:
            return True
        if not world["arrives", attacker]:
            return self.by_sea[attacker] == "if possible"
        return self._pierces(attacker, into, for_move, world)

    def _pierces(self, army: int, into: str, for_move: bool, world: World) -> bool:  # noqa: FBT001
        """Whether an army that arrives by sea cuts a support of an action in the province `into`."""
        start, end = province_of(self.units[army].at), self.target[army]
        fleets = self.carriers.get(army, set())
        carrying = any(into in route for route in self.routes(start, end, fleets))
        paradox = self.rules.paradox.value
        if paradox == "1982":
            return into not in self.matched_convoys
        if not (for_move and carrying):
            return True
        if paradox == "1971":
            return False
        if paradox == "2000":
            return bool(self.routes(start, end, {f for f in fleets - {into} if self._stays(f, world)}))
        if paradox == "thundar" and into in self.seas_touching(end):
            return world["moves", army]
        return True

    def _stays(self, sea: str, world: World) -> bool:
        return self._dislodger(self.unit_in[sea], world) is None

    def _arrives(self, army: int, world: World) -> bool:
        if army in self.stopped:
            return False
        start, end = province_of(self.units[army].at), self.target[army]
        routes = self.routes(start, end, self.carriers.get(army, set()))
        if self.rules.convoy_routes.value == "any-breaks":
            return bool(routes) and all(self._stays(sea, world) for route in routes for sea in route)
        return any(all(self._stays(sea, world) for sea in route) for route in routes)

    # ---- the answers ---------------------------------------------------------------------------------------------

    def worlds(self) -> Iterator[World]:
        """Every combination in which all orders fit together."""
        movers = list(self.target)
        for guess in product((False, True), repeat=len(movers)):
            world: World = {("moves", unit): moves for unit, moves in zip(movers, guess, strict=True)}
            for army in self.by_sea:
                world["arrives", army] = self._arrives(army, world)
            for unit in self.supports:
                world["stands", unit] = self._stands(unit, world)
            if all(self._moves(unit, world) == world["moves", unit] for unit in movers):
                yield world

    def solve(self) -> Settled:
        """The result of the phase."""
        worlds = list(self.worlds())
        convoys = [{army: world["arrives", army] for army in self.by_sea} for world in worlds]
        if worlds and all(each == convoys[0] for each in convoys):
            return self._result(fullest(worlds))
        return self._result(self._settle({}))

    def settled(self) -> Settled:
        """The result of the phase, told step by step: what is certain first, then what hangs on itself. The same as
        `solve`, and fit for a whole board. Raises TooTangled where too much hangs on itself.
        """
        return self._result(self._settle({}))

    def _result(self, world: World) -> Settled:
        moved = {unit for unit in self.target if world["moves", unit]}
        dislodged = {unit: by for unit in self.units if (by := self._dislodger(unit, world)) is not None}
        taken = {province_of(u.at) for n, u in self.units.items() if n not in moved and n not in dislodged}
        taken |= {self.target[unit] for unit in moved}
        contested = {
            target
            for unit, target in self.target.items()
            if unit not in moved and target not in taken and self._prevents(unit, world) > 0
        }
        return Settled(moved, dislodged, contested)

    def _settle(self, known: World) -> World:
        """Tell what is certain, settle one group, and so on until all is known."""
        while True:
            self._certain(known)
            open_questions = [question for question in self.questions() if question not in known]
            if not open_questions:
                return known
            needs = {question: self._needs(question, known) for question in open_questions}
            group = min((reach(question, needs) for question in open_questions), key=len)
            self._settle_group(sorted(group), known)

    def _certain(self, known: World) -> None:
        fresh = True
        while fresh:
            fresh = False
            for question in self.questions():
                if question not in known:
                    answers = {answer for _, answer in branches(partial(self.follows, question), known)}
                    if len(answers) == 1:
                        known[question] = answers.pop()
                        fresh = True

    def _needs(self, question: Question, known: World) -> set[Question]:
        """The open questions on which an answer really depends."""
        found = list(branches(partial(self.follows, question), known))
        read = sorted({each for branch, _ in found for each in branch})
        answers = {
            bits: self.follows(question, {**known, **dict(zip(read, bits, strict=True))})
            for bits in product((False, True), repeat=len(read))
        }
        return {
            each
            for place, each in enumerate(read)
            if any(answers[bits] != answers[(*bits[:place], not bits[place], *bits[place + 1 :])] for bits in answers)
        }

    def _settle_group(self, group: list[Question], known: World) -> None:
        if len(group) > MOST_TANGLED:
            raise TooTangled
        found: list[World] = []
        for bits in product((False, True), repeat=len(group)):
            world = {**known, **dict(zip(group, bits, strict=True))}
            if all(self.follows(question, world) == world[question] for question in group):
                found.append({question: world[question] for question in group})
        convoys = [question for question in group if question[0] == "arrives"]
        if found and all(world[each] == found[0][each] for world in found for each in convoys):
            known.update(fullest(found))
            return
        arriving = [world for world in found if len(convoys) == 1 and world[convoys[0]]]
        if self.rules.paradox.value == "thundar" and arriving:
            known.update(fullest(arriving))
        elif self.rules.paradox.value == "all-hold":
            for sort, unit in group:
                if sort != "stands":
                    self.stopped.add(unit)
                    known["moves", unit] = False
                    if unit in self.by_sea:
                        known["arrives", unit] = False
        else:
            for _, army in convoys:
                self.carriers[army] = {
                    sea
                    for sea in self.carriers[army]
                    if not any(("moves", unit) in group for unit in self._attackers(sea))
                }


@dataclass(frozen=True, slots=True)
class Parting:
    """A unit of which the second adjudicator says another thing than the outcomes do; `moved` and `dislodged` are what
    the second says.
    """

    unit: Unit
    moved: bool
    dislodged: bool


def second_opinion(position: Position, outcomes: Iterable[Outcome], rules: Rules) -> tuple[Parting, ...] | None:
    """The units of which the second adjudicator says another thing than these outcomes; None where it does not know the
    rules, or where too many questions hang on each other.
    """
    known = tuple(outcomes)
    orders = [outcome.order for outcome in known]
    if not _knows(position, orders, rules):
        return None
    try:
        result = Exhaustive(position, orders, rules).settled()
    except TooTangled:
        return None
    moved = {
        o.order.unit.id for o in known if isinstance(o.order, Move) and o.results[:1] == (Result.OK,)
    }  # fmt: skip
    ousted = {unit.id for o in known if Result.DISLODGED in o.results and (unit := _unit(o.order)) is not None}
    return tuple(
        Parting(unit, unit.id in result.moved, unit.id in result.dislodged)
        for unit in position.units
        if (unit.id in moved) != (unit.id in result.moved) or (unit.id in ousted) != (unit.id in result.dislodged)
    )


def _unit(order: Order) -> Unit | None:
    return getattr(order, "unit", None)


def _knows(position: Position, orders: Sequence[Order], rules: Rules) -> bool:
    places = [unit.at.partition("/")[0] for unit in position.units]
    return (
        position.phase.kind is PhaseKind.MOVES
        and not rules.answered
        and rules.cutting is Cutting.FOREIGN
        and not rules.around & {"dues", "defaults", "settled"}
        and not any(border.closures for border in position.board.borders)
        and {unit.kind for unit in position.units} <= {"A", "F"}
        and len(set(places)) == len(places)
        and all(type(order) is Move or not isinstance(order, Move) for order in orders)
    )

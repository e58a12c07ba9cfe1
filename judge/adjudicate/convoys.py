"""Convoys: which convoy orders are possible, which armies go by sea, which arrive, and what an army that does may cut.

Clauses are those of the 1976 rulebook.

XII.1 and XII.2 (convoys), XIV.5 (fleets in coastal provinces), and the choice `adjacent_convoy`.

Which fleets a voyage could need: chains of fleets from which none can be left out (XII.2; DATC 6.F.12, 6.G.19).

In such a chain only the first fleet is at the start, only the last at the end, and no link touches another one but
its neighbours. Whether one leads through a given sea is a hard question on graphs in general (it asks for an induced
path). Three things make it easy on anything like a board: most chains are found at the first try; seas that hang on
the rest by a few which all touch each other are put aside, since no chain comes back from there; and the search goes
on where the fewest ways are left.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, NamedTuple

from judge.adjudicate.bout import NO, OPEN, YES, Answer, Bout, Carriage
from judge.adjudicate.outcome import Result
from judge.board.chart import Chart, Mask, each, has_route, spaces, spread
from judge.board.model import province_of
from judge.board.unit import Unit
from judge.orders.model import Convoy, Move
from judge.rules.choices import AdjacentConvoy, ConvoyRoutes, LandFallback, Paradox

MOVES: Final = 0
STANDS: Final = 1
ARRIVES: Final = 2
"""The three questions: does this move succeed, does this support stand, does this army arrive by sea."""

ONE_SUFFICES: Final = ConvoyRoutes.ONE_SUFFICES
"""Module-level names: looking up a member of an enumeration takes longer than most questions."""


class Convoys(ABC):
    """What a solver knows, and its answers about convoys; they depend on which moves succeed, which it tells."""

    __slots__ = (
        "aim", "at", "backing", "bout", "carriage", "carried", "fate", "heard", "landing", "movers", "occupant",
        "paradoxes", "power", "standing", "tangled",
    )  # fmt: skip

    def __init__(self, bout: Bout) -> None:
        self.bout = bout
        self.landing, self.aim, self.fate = bout.landing, bout.aim, bout.fate
        self.at, self.power, self.occupant = bout.at, bout.power, bout.occupant
        self.backing, self.movers, self.carriage = bout.backing, bout.movers, bout.carriage
        self.standing: list[Answer] = [None] * len(bout.landing)
        self.carried: dict[int, Answer] = dict.fromkeys(bout.carriage) if bout.carriage else {}
        self.tangled = False
        """Whether some answer is open."""
        self.heard: list[tuple[int, int]] = []
        """The open questions met while answering, for whoever unties knots."""
        self.paradoxes: dict[int, tuple[int, ...]] = {}
        """Army whose convoy took part in a paradox -> the fleets that hold for it."""

    @abstractmethod
    def moves(self, unit: int) -> int:
        """Whether a move succeeds: YES, NO or OPEN."""

    def has_way(self, unit: int) -> int:
        """Whether an army that is to be carried can get to its target: by its convoy (XII.3), or on foot."""
        return YES if self.carriage[unit].may_walk else self.by_sea(unit)

    def on_foot(self, unit: int) -> int:
        """Whether a mover goes its own way."""
        carriage = self.carriage.get(unit)
        if carriage is None:
            return YES
        return 2 - self.by_sea(unit) if carriage.may_walk else NO

    def by_sea(self, army: int) -> int:
        """Whether an army's convoy holds."""
        known = self.carried[army]
        if known is not None:
            if known == OPEN:
                self.heard.append((ARRIVES, army))
            return known
        self.carried[army] = OPEN
        answer = self.judge_convoy(army)
        self.carried[army] = answer
        if answer == OPEN:
            self.tangled = True
        return answer

    def judge_convoy(self, army: int) -> int:
        """XII.3, XII.4: whether the fleets that carry an army stay, all of them or enough of them."""
        carriage = self.carriage[army]
        if self.bout.rules.convoy_routes is ONE_SUFFICES:
            return self.arrives(army, carriage)
        holds = YES if carriage.crew else NO
        for fleet in carriage.crew:
            holds = min(holds, self.stays(fleet))
        return holds

    def arrives(self, army: int, carriage: Carriage, without: int = 0) -> int:
        """Whether the fleets that stay form a route for an army, one sea left out if so wished."""
        sure = possible = 0
        for fleet in carriage.crew:
            stays = self.stays(fleet)
            if stays == YES:
                sure |= 1 << self.at[fleet]
            if stays:
                possible |= 1 << self.at[fleet]
        chart, start, target = self.bout.chart, self.at[army], self.aim[army]
        if has_route(chart, start, target, sure & ~without):
            return YES
        return OPEN if has_route(chart, start, target, possible & ~without) else NO

    def stays(self, unit: int) -> int:
        """Whether a unit that was not ordered to move is not dislodged."""
        stays = YES
        for attacker in self.movers[self.at[unit]]:
            stays = min(stays, 2 - self.moves(attacker))
        return stays

    def pierces(self, army: int, carriage: Carriage, unit: int) -> int:
        """XII.5 and its successors: whether an army that arrives by convoy cuts a support, which may be the one that
        decides over its own convoy."""
        paradox = self.bout.rules.paradox
        sea = self.aim[unit]
        if paradox is Paradox.RULES_1982:
            return NO if self.bout.convoying >> sea & 1 else YES
        if not carriage.routes >> sea & 1 or not self.supports_attack(unit):
            return YES
        if paradox is Paradox.RULES_1971:
            return NO
        if paradox is Paradox.RULES_2000:
            return self.arrives(army, carriage, without=1 << sea)
        if paradox is Paradox.THUNDAR and self.bout.chart.shores[self.aim[army]] >> sea & 1:
            return self.moves(army)
        return YES

    def supports_attack(self, unit: int) -> bool:
        """Whether a support is for a move, not for a unit in place."""
        supported: Unit = self.bout.given[unit].of
        return self.occupant[self.aim[unit]] != self.bout.number[supported.id]


def needed_fleets(chart: Chart, start: int, target: int, fleets: Mask) -> Mask:
    """The fleets that lie on some chain from one coastal space to another.

    Such a fleet's convoy order is one that could be of use; the others could not.
    """
    if not fleets & ~(chart.shores[start] & chart.shores[target]):
        return fleets  # each of them does it alone
    chains = Chains(chart, start, target, fleets)
    for sea in each(chains.fleets):
        chains.need(sea)
    return chains.known


class Arm(NamedTuple):
    """One of the two ends by which a chain grows."""

    tip: Mask
    """The sea of the last link so far."""
    free: Mask
    """Seas that links to come may use."""
    goals: Mask
    """Seas that end the chain on this side."""


Way = tuple[int, Mask, Arm, Arm]
"""A next link: how long the chain will be at least, the link, the arm that gets it, the other arm."""


class Chains:
    """The chains from one coastal space to another over the fleets in the given seas."""

    def __init__(self, chart: Chart, start: int, target: int, fleets: Mask) -> None:
        starts, ends = fleets & chart.shores[start], fleets & chart.shores[target]
        self.chart = chart
        self.touching = chart.touching
        self.known = alone = starts & ends
        """Seas known to lie on a chain. A fleet that does it all alone is a chain, and part of no longer one."""
        self.starts, self.ends = starts & ~alone, ends & ~alone
        self.fleets = fleets & ~alone if self.starts and self.ends else 0
        """Seas that may lie on a chain of two and more."""
        self.trimmed = False
        self.trials = 0
        """How often a chain was looked at that might grow further."""

    def need(self, sea: Mask) -> bool:
        """Whether some chain leads through a sea."""
        if not sea & self.known:
            self.known |= self.through(sea)
        return bool(sea & self.known)

    def through(self, sea: Mask) -> Mask:
        """Some chain of two and more that leads through a sea, as the set of its fleets; 0 if there is none."""
        if not sea & self.fleets:
            return 0
        between = self.fleets & ~self.starts & ~self.ends & ~sea
        one, two = Arm(sea, between, self.starts), Arm(sea, between, self.ends)
        if sea & self.starts:
            return self.shortest(two)
        if sea & self.ends:
            return self.shortest(one)
        done, ways = self._ways(sea, one, two)
        if done or not ways:
            return done
        if not self.trimmed:
            self._trim()
        return self._grow(sea, self._within(one), self._within(two)) if sea & self.fleets else 0

    def _trim(self) -> None:
        """Put aside the seas from which no chain comes back, because they hang on the rest by a clique: a chain that
        goes in by one of its seas and out by another could leave out what is between."""
        self.trimmed = True
        gates = self.starts | self.ends
        before = -1
        while before != self.fleets:
            before = self.fleets
            for clique in self.chart.cliques:
                beyond = self.fleets & ~clique
                self.fleets = spread(self.chart, beyond & gates, beyond) | self.fleets & clique
                for sea in each(clique & self.fleets & ~gates):
                    if not self.beside(sea) & self.fleets & ~clique:
                        self.fleets ^= sea

    def _within(self, arm: Arm) -> Arm:
        """An arm that keeps to the seas that may lie on a chain."""
        return Arm(arm.tip, arm.free & self.fleets, arm.goals & self.fleets)

    def _grow(self, chain: Mask, one: Arm, two: Arm) -> Mask:
        """A chain that the arms of this part of one can make of it; 0 if there is none."""
        if not one.goals & one.goals - 1:
            two = self._apart(two, one.goals)  # the only goal left will be part of the chain
        if not two.goals & two.goals - 1:
            one = self._apart(one, two.goals)
        done, ways = self._ways(chain, one, two)
        if done or not ways:
            return done
        if len(ways) > 1:
            done, others = self._ways(chain, two, one)
            if done or not others:
                return done
            ways = min(ways, others, key=len)
        for _, link, longer, other in sorted(ways):
            done = self._grow(chain | link, longer, other)
            if done:
                return done
        return 0

    def _ways(self, chain: Mask, arm: Arm, other: Arm) -> tuple[Mask, list[Way]]:
        """The next links that an arm can have, so that both may still reach a goal; or a whole chain, if a shortest
        way home of one happens to leave a way home to the other."""
        self.trials += 1
        near = self.beside(arm.tip)
        ways: list[Way] = []
        for link in each(near & (arm.free | arm.goals)):
            longer = Arm(link, 0, link) if link & arm.goals else Arm(link, arm.free & ~near, arm.goals & ~near)
            home = self.shortest(longer)
            if not home:
                continue
            rest = self.shortest(self._apart(other, home))
            if rest:
                return chain | home | rest, []
            kept = self._apart(other, link)
            rest = self.shortest(kept)
            if not rest:
                continue
            length = home.bit_count() + rest.bit_count()
            home = self.shortest(self._apart(longer, rest ^ other.tip))
            if home:
                return chain | home | rest, []
            ways.append((length, link, longer, kept))
        return 0, ways

    def _apart(self, arm: Arm, links: Mask) -> Arm:
        """An arm whose links to come do not touch these of the other arm."""
        clear = ~(self.beside(links) | links)
        return Arm(arm.tip, arm.free & clear, arm.goals & clear)

    def shortest(self, arm: Arm) -> Mask:
        """A shortest chain from an arm's tip to one of its goals, which has no superfluous link; 0 if none."""
        layer, free, goals = arm
        free = (free | goals) & ~layer
        layers = []
        while not layer & goals:
            layers.append(layer)
            layer = self.beside(layer) & free
            if not layer:
                return 0
            free ^= layer
        link = layer & goals
        chain = link = link & -link
        while layers:
            link = self.beside(link) & layers.pop()
            link &= -link
            chain |= link
        return chain

    def beside(self, seas: Mask) -> Mask:
        """The seas that touch any of these."""
        touching = self.touching
        found = 0
        while seas:
            lowest = seas & -seas
            seas ^= lowest
            found |= touching[lowest.bit_length() - 1]
        return found


SWAP_ONLY: Final = AdjacentConvoy.SWAP_ONLY
INTENT: Final = AdjacentConvoy.INTENT
OWN_FLEET_OR_VIA: Final = AdjacentConvoy.OWN_FLEET_OR_VIA
WALKS: Final = LandFallback.YES
"""Module-level names: looking up a member of an enumeration is slow."""


def embark(bout: Bout, voyages: list[int]) -> None:
    """Enter the moves that no unit could make on its own way: armies over sea where a chain of fleets stands."""
    for unit in voyages:
        order: Move = bout.given[unit]
        fault = _voyage_fault(bout, unit, order)
        if fault:
            bout.faults[unit] = (Result.ILLEGAL, "is-aboard" if unit in bout.layout.riders else fault)
            continue
        bout.enter(unit, bout.chart.space[order.to], province_of(order.to))
        bout.carry(unit, Carriage(may_walk=False))


def _carries_nobody(bout: Bout) -> bool:
    """Whether the system has no convoys."""
    return "convoy" not in bout.rules.kinds().names


def _voyage_fault(bout: Bout, unit: int, order: Move) -> str:
    chart, start = bout.chart, bout.at[unit]
    target = chart.space.get(order.to, -1)
    if target < 0 or target == start:
        return "cannot-go-there"
    if order.unit.kind not in chart.carried:
        near = chart.spots[order.unit.kind][order.unit.at].near
        return "coast-missing" if target in near and "/" not in order.to else "cannot-go-there"
    if not chart.coasts >> start & chart.coasts >> target & 1 or (bout.asked and _carries_nobody(bout)):
        return "cannot-go-there"
    return "" if has_route(chart, start, target, bout.fleets) else "no-fleets-to-carry"


def match_convoys(bout: Bout, convoys: list[int], walks: list[int]) -> None:
    """Bring convoy orders and armies together, and decide for each army whether it goes by sea."""
    offers: dict[int, Mask] = dict.fromkeys(walks, 0)
    own: set[int] = set()
    useful: dict[tuple[int, int], Chains] = {}
    for unit in convoys:
        order: Convoy = bout.given[unit]
        army = bout.number[order.of.id]
        target = bout.chart.space[order.to]
        fault = _convoy_fault(bout, unit, army, target, useful)
        if fault:
            bout.faults[unit] = (Result.ILLEGAL, fault)
            continue
        bout.carriers.append(unit)
        if bout.landing[army] is None or bout.aim[army] != target:
            bout.faults[unit] = (Result.VOID, "convoyed-move-not-ordered")
            continue
        sea = 1 << bout.at[unit]
        bout.convoying |= sea
        offers[army] = offers.get(army, 0) | sea
        if bout.power[army] == bout.power[unit]:
            own.add(army)
    for army, offered in offers.items():
        _assign(bout, army, offered, owned=army in own)


def _convoy_fault(bout: Bout, unit: int, army: int, target: int, useful: dict[tuple[int, int], Chains]) -> str:
    """XII.1, XIV.5: fleets at sea carry armies from coast to coast; a fleet that no route needs carries nobody.

    `useful` keeps what is known about the chains from one coast to another.
    """
    chart, here, start = bout.chart, bout.at[unit], bout.at[army]
    if bout.asked and (fault := _forbidden(bout, unit, army)):
        return fault
    if not bout.fleets >> here & 1:
        return "convoy-not-at-sea"
    if bout.position.units[army].kind not in chart.carried:
        return "only-armies-are-convoyed"
    if target == start or not chart.coasts >> start & chart.coasts >> target & 1:
        return "convoy-not-between-coasts"
    if chart.shores[start] & chart.shores[target] & 1 << here:
        return ""
    if (start, target) not in useful:
        useful[start, target] = Chains(chart, start, target, bout.fleets)
    return "" if useful[start, target].need(1 << here) else "convoy-of-no-use"


def _forbidden(bout: Bout, unit: int, army: int) -> str:
    units = bout.position.units
    return bout.rules.carriage_fault(bout.position, units[unit], units[army])


def _assign(bout: Bout, army: int, offered: Mask, *, owned: bool) -> None:
    carriage = bout.carriage.get(army)
    order: Move = bout.given[army]
    if carriage is None:
        if bout.position.units[army].kind not in bout.chart.carried or not _goes_by_sea(
            bout, army, order, offered, owned=owned
        ):
            return
        carriage = Carriage(may_walk=bout.rules.land_fallback is WALKS)
        start, target = bout.at[army], bout.aim[army]
        if not carriage.may_walk and not has_route(bout.chart, start, target, bout.fleets):
            _cancel(bout, army)
            return
        bout.carry(army, carriage)
    if order.route:
        offered &= sum(1 << bout.chart.space[sea] for sea in set(order.route))
    board_fleets(bout, army, offered)


def board_fleets(bout: Bout, army: int, fleets: Mask) -> None:
    """Let exactly these fleets carry an army."""
    carriage = bout.carriage[army]
    carriage.fleets = fleets
    carriage.routes = needed_fleets(bout.chart, bout.at[army], bout.aim[army], fleets)
    carriage.crew = tuple([bout.occupant[sea] for sea in spaces(carriage.routes)])


def _goes_by_sea(bout: Bout, army: int, order: Move, offered: Mask, *, owned: bool) -> bool:
    """Whether an army that could walk is to be convoyed (the choice `adjacent_convoy`)."""
    choice = bout.rules.adjacent_convoy
    if choice is SWAP_ONLY:
        return bool(offered) and _swaps(bout, army)
    if choice is INTENT:
        return owned or (order.via and bool(offered))
    if choice is OWN_FLEET_OR_VIA:
        return owned or order.via
    return order.via


def _swaps(bout: Bout, army: int) -> bool:
    """XIV.5: whether the unit in the army's target is ordered to where the army is."""
    other = bout.occupant[bout.aim[army]]
    return other >= 0 and bout.landing[other] is not None and bout.aim[other] == bout.at[army]


def _cancel(bout: Bout, army: int) -> None:
    """An army told to go by sea where no fleets stand: an order that cannot be followed."""
    bout.withdraw(army)
    bout.faults[army] = (Result.ILLEGAL, "no-fleets-to-carry")

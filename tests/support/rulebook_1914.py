"""The battles of 1914 a second time, sentence by sentence: who moves, who is driven out and what it costs, found by
trying every answer. What a season comes to with the points that there are: `tests.support.seasons_1914`.

As in `tests.support.rulebook_1958`, a guess says which moves come about, and is an answer if each move that it grants
is one that the book lets through and each that it denies one that the book stops. The ordinary rules are those of 1976;
what stands in quotation marks is Lewis Pulsipher's. No code of the adjudicator is used: only the board's borders.

Not here: bombers, convoys over several seas, armies that could walk where they are carried, the pairs of Italy and
Turkey that move by themselves, and countries that have lost their capital.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from judge.board.model import Board


@dataclass(frozen=True)
class Piece:
    """A unit: "A" or "F", where it is ("SPA/SC"), and whether it retreated in the season before."""

    id: int
    country: str
    kind: str
    at: str
    retreated: bool = False

    @property
    def place(self) -> str:
        return self.at[:3]


@dataclass(frozen=True)
class Go:
    """Ordered to move."""

    to: str


@dataclass(frozen=True)
class Back:
    """Ordered to support a piece into a province, or where it stands."""

    of: int
    into: str | None = None


@dataclass(frozen=True)
class Carry:
    """A fleet, ordered to carry an army."""

    army: int
    to: str


@dataclass(frozen=True)
class Rail:
    """An army, ordered to go by railway."""

    over: tuple[str, ...]


@dataclass(frozen=True)
class World:
    """Whose everything is."""

    owners: Mapping[str, str]
    """Centre -> country."""
    control: Mapping[str, str] = field(default_factory=dict)
    """Minor country -> Great Power."""
    allies: frozenset[frozenset[str]] = frozenset()
    minors: frozenset[str] = frozenset()

    def player(self, country: str) -> str:
        return self.control.get(country, country)

    def friends(self, one: str, two: str | None) -> bool:
        """ "For supply purposes, all countries controlled by a player are friendly to one another. A country is
        automatically friendly to its Ally." The minor countries of allies are taken for allies, too.
        """
        if two is None:
            return False
        return self.player(one) == self.player(two) or frozenset((self.player(one), self.player(two))) in self.allies


@dataclass(frozen=True)
class Due:
    """What a unit has to pay: `need` at hand, of which `cost` goes. `rank` is the priority, the least first."""

    unit: int
    rank: tuple[int, int, int]
    need: int
    cost: int

    @property
    def is_defence(self) -> bool:
        """Whether it is for standing where one is."""
        return (self.rank[0], self.rank[2]) == (2, 0)


@dataclass
class Fight:
    """What one segment comes to."""

    moved: Mapping[int, str]
    """Units that moved: where to."""
    trains: Mapping[int, str]
    """Armies on the railway: where each ends."""
    driven: Mapping[int, str]
    """Who is driven out, and where its attacker came from."""
    standoffs: frozenset[str]
    counted: frozenset[int]
    cut: frozenset[int]
    refused: frozenset[int]
    """Fleets that no army supported into a centre that is not friendly."""
    dues: tuple[Due, ...]
    idle: frozenset[int]
    """Units whose order is not paid for."""


class CircularError(Exception):
    """Whether a fleet may enter a centre hangs upon itself."""


class Segment:
    """One segment of a season, with what is without supplies."""

    def __init__(
        self,
        board: Board,
        world: World,
        pieces: Sequence[Piece],
        orders: Mapping[int, object],
        idle: frozenset[int],
        naked: frozenset[int],
    ) -> None:
        self.board, self.world, self.orders = board, world, orders
        self.idle = idle
        """Units whose order is not paid for."""
        self.naked = naked
        """Units whose defence is not paid for."""
        self.asking: list[int] = []
        self.pieces = {piece.id: piece for piece in pieces}
        self.at = {piece.place: piece for piece in pieces}
        self.trains = {n: order.over for n, order in orders.items() if isinstance(order, Rail)}
        self.moves = {n: order.to for n, order in orders.items() if isinstance(order, Go) and n not in idle}
        self.meant = {n: order.to for n, order in orders.items() if isinstance(order, Go)}
        self.carriers = {
            n: order.army
            for n, order in orders.items()
            if isinstance(order, Carry) and self.meant.get(order.army) == order.to
        }
        self.sailing = {
            n for n, to in self.moves.items() if to not in board.reach(self.pieces[n].kind, self.pieces[n].at)
        }
        self.supports = {n: order for n, order in orders.items() if isinstance(order, Back) and self._fits(n, order)}

    def _fits(self, n: int, order: Back) -> bool:
        """A support that says what is ordered. "An army ordered to move by rail cannot be supported." """
        if order.of in self.trains:
            return False
        if order.into is not None:
            return self.meant.get(order.of, "")[:3] == order.into
        return order.of not in self.meant

    # ---- one guess

    def fight(self) -> Fight | None:
        """Of all answers the one with most moves; None if there is none, or if one hangs upon itself."""
        try:
            answer = next(self._answers(), None)
        except CircularError:
            return None
        if answer is None:
            return None
        self.won = answer
        self.stops = self._train_stops()
        cut = frozenset(n for n in self.supports if self._is_cut(n))
        return Fight(
            moved={n: self.moves[n] for n in self.won},
            trains=self.stops,
            driven=self._driven_out(),
            standoffs=self._standoffs(),
            counted=frozenset(n for n in self.supports if self._counts(n)),
            cut=cut,
            refused=frozenset(n for n in self.moves if self._is_refused(n)),
            dues=tuple(self._dues()),
            idle=self.idle,
        )

    def _answers(self) -> Iterator[frozenset[int]]:
        for size in range(len(self.moves), -1, -1):
            for guess in combinations(self.moves, size):
                self.won = frozenset(guess)
                self.stops = self._train_stops()
                if all(self._goes_through(n) == (n in self.won) for n in self.moves):
                    yield self.won

    def _train_stops(self) -> dict[int, str]:
        """ "The provinces involved must be unoccupied at all times during the season except by the rail-travelling
        army. If an army or fleet enters one of the provinces along the route, the rail army ends its move before it
        reaches this province."
        """
        entered = {self.moves[n][:3] for n in self.won}
        bound = [over[-1] for over in self.trains.values()]
        stops = {}
        for n, over in self.trains.items():
            here = self.pieces[n].place
            for space in over:
                taken = space in self.at and self.at[space].id != n
                if taken or space in entered or (space == over[-1] and bound.count(space) > 1):
                    break
                here = space
            stops[n] = here
        return stops

    def _stays(self, piece: Piece) -> bool:
        if piece.id in self.trains:
            return self.stops[piece.id] == piece.place
        return piece.id not in self.won

    def _holder(self, place: str) -> Piece | None:
        piece = self.at.get(place)
        return piece if piece is not None and self._stays(piece) else None

    def _driven_out(self) -> dict[int, str]:
        driven = {}
        for n in self.won:
            holder = self._holder(self.moves[n][:3])
            if holder is not None:
                driven[holder.id] = self.pieces[n].place
        return driven

    def _is_carried(self, n: int) -> bool:
        """Whether an army that goes by sea has a fleet that carries it, and is not driven out."""
        fleets = [fleet for fleet, army in self.carriers.items() if army == n and fleet not in self.idle]
        driven = self._driven_out()
        return bool(fleets) and not any(fleet in driven for fleet in fleets)

    def _has_effect(self, n: int) -> bool:
        """Whether a move stands anybody off and cuts anything. "A unit which retreated in the preceding move season
        may not attack."
        """
        return self._fights(n) and not self._is_beaten(n) and (n not in self.naked or self._has_help(n))

    def _has_help(self, n: int) -> bool:
        """Whether one without strength of its own has that of supports."""
        if n in self.asking:
            raise CircularError
        self.asking.append(n)
        power = self._power_of(n)
        self.asking.remove(n)
        return power > 0

    def _is_beaten(self, n: int) -> bool:
        """Whether it is driven out by who comes from where it goes."""
        driver = self._driven_out().get(n)
        return n not in self.sailing and driver == self.moves[n][:3] and not self._came_by_sea(n)

    def _came_by_sea(self, driven: int) -> bool:
        return any(n in self.sailing for n in self.won if self.moves[n][:3] == self.pieces[driven].place)

    def _is_refused(self, n: int) -> bool:
        """ "A fleet cannot enter a non-friendly supply center unless it is supported by an army. This applies even
        (especially) to vacant centers."
        """
        piece, place = self.pieces[n], self.moves[n][:3]
        if piece.kind != "F" or not self.board.provinces[place].centre:
            return False
        if self.world.friends(piece.country, self.world.owners.get(place)):
            return False
        if n in self.asking:
            raise CircularError
        self.asking.append(n)
        refused = not any(
            order.of == n and self.pieces[helper].kind == "A" and self._counts(helper)
            for helper, order in self.supports.items()
        )
        self.asking.remove(n)
        return refused

    def _is_cut(self, n: int) -> bool:
        """1976: by an attack of another country from elsewhere than where the support goes, or by whoever drives the
        supporting unit out.
        """
        order, piece = self.supports[n], self.pieces[n]
        objective = order.into or self.pieces[order.of].place
        return any(
            to[:3] == piece.place
            and (self.pieces[attacker].place != objective or attacker in self.won)
            and self.pieces[attacker].country != piece.country
            and self._has_effect(attacker)
            and not self._is_carried_from(attacker, order)
            for attacker, to in self.moves.items()
        )

    def _is_carried_from(self, army: int, order: Back) -> bool:
        """1976, XII.5: a convoyed army does not cut a support for an attack on a fleet that carries it."""
        return army in self.sailing and any(
            self.pieces[fleet].place == order.into for fleet, carried in self.carriers.items() if carried == army
        )

    def _counts(self, n: int) -> bool:
        """Not cut, and paid. Who retreated may not "support an attack"."""
        order = self.supports[n]
        if n in self.idle or self._is_cut(n):
            return False
        if order.into is not None and (order.of in self.idle or self.pieces[order.of].retreated):
            return False
        if not self.pieces[n].retreated or order.into is None:
            return True
        return self._holder(order.into) is None and not any(map(self._has_effect, self._rivals(order.of)))

    def _rivals(self, n: int) -> list[int]:
        return [other for other, to in self.moves.items() if other != n and to[:3] == self.moves[n][:3]]

    def _power_of(self, n: int, without: str | None = None) -> int:
        """Whose defence is not paid for "has no combat strength" but for that of its supports."""
        return int(n not in self.naked) + sum(
            order.of == n and self.pieces[helper].country != without and self._counts(helper)
            for helper, order in self.supports.items()
        )

    def _defence(self, piece: Piece) -> int:
        if piece.id in self.meant or piece.id in self.trains:
            return int(piece.id not in self.naked)
        return self._power_of(piece.id)

    def _goes_through(self, n: int) -> bool:
        piece, place = self.pieces[n], self.moves[n][:3]
        holder = self._holder(place)
        if piece.retreated:
            if self._facing(n) in self.won:
                return False
            return holder is None and not self._rivals(n) and not self._is_refused(n) and self._is_there(n)
        if not self._fights(n) or self._is_beaten(n):
            return False
        if holder is not None and holder.country == piece.country:
            return False
        power = self._power_of(n, without=holder.country if holder else None)
        if any(self._power_of(rival) >= power for rival in self._rivals(n) if self._has_effect(rival)):
            return False
        if (facing := self._facing(n)) is not None:
            if facing in self.won:
                return False
            if self._fights(facing) and self._power_of(facing) >= power:
                return False
        return holder is None or power > self._defence(holder)

    def _is_there(self, n: int) -> bool:
        return n not in self.sailing or self._is_carried(n)

    def _facing(self, n: int) -> int | None:
        """Who comes from where a move goes, to where it comes from, neither by sea."""
        other = self.at.get(self.moves[n][:3])
        if other is None or other.id not in self.moves or self.moves[other.id][:3] != self.pieces[n].place:
            return None
        return None if {n, other.id} & self.sailing else other.id

    def _standoffs(self) -> frozenset[str]:
        """1976, VIII: also whoever is "ordered to its space", where a unit stands, makes a stand-off; if that unit
        goes on in the second segment the space is closed, though vacant.
        """
        tried = {to[:3] for n, to in self.moves.items() if n not in self.won and self._has_effect(n)}
        return frozenset(tried - {self.moves[n][:3] for n in self.won})

    # ---- rule 7

    def _dues(self) -> Iterator[Due]:
        """ "One SP per unit per conflict, including all supporting units; if there is no conflict there is no
        expenditure; one SP per attacking unit in a conflict, that is, a moving unit."
        """
        fighting = [n for n in self.moves if self._fights(n)]
        for place in sorted({self.moves[n][:3] for n in fighting}):
            movers = [n for n in fighting if self.moves[n][:3] == place]
            beaten = [n for n in movers if self._is_beaten(n)]
            for n in beaten:
                yield self._due(n, 3, "stand", 2)
                yield from self._dues_of_helpers(n, self.moves[n][:3], 3)
            movers = [n for n in movers if n not in beaten]
            holder = self._holder(place)
            if holder is None and len(movers) < 2:
                continue
            if holder is not None and any(not self._are_facing(holder.id, n) for n in movers):
                yield self._due(holder.id, 2, "stand", 1)
            for n in movers:
                attacks = holder is not None or n in self.won
                yield self._due(n, 3, "stand", 2 if attacks else 1, need=2)
                for fleet in (fleet for fleet, army in self.carriers.items() if army == n):
                    yield self._due(fleet, 3, "stand", 1)
                yield from self._dues_of_helpers(n, place, 3)
            if holder is not None and movers:
                yield from self._dues_of_helpers(holder.id, None, 2)

    def _dues_of_helpers(self, n: int, into: str | None, rank: int) -> Iterator[Due]:
        for helper, order in self.supports.items():
            tired = self.pieces[helper].retreated and into is not None
            if (order.of, order.into) == (n, into) and helper not in self.idle and not tired:
                yield self._due(helper, rank, "support", 1)

    def _fights(self, n: int) -> bool:
        """Whether a move makes a conflict where it goes to: that of a unit driven out by whom it attacks does, too."""
        return not self.pieces[n].retreated and not self._is_refused(n) and self._is_there(n)

    def _are_facing(self, one: int, other: int) -> bool:
        """Two that go to each other's place have one conflict."""
        return one in self.moves and self._fights(one) and self._facing(one) == other

    def _due(self, n: int, rank: int, part: str, cost: int, need: int = 0) -> Due:
        """ "2. defending (including supports), land before sea, stands before supports; 3. attacking, land before sea,
        moves before supports".
        """
        sea = self.pieces[n].kind == "F"
        return Due(n, (rank, int(sea), int(part == "support")), need or cost, cost)

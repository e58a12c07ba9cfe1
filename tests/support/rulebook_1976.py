"""The rules of 1976 a second time, sentence by sentence: how moves come out, found by trying every answer.

A guess says which moves come about. A guess is an answer if, with everybody standing where it puts them, each move
that it grants is one that the book lets through, and each that it denies one that the book stops. Answers that agree
on the convoys differ in rings: the one with most moves is taken. Where they do not agree on the convoys, or none is
found, the book contradicts itself and `verdict` is None, unless a system that stands on this one knows better.

Each rule is one function; what stands in quotation marks is the book's sentence. Nothing of the adjudicator is used:
only the board's borders. `season` is "S" or "F"; here it changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from judge.board.model import Board, Terrain


@dataclass(frozen=True)
class Piece:
    """A unit: "A" or "F" and where it is ("SPA/SC"), and where from and when it came there, if that is known."""

    id: int
    power: str
    kind: str
    at: str
    came_from: str = ""
    came: str = ""

    @property
    def place(self) -> str:
        return self.at[:3]

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


@dataclass(frozen=True)
class Go:
    """Ordered to move; `rail`: on a railway."""

    to: str
    rail: bool = False


@dataclass(frozen=True)
class Back:
    """Ordered to support a piece into a province, or where it stands."""

    of: int
    into: str = ""


@dataclass(frozen=True)
class Carry:
    """A fleet, ordered to convoy an army to a province."""

    of: int
    to: str


Order = Go | Back | Carry


@dataclass(frozen=True)
class Verdict:
    """What became of a position."""

    moved: frozenset[int]
    counted: frozenset[int]
    """Supports that counted."""
    cut: frozenset[int]
    dislodged: Mapping[int, tuple[str, ...]]
    """Piece -> where it may retreat to."""
    after: Mapping[int, str]
    """Pieces on the board -> where they are."""


class Rulebook1976:
    """One position with its orders."""

    def __init__(
        self, board: Board, pieces: Sequence[Piece], orders: Mapping[int, Order], phase: str = "S1901M"
    ) -> None:
        self.board, self.orders, self.phase = board, orders, phase
        self.season = phase[0]
        self.pieces = {piece.id: piece for piece in pieces}
        self.at = {piece.place: piece for piece in pieces}
        self.moves = {n: order.to for n, order in orders.items() if isinstance(order, Go) and not order.rail}
        self.supports = {n: order for n, order in orders.items() if isinstance(order, Back) and self.may_support(n)}
        self.never_carried: frozenset[int] = frozenset()
        """Armies whose convoy is treated as one that has not been ordered."""
        self.surely_carried: frozenset[int] = frozenset()
        """Armies that are thought to arrive by sea, whatever becomes of their fleets."""

    # ---- what may be ordered

    def steps(self, piece: Piece) -> set[str]:
        """Where a piece could go by itself if unopposed. A system that closes borders takes some away."""
        return set(self.board.reach(piece.kind, piece.at))

    def walks(self, n: int) -> bool:
        return self.moves[n] in self.steps(self.pieces[n])

    def may_support(self, n: int) -> bool:
        """ "This space must be one to which the supporting unit could have moved if not opposed by other units", and
        of a province with two coasts: "without regard to the separation of the coastline". "A unit ordered to move may
        receive support only for its attempted movement."
        """
        piece, order = self.pieces[n], self.orders[n]
        assert isinstance(order, Back)
        if (order.into or self.pieces[order.of].place) not in {to[:3] for to in self.steps(piece)}:
            return False
        going = self.orders.get(order.of)
        if order.into:
            return order.of in self.moves and self.moves[order.of][:3] == order.into
        return not isinstance(going, Go)

    @cached_property
    def routes(self) -> dict[int, list[tuple[int, ...]]]:
        """ "A fleet in a body of water may convoy an army from any province on the coast of that body to any other
        province on the coast of that body. [...] If two or more fleets control adjacent bodies of water, an army may
        be convoyed through all these". Army -> the fleets of each possible route. One from which a fleet could be left
        out is none: it is the shorter route, and that fleet is of no use (DATC 6.F.12).
        """
        found = {}
        for n, to in self.moves.items():
            piece = self.pieces[n]
            if piece.kind != "A":
                continue
            fleets = {
                self.pieces[each].place: each
                for each, order in self.orders.items()
                if order == Carry(n, to) and self._is_at_sea(self.pieces[each])
            }
            shore = {place[:3] for place in self.sea_ways(piece.place)}
            routes = [route for sea in shore & set(fleets) for route in self._sail((sea,), to, fleets)]
            needed = [route for route in routes if not any(set(other) < set(route) for other in routes)]
            if needed:
                found[n] = [tuple(fleets[sea] for sea in route) for route in needed]
        return found

    def _is_at_sea(self, piece: Piece) -> bool:
        """ "Fleets in Kiel and Constantinople, and in any other coastal province, may not convoy." """
        return piece.kind == "F" and self.board.provinces[piece.place].terrain is Terrain.SEA

    def sea_ways(self, place: str) -> set[str]:
        return {to for at in self.board.standings("F", place) for to in self.board.reach("F", at)}

    def _sail(self, way: tuple[str, ...], to: str, fleets: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
        around = {place[:3] for place in self.sea_ways(way[-1])}
        if to in around:
            yield way
        for sea in around & set(fleets) - set(way):
            yield from self._sail((*way, sea), to, fleets)

    # ---- one guess: the moves in it come about, the others do not

    def answers(self) -> list[frozenset[int]]:
        """All answers, those with most moves first."""
        possible = [n for n in self.moves if self.walks(n) or n in self.routes]
        found = []
        for size in range(len(possible), -1, -1):
            for guess in combinations(possible, size):
                self.won = frozenset(guess)
                if all(self.goes_through(n) == (n in self.won) for n in possible):
                    found.append(self.won)
        return found

    def stays(self, piece: Piece) -> bool:
        return piece.id not in self.won

    def staying_at(self, place: str) -> Piece | None:
        piece = self.at.get(place)
        return piece if piece and self.stays(piece) else None

    def is_dislodged(self, n: int) -> bool:
        """ "A unit which otherwise would have remained in the space attacked by a better supported unit is
        dislodged".
        """
        return self.stays(self.pieces[n]) and any(self.moves[each][:3] == self.pieces[n].place for each in self.won)

    def is_carried(self, n: int) -> bool:
        """Whether a convoy takes an army to its place. "If a fleet ordered to convoy is dislodged during the move, the
        army to be convoyed remains in its original province"; "if any of the possible routes are destroyed by
        dislodgement of a fleet, the army may not move."
        """
        if n not in self.routes or n in self.never_carried:
            return False
        return n in self.surely_carried or not any(self.is_dislodged(f) for route in self.routes[n] for f in route)

    def goes_by_sea(self, n: int) -> bool:
        """Whether a move is one by convoy. An army that could walk is carried only where "two pieces may exchange
        places if either or both are convoyed".
        """
        if not self.is_carried(n):
            return False
        return not self.walks(n) or self._meets(n) is not None

    def _meets(self, n: int) -> int | None:
        """The piece in the place where a move goes, if it is ordered to come the other way."""
        other = self.at.get(self.moves[n][:3])
        there = other and self.moves.get(other.id, "")[:3] == self.pieces[n].place
        return other.id if other and there else None

    def has_way(self, n: int) -> bool:
        """Of a convoy that is disrupted: the army "has no effect on the province to which it was ordered"."""
        return self.walks(n) or self.is_carried(n)

    def head_on(self, n: int) -> int | None:
        """The move that a move meets head-on: "If two units are ordered, each to the space the other occupies, neither
        may move", unless one of them is convoyed.
        """
        other = self._meets(n)
        if other is None or not self.has_way(other) or self.goes_by_sea(n) or self.goes_by_sea(other):
            return None
        return other

    def has_effect(self, n: int) -> bool:
        """ "It may be said that a dislodged unit has no effect on the space its attacker came from." """
        if not self.has_way(n):
            return False
        return not any(
            self.pieces[each].place == self.moves[n][:3] and self.moves[each][:3] == self.pieces[n].place
            for each in self.won
            if self.is_dislodged(n)
        )

    def is_cut(self, n: int) -> bool:
        """ "If a unit ordered to support in a given space is attacked from a space different from the one into which
        it is giving support, or is dislodged by an attack from any space, including the one into which it is giving
        support, then its support is “cut.”" "A player may not, by an attack, cut support being given by one of his
        own units".
        """
        order, piece = self.supports[n], self.pieces[n]
        if any(self.moves[each][:3] == piece.place and self.cuts_by_dislodging(each, n) for each in self.won):
            return True
        objective = order.into or self.pieces[order.of].place
        return any(
            to[:3] == piece.place
            and self.pieces[attacker].power != piece.power
            and self.pieces[attacker].place != objective
            and self.has_way(attacker)
            and not (self.goes_by_sea(attacker) and self.spares(attacker, n))
            for attacker, to in self.moves.items()
        )

    def cuts_by_dislodging(self, winner: int, supporter: int) -> bool:
        """The sentence below knows no exception: an army that comes by sea does not cut that support by dislodging."""
        return not (self.goes_by_sea(winner) and self.spares(winner, supporter))

    def spares(self, army: int, supporter: int) -> bool:
        """ "If a convoyed army attacks a fleet which is supporting a fleet which is attacking one of the convoying
        fleets, that support is not cut."
        """
        fleets = {self.pieces[fleet].place for route in self.routes[army] for fleet in route}
        return self.pieces[supporter].kind == "F" and self.supports[supporter].into in fleets

    def supporters(self, n: int) -> list[int]:
        return [each for each, order in self.supports.items() if order.of == n and not self.is_cut(each)]

    def strength(self, n: int, *, without: str = "") -> int:
        """ "A unit moves with the strength of itself and all its valid supports", those of one country left out."""
        return 1 + sum(self.pieces[each].power != without for each in self.supporters(n))

    def defence(self, piece: Piece) -> int:
        """A unit ordered to move "may not be supported in place in the event that its attempted move fails." """
        return 1 if isinstance(self.orders.get(piece.id), Go) else self.strength(piece.id)

    def goes_through(self, n: int) -> bool:
        """ "Unless it is opposed by a unit equally well or better supported, it may make its move"."""
        return (
            self.has_way(n)
            and self._beats_those_for_the_same_space(n)
            and self._beats_one_that_comes_against_it(n)
            and self._beats_one_that_stays(n)
        )

    def _attack(self, n: int) -> int:
        """ "An order by one country which supports an attack by another country against a space occupied by one of the
        first country's units does not permit a move dislodging that unit".
        """
        victim = self.staying_at(self.moves[n][:3])
        return self.strength(n, without=victim.power if victim else "")

    def _beats_those_for_the_same_space(self, n: int) -> bool:
        """ "If two or more units are ordered to the same space, none of them may move." """
        return all(
            self._attack(n) > self.strength(other)
            for other, to in self.moves.items()
            if other != n and to[:3] == self.moves[n][:3] and self.has_effect(other)
        )

    def _beats_one_that_comes_against_it(self, n: int) -> bool:
        other = self.head_on(n)
        return other is None or (other not in self.won and self._attack(n) > self.strength(other))

    def _beats_one_that_stays(self, n: int) -> bool:
        """ "If a unit is not ordered to move, or is prevented from moving, and other units are ordered to its space,
        those other units may not move." "An order to move into a space occupied by another unit of the same country
        may not succeed if the second unit fails to leave that space."
        """
        piece = self.staying_at(self.moves[n][:3])
        if piece is None:
            return True
        return piece.power != self.pieces[n].power and self._attack(n) > self.defence(piece)

    # ---- what comes of it

    def verdict(self) -> Verdict | None:
        """What comes of the position; None where the book contradicts itself."""
        answers = self.answers()
        if not answers or not self._agree(answers):
            return self.verdict_of_paradox(answers)
        return self.told(answers[0])

    def verdict_of_paradox(self, _answers: list[frozenset[int]]) -> Verdict | None:
        return None

    def _agree(self, answers: list[frozenset[int]]) -> bool:
        """Whether answers say the same of the convoys, and differ in rings alone."""
        carried = set()
        for self.won in answers:
            carried.add(frozenset(n for n in self.routes if self.is_carried(n)))
        return len(carried) == 1

    def told(self, answer: frozenset[int]) -> Verdict:
        self.won = answer
        driven = [n for n in self.pieces if self.is_dislodged(n)]
        after = {n: self.ends_at(n) for n in self.pieces if n not in driven}
        cut = frozenset(n for n in self.supports if self.is_cut(n))
        return Verdict(
            moved=answer,
            counted=frozenset(self.supports) - cut,
            cut=cut,
            dislodged={n: self.retreats(n, after) for n in driven},
            after=after,
        )

    def ends_at(self, n: int) -> str:
        return self.moves[n] if n in self.won else self.pieces[n].at

    def retreat_steps(self, piece: Piece) -> set[str]:
        """ "An adjacent space suitable to an army or fleet, as the case may be." """
        return set(self.board.reach(piece.kind, piece.at))

    def retreats(self, n: int, after: Mapping[int, str]) -> tuple[str, ...]:
        """ "The unit may not retreat, however, to any space which is occupied, nor to the space its attacker came
        from, nor to a space which was left vacant due to a standoff on the move."
        """
        piece = self.pieces[n]
        origin = next(self.pieces[each].place for each in self.won if self.moves[each][:3] == piece.place)
        closed = {place[:3] for place in after.values()} | {origin} | self.left_vacant()
        return tuple(sorted(to for to in self.retreat_steps(piece) if to[:3] not in closed))

    def left_vacant(self) -> set[str]:
        tried = Counter(to[:3] for n, to in self.moves.items() if n not in self.won and self.has_effect(n))
        return {place for place, times in tried.items() if times > 1}

    def has_way_or_stands(self, verdict: Verdict, supporter: int) -> bool:
        """Whether a support goes to a unit that stands, or to one that has a way to where it goes."""
        self.won = verdict.moved
        of = self.supports[supporter].of
        return of not in self.moves or self.has_way(of)


class RulebookOneRoute(Rulebook1976):
    """The books since 1982, where of several routes it is enough that one is whole."""

    def is_carried(self, n: int) -> bool:
        return any(not any(self.is_dislodged(fleet) for fleet in route) for route in self.routes.get(n, ()))

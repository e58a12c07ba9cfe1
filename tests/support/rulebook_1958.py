"""The rules of 1958 a second time, sentence by sentence: how moves and retreats come out, found by trying every answer.

A guess says which moves come about. A guess is an answer if, with everybody standing where it puts them, each move
that it grants is one that the book lets through, and each that it denies one that the book stops. Of several answers
the one with most moves is taken, which lets a ring of three or more go round. Nothing is worked out in any clever
order, and no code of the adjudicator is used: only the board's borders, capitals and naval bases.

Each rule is one function; what stands in quotation marks is the book's sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from judge.board.model import Board


@dataclass(frozen=True)
class Piece:
    """A unit: "A" or "F", where it is ("SPA/SC"), and for an army on board the number of its fleet."""

    id: int
    power: str
    kind: str
    at: str
    aboard: int | None = None

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
class Embark:
    """An army, ordered on board a fleet."""

    fleet: int


@dataclass(frozen=True)
class Off:
    """An army on board, ordered off."""


@dataclass(frozen=True)
class Country:
    """Where a country's armies and fleets may stand together."""

    capital: str | None
    bases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What became of a position."""

    moved: frozenset[int]
    boarded: frozenset[int]
    landed: frozenset[int]
    counted: frozenset[int]
    """Supports that counted."""
    cut: frozenset[int]
    dislodged: Mapping[int, tuple[str, ...]]
    """Piece -> where it may retreat to."""
    after: frozenset[tuple[int, str, int | None]]
    """Pieces on the board: number, place, fleet that it is aboard."""


class Rulebook1958:
    """One position with its orders."""

    def __init__(
        self,
        board: Board,
        pieces: Sequence[Piece],
        orders: Mapping[int, object],
        countries: Mapping[str, Country],
        *,
        foreign_boarding: bool = False,
    ) -> None:
        self.board, self.orders, self.countries = board, orders, countries
        self.foreign_boarding = foreign_boarding
        self.pieces = {piece.id: piece for piece in pieces}
        self.ashore = [piece for piece in pieces if piece.aboard is None]
        self.moves = self._possible_moves()
        self.landing = self._landings()
        self.boarding = self._boardings()
        self.supports = {n: order for n, order in orders.items() if isinstance(order, Back) and self._may_support(n)}

    # ---- what may be ordered

    def _possible_moves(self) -> dict[int, str]:
        """ "If he orders it to make an impossible move [...] it loses its move." Whoever is barred from his own capital
        stays where he is and may bar another in turn, so this is repeated until nothing changes.
        """
        moves = {
            piece.id: order.to
            for piece in self.ashore
            if isinstance(order := self.orders.get(piece.id), Go) and order.to in self.board.reach(piece.kind, piece.at)
        }
        while barred := [n for n, to in moves.items() if self._other_kind(n, to, moves, ordered_out=False)]:
            for n in barred:
                del moves[n]
        return moves

    def _other_kind(self, n: int, to: str, moves: Mapping[int, str], *, ordered_out: bool) -> list[Piece]:
        """ "An army may not move into its own capital if one of its own fleets is in it, nor a fleet into its naval
        base if occupied by its own army." Those in the way that are ordered out, or those that are not.
        """
        piece = self.pieces[n]
        if not self._is_stacking_place(piece.power, piece.kind, to):
            return []
        return [
            other
            for other in self.ashore
            if other.place == to[:3]
            and other.power == piece.power
            and other.kind != piece.kind
            and (other.id in moves or self._goes_aboard(other, moves)) == ordered_out
        ]

    def _goes_aboard(self, army: Piece, moves: Mapping[int, str]) -> bool:
        order = self.orders.get(army.id)
        if not isinstance(order, Embark) or order.fleet not in moves:
            return False
        return army.place in (self.pieces[order.fleet].place, moves[order.fleet][:3])

    def _is_stacking_place(self, power: str, kind: str, place: str) -> bool:
        """ "A country may have any number of its own fleets in its naval base and any number of its own armies in its
        capital."
        """
        country = self.countries[power]
        if kind == "A":
            return country.capital == place[:3]
        return place[:3] in {base[:3] for base in country.bases}

    def _boardings(self) -> dict[int, int]:
        """ "If a fleet and army are in the same province, the army may be ordered "on board" the designated fleet and
        the fleet moved on the same move. If an army is in a coastal province to which a fleet could ordinarily
        move, it may move in, provided the army is ordered on board at the same time."
        """
        wish = {}
        for army in self.ashore:
            order = self.orders.get(army.id)
            if army.kind != "A" or not isinstance(order, Embark):
                continue
            fleet = self.pieces[order.fleet]
            if fleet.kind != "F" or fleet.id not in self.moves:
                continue
            if fleet.power != army.power and not self.foreign_boarding:
                continue
            if army.place in (fleet.place, self.moves[fleet.id][:3]):
                wish[army.id] = fleet.id
        return self._one_army_a_fleet(wish)

    def _one_army_a_fleet(self, wish: dict[int, int]) -> dict[int, int]:
        """The book speaks of "the army" on board a fleet: one."""
        full = {piece.aboard for piece in self.pieces.values() if piece.aboard and not self._is_sure_to_land(piece)}
        many = {fleet for fleet, n in Counter(wish.values()).items() if n > 1}
        return {army: fleet for army, fleet in wish.items() if fleet not in full and fleet not in many}

    def _landings(self) -> dict[int, int]:
        """ "The army stays with the fleet until the fleet puts in at some coastal province. Then the army may be
        ordered off, provided the fleet is also ordered out on the same move."
        """
        return {
            piece.id: piece.aboard
            for piece in self.pieces.values()
            if piece.aboard is not None
            and isinstance(self.orders.get(piece.id), Off)
            and piece.aboard in self.moves
            and self.board.can_stand("A", piece.place)
        }

    def _may_support(self, n: int) -> bool:
        """ "The unit giving support may only support in a space to which it could legally move if unopposed by other
        units." Of several in one province: "They may not support each other." Once an army is on board, "the two
        units may not support each other, nor has the army any fighting power".
        """
        piece, order = self.pieces[n], self.orders[n]
        assert isinstance(order, Back)
        other = self.pieces[order.of]
        if piece.aboard is not None or piece.place == other.place:
            return False
        objective = order.into or other.place
        if objective not in {place[:3] for place in self.board.reach(piece.kind, piece.at)}:
            return False
        if order.into is not None:
            return other.id in self.moves and self.moves[other.id][:3] == order.into
        return other.id not in self.moves and (other.aboard is None or other.id in self.landing)

    # ---- one guess: the moves in it come about, the others do not

    def _answers(self) -> Iterator[frozenset[int]]:
        for size in range(len(self.moves), -1, -1):
            for guess in combinations(self.moves, size):
                self.won = frozenset(guess)
                if all(self._goes_through(n) == (n in self.won) for n in self.moves):
                    yield self.won

    def _stays(self, piece: Piece) -> bool:
        """Whether a piece is in its old place, and fights there, as the moves are made."""
        if piece.id in self.landing:
            # "If an army is attacked at this time, it is treated as if it had been located there previously and had
            # not been ordered to move. If the fleet is prevented from moving, the army stays on board."
            return self._lands(piece)
        if piece.aboard is not None:
            return False
        if piece.id in self.boarding:
            return self.boarding[piece.id] not in self.won
        return piece.id not in self.won

    def _is_sure_to_land(self, army: Piece) -> bool:
        """Whether it goes ashore if its fleet goes: nobody could be in its way there."""
        return army.id in self.landing and not any(
            other.place == army.place and other.id != army.aboard and not self._may_stand_beside(army, other)
            for other in self.ashore
        )

    def _may_stand_beside(self, army: Piece, other: Piece) -> bool:
        return other.kind == "A" and self._is_stacking_place(army.power, "A", army.place)

    def _lands(self, army: Piece) -> bool:
        """Nobody may stand beside others of his own, except for armies in their capital."""
        return self.landing[army.id] in self.won and not any(
            other.place == army.place and self._stays(other) and not self._may_stand_beside(army, other)
            for other in self.ashore
        )

    def _stay_in(self, place: str) -> list[Piece]:
        return [piece for piece in self.pieces.values() if piece.place == place and self._stays(piece)]

    def _victims_of(self, n: int) -> set[str]:
        """Whose units a move would drive out: those that stay where it goes, and the armies aboard them."""
        stay = {piece.id for piece in self._stay_in(self.moves[n][:3]) if self.boarding.get(piece.id) != n}
        carried = (piece.power for piece in self.pieces.values() if piece.aboard in stay and piece.id not in stay)
        return {self.pieces[n].power for n in stay} | set(carried)

    def _driven_out(self) -> dict[int, set[str]]:
        """Who is driven out, and where those came from that did it."""
        driven: dict[int, set[str]] = {}
        for winner in self.won:
            for piece in self._stay_in(self.moves[winner][:3]):
                if piece.power != self.pieces[winner].power:
                    driven.setdefault(piece.id, set()).add(self.pieces[winner].place)
        return driven

    def _has_effect(self, n: int) -> bool:
        """A unit driven out by the very unit that it attacks hinders nobody, and neither does one that finds its
        capital taken by a fleet of its own (its naval base by an army) that was ordered out and stopped.
        """
        if self.moves[n][:3] in self._driven_out().get(n, ()):
            return False
        return not self._finds_other_kind(n)

    def _finds_other_kind(self, n: int) -> bool:
        others = self._other_kind(n, self.moves[n], self.moves, ordered_out=True)
        return any(self._stays(other) for other in others if self.boarding.get(other.id) != n)

    def _joins(self, n: int, piece: Piece) -> bool:
        """Whether a move ends beside a piece of the same kind in the capital or naval base of both."""
        mover = self.pieces[n]
        if (mover.power, mover.kind) != (piece.power, piece.kind):
            return False
        return self._is_stacking_place(mover.power, mover.kind, self.moves[n])

    def _is_cut(self, n: int) -> bool:
        """ "If the location of a supporting unit is attacked by a unit, not the one whose location is the objective of
        the unit receiving support, the supporting unit is treated as a unit not ordered to move."
        """
        order, piece = self.supports[n], self.pieces[n]
        objective = order.into or self.pieces[order.of].place
        return any(
            to[:3] == piece.place
            and self.pieces[attacker].place != objective
            and not self._joins(attacker, piece)
            and self._has_effect(attacker)
            for attacker, to in self.moves.items()
        )

    def _power_of(self, n: int, without: Iterable[str] = ()) -> int:
        """ "A unit receiving support has the power of two units. [...] A unit may receive support from several units."
        Of several in one province: "nor may they both support the same unit outside the province". `without`:
        supports of that country do not count, since it "may not drive out one of its own units by [...] support".
        """
        helpers = {
            (self.pieces[helper].power, self.pieces[helper].place)
            for helper, order in self.supports.items()
            if order.of == n and self.pieces[helper].power not in without and not self._is_cut(helper)
        }
        return 1 + len(helpers)

    def _defence(self, place: str) -> int:
        """ "When multiple armies are in one province, however, they are worth only one in defence of that province.
        [...] Only one of them may receive support." Who was ordered out is not supported where he is.
        """
        return max(1 if piece.id in self.moves else self._power_of(piece.id) for piece in self._stay_in(place))

    def _is_crawl(self, n: int, other: int) -> bool:
        """F SPA(sc)-POR, F POR-SPA(nc): Calhamer's letter on the coastal crawl."""
        if self.pieces[n].kind != "F" or self.pieces[other].kind != "F":
            return False
        return self.moves[other] != self.pieces[n].at or self.moves[n] != self.pieces[other].at

    def _goes_through(self, n: int) -> bool:
        """Whether the book lets a move through."""
        return (
            not self._finds_other_kind(n)
            and self._beats_those_for_the_same_objective(n)
            and self._beats_those_that_come_against_it(n)
            and self._beats_those_that_stay(n)
        )

    def _beats_those_for_the_same_objective(self, n: int) -> bool:
        """ "If two armies are ordered to the same objective, they both lose their moves." With support it moves "in
        spite of the presence or conflicting move" of others, unless "opposed directly by a unit equally heavily
        supported". Where somebody is to be driven out, supports of his own country help against nobody.
        """
        victims = self._victims_of(n) - {self.pieces[n].power}
        power = self._power_of(n, without=victims)
        return all(
            power > self._power_of(other)
            for other, to in self.moves.items()
            if other != n
            and to[:3] == self.moves[n][:3]
            and not self._joins(n, self.pieces[other])
            and self._has_effect(other)
        )

    def _beats_those_that_come_against_it(self, n: int) -> bool:
        """ "If each army is ordered to the other's location, they both lose their moves." """
        for other, to in self.moves.items():
            if self.pieces[other].place != self.moves[n][:3] or to[:3] != self.pieces[n].place:
                continue
            if self._is_crawl(n, other):
                continue
            if other in self.won or self.pieces[other].power == self.pieces[n].power:
                return False
            if self._power_of(n, without=self._victims_of(n)) <= self._power_of(other):
                return False
        return True

    def _beats_those_that_stay(self, n: int) -> bool:
        """ "If an army stands in its location and another army is ordered to move to that province, the army ordered to
        move loses its move." "A country may not drive out one of its own units by an attack or support by another
        of its own units."
        """
        place = self.moves[n][:3]
        stay = [piece for piece in self._stay_in(place) if self.boarding.get(piece.id) != n]
        if all(self._joins(n, piece) for piece in stay):
            return True
        if self.pieces[n].power in self._victims_of(n):
            return False
        return self._power_of(n, without=self._victims_of(n)) > self._defence(place)

    # ---- what comes of it

    def verdict(self) -> Verdict | None:
        """Of all answers the one with most moves; None where the sentences contradict each other."""
        answer = next(self._answers(), None)
        if answer is None:
            return None
        self.won = answer
        driven = self._driven_out()
        boarded = {army: fleet for army, fleet in self.boarding.items() if fleet in self.won}
        landed = {army for army in self.landing if self._stays(self.pieces[army])}
        lapsed = {n for n, order in self.supports.items() if order.of in set(self.landing) - landed}
        after = self._after(boarded, landed, set(driven))
        drowned: dict[int, tuple[str, ...]] = {
            n: () for n, piece in self.pieces.items() if piece.aboard in driven and n not in landed
        }
        cut = frozenset(n for n in self.supports if self._is_cut(n))
        return Verdict(
            moved=self.won,
            boarded=frozenset(boarded),
            landed=frozenset(landed),
            counted=frozenset(self.supports) - cut - lapsed,
            cut=cut,
            dislodged={n: self._retreats(n, origins, after) for n, origins in driven.items()} | drowned,
            after=frozenset((n, *where) for n, where in after.items()),
        )

    def _after(
        self, boarded: Mapping[int, int], landed: set[int], driven: set[int]
    ) -> dict[int, tuple[str, int | None]]:
        """Where everybody is; those aboard are where their fleet is, and gone with it."""
        fleets = {n: self.moves[n] if n in self.won else piece.at for n, piece in self.pieces.items()}
        found: dict[int, tuple[str, int | None]] = {}
        for n, piece in self.pieces.items():
            fleet = boarded.get(n, piece.aboard if n not in landed else None)
            if n in driven or fleet in driven:
                continue
            found[n] = (fleets[n], None) if fleet is None else (fleets[fleet][:3], fleet)
        return found

    def _retreats(self, n: int, origins: set[str], after: Mapping[int, tuple[str, int | None]]) -> tuple[str, ...]:
        """ "To any adjacent space open to that type of unit, provided that that space is not occupied, not the space
        the attacker came from, and not a space that two units attempted to occupy on the move and failed to
        occupy".
        """
        piece = self.pieces[n]
        closed = {place[:3] for place, _ in after.values()} | origins | self._standoffs()
        return tuple(sorted(to for to in self.board.reach(piece.kind, piece.at) if to[:3] not in closed))

    def _standoffs(self) -> set[str]:
        tried = Counter(to[:3] for n, to in self.moves.items() if n not in self.won and self._has_effect(n))
        return {place for place, times in tried.items() if times > 1}

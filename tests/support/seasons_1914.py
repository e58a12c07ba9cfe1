"""A season of 1914 a second time, sentence by sentence: both segments, what is paid for, and who may retreat where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.board.model import Board
from tests.support.rulebook_1914 import Due, Fight, Go, Piece, Segment, World

PLENTY = 10**6
""" "Uncontrolled minors always have enough SP to pay for defensive combat." """


@dataclass
class Season:
    """What a season comes to, before retreats."""

    first: Fight
    second: Fight | None
    between: Sequence[Piece]
    """The units as the second segment begins."""
    going: Mapping[int, object]
    """Orders of the second segment that can be followed."""
    after: frozenset[tuple[int, str]]
    retreats: Mapping[int, tuple[str, ...]]
    driven_from: Mapping[int, str]
    """Where each was then."""
    spent: Mapping[str, int]
    unpaid: frozenset[int]


class Rulebook1914:
    """A season with its orders. `seconds`: orders of fleets for the second segment. `ties`: units, first paid first."""

    def __init__(
        self,
        board: Board,
        world: World,
        pieces: Sequence[Piece],
        orders: Mapping[int, object],
        seconds: Mapping[int, object],
        points: Mapping[str, int],
        ties: Mapping[int, int],
    ) -> None:
        self.board, self.world, self.pieces = board, world, list(pieces)
        self.orders, self.seconds, self.points, self.ties = orders, seconds, points, ties
        self.country = {piece.id: piece.country for piece in pieces}
        self.unpaid: set[int] = set()
        self.reserve: dict[str, int] = {}
        self.aside: dict[str, list[tuple[int, int, int]]] = {}
        """Country -> the priorities for which points were at hand and not needed: they pay for no lower ones."""
        self.short: dict[str, tuple[int, int, int]] = {}
        """Country -> the priority at which it went short: nothing of a lower one is paid any more."""

    def season(self) -> Season | None:
        """None where the sentences contradict each other."""
        left = {country: self.points.get(country, PLENTY) for country in self.country.values()}
        start = dict(left)
        first = self._fought(self.pieces, self.orders, left, frozenset())
        if first is None:
            return None
        now, out = self._moved(self.pieces, first)
        between, second = now, None
        going = {n: order for n, order in self.seconds.items() if self._may_go_on(n, first, now)}
        if going:
            second = self._fought(now, going, left, first.standoffs)
            if second is None:
                return None
            now, more = self._moved(now, second)
            out |= more
        closed = first.standoffs | (second.standoffs if second else frozenset())
        retreats = self._retreats(out, now, closed)
        for n in sorted(out, key=lambda n: self.ties.get(n, n)):
            if retreats[n] and left[self.country[n]] < 1:
                retreats[n] = ()
                self.unpaid.add(n)
            left[self.country[n]] -= bool(retreats[n])
        return Season(
            first=first,
            second=second,
            between=between,
            going=going,
            after=frozenset((piece.id, piece.at) for piece in now),
            retreats=retreats,
            driven_from={n: piece.at for n, (piece, _) in out.items()},
            spent={country: start[country] - left[country] for country in left},
            unpaid=frozenset(self.unpaid),
        )

    def _may_go_on(self, n: int, first: Fight, now: Sequence[Piece]) -> bool:
        """A fleet that was stopped, or driven out, does not go on from where it did not come."""
        if n not in {piece.id for piece in now}:
            return False
        return not isinstance(self.orders.get(n), Go) or n in first.moved

    def _moved(self, pieces: Sequence[Piece], fight: Fight) -> tuple[list[Piece], dict[int, tuple[Piece, str]]]:
        """Who is on the board now, and who is driven out, each with where its attacker came from."""
        now, out = [], {}
        for piece in pieces:
            if piece.id in fight.driven:
                out[piece.id] = (piece, fight.driven[piece.id])
                continue
            to = fight.trains.get(piece.id) or fight.moved.get(piece.id, piece.at)
            now.append(replace(piece, at=to))
        return now, out

    def _retreats(
        self, out: Mapping[int, tuple[Piece, str]], now: Sequence[Piece], closed: Iterable[str]
    ) -> dict[int, tuple[str, ...]]:
        """1976, and: "A unit may not retreat to a center owned by another country"; "standoffs in either segment
        prevent retreats, but units block retreat only in the spaces they occupy at the end of the second segment".
        """
        taken = {piece.place for piece in now} | set(closed)
        return {
            n: tuple(
                sorted(
                    to
                    for to in self.board.reach(piece.kind, piece.at)
                    if to[:3] not in taken | {origin} and self._may_come_back(piece, to[:3])
                )
            )
            if not self._is_idle_minor(piece.country)
            else ()
            for n, (piece, origin) in out.items()
        }

    def _is_idle_minor(self, country: str) -> bool:
        return country in self.world.minors and country not in self.world.control

    def _may_come_back(self, piece: Piece, place: str) -> bool:
        owner = self.world.owners.get(place)
        return owner is None or self.world.player(owner) == self.world.player(piece.country)

    # ---- rule 8

    def _fought(
        self,
        pieces: Sequence[Piece],
        orders: Mapping[int, object],
        left: dict[str, int],
        closed: frozenset[str],
    ) -> Fight | None:
        """ "If a country lacks the SP required to permit an action, the action ordered does not take place": the first
        due that cannot be paid falls away, and the battle is fought again.
        """
        idle: set[int] = set()
        naked: set[int] = set()
        first = True
        while True:
            fight = self._one(pieces, orders, frozenset(idle), frozenset(naked))
            if fight is None:
                return None
            if first:
                self._keep_back(pieces, fight, closed, left)
                first = False
            short, spent = self._short(fight, left, idle, naked)
            if short is None:
                for country, cost in spent.items():
                    left[country] -= cost
                return fight
            (naked if short.is_defence else idle).add(short.unit)
            self.unpaid.add(short.unit)

    def _one(
        self, pieces: Sequence[Piece], orders: Mapping[int, object], idle: frozenset[int], naked: frozenset[int]
    ) -> Fight | None:
        return Segment(self.board, self.world, pieces, orders, idle, naked).fight()

    def _keep_back(
        self, pieces: Sequence[Piece], fight: Fight, closed: frozenset[str], left: Mapping[str, int]
    ) -> None:
        """ "1. retreats": a point for each that is needed where everybody fights. It pays for nothing else."""
        now, out = self._moved(pieces, fight)
        for n, ways in self._retreats(out, now, closed | fight.standoffs).items():
            country = self.country[n]
            kept = self.reserve.get(country, 0)
            if ways and kept < left[country]:
                self.reserve[country] = kept + 1

    def _short(
        self,
        fight: Fight,
        left: Mapping[str, int],
        idle: Iterable[int],
        naked: Iterable[int],
    ) -> tuple[Due | None, dict[str, int]]:
        """The first due that cannot be paid, by priority and by the player's list for equals; and what is spent."""
        spent: dict[str, int] = {}
        aside = {country: list(kept) for country, kept in self.aside.items()}
        ranked = sorted(fight.dues, key=lambda due: (due.rank, self._turn(due.unit), self.ties.get(due.unit, due.unit)))
        ranked = [due for due in ranked if due.unit not in (naked if due.is_defence else idle)]
        for due in ranked:
            if due.rank > self.short.get(self.country[due.unit], due.rank):
                return due, spent
        for due in ranked:
            country = self.country[due.unit]
            kept = aside.setdefault(country, [])
            fresh = left[country] - self.reserve.get(country, 0) - spent.get(country, 0) - len(kept)
            usable = sorted(rank for rank in kept if rank >= due.rank)[: due.need]
            if fresh + len(usable) < due.need:
                self.short[country] = min(due.rank, self.short.get(country, due.rank))
                return due, spent
            for rank in usable:
                kept.remove(rank)
            kept += [due.rank] * (due.need - due.cost)
            spent[country] = spent.get(country, 0) + due.cost
        self.aside = aside
        return None, spent

    def _turn(self, n: int) -> int:
        return list(self.board.powers).index(self.country[n])

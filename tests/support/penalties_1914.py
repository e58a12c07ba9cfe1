"""What attacks on minor countries cost in political factors in 1914 a second time, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.board.model import Board
from tests.support.rulebook_1914 import Back, Fight, Go, Piece, Rail, World

GROUPS = (("BELGIUM", "DENMARK", "HOLLAND", "NORWAY", "SWEDEN"), ("SPAIN", "PORTUGAL"))


class Penalties:
    """Who loses his factors where, in one segment of a season."""

    def __init__(self, board: Board, world: World, pieces: Sequence[Piece]) -> None:
        self.board, self.world = board, world
        self.pieces = {piece.id: piece for piece in pieces}
        self.at = {piece.place: piece for piece in pieces}

    def of(self, orders: Mapping[int, object], fight: Fight) -> set[tuple[str, str]]:
        """(minor country, player) -> whose total there is nothing now."""
        found: set[tuple[str, str]] = set()
        for n, mover, place in self._attempts(orders, fight):
            for minor in self._offended(place, fight):
                if self.pieces[mover].country != minor:
                    found |= set(self._penalty(self.pieces[n].country, minor))
        return found

    def _attempts(self, orders: Mapping[int, object], fight: Fight) -> Iterator[tuple[int, int, str]]:
        """ "When a unit attempts to enter a center or province, or attacks a unit [...]. The same penalty applies when
        a player's unit supports such an attack." What is not paid for does not take place, and nobody supports an
        attack of one that retreated. (What one that retreated supports is told elsewhere: not here.)
        """
        for n, order in orders.items():
            if n in fight.idle:
                continue
            tired = isinstance(order, Back) and self.pieces[order.of].retreated
            match order:
                case Go(to):
                    yield n, n, to[:3]
                case Rail(over):
                    yield n, n, over[-1]
                case Back(of, into) if into is not None and of not in fight.idle and not tired:
                    supported = orders.get(of)
                    if isinstance(supported, Go) and supported.to[:3] == into:
                        yield n, of, into

    def _offended(self, place: str, fight: Fight) -> set[str]:
        """ "A center or province, or a unit, owned by a minor country"; a unit that has left is not attacked."""
        province = self.board.provinces[place]
        owner = self.world.owners.get(place) if province.centre else province.territory
        unit = self.at.get(place)
        left = unit is not None and (unit.id in fight.moved or fight.trains.get(unit.id, place) != place)
        return {each for each in (owner, unit.country if unit and not left else None) if each in self.world.minors}

    def _penalty(self, country: str, minor: str) -> Iterator[tuple[str, str]]:
        """ "This does not apply to countries the player controls." "If a unit of a player's own country attacks or
        supports an attack on any one of the following minor countries while it is uncontrolled, his PF total in all
        the minor countries in the group is reduced to zero."
        """
        player = self.world.player(country)
        if self.world.player(minor) == player:
            return
        yield minor, player
        if country == player and minor not in self.world.control:
            yield from ((each, player) for group in GROUPS if minor in group for each in group)

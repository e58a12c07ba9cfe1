"""What Zmolek's European Variant changes in the moves of 1976, sentence by sentence, on top of `rulebook_1976`."""

from __future__ import annotations

from functools import cached_property

from tests.support.rulebook_1976 import Back, Go, Piece, Rulebook1976, Verdict

SOUTH_OF_SWITZERLAND = {"MAR", "PIE", "MIL", "TYR"}
RAILWAY = ("MOS", "PER", "OMS")


class RulebookThundar(Rulebook1976):
    """Thundar's "Special Rule on Convoys Cutting Support"."""

    def spares(self, army: int, supporter: int) -> bool:
        """ "A convoyed attack will cut the support of a fleet supporting an attack on a body of water IF the last leg
        of the convoy route is not where the attack is occuring or if the supporting unit is dislodged."
        """
        last = {self.pieces[route[-1]].place for route in self.routes[army]}
        return self.pieces[supporter].kind == "F" and self.supports[supporter].into in last

    def cuts_by_dislodging(self, winner: int, supporter: int) -> bool:
        """ "... or if the supporting unit is dislodged." """
        return True

    def verdict_of_paradox(self, answers: list[frozenset[int]]) -> Verdict | None:
        """ "If a successful convoy results in a situation in which the convoying fleet would be dislodged and the
        convoy disrupted, then the convoy will be considered disrupted and the orders resolved as if the convoy had
        never occured." Said of one convoy: where several are open, None.
        """
        if len(self.routes) != 1:
            return None
        self.surely_carried = frozenset(self.routes)
        arrived = self.answers()
        self.surely_carried = frozenset()
        for self.won in arrived:
            if all(self.is_carried(n) for n in self.routes):
                return self.told(self.won)
        self.never_carried = frozenset(self.routes)
        alone = self.answers()
        return self.told(alone[0]) if alone else None


class RulebookEuropean(RulebookThundar):
    """One position with its orders, of a Spring or a Fall."""

    # ---- mountains

    def steps(self, piece: Piece) -> set[str]:
        return {to for to in self.board.reach(piece.kind, piece.at) if not self._is_closed(piece, to)}

    def _is_closed(self, piece: Piece, to: str) -> bool:
        return piece.kind == "A" and (
            self._is_closed_by_switzerland(piece.place, to)
            or self._is_closed_by_tyrolia(piece, to)
            or self._is_closed_by_norse_coast(piece.place, to)
        )

    def _is_closed_by_switzerland(self, here: str, to: str) -> bool:
        """ "On Fall and Winter turns, the borders between Switerland and its four neighbouring provinces to the south:
        Marseilles, Piedmont, Milan, and Tyrolia, cannot be crossed by any army, and no such orders will be allowed.
        Likewise, support cannot be offered to any armies or fleets attempting to enter the said provinces on a Fall
        turn."
        """
        ends = {here, to}
        return self.season == "F" and "SWI" in ends and bool(ends & SOUTH_OF_SWITZERLAND)

    def _is_closed_by_tyrolia(self, piece: Piece, to: str) -> bool:
        """ "If an army enters the province from Munich on a spring move, it may not move to--or offer support to any
        unit attempting to enter--Milan or Venice on the following Fall Move. The opposite also holds true: if entered
        from Milan or Venice on a spring move, on the next Fall move an army may not proceed to--or offer support to
        any unit attempting to enter--" (the text repeats Milan or Venice: Munich is meant).
        """
        if piece.place != "TYR" or self.season != "F" or piece.came != f"S{self.phase[1:5]}M":
            return False
        return (piece.came_from == "MUN" and to in {"MIL", "VEN"}) or (
            piece.came_from in {"MIL", "VEN"} and to == "MUN"
        )

    def _is_closed_by_norse_coast(self, here: str, to: str) -> bool:
        """ "No army may enter or exit this province on a Fall or Winter turn." """
        return self.season == "F" and "NCO" in {here, to}

    def walks(self, n: int) -> bool:
        piece, to = self.pieces[n], self.moves[n]
        if self._asks_the_norse_coast(n):
            return to in self.board.reach(piece.kind, piece.at)
        return super().walks(n)

    def _asks_the_norse_coast(self, n: int) -> bool:
        return self.pieces[n].kind == "A" and self._is_closed_by_norse_coast(self.pieces[n].place, self.moves[n])

    def has_way(self, n: int) -> bool:
        """ "During a Fall turn, an army may enter or exit Norse Coast if successfully supported by a fleet occupying
        the adjacent Norwegian Sea."
        """
        return super().has_way(n) and (not self._asks_the_norse_coast(n) or self._has_the_fleet(n))

    def _has_the_fleet(self, n: int) -> bool:
        return any(self.pieces[each].place == "NWG" for each in self.supporters(n))

    def may_support(self, n: int) -> bool:
        """ "An army occupying Kurdistan may not offer support to any unit." """
        piece, order = self.pieces[n], self.orders[n]
        assert isinstance(order, Back)
        if piece.kind == "A" and piece.place == "KUR":
            return False
        if piece.kind == "A" and piece.place == "NCO" and self.season == "F":
            return self._may_support_from_norse_coast(piece, order)
        return super().may_support(n)

    def _may_support_from_norse_coast(self, piece: Piece, order: Back) -> bool:
        """ "An army occupying the Norwegian Coast on a Fall term may not offer support to another army or fleet unless
        that fleet is attempting to enter the same province that the army entered the Norwegian Coast from."
        """
        other = self.pieces[order.of]
        return (
            other.kind == "F"
            and order.into != ""
            and order.into == piece.came_from
            and order.into in self.board.reach("A", piece.at)
            and order.of in self.moves
            and self.moves[order.of][:3] == order.into
        )

    def retreat_steps(self, piece: Piece) -> set[str]:
        """Switzerland and the Norse Coast are closed "on Fall and Winter turns", so to the retreats of Winter."""
        return {
            to
            for to in self.board.reach(piece.kind, piece.at)
            if piece.kind != "A"
            or not (self._is_closed_by_switzerland(piece.place, to) or self._is_closed_by_norse_coast(piece.place, to))
        }

    # ---- the railway

    @cached_property
    def trains(self) -> dict[int, str]:
        """ "The railroad will transport one army from Moscow to Omsk, or vice-versa, in one turn, so long as none of
        the spaces moved through or into is attacked or occupied during that turn, in which case the army bounces back
        to the last province it traversed or started from." Army -> where it ends.
        """
        riders = [
            self.pieces[n]
            for n, order in self.orders.items()
            if isinstance(order, Go)
            and order.rail
            and self.pieces[n].kind == "A"
            and {self.pieces[n].place, order.to} == {RAILWAY[0], RAILWAY[-1]}
        ]
        if len(riders) > 1:
            return {piece.id: piece.place for piece in riders}
        met = set(self.at) | {to[:3] for n, to in self.moves.items() if self.walks(n)}
        return {piece.id: self._rides_to(piece, met) for piece in riders}

    def _rides_to(self, piece: Piece, met: set[str]) -> str:
        line = RAILWAY if piece.place == RAILWAY[0] else RAILWAY[::-1]
        here = line[0]
        for there in line[1:]:
            if there in met:
                break
            here = there
        return here

    def stays(self, piece: Piece) -> bool:
        return super().stays(piece) and self.trains.get(piece.id, piece.place) == piece.place

    def ends_at(self, n: int) -> str:
        return self.trains.get(n) or super().ends_at(n)

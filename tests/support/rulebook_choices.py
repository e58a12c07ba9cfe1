"""Answers that other editions and judges give, each in place of one sentence of `rulebook_1976`."""

from __future__ import annotations

from tests.support.rulebook_1976 import Rulebook1976, RulebookOneRoute


class DislodgedByConvoy(Rulebook1976):
    """A dislodged unit has no effect on the space its attacker came from only where the two met head-on."""

    def has_effect(self, n: int) -> bool:
        if not self.has_way(n):
            return False
        other = self.head_on(n)
        return other is None or other not in self.won


class Book1982(RulebookOneRoute):
    """ "If a convoyed army attacks a fleet that is supporting an action in a body of water, and that body of water
    contains a convoying fleet, that support is not cut."
    """

    def spares(self, army: int, supporter: int) -> bool:
        order = self.supports[supporter]
        objective = order.into or self.pieces[order.of].place
        carriers = {self.pieces[each].place for routes in self.routes.values() for route in routes for each in route}
        return objective in carriers


class Book2000(RulebookOneRoute):
    """ "A convoyed army does not cut the support of a unit supporting an attack against a fleet necessary for the army
    to convoy."
    """

    def spares(self, army: int, supporter: int) -> bool:
        into = self.supports[supporter].into
        whole = [route for route in self.routes[army] if not any(self.is_dislodged(fleet) for fleet in route)]
        return into != "" and all(into in {self.pieces[fleet].place for fleet in route} for route in whole)


class CoastalCrawl(Rulebook1976):
    """Two fleets change places, if one of them leaves by another coast than that by which the other comes."""

    def head_on(self, n: int) -> int | None:
        other = super().head_on(n)
        if other is None or self.pieces[n].kind + self.pieces[other].kind != "FF":
            return other
        meets = self.moves[n] == self.pieces[other].at and self.moves[other] == self.pieces[n].at
        return other if meets else None

"""Convoys: which armies arrive by sea, and what an army that does may cut.

Clauses are those of the 1976 rulebook.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from judge.adjudicate.bout import NO, OPEN, YES, Answer, Bout, Carriage
from judge.board.chart import has_route
from judge.board.unit import Unit
from judge.rules.choices import ConvoyRoutes, Paradox

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

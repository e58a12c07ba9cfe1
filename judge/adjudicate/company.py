"""The solver for systems with stacks, boarding, rail, escorts or purses.

Only what differs is answered here; everything else is the solver's. A bout without `company` never comes here, so the
systems of the 1976 family pay nothing for it. Clauses are those of the 1958 rules (C..) and of 1914 (D..).
"""

from __future__ import annotations

from judge.adjudicate.bout import NO, OPEN, YES, Bout, Company
from judge.adjudicate.solve import Solver, Strength, compare
from judge.board.layout import NO_UNIT


class CompanySolver(Solver):
    """The answers to a bout in which spaces hold stacks, or units lack influence or strength."""

    __slots__ = ("company",)

    def __init__(self, bout: Bout, company: Company) -> None:
        super().__init__(bout)
        self.company = company

    def solve(self) -> None:
        """Ask for every move: here even a free space may be barred."""
        moving = self.bout.moving()
        for unit in moving:
            self.fate[unit] = None
        for unit in moving:
            self.moves(unit)

    def judge_move(self, unit: int) -> int:
        """D24: some movers need an army's support that stands, others that of their escort."""
        verdict = min(super().judge_move(unit), self.escorted(unit))
        if verdict == NO or unit not in self.company.needs_army:
            return verdict
        units = self.bout.position.units
        armies = [each for each in self.backing[unit] if units[each].kind in self.bout.chart.carried]
        return min(verdict, max((self.stands(each) for each in armies), default=NO))

    def escorted(self, unit: int) -> int:
        """Whether a mover has the support without which it has no strength, if it needs any."""
        escort, _ = self.company.escorts.get(unit, (NO_UNIT, ""))
        if unit not in self.company.escorts:
            return YES
        return self.stands(escort) if escort in self.backing[unit] else NO

    def makes_room(self, unit: int, there: int) -> bool:
        """Never sure: others may stand there too."""
        return False

    def enters(self, unit: int, there: int) -> tuple[int, Strength]:
        """C34, C37: an own unit that is joined does not bar the way; a stack is left only if all of it left."""
        if self.company.joins.get(unit) == there:
            return YES, self.strength(unit)
        crowd = self.company.crowd.get(self.aim[unit])
        if crowd is None and self.landing[there] is not None:
            return super().enters(unit, there)
        if crowd is None or any(self.landing[each] is None for each in crowd):
            return compare(self.strength_against(unit, there), self.strength(there))
        for each in crowd:
            if self.head_to_head(unit, each) == YES:
                return compare(self.strength_against(unit, each), self.strength(each))
        return self._follows_crowd(unit, there, crowd)

    def _follows_crowd(self, unit: int, there: int, crowd: tuple[int, ...]) -> tuple[int, Strength]:
        leaves = min(self.moves(each) for each in crowd)
        if leaves == YES:
            return YES, self.strength(unit)
        against = self.strength_against(unit, there)
        if leaves == NO:
            return compare(against, (1, 1))
        return (YES if against[0] > 1 else OPEN), (against[0], self.strength(unit)[1])

    def head_to_head(self, unit: int, other: int) -> int:
        """D20: a unit without influence on others fights no battle head to head."""
        if unit in self.company.meek or other in self.company.meek:
            return NO
        battle = super().head_to_head(unit, other)
        return min(battle, self.escorted(unit), self.escorted(other)) if battle else NO

    def strength(self, unit: int) -> Strength:
        """D17: a unit that was not paid has no strength of its own."""
        sure, possible = super().strength(unit)
        return (sure - 1, possible - 1) if unit in self.company.unpaid else (sure, possible)

    def strength_against(self, unit: int, there: int) -> Strength:
        """D17: the strength against the unit in the target, less one for a unit that was not paid."""
        sure, possible = super().strength_against(unit, there)
        paid = unit not in self.company.unpaid or not possible
        return (sure, possible) if paid else (sure - 1, possible - 1)

    def prevents(self, rival: int, there: int) -> Strength:
        """D20: a unit without influence on others keeps nobody out."""
        escorted = NO if rival in self.company.meek else self.escorted(rival)
        if escorted == NO:
            return 0, 0
        sure, possible = super().prevents(rival, there)
        return (sure if escorted == YES else 0), possible

    def cuts(self, attacker: int, unit: int) -> int:
        """D20: a unit without influence on others cuts no support."""
        escorted = NO if attacker in self.company.meek else self.escorted(attacker)
        return min(escorted, super().cuts(attacker, unit)) if escorted else NO

    def dislodgements(self) -> dict[int, int]:
        """C34: an attack dislodges every unit still in the space, except those of its own power and one it joins."""
        found: dict[int, int] = {}
        for unit in self.bout.moving():
            if self.fate[unit] != YES:
                continue
            space = self.aim[unit]
            there = self.company.crowd.get(space) or (self.occupant[space],)
            for victim in there:
                stays = victim >= 0 and self.fate[victim] != YES
                if stays and self.company.joins.get(unit) != victim and self.power[victim] != self.power[unit]:
                    found[victim] = unit
        return dict(sorted(found.items()))

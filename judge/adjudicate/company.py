"""The solver for systems with stacks, riders, rail, escorts or purses.

Only what differs is answered here; everything else is the solver's. A bout without `company` never comes here, so the
systems of the 1976 family pay nothing for it. Clauses are those of the 1958 rules (C..) and of 1914 (D..).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from judge.adjudicate.bout import NO, OPEN, YES, Bout, Company, Units
from judge.adjudicate.solve import NO_EFFECT, Solver, Strength, compare
from judge.board.chart import NO_UNIT
from judge.board.model import province_of
from judge.board.unit import ABOARD, Unit
from judge.rules.choices import Cutting

NOBODY: Final[Units] = ()
ANY_ATTACK: Final = Cutting.ANY_ATTACK


class CompanySolver(Solver):
    """The answers to a bout in which spaces hold stacks, units carry others, or lack influence or strength."""

    __slots__ = ("company", "cutting")

    def __init__(self, bout: Bout, company: Company) -> None:
        super().__init__(bout)
        self.company = company
        self.cutting = bout.rules.cutting

    def solve(self) -> None:
        """Ask for every move: here even a free space may be barred."""
        moving = self.bout.moving()
        for unit in moving:
            self.fate[unit] = None
        for unit in moving:
            self.moves(unit)

    # ---- who is where -------------------------------------------------------------------------------------------

    def standing_in(self, space: int) -> Units:
        """Who holds a space; not those who are carried."""
        there = self.company.crowd.get(space)
        if there is not None:
            return there
        holder = self.occupant[space]
        return NOBODY if holder < 0 else (holder,)

    def leaves(self, unit: int) -> int:
        """Whether a unit leaves its place: by its own move, or aboard a fleet that sails from there."""
        carrier = self.company.sails_with.get(unit)
        if carrier is not None:
            return self.moves(carrier)
        return NO if self.landing[unit] is None else self.moves(unit)

    def clears(self, unit: int) -> int:
        """Whether a unit is in nobody's way: it leaves, or is taken aboard by a fleet that comes in."""
        fleet = self.company.picked_up.get(unit)
        return self.leaves(unit) if fleet is None else self.moves(fleet)

    def lands(self, rider: int) -> int:
        """Whether an army goes ashore: its fleet leaves, and nobody stays with whom it could not stand."""
        carrier, others = self.company.lands[rider]
        verdict = self.moves(carrier)
        for each in others:
            verdict = min(verdict, self.leaves(each))
        return verdict

    def landing_in(self, space: int) -> Iterator[int]:
        """The armies that are to go ashore in a space."""
        return (rider for rider in self.company.lands if self.at[rider] == space)

    # ---- moves --------------------------------------------------------------------------------------------------

    def judge_move(self, unit: int) -> int:
        """A move needs its escort (in 1914), a way, entry to its target, and more strength than every rival."""
        verdict = min(self.has_way(unit) if unit in self.carriage else YES, self.escorted(unit))
        if verdict == NO:
            return NO
        space = self.aim[unit]
        entry, (sure, possible) = self.enters_space(unit, space)
        verdict = min(verdict, entry)
        if verdict == NO:
            return NO
        for rival in self.movers[space]:
            if rival != unit and not self.goes_with(unit, rival) and not self._ignores(unit, rival):
                least, most = self.prevents(rival, NO_UNIT)
                if possible <= least:
                    return NO
                if sure <= most:
                    verdict = OPEN
        return verdict

    def _ignores(self, unit: int, rival: int) -> bool:
        """In 1914 one without points for his defence goes where he meets nobody but who has no influence there."""
        if unit not in self.company.weak or unit in self.company.powerless:
            return False
        return rival in self.company.powerless or self.escorted(rival) == NO

    def _with_an_army(self, unit: int) -> int:
        units = self.bout.position.units
        armies = [each for each in self.backing[unit] if units[each].kind in self.bout.chart.carried]
        return max((self.stands(each) for each in armies), default=NO)

    def escorted(self, unit: int) -> int:
        """Whether a mover has the support without which it has no strength, if it needs any (in 1914)."""
        if unit in self.company.needs_army and (verdict := self._with_an_army(unit)) != YES:
            return verdict
        if unit not in self.company.escorts:
            return YES
        escort, _ = self.company.escorts[unit]
        return self.stands(escort) if escort in self.backing[unit] else NO

    def goes_with(self, unit: int, other: int) -> bool:
        """Two of one power that may stand together where both go do not stand each other off."""
        stacking = self.company.stacking
        if unit not in stacking or other not in stacking or self.power[unit] != self.power[other]:
            return False
        units = self.bout.position.units
        return stacking[unit] or units[unit].kind == units[other].kind

    def enters_space(self, unit: int, space: int) -> tuple[int, Strength]:
        """Whether those who hold a space let a unit in, and the unit's strength in it."""
        joined, power = self.company.joins.get(unit, NOBODY), self.power
        there = [each for each in self.standing_in(space) if each not in joined]
        landing = [each for each in self.landing_in(space) if each not in joined] if self.company.lands else []
        own = [each for each in there if power[each] == power[unit]]
        own_landing = [each for each in landing if power[each] == power[unit]]
        verdict = self._passes_own(unit, self.standing_in(space), own, own_landing)
        if verdict == NO or (len(own) == len(there) and len(own_landing) == len(landing)):
            return verdict, self.strength(unit)
        there, landing = ([each for each in some if power[each] != power[unit]] for some in (there, landing))
        entry, strength = self._drives_out(unit, there, landing)
        return min(verdict, entry), strength

    def _passes_own(self, unit: int, everybody: Units, own: Iterable[int], landing: Iterable[int]) -> int:
        """Own units that are not joined have to leave, and none may come the other way."""
        for each in everybody:
            comes = self.landing[each] is not None and self.aim[each] == self.at[unit]
            if comes and self.power[each] == self.power[unit] and self.head_to_head(unit, each):
                return NO
        verdict = YES
        for each in own:
            verdict = min(verdict, self.clears(each))
        for rider in landing:
            verdict = min(verdict, 2 - self.lands(rider))
        return verdict

    def _drives_out(self, unit: int, there: Iterable[int], landing: Iterable[int]) -> tuple[int, Strength]:
        """A unit has to be stronger than whoever comes the other way, and than those who are left."""
        verdict, beaten = YES, []
        for each in there:
            if self.landing[each] is None or self.aim[each] != self.at[unit]:
                continue
            battle = self.head_to_head(unit, each)
            if battle == NO:
                continue
            fights = compare(self.strength_against(unit, each), self.strength(each))[0]
            if battle == YES and fights == NO:
                return NO, (0, 0)
            if battle == YES and fights == YES:
                beaten.append(each)
            verdict = min(verdict, fights if battle == YES or fights == YES else OPEN)
        stay = self._stay_there(there, landing, beaten)
        ours = self.strength(unit)
        if stay == NO:
            return verdict, ours
        least, most = self.defence(there, landing, beaten)
        against = self._against_those_left(unit, there, landing, beaten)
        if against[0] > most:
            return verdict, (against if stay == YES else (against[0], ours[1]))
        if stay == YES and against[1] <= least:
            return NO, against
        return OPEN, (against[0], ours[1])

    def _stay_there(self, there: Iterable[int], landing: Iterable[int], beaten: Iterable[int]) -> int:
        """Whether anybody stays in a space, be it without strength."""
        stay = [YES if each in beaten else 2 - self.leaves(each) for each in there]
        return max((*stay, *map(self.lands, landing)), default=NO)

    def _against_those_left(
        self, unit: int, there: Iterable[int], landing: Iterable[int], beaten: Iterable[int]
    ) -> Strength:
        """A unit's strength against those that stay in a space; whose fleet leaves may help against the army that
        it put ashore.
        """
        stays = {each: YES if each in beaten else 2 - self.leaves(each) for each in there}
        stays |= {rider: self.lands(rider) for rider in landing}
        sure = self.strength_against(unit, *(each for each, left in stays.items() if left != NO))[0]
        possible = self.strength_against(unit, *(each for each, left in stays.items() if left == YES))[1]
        return sure, possible

    def defence(self, there: Iterable[int], landing: Iterable[int], beaten: Iterable[int] = ()) -> Strength:
        """The strength of those who stay in a space, of whom one may have support; a unit whose move failed has
        none. (0, 0): all leave, or (in 1914) none of them has any.
        """
        least = most = 0
        for each in there:
            stays = YES if each in beaten else 2 - self.leaves(each)
            if stays == NO:
                continue
            fails = self.landing[each] is not None or each in beaten
            lacking = each in self.company.unpaid or each in self.company.weak
            held = self.strength(each) if not fails else (0, 0) if lacking else (1, 1)
            least = max(least, held[0]) if stays == YES else least
            most = max(most, held[1])
        for rider in landing:
            lands = self.lands(rider)
            held = self.strength(rider) if lands else (1, 1)
            least, most = max(least, held[0] if lands == YES else 1), max(most, held[1])
        return least, most

    def head_to_head(self, unit: int, other: int) -> int:
        """A unit without influence on others fights no battle head to head."""
        if unit in self.company.meek or other in self.company.meek:
            return NO
        battle = super().head_to_head(unit, other)
        return min(battle, self.escorted(unit), self.escorted(other)) if battle else NO

    # ---- strengths ----------------------------------------------------------------------------------------------

    def strength(self, unit: int) -> Strength:
        """Of several in one place only one helps a unit; who was not paid, in 1914, has no strength of its own."""
        return self._strength(unit, self.backing[unit])

    def strength_against(self, unit: int, *there: int) -> Strength:
        """Nobody drives out, or helps to drive out, a unit of its own, be it aboard a foreign fleet."""
        victims = {self.power[each] for each in there}
        for rider, carrier in self.company.rides.items():
            if carrier in there and rider not in there:
                victims.add(self.power[rider])
        if self.power[unit] in victims:
            return 0, 0
        return self._strength(unit, tuple([each for each in self.backing[unit] if self.power[each] not in victims]))

    def _strength(self, unit: int, backing: Units) -> Strength:
        company = self.company
        sure = possible = 0 if unit in company.unpaid or unit in company.weak or unit in company.powerless else 1
        if not backing:
            return sure, possible
        given: dict[int, int] = {}
        for each in backing:
            place = self.at[each]
            stands = NO if each in self.company.unpaid else self.stands(each)
            given[place] = max(given.get(place, NO), stands)
        for stands in given.values():
            sure += stands == YES
            possible += stands != NO
        return sure, possible

    def prevents(self, rival: int, there: int) -> Strength:
        """The strength with which a rival keeps others out: none without influence, nor for one that cannot
        come in while others of its power are there, nor for one that was driven out by whom it attacked.
        """
        effect = NO if rival in self.company.meek else self.escorted(rival)
        if rival in self.carriage:
            effect = min(effect, self.has_way(rival))
        for each in self.company.blocked.get(rival, NOBODY):
            effect = min(effect, self.clears(each))
        if effect != NO:
            effect = min(effect, 2 - self.driven_back(rival))
        if effect == NO:
            return 0, 0
        sure, possible = self.strength(rival)
        return (sure if effect == YES else 0), possible

    def driven_back(self, rival: int) -> int:
        """Whether a mover is driven out by a unit that comes from where it goes (as 1976, IX.7)."""
        worst = NO
        for each in self.standing_in(self.aim[rival]):
            if self.landing[each] is None or self.aim[each] != self.at[rival] or self.power[each] == self.power[rival]:
                continue
            if self.bout.rules.dislodged_effect is NO_EFFECT:
                worst = max(worst, min(self.moves(each), 2 - self.moves(rival)))
            elif battle := self.head_to_head(rival, each):
                worst = max(worst, min(battle, self.moves(each)))
        return worst

    # ---- supports -----------------------------------------------------------------------------------------------

    def judge_support(self, unit: int) -> int:
        """Where the rules say so, attacks of own units cut, too."""
        if self.cutting is not ANY_ATTACK:
            return super().judge_support(unit)
        return 2 - max((self.cuts(each, unit) for each in self.movers[self.at[unit]]), default=NO)

    def cuts(self, attacker: int, unit: int) -> int:
        """An attack from elsewhere than the place that is supported into; own units that join do not attack, and
        one that is driven out by whom it attacks does nothing. A unit without influence cuts no support.
        """
        company = self.company
        escorted = NO if attacker in company.meek or attacker in company.powerless else self.escorted(attacker)
        if escorted == NO:
            return NO
        if self.cutting is not ANY_ATTACK:
            return min(escorted, super().cuts(attacker, unit))
        if self.at[attacker] == self.aim[unit] or attacker in company.blocked:
            return NO
        if self.power[attacker] == self.power[unit] and (
            attacker in company.stacking or unit in company.joins.get(attacker, NOBODY)
        ):
            return NO
        return min(escorted, 2 - self.driven_back(attacker))

    # ---- what comes of it ---------------------------------------------------------------------------------------

    def dislodgements(self) -> dict[int, int]:
        """An attack drives out all who still hold a space, and with a fleet the army aboard."""
        found: dict[int, int] = {}
        for unit in self.bout.moving():
            if self.fate[unit] != YES:
                continue
            space = self.aim[unit]
            landed = [each for each in self.landing_in(space) if self.lands(each) == YES]
            for victim in (*(each for each in self.standing_in(space) if self.clears(each) != YES), *landed):
                if self.power[victim] != self.power[unit]:
                    found[victim] = unit
        for rider, carrier in self.company.rides.items():
            if carrier in found and rider not in found:
                found[rider] = found[carrier]
        return dict(sorted(found.items()))

    def is_held(self, space: int, attackers: dict[int, int]) -> bool:
        """Whether somebody of those who were in a space is still there."""
        stays = any(self.leaves(each) != YES and each not in attackers for each in self.standing_in(space))
        return stays or any(self.lands(each) == YES and each not in attackers for each in self.landing_in(space))

    def sent(self, space: int, victim: int) -> bool:
        """Whether a space is where one of those came from who drove a unit out, several together."""
        attackers = self.movers[self.at[victim]] or ()
        return any(self.at[each] == space and self.fate[each] == YES for each in attackers)

    def embarked(self) -> Iterator[tuple[int, int]]:
        """The armies that came aboard, each with its fleet."""
        company = self.company
        for army, fleet in (*company.sails_with.items(), *company.picked_up.items()):
            if self.fate[fleet] == YES:
                yield army, fleet

    def as_put_ashore(self, unit: int) -> Unit:
        """The unit, aboard no fleet any more if it went ashore."""
        found = self.bout.position.units[unit]
        return found.marked(ABOARD, "") if unit in self.company.lands and self.lands(unit) == YES else found

    def carry(self, units: list[Unit]) -> None:
        """Put those who are carried where their carriers are now, and write down who came aboard or went ashore."""
        for rider, carrier in self.company.rides.items():
            if rider in self.company.lands and self.lands(rider) == YES:
                units[rider] = units[rider].marked(ABOARD, "")
            else:
                units[rider] = units[rider]._replace(at=province_of(units[carrier].at))
        for army, fleet in self.embarked():
            aboard = units[army].marked(ABOARD, str(units[fleet].id))
            units[army] = aboard._replace(at=province_of(units[fleet].at))

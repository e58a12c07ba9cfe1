"""The solver: which moves succeed, which supports stand, which convoys arrive.

Every question is answered on demand and remembered. Answers have three values: YES, NO, and OPEN for a question that
depends on itself: a rotation, an exchange, a convoy paradox. Strengths are therefore pairs, what is sure and what is
possible. Most phases leave nothing open; what is left goes to `judge.adjudicate.knots`.

Clauses are those of the 1976 rulebook.
"""

from __future__ import annotations

from typing import Final

from judge.adjudicate.bout import NO, OPEN, YES, Units
from judge.adjudicate.convoys import MOVES, STANDS, Convoys
from judge.board.chart import NO_UNIT
from judge.board.unit import Unit
from judge.rules.choices import CoastalCrawl, ConvoyedOrigin, DislodgedEffect

Strength = tuple[int, int]
"""Sure and possible strength."""

CRAWL_ALLOWED: Final = CoastalCrawl.ALLOWED
NO_EFFECT: Final = DislodgedEffect.NEVER
FROM_PROVINCE: Final = ConvoyedOrigin.PROVINCE
"""Module-level names: looking up a member of an enumeration takes longer than most questions."""


def compare(ours: Strength, theirs: Strength) -> tuple[int, Strength]:
    """IX.2: whether the first goes in against the second, and its strength; equals stand off."""
    if ours[0] > theirs[1]:
        return YES, ours
    return (NO if ours[1] <= theirs[0] else OPEN), ours


class Solver(Convoys):
    """The answers to one bout. Ask `moves`, `stands` and `by_sea` after `solve`."""

    __slots__ = ()

    def solve(self) -> None:
        """Answer everything that can be answered without untying a knot.

        For most moves a look is enough; what it tells is what `judge_move` would find out.
        """
        movers, carriage = self.movers, self.carriage
        for space in self.bout.contests:
            rivals = movers[space]
            if (carriage and not carriage.keys().isdisjoint(rivals)) or not self.contest(rivals):
                for unit in rivals:
                    self.moves(unit)
        fate, aim, landing = self.fate, self.aim, self.landing
        at, occupant, backing = self.at, self.occupant, self.backing
        for unit in self.bout.attacks:
            if fate[unit] is not None:
                continue
            target = aim[unit]
            there = occupant[target]
            if unit in carriage:
                self.moves(unit)
            elif landing[there] is None and not backing[unit]:
                fate[unit] = NO  # one alone moves nobody
            elif fate[there] == YES and len(movers[target]) == 1 and aim[there] != at[unit]:
                fate[unit] = YES  # the other leaves it the place
            else:
                self.moves(unit)

    def contest(self, rivals: Units) -> bool:
        """VIII, IX.2: of all who want an empty space the strongest gets it, if there is one; False if their strengths
        are open."""
        backing, fate = self.backing, self.fate
        winner, best = (NO_UNIT, 1) if len(rivals) > 1 else (rivals[0], 0)
        for unit in rivals:
            if backing[unit]:
                sure, possible = self.strength(unit)
                if sure != possible:
                    return False
                if sure > best:
                    winner, best = unit, sure
                elif sure == best:
                    winner = NO_UNIT
        for unit in rivals:
            fate[unit] = NO
        if winner != NO_UNIT:
            fate[winner] = YES
        return True

    # ---- VIII, IX.2: moves -------------------------------------------------------------------------------------

    def moves(self, unit: int) -> int:
        """Whether a move succeeds."""
        known = self.fate[unit]
        if known is not None:
            if known == OPEN:
                self.heard.append((MOVES, unit))
            return known
        self.fate[unit] = OPEN
        answer = self.judge_move(unit)
        self.fate[unit] = answer
        if answer == OPEN:
            self.tangled = True
        return answer

    def judge_move(self, unit: int) -> int:
        """VIII, IX.2: a move needs a way, more strength than what holds its target, and more than every rival."""
        way = self.has_way(unit) if unit in self.carriage else YES
        if way == NO:
            return NO
        target = self.aim[unit]
        there = self.occupant[target]
        rivals = self.movers[target]
        if there < 0:
            if len(rivals) == 1:
                return way
            verdict = way
            sure, possible = self.strength(unit)
        elif len(rivals) == 1 and self.landing[there] is not None and self.makes_room(unit, there):
            return way
        else:
            verdict, (sure, possible) = self.enters(unit, there)
            if verdict == NO:
                return NO
            if way < verdict:
                verdict = way
        if len(rivals) > 1:
            for rival in rivals:
                if rival != unit:
                    least, most = self.prevents(rival, there)
                    if possible <= least:
                        return NO
                    if sure <= most:
                        verdict = OPEN
        return verdict

    def makes_room(self, unit: int, there: int) -> bool:
        """Whether the unit in a mover's target, ordered to leave, is sure to do so for elsewhere."""
        return self.aim[there] != self.at[unit] and (self.fate[there] == YES or self.moves(there) == YES)

    def enters(self, unit: int, there: int) -> tuple[int, Strength]:
        """Whether a mover is stronger than the unit in its target, and its strength against it."""
        if self.landing[there] is None:
            if not self.backing[unit]:
                return NO, (1, 1)  # one alone moves nobody
            return compare(self.strength_against(unit, there), self.strength(there))
        battle = self.head_to_head(unit, there)
        if battle == YES:  # `compare` written out, as in `follows`: most attacks come by here
            attack, defence = self.strength_against(unit, there), self.strength(there)
            if attack[0] > defence[1]:
                return YES, attack
            return (NO if attack[1] <= defence[0] else OPEN), attack
        follows = self.follows(unit, there)
        if battle == NO:
            return follows
        fights = compare(self.strength_against(unit, there), self.strength(there))
        return (
            follows[0] if follows[0] == fights[0] else OPEN,
            (min(follows[1][0], fights[1][0]), max(follows[1][1], fights[1][1])),
        )

    def follows(self, unit: int, there: int) -> tuple[int, Strength]:
        """VIII: the unit in the target was ordered to leave; if it fails, it stands with the strength of one."""
        leaves = self.moves(there)
        if leaves == YES:
            return YES, self.strength(unit)
        against = self.strength_against(unit, there)
        if leaves == NO:
            return (YES if against[0] > 1 else NO if against[1] <= 1 else OPEN), against
        return (YES if against[0] > 1 else OPEN), (against[0], self.strength(unit)[1])

    def head_to_head(self, unit: int, other: int) -> int:
        """VIII, XIV.5: whether two units are ordered to each other's places, and neither is convoyed."""
        if self.aim[other] != self.at[unit]:
            return NO
        bout = self.bout
        if bout.rules.coastal_crawl is CRAWL_ALLOWED and self.passes_by(unit, other):
            return NO
        if not self.carriage:
            return YES
        return min(self.on_foot(unit), self.on_foot(other))

    def passes_by(self, unit: int, other: int) -> bool:
        """Before 1971: whether two fleets change places along different coasts. An army has no coast to go along."""
        units, landing, kinds = self.bout.position.units, self.bout.landing, self.bout.chart.board.kinds
        if not (kinds[units[unit].kind].coasts and kinds[units[other].kind].coasts):
            return False
        return landing[unit] != units[other].at or landing[other] != units[unit].at

    # ---- IX: strengths -----------------------------------------------------------------------------------------

    def strength(self, unit: int) -> Strength:
        """IX.2, IX.6: a unit counts one, and one for each support that stands, be it for its move or for its place."""
        backing = self.backing[unit]
        if not backing:
            return 1, 1
        sure = possible = 1
        for supporter in backing:
            stands = self.standing[supporter]
            if stands != YES:
                stands = self.stands(supporter)
            if stands == YES:
                sure += 1
                possible += 1
            elif stands == OPEN:
                possible += 1
        return sure, possible

    def strength_against(self, unit: int, there: int) -> Strength:
        """IX.3: no unit dislodges one of its own country, and no country helps to dislodge its own."""
        victim = self.power[there]
        if self.power[unit] == victim:
            return 0, 0
        backing = self.backing[unit]
        if not backing:
            return 1, 1
        sure = possible = 1
        for supporter in backing:
            if self.power[supporter] != victim:
                stands = self.standing[supporter]
                if stands != YES:
                    stands = self.stands(supporter)
                if stands == YES:
                    sure += 1
                    possible += 1
                elif stands == OPEN:
                    possible += 1
        return sure, possible

    def prevents(self, rival: int, there: int) -> Strength:
        """VIII: the strength with which a rival keeps others out of its target, where `there` stands.

        None if its convoy fails (XII.3), and none after it was dislodged from there (IX.7).
        """
        way = self.has_way(rival) if rival in self.carriage else YES
        if way == NO:
            return 0, 0
        gone = NO
        if there >= 0 and self.landing[there] is not None and self.aim[there] == self.at[rival]:
            gone = self.beaten_from(rival, there)
            if gone == YES:
                return 0, 0
        sure, possible = self.strength(rival)
        return (sure if way == YES and gone == NO else 0), possible

    def beaten_from(self, rival: int, there: int) -> int:
        """IX.7: whether a mover is dislodged by the unit that comes from its target."""
        if self.bout.rules.dislodged_effect is NO_EFFECT:
            return min(self.moves(there), 2 - self.moves(rival))
        battle = self.head_to_head(rival, there)
        return min(battle, self.moves(there)) if battle else NO

    # ---- X, XII.5: supports ------------------------------------------------------------------------------------

    def stands(self, unit: int) -> int:
        """Whether a support is given: it is neither cut nor its unit dislodged."""
        known = self.standing[unit]
        if known is not None:
            if known == OPEN:
                self.heard.append((STANDS, unit))
            return known
        if not self.movers[self.at[unit]]:
            self.standing[unit] = YES  # nobody attacks it
            return YES
        self.standing[unit] = OPEN
        answer = self.judge_support(unit)
        self.standing[unit] = answer
        if answer == OPEN:
            self.tangled = True
        return answer

    def judge_support(self, unit: int) -> int:
        """X: cut by any attack from elsewhere, by dislodgement from anywhere; not by units of one's own country."""
        verdict = YES
        for attacker in self.movers[self.at[unit]]:
            if self.power[attacker] != self.power[unit]:
                cut = self.cuts(attacker, unit)
                if cut == YES:
                    return NO
                if cut == OPEN:
                    verdict = OPEN
        return verdict

    def cuts(self, attacker: int, unit: int) -> int:
        """X: whether an attack cuts a support. From the space supported into, it has to dislodge."""
        carriage = self.carriage.get(attacker)
        if self.at[attacker] == self.aim[unit]:
            if carriage is None or self.bout.rules.convoyed_origin is FROM_PROVINCE:
                return self.moves(attacker)
            return max(self.moves(attacker), self.by_sea(attacker))
        if carriage is None:
            return YES
        pierces = self.pierces(attacker, carriage, unit)
        if carriage.may_walk:
            return max(pierces, 2 - self.by_sea(attacker))
        return min(pierces, self.by_sea(attacker)) if pierces else NO

    # ---- for systems in which several units hold a space, or are carried (`judge.adjudicate.company`) ----------

    def is_held(self, space: int, attackers: dict[int, int]) -> bool:
        """Whether somebody of those who were in a space is still there."""
        holder = self.occupant[space]
        return holder >= 0 and not self.fate[holder] and holder not in attackers

    def sent(self, space: int, victim: int) -> bool:
        """Whether a space is where one of those came from who drove a unit out, several together: none ever do."""
        return False

    def carry(self, units: list[Unit]) -> None:
        """Put those who are carried where their carriers are now: nobody is."""

    def as_put_ashore(self, unit: int) -> Unit:
        """A unit as it is once those who go ashore have done so."""
        return self.bout.position.units[unit]

    def dislodgements(self) -> dict[int, int]:
        """Dislodged unit -> the unit that dislodged it; in the order of the units."""
        fate, occupant, aim = self.fate, self.occupant, self.aim
        found: dict[int, int] = {}
        for unit in self.bout.attacks:
            if fate[unit]:
                victim = occupant[aim[unit]]
                if not fate[victim]:
                    found[victim] = unit
        return found if len(found) < 2 else dict(sorted(found.items()))

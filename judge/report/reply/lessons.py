"""Orders as examples: for the units of one reader, on the board of their game, in its phase.

Everything is legal and is the first of its kind that the board has, so that it is no advice. What the position
has no units for is shown with units that are made up; `Lessons.stage` has them in place, so that every line can be
read there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge.adjudicate.duty import duties, ways_of
from judge.board.model import Location, coast_of, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position, start_position
from judge.board.unit import Unit
from judge.orders.family import FAMILY
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Rail, Retreat, Support
from judge.orders.scene import Reach
from judge.orders.spelled import order_words, place, removal_words
from judge.report.reply.helppages import Samples, named_place, short_forms, two_coasts
from judge.rules.choices import CoastalCrawl, Cutting, ForeignBoarding
from judge.rules.model import Rules
from judge.rules.questions import UNITS


@dataclass(frozen=True, slots=True)
class Lessons:
    """Examples, and a position of moves in which they can be read."""

    shown: Samples
    stage: Position


def lessons(position: Position, power: str, rules: Rules) -> Lessons:
    """Examples for a power (one that has units, whichever, for "")."""
    return _Teacher(position, power, rules).lessons()


class _Teacher:
    def __init__(self, position: Position, power: str, rules: Rules) -> None:
        board = position.board
        powers = [key for key, one in board.powers.items() if not one.minor]
        alive = [key for key in powers if position.of(key)]
        self.real, self.board, self.rules = position, board, rules
        self.power = power if power in powers else "FRANCE" if "FRANCE" in alive else (alive or powers)[0]
        after = powers.index(self.power) + 1
        others = [key for key in (*powers[after:], *powers[:after]) if key != self.power]
        self.other = next((key for key in others if key in alive), others[0])
        phase = rules.calendar.moves_from(position.phase)
        self.stage = replace(position, phase=phase, units=position.units or start_position(board).units, dislodged=())
        self._made: list[Unit] = []
        self.units = self.stage.of(self.power) or tuple(self._invented())

    def _invented(self) -> Iterator[Unit]:
        """The units with which the power began: of one that has none left."""
        for line in self.board.powers[self.power].start:
            kind, at = line.split()
            yield self._make(kind, at, self.power)

    def _make(self, kind: str, at: Location, power: str) -> Unit:
        """A unit that stands there, or one that is made up."""
        for unit in (*self.stage.units, *self._made):
            if unit.at == at and unit.kind == kind and unit.power == power:
                return unit
        made = Unit(10_000 + len(self._made), kind, at, power)
        self._made.append(made)
        return made

    def lessons(self) -> Lessons:
        support, held, foreign = self._support(), self._support_hold(), self._foreign()
        own = support is not None and support.of in self.units
        moving = Move(support.of, support.to) if own and support and support.to else self._move()
        far = self._far()
        convoy, via = self._convoy(over_land=False), self._convoy(over_land=True)
        coast = self._coast()
        owner = self.board.powers[self.other]
        shown = Samples(
            power=self.board.powers[self.power].name,
            other=owner.name,
            adjective=owner.adjective,
            move=self._words(moving),
            moves=self._ways_of_writing(moving),
            far=self._words(far),
            stand=self._words(Hold(self.units[-1])),
            support=self._words(support),
            supported=self._words(Move(support.of, support.to) if support and support.to else None),
            support_hold=self._words(held),
            foreign=order_words(foreign, self.board, reader=self.power) if foreign else "",
            convoy=self._words(convoy),
            carried=self._words(Move(convoy.of, convoy.to) if convoy else None),
            via=self._words(Move(via.of, via.to, via=True) if via else None),
            rail=self._words(self._rail()),
            others=tuple(self._others()),
            retreat=self._words(self._retreat()),
            disband=self._words(Disband(self._lost())) if self.rules.may_disband() else "",
            **self._builds(),
            remove=order_words(Disband(self.units[-1]), self.board, adjusting=True),
            coast=self._words(coast),
            coast_place=two_coasts(self.board),
            conditions=self._conditions(moving),
            ambiguous=short_forms(self.board),
            places=tuple(named_place(self.board, code) for code in sorted(self.board.provinces)),
            now=tuple(self._now()),
            **self._rules_said(),
        )  # fmt: skip
        known = {unit.id for unit in self.stage.units}
        taken = {province_of(unit.at) for unit in self._made}
        there = tuple(unit for unit in self.stage.units if province_of(unit.at) not in taken)
        return Lessons(shown, replace(self.stage, units=(*there, *(u for u in self._made if u.id not in known))))

    # -- orders --------------------------------------------------------------------------------------------------------

    def _words(self, order: Order | None) -> str:
        if order is None or self.rules.kinds().of(order) is None:
            return ""
        return order_words(order, self.board)

    def _others(self) -> Iterator[tuple[str, str]]:
        """A line of each kind of order that the rules have of their own, if one of the units could be given it."""
        for kind in self.rules.kinds():
            if kind not in FAMILY and self.stage.phase.kind in kind.phases:
                lines = (order for unit in self.units for order in kind.tries(self.stage, unit))
                if (order := next(lines, None)) is not None:
                    yield order_words(order, self.board), kind.said or kind.name

    def _ways(self, unit: Unit) -> tuple[Location, ...]:
        return ways_of(self.stage, unit, self.rules)

    def _move(self) -> Move | None:
        armies = sorted(self.units, key=lambda unit: not self._walks(unit))
        return next((Move(unit, to) for unit in armies for to in self._ways(unit)), None)

    def _walks(self, unit: Unit) -> bool:
        return unit.kind in self.board.carried

    def _far(self) -> Move | None:
        """A move that is too far for its unit, by its own way and by convoy; None if the board has none."""
        reach = Reach(self.stage)
        for unit in self.units:
            near = {*reach.walk_provinces(unit), *reach.overseas(unit), province_of(unit.at)}
            for code, one in self.board.provinces.items():
                if one.centre and code not in near and self.board.home_of.get(code) not in (None, self.power):
                    return Move(unit, code)
        return None

    def _ways_of_writing(self, move: Move | None) -> tuple[str, ...]:
        if move is None:
            return ()
        kind = self.board.kinds[move.unit.kind].name
        here, there = place(move.unit.at, self.board), place(move.to, self.board)
        short = f"{move.unit.kind.lower()} {province_of(move.unit.at).lower()}-{province_of(move.to).lower()}"
        return self._words(move), short, f"{kind.capitalize()} {here} moves to {there}", f"{here} -> {there}"

    def _support(self) -> Support | None:
        """One own unit that helps another one forward."""
        for of in sorted(self.units, key=lambda unit: not self._walks(unit)):
            for to in self._ways(of):
                for unit in self.units:
                    near = unit is not of and province_of(to) in map(province_of, self._ways(unit))
                    if near and not self.rules.support_fault(self.stage, unit, of, to):
                        return Support(unit, of, province_of(to) if self._walks(of) else to)
        return self._foreign_to_move()

    def _foreign_to_move(self) -> Support | None:
        """Where no two own units meet: one that helps another power's unit forward, made up beside it if need be."""
        for unit in self.units:
            for to in self._ways(unit):
                for beside in self.board.reach("A", province_of(to)):
                    if province_of(beside) != province_of(unit.at) and self._land(beside) and self._is_free(beside):
                        return Support(unit, self._make("A", beside, self.power), province_of(to))
        return None

    def _is_free(self, location: Location) -> bool:
        """Whether nobody stands there, so that a unit may be made up."""
        return not any(province_of(unit.at) == province_of(location) for unit in (*self.stage.units, *self._made))

    def _land(self, location: Location) -> bool:
        return bool(self.board.reach("A", province_of(location)))

    def _support_hold(self) -> Support | None:
        for unit in self.units:
            near = set(map(province_of, self._ways(unit)))
            for of in self.units:
                beside = of is not unit and province_of(of.at) in near
                if beside and not self.rules.support_fault(self.stage, unit, of, of.at):
                    return Support(unit, of)
        for unit in self.units:
            for to in self._ways(unit):
                if self._walks(unit) and self._land(to) and self._is_free(to):
                    return Support(unit, self._make(unit.kind, to, self.power))
        return None

    def _foreign(self) -> Support | None:
        """Help for a unit of another power that stands within reach, or might."""
        for unit in self.units:
            near = set(map(province_of, self._ways(unit)))
            for of in self.stage.units:
                if of.power != self.power and province_of(of.at) in near:
                    return Support(unit, of)
        ways = ((unit, to) for unit in self.units if self._walks(unit) for to in self._ways(unit) if self._is_free(to))
        return next((Support(unit, self._make(unit.kind, to, self.other)) for unit, to in ways), None)

    def _convoy(self, *, over_land: bool) -> Convoy | None:
        """A fleet that carries an army: with units that stand so, else with made up ones; `over_land`: to where it
        could walk too.
        """
        if "convoy" not in self.rules.words() or not self.board.carried:
            return None
        own = [unit for unit in self.units if self._walks(unit)]
        homes = [code for code in self.board.powers[self.power].homes if self._land(code)]
        starts = [unit.at for unit in own] + homes + [code for code in self.board.provinces if self._land(code)]
        for start in dict.fromkeys(starts):
            walk = set(self.board.reach("A", start))
            for sea in self._seas_beside(start):
                for port in sorted({province_of(to) for to in self.board.reach("F", sea)}):
                    if port != start and self._land(port) and (port in walk) is over_land and self._fits(start, sea):
                        army = self._make(sorted(self.board.carried)[0], start, self.power)
                        return Convoy(self._make("F", sea, self.power), army, port)
        return None

    def _fits(self, start: Location, sea: Location) -> bool:
        """Whether an own army can stand there, and an own fleet at sea, beside all the units that there are."""
        army, fleet = sorted(self.board.carried)[0], "F"
        there = {(unit.kind, unit.at) for unit in (*self.stage.units, *self._made) if unit.power == self.power}
        return all(site in there or self._is_free(site[1]) for site in ((army, start), (fleet, sea)))

    def _seas_beside(self, province: str) -> Iterator[str]:
        """Seas from which a fleet reaches a province."""
        for code in self.board.provinces:
            if not self._land(code) and province in map(province_of, self.board.reach("F", code)):
                yield code

    def _rail(self) -> Rail | None:
        if "rail" not in self.rules.words():
            return None
        for line in self.board.railways:
            if len(line) > 2:
                return Rail(self._make("A", line[0], self.power), line[-1])
        return None

    def _lost(self) -> Unit:
        """An own unit that must retreat, or could have to."""
        lost = [one.unit for one in self.real.dislodged if one.unit.power == self.power]
        return lost[0] if lost else self.units[0]

    def _retreat(self) -> Retreat | None:
        for one in self.real.dislodged:
            if one.unit.power == self.power and one.options:
                return Retreat(one.unit, one.options[0])
        unit = self._lost()
        return next((Retreat(unit, to) for to in self._ways(unit)), None)

    def _builds(self) -> Mapping[str, Any]:
        """Builds: where one is due now, at an open site; else at home."""
        due = duties(self.real, self.rules).get(self.power) if self.real.phase.kind is PhaseKind.ADJUSTMENTS else None
        sites = due.sites if due and due.builds else self._sites(self.power)
        fleets = [site for site in sites if site[0] == "F"]
        armies = [site for site in sites if site[0] != "F"]

        def line(found: Sequence[tuple[str, Location]]) -> str:
            return order_words(Build(self.power, *found[0]), self.board) if found else ""

        def of_several_coasts(found: Sequence[tuple[str, Location]]) -> list[tuple[str, Location]]:
            """Those of a centre where more than one coast is a place for a fleet."""
            kept = [site for site in found if coast_of(site[1])]
            several = Counter(province_of(at) for _, at in kept)
            return [site for site in kept if several[province_of(site[1])] > 1]

        powers = [self.power, *self.board.powers]
        coasts = next(filter(None, (of_several_coasts(self._sites(power)) for power in powers)), [])

        return {
            "build": line(armies) or line(fleets),
            "build_fleet": line(fleets),
            "build_coast": line(of_several_coasts(fleets) or coasts),
        }

    def _sites(self, power: str) -> tuple[tuple[str, Location], ...]:
        """What a power may build in its home centres by the rules, at the beginning if it has none left."""
        homes = self.board.powers[power].homes
        for position in (self.real, start_position(self.board)):
            found = [site for code in homes for site in self.rules.sites(position, power, code)]
            if found:
                return tuple(found)
        return ()

    def _rules_said(self) -> Mapping[str, Any]:
        """What the rules say otherwise than those of 1976."""
        rules, start = self.rules, start_position(self.board)
        sites, homes = self._sites(self.power), self.board.powers[self.power].homes
        anything = tuple(site for code in homes for site in Rules().sites(start, self.power, code))
        at_home = tuple(site for site in anything if site[0] in {kind for kind, _ in sites})
        own = [code for code in map(province_of, (unit.at for unit in start.of(self.power))) if code in homes]
        return {
            "units_win": rules.needed(self.board) if rules.won_by == UNITS else 0,
            "own_cuts": rules.cutting is Cutting.ANY_ATTACK,
            "fleets_pass": rules.coastal_crawl is CoastalCrawl.ALLOWED,
            "raised_at": ()
            if sorted(sites) == sorted(at_home)
            else tuple(f"{kind} {place(at, self.board)}" for kind, at in sites),
            "raised_beside": any(rules.room(start, code) > 1 for code in own),
            "stand_together": bool(rules.stacks(start)),
            "any_fleet": rules.foreign_boarding is ForeignBoarding.YES,
        }

    def _conditions(self, move: Move | None) -> tuple[str, ...]:
        """Orders that rest on who owns a centre, and on where a unit stands."""
        owner = self.board.powers[self.other]
        if move is None or not owner.homes:
            return ()
        home, go, stand = place(owner.homes[0], self.board), self._words(move), self._words(Hold(move.unit))
        unit = f"{owner.adjective} {move.unit.kind} {place(move.to, self.board)}"
        return (
            f"if {owner.name} owns {home} then {go} else {stand}",
            f"if {owner.name} does not own {home} then {go}",
            f"if {unit} then {stand} else {go}",
        )

    # -- places --------------------------------------------------------------------------------------------------------

    def _coast(self) -> Move | None:
        """A fleet that must say which of two coasts it means."""
        for code, one in self.board.provinces.items():
            for here in (f for f in self._fleet_places() if one.coasts):
                if all(f"{code}/{coast}" in self.board.reach("F", here) for coast in one.coasts):
                    return Move(self._make("F", here, self.power), f"{code}/{one.coasts[0]}")
        return None

    def _fleet_places(self) -> Iterator[Location]:
        yield from (unit.at for unit in self.units if unit.kind == "F")
        yield from (location for one in self.board.provinces.values() for location in one.locations())

    def _now(self) -> Iterator[str]:
        """A line for each thing that the present phase asks of the power, the first that can be written."""
        due = duties(self.real, self.rules).get(self.power)
        if due is None:
            return
        for unit in due.units:
            if self._ways(unit):
                yield self._words(Move(unit, self._ways(unit)[0]))
        for lost in due.retreats:
            yield self._words(Retreat(lost.unit, lost.options[0]) if lost.options else Disband(lost.unit))
        for kind, at in due.sites[: due.builds]:
            yield order_words(Build(self.power, kind, at), self.board)
        for unit in self.real.of(self.power)[: due.removals]:
            yield removal_words(unit, self.board)

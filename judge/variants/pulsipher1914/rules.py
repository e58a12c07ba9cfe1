"""What 1914 answers to the questions of the engine, the letters and the pictures.

What a Gamemaster may put right of 1914: "points Germany 30", "factors Germany Italy 9", "control Belgium France".
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

from judge.adjudicate.outcome import Adjudication
from judge.adjudicate.retreats import adjudicate_retreats
from judge.board.extras import Extras
from judge.board.model import Board, Location, province_of
from judge.board.names import gazetteer_of
from judge.board.phase import ADJUSTMENTS, FALL, MOVES, RETREATS, SPRING, SUMMER, WINTER
from judge.board.position import Position, start_position
from judge.board.status import Stack
from judge.board.unit import Dislodged, Unit
from judge.languages import tell
from judge.orders.kinds import Kinds
from judge.orders.model import Build, Order, Retreat
from judge.rules import Rules
from judge.rules.business import Business, Deed
from judge.rules.calendar import Calendar, Step
from judge.rules.choices import MinorHomeSix, MinorsBlock
from judge.rules.questions import Block, Corrections, Remembered
from judge.variants.pulsipher1914.bombers import most_bombers
from judge.variants.pulsipher1914.business import BUSINESS
from judge.variants.pulsipher1914.closing import captured, closed
from judge.variants.pulsipher1914.exchange import EXCHANGE
from judge.variants.pulsipher1914.kinds import KINDS
from judge.variants.pulsipher1914.orders import GuestRetreat
from judge.variants.pulsipher1914.report import blocks, reckoned
from judge.variants.pulsipher1914.season import play_season
from judge.variants.pulsipher1914.shown import shown
from judge.variants.pulsipher1914.state import (
    BOMBER,
    CONTROLLER,
    COUNTRIES,
    FACTORS,
    FIRST_YEAR,
    GREATS,
    HOME_SIX,
    MINORS,
    POINTS,
    RETREATED,
    VISITING,
    WATCHLESS,
    CountryState,
    redrawn,
)
from judge.variants.pulsipher1914.winter import PRICES, UPKEEP, building_fault, income, play_winter

_POINTS = re.compile(r"points\s+(?:of\s+)?(\S+)\s+(?:are\s+|is\s+)?(\d{1,4})", re.IGNORECASE)
_FACTORS = re.compile(r"factors\s+(?:of\s+)?(\S+)\s+(?:in\s+)?(\S+)\s+(?:are\s+|is\s+)?(\d{1,3})", re.IGNORECASE)
_CONTROL = re.compile(r"control\s+(?:of\s+)?(\S+)\s+(?:is\s+|to\s+|by\s+)?(\S+)", re.IGNORECASE)


class PulsipherCorrections:
    """Points, factors and control."""

    def read(self, text: str, position: Position) -> Remembered | None:
        """What a line says."""

        def one(word: str) -> str:
            found = gazetteer_of(position.board).power(word.strip(" ,.").lower())
            return found[0] if len(found) == 1 else ""

        if (match := _POINTS.fullmatch(text)) and (power := one(match[1])):
            return Remembered(power, POINTS, int(match[2]))
        if (match := _FACTORS.fullmatch(text)) and (power := one(match[1])) and (where := one(match[2])):
            return Remembered(f"{power}/{where}", FACTORS, str(int(match[3]) or ""))
        if (match := _CONTROL.fullmatch(text)) and (where := one(match[1])):
            nobody, whose = match[2].lower() in ("nobody", "none"), one(match[2])
            if nobody or whose:
                return Remembered(where, CONTROLLER, "" if nobody else whose)
        return None

    def words(self, change: Remembered, board: Board) -> str:
        """The same as a sentence."""
        key, name, value = change
        if name == CONTROLLER:
            whose = board.powers[str(value)].told if value else tell("nobody")
            return tell("{powers} is controlled by {whose}", powers=board.powers[key].told, whose=whose)
        if name == FACTORS:
            power, _, where = key.partition("/")
            owner, place = (board.powers[one].told for one in (power, where))
            return tell("{power} has {number} factors in {place}", power=owner, number=value or 0, place=place)
        return tell("{power} has {number} points", power=board.powers[key].told, number=value)

    def between(self, was: Position, now: Position) -> Iterator[str]:
        """What became of points, factors and control."""
        for power, purses in now.accounts.items():
            amount = purses.get(POINTS, 0)
            if was.accounts.get(power, {}).get(POINTS) != amount:
                yield f"points {power} {amount}"
        for key in sorted({*was.marks, *now.marks}):
            old, new = was.marks.get(key, {}), now.marks.get(key, {})
            if old.get(FACTORS) != new.get(FACTORS):
                yield f"factors {key.replace('/', ' ')} {new.get(FACTORS, 0)}"
            if old.get(CONTROLLER) != new.get(CONTROLLER):
                yield f"control {key} {new.get(CONTROLLER, 'nobody')}"


CORRECTIONS = PulsipherCorrections()


CALENDAR = Calendar(
    turns=(
        (Step(SPRING, MOVES),),
        (Step(SPRING, RETREATS, also=SUMMER),),
        (Step(FALL, MOVES),),
        (Step(FALL, RETREATS),),
        (Step(WINTER, ADJUSTMENTS, name="adjustments"),),
    ),
    captures=frozenset({"SR", "FR"}),
)
TO_WIN, AHEAD = 10, 3
_BESIDE_BOMBERS = Stack("", 1, beside=frozenset({BOMBER}))


@dataclass(frozen=True, slots=True)
class Pulsipher1914(Rules):
    """The questions that 1914 answers otherwise than 1976."""

    tells_winner: ClassVar[bool] = True
    on_board: ClassVar[frozenset[str]] = frozenset({"minors_block", "minor_home_six"})

    calendar: Calendar = CALENDAR

    # -- The table

    def board(self, board: Board) -> Board:
        """Clauses 1 and 16."""
        off = () if self.minors_block is MinorsBlock.YES else (WATCHLESS,)
        return redrawn(board, self.key, (*off, HOME_SIX) if self.minor_home_six is MinorHomeSix.YES else off)

    def start(self, board: Board) -> Position:
        """Clause 1 and the table of minor countries."""
        position = start_position(board)
        marks = {
            f"{player}/{name}": MappingProxyType({FACTORS: str(total)})
            for name, minor in MINORS.items()
            for player, total in minor.factors.items()
        }
        accounts = {name: MappingProxyType({POINTS: great.points}) for name, great in GREATS.items()}
        return replace(position, marks=MappingProxyType(marks), accounts=MappingProxyType(accounts))

    def authority(self, position: Position, power: str) -> str | None:
        """Clause 16: who orders a minor country."""
        return CountryState(position).controller(power) or None

    def stacks(self, position: Position) -> Mapping[str, Stack]:
        """Clause 15: a bomber stands beside others."""
        return {unit.at: _BESIDE_BOMBERS for unit in position.units if unit.kind == BOMBER}

    # -- Orders

    def kinds(self) -> Kinds:
        """Clauses 10, 11, 14 and 15."""
        return KINDS

    def deliberates(self, position: Position) -> bool:
        """Clauses 4, 14 and 16: gifts, factors and declarations are nobody's duty."""
        return position.phase.kind is ADJUSTMENTS

    def held(self, position: Position, unit: Unit) -> str:
        """Clause 3."""
        return "capital-lost" if position.phase.kind is MOVES and CountryState(position).must_stand(unit.power) else ""

    def asked(self, position: Position, power: str) -> tuple[Unit, ...]:
        """Nobody waits for orders of a minor country that nobody controls."""
        if power in MINORS and not CountryState(position).controller(power):
            return ()
        return tuple(unit for unit in position.of(power) if not self.held(position, unit))

    def business(self) -> Mapping[str, Business]:
        """What a country does beside ordering units."""
        return BUSINESS

    def exchange(self) -> Any:
        """How positions of this game are written as JSON."""
        return EXCHANGE

    def corrections(self) -> Corrections:
        """Points, factors and control."""
        return CORRECTIONS

    def judged(
        self, position: Position, orders: Iterable[Order], deeds: Iterable[Deed], disorder: frozenset[str]
    ) -> Adjudication:
        """A phase."""
        state = CountryState(position)
        state.marks.pop("season", None)
        if position.phase.kind is MOVES:
            return play_season(position, orders, state, self.calendar)
        if position.phase.kind is RETREATS:
            return self._retreated(position, orders)
        following = self.calendar.next_phase(position.phase)
        result, lines = play_winter(position, orders, state, deeds, lambda: following, BUSINESS)
        return _WithLines(result, tuple((line.deed, line.reason) for line in lines))

    def _retreated(self, position: Position, orders: Iterable[Order]) -> Adjudication:
        given = list(orders)
        state = CountryState(position)
        bombers = [unit for unit in position.units if unit.kind == BOMBER]
        waiting = tuple(_but_beside_bombers(state, each, bombers) for each in position.dislodged)
        position = replace(position, dislodged=waiting)
        done = {order.unit.id for order in given if not isinstance(order, Build) and hasattr(order, "unit")}
        for each in position.dislodged:
            if each.unit.id not in done and not state.player(each.unit.power) and each.options:
                given.append(Retreat(each.unit, each.options[0]))
        guests = {order.unit.id for order in given if isinstance(order, GuestRetreat)}
        coming = tuple(each._replace(unit=_as_guest(each.unit, guests)) for each in position.dislodged)
        result = adjudicate_retreats(replace(position, dislodged=coming), given, self)
        waited = {each.unit.id for each in position.dislodged}
        units = tuple(unit.marked(RETREATED, "true") if unit.id in waited else unit for unit in result.after.units)
        after = closed(position, replace(result.after, units=units))
        return Adjudication(position, after, result.destroyed, lambda: result.outcomes)

    # -- Centres and adjustments

    def owners(self, position: Position, units: Iterable[Unit]) -> Mapping[str, str]:
        """Clauses 5 and 14."""
        return captured(position, units)

    def room(self, position: Position, province: str) -> int:
        """Clause 6."""
        return 0 if any(unit.kind != BOMBER for unit in position.at(province)) else 1

    def balance(self, position: Position, power: str) -> int:
        """Clause 6: how many units there are points for, once all that stand are maintained."""
        if position.phase.year < FIRST_YEAR:
            return 0
        state = CountryState(position)
        if not state.player(power):
            return 0
        left = state.points.get(power, 0) + income(state, power) - UPKEEP * len(position.of(power))
        if left < 0:
            return max(-len(position.of(power)), left // UPKEEP)
        return left // (min(PRICES["A"], PRICES["F"]) + UPKEEP)

    def build_fault(self, position: Position, order: Build) -> str:
        """Clauses 6 and 15."""
        if position.phase.year < FIRST_YEAR:
            return "no-builds-yet"
        fault = building_fault(CountryState(position), position, order)
        if not fault and order.kind == BOMBER and not most_bombers(position.phase.year):
            return "no-bombers-yet"
        return fault

    def sites(self, position: Position, power: str, centre: str) -> Iterable[tuple[str, Location]]:
        """Clause 6: armies and fleets."""
        found = Rules.sites(self, position, power, centre)
        return ((kind, place) for kind, place in found if kind != BOMBER)

    # -- The end

    def winner(self, position: Position) -> str | None:
        """Clause 2: ten centres, and three more than any other country; a minor country wins for its player."""
        counts = self.ranking(position)
        best = max(counts, key=counts.__getitem__, default=None)
        if best is None:
            return None
        next_best = max((count for country, count in counts.items() if country != best), default=0)
        if counts[best] < TO_WIN or counts[best] < next_best + AHEAD:
            return None
        return CountryState(position).player(best) or None

    def ranking(self, position: Position) -> Mapping[str, int]:
        """Clause 2: each country is counted alone."""
        counts: dict[str, int] = {}
        for owner in position.owners.values():
            counts[owner] = counts.get(owner, 0) + 1
        return counts

    def alive(self, position: Position) -> frozenset[str]:
        """Clause 3: who has surrendered is out."""
        state = CountryState(position)
        return frozenset(
            country
            for country in COUNTRIES
            if not state.is_out(country)
            and (country in position.owners.values() or any(unit.power == country for unit in position.units))
        )

    # -- What people read

    def desk(self, position: Position) -> tuple[Block, ...]:
        """The ledger, the chart of factors, capitals and declarations."""
        return blocks(position)

    def reckoned(
        self, position: Position, power: str, orders: Iterable[Order], deeds: Iterable[Deed]
    ) -> tuple[str, ...]:
        """Clauses 4 to 8."""
        return reckoned(position, power, orders, deeds)

    def extras(self, position: Position) -> Extras:
        """What pictures show beside units and owners."""
        return shown(position)


def _but_beside_bombers(state: CountryState, each: Dislodged, bombers: Iterable[Unit]) -> Dislodged:
    """Who must retreat without the places in which bombers of others are based."""
    barred = state.bases_of_others(each.unit, bombers)
    return each._replace(options=tuple(at for at in each.options if province_of(at) not in barred))


def _as_guest(unit: Unit, guests: Container[int]) -> Unit:
    return unit.marked(VISITING, "true") if unit.id in guests else unit


class _WithLines(Adjudication):
    """The adjustments, with what became of the lines for countries."""

    __slots__ = ("lines",)

    def __init__(self, result: Adjudication, lines: tuple[tuple[Deed, str], ...]) -> None:
        super().__init__(result.before, result.after, result.destroyed, lambda: result.outcomes)
        self.lines = lines

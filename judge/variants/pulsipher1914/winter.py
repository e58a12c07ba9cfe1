"""The Fall adjustments: clauses 4 to 6, 9, 14 and 16. Yield, gifts, maintenance, builds, factors, declarations, control
and the check of supply lines, in this order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from judge.adjudicate.outcome import Adjudication, End, Outcome, Result
from judge.board.model import province_of
from judge.board.position import Position, numbered
from judge.board.unit import Unit
from judge.orders.model import Build, Disband, Hold, Order, Waive, power_of
from judge.rules.business import Business, Deed, standing
from judge.rules.choices import Removals
from judge.rules.questions import farthest_first
from judge.rules.reasons import meaning_in
from judge.variants.pulsipher1914.bombers import build_fault, most_bombers
from judge.variants.pulsipher1914.closing import bombed_in, name_first, occupied, settle_control
from judge.variants.pulsipher1914.kinds import IF, Gifts, due, received_fault
from judge.variants.pulsipher1914.lines import (
    CountryLine,
    ally_fault,
    amount_and_minor,
    capital_fault,
    country_of,
    friendly_fault,
    friendly_of,
    gift_fault,
    gift_of,
    influence_fault,
    place_named,
)
from judge.variants.pulsipher1914.state import (
    ALLIES,
    BOMBER,
    CAPITAL,
    CAPITAL_LOST,
    CAPITAL_OPEN,
    COUNTRIES,
    FIRST_YEAR,
    GREATS,
    HOME_SIX,
    KEY,
    MINORS,
    NO_CAPITAL,
    CountryState,
    with_book,
)
from judge.variants.pulsipher1914.supply import Supply

UPKEEP = 3
PRICES = {"A": 3, "F": 4, BOMBER: 2}
SUPPLIED, UNSUPPLIED = "supplied", "unsupplied"


class Adjustments:
    """The adjustments of a year while they are made."""

    def __init__(
        self, position: Position, state: CountryState, deeds: Iterable[Deed], business: Mapping[str, Business]
    ) -> None:
        self.business = business
        self.position, self.state, self.deeds = position, state, tuple(deeds)
        self.year = position.phase.year
        self.units = {unit.id: unit for unit in position.units}
        self.next_id = position.next_id or 1 + max(self.units, default=0)
        self.book: dict[str, list[str]] = {}
        self.told: list[Outcome] = []
        self.lines: list[CountryLine] = []
        self.unbuilding: set[str] = set()
        self.lost: list[str] = []
        self.kept: list[str] = []

    def note(self, country: str, text: str) -> None:
        """A line of the ledger."""
        self.book.setdefault(country, []).append(text)

    def countries(self) -> Iterator[str]:
        """Those that have an account: Great Powers that are in the game, and minor countries that are controlled."""
        for country in COUNTRIES:
            if not self.state.is_out(country) and self.state.player(country):
                yield country

    # -- Clause 5

    def take_yield(self) -> None:
        """Each centre that has a line to its capital, and was not bombed, yields points."""
        for country in self.countries():
            for code, amount, why in yields(self.state, self.position, country):
                if why:
                    self.note(country, f"+0 {code}: {why}")
                else:
                    self.state.points[country] = self.state.points.get(country, 0) + amount
                    self.note(country, f"+{amount} {code}")

    # -- Clause 4

    def give(self) -> Gifts:
        """Gifts, of at most a fifth of what their giver has after the yield. (giver, receiver) -> what arrives."""
        allowed = {country: self.state.points.get(country, 0) // 5 for country in GREATS}
        arrived: Counter[tuple[str, str]] = Counter()
        for deed in self._those("give"):
            amount, to = gift_of(deed)
            fault = gift_fault(self.state, deed)
            if not fault and amount > allowed[deed.power]:
                fault = "more-than-a-fifth"
            if not fault:
                allowed[deed.power] -= amount
                self.state.points[deed.power] -= amount
                arrived[deed.power, to] += amount
                self.note(deed.power, f"-{amount} given to {to.title()}")
                self.note(to, f"+{amount} from {deed.power.title()}")
            self.lines.append(CountryLine(deed, fault))
        for (_, to), amount in arrived.items():
            self.state.points[to] = self.state.points.get(to, 0) + amount
        return arrived

    def decide(self, gifts: Gifts) -> Iterator[Order]:
        """The orders that depend on gifts, now that these are known; other lines that do join those of the country."""
        for deed in self._those(IF):
            fault = received_fault(self.position, deed, self.business)
            self.lines.append(CountryLine(deed, fault))
            for found in due(self.position, deed, gifts, self.business) if not fault else ():
                if isinstance(found, Deed):
                    self.deeds = standing((*self.deeds, found), self.business.get)
                else:
                    yield found

    # -- Clause 6

    def maintain(self, orders: Iterable[Disband]) -> None:
        """Three points for each unit that is not removed; who cannot pay loses those farthest from the capital first,
        but for those that are kept by name.
        """
        for order in orders:
            unit = order.unit
            if self.units.pop(unit.id, None) is not None:
                self.unbuilding.add(unit.power)
                self.told.append(Outcome((order, End((Result.OK, Result.DISBANDED), "removed"))))
        for country in self.countries():
            own = [unit for unit in self.units.values() if unit.power == country]
            able = self.state.points.get(country, 0) // UPKEEP
            for unit in self._given_up(country, own)[: max(0, len(own) - able)]:
                del self.units[unit.id]
                self.unbuilding.add(country)
                end = End((Result.OK, Result.DISBANDED), "not-maintained")
                self.told.append(Outcome((Disband(unit), end)))
                self.note(country, f"{unit} lost: no points to maintain it")
            kept = sum(unit.power == country for unit in self.units.values())
            self.state.points[country] = self.state.points.get(country, 0) - UPKEEP * kept
            if kept:
                self.note(country, f"-{UPKEEP * kept} maintenance of {kept}")

    def _given_up(self, country: str, own: list[Unit]) -> list[Unit]:
        """A country's units, the first to be given up first."""
        capital = self.state.capital(country)
        homes = (capital,) if capital else self.position.board.powers[country].homes
        here = replace(self.position, units=tuple(own))
        order = farthest_first(here, country, Removals.HOME_DISTANCE, homes)
        kept = [" ".join(deed.words).upper() for deed in self._those("keep") if deed.power == country]
        self.lines += [CountryLine(deed, "") for deed in self._those("keep") if deed.power == country]
        rank = {unit.id: n for n, unit in enumerate(order)}
        named = {unit.id: len(kept) - kept.index(str(unit)) for unit in own if str(unit) in kept}
        return sorted(own, key=lambda unit: (named.get(unit.id, 0), rank[unit.id]))

    def build(self, orders: Iterable[Build | Waive]) -> None:
        """New units, each with its first year's maintenance; the later lines are those for which nothing is left."""
        bombers: dict[str, int] = {}
        taken: set[str] = set()
        for order in orders:
            if isinstance(order, Waive):
                self.told.append(Outcome((order, End((Result.OK,), "waived"))))
                continue
            country, price = order.power, PRICES[order.kind] + UPKEEP
            site = province_of(order.at)
            fault = building_fault(self.state, self.position, order)
            if country in self.unbuilding:
                fault = "removal-and-build"
            elif not fault and order.kind == BOMBER and bombers.get(country, 0) >= most_bombers(self.year):
                fault = "too-many-bombers"
            elif not fault and order.kind != BOMBER and site in taken:
                fault = "built-there-already"
            elif not fault and self.state.points.get(country, 0) < price:
                fault = "not-enough-points"
            if fault:
                self.told.append(Outcome((order, End((Result.ILLEGAL,), fault))))
                continue
            self.state.points[country] -= price
            self.note(country, f"-{price} {order.kind} {order.at} built")
            if order.kind == BOMBER:
                bombers[country] = bombers.get(country, 0) + 1
            else:
                taken.add(site)
            at = self.position.board.landing(order.kind, order.at)
            self.units[self.next_id] = Unit(self.next_id, order.kind, at, country, at)
            self.next_id += 1
            self.told.append(Outcome((order, End((Result.OK,), "built"))))

    # -- Clause 16

    def influence(self) -> None:
        """Points become political factors, and factors are given up."""
        for deed in self._those("eliminate"):
            amount, minor = amount_and_minor(deed)
            have = self.state.factors(deed.power, minor) if minor else 0
            fault = "no-such-minor" if not minor else "not-so-many-factors" if not 0 < amount <= have else ""
            if self.year < FIRST_YEAR:
                fault = "influence-only"
            if not fault:
                self.state.set_factors(deed.power, minor, have - amount)
                self.note(deed.power, f"{amount} factors in {minor.title()} given up")
            self.lines.append(CountryLine(deed, fault))
        for deed in self._those("influence"):
            amount, minor = amount_and_minor(deed)
            fault = influence_fault(deed)
            if not fault and amount > self.state.points.get(deed.power, 0):
                fault = "not-enough-points"
            if not fault:
                self.state.points[deed.power] -= amount
                self.state.set_factors(deed.power, minor, self.state.factors(deed.power, minor) + amount)
                self.note(deed.power, f"-{amount} influence in {minor.title()}")
            self.lines.append(CountryLine(deed, fault))

    def declare(self) -> None:
        """Clause 14: alliances for the next year, where two declare each other."""
        said = {(deed.power, country_of(deed)) for deed in self._those("ally")}
        self.lines += [CountryLine(deed, ally_fault(deed)) for deed in self._those("ally")]
        for one, other in list(self.state.allies()):
            self.state.put(f"{one}/{other}", ALLIES, "")
        for one, other in said:
            if one < other and (other, one) in said and one in GREATS and other in GREATS:
                self.state.put(f"{one}/{other}", ALLIES, str(self.year + 1))

    def control(self) -> None:
        """Clause 16: who controls whom from now on."""
        for player, minor in occupied(self.state):
            self.note(player, f"factors in {minor.title()} lost: owns a home centre of it")
        claims = self._those("claim")
        self.lines += settle_control(self, claims)

    def name_capitals(self) -> None:
        """Clause 3: who named no capital gets the first that is left. It is final where the season for naming one is
        over: for a Great Power that lost its own in Spring.
        """
        board = self.position.board
        for deed in self._those("capital"):
            fault = capital_fault(self.state, deed)
            if not fault:
                code = place_named(deed.words, board)
                self.state.name_capital(deed.power, code)
                self.note(deed.power, f"capital {board.provinces[code].name}")
            self.lines.append(CountryLine(deed, fault))
        for country in COUNTRIES:
            if self.state.get(country, CAPITAL) == NO_CAPITAL and not self.state.is_out(country):
                name_first(self.state, country)
                if country in MINORS or self.state.get(country, CAPITAL_LOST).startswith("F"):
                    self.state.put(country, CAPITAL_OPEN, "yes")

    def give_up_minors(self) -> None:
        """Clause 3: a minor country without a home centre surrenders where nobody's capital can serve it."""
        for minor in MINORS:
            homes = self.position.board.powers[minor].homes
            if self.state.controller(minor) or any(self.state.position.owners.get(home) == minor for home in homes):
                continue
            own = [unit for unit in self.units.values() if unit.power == minor]
            centres = self.state.position.centres(minor)
            if not own and not centres:
                continue
            for unit in own:
                del self.units[unit.id]
                self.lost.append(str(unit))
                self.told.append(Outcome((Hold(unit), End((Result.OK, Result.DISBANDED), "no-supply-line"))))
            self.note(minor, "surrendered: it has no home centre left")
            owners = {code: owner for code, owner in self.state.position.owners.items() if owner != minor}
            self.state.position = replace(self.state.position, owners=MappingProxyType(owners))

    # -- Clause 9

    def check_supply(self, allies: frozenset[tuple[str, str]]) -> None:
        """Units without a supply line are eliminated."""
        friendly = self.friendship(allies)
        everybody = tuple(self.units.values())
        lines: dict[str, Supply] = {}
        for unit in everybody:
            supply = lines.get(unit.power)
            if supply is None:
                supply = lines[unit.power] = Supply(self.state, unit.power, everybody, friendly)
            if supply.line(province_of(unit.at)) is not None:
                self.kept.append(str(unit))
                continue
            self.lost.append(str(unit))
            del self.units[unit.id]
            end = End((Result.OK, Result.DISBANDED), "no-supply-line")
            self.told.append(Outcome((Hold(unit), end)))
            self.note(unit.power, f"{unit} eliminated: no supply line")

    def friendship(self, allies: frozenset[tuple[str, str]]) -> Callable[[str, str], bool]:
        """Who is friendly to whom for supply lines: of one hand, allies of this year, and by order."""
        ordered = set[tuple[str, str]]()
        for deed in self._those("friendly"):
            fault = friendly_fault(self.state, deed)
            if not fault:
                who, whom = friendly_of(deed)
                ordered.add((who, whom))
            self.lines.append(CountryLine(deed, fault))
        state = self.state

        def friendly(one: str, other: str) -> bool:
            a, b = state.player(one) or one, state.player(other) or other
            return a == b or (min(a, b), max(a, b)) in allies or (one, other) in ordered

        return friendly

    def _those(self, word: str) -> list[Deed]:
        return [deed for deed in self.deeds if deed.word == word]


def play_winter(
    position: Position,
    orders: Iterable[Order],
    state: CountryState,
    deeds: Iterable[Deed],
    following: Callable[[], object],
    business: Mapping[str, Business],
) -> tuple[Adjudication, tuple[CountryLine, ...]]:
    """The result of the adjustments, and what became of lines for the country."""
    given, had = tuple(orders), dict(state.points)
    winter = Adjustments(position, state, deeds, business)
    allies = frozenset(state.allies())
    if winter.year >= FIRST_YEAR:
        winter.take_yield()
        given = tuple(dict.fromkeys((*given, *winter.decide(winter.give()))))
        winter.maintain(_last(order for order in given if isinstance(order, Disband) and _is_led(state, order)))
        winter.build(order for order in given if isinstance(order, (Build, Waive)) and _is_led(state, order))
    winter.influence()
    if winter.year >= FIRST_YEAR:
        winter.declare()
    winter.control()
    if winter.year >= FIRST_YEAR:
        winter.name_capitals()
        winter.give_up_minors()
        winter.check_supply(allies)
    for line in winter.lines:
        if line.reason:
            winter.note(line.deed.power, f"{line.deed}: came to nothing, for {meaning_in(KEY, line.reason)}")
    with_book(state, winter.book, had)
    state.put("season", SUPPLIED, ",".join(winter.kept))
    state.put("season", UNSUPPLIED, ",".join(winter.lost))
    units = numbered(tuple(winter.units.values()))
    after = position.followed_by(following(), units, state.position.owners, (), winter.next_id)  # type: ignore[arg-type]
    told = tuple(winter.told)
    return Adjudication(position, state.applied(after), (), lambda: told), tuple(winter.lines)


def _is_led(state: CountryState, order: Order) -> bool:
    return bool(state.player(power_of(order)))


def _last(orders: Iterable[Disband]) -> Iterable[Disband]:
    return {order.unit.id: order for order in orders}.values()


def yields(state: CountryState, position: Position, country: str) -> Iterator[tuple[str, int, str]]:
    """The centres of a country -> what each yields, and why one yields nothing."""
    allies = frozenset(state.allies())

    def friendly(one: str, other: str) -> bool:
        a, b = state.player(one) or one, state.player(other) or other
        return a == b or (min(a, b), max(a, b)) in allies

    supply = Supply(state, country, position.units, friendly)
    for code in position.centres(country):
        amount = worth(position, country, code)
        why = ""
        if bombed_in(state, code, position.phase.year):
            why = "bombed"
        elif supply.line(code) is None:
            why = "no line to the capital"
        yield code, amount, why


def income(state: CountryState, country: str) -> int:
    """The points that a country's centres yield in these adjustments."""
    if state.position.phase.year < FIRST_YEAR:
        return 0
    return sum(amount for _, amount, why in yields(state, state.position, country) if not why)


def worth(position: Position, country: str, code: str) -> int:
    """Clause 5: what a centre yields to a country."""
    home = position.board.home_of.get(code, "")
    if home == country and (country in GREATS or position.board.facts.get(HOME_SIX)):
        return 6
    return 5 if home in GREATS else 4


def building_fault(state: CountryState, position: Position, order: Build) -> str:
    """Clauses 6 and 15: why a unit cannot be built somewhere, whatever else is built."""
    board, site = position.board, province_of(order.at)
    if order.kind == BOMBER:
        return build_fault(position, order.power, order.at)
    if site not in board.powers[order.power].homes:
        return "not-a-home-centre"
    if position.owners.get(site) != order.power:
        return "home-not-owned"
    if any(unit.kind != BOMBER for unit in position.at(site)):
        return "home-occupied"
    if board.can_stand(order.kind, board.landing(order.kind, order.at)):
        return ""
    coasts = board.provinces[site].coasts
    return "build-coast-missing" if coasts and order.at == site else "unit-cannot-stand-there"

"""Diplomacy as Allan Calhamer published it first (1958): capitals, naval bases, armies aboard fleets; with its page of
rules and its reasons.

1. Seven powers, 35 centres. Whoever has 18 units on the board has won; when the time is up all who are still in the
   game tie. Who has no unit left after raising has lost.
2. Any number of own armies may stand in the capital, and of own fleets in the naval base. They are worth one in
   defence; those in one place do not support each other, count as one where they support one unit, and only one of them
   is supported. An army may not move into its capital while a fleet of its own stands there, nor a fleet into its
   naval base while an army does.
3. An army comes aboard a fleet beside it that is ordered out, or one that comes to it; of its own country, unless
   `foreign_boarding` says otherwise. Aboard it does nothing, occupies nothing, is supported by nobody and goes where
   the fleet goes. It goes ashore where the fleet is, when that is ordered out; it then counts as standing there. If the
   fleet is stopped, army and fleet are as they were. There are no convoys.
4. Any attack cuts a support, one of its own country too, but for one from where the support leads. An own unit is
   never driven out. A unit ordered to move and to support moves, and an army comes aboard or goes ashore.
   Fleets may pass each other along different coasts. A unit whose order is impossible stands, and may be
   supported in place.
5. Who is driven out must retreat; who cannot, or is not ordered to, is annihilated. The army aboard goes
   with its fleet.
6. Centres change hands after the Fall retreats. Then units are raised, armies in the capital, fleets in a naval base,
   or removed.
7. A capital that is lost moves to the first original centre, in the board's order, that its power still owns; its owner
   may name another with the adjustments. When the first capital is retaken, it moves back.
8. Units are numbered, by power and kind.
9. Six players: without Italy, Venice and Naples are no centres, and 17 units win. Five: without Turkey too; Ankara and
   Erzurum are no centres, and 16 win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from judge.adjudicate.outcome import End, Outcome, Result
from judge.adjudicate.riding import ABOARD_KIND, ASHORE_KIND, NO_CONVOY_KIND
from judge.board.extras import Badge, Extras
from judge.board.model import Board, Location, province_of
from judge.board.phase import ADJUSTMENTS, FALL, MOVES, RETREATS, SPRING
from judge.board.position import Position, start_position
from judge.board.status import Stack
from judge.board.unit import NUMBER, Unit
from judge.languages import tell
from judge.orders.family import BUILD, FAMILY, SUPPORT
from judge.orders.grammar import Tile
from judge.orders.kinds import NUMBERS, ORDERS, Kinds
from judge.orders.lexer import Lexed
from judge.orders.model import Build, Disband, Order
from judge.orders.scene import Meaning, Scene
from judge.orders.spelled import foreign, listed, place, unit_text
from judge.orders.winter import read_build_somewhere
from judge.rules import Rules
from judge.rules.business import Business, Deed
from judge.rules.choices import (
    CoastalCrawl,
    Cutting,
    DisorderRetreats,
    ForeignBoarding,
    ImpossibleOrders,
    RetreatCollisions,
)
from judge.rules.model import RuleSystem
from judge.rules.questions import UNITS, Block, Happened, SettledPosition, powers_with_units
from judge.rules.reasons import Reason

BRIEF = (
    "In short:",
    "- 18 UNITS on the board win (17 of six players, 16 of five), not centres.",
    "- Armies are raised in the capital, fleets in the naval base; any number of them may stand there. They are "
    "worth one, and are driven out together.",
    "- An army does not enter the capital while a fleet of its country stands there, nor a fleet the naval base "
    "while an army does.",
    "- No convoys. `A Brest ABOARD F Brest` with `F Brest - English Channel` takes an army along; a fleet that "
    "comes in fetches one in the same way.",
    "- A fleet carries one army, of its own country, unless `foreign_boarding` is yes.",
    "- At sea the army does nothing. `A Belgium ASHORE`, with the fleet ordered out, puts it ashore. If the fleet is "
    "stopped, all stays as it was.",
    "- Any attack cuts a support, your own too; but never one from the place you support into, even if it drives "
    "you out.",
    "- Nobody disbands by choice: who is driven out retreats, or is lost.",
    "- A lost capital moves to your first original centre that is left (or, by `capital PLACE`, another), and "
    "back when the first one is retaken.",
    "- Units have numbers: `2 - Holland` is army 2, `3F - North Sea` fleet 3.",
)
"""What is different, for the letter with which a game begins."""

PAGE = (
    Block(
        "Diplomacy of 1958",
        (
            "The game as Allan Calhamer published it first, on a board of 93 spaces with 35 centres; Switzerland"
            " and Albania are centres, Tunis is none. What follows takes the place of what the rules of 1976 say of it:"
            " of convoys, disbanding, cutting, builds and winning.",
            "PASSAGES. Kiel and Constantinople are crossed by armies and fleets, which must stop there"
            " first: a fleet goes from the Aegean to the Black Sea through Constantinople, or along the coast of"
            " Smyrna and Ankara. Spain, Finland, St. Petersburg and Bulgaria have two coasts each.",
            "WINNING. Whoever has 18 units on the board has won (17 with six players, 16 with five): centres"
            " alone do not count. When the time that the table has set is up, all who are still in the game tie."
            " Who is left without a unit once units have been raised has lost.",
            "THE START. Two armies stand in the capital, one fleet in the naval base; England has two fleets and"
            " one army, Russia a fleet in each of its two naval bases, St. Petersburg (south coast) and"
            " Sevastopol.",
            "NUMBERS. Each unit has one, by power and kind: `2 - Holland` is army 2, `3F - North Sea` fleet 3."
            " Letters call them `A2 Paris` and `F3 North Sea`. Places do as well: `A Paris - Burgundy`; of two armies"
            " in one place that means either.",
            "CAPITAL AND NAVAL BASE. Any number of a country's armies may stand in its capital, any"
            " number of its fleets"
            " in its naval base. Together they defend with the strength of one, only one of them can be supported"
            " there, and who drives them out drives out all. They do not support each other; two that support the"
            " same unit count as one. An army does not move into its capital while a"
            " fleet of its own stands there, nor"
            " a fleet into its naval base while an army of its own does, unless that is ordered out; if it"
            " is then stopped, whoever was to come in stays where it was. Raising is free. A naval base that is"
            " lost is still the base of its power, whose fleets may stand there together.",
            "ABOARD. There are no convoys. `A Brest ABOARD F Brest` with `F Brest - English"
            " Channel` takes an"
            " army along from the same place; `F English Channel - Belgium` with `A Belgium ABOARD F English"
            " Channel` fetches one from the coast. If the fleet is stopped, the army is still ashore. One army a"
            " fleet, of its own country; where the Gamemaster has set `foreign_boarding yes`, of any: then each"
            " player orders what is theirs, and nobody can drive out a fleet that carries an army of their own.",
            "AT SEA the army does nothing, nobody supports it, it takes no centre, and it goes where the"
            " fleet goes: in retreats too, and it is lost with it, also when the fleet is removed."
            " `A Belgium ASHORE`, while the fleet is ordered out of Belgium, puts it"
            " ashore: it counts as standing there, and may be supported in place. If the fleet is stopped, or another"
            " own fleet stays there, the army stays aboard. An army that comes aboard may be supported in place, too:"
            " that counts if the fleet is stopped.",
            "FIGHTS. Any attack cuts a support, even by a unit of the same country, but never"
            " one from the place"
            " that is supported into, even if it drives the supporter out; an army that comes into its own capital cuts"
            " nothing there. A unit that is ordered to move and to support moves."
            " An impossible or ambiguous order loses the move; its unit stands, and may be"
            " supported there. Two fleets pass each other along different coasts of a province.",
            "RETREATS. Who is driven out must retreat; nobody disbands a unit by choice. Two"
            " that go to one place"
            " are both annihilated, and so is who is not ordered. But armies of one power may retreat together into"
            " their empty capital, its fleets into their empty naval base.",
            "RAISING, after the Fall retreats: armies in the capital, fleets in the naval base"
            " (Russia says"
            " which). Without its naval base a power raises no fleets; without any original centre, nothing. A"
            " capital that is lost moves to the first original centre that is left, in the order in which reports of"
            " the board name them (`help power`); `capital PLACE`, with the adjustments, names another, which counts"
            " for the armies that are raised with it. When the first one is retaken, the capital is there again.",
            "FEWER PLAYERS. Six: Italy is not played; its land is nobody's, Venice and Naples are no"
            " centres, and Rome is one to be taken. Five: nor is Turkey; Ankara and Erzurum are no centres,"
            " Constantinople is one to be taken.",
        ),
    ),
)

REASONS = {
    "other-kind-there": Reason(
        "a fleet or army of the same country stands there and was not ordered out", "Capital and naval base"
    ),
    "other-kind-did-not-leave": Reason(
        "a fleet or army of the same country was to leave that place, but did not", "Capital and naval base"
    ),
    "no-support-in-one-place": Reason("units in one place do not support each other", "Capital and naval base"),
    "supported-from-there-already": Reason(
        "two units in one place that support the same unit count as one", "Capital and naval base"
    ),
    "supported-unit-aboard": Reason("an army aboard a fleet cannot be supported", "At sea"),
    "is-aboard": Reason("an army aboard a fleet does nothing but go ashore", "At sea"),
    "aboard-already": Reason("the army is aboard a fleet already", "At sea"),
    "only-armies-aboard-fleets": Reason("only armies come aboard, and only of fleets", "Aboard"),
    "foreign-fleet": Reason("an army comes aboard a fleet of its own country only", "Aboard"),
    "fleet-cannot-come": Reason("the fleet is not there and could not come there", "Aboard"),
    "fleet-not-ordered-out": Reason("the fleet was not ordered out", "Aboard"),
    "fleet-not-coming": Reason("the fleet was not ordered to come there", "Aboard"),
    "one-army-a-fleet": Reason("a fleet carries one army", "Aboard"),
    "not-aboard": Reason("the army is aboard no fleet", "At sea"),
    "no-shore": Reason("the army cannot stand where the fleet is", "At sea"),
    "came-aboard": Reason("the army came aboard", "Aboard"),
    "went-ashore": Reason("the army went ashore", "At sea"),
    "fleet-stopped": Reason("the fleet was stopped, and the army is where it was", "At sea"),
    "shore-not-cleared": Reason("another fleet did not leave, and the army stayed aboard", "At sea"),
    "retreated-aboard": Reason("the army retreated with its fleet", "At sea"),
    "lost-aboard": Reason("the army was lost with its fleet", "At sea"),
    "carried-along": Reason("the army is aboard its fleet", "At sea"),
    "raised-at-home-only": Reason("units are raised in original centres only", "Raising"),
    "armies-in-the-capital": Reason("armies are raised in the capital only", "Raising"),
    "fleets-in-the-naval-base": Reason("fleets are raised in the naval base only", "Raising"),
    "capital-with-adjustments": Reason("a capital is named with the adjustments", "Raising"),
    "capital-not-lost": Reason("the capital moves only while the first one is lost", "Raising"),
    "capital-in-original-centre": Reason("a capital is an original centre that its power owns", "Raising"),
    "no-such-number": Reason("no unit has this number", "Numbers"),
}

RETOLD = {
    "no-retreat-ordered": "no retreat was ordered, and the unit was annihilated",
    "nowhere-to-retreat": "there was nowhere to retreat to, and the unit was annihilated",
    "retreats-collided": "two units were ordered to one space, and both were annihilated",
}
"""What is said here of reasons that 1976 has, too."""

CLAUSES = {
    "VII.1": "Fights",
    "VII.3b": "Passages",
    "VII.4": "Fights",
    "VIII": "Fights",
    "IX.1": "Fights",
    "IX.2": "Fights",
    "IX.3": "Fights",
    "IX.6": "Fights",
    "X": "Fights",
    "XI": "Retreats",
    "XI.2": "Retreats",
    "XII.1": "Aboard",
    "XII.2": "Aboard",
    "XII.3": "Aboard",
    "XIII.2": "Raising",
    "XIV.5": "Aboard",
}
"""Clause of 1976 -> the part of this page that says what holds in its place."""


CAPITAL = "capital"
"""The mark of a power whose capital is not the first one: where it is; and the fact of the board."""
LOST = "lost"
"""Mark: the powers that own centres and had no unit when units had been raised."""
BASES = "naval_bases"
SUPPORT_KIND = replace(SUPPORT, gives_way=frozenset({"move", "aboard", "ashore"}))
"""Clause 4: a unit that is ordered to move and to support moves; so does an army that comes aboard or goes ashore."""


def read_raised(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """Clause 6: "build army", "build fleet": there is one place for it, but for Russian fleets."""
    asked = read_build_somewhere(scene, lexed, tile)
    first = next((one for one in asked.problem.candidates if isinstance(one, Build)), None) if asked.problem else None
    if first is None:
        return asked
    position, power = scene.ground.position, first.power
    places = tuple(bases_of(position.board, power).values())
    if first.kind == FOOT:
        places = (capital_of(position, power),)
    return Meaning(Build(power, first.kind, places[0])) if len(places) == 1 and places[0] else asked


BUILD_KIND = replace(BUILD, readers={**BUILD.readers, "build-somewhere": read_raised})
KINDS = FAMILY.without("convoy", "disband").having(SUPPORT_KIND, BUILD_KIND, ABOARD_KIND, ASHORE_KIND, NO_CONVOY_KIND)
NOT_PLAYED = {"ITALY": ("VEN", "NAP"), "TURKEY": ("ANK", "ERZ")}
"""Power that may be out of the game -> the centres that are none without it."""
FOOT, SAIL = "A", "F"


@dataclass(frozen=True, slots=True)
class Calhamer1958(Rules):
    """The answers that differ. `out`: powers that are not played."""

    tells_winner: ClassVar[bool] = True
    won_by: ClassVar[str] = UNITS

    coastal_crawl: CoastalCrawl = CoastalCrawl.ALLOWED
    cutting: Cutting = Cutting.ANY_ATTACK
    impossible_orders: ImpossibleOrders = ImpossibleOrders.HOLD
    retreat_collisions: RetreatCollisions = RetreatCollisions.MODERN
    disorder_retreats: DisorderRetreats = DisorderRetreats.RETREAT
    out: tuple[str, ...] = ()

    # -- The table

    def board(self, board: Board) -> Board:
        """Clauses 3, 8 and 9."""
        board = replace(board, facts={**board.facts, ORDERS: self.key, NUMBERS: True})
        if any(power not in board.powers for power in self.out):
            return board
        plain = {code for power in self.out for code in NOT_PLAYED[power]}
        provinces = {
            code: replace(each, centre=False) if code in plain else each for code, each in board.provinces.items()
        }
        powers = {key: power for key, power in board.powers.items() if key not in self.out}
        gone = {key: board.powers[key] for key in self.out}
        return replace(
            board, provinces=provinces, powers=powers, not_played=gone, victory=board.victory - len(self.out)
        )

    def start(self, board: Board) -> Position:
        """Clause 8."""
        position = start_position(board)
        return replace(position, units=tuple(with_numbers(position.units)))

    # -- Clauses 2 and 3

    def kinds(self) -> Kinds:
        """Clauses 3 and 5: no convoys, and nobody disbands a unit that can retreat."""
        return KINDS

    def stacks(self, position: Position) -> Mapping[str, Stack]:
        """Clause 2. Units that stand in an original centre stay there when the capital moves on."""
        found: dict[str, Stack] = {}
        for power, facts in position.board.powers.items():
            capital = capital_of(position, power)
            for home in facts.homes:
                army = {FOOT} if home == capital else set()
                fleet = {SAIL} if home in bases_of(position.board, power) else set()
                found[home] = Stack(power, enters=frozenset(army | fleet), mixed=False)
        return found

    def support_fault(self, position: Position, unit: Unit, of: Unit, to: Location) -> str:
        """Clauses 2 and 3."""
        return "no-support-in-one-place" if province_of(unit.at) == province_of(of.at) else ""

    def carriage_fault(self, position: Position, carrier: Unit, rider: Unit) -> str:
        """Clause 3: fleets carry their own country's armies, unless the table has agreed otherwise."""
        own = carrier.power == rider.power or self.foreign_boarding is ForeignBoarding.YES
        return "" if own else "foreign-fleet"

    def owners(self, position: Position, units: Iterable[Unit]) -> Mapping[str, str]:
        """Clause 3: who is aboard occupies nothing."""
        return Rules.owners(self, position, [unit for unit in units if not unit.aboard])

    def asked(self, position: Position, power: str) -> tuple[Unit, ...]:
        """Clause 3: nobody waits for an order to an army that is carried."""
        return tuple(unit for unit in position.of(power) if not unit.aboard)

    # -- Clauses 6 and 7

    def balance(self, position: Position, power: str) -> int:
        """Clause 1: who has lost raises nothing any more."""
        return 0 if _has_lost(position, power) else Rules.balance(self, position, power)

    def removal_order(self, position: Position, power: str) -> tuple[Unit, ...]:
        """Clause 6: an army aboard goes before its fleet, so that no more are removed than have to be."""
        order = Rules.removal_order(self, position, power)
        place = {unit.id: number for number, unit in enumerate(order)}
        return tuple(sorted(order, key=lambda unit: (place.get(unit.aboard, place[unit.id]), not unit.aboard)))

    def building_centres(self, position: Position, power: str) -> tuple[str, ...]:
        """Clause 6."""
        capital = capital_of(position, power)
        homes = position.board.powers[power].homes if power in position.board.powers else ()
        return tuple(home for home in homes if home == capital or home in bases_of(position.board, power))

    def room(self, position: Position, province: str) -> int:
        """Clause 2: as many as are due."""
        power = position.board.home_of.get(province, "")
        return _MANY if all(unit.power == power for unit in position.at(province)) else 0

    def build_fault(self, position: Position, order: Build) -> str:
        """Clause 6."""
        province, board = province_of(order.at), position.board
        if province not in board.powers[order.power].homes:
            return "raised-at-home-only"
        if position.owners.get(province) != order.power:
            return "home-not-owned"
        if order.kind == FOOT:
            return "" if province == capital_of(position, order.power) else "armies-in-the-capital"
        bases = bases_of(board, order.power)
        return "" if order.at in bases.values() else "fleets-in-the-naval-base"

    def sites(self, position: Position, power: str, centre: str) -> Iterable[tuple[str, Location]]:
        """Clause 6."""
        if centre == capital_of(position, power):
            yield FOOT, centre
        if centre in (bases := bases_of(position.board, power)):
            yield SAIL, bases[centre]

    def business(self) -> Mapping[str, Business]:
        """Clause 7."""
        return {
            CAPITAL: Business(
                "capital PLACE",
                tell("Move your capital, while the first one is lost, to an original centre that you own."),
                _move_capital,
                _no_capital,
                first=True,
            )
        }

    def settled(self, happened: Happened) -> Position | SettledPosition:
        """Clauses 3, 7 and 8: who is lost with its fleet, where capitals are now, which numbers new units have."""
        after, told = happened.after, _lost_aboard(happened)
        if self.calendar.is_capture(happened.before.phase):
            after = replace(after, marks=_capitals(happened.before, after))
        if happened.before.phase.kind is ADJUSTMENTS:
            after = replace(after, marks=_losers(after))
            if any(unit.mark(NUMBER) for unit in happened.before.units):
                after = replace(after, units=tuple(with_numbers(after.units)))
        return SettledPosition(after, told) if told else after

    # -- Clause 1

    def ranking(self, position: Position) -> Mapping[str, int]:
        """Clause 1: units, those that must retreat with them."""
        everybody = (*position.units, *(each.unit for each in position.dislodged))
        return Counter(unit.power for unit in everybody)

    def alive(self, position: Position) -> frozenset[str]:
        """Clause 1: once units have been raised, who has none is out; until then, who could still raise one is not."""
        standing = powers_with_units(position)
        if position.phase.season == SPRING.code and position.phase.kind is MOVES:
            return standing
        return standing | frozenset(power for power in position.owners.values() if not _has_lost(position, power))

    # -- What people read

    def reckoned(
        self, position: Position, power: str, orders: Iterable[Order], deeds: Iterable[Deed]
    ) -> tuple[str, ...]:
        """Clause 3: armies that are lost because their fleet is removed, though they were not ordered to go."""
        if position.phase.kind is not ADJUSTMENTS:
            return ()
        removed = {order.unit.id: order.unit for order in orders if isinstance(order, Disband)}
        lost = (unit for unit in position.units if unit.aboard in removed and unit.id not in removed)
        told = ((foreign(unit, position.board), unit_text(removed[unit.aboard], position.board)) for unit in lost)
        return tuple(
            tell("{army} goes with {fleet}, aboard which it is", army=army, fleet=fleet) for army, fleet in told
        )

    def desk(self, position: Position) -> tuple[Block, ...]:
        """Clauses 2, 3 and 7."""
        return (Block(tell("Capitals, naval bases and armies aboard"), tuple(_told(position))),)

    def extras(self, position: Position) -> Extras:
        """Clauses 2, 3, 7 and 8."""
        board = position.board
        spaces: dict[str, tuple[Badge, ...]] = {}
        for power in board.powers:
            if capital := capital_of(position, power):
                spaces[capital] = (Badge("C", power),)
            for base in bases_of(board, power):
                spaces[base] = (*spaces.get(base, ()), Badge("N", power))
        ids = {unit.id: unit for unit in position.units}
        units = {unit.id: (Badge(number, unit.power),) for unit in position.units if (number := unit.mark(NUMBER))}
        for unit in position.units:
            if unit.aboard in ids:
                label = f"A{unit.mark(NUMBER)}"
                units[unit.aboard] = (*units.get(unit.aboard, ()), Badge(label, unit.power))
        return Extras(
            units=units,
            spaces=spaces,
            notes=(tell("C: a capital, where armies are raised. N: a naval base, of fleets."),),
        )


_MANY = 99


def _has_lost(position: Position, power: str) -> bool:
    return power in position.marks.get(LOST, {})


def _losers(after: Position) -> Mapping[str, Mapping[str, str]]:
    """Clause 1: the marks once units have been raised, of those too who own centres and have no unit."""
    standing = powers_with_units(after)
    lost = {power for power in after.owners.values() if power not in standing}
    if not lost:
        return after.marks
    return MappingProxyType({**after.marks, LOST: MappingProxyType(dict.fromkeys(sorted(lost), "yes"))})


def capital_of(position: Position, power: str) -> str:
    """Clause 7: where a power's capital is now; "" for none."""
    known = position.board.powers.get(power)
    if known is None:
        return ""
    owned = [home for home in known.homes if position.owners.get(home, power if not position.owners else "") == power]
    named = position.marks.get(power, {}).get(CAPITAL) or first_capital(position.board, power)
    return named if named in owned else next(iter(owned), "")


def first_capital(board: Board, power: str) -> str:
    """The capital with which a power begins."""
    return str(board.powers[power].facts.get(CAPITAL) or board.powers[power].homes[0])


def bases_of(board: Board, power: str) -> Mapping[str, Location]:
    """Province of a naval base -> where fleets stand that are raised there."""
    found = board.powers[power].facts.get(BASES) or ()
    return {province_of(str(base)): str(base) for base in (found if isinstance(found, tuple | list) else ())}


def with_numbers(units: Iterable[Unit]) -> Iterator[Unit]:
    """Clause 8: the units, each with a number; who has none gets the lowest that no other of its kind has."""
    everybody = tuple(units)
    taken: dict[tuple[str, str], set[str]] = {}
    for unit in everybody:
        taken.setdefault((unit.power, unit.kind), set()).add(unit.mark(NUMBER))
    for unit in everybody:
        used = taken[unit.power, unit.kind]
        if unit.mark(NUMBER):
            yield unit
            continue
        number = next(str(n) for n in range(1, 100) if str(n) not in used)
        used.add(number)
        yield unit.marked(NUMBER, number)


def _capitals(before: Position, after: Position) -> Mapping[str, Mapping[str, str]]:
    """Clause 7: the marks once centres have changed hands."""
    marks = dict(after.marks)
    for power in after.board.powers:
        first = first_capital(after.board, power)
        named = {**marks.get(power, {})}
        held = named.pop(CAPITAL, "") or capital_of(before, power)
        if after.owners.get(first) != power:
            owned = held and after.owners.get(held) == power
            now = held if owned else capital_of(replace(after, marks=MappingProxyType({})), power)
            named |= {CAPITAL: now} if now else {}
        marks[power] = MappingProxyType(named)
    return MappingProxyType({key: found for key, found in marks.items() if found})


def _lost_aboard(happened: Happened) -> tuple[Outcome, ...]:
    """Clause 3: what became of armies whose fleet was removed."""
    if happened.before.phase.kind is not ADJUSTMENTS or not any(unit.aboard for unit in happened.before.units):
        return ()
    there = {unit.id for unit in happened.after.units}
    told = (outcome for outcome in happened.told() if isinstance(outcome.order, Disband) and outcome.ok)
    removed = {outcome.order.unit.id for outcome in told}
    gone = (unit for unit in happened.before.units if unit.aboard and unit.id not in there and unit.id not in removed)
    return tuple(Outcome((Disband(unit), End((Result.OK, Result.DISBANDED), "lost-aboard"))) for unit in gone)


def _move_capital(position: Position, deed: Deed) -> Position:
    code = _place_of(position.board, deed)
    marks = {**position.marks, deed.power: MappingProxyType({**position.marks.get(deed.power, {}), CAPITAL: code})}
    return replace(position, marks=MappingProxyType(marks))


def _no_capital(position: Position, deed: Deed) -> str:
    code, board = _place_of(position.board, deed), position.board
    if position.phase.kind is RETREATS and position.phase.season == FALL.code:
        return "" if code in board.powers[deed.power].homes else "capital-in-original-centre"
    if position.phase.kind is not ADJUSTMENTS:
        return "capital-with-adjustments"
    if position.owners.get(first_capital(board, deed.power)) == deed.power:
        return "capital-not-lost"
    owned = code in board.powers[deed.power].homes and position.owners.get(code) == deed.power
    return "" if owned else "capital-in-original-centre"


def _place_of(board: Board, deed: Deed) -> str:
    """The code of the place that a line names; "" for none, or several."""
    words = " ".join(deed.words).strip(" .")
    if words.upper() in board.provinces:
        return words.upper()
    named = [code for code, each in board.provinces.items() if each.name.lower().startswith(words.lower()) and words]
    return named[0] if len(named) == 1 else ""


def _told(position: Position) -> Iterator[str]:
    board = position.board
    alive = {*position.owners.values(), *(unit.power for unit in position.units)}
    for key, power in board.powers.items():
        if key not in alive:
            continue
        capital, first = capital_of(position, key), first_capital(board, key)
        nowhere = tell("no capital: no original centre is left")
        where = tell("capital {place}", place=place(capital, board)) if capital else nowhere
        if capital and capital != first:
            where = tell("{where} (until {place} is retaken)", where=where, place=place(first, board))
        bases = bases_of(board, key)
        owned = [place(at, board) for code, at in bases.items() if position.owners.get(code) == key]
        base = (
            tell("naval base {owned}", owned=listed(owned)) if owned else tell("naval base lost: no fleets are raised")
        )
        yield f"{power.told}: {where}, {base}."
    ids = {unit.id: unit for unit in position.units}
    for unit in position.units:
        if unit.aboard in ids:
            carrier = ids[unit.aboard]
            on = unit_text(carrier, board) if carrier.power == unit.power else foreign(carrier, board)
            lands = tell(", and may go ASHORE") if board.can_stand(unit.kind, unit.at) else ""
            yield tell("{foreign} is aboard {on}{lands}.", foreign=foreign(unit, board), on=on, lands=lands)


_COMMON = {"map": "calhamer1958", "nmr": "grace"}

RULE_SYSTEMS = (
    RuleSystem(
        Calhamer1958(key="1958"),
        "Diplomacy of 1958",
        presets={"1958": {"rules": "1958", "players": "7", **_COMMON}},
        reasons=REASONS,
        retold=RETOLD,
        clauses=CLAUSES,
        brief=BRIEF,
        page=PAGE,
    ),
    RuleSystem(
        Calhamer1958(key="1958-six", out=("ITALY",)),
        "Diplomacy of 1958, six players",
        presets={"1958-six": {"rules": "1958-six", "players": "6", **_COMMON}},
        retold=RETOLD,
        clauses=CLAUSES,
        brief=BRIEF,
        page=PAGE,
    ),
    RuleSystem(
        Calhamer1958(key="1958-five", out=("ITALY", "TURKEY")),
        "Diplomacy of 1958, five players",
        presets={"1958-five": {"rules": "1958-five", "players": "5", **_COMMON}},
        retold=RETOLD,
        clauses=CLAUSES,
        brief=BRIEF,
        page=PAGE,
    ),
)

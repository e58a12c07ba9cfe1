"""The questions that a rule system answers, with the answers of 1976: which unit goes when somebody has too many and
names none, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol

from judge.board.extras import NO_EXTRAS, Extras
from judge.board.model import Board, Location, province_of
from judge.board.position import Position, start_position
from judge.board.status import Stack
from judge.board.unit import Unit
from judge.orders.family import FAMILY
from judge.orders.kinds import Kinds
from judge.orders.model import Build, Move, Order, UnitOrder
from judge.rules.business import Business, Deed
from judge.rules.calendar import Calendar
from judge.rules.choices import Removals

FAR = 1000
"""The distance of a place from which no centre can be reached."""


def farthest_first(
    position: Position, power: str, edition: Removals, homes: tuple[str, ...] | None = None
) -> tuple[Unit, ...]:
    """A power's units, the one that goes first standing first.

    XIV.4: the farthest from the nearest home centre; of equals fleets before armies, then by the name of the space.
    `homes`: the home centres that count; None for all.
    """
    board = position.board
    units = position.of(power)
    if edition is Removals.OWNED_DISTANCE:
        distance = _search(position.centres(power), _any_border(board))
        return tuple(sorted(units, key=lambda unit: _owned_key(board, unit, distance)))
    if homes is None:
        homes = board.powers[power].homes if power in board.powers else ()
    if edition is Removals.HOME_DISTANCE:
        distance = _search(homes, _any_border(board))
        return tuple(sorted(units, key=lambda unit: _key(board, unit, distance)))
    return tuple(sorted(units, key=lambda unit: _route_key(board, unit, homes)))


def _key(board: Board, unit: Unit, distance: dict[str, int]) -> tuple[int, bool, str]:
    province = province_of(unit.at)
    return -distance.get(province, FAR), not board.kinds[unit.kind].coasts, board.provinces[province].name


def _owned_key(board: Board, unit: Unit, distance: dict[str, int]) -> tuple[bool, int, bool, str]:
    """2023: units on a centre go last."""
    return board.provinces[province_of(unit.at)].centre, *_key(board, unit, distance)


def _route_key(board: Board, unit: Unit, homes: tuple[str, ...]) -> tuple[int, bool, str]:
    """XIV.4 by the letter: an army walks, or is convoyed over any water; a fleet sails."""
    province = province_of(unit.at)
    if unit.kind not in board.carried:
        steps = _search((unit.at,), lambda here: board.reach(unit.kind, here))
        away = min((far for here, far in steps.items() if province_of(here) in homes), default=FAR)
    else:
        steps = _search((province,), _any_border(board))
        away = min((steps.get(home, FAR) for home in homes), default=FAR)
    return -away, not board.kinds[unit.kind].coasts, board.provinces[province].name


def _any_border(board: Board) -> Callable[[str], Iterable[str]]:
    """Neighbouring provinces whatever may pass between them."""
    near: dict[str, set[str]] = {code: set() for code in board.provinces}
    for border in board.borders:
        one, other = province_of(border.a), province_of(border.b)
        near[one].add(other)
        near[other].add(one)
    return lambda here: near[here]


def _search(start: Iterable[Location], steps: Callable[[Location], Iterable[Location]]) -> dict[Location, int]:
    """Place -> the number of moves from the nearest of the starting places."""
    distance = dict.fromkeys(start, 0)
    fresh = list(distance)
    while fresh:
        following: list[Location] = []
        for here in fresh:
            for there in steps(here):
                if there not in distance:
                    distance[there] = distance[here] + 1
                    following.append(there)
        fresh = following
    return distance


class Term(StrEnum):
    """What sets a move apart from others in a battle."""

    MEEK = "meek"
    """It keeps nobody out, cuts nothing, meets nobody head to head."""
    NEEDS_ARMY = "needs-army"
    """Without the support of an army that stands it has no strength: it keeps nobody out and cuts nothing."""
    UNPAID = "unpaid"
    """Its unit has no strength of its own."""
    POWERLESS = "powerless"
    """The move has no strength and cuts nothing; its unit holds its own place with one."""


class Escort(NamedTuple):
    """Whose support a move needs, and why: the unit in a province. Where that support does not stand, the move has no
    strength: it keeps nobody out, cuts nothing, meets nobody head to head.
    """

    at: str
    reason: str
    """The slug of the reason for its failure."""


class Bill(NamedTuple):
    """What an act costs: whose purse pays, the identity of the unit that acts, and how much."""

    power: str
    unit: int
    amount: int
    purse: str


class Battle(NamedTuple):
    """A battle as it was decided, for those who say what it costs. Units are named by their identity."""

    position: Position
    orders: Mapping[int, UnitOrder]
    moved: frozenset[int]
    dislodged: Mapping[int, int]
    """Who was driven out -> by whom."""
    aims: Mapping[int, str]
    """Who was ordered to move, and could -> the province."""
    faults: frozenset[int]
    """Whose order was not followed, or was for nothing."""
    unpaid: frozenset[int]
    """Who could not pay before: its act has no strength, and is not billed again."""


NO_TERMS: frozenset[Term] = frozenset()
"""Of a move like any other."""


class Happened(NamedTuple):
    """A phase as it was judged. `lot`: a number drawn for this phase, the only chance."""

    before: Position
    after: Position
    orders: tuple[Order, ...]
    """Those that were given, and those that the rules gave."""
    told: Callable[[], tuple[Any, ...]]
    """What became of them (`judge.adjudicate.outcome.Outcome`), worked out when it is asked for."""
    lot: int


class SettledPosition(NamedTuple):
    """The position with which the next phase begins, and what is to be told beside the outcomes that there are."""

    position: Position
    told: tuple[Any, ...]
    """Outcomes: of a unit that was lost with another one, say."""


class Remembered(NamedTuple):
    """A mark of a position, or an account: of whom, its name, and what is remembered; a number is an account."""

    key: str
    name: str
    value: str | int


class Corrections(Protocol):
    """The lines of a system's own that `correct position` understands."""

    def read(self, text: str, position: Position) -> Remembered | None:
        """What a line says is to be remembered; None for a line that is none of these."""
        ...

    def words(self, change: Remembered, board: Board) -> str:
        """The same as the log and the letters say it."""
        ...

    def between(self, was: Position, now: Position) -> Iterator[str]:
        """The lines that make what one position remembers what the other does."""
        ...


IN_BATTLE = ("stacks", "held", "barred", "support_fault", "carriage_fault", "terms", "escort", "retreats")
"""Questions about single orders in a movement phase: only systems that answer them themselves are asked."""
AROUND = (
    "authority",
    "bills",
    "defaults",
    "dues",
    "business",
    "disclosed",
    "settled",
    "judged",
    "deliberates",
    "reckoned",
)
"""Questions about what is done before and after a phase is judged: the same."""
NO_STACKS: Mapping[str, Stack] = MappingProxyType({})
NO_BUSINESS: Mapping[str, Business] = MappingProxyType({})
FREE: Mapping[str, int] = MappingProxyType({})


class Exchange(Protocol):
    """How a system's positions are written in the JSON contract (`judge.adjudicate.jsonl`)."""

    def plain(self, data: Mapping[str, Any], board: Board) -> Mapping[str, Any]:
        """The object that comes in, with marks as the engine reads them. Raises ValueError."""
        ...

    def taken(self, data: Mapping[str, Any], position: Position) -> Position:
        """The position, with all that the object says of it. Raises ValueError."""
        ...

    def told(self, answer: dict[str, Any], result: Any) -> dict[str, Any]:
        """The object that goes out, made of the engine's and the `Adjudication`."""
        ...


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines under a heading, as people read them."""

    title: str
    lines: tuple[str, ...]


def together(counts: Mapping[str, int], sides: Iterable[tuple[str, ...]]) -> Mapping[str, int]:
    """Counts by power in which each member of a side has the sum of the whole side.

    >>> together({"FRANCE": 9, "AUSTRIA": 9, "ITALY": 5}, [("AUSTRIA", "FRANCE")])
    {'FRANCE': 18, 'AUSTRIA': 18, 'ITALY': 5}
    """
    found = dict(counts)
    for side in sides:
        found |= dict.fromkeys(side, sum(counts.get(power, 0) for power in side))
    return found


def powers_with_units(position: Position) -> frozenset[str]:
    """The powers that have a unit, dislodged or not."""
    return frozenset([unit.power for unit in position.units] + [each.unit.power for each in position.dislodged])


CENTRES, UNITS = "centres", "units"
"""What a game is won by owning enough of."""


class Questions:
    """The questions. Clauses in the answers are those of the rules of 1976."""

    __slots__ = ()

    key: str
    calendar: Calendar
    victory: int | None
    removals: Removals

    answered: ClassVar[frozenset[str]] = frozenset()
    """Which of the questions `IN_BATTLE` this system answers itself."""
    around: ClassVar[frozenset[str]] = frozenset()
    """Which of the questions `AROUND` it answers itself."""

    won_by: ClassVar[str] = CENTRES
    """What `ranking` counts, and `needed` says how many of it win: CENTRES or UNITS (II)."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = frozenset(n for n in (*IN_BATTLE, *AROUND) if getattr(cls, n) is not getattr(Questions, n))
        cls.answered, cls.around = own.intersection(IN_BATTLE), own.intersection(AROUND)

    # -- The table

    def board(self, board: Board) -> Board:
        """The board that is played on, made of the one that a game names: itself, unless a system redraws it."""
        return board

    def start(self, board: Board) -> Position:
        """The position in which a game begins (IV)."""
        return start_position(board)

    def seats(self, board: Board) -> tuple[tuple[str, ...], ...]:
        """The powers of each player: one each (I). A power that is in no player's hand stands without one (XIV.3)."""
        return tuple((key,) for key, power in board.powers.items() if not power.minor)

    def authority(self, position: Position, power: str) -> str | None:
        """Whose player orders the units of a power that is in no player's hand; None: nobody (XIV.2). Asked whenever a
        phase begins.
        """
        return None

    # -- What stands where

    def stacks(self, position: Position) -> Mapping[str, Stack]:
        """Provinces in which several units of one power may stand together -> whose, how many, and which may come in
        beside others: none (VII.1).
        """
        return NO_STACKS

    def room(self, position: Position, province: str) -> int:
        """How many more units may be raised in a province: one, if nobody stands there (XIII.2), or as many as may
        stand there together.
        """
        here = position.at(province)
        power, most, *_ = self.stacks(position).get(province, Stack("", 1))
        return most - len(here) if all(unit.power == power for unit in here) else 0

    # -- Orders

    def kinds(self) -> Kinds:
        """The kinds of order that the system knows, one value always: those of `judge.orders.family` (VII, IX, XI, XII,
        XIII).
        """
        return FAMILY

    def asked(self, position: Position, power: str) -> tuple[Unit, ...]:
        """The units for which a power's orders are awaited before the moves: all of them (VII). Others stand if
        nothing is ordered, and make nobody late.
        """
        return position.of(power)

    def deliberates(self, position: Position) -> bool:
        """Whether a phase is played at its deadline whatever is ordered, because players do business in it that nobody
        is late with: none of them.
        """
        return False

    def barred(self, position: Position, unit: Unit, to: Location) -> str:
        """Why a unit may not go now where the board lets it, as a reason's slug; "" if it may (VII.1). That a border is
        closed in a season is a fact of the board, and not asked here.
        """
        return ""

    def held(self, position: Position, unit: Unit) -> str:
        """Why a unit does nothing but hold in this phase, as a reason's slug; "": it may be ordered (VII). Whatever it
        is ordered, it counts as holding, and may be supported.
        """
        return ""

    def support_fault(self, position: Position, unit: Unit, of: Unit, to: Location) -> str:
        """Why a unit may not support another one into a place, or where that stands, as a reason's slug; "" if it may:
        anybody's unit, wherever it may go itself (IX.1).
        """
        return self.barred(position, unit, to)

    def carriage_fault(self, position: Position, carrier: Unit, rider: Unit) -> str:
        """Why a unit may not carry another one, as a reason's slug; "": fleets carry armies of any country (XII.1).
        Which kinds of unit carry which is a fact of the board.
        """
        return ""

    def terms(self, position: Position, order: Move) -> frozenset[Term]:
        """What sets a move apart from others: nothing (IX)."""
        return NO_TERMS

    def escort(self, position: Position, order: Move) -> Escort | None:
        """Whose support a move needs to have any strength; None: nobody's (IX)."""
        return None

    def retreats(self, position: Position, unit: Unit, options: tuple[Location, ...]) -> tuple[Location, ...]:
        """Of the places that are open to a dislodged unit, those to which it may retreat: all (XI). `position`: as it
        was before the moves.
        """
        return options

    def defaults(self, position: Position, power: str) -> tuple[Order, ...]:
        """What a power's units do, or which builds it makes, where nobody orders it: none of them anything; they hold,
        or disband (VII.1, XI). Those for units that have an order, and those for other phases, do not count.
        """
        return ()

    def dues(self, position: Position, order: Order) -> Mapping[str, int]:
        """What an order costs its power: purse -> amount; nothing. `Position.accounts` are what it has: orders are paid
        for in the order in which they are given, and one that cannot be paid for is not carried out.
        """
        return FREE

    def bills(self, battle: Battle) -> Iterable[Bill]:
        """What a battle costs, in the order in which it is paid: nothing. The first act for which there is not enough
        has no strength, and the battle is fought again (`judge.adjudicate.movement`).
        """
        return ()

    def business(self) -> Mapping[str, Business]:
        """What players may do beside ordering units, by the first word of its line: nothing; votes, press and time are
        the game's own.
        """
        return NO_BUSINESS

    def disclosed(self, position: Position, order: Order) -> bool:
        """Whether an order is read out to all once its phase has been played: each is (VII). `position`: as it was
        before the phase. Whatever the answer, everybody sees where the units stand.
        """
        return True

    def judged(
        self, position: Position, orders: Iterable[Order], deeds: Iterable[Deed], disorder: frozenset[str]
    ) -> Any:
        """The whole of a phase as a system judges it itself (`judge.adjudicate.outcome.Adjudication`), out of parts of
        `judge.adjudicate`; None: as the engine does. `deeds`: all that are on file, of which those that come `first`
        are done.
        """
        return None

    def exchange(self) -> Exchange | None:
        """How a position is written in the JSON contract where that needs more than units, centres and marks: None."""
        return None

    def corrections(self) -> Corrections | None:
        """What a Gamemaster may put right that the system remembers, beside units and centres: nothing of its own."""
        return None

    def settled(self, happened: Happened) -> Position | SettledPosition:
        """A position as the next phase begins: as the orders left it. Here a system writes down what it remembers:
        marks of units, powers and places, and accounts; and says what else became of whom.
        """
        return happened.after

    # -- Centres

    def owners(self, position: Position, units: Iterable[Unit]) -> Mapping[str, str]:
        """Who owns each centre once these units stand: whose unit is on it, else who owned it before (XIII.1)."""
        provinces = position.board.provinces
        owners = dict(position.owners)
        for unit in units:
            code = province_of(unit.at)
            if provinces[code].centre:
                owners[code] = unit.power
        return MappingProxyType(owners)

    # -- Adjustments

    def balance(self, position: Position, power: str) -> int:
        """Units that a power may build, or, if negative, has to remove: centres less units (XIII.2)."""
        return len(position.centres(power)) - len(position.of(power))

    def ledgers(self, position: Position, power: str) -> Mapping[str, int]:
        """Ledger -> its `balance`. Ledgers do not offset each other: units too many in one do not use up the builds of
        another. In 1976 one ledger, named "", holds all centres and units (XIII.2).
        """
        return {"": self.balance(position, power)}

    def ledger(self, position: Position, unit: Unit) -> str:
        """The ledger in which a unit is counted; of one that is to be built, as it would then stand."""
        return ""

    def removal_fault(self, position: Position, unit: Unit) -> str:
        """The slug of the reason why a unit need not be removed, if its ledger is balanced; "" for the usual reason,
        that no removal is due (XIII.2).
        """
        return ""

    def building_centres(self, position: Position, power: str) -> tuple[str, ...]:
        """The centres at which a power may ever build: its home centres (XIII.2)."""
        known = position.board.powers.get(power)
        return known.homes if known else ()

    def build_fault(self, position: Position, order: Build) -> str:
        """Why a build is impossible, as a reason's slug; "" if it is possible."""
        board, province = position.board, province_of(order.at)
        if province not in self.building_centres(position, order.power):
            return "not-a-home-centre"
        if position.owners.get(province) != order.power:
            return "home-not-owned"
        if self.room(position, province) < 1:
            return "home-occupied"
        kind = board.kinds[order.kind]
        if board.can_stand(order.kind, board.landing(order.kind, order.at)):
            return ""
        coasts = board.provinces[province].coasts
        return "build-coast-missing" if kind.coasts and coasts and order.at == province else "unit-cannot-stand-there"

    def sites(self, position: Position, power: str, centre: str) -> Iterable[tuple[str, Location]]:
        """What a power may build in a centre: all that can stand there, fleets once for each coast (XIII.2)."""
        board = position.board
        return ((kind, place) for kind in board.kinds for place in board.standings(kind, centre))

    def removal_order(self, position: Position, power: str) -> tuple[Unit, ...]:
        """A power's units, that one first which goes first where nobody says which (XIV.4)."""
        return farthest_first(position, power, self.removals)

    # -- The end

    def needed(self, board: Board) -> int:
        """How many win, of what `won_by` says (II)."""
        return self.victory or board.victory

    def sides(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """The sides: powers that win together, with their counts added up. None in 1976: each power wins for itself
        (II).
        """
        return ()

    def winner(self, position: Position) -> str | None:
        """The power that has won, or None: whoever owns the centres needed (II). Where fewer win than half of all,
        two may own enough: then it is who has more, and if they have as many the game goes on.

        Ownership only changes after Fall retreats, so asking at any time gives the same answer.
        """
        ranking = self.ranking(position)
        best = max(ranking, key=ranking.__getitem__, default=None)
        if best is None or ranking[best] < self.needed(position.board):
            return None
        side = next((each for each in self.sides(position) if best in each), (best,))
        return best if all(power in side for power, count in ranking.items() if count == ranking[best]) else None

    def alive(self, position: Position) -> frozenset[str]:
        """The powers that are still in the game: they have a unit, dislodged or not, or a centre (II)."""
        return powers_with_units(position) | frozenset(position.owners.values())

    def ranking(self, position: Position) -> Mapping[str, int]:
        """Power -> its count of what decides the victory, added up over its side where there are sides: centres (II).
        Powers with a count of 0 may be missing.
        """
        return together(Counter(position.owners.values()), self.sides(position))

    # -- What people read

    def desk(self, position: Position) -> tuple[Block, ...]:
        """Blocks for reports and the answer to `status`, of what the board does not show: none."""
        return ()

    def reckoned(
        self, position: Position, power: str, orders: Iterable[Order], deeds: Iterable[Deed]
    ) -> tuple[str, ...]:
        """Lines for a power's receipt about what its orders cost, if anything: none."""
        return ()

    def extras(self, position: Position) -> Extras:
        """What pictures of a position show beside units and owners: nothing. Everybody sees it."""
        return NO_EXTRAS

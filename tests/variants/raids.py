"""Raids: the game of 1976, but fleets take armies along for silver, and armies plunder the centres of others.

1. Every power begins with two pieces of silver.
2. An army comes aboard a fleet of its own country that is ordered out, or that comes to it, for a piece of silver
   (`A Bre ABOARD F Bre`). Aboard it does nothing, and goes where the fleet goes. It goes ashore, for nothing, when the
   fleet is ordered out (`A Bel ASHORE`).
3. An army in a centre that another power owns may plunder it (`A Bel PLUNDER`): it stands, and brings two pieces of
   silver if it is not driven out.
4. Everything else is as in 1976.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from judge.adjudicate.bout import Bout
from judge.adjudicate.outcome import Result
from judge.adjudicate.riding import ABOARD_KIND, ASHORE_KIND, Aboard
from judge.board.model import Board
from judge.board.phase import MOVES
from judge.board.position import Position, start_position
from judge.board.status import Stack
from judge.board.unit import Unit
from judge.orders.family import FAMILY
from judge.orders.grammar import Tile
from judge.orders.kinds import ORDERS, Kinds, OrderKind
from judge.orders.lexer import Lexed
from judge.orders.model import Order, UnitOrder
from judge.orders.moving import decided, no_subject
from judge.orders.scene import Meaning, Scene
from judge.orders.spelled import unit_text
from judge.rules import Rules
from judge.rules.model import RuleSystem, page_of
from judge.rules.questions import Block, Happened
from judge.rules.reasons import Reason

SILVER, AT_FIRST, BOOTY = "silver", 2, 2
NOBODY_TOGETHER: Mapping[str, Stack] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Plunder(UnitOrder):
    """Stand, and plunder the centre."""

    def __str__(self) -> str:
        return f"{self.unit} PLUNDER"


def is_foreign(position: Position, unit: Unit) -> bool:
    """Whether an army stands in a centre that another power owns."""
    owner = position.owners.get(unit.at)
    return unit.kind in position.board.carried and not unit.aboard and owner not in (None, unit.power)


def plunder(bout: Bout, armies: list[int]) -> None:
    """They stand, as every unit does that nothing is entered for."""
    for army in armies:
        if not is_foreign(bout.position, bout.position.units[army]):
            bout.faults[army] = (Result.ILLEGAL, "nothing-to-plunder")


def told(solver: Any, army: int, attacker: int) -> Any:
    """What became of the order: result, reason, culprits, strengths. That a unit is driven out is told beside it."""
    return Result.OK if attacker < 0 else Result.VOID, "plundered" if attacker < 0 else "driven-off", (), None


def read_plunder(scene: Scene, lexed: Lexed, tile: Tile) -> Meaning:
    """ "A Bel PLUNDER", "army Belgium plunders"."""
    subject = scene.subject(lexed, tile)
    if not subject.units:
        return no_subject(scene, lexed, tile)
    return decided(scene, subject, [Plunder(unit) for unit in subject.units])


def _spelled(order: Plunder, board: Board) -> str:
    return f"{unit_text(order.unit, board)} PLUNDER"


def _tries(position: Position, unit: Unit) -> list[Order]:
    return [Plunder(unit)] if is_foreign(position, unit) else []


PLUNDER_KIND = OrderKind(
    "plunder",
    Plunder,
    frozenset({MOVES}),
    wrong="Centres are plundered with the moves.",
    words=dict.fromkeys(("plunder", "plunders", "plundering", "pillages", "sacks"), "J"),
    forms={"plunder": ("{subject}-?J", "J{at}")},
    readers={"plunder": read_plunder},
    canonical={"PLUNDER": lambda unit, words, scene: Plunder(unit) if len(words) == 3 else None},
    spelled=_spelled,
    told=_spelled,
    tries=_tries,
    lower=plunder,
    tell=told,
)
KINDS = FAMILY.having(ABOARD_KIND, ASHORE_KIND, PLUNDER_KIND)


class Raids(Rules):
    """The answers that differ."""

    def board(self, board: Board) -> Board:
        """Clauses 2 and 3: whoever knows the board alone can tell such lines from chatter."""
        return replace(board, facts={**board.facts, ORDERS: self.key})

    def start(self, board: Board) -> Position:
        """Clause 1."""
        purse = MappingProxyType({SILVER: AT_FIRST})
        return replace(start_position(board), accounts=MappingProxyType(dict.fromkeys(board.powers, purse)))

    def kinds(self) -> Kinds:
        """Clauses 2 and 3."""
        return KINDS

    def stacks(self, position: Position) -> Mapping[str, Stack]:
        """Clause 2: nobody stands together, but there are riders."""
        return NOBODY_TOGETHER

    def carriage_fault(self, position: Position, carrier: Unit, rider: Unit) -> str:
        """Clause 2. A convoy carries anybody, so that this is asked of those who come aboard alone."""
        return "" if carrier.power == rider.power else "not-its-own-fleet"

    def asked(self, position: Position, power: str) -> tuple[Unit, ...]:
        """Clause 2: nobody waits for an order to an army that is carried."""
        return tuple(unit for unit in position.of(power) if not unit.aboard)

    def dues(self, position: Position, order: Order) -> Mapping[str, int]:
        """Clause 2."""
        return {SILVER: 1} if isinstance(order, Aboard) else {}

    def settled(self, happened: Happened) -> Position:
        """Clause 3."""
        done = (outcome for outcome in happened.told() if outcome.reason == "plundered")
        gains = Counter(outcome.order.unit.power for outcome in done)
        purses = {
            power: MappingProxyType({**purse, SILVER: purse.get(SILVER, 0) + BOOTY * gains[power]})
            for power, purse in happened.after.accounts.items()
        }
        return replace(happened.after, accounts=MappingProxyType(purses)) if any(gains.values()) else happened.after

    def desk(self, position: Position) -> tuple[Block, ...]:
        """Clauses 1 to 3, for those who read."""
        rich = (f"{power.title()} {purse.get(SILVER, 0)}" for power, purse in position.accounts.items())
        return (Block("Silver", (", ".join(rich),)),)


REASONS = {
    "nothing-to-plunder": Reason("it stands in no centre of another power", "3"),
    "plundered": Reason("the centre was plundered", "3"),
    "driven-off": Reason("the army was driven out", "3"),
    "not-its-own-fleet": Reason("an army comes aboard a fleet of its own country only", "2"),
}
_PRESETS = {"raids": {"rules": "raids", "nmr": "grace"}}
_CLAUSES = dict.fromkeys(("Aboard", "At sea"), "2")
"""Those that the orders to come aboard and to go ashore cite."""
SYSTEM = RuleSystem(
    Raids(key="raids"), "Raids", presets=_PRESETS, reasons=REASONS, clauses=_CLAUSES, page=page_of(__doc__)
)

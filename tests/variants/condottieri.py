"""Condottieri: a rule system that only tests have. It answers what no system of ours answers otherwise.

1. Italy is in no player's hand; whoever owns Tunis may order its units. Unless he does they hold, but that an army in
   Rome supports one in Venice.
2. Every power has two ducats. A move costs a fleet's power one; an order that is not paid for is not carried out.
3. After Fall's retreats each power gets one ducat, and one power that the lot names gets one more.
4. "banner PLACE" raises a banner in a centre that a power owns. It has one, and all see where.
5. Supports are not read out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from judge.board.model import Board
from judge.board.position import Position
from judge.orders.model import Move, Order, Support
from judge.rules import Rules
from judge.rules.business import Business, Deed
from judge.rules.model import RuleSystem
from judge.rules.questions import Block, Happened
from judge.rules.reasons import Reason

ITALY = "ITALY"


class Condottieri(Rules):
    """The answers that differ."""

    def seats(self, board: Board) -> tuple[tuple[str, ...], ...]:
        """Clause 1."""
        return tuple((power,) for power in board.powers if power != ITALY)

    def authority(self, position: Position, power: str) -> str | None:
        """Clause 1."""
        return position.owners.get("TUN")

    def defaults(self, position: Position, power: str) -> tuple[Order, ...]:
        """Clause 1."""
        armies = {unit.at: unit for unit in position.of(power)} if power == ITALY else {}
        return (Support(armies["ROM"], armies["VEN"]),) if armies.keys() >= {"ROM", "VEN"} else ()

    def start(self, board: Board) -> Position:
        """Clause 2."""
        purses = {power: MappingProxyType({"ducats": 2}) for power in board.powers}
        return replace(super().start(board), accounts=MappingProxyType(purses))

    def dues(self, position: Position, order: Order) -> Mapping[str, int]:
        """Clause 2."""
        return {"ducats": 1} if isinstance(order, Move) and order.unit.kind == "F" else {}

    def settled(self, happened: Happened) -> Position:
        """Clause 3."""
        before, after, lot = happened.before, happened.after, happened.lot
        if str(before.phase)[::5] != "FR":
            return after
        lucky = list(after.board.powers)[lot % len(after.board.powers)]
        purses = {
            power: MappingProxyType({"ducats": purse["ducats"] + 1 + (power == lucky)})
            for power, purse in after.accounts.items()
        }
        return replace(after, accounts=MappingProxyType(purses))

    def business(self) -> Mapping[str, Business]:
        """Clause 4."""
        return {"banner": Business("banner PLACE", "Raise your banner in a centre that you own.", _raise, _no_centre)}

    def desk(self, position: Position) -> tuple[Block, ...]:
        """Clauses 2 and 4."""
        purses = [f"{position.board.powers[p].name}: {purse['ducats']}" for p, purse in position.accounts.items()]
        banners = [f"{position.board.powers[p].name}: {marks['banner']}" for p, marks in position.marks.items()]
        return Block("Ducats", tuple(purses)), *((Block("Banners", tuple(banners)),) if banners else ())

    def disclosed(self, position: Position, order: Order) -> bool:
        """Clause 5."""
        return not isinstance(order, Support)


def _centre(position: Position, deed: Deed) -> str:
    named = " ".join(deed.words).upper()
    return next((c for c in position.centres(deed.power) if named in (c, position.board.place_name(c).upper())), "")


def _no_centre(position: Position, deed: Deed) -> str:
    return "" if _centre(position, deed) else "no-centre-of-yours"


def _raise(position: Position, deed: Deed) -> Position:
    marks = {**position.marks, deed.power: MappingProxyType({"banner": _centre(position, deed)})}
    return replace(position, marks=MappingProxyType(marks))


SYSTEM = RuleSystem(
    Condottieri(key="condottieri"),
    "Condottieri",
    presets={"condottieri": {"rules": "condottieri", "players": "6", "nmr": "hold"}},
    reasons={"no-centre-of-yours": Reason("a banner is raised in a centre that its power owns", "4")},
)

"""Tolls: the game of 1976, but whoever attacks a unit pays a crown, and so does each that supports the attack.

1. Every power begins with three crowns, and has no more.
2. A move against a unit that does not leave costs a crown, and a crown for each support of it. The attackers pay first,
   in the board's order, then those that support them.
3. An attack that is not paid for has no strength, a support that is not paid for does not count. Nothing is paid where
   the unit that was attacked leaves after all.
4. Everything else is as in 1976.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

from judge.board.model import Board
from judge.board.position import Position, start_position
from judge.orders.model import Support
from judge.rules import Rules
from judge.rules.model import RuleSystem, page_of
from judge.rules.questions import Battle, Bill, Block

CROWNS = "crowns"


class Tolls(Rules):
    """The answers that differ."""

    def start(self, board: Board) -> Position:
        """Clause 1."""
        accounts = {power: MappingProxyType({CROWNS: 3}) for power in board.powers}
        return replace(start_position(board), accounts=MappingProxyType(accounts))

    def bills(self, battle: Battle) -> Iterable[Bill]:
        """Clauses 2 and 3."""
        power = {unit.id: unit.power for unit in battle.position.units}
        held = {place: battle.position.at(place) for place in battle.aims.values()}
        attackers = {n for n, to in battle.aims.items() if any(unit.id not in battle.moved for unit in held[to])}
        given = {
            n: order for n, order in battle.orders.items() if isinstance(order, Support) and n not in battle.faults
        }
        helpers = [n for n, order in given.items() if order.to and order.of.id in attackers - battle.unpaid]
        for unit in (*sorted(attackers), *sorted(helpers)):
            yield Bill(power[unit], unit, 1, CROWNS)

    def desk(self, position: Position) -> tuple[Block, ...]:
        """Clause 1, for those who read."""
        rich = (f"{power.title()} {purse[CROWNS]}" for power, purse in position.accounts.items())
        return (Block("Crowns", (", ".join(rich),)),)


_PRESETS = {"tolls": {"rules": "tolls", "nmr": "grace"}}
RULE_SYSTEMS = (RuleSystem(Tolls(key="tolls"), "Tolls", presets=_PRESETS, page=page_of(__doc__)),)

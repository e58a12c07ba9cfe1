"""The questions that a rule system answers, with the answers of 1976.

A rule system is a frozen value of a class below `judge.rules.Rules`. What it answers otherwise, it overrides; nothing
else needs to be said. Every function that needs an answer is handed the rules and asks here, outside the solver's
loop: when a board is compiled, when orders are lowered, when a solution is settled, when duties are told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar

from judge.board.model import Board, province_of
from judge.board.position import Position, Unit, start_position
from judge.orders.model import Build
from judge.rules.calendar import Calendar
from judge.rules.choices import Removals
from judge.rules.removals import farthest_first

NO_STACKS: Mapping[str, tuple[str, int]] = MappingProxyType({})


class Questions:
    """The questions. Clauses in the answers are those of the rules of 1976."""

    __slots__ = ()

    key: str
    calendar: Calendar
    victory: int | None
    removals: Removals

    # -- The table

    def board(self, board: Board) -> Board:
        """The board that is played on, made of the one that a game names: itself, unless a system redraws it."""
        return board

    def start(self, board: Board) -> Position:
        """The position in which a game begins (IV)."""
        return start_position(board)

    def for_players(self, board: Board) -> tuple[str, ...]:
        """The powers that are given to players, in the board's order; others stand without a player (XIV.3)."""
        return tuple(key for key, power in board.powers.items() if not power.minor)

    # -- What stands where

    has_stacks: ClassVar[bool] = False
    """Whether there are spaces in which several units may stand."""

    def stacks(self, board: Board) -> Mapping[str, tuple[str, int]]:
        """Provinces in which several units may stand, all of one power -> that power, and how many: none (VII.1)."""
        return NO_STACKS

    def room(self, position: Position, province: str) -> int:
        """How many more units may be raised in a province: one, if nobody stands there (XIII.2), or as many as may
        stand there together.
        """
        here = position.at(province)
        power, most = self.stacks(position.board).get(province, ("", 1))
        return most - len(here) if all(unit.power == power for unit in here) else 0

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
        """Units that a power may build, or, below nought, has to remove: centres less units (XIII.2)."""
        return len(position.centres(power)) - len(position.of(power))

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

    def removal_order(self, position: Position, power: str) -> tuple[Unit, ...]:
        """A power's units, that one first which goes first where nobody says which (XIV.4)."""
        return farthest_first(position, power, self.removals)

    # -- The end

    def needed(self, board: Board) -> int:
        """Centres that win (II)."""
        return self.victory or board.victory

    def winner(self, position: Position) -> str | None:
        """The power that has won, or None: whoever owns the centres needed (II).

        Ownership only changes after Fall retreats, so asking at any time gives the same answer.
        """
        for power, count in Counter(position.owners.values()).most_common(1):
            if count >= self.needed(position.board):
                return power
        return None

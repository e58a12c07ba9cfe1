"""One line of a mail as it was read: whose, for which phase, and what goes on file for it."""

from __future__ import annotations

from typing import NamedTuple

from judge.board.phase import Phase
from judge.board.position import Position
from judge.game.core.model import Game
from judge.game.instructions.kinds import Conditional, Instruction, Ranked
from judge.orders.model import Misorder, Order
from judge.orders.reading import Reading, ReadOptions


class Read(NamedTuple):
    """One reading: whose, for which phase, in which position. `line` is the number of its line in the mail.

    `filed`: what goes on file where that is more than the order itself (a condition, a list). `order` is then one of
    its orders and says what it is for.
    """

    line: int
    power: str
    phase: Phase
    position: Position
    reading: Reading
    filed: Ranked | Conditional | None = None

    @property
    def order(self) -> Order | None:
        order = self.reading.order
        return order if self.reading.problem is None or isinstance(order, Misorder) else None

    @property
    def unit(self) -> int | None:
        """Identity of the unit that it is for, or that a refused one speaks of as far as that is known."""
        return None if self.reading.unit is None else self.reading.unit.id

    @property
    def instruction(self) -> Instruction:
        """What goes on file. Raises ValueError for a line that is no order."""
        instruction = self.filed or self.reading.order
        if instruction is None:
            raise ValueError(f"{self.reading.text!r} is no order")
        return instruction


def options_of(game: Game, power: str) -> ReadOptions:
    """How strictly this game wants its orders, read for one power of a player."""
    settings, seat = game.settings, game.seat_of(power)
    played = {one for held in game.seats.values() for one in held.powers}
    return ReadOptions(
        spelled_names=settings.spelled_names,
        demand_nationality=settings.nationality,
        permissive=not settings.no_mistakes,
        no_mistakes=settings.no_mistakes,
        refuse_blanket=not settings.blanket,
        kinds=game.rules.kinds(),
        others=frozenset(seat.powers) - {power} if seat is not None else frozenset(),
        unplayed=frozenset(key for key, one in game.board.powers.items() if not one.minor and key not in played),
    )


def is_faulty(read: Read) -> bool:
    """Whether a reading is no order in its phase."""
    return read.reading.problem is not None

"""One line of a mail as it was read: whose, for which phase, what goes on file for it, and what it leaves of the set on
file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from judge.board.phase import Phase
from judge.board.position import Position
from judge.game.core.decision import Context
from judge.game.core.events import OrdersFiled
from judge.game.core.model import Game
from judge.game.core.parts import Sheet, faults_to_json
from judge.game.instructions.kinds import Conditional, FiledOrder, Instruction, Key, Ranked, filed_to_json
from judge.languages import tell
from judge.orders import problems
from judge.orders.model import Misorder, Order
from judge.orders.reading import EXPANDED, KEPT, Reading, ReadOptions


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


# --- what a mail changes of the set on file: the same unit, the same centre's build, nothing else -------------------


def filed_line(read: Read) -> FiledOrder:
    """What goes on file for a line that is taken."""
    return FiledOrder(str(read.phase), read.instruction, read.reading.text, read.reading.slot)


def merged(old: Sequence[FiledOrder], fresh: Sequence[FiledOrder]) -> tuple[FiledOrder, ...]:
    """The set with the lines of a mail in it; waives of the mail take the place of those of their phase."""
    lines: dict[Key, FiledOrder] = {}
    waives: list[FiledOrder] = []
    renewed = {line.phase for line in fresh if line.waives}
    sites = {(line.phase, site) for line in fresh if (site := line.site)}
    stay = [line for line in old if (line.phase, line.site) not in sites] if sites else old
    for line in (*(line for line in stay if line.phase not in renewed or not line.waives), *fresh):
        if line.waives:
            waives.append(line)
            continue
        key = line.key
        before = lines.get(key)
        if before is not None and line.wrong and not before.wrong:
            continue  # the last legal order counts
        lines.pop(key, None)
        lines[key] = line
    if not waives:
        return tuple(lines.values())
    phases = dict.fromkeys(line.phase for line in waives)
    return (*lines.values(), *(line for phase in phases for line in waives if line.phase == phase))


def filed(sheet: Sheet, context: Context) -> OrdersFiled:
    """A set of orders, as the event that puts it in force."""
    return OrdersFiled(
        at=context.now,
        by=context.seat,
        power=sheet.power,
        phase=sheet.phase,
        number=sheet.number,
        lines=[filed_to_json(line) for line in sheet.lines],
        faults=faults_to_json(sheet.faults),
        mail=context.actor.mail,
    )


_REST = re.compile(r"\b(others?|remaining|rest|remainder|else)\b", re.IGNORECASE)


# --- "all others hold" and "the rest stays as it is" ----------------------------------------------------------------
# "The rest holds" in a mail that says nothing else is for the units without an order on file; beside other orders it
# means all units that this mail does not name, as the order reader takes it. What "stays as it is" keeps its order on
# file, and holds where there is none.


def left_alone(game: Game, reads: Sequence[Read], *, replace_all: bool) -> list[FiledOrder | None]:
    """For each reading the order on file that it leaves as it is; None where it orders something. `replace_all`: the
    mail is to stand in place of all that is on file, which then stays only where it is said so.
    """
    everything = not replace_all and left_to_rest(reads)
    return [_on_file(game, read) if everything or keeps(read) else None for read in reads]


def left_to_rest(reads: Sequence[Read]) -> bool:
    """Whether a mail orders nothing but the units without an order."""
    return all(_is_rest(read) for read in reads)


def keeps(read: Read) -> bool:
    """Whether a line leaves what it speaks of as it is on file."""
    return KEPT in read.reading.notes


def unseen_words(read: Read) -> str:
    """What is said of a line about all others to an author who may not see what is on file."""
    return (
        tell("for every unit without an order")
        if EXPANDED in read.reading.notes
        else tell("its order stays, or it holds")
    )


def without_blanket(game: Game, read: Read) -> Read:
    """The reading; refused where it would order a unit among many, and the game wants each ordered by itself."""
    if game.settings.blanket or EXPANDED not in read.reading.notes or not keeps(read):
        return read
    return read._replace(reading=read.reading._replace(order=None, problem=problems.no_blanket()))


def _is_rest(read: Read) -> bool:
    return EXPANDED in read.reading.notes and _REST.search(read.reading.text) is not None


def _on_file(game: Game, read: Read) -> FiledOrder | None:
    sheet = game.sheets.get(read.power)
    if sheet is None or read.unit is None:
        return None
    return next((line for line in sheet.lines if line.unit == read.unit and line.phase == str(read.phase)), None)

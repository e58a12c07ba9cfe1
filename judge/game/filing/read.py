"""One line of a mail as it was read: whose, for which phase, what goes on file for it, and what it leaves of the set on
file.

Lines that were asked back: what each was for, why it was no order, and when it is put right.

A fault ends with the next good order for its unit; in the adjustments, where an order is for a place in the count of
builds or removals, with the next good one for the same centre, or with any further one of a later mail. A line that
names no unit of the player's own ends with an order that was proposed in its place. It and those of the adjustments
end, besides, with a later mail after which every unit has a good order; one that was sent ahead and fits none of the
units that stand there, with any good order of a later mail. All faults end with `replace all` and `clear`, and each
with `drop that line` (`judge.game.filing.submitting`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from judge.board.phase import Phase
from judge.board.position import Position
from judge.game.core.commands import Context, Verdict
from judge.game.core.events import OrdersFiled
from judge.game.core.model import Game
from judge.game.core.parts import BELOW_UNREADABLE, NOT_OUR_WORDS, TAKES_BACK, Fault, Sheet, faults_to_json
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


_OF_OTHERS = frozenset({"not-your-unit", "power-not-played"})
UNKNOWN = ""
"""The reason of a fault that an older log keeps as mere text: what it was for cannot be told any more."""


def fault_of(read: Read, verdict: Verdict, mail: str, now: datetime) -> Fault:
    """A refused line as the fault that stays on file: for which unit or site it was, and what its author was told."""
    unit = read.reading.unit
    elsewhere = verdict.reason in _OF_OTHERS or (unit is None and verdict.reason == "not-your-power")
    foreign = elsewhere or (unit is not None and unit.power != read.power)
    return Fault(
        phase=str(read.phase),
        text=verdict.text,
        reason=verdict.reason,
        sentence=verdict.sentence,
        line=verdict.line,
        unit=None if foreign else read.unit,
        site=read.reading.site,
        foreign=foreign,
        proposals=verdict.candidates,
        clause=verdict.clause,
        at=now,
        mail=mail,
    )


def as_ahead(fault: Fault) -> Fault:
    """A fault of a line that was written before the position was known."""
    return fault if fault.names_something else replace(fault, ahead=True)


def left_open(
    old: Sequence[Fault], written: Iterable[FiledOrder | Fault], mail: str, *, complete: bool
) -> tuple[Fault, ...]:
    """The faults that are open after a mail. `old`: those before it; `written`: its lines as they came, as they went on
    file or were asked back; `complete`: whether every unit has a good order now.
    """
    earlier, fresh = {_line_of(fault): fault for fault in old}, dict[tuple[str, str], Fault]()
    filed = False
    for one in written:
        if isinstance(one, Fault):
            for asked_back in (earlier, fresh):
                asked_back.pop(_line_of(one), None)
            fresh[_line_of(one)] = one
            continue
        filed = True
        count = len(earlier) + len(fresh)
        earlier = {line: fault for line, fault in earlier.items() if not is_for(fault, one)}
        fresh = {line: fault for line, fault in fresh.items() if not is_for(fault, one)}
        if one.adjusts and len(earlier) + len(fresh) == count:
            placeless = _placeless(earlier.values(), one.phase, mail)
            earlier = {line: fault for line, fault in earlier.items() if fault is not placeless}
    kept = list(earlier.values())
    if filed:
        kept = [fault for fault in kept if not fault.ahead or _of_mail(fault, mail)]
    if filed and complete:
        kept = [fault for fault in kept if fault.unit is not None or _of_mail(fault, mail)]
    return (*kept, *fresh.values())


def _line_of(fault: Fault) -> tuple[str, str]:
    """By what a line is known that is asked back: in one phase the same line is asked back once."""
    return fault.phase, plain_words(fault.text)


def plain_words(text: str) -> str:
    """A line whatever its blanks and the size of its letters: what says the same is the same."""
    return " ".join(text.casefold().split())


def _placeless(faults: Iterable[Fault], phase: str, mail: str) -> Fault | None:
    """The oldest faulty build or removal of an earlier mail: any further one takes its place in the count."""
    return next((fault for fault in faults if fault.phase == phase and not _of_mail(fault, mail)), None)


def _of_mail(fault: Fault, mail: str) -> bool:
    return bool(mail) and fault.mail == mail


def is_for(fault: Fault, line: FiledOrder) -> bool:
    """Whether an order on file is for the very thing that a faulty line was for; of a line that names neither a unit
    nor a site, whether it is one of the orders that were proposed in its place.
    """
    if fault.phase != line.phase:
        return False
    if fault.unit is not None:
        return fault.unit == line.unit
    if fault.site:
        return fault.site == line.site
    proposed = {plain_words(one) for one in fault.proposals}
    return plain_words(line.order) in proposed or plain_words(line.text) in proposed


def is_grave(fault: Fault, lines: Collection[FiledOrder], open_phases: Collection[str]) -> bool:
    """Whether its player is late for it: there is no good order in its place. `open_phases`: of this turn, those in
    which something has no order yet; where everything has, a line about somebody else's unit asks for nothing.
    """
    if any(is_for(fault, line) for line in lines):
        return False
    if fault.reason == BELOW_UNREADABLE or (fault.reason in (NOT_OUR_WORDS, TAKES_BACK) and not fault.names_something):
        return False
    if fault.adjusts or fault.foreign or fault.reason == UNKNOWN:
        return fault.phase in open_phases
    return True

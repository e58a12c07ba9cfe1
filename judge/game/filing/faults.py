"""Lines that were asked back: what each was for, why it was no order, and when it is put right.

A fault ends with the next good order for its unit; in the adjustments, where an order is for a place in the count of
builds or removals, with the next good one for the same centre, or with any further one of a later mail. A line that
names no unit of the player's own ends with an order that was proposed in its place. It and those of the adjustments
end, besides, with a later mail after which every unit has a good order; one that was sent ahead and fits none of the
units that stand there, with any good order of a later mail. All faults end with `replace all` and `clear`, and each
with `drop that line` (`judge.game.filing.withdrawing`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from judge.game.core.decision import Verdict
from judge.game.core.parts import BELOW_UNREADABLE, NOT_OUR_WORDS, TAKES_BACK, Fault
from judge.game.filing.read import Read
from judge.game.instructions.kinds import FiledOrder

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

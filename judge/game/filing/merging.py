"""What a mail changes of the set on file: the same unit's order, the same centre's build, and nothing else (4.5)."""

from __future__ import annotations

from collections.abc import Sequence

from judge.game.core.decision import Context
from judge.game.core.events import OrdersFiled
from judge.game.core.parts import Sheet, faults_to_json
from judge.game.filing.read import Read
from judge.game.instructions.kinds import FiledOrder, Key, filed_to_json


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

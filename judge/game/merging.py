"""What a mail changes of the set on file: the same unit's order, the same centre's build, and nothing else (4.5)."""

from __future__ import annotations

from collections.abc import Sequence

from judge.game.conditions import is_conditional, on_file
from judge.game.model import FiledLine
from judge.game.readings import Read
from judge.orders.model import Misorder

WAIVE = "WAIVE"

Key = tuple[str, str]


def key_of(line: FiledLine) -> Key:
    """What a later order replaces: the same unit's, or the same site's."""
    if line.unit is not None:
        return line.phase, f"unit {line.unit}"
    if line.order == WAIVE:
        return line.phase, "waive"
    return line.phase, f"build {site_of(line)}"


def site_of(line: FiledLine) -> str:
    """The province of a build; of a condition, the first that it builds in; "" for any other order."""
    if line.unit is not None or line.order == WAIVE:
        return ""
    order = line.order
    if is_conditional(order):
        order = next((branch.order for branch in on_file(order) if branch.order != WAIVE), "WAIVE no site")
    return order.split()[1].partition("/")[0]


def filed_line(read: Read) -> FiledLine:
    """What goes on file for a line that is taken."""
    order = read.reading.order
    wrong = order.reason if isinstance(order, Misorder) else ""
    return FiledLine(str(read.phase), read.unit, read.canonical, read.reading.text, wrong)


def merged(old: Sequence[FiledLine], fresh: Sequence[FiledLine]) -> tuple[FiledLine, ...]:
    """The set with the lines of a mail in it; waives of the mail take the place of those of their phase."""
    lines: dict[Key, FiledLine] = {}
    renewed = {line.phase for line in fresh if line.order == WAIVE}
    waives = [line for line in old if line.order == WAIVE and line.phase not in renewed]
    for line in (*(line for line in old if line.order != WAIVE), *fresh):
        if line.order == WAIVE:
            waives.append(line)
            continue
        if line.wrong and (before := lines.get(key_of(line))) is not None and not before.wrong:
            continue  # the last legal order counts (ruling 7)
        lines.pop(key_of(line), None)
        lines[key_of(line)] = line
    phases = dict.fromkeys(line.phase for line in waives)
    return (*lines.values(), *(line for phase in phases for line in waives if line.phase == phase))

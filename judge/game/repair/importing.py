"""Positions of games that were run elsewhere, read from what their Gamemasters have: lists, or a whole results letter.

    England: F Lon, F Nth, A Lvp          a list of units, in any order, with commas or without
    England owns Lon, Edi, Lvp            a list of centres; also under "Ownership of supply centers:"
    FINAL UNIT POSITIONS ...              a report as this judge prints it, or as others do

Every line is accounted for: it belongs to the position, or it is named among what was left out. Counts of centres in
a report are not ownership, but they are compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.adjudicate.duty import asked_of
from judge.board.model import Board, province_of
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.board.unit import Dislodged
from judge.game.core.decision import Refusal
from judge.game.repair.edits import apply_edits, assumed_owners
from judge.game.repair.reports import ImportReading, left_out, take_line
from judge.languages import tell
from judge.rules import Rules
from judge.rules.calendar import Calendar


@dataclass(frozen=True, slots=True)
class Imported:
    """What a text comes to. `left`: what was not used, a line or a whole section each; `doubts`: what to look at."""

    position: Position
    left: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def read_import(text: str, phase: str, board: Board, rules: Rules) -> Imported | Refusal:
    """The position of a text; the phase that is given goes before the one that the text says. A Refusal names the
    first line that belongs to it and cannot be read.
    """
    if phase and _phase(phase, rules.calendar) is None:
        return Refusal("no-phase", tell('"{phase}" is not a phase; write one like S1903M.', phase=phase))
    reading = ImportReading(board, rules.calendar)
    for line in text.splitlines():
        wrong = take_line(reading, line.expandtabs(4).rstrip())
        if wrong is not None:
            return wrong
    if not any(edit.now for edit in reading.edits):
        return Refusal("no-units", tell("There are no units in that; write them like this: France: A Par, F Bre"))
    return _finished(reading, phase, rules)


def _finished(reading: ImportReading, phase: str, rules: Rules) -> Imported | Refusal:
    board, edits = reading.board, reading.edits
    said = any(edit.centre for edit in edits)
    if not said:
        edits += assumed_owners(edits, reading.beaten, board, rules)
    elif reading.forecast:
        reading.tally.clear()  # who owns what now is said; what comes of it is another matter
    start = rules.start(board)
    nobodys: Mapping[str, str] = MappingProxyType({})
    begun = Position(board, board.first_phase, (), nobodys, accounts=start.accounts, next_id=1, marks=start.marks)
    position = apply_edits(begun, edits, rules)
    if isinstance(position, Refusal):
        return position
    number = position.next_id
    beaten = tuple(replace_unit(lost, number + place) for place, lost in enumerate(reading.beaten))
    position = replace(position, dislodged=beaten, next_id=number + len(beaten))
    at = (
        _phase(phase, rules.calendar)
        or _phase(reading.coming, rules.calendar)
        or _after(reading.played, position, rules)
    )
    if at is None:
        return Refusal("no-phase", tell("That does not say which phase comes next."), mend="import position S1903M")
    position = replace(position, phase=at, dislodged=beaten if at.kind is PhaseKind.RETREATS else ())
    doubts = [*_doubts(reading, position, beaten), *([] if said else _without_anything(position, beaten))]
    return Imported(position, tuple(left_out(reading)), tuple(doubts))


def replace_unit(lost: Dislodged, number: int) -> Dislodged:
    """A dislodged unit with an identity of its own."""
    return lost._replace(unit=lost.unit._replace(id=number))


def _phase(text: str, calendar: Calendar) -> Phase | None:
    try:
        return calendar.read(text) if text else None
    except ValueError:
        return None


def _after(played: str, position: Position, rules: Rules) -> Phase | None:
    """The phase that follows one whose results these are, as far as the position tells."""
    now = _phase(played, rules.calendar)
    if now is None:
        return None
    coming = rules.calendar.next_phase(now)
    while coming.kind is not PhaseKind.MOVES and not _asks(replace(position, phase=coming), rules):
        coming = rules.calendar.next_phase(coming)
    return coming


def _asks(position: Position, rules: Rules) -> bool:
    """Whether anything is left to be done in a phase that follows moves."""
    if position.phase.kind is PhaseKind.RETREATS:
        return any(lost.options for lost in position.dislodged)
    return bool(asked_of(replace(position, dislodged=()), rules))


# --- lines ----------------------------------------------------------------------------------------------------------


def _doubts(reading: ImportReading, position: Position, beaten: tuple[Dislodged, ...]) -> Iterable[str]:
    board = reading.board
    for power, count in reading.tally.items():
        owned = position.centres(power)
        if len(owned) != count:
            name = board.powers[power].name
            yield (
                tell(
                    "{name} has {count} centres by the report, and {owned} by what I could read "
                    "({owned2}); if that is wrong, add a line: {name} owns ...",
                    name=name,
                    count=count,
                    owned=len(owned),
                    owned2=", ".join(owned) or "none",
                )
            )
    if beaten and position.phase.kind is not PhaseKind.RETREATS:
        lost = ", ".join(f"{board.powers[lost.unit.power].name} {lost.unit}" for lost in beaten)
        title = reading.calendar.title(position.phase)
        yield tell("Dislodged units are left off the board, since {title} comes next: {lost}.", title=title, lost=lost)
    strays = [unit for unit in position.units if not board.can_stand(unit.kind, unit.at)]
    if strays:
        yield tell("Look at {map} again.", map=", ".join(map(str, strays)))


def _without_anything(position: Position, beaten: tuple[Dislodged, ...]) -> Iterable[str]:
    """Who got nothing because no unit of theirs is named, where the text tells no owners."""
    alive = {unit.power for unit in (*position.units, *(lost.unit for lost in beaten))}
    powers = position.board.powers.items()
    names = [power.name for key, power in powers if key not in alive and not power.minor]
    if names:
        yield (
            tell(
                "No unit is named for {names}, and nothing says who owns which centres, so I left "
                "these without any; if that is wrong, add a line: {names2} owns ...",
                names=", ".join(names),
                names2=names[0],
            )
        )


def owners_by_power(position: Position) -> dict[str, tuple[str, ...]]:
    """Power -> names of the centres that it owns, for those that own any."""
    board = position.board
    found: dict[str, list[str]] = {}
    for centre, power in position.owners.items():
        found.setdefault(power, []).append(board.provinces[province_of(centre)].name)
    return {power: tuple(sorted(found[power])) for power in board.powers if power in found}

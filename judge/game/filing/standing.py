"""How a power stands with its orders: complete, partial, to be corrected, or nothing on file.

Lateness is missing valid orders, never a missing click (L01): a set that leaves a unit unordered is shown as
partial and the unit holds (A37), but its player is not late. In a no-mistakes game a line that was asked back and
not put right holds early processing up; its player is late at the deadline where no good order is on file in its
place, or where it names no unit at all (B44, R15, ruling 30).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from judge.adjudicate.duty import Duty
from judge.board.phase import Phase
from judge.board.unit import Unit
from judge.game.core.faults import Fault
from judge.game.core.model import Begun, Game, Running
from judge.game.core.parts import Seat, Sheet
from judge.game.core.remembered import remembered
from judge.game.filing.faults import is_grave
from judge.game.filing.turns import asked, forecast, goes_on


class State(StrEnum):
    """How complete a power's orders are: the first words of its receipt."""

    NOTHING_NEEDED = "nothing needed"
    MISSING = "missing"
    PARTIAL = "partial"
    NEEDS_CORRECTION = "needs correction"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Standing:
    """What one power has and has not on file for the current turn."""

    power: str
    state: State
    unordered: tuple[Unit, ...] = ()
    """Units (or dislodged units) without an order."""
    builds_open: int = 0
    """Builds neither ordered nor waived."""
    removals_open: int = 0
    faults: tuple[Fault, ...] = ()
    """Lines that were asked back and are not put right, the oldest first; none where the game takes mistakes."""

    @property
    def late(self) -> bool:
        """Whether its player would be late if the deadline were now."""
        return self.state in (State.MISSING, State.NEEDS_CORRECTION)

    @property
    def settled(self) -> bool:
        """Whether nothing keeps it from being processed early: complete, and no question is open (B44)."""
        return self.state is State.COMPLETE and not self.faults

    @property
    def full(self) -> bool:
        """Whether every unit and build has a good order, whatever was asked back besides."""
        return self.state in (State.COMPLETE, State.NEEDS_CORRECTION) and not (
            self.unordered or self.builds_open or self.removals_open
        )


@remembered
def standing(game: Game, power: str) -> Standing:
    """How a power stands, as far as its player can know: others' orders are secret, so nothing that only they bring
    about is asked of them before the page is turned.
    """
    seat = game.seat_of(power)
    if not isinstance(game, Running) or seat is None:
        return Standing(power, State.NOTHING_NEEDED)
    found = _through_the_turn(game, power) if goes_on(game) else standing_in_phase(game, power)
    if game.deliberates:
        sheet = game.sheets.get(power)
        lines = sheet is not None and bool(sheet.lines) and not sheet.faults
        return replace(found, state=State.COMPLETE, builds_open=0, removals_open=0) if lines else found
    if found.state is State.MISSING and power not in _awaited(game, seat):
        return replace(found, state=State.PARTIAL)
    return found


def _awaited(game: Game, seat: Seat) -> tuple[str, ...]:
    """The powers of a seat for whose orders the game waits: not those in civil disorder, nor those over which its
    player only has authority where the rules know standing orders.
    """
    if seat.disorder or game.deliberates:
        return ()
    if not game.rules.around >= _AUTHORITY_WITH_DEFAULTS:
        return seat.powers
    return tuple(power for power in seat.powers if power in game.rules.for_players(game.board))


_AUTHORITY_WITH_DEFAULTS = {"authority", "defaults"}


def _through_the_turn(game: Begun, power: str) -> Standing:
    sheet = game.sheets.get(power)
    parts = [_part(sheet, str(game.position.phase), asked(game.position, game.rules).get(power))]
    later = forecast(game, power)
    if later is not None:
        parts.append(_part(sheet, str(later.phase), asked(later, game.rules).get(power)))
    return _joined(power, [part for part in parts if part is not None], sheet, strict=game.terms.no_mistakes)


def standing_in_phase(game: Game, power: str) -> Standing:
    """How a power stands with what the present phase asks, whatever later phases of the turn ask as well."""
    duty = asked(game.position, game.rules).get(power) if game.position is not None else None
    if duty is None or game.position is None:
        return Standing(power, State.NOTHING_NEEDED)
    return _of_sheet(game.sheets.get(power), duty, game.position.phase, power=power, strict=game.terms.no_mistakes)


@remembered
def _of_sheet(sheet: Sheet | None, duty: Duty, phase: Phase, *, power: str, strict: bool) -> Standing:
    # Of the sheets of a game, a mail changes one.
    part = _part(sheet, str(phase), duty)
    return _joined(power, [part] if part is not None else [], sheet, strict=strict)


class _PhasePart(NamedTuple):
    phase: str
    filed: bool
    unordered: tuple[Unit, ...]
    builds: int
    removals: int

    @property
    def open(self) -> bool:
        """Whether something has no order yet."""
        return bool(self.unordered or self.builds or self.removals)


def _part(sheet: Sheet | None, phase: str, duty: Duty | None) -> _PhasePart | None:
    if duty is None:
        return None
    lines = [line for line in sheet.lines if line.phase == phase] if sheet else []
    ordered = {line.unit for line in lines}
    units = (*duty.units, *(lost.unit for lost in duty.retreats))
    unordered = tuple(unit for unit in units if unit.id not in ordered)
    if duty.builds and duty.removals:
        builders = sum(line.unit is None for line in lines)
        builds, removals = duty.builds - builders, duty.removals - (len(lines) - builders)
    else:
        builds, removals = duty.builds - len(lines), duty.removals - len(lines)
    return _PhasePart(phase, bool(lines), unordered, max(0, builds), max(0, removals))


def _joined(power: str, parts: list[_PhasePart], sheet: Sheet | None, *, strict: bool) -> Standing:
    if not parts:
        return Standing(power, State.NOTHING_NEEDED)
    faults = sheet.faults if sheet and strict else ()
    lines = sheet.lines if sheet else ()
    unordered = tuple(unit for part in parts for unit in part.unordered)
    builds, removals = sum(part.builds for part in parts), sum(part.removals for part in parts)
    open_phases = [part.phase for part in parts if part.open]
    if any(is_grave(fault, lines, open_phases) for fault in faults):
        state = State.NEEDS_CORRECTION
    elif not open_phases:
        state = State.COMPLETE
    else:
        state = State.PARTIAL if all(part.filed for part in parts) else State.MISSING
    return Standing(power, state, unordered, builds, removals, faults)


@remembered
def standings(game: Game) -> tuple[Standing, ...]:
    """The standing of every power that this turn asks something of."""
    if not isinstance(game, Running):
        return ()
    awaited = {power for seat in game.seats.values() for power in _awaited(game, seat)}
    powers = [power for power in game.board.powers if power in awaited]
    if goes_on(game):
        every = [_through_the_turn(game, power) for power in powers]
        return tuple(one for one in every if one.state is not State.NOTHING_NEEDED)
    duties, phase, strict = asked(game.position, game.rules), game.position.phase, game.terms.no_mistakes
    return tuple(
        _of_sheet(game.sheets.get(power), duties[power], phase, power=power, strict=strict)
        for power in powers
        if power in duties
    )


def waited_for(game: Game) -> tuple[tuple[Standing, ...], int]:
    """The standings that the turn waits for, and how many seats they belong to. Once the deadline has passed, a set
    that is not whole is waited for no more.
    """
    passed = game.deadline is not None and game.deadline.called
    sets = tuple(one for one in standings(game) if (one.late if passed else not one.settled))
    return sets, len({held.id for one in sets if (held := game.seat_of(one.power)) is not None})


def seats_behind(game: Game) -> tuple[Seat, ...]:
    """Seats that would be late if the deadline were now."""
    late = {one.power for one in standings(game) if one.late}
    return tuple(seat for seat in game.seats.values() if late.intersection(seat.powers))


def powers_surprised(game: Game, before: Game) -> tuple[str, ...]:
    """Powers that owe orders in the phase which a turn has reached, and did not when the turn was `before`: others'
    orders have brought it about.
    """
    owed = {power for seat in seats_behind(before) for power in seat.powers}
    filled = [power for seat in game.seats.values() if seat.filled for power in seat.powers if power not in owed]
    return tuple(power for power in filled if standing_in_phase(game, power).late)

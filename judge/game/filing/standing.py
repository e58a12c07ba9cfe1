"""How a power stands with its orders, and what is asked of it until its deadline.

Orders on file as they are carried out: conditions are evaluated, and of a list the first open retreat is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from judge.adjudicate import adjudicate
from judge.adjudicate.around import done_first
from judge.adjudicate.duty import Duty, asked_of
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.game.core.immutable import remembered, remembered_briefly
from judge.game.core.model import Begun, Game, Running
from judge.game.core.parts import Fault, Seat, Sheet
from judge.game.filing.read import is_grave
from judge.game.instructions import facts
from judge.game.instructions.facts import Withdrawal
from judge.game.instructions.kinds import Conditional, FiledOrder, Instruction, Ranked
from judge.orders.family import rebound, units_of
from judge.orders.kinds import Units
from judge.orders.model import Disband, Order, Retreat
from judge.rules import Rules
from judge.rules.business import Deed


def settled(
    instruction: Instruction, position: Position, units: Units, withdrawals: tuple[Withdrawal, ...]
) -> Order | None:
    """The order that an instruction comes to, bound to the `units` of a position. None: no condition of it holds, or a
    unit that it names is not there any more.
    """
    if isinstance(instruction, Conditional):
        for branch in instruction.branches:
            if branch.condition is None or branch.condition.holds(
                lambda fact: facts.holds(fact, position, withdrawals)
            ):
                return settled(branch.order, position, units, withdrawals)
        return None
    order = first_open(instruction, position) if isinstance(instruction, Ranked) else instruction
    return rebound(order, units)


def first_open(ranked: Ranked, position: Position) -> Order:
    """The order that a list comes to: its first retreat that is open, else to disband."""
    unit = ranked.orders[0].unit
    options = {option for lost in position.dislodged if lost.unit.id == unit.id for option in lost.options}
    for order in ranked.orders:
        if isinstance(order, Disband) or (isinstance(order, Retreat) and order.to in options):
            return order
    return Disband(unit)


Settled = tuple[tuple[FiledOrder, Order], ...]
"""Orders on file with what they come to."""


def carried_out(game: Begun) -> Mapping[str, Settled]:
    """Power -> its orders on file for the present phase with what they come to, bound to the units of the position.

    A line that can no longer be bound (its unit was lost in the retreats) is left out.
    """
    return _carried_out(game, game.sheets)


def carried_out_of(game: Begun, power: str) -> Settled:
    """The same for one power."""
    return _carried_out(game, {power: game.sheets[power]})[power] if power in game.sheets else ()


def _carried_out(game: Begun, sheets: Mapping[str, Sheet]) -> Mapping[str, Settled]:
    position, withdrawals = game.position, game.withdrawals
    units, present = units_of(position), str(position.phase)
    found = {}
    for power, sheet in sheets.items():
        lines = [line for line in sheet.lines if line.phase == present]
        orders = [settled(line.instruction, position, units, withdrawals) for line in lines]
        found[power] = tuple([(line, order) for line, order in zip(lines, orders, strict=True) if order is not None])
    return found


@remembered_briefly
def rest_of_turn(game: Begun) -> tuple[Phase, ...]:
    """The current phase and those after it under the same deadline."""
    turn = game.calendar.turn_of(game.position.phase)
    return turn[turn.index(game.position.phase) :]


def goes_on(game: Game) -> bool:
    """Whether another phase comes under the same deadline, which the orders on file lead to."""
    return isinstance(game, Begun) and len(rest_of_turn(game)) > 1


@remembered
def asked(position: Position, rules: Rules) -> Mapping[str, Duty]:
    """Power -> what the position's phase asks of it; powers with nothing to do are absent."""
    return asked_of(position, rules)


def forecast(game: Begun, power: str, *, spared: bool = False) -> Position | None:
    """The position of the next phase of this turn, judged by a power's orders on file; None if the turn ends here.

    Others' orders are secret: their units hold, or disband. Its own units without a retreat on file disband too,
    or with `spared` withdraw somewhere: they may still order it.
    """
    if not goes_on(game):
        return None
    orders = [order for _, order in carried_out_of(game, power)]
    if spared and game.position.phase.kind is PhaseKind.RETREATS:
        ordered = {order.unit.id for order in orders if isinstance(order, (Retreat, Disband))}
        waiting = (lost for lost in game.position.dislodged if lost.unit.power == power and lost.options)
        orders += [Retreat(lost.unit, lost.options[0]) for lost in waiting if lost.unit.id not in ordered]
    return adjudicate(game.position, orders, game.rules, deeds=game.deeds.get(power, ())).after


def with_deeds_done(game: Begun, power: str) -> Position:
    """The present position as a power's orders meet it: with what it does before they are judged (`Business.first`),
    and what others do of which it is told.
    """
    others = (deed for whose, some in game.deeds.items() if whose != power for deed in some)
    deeds = (*game.deeds.get(power, ()), *(deed for deed in others if power in told_of(game, deed)))
    return done_first(game.position, deeds, game.rules) if deeds else game.position


def told_of(game: Game, deed: Deed) -> tuple[str, ...]:
    """The powers that are told of a deed at once."""
    if not isinstance(game, Begun) or (business := game.rules.business().get(deed.word)) is None:
        return ()
    return tuple(business.told(game.position, deed))


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
        """Whether nothing keeps it from being processed early: complete, and no question is open."""
        return self.state is State.COMPLETE and not self.faults

    @property
    def full(self) -> bool:
        """Whether every unit and build has a good order, whatever was asked back besides."""
        return self.state in (State.COMPLETE, State.NEEDS_CORRECTION) and not (
            self.unordered or self.builds_open or self.removals_open
        )


@remembered_briefly
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


@remembered_briefly
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


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """What is asked of one power: `now` in the present phase, `then` in the next one under the same deadline, which
    begins with `later` as far as its player can know. None: nothing, or no such phase.
    """

    power: str
    standing: Standing
    now: Duty | None = None
    later: Position | None = None
    then: Duty | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """A seat's work, power by power. `active`: whether its player is in the game (B66a); `extensions`: how many free
    extensions they have left.
    """

    works: tuple[Work, ...]
    active: bool
    extensions: int


@remembered_briefly
def outlook(game: Game, seat: Seat) -> Outlook:
    """What a seat has to do as the game stands."""
    works = tuple(_work(game, power) for power in seat.powers)
    return Outlook(works, seat in game.active_seats, game.extensions_left(seat))


def _work(game: Game, power: str) -> Work:
    found = standing(game, power)
    if not isinstance(game, Begun):
        return Work(power, found)
    rules, later = game.rules, forecast(game, power)
    then = asked(later, rules).get(power) if later is not None else None
    return Work(power, found, asked(game.position, rules).get(power), later, then)


class Others(NamedTuple):
    """How the other seats stand, of which something is asked. A seat with two powers counts once.

    `missing`: would be late if the deadline were now; `unfinished`: not late, and not complete either.
    """

    of: int
    missing: int
    unfinished: int


def others_of(game: Game, seat: Seat) -> Others:
    """How many seats beside one are asked for something, and how they stand."""
    asked = {one.power: one for one in standings(game)}
    others = (one for one in game.seats.values() if one.id != seat.id)
    stand = [found for one in others if (found := [asked[power] for power in one.powers if power in asked])]
    missing = sum(any(one.late for one in each) for each in stand)
    return Others(len(stand), missing, sum(not all(one.settled for one in each) for each in stand) - missing)

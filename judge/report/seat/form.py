"""The order form: a line for each thing that is asked for, and what can be done beside giving orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from judge.adjudicate.duty import Duty
from judge.board.position import Position
from judge.game.clock.extensions import AHEAD
from judge.game.core.model import Begun, Game, Running
from judge.game.core.parts import Seat
from judge.game.filing.standing import Outlook, Standing, State, Work, rest_of_turn
from judge.game.instructions.kinds import FiledOrder
from judge.orders.spelled import unit_texts
from judge.report.core.naming import Text, instruction_words, phase_fact, power_name, say

BLANK = "______"
"""What a form leaves for the player to fill in."""


def form_lines(position: Position, duty: Duty, power: str) -> list[str]:
    """The order form for one power and phase: a line for each unit, build or removal that is asked for. `power`: its
    name where the reader has several.
    """
    whose = f"{power}: " if power else ""
    units = [*duty.units, *(lost.unit for lost in duty.retreats if lost.options)]
    lines = [f"{unit} - {BLANK}" for unit in unit_texts(units, position.board)]
    return [*lines, *[f"{whose}BUILD {BLANK}"] * duty.builds, *[f"{whose}REMOVE {BLANK}"] * duty.removals]


def open_form(game: Running, view: Outlook) -> list[str]:
    """The order form for what has no order on file, in this phase and in those that are ordered along with it."""
    form: list[str] = []
    for work in view.works:
        several, left = power_name(work.power, game.board) if len(view.works) > 1 else "", what_is_left(work)
        for position, duty in ((game.position, work.now), (work.later, work.then)):
            if position is not None and duty is not None:
                form += form_lines(position, left(duty), several)
    return form


def what_is_left(work: Work) -> Callable[[Duty], Duty]:
    """Of what a phase asks of a power, that for which nothing is on file yet."""
    found = work.standing
    free = {unit.id for unit in found.unordered}

    def left(duty: Duty) -> Duty:
        return replace(
            duty,
            units=tuple(unit for unit in duty.units if unit.id in free),
            retreats=tuple(lost for lost in duty.retreats if lost.unit.id in free),
            builds=min(duty.builds, found.builds_open),
            removals=min(duty.removals, found.removals_open),
            apart=duty.apart if found.builds_open or found.removals_open else (),
        )

    return left


def filed_lines(game: Game, power: str) -> tuple[Text, ...]:
    """The orders on file for a power, spelled out, in their order; those for another turn say for which phase."""
    sheet = game.sheets.get(power)
    if sheet is None or not isinstance(game, Begun):
        return ()
    turn = {str(phase) for phase in rest_of_turn(game)}
    return tuple(_filed_line(line, game, now=line.phase in turn) for line in sheet.lines)


def _filed_line(line: FiledOrder, game: Game, *, now: bool) -> Text:
    order = instruction_words(line.instruction, game.board, adjusting=line.adjusts)
    if now and not line.wrong:
        return order
    wrong = line.text.strip() if line.wrong else ""
    return say("filed-line", order=order, wrong=wrong, phase="" if now else phase_fact(game, line.phase))


def may_extend(game: Game, view: Outlook) -> bool:
    """Whether a free extension is of any use: to a player still in the game, whose turns leave the time to ask."""
    if not game.settings.extensions or not view.active or game.deadline is None:
        return False
    return game.deadline.set_at is None or game.deadline.at - game.deadline.set_at > AHEAD


def acts(game: Game, seat: Seat, view: Outlook) -> tuple[str, ...]:
    """Ballots on open votes; more time, while there is some to be had; the end of one's own wait."""
    if not isinstance(game, Running) or not view.active or game.practice is not None:
        return ()
    ballots = tuple(line for _, ballot in sorted(game.votes.items()) for line in ballot.lines)
    extend = may_extend(game, view) and view.extensions > 0 and not game.deadline.called
    flags = ("ready",) if seat.wait and game.settings.early else ()
    return (*ballots, *(("extension",) if extend else ()), *flags)


def acts_after(game: Game, before: Game | None, seat: Seat, found: Iterable[Standing]) -> tuple[str, ...]:
    """What can follow the mail that a receipt answers: taking back what it filed, waiting for the deadline or not.
    `found`: how the seat's powers stand.
    """
    if not isinstance(game, Running) or not seat.powers:
        return ()
    changed = before is not None and any(game.sheets.get(one) != before.sheets.get(one) for one in seat.powers)
    undo = ("undo",) if changed and before is not None and any(map(before.sheets.get, seat.powers)) else ()
    if game.practice is not None:
        return (*undo, "ready")
    if not game.settings.early:
        return undo
    if seat.wait:
        return (*undo, "ready")
    complete = all(one.state is State.COMPLETE for one in found)
    return (*undo, "wait") if complete else undo

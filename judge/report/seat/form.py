"""The order form: a line for each thing that is asked for, and what is on file already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from judge.adjudicate.duty import Duty
from judge.board.position import Position
from judge.game.core.model import Begun, Game, Running
from judge.game.filing.outlook import Outlook, Work
from judge.game.filing.turns import rest_of_turn
from judge.game.instructions.filed import FiledOrder
from judge.orders.spelled import unit_texts
from judge.report.core.facts import Text, phase_fact, say
from judge.report.core.naming import instruction_words, power_name

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

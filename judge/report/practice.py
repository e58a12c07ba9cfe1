"""The letters of a practice game: what happened and why, where everything stands, and how to write what comes next.

They teach the rules and how to write; what would be wise they never say (B03).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge.adjudicate.duty import Duty
from judge.board.model import province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position, Unit
from judge.game.core import events as ev
from judge.game.core.model import Game, Stage
from judge.game.core.turns import asked
from judge.game.table.practice import PHASES, SEAT, phases_played
from judge.history import played_phase
from judge.orders.model import Hold, Move, Order, Support
from judge.orders.spelled import order_words, place, unit_text
from judge.report.batch import Batch
from judge.report.chart import Chart, chart
from judge.report.desk import Desk, desk
from judge.report.explained import sentences_for
from judge.report.frame import Reader
from judge.report.letter import Kind, Letter
from judge.report.naming import joined, many, power_name
from judge.report.results import Results, Standing, final_positions, results_of


@dataclass(frozen=True, slots=True)
class PracticeView:
    """`number` of `of`: which phase is asked for, 0 once the game is over; `power`: the reader's; `happened`: the
    phases just played; `lesson`: paragraphs about the phase to come, with `examples`, lines that could be sent."""

    number: int
    of: int
    power: str
    desk: Desk
    happened: tuple[Results, ...]
    positions: tuple[Standing, ...]
    chart: Chart
    lesson: tuple[str, ...]
    examples: tuple[str, ...] = ()
    ended: str = ""


def practice_letters(batch: Batch) -> Iterator[Letter]:
    """The call for the first orders, then one letter for each phase, the last of them with the end."""
    game = batch.after
    played = batch.every(ev.PhaseAdjudicated)
    if game.position is None or not (batch.starts or played or batch.has(ev.GameEnded)):
        return
    for reader in batch.readers():
        letter = batch.letter(Kind.PRACTICE, str(game.seq), reader, _view(batch, reader, played))
        yield replace(letter, answers=batch.starts)


def _view(batch: Batch, reader: Reader, played: Sequence[ev.PhaseAdjudicated]) -> PracticeView:
    game = batch.after
    assert game.position is not None
    power = game.seats[SEAT].powers[0]
    before = batch.before.position if batch.before is not None and batch.before.position is not None else game.position
    over = game.stage is Stage.ENDED
    return PracticeView(
        number=0 if over else phases_played(game) + 1,
        of=PHASES,
        power=power_name(power, game.board),
        desk=replace(desk(game, reader.seat, reader.member), facts=()),
        happened=tuple(_own(event, game, power) for event in played),
        positions=final_positions(game.position),
        chart=chart(before, game.position, projected=False, year=max(game.chart, default=0)),
        lesson=_farewell(game) if over else _lesson(game, power),
        examples=() if over else _examples(game, power),
        ended=_ended(game) if over else "",
    )


def _own(event: ev.PhaseAdjudicated, game: Game, power: str) -> Results:
    """A phase as far as it is about the player: his orders, and in sentences what became of each and why."""
    whole = results_of(event, game)
    own = tuple(block for block in whole.blocks if block.key == power)
    return replace(whole, blocks=own, said="", explained=tuple(sentences_for(played_phase(event, game.board), power)))


# --- what comes next ----------------------------------------------------------------------------------------------


def _lesson(game: Game, power: str) -> tuple[str, ...]:
    assert game.position is not None
    duty = asked(game.position, game.rules).get(power)
    if duty is None:
        return ("Nothing is asked of you in this phase; it is played at once.",)
    kind = {PhaseKind.MOVES: _moves, PhaseKind.RETREATS: _retreats, PhaseKind.ADJUSTMENTS: _adjustments}[
        game.position.phase.kind
    ]
    return (*kind(game, power, duty), _HOW)


_HOW = (
    "Answer this letter with your lines. As soon as nothing is missing, the phase is played; \"wait\" lets you think, "
    "\"ready\" plays it with what is on file, and \"what if\" above your lines tries them out."
)  # fmt: skip


def _moves(game: Game, power: str, duty: Duty) -> tuple[str, ...]:
    assert game.position is not None
    first = (
        f"This is a game for you alone. You play {power_name(power, game.board)}; the units of all other powers stand, "
        "and nothing that happens here counts anywhere.",
        f"You have {many(len(duty.units), 'unit')}: an army (A) moves over land, a fleet (F) over the sea and along "
        "the coast. Each may move to a neighbouring place, stand, or support another unit into a place that it could "
        "move to itself; a fleet at sea may also convoy an army.",
        "Units are equally strong. A unit enters a place that another one holds, or wants as well, only with more "
        "support than the other has.",
    )
    centres = _in_reach(game.position, duty)
    whose = f" In reach of your units: {joined(centres)}." if centres else ""
    if not game.calendar.captures_before_moves(game.position.phase):
        later = f"Supply centres are counted after the fall: whoever stands on one then owns it.{whose}"
    else:
        later = (
            "These are the moves of the fall. When they are done, whoever stands on a supply centre owns it, and it "
            f"stays theirs when they move on.{whose}"
        )
    return (*first, later) if not game.past else (later,)


def _in_reach(position: Position, duty: Duty) -> tuple[str, ...]:
    """Centres of others, or of nobody, to which one of the units could move."""
    board = position.board
    near = {province_of(to) for unit in duty.units for to in _reach(position, unit)}
    near |= {province_of(unit.at) for unit in duty.units}
    found = [code for code in board.centres if code in near and position.owners.get(code) != duty.power]
    return tuple(place(code, board) for code in found)


def _retreats(game: Game, power: str, duty: Duty) -> tuple[str, ...]:
    return ("A unit of yours was driven out: it retreats to a place that is free, or is disbanded.",)


def _adjustments(game: Game, power: str, duty: Duty) -> tuple[str, ...]:
    assert game.position is not None
    own, units = len(game.position.centres(power)), len(game.position.of(power))
    count = f"You own {many(own, 'centre')} and have {many(units, 'unit')}"
    if duty.removals:
        return (f"{count}, so you remove {duty.removals}.",)
    return (
        f"{count}, so you may build {duty.builds}: an army or a fleet in a home centre of yours that you own and that "
        'is empty. "waive" leaves a build unused.',
    )


def _examples(game: Game, power: str) -> tuple[str, ...]:
    """Lines that could be sent: each in the form that the phase asks for, the first options listed."""
    assert game.position is not None
    position, board = game.position, game.board
    duty = asked(position, game.rules).get(power)
    if duty is None:
        return ()
    if position.phase.kind is not PhaseKind.MOVES:
        site = duty.sites[0] if duty.builds and duty.sites else None
        build = (f"build {site[0]} {place(site[1], board)}",) if site else ()
        removal = (f"remove {unit_text(duty.units[0], board)}",) if duty.removals and duty.units else ()
        return (*build, *removal)
    lines = _with_support(position, duty.units) or (Move(duty.units[0], _reach(position, duty.units[0])[0]),)
    return tuple(order_words(line, board) for line in (*lines, Hold(duty.units[-1])))


def _with_support(position: Position, units: Sequence[Unit]) -> tuple[Order, ...]:
    """The first move that another unit could support, and that support; empty if there is none."""
    for unit in units:
        for to in _reach(position, unit):
            for friend in units:
                if friend is not unit and province_of(to) in map(province_of, _reach(position, friend)):
                    return Move(unit, to), Support(friend, unit, to)
    return ()


def _reach(position: Position, unit: Unit) -> Sequence[str]:
    return position.board.reach(unit.kind, unit.at, position.phase.season)


# --- the end ------------------------------------------------------------------------------------------------------


def _ended(game: Game) -> str:
    reason = game.ending.reason if game.ending is not None else ""
    if reason == "lapsed":
        return "Nothing was ordered for a while, so your practice game is over."
    return f"Your practice game is over after {many(phases_played(game), 'phase')}. Well done!"


def _farewell(game: Game) -> tuple[str, ...]:
    return (
        'In a real game six others write orders too, and you negotiate with them by "press" between the phases.',
        'Send "list" to see the games that look for players, "join" and the name of one to take a seat, "practice" to '
        'play another game like this one, or "help".',
    )

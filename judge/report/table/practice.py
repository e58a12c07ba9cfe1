"""The letters of a practice game: what happened and why, where everything stands, and how to write what comes next.

They teach the rules and how to write; what would be wise they never say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge.adjudicate.duty import Duty, ways_of
from judge.board.model import Location, province_of
from judge.board.phase import PhaseKind
from judge.board.unit import Unit
from judge.game.core import events as ev
from judge.game.core.model import Begun, Game, Stage
from judge.game.filing.turns import asked
from judge.game.table.practice import PHASES, SEAT, phases_played
from judge.history import played_phase
from judge.orders.model import Hold, Move, Order, Support
from judge.orders.spelled import order_words, place, unit_text
from judge.report.core.batch import Batch
from judge.report.core.facts import Said, say
from judge.report.core.frame import Reader
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import power_name
from judge.report.played.chart import CentreChart, chart
from judge.report.played.explained import sentences_for
from judge.report.played.results import Results, UnitsLine, final_positions, results_of
from judge.report.seat.desk import Desk, desk


@dataclass(frozen=True, slots=True)
class PracticeView:
    """`number` of `of`: which phase is asked for, 0 once the game is over; `power`: the reader's; `happened`: the
    phases just played; `lesson`: paragraphs about the phase to come, with `examples`, lines that could be sent."""

    number: int
    of: int
    power: str
    desk: Desk
    happened: tuple[Results, ...]
    positions: tuple[UnitsLine, ...]
    chart: CentreChart
    lesson: tuple[Said, ...]
    examples: tuple[str, ...] = ()
    ended: Said | None = None


def practice_letters(batch: Batch) -> Iterator[Letter]:
    """The call for the first orders, then one letter for each phase, the last of them with the end."""
    game = batch.after
    played = batch.every(ev.PhaseAdjudicated)
    if game.practice is None or game.sandbox is not None or not isinstance(game, Begun):
        return
    if not (batch.starts or played or batch.has(ev.GameEnded)):
        return
    for reader in batch.readers():
        letter = batch.letter(Kind.PRACTICE, str(game.seq), reader, _view(batch, game, reader, played))
        yield replace(letter, answers=batch.starts)


def _view(batch: Batch, game: Begun, reader: Reader, played: Sequence[ev.PhaseAdjudicated]) -> PracticeView:
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
        ended=_ended(game) if over else None,
    )


def _own(event: ev.PhaseAdjudicated, game: Game, power: str) -> Results:
    """A phase as far as it is about the player: their orders, and in sentences what became of each and why."""
    whole = results_of(event, game)
    own = tuple(block for block in whole.blocks if block.key == power)
    return replace(
        whole, blocks=own, said="", explain=True, explained=tuple(sentences_for(played_phase(event, game.board), power))
    )


# --- what comes next ----------------------------------------------------------------------------------------------


def _lesson(game: Begun, power: str) -> tuple[Said, ...]:
    duty = asked(game.position, game.rules).get(power)
    if duty is None:
        return (say("lesson-nothing"),)
    kind = {PhaseKind.MOVES: _moves, PhaseKind.RETREATS: _retreats, PhaseKind.ADJUSTMENTS: _adjustments}[
        game.position.phase.kind
    ]
    return (*kind(game, power, duty), say("lesson-how"))


def _moves(game: Begun, power: str, duty: Duty) -> tuple[Said, ...]:
    spring = not game.calendar.captures_before_moves(game.position.phase)
    centres = say("lesson-centres", spring=spring, near=_in_reach(game, duty))
    if game.past:
        return (centres,)
    alone, units = say("lesson-alone", power=power_name(power, game.board)), say("lesson-units", units=len(duty.units))
    return alone, units, say("lesson-strength"), centres


def _in_reach(game: Begun, duty: Duty) -> tuple[str, ...]:
    """Centres of others, or of nobody, to which one of the units could move."""
    position, board = game.position, game.board
    near = {province_of(to) for unit in duty.units for to in _ways(game, unit)}
    near |= {province_of(unit.at) for unit in duty.units}
    found = [code for code in board.centres if code in near and position.owners.get(code) != duty.power]
    return tuple(place(code, board) for code in found)


def _retreats(game: Game, power: str, duty: Duty) -> tuple[Said, ...]:
    return (say("lesson-retreats"),)


def _adjustments(game: Begun, power: str, duty: Duty) -> tuple[Said, ...]:
    own, units = len(game.position.centres(power)), len(game.position.of(power))
    return (say("lesson-adjustments", centres=own, units=units, removals=duty.removals, builds=duty.builds),)


def _examples(game: Begun, power: str) -> tuple[str, ...]:
    """Lines that could be sent: each in the form that the phase asks for, the first options listed."""
    position, board = game.position, game.board
    duty = asked(position, game.rules).get(power)
    if duty is None:
        return ()
    if position.phase.kind is not PhaseKind.MOVES:
        site = duty.sites[0] if duty.builds and duty.sites else None
        build = (f"build {site[0]} {place(site[1], board)}",) if site else ()
        removal = (f"remove {unit_text(duty.units[0], board)}",) if duty.removals and duty.units else ()
        return (*build, *removal)
    lines = _with_support(game, duty.units) or (Move(duty.units[0], _ways(game, duty.units[0])[0]),)
    return tuple(order_words(line, board) for line in (*lines, Hold(duty.units[-1])))


def _with_support(game: Begun, units: Sequence[Unit]) -> tuple[Order, ...]:
    """The first move that another unit could support, and that support; empty if there is none."""
    for unit in units:
        for to in _ways(game, unit):
            for friend in units:
                if friend is not unit and province_of(to) in map(province_of, _ways(game, friend)):
                    return Move(unit, to), Support(friend, unit, to)
    return ()


def _ways(game: Begun, unit: Unit) -> tuple[Location, ...]:
    return ways_of(game.position, unit, game.rules)


# --- the end ------------------------------------------------------------------------------------------------------


def _ended(game: Game) -> Said:
    lapsed = game.ending is not None and game.ending.reason == "lapsed"
    return say("practice-over", lapsed=lapsed, phases=phases_played(game))


def _farewell(game: Game) -> tuple[Said, ...]:
    return say("lesson-real-games"), say("lesson-what-next")

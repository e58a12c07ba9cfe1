"""The position of a sandbox, put by hand: going back to a phase with the orders given then, and editing what stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.board.position import Position, position_from_json, position_to_json
from judge.game.core import events as ev
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.memory import noted
from judge.game.core.model import Begun, Game, Running, Stage
from judge.game.core.parts import EMPTY
from judge.game.core.registry import Feature
from judge.game.repair.rearranging import rearranged
from judge.game.table.sandbox import kept_on, not_here, sandbox_of

START = "start"
"""Of `StepBack`: where the sandbox began."""


@dataclass(frozen=True, slots=True)
class StepBack(Command):
    """`go back`: so many phases, or to the one named, with the orders that were given then; START: where it began."""

    phase: str = ""
    steps: int = 1


@dataclass(frozen=True, slots=True)
class EditBoard(Command):
    """`edit CHANGE; CHANGE`: units and centres are put where the words say, the phase too."""

    changes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SteppedBack(ev.Event, told="phase,void"):
    """The board stands again as ahead of `phase`; the phases `void` were not played. `start`: it is where it began."""

    phase: str
    void: tuple[str, ...]
    start: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardEdited(ev.Event, told="phase,changes"):
    """The position was put so by hand. `version`: of what stands there, for pictures; `changes`: canonical words."""

    phase: str
    version: int
    position: ev.Json
    changes: tuple[str, ...]


def step_back(game: Begun, command: StepBack, context: Context) -> Decision | Refusal:
    """Play no longer stands since a phase; the orders given then are on file again."""
    if (refusal := not_here(game, context)) is not None:
        return refusal
    codes = [played.event.phase for played in game.past]
    if command.phase == START:
        start = str(sandbox_of(game).start.phase)
        event = SteppedBack(at=context.now, by=context.seat, phase=start, void=tuple(codes), start=True)
        return Decision((event,), said=f"{game.key} is where it began.")
    found = [place for place, code in enumerate(codes) if code == command.phase]
    if not codes or (command.phase and not found):
        return _not_reached(game, command.phase, codes)
    void = tuple(codes[found[0] if command.phase else -min(command.steps, len(codes)) :])
    event = SteppedBack(at=context.now, by=context.seat, phase=void[0], void=void)
    return Decision(
        (event,), said=f"{game.key} is at {game.calendar.title(void[0])} again, with the orders that you gave then."
    )


def _not_reached(game: Game, phase: str, codes: Iterable[str]) -> Refusal:
    known = ", ".join(codes)
    if not known:
        return Refusal("nothing-played", "Nothing was played here yet, so there is no phase to go back to.")
    sentence = f"{game.calendar.label(phase)} is not among the last phases that were played here: {known}."
    return Refusal("no-such-results", sentence, mend="back to the beginning")


def edit(game: Begun, command: EditBoard, context: Context) -> Decision | Refusal:
    """All changes or none: what is wrong with them is said at once."""
    if (refusal := not_here(game, context)) is not None:
        return refusal
    if game.stage is not Stage.RUNNING:
        return Refusal("game-over", f"{game.key} has been won; go back a phase and edit that.", mend="go back")
    found = rearranged(game.position, command.changes, game.rules, sandbox_of(game).start)
    if isinstance(found, Refusal):
        return found
    version = max((game.results_version, *game.versions.values())) + 1
    event = BoardEdited(
        at=context.now, by=context.seat, phase=str(found.position.phase), version=version,
        position=position_to_json(found.position), changes=found.changes,
    )  # fmt: skip
    return Decision((event,), said="The position is changed.")


def _stepped_back(game: Begun, event: SteppedBack) -> Game:
    """As it stood then; the numbers of what was played since are given out, so that no picture shows another's."""
    then = _beginning(game) if event.start else _ahead_of(game, event.phase)
    deadline = game.deadline or then.deadline
    assert deadline is not None
    number = max(deadline.version, then.deadline.version if then.deadline else 0) + 1
    versions = {phase: max(game.versions.get(phase, 0), 1) for phase in event.void}
    seats = {key: replace(seat, wait=False, waits=frozenset()) for key, seat in game.seats.items()}
    back = replace(
        then, seq=game.seq, practice=game.practice, stage=Stage.RUNNING, ending=None, seats=MappingProxyType(seats),
        versions=noted(game.versions, versions), turn_opened_at=event.at, press_sent=game.press_sent,
        deadline=replace(deadline, phase=then.phase, version=number, set_at=event.at, called=False),
    )  # fmt: skip
    return kept_on(back, event, paused=True)


def _ahead_of(game: Begun, phase: str) -> Begun:
    place = next(i for i, played in enumerate(game.past) if played.event.phase == phase)
    return replace(game.past[place].before, past=game.past[:place])


def _beginning(game: Begun) -> Begun:
    start = sandbox_of(game).start
    return replace(
        game, position=start, chart=_chart_of(start, EMPTY), sheets=EMPTY, played=EMPTY, kept=EMPTY, deeds=EMPTY,
        withdrawals=(), split="", past=(), results_version=1,
    )  # fmt: skip


def _chart_of(position: Position, years: Mapping[int, Mapping[str, int]]) -> Mapping[int, Mapping[str, int]]:
    """The chart whose last line is what the centres are now."""
    last = position.phase.year - 1
    counts = MappingProxyType({power: len(position.centres(power)) for power in position.board.powers})
    known = years if last - 1 in years else {}
    return MappingProxyType({**{year: line for year, line in known.items() if year < last}, last: counts})


def _edited(game: Running, event: BoardEdited) -> Game:
    """Orders for units that are gone or elsewhere go; so do all where another phase is to be played."""
    position = position_from_json(event.position, game.board)
    same = position.phase == game.position.phase
    there = {unit.id for unit in game.position.units if unit in position.units}
    sheets = {
        power: replace(sheet, lines=tuple(line for line in sheet.lines if line.unit in there), undo=None)
        for power, sheet in game.sheets.items()
        if same
    }
    edited = replace(
        game, position=position, sheets=MappingProxyType(sheets), deeds=game.deeds if same else EMPTY,
        chart=game.chart if same and position.owners == game.position.owners else _chart_of(position, game.chart),
        withdrawals=game.withdrawals if same else (), split="", results_version=event.version,
        versions=noted(game.versions, {**_published(game), event.phase: event.version}),
        deadline=replace(game.deadline, phase=position.phase, version=game.deadline.version + 1),
        turn_opened_at=event.at,
    )  # fmt: skip
    return kept_on(edited, event, paused=True)


def _published(game: Game) -> dict[str, int]:
    """The versions of what was played: a phase that is played again after an edit is another."""
    return {played.event.phase: max(game.versions.get(played.event.phase, 0), 1) for played in game.past}


FEATURE = Feature(
    evolve={SteppedBack: _stepped_back, BoardEdited: _edited},
    decide={StepBack: step_back, EditBoard: edit},
)

"""A position corrected by hand, until the next results are out; after that it stands (house rules 6B)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.board.position import Position, position_from_json, position_to_json
from judge.game.core import events as ev
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.memory import next_version, noted
from judge.game.core.model import Begun, Game, Running
from judge.game.core.registry import Feature
from judge.game.repair.edits import Edit, apply_edits, edit_words, read_edits


@dataclass(frozen=True, slots=True)
class CorrectPosition(Command):
    """`correct position CHANGE; CHANGE`: an error in the results of `phase` (empty: the last ones) is put right."""

    changes: str
    phase: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionCorrected(ev.Event, told="phase,differs,changes,reason"):
    """The position after `phase` is another; `version` is that of its results now. `changes`: canonical words.

    `differs`: whether the position contradicts the results, as far as the judge can tell (B36).
    """

    phase: str
    version: int
    position: ev.Json
    changes: tuple[str, ...]
    differs: bool = False
    reason: str = ""


def correct(game: Game, command: CorrectPosition, context: Context) -> Decision | Refusal:
    """Units or centres put where they belong, until the next results are out (B37)."""
    if not isinstance(game, Running):
        return Refusal("not-running", f"{game.key} is not running; there is no position to correct.")
    if game.replay is not None:
        return Refusal("replay", f"{game.replay.phase} waits to be processed again.", mend="rollforward")
    last = game.past[-1].event.phase if game.past else ""
    if command.phase and not last.startswith(command.phase.upper()):
        return _too_late(command.phase.upper(), last)
    edits = read_edits(command.changes, game.position)
    if isinstance(edits, Refusal):
        return edits
    return _corrected_by(game, edits, command, context)


def _too_late(phase: str, last: str) -> Refusal:
    return Refusal(
        "too-late",
        f"The results of {last or 'a later phase'} are out, so an error of {phase} can no longer be put "
        "right: the units have moved from where they were said to be.",
        clause="6B",
    )


def _corrected_by(
    game: Begun, edits: tuple[Edit, ...], command: CorrectPosition, context: Context
) -> Decision | Refusal:
    after = apply_edits(game.position, edits, game.rules)
    if isinstance(after, Refusal):
        return after
    if position_to_json(after) == position_to_json(game.position):
        return Refusal("no-change", "The position is that already.")
    phase = game.past[-1].event.phase if game.past else str(game.position.phase)
    differs = bool(game.past) and _contradicts(after, position_from_json(game.past[-1].event.after, game.board))
    event = PositionCorrected(
        at=context.now,
        by=context.seat,
        phase=phase,
        version=max(next_version(game, phase), 2),
        position=position_to_json(after),
        changes=tuple(edit_words(edit, game.board) for edit in edits),
        differs=differs,
        reason=command.reason,
    )
    flag = " It differs from what the results say; the letter tells everybody so." if differs else ""
    return Decision((event,), said=f"The position is corrected, and everybody is told.{flag}")


def _contradicts(position: Position, results: Position) -> bool:
    """Whether a position has other units than the results say, or other owners where these were settled with them."""
    if set(position.units) != set(results.units):
        return True
    return position.phase == results.phase and dict(position.owners) != dict(results.owners)


def _corrected(game: Begun, event: PositionCorrected) -> Game:
    """Orders for units that are gone or elsewhere go; the rest stands."""
    position = position_from_json(event.position, game.board)
    moved = {unit.id for unit in game.position.units} - {
        unit.id for unit in position.units if unit in game.position.units
    }
    sheets = {
        power: replace(sheet, lines=tuple(line for line in sheet.lines if line.unit not in moved), undo=None)
        for power, sheet in game.sheets.items()
    }
    return replace(
        game,
        position=position,
        sheets=sheets,
        results_version=event.version,
        versions=noted(game.versions, {event.phase: event.version}),
        courtesy=True,
    )


FEATURE = Feature(
    evolve={PositionCorrected: _corrected},
    decide={CorrectPosition: correct},
    gm_only=(CorrectPosition,),
)

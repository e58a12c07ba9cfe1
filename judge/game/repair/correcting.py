"""A position corrected, or put together, by hand: changes in words that are all made or none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from judge.adjudicate.riding import wrongly_carried
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position, position_from_json, position_to_json
from judge.board.status import Flaw
from judge.board.unit import NUMBER
from judge.game.core import events as ev
from judge.game.core.commands import Command, Context, Decision, Refusal
from judge.game.core.evolve import Feature
from judge.game.core.model import Begun, Game, Played, Replay, Running, next_version, noted
from judge.game.repair.changes import Change, changes_to_json
from judge.game.repair.edits import (
    BEGUN,
    CLEARED,
    Edit,
    apply_edits,
    changes_between,
    crowd_words,
    edit_words,
    parts_of,
    put_together,
    read_edit,
    read_edits,
)
from judge.languages import tell, together, told_later
from judge.rules import Rules
from judge.rules.calendar import read_phase

AS_BEFORE, TAKEN_BACK = told_later("as before"), told_later("the correction is taken back")
"""Reasons of ours."""


@dataclass(frozen=True, slots=True)
class CorrectPosition(Command):
    """`correct position CHANGE; CHANGE`: an error in the results of `phase` (empty: the last ones) is put right."""

    changes: str
    phase: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionCorrected(ev.Event, told="phase,differs,changes,reason"):
    """The position after `phase` is another; `version` is that of its results now. `changes`: in its author's words;
    `edits`: as facts (`judge.game.repair.changes`), none in older logs.

    `differs`: whether the position contradicts the results, as far as the judge can tell.
    """

    phase: str
    version: int
    position: ev.Json
    changes: tuple[str, ...]
    differs: bool = False
    reason: str = ""
    edits: tuple[ev.Json, ...] = ()


def reason_words(reason: str) -> str:
    """The reason of a correction: somebody's words, or one of ours in the language that is spoken."""
    return tell(reason) if reason in (AS_BEFORE, TAKEN_BACK) else reason


def correct(game: Game, command: CorrectPosition, context: Context) -> Decision | Refusal:
    """Units or centres put where they belong, until the next results are out."""
    if not isinstance(game, Running):
        return Refusal("not-running", tell("{game} is not running; there is no position to correct.", game=game.key))
    if game.replay is not None:
        return Refusal(
            "replay", tell("{phase} waits to be processed again.", phase=game.replay.phase), mend="rollforward"
        )
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
        tell(
            "The results of {last} are out, so an error of {phase} can no longer be put right: "
            "the units have moved from where they were said to be.",
            last=last or tell("a later phase"),
            phase=phase,
        ),
        clause="6B",
    )


def _corrected_by(
    game: Begun, edits: tuple[Edit, ...], command: CorrectPosition, context: Context
) -> Decision | Refusal:
    after = apply_edits(game.position, edits, game.rules)
    if isinstance(after, Refusal):
        return after
    if position_to_json(after) == position_to_json(game.position):
        return Refusal("no-change", tell("The position is that already."))
    phase = game.past[-1].event.phase if game.past else str(game.position.phase)
    differs = bool(game.past) and _contradicts(after, position_from_json(game.past[-1].event.after, game.board))
    event = PositionCorrected(
        at=context.now,
        by=context.seat,
        phase=phase,
        version=max(next_version(game, phase), 2),
        position=position_to_json(after),
        changes=tuple(edit_words(edit, game.board) for edit in edits),
        edits=tuple(changes_to_json(edits)),
        differs=differs,
        reason=command.reason,
    )
    flag = tell("It differs from what the results say; the letter tells everybody so.") if differs else ""
    return Decision((event,), said=together(tell("The position is corrected, and everybody is told."), flag))


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
        past=_with_reached(game),
        results_version=event.version,
        versions=noted(game.versions, {event.phase: event.version}),
        courtesy=True,
    )


def _with_reached(game: Begun) -> tuple[Played, ...]:
    """The phases played, the last of which remembers where the game stood before the first correction by hand."""
    if not game.past or game.past[-1].reached is not None:
        return game.past
    return (*game.past[:-1], replace(game.past[-1], reached=game.position))


# --- results that are taken back ----------------------------------------------------------------------------------


def corrected_by_hand(taken: Sequence[Played], position: Position | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(phase, changes in words) of each phase whose results were corrected by hand, of phases played one after the
    other; `position`: where the game stood behind the last.
    """
    behind = [*(played.before.position for played in taken[1:]), position]
    for played, then in zip(taken, behind, strict=True):
        if played.reached is not None and then is not None and (words := changed_words(played.reached, then)):
            yield played.event.phase, words


def changed_words(was: Position, now: Position) -> tuple[str, ...]:
    """What makes one position the other, a change a line, as letters say it; nothing where a unit was only taken off
    the board and put back.
    """
    if _as_told(was) == _as_told(now):
        return ()
    edits = read_edits(changes, was) if (changes := changes_between(was, now)) else ()
    return () if isinstance(edits, Refusal) else tuple(edit_words(edit, was.board) for edit in edits)


def _as_told(position: Position) -> tuple[object, ...]:
    """A position without who its units are: what letters tell of it."""
    at = {unit.id: unit.at for unit in position.units}
    units = Counter(
        (unit.kind, unit.at, unit.power, unit.mark(NUMBER), at.get(unit.aboard, "")) for unit in position.units
    )
    marks, accounts = (
        {key: dict(kept) for key, kept in found.items() if kept} for found in (position.marks, position.accounts)
    )
    return units, dict(position.owners), marks, accounts


def corrected_again(game: Game, replay: Replay, context: Context) -> tuple[ev.Event, ...]:
    """What the Gamemaster had put right by hand in the last results of a game in which they were played once more;
    nothing if these are not the same as then, or if nothing was corrected. It belongs to the version that they have.
    """
    if not isinstance(game, Running) or not game.past:
        return ()
    last = game.past[-1].event
    place = next((at for at, taken in enumerate(replay.taken) if taken.event.phase == last.phase), None)
    if place is None or replay.taken[place].event.after != last.after:
        return ()
    then = replay.taken[place + 1].before.position if place + 1 < len(replay.taken) else replay.position
    if then is None or game.phase != then.phase or not (changes := changes_between(game.position, then)):
        return ()
    decision = correct(game, CorrectPosition(changes, reason=AS_BEFORE), context)
    events = decision.events if isinstance(decision, Decision) else ()
    return tuple(replace(one, version=last.version) if isinstance(one, PositionCorrected) else one for one in events)


def _changed_back(act: PositionCorrected, before: Callable[[], Game]) -> Command | None:
    """What takes a correction back: the changes that make the position what it was."""
    game = before()
    if game.position is None:
        return None
    changes = changes_between(position_from_json(act.position, game.board), game.position)
    return CorrectPosition(changes, reason=TAKEN_BACK) if changes else None


FEATURE = Feature(
    evolve={PositionCorrected: _corrected},
    decide={CorrectPosition: correct},
    gm_only=(CorrectPosition,),
    undo={PositionCorrected: _changed_back},
)


_PHASE = re.compile(r"(?:phase|season|turn)\s+(?:to\s+|is\s+)?(.+)", re.IGNORECASE)
_CLEAR = re.compile(r"clear(?:\s+(?:the\s+)?(?:board|all|units|everything))?|no\s+units", re.IGNORECASE)
_RESET = re.compile(r"reset(?:\s+(?:the\s+)?(?:board|all|everything|position))?", re.IGNORECASE)
_SAY = "A Bur at Gas; remove F Lon; add France F Bre; centre Bel France; phase F1905M; clear"


@dataclass(frozen=True, slots=True)
class Rearranged:
    """The position after the changes, these in words, and as facts."""

    position: Position
    changes: tuple[str, ...]
    made: tuple[Change, ...]


def rearranged(position: Position, text: str, rules: Rules, start: Position) -> Rearranged | Refusal:
    """The position after all changes that a text names, in order; a Refusal says everything that is wrong with them.
    `start`: what "reset" brings back.
    """
    found, words, made, faults = position, list[str](), list[Change](), list[str]()
    pending: list[Edit] = []
    for part in parts_of(text):
        if (whole := _whole(part, put_together(found, pending), rules, start)) is None:
            edit = read_edit(part, found)
            if isinstance(edit, Refusal):
                faults.append(edit.sentence)
            else:
                pending.append(edit)
                words.append(edit_words(edit, position.board))
                made.append(edit)
        elif isinstance(whole, Refusal):
            faults.append(whole.sentence)
        else:
            found, pending = whole.position, []
            words += whole.changes
            made += whole.made
    after = put_together(found, pending)
    flaws = (*after.status(rules.stacks(after)), *wrongly_carried(after, rules))
    faults += [_said(flaw, after) for flaw in flaws]
    if faults:
        return Refusal("cannot-stand", tell("Nothing was changed: {faults}", faults=" ".join(faults)))
    if not words:
        return Refusal("no-change", tell("Say what to change, like this: {say}.", say=_SAY))
    if after == position:
        return Refusal("no-change", tell("The position is that already."))
    return Rearranged(after, tuple(words), tuple(made))


def _said(flaw: Flaw, position: Position) -> str:
    """What is wrong with a position, for people."""
    return crowd_words(flaw.where, position) if flaw.code == "crowded" else f"{flaw.what[0].upper()}{flaw.what[1:]}."


def _whole(text: str, position: Position, rules: Rules, start: Position) -> Rearranged | Refusal | None:
    """What a change to the whole board comes to; None for one that is about a unit or a centre."""
    if _RESET.fullmatch(text):
        return Rearranged(start, (tell(BEGUN),), (BEGUN,))
    if _CLEAR.fullmatch(text):
        return Rearranged(replace(position, units=(), dislodged=()), (tell(CLEARED),), (CLEARED,))
    if match := _PHASE.fullmatch(text):
        return _other_phase(match[1], position, rules)
    return None


def _other_phase(text: str, position: Position, rules: Rules) -> Rearranged | Refusal:
    code = read_phase(text, rules.calendar, position.phase, here=False)
    if code is None or Phase.read(code) not in rules.calendar:
        return Refusal(
            "no-phase",
            tell('"{text}" is not a phase of this game; write one like {phase}.', text=text[:40], phase=position.phase),
        )
    phase = Phase.read(code)
    if phase.kind is PhaseKind.RETREATS and phase != position.phase:
        return Refusal("no-phase", tell("A retreat phase follows from moves; play the moves before it."))
    dislodged = position.dislodged if phase == position.phase else ()
    return Rearranged(
        replace(position, phase=phase, dislodged=dislodged), (rules.calendar.title(phase),), (str(phase),)
    )

"""A position put together by hand: changes in words that are all made or none, with everything that is wrong said.

Beside what `judge.game.repair.edits` reads: "phase F1905M", "clear" (no units), "reset" (as it began).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from judge.adjudicate.riding import wrongly_carried
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.board.status import Flaw
from judge.game.core.decision import Refusal
from judge.game.repair.edits import Edit, crowd_words, edit_words, parts_of, put_together, read_edit
from judge.rules import Rules
from judge.rules.spoken import read_phase

_PHASE = re.compile(r"(?:phase|season|turn)\s+(?:to\s+|is\s+)?(.+)", re.IGNORECASE)
_CLEAR = re.compile(r"clear(?:\s+(?:the\s+)?(?:board|all|units|everything))?|no\s+units", re.IGNORECASE)
_RESET = re.compile(r"reset(?:\s+(?:the\s+)?(?:board|all|everything|position))?", re.IGNORECASE)
_SAY = "A Bur at Gas; remove F Lon; add France F Bre; centre Bel France; phase F1905M; clear"


@dataclass(frozen=True, slots=True)
class Rearranged:
    """The position after the changes, and these in canonical words."""

    position: Position
    changes: tuple[str, ...]


def rearranged(position: Position, text: str, rules: Rules, start: Position) -> Rearranged | Refusal:
    """The position after all changes that a text names, in order; a Refusal says everything that is wrong with them.
    `start`: what "reset" brings back.
    """
    found, words, faults = position, list[str](), list[str]()
    pending: list[Edit] = []
    for part in parts_of(text):
        if (whole := _whole(part, put_together(found, pending), rules, start)) is None:
            edit = read_edit(part, found)
            if isinstance(edit, Refusal):
                faults.append(edit.sentence)
            else:
                pending.append(edit)
                words.append(edit_words(edit, position.board))
        elif isinstance(whole, Refusal):
            faults.append(whole.sentence)
        else:
            found, pending = whole.position, []
            words += whole.changes
    after = put_together(found, pending)
    flaws = (*after.status(rules.stacks(after)), *wrongly_carried(after, rules))
    faults += [_said(flaw, after) for flaw in flaws]
    if faults:
        return Refusal("cannot-stand", f"Nothing was changed: {' '.join(faults)}")
    if not words:
        return Refusal("no-change", f"Say what to change, like this: {_SAY}.")
    if after == position:
        return Refusal("no-change", "The position is that already.")
    return Rearranged(after, tuple(words))


def _said(flaw: Flaw, position: Position) -> str:
    """What is wrong with a position, for people."""
    return crowd_words(flaw.where, position) if flaw.code == "crowded" else f"{flaw.what[0].upper()}{flaw.what[1:]}."


def _whole(text: str, position: Position, rules: Rules, start: Position) -> Rearranged | Refusal | None:
    """What a change to the whole board comes to; None for one that is about a unit or a centre."""
    if _RESET.fullmatch(text):
        return Rearranged(start, ("everything is as it began",))
    if _CLEAR.fullmatch(text):
        return Rearranged(replace(position, units=(), dislodged=()), ("no unit is on the board",))
    if match := _PHASE.fullmatch(text):
        return _other_phase(match[1], position, rules)
    return None


def _other_phase(text: str, position: Position, rules: Rules) -> Rearranged | Refusal:
    code = read_phase(text, rules.calendar, position.phase, here=False)
    if code is None or Phase.read(code) not in rules.calendar:
        return Refusal("no-phase", f'"{text[:40]}" is not a phase of this game; write one like {position.phase}.')
    phase = Phase.read(code)
    if phase.kind is PhaseKind.RETREATS and phase != position.phase:
        return Refusal("no-phase", "A retreat phase follows from moves; play the moves before it.")
    dislodged = position.dislodged if phase == position.phase else ()
    return Rearranged(replace(position, phase=phase, dislodged=dislodged), (rules.calendar.title(phase),))

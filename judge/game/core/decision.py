"""What `decide` answers: events that happened, and a verdict on every line that was read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from judge.game.core.events import Event
from judge.game.instructions.kinds import Instruction

MENDED = "mended"
"""Among the notes of a refused line: another line of the same mail has put it right."""


class Status(StrEnum):
    """What became of one line of a mail."""

    TAKEN = "taken"
    REFUSED = "refused"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One line of a mail and what became of it. `line` is its number in the mail, `text` what was written.

    `order`: canonical, when one was understood. `sentence`: finished English, empty when there is nothing to say.
    `candidates`: lines to send instead. `notes`: slugs of what was put right ("wrong-unit-letter").
    """

    line: int
    text: str
    status: Status
    order: str = ""
    reason: str = ""
    sentence: str = ""
    candidates: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    clause: str = ""
    instruction: Instruction | None = None
    """What was understood, as a value."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A command accepted. `said` is a finished sentence for the receipt ("France's orders are withdrawn.")."""

    events: tuple[Event, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    said: str = ""

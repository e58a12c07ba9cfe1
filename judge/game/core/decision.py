"""The values of a decision: in what circumstances a command is given, and what `decide` answers to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from judge.game.core.commands import Actor
from judge.game.core.events import Event
from judge.game.core.evolve import Systems
from judge.game.core.system import System
from judge.game.instructions.kinds import Instruction
from judge.game.settings.table import Settings
from judge.languages import tell

Lot = Callable[[], int]
"""Draws a fresh seed. Asked only when powers are drawn."""


def _no_lot() -> int:
    raise LookupError("nothing can be drawn here: no lot was handed in")


def _no_systems(settings: Settings) -> System:
    raise LookupError("settings cannot be changed here: no boards and rules were handed in")


@dataclass(frozen=True, slots=True)
class Context:
    """Who acts and at which moment; the lot, and boards and rules by name, for commands that need them."""

    actor: Actor
    now: datetime
    lot: Lot = _no_lot
    systems: Systems = _no_systems

    @property
    def seat(self) -> str:
        """The seat from which it is given; "gm" for the Gamemaster's."""
        return self.actor.seat


STAYS = "stays"
"""The note of a verdict on a line that leaves the order on file as it is."""

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


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that cannot be followed, as a value (no exception): why not, and what to do instead.

    `slug` is stable ("not-your-seat"); `sentence` is finished English for the receipt; `mend` the line to send
    instead, where there is one, or one of several to a line; `clause` the rule behind it, where there is one.
    """

    slug: str
    sentence: str
    mend: str = ""
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Question(Refusal):
    """Not done yet: its author is asked once, by a letter, whether it shall be.

    `sentence` is what the letter says; it names everything that the yes is about. `about` says the same for the
    program, exactly: the yes brings the command once more, with `about` among `Actor.agreed`. Whoever answers with a
    question computes it again then, so that a yes is good for these names and this phase only:

        about = f"process {game.phase} without {' '.join(missing)}"
        if missing and about not in actor.agreed:
            return Question("sets-missing", f"{names} have sent nothing for {title}.", about=about)
    """

    about: str = ""


def over(game: str) -> Refusal:
    """The refusal of any change to a game that has ended."""
    return Refusal("game-over", tell("{game} has ended.", game=game))


def gm_only(game: str, *, alone: bool) -> Refusal:
    """The refusal of a Gamemaster's command from anybody else. `alone`: a board for one person, which has none."""
    if alone:
        sentence = tell("{game} is a board for one person: it has no Gamemaster, and needs none.", game=game)
        return Refusal("gm-only", sentence)
    return Refusal("gm-only", tell("Only the Gamemaster of {game} may do that.", game=game))


def not_drawn(game: str) -> Refusal:
    """The refusal of what names somebody by their power, where nobody has one yet."""
    sentence = tell("The powers of {game} are not drawn yet; give the player's name or address.", game=game)
    return Refusal("not-drawn", sentence, mend=f"status {game}")

"""What a mail may ask for beside the commands of a game: questions, and acts upon persons and their addresses.

Nothing here changes a game by itself. The service answers the questions (help, list, status, history, resend,
verify), settles what concerns a person (register, zone, confirm, join) and turns the requests that name somebody by
address into game commands once it knows the person.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from judge.game.core.commands import Command, Create


@dataclass(frozen=True, slots=True)
class Help:
    """The help letter; `topic` is a verb's name, a topic that the service knows, or empty for the overview."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class ListGames:
    """The list of openings and running games."""


@dataclass(frozen=True, slots=True)
class ShowStatus:
    """What is going on in a game: phase, deadline, own orders on file. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class ShowOrders:
    """The author's own orders: on file, kept for later, standing, and what is still to be put right."""


@dataclass(frozen=True, slots=True)
class History:
    """Results of past phases. `since` and `until` are phase codes or years ("S1901M", "1903"); empty: open ended."""

    game: str = ""
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Resend:
    """Send a letter again; `what` is a phase code, or empty for the latest report."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class Ratings:
    """What everybody has to show for the games that are over."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The house rules of a game. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class ReadDiary:
    """The pages of one's own diary: a list of them, or one page by its number."""

    page: int = 0


@dataclass(frozen=True, slots=True)
class Archive:
    """The whole record of a game that is over, as files. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Verify:
    """Is this copy of a letter or an order mail the one on record (B10)? `proof` is the proof code, where given."""

    proof: str = ""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What would come of these orders, own ones and guesses? Private; nothing is kept."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportForgery:
    """A mail that pretends to come from the judge or the Gamemaster; `text`: what was pasted of it, if anything."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Checklist:
    """What must still be decided before the game can open, for its Gamemaster."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Yes to whatever the letter replied to asked; `code` where one was typed."""

    code: str = ""


@dataclass(frozen=True, slots=True)
class Deny:
    """No to whatever the letter replied to asked."""


@dataclass(frozen=True, slots=True)
class Register:
    """Make oneself known. `zone` is an IANA name or empty."""

    name: str = ""
    zone: str = ""


@dataclass(frozen=True, slots=True)
class MyZone:
    """The zone in which this person's letters print times."""

    zone: str


@dataclass(frozen=True, slots=True)
class JoinGame:
    """Join, with what it says about the person too: game command `Join(preferences)` once the person is known."""

    game: str
    preferences: tuple[tuple[str, ...], ...] = ()
    zone: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class AssignByAddress:
    """`assign POWER to ADDRESS`: game command `Assign` once the address is a person."""

    power: str
    address: str


@dataclass(frozen=True, slots=True)
class VacateByAddress:
    """`vacate ADDRESS`: game command `Vacate` for the power of whoever has this address."""

    address: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NewAddress:
    """One more address of one's own; with `of_record` letters go there from now on."""

    address: str
    of_record: bool = True


@dataclass(frozen=True, slots=True)
class DropAddress:
    """Take an address off one's list."""

    address: str


@dataclass(frozen=True, slots=True)
class NewPassword:
    """Set or change the password. The word is shown nowhere."""

    word: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class StandBy:
    """Take a seat that falls vacant, in one game or (empty) in any; or, without `on`, no more."""

    game: str = ""
    on: bool = True


# --- the Gamemaster's desk ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Preview:
    """What the turn would come to if it were processed now; nothing is changed and nobody else is told."""


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a command of the Gamemaster would do; nothing is changed. `verb`: its name in the table."""

    request: Any
    verb: str


@dataclass(frozen=True, slots=True)
class DryCreate:
    """What would come of making a game; nothing is made."""

    command: Create


@dataclass(frozen=True, slots=True)
class GmLog:
    """What the Gamemaster and his deputies did; with `everything`, what the clock and the players did too."""

    everything: bool = False


@dataclass(frozen=True, slots=True)
class UndoAct:
    """Take the Gamemaster's last act back."""


@dataclass(frozen=True, slots=True)
class DeputyByAddress:
    """Game command `Deputize` once the address is a person."""

    address: str
    until: datetime


@dataclass(frozen=True, slots=True)
class HandOverByAddress:
    """Game command `HandOver` once the address is a person."""

    address: str


# --- participants -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Observe:
    """Get what a game publishes. `what`: "report" (everything that is for all), "results", or "digest"."""

    game: str
    what: str = "report"


@dataclass(frozen=True, slots=True)
class Unobserve:
    """Get it no more. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Queue:
    """Wait for a game of a preset to open; it opens when enough wait. Without `on`, wait no more."""

    preset: str = "standard"
    on: bool = True


@dataclass(frozen=True, slots=True)
class PracticeGame:
    """A practice game, as the power named ("France", in the writer's words) or as one by lot."""

    power: str = ""


@dataclass(frozen=True, slots=True)
class MyName:
    """The name under which others know this person."""

    name: str


@dataclass(frozen=True, slots=True)
class Reminders:
    """Whether this person wants reminders."""

    on: bool


@dataclass(frozen=True, slots=True)
class ForgetMe:
    """Erase this person: name, addresses, settings."""


Looking = WhatIf | Preview | DryRun | DryCreate | GmLog | Checklist
Reading = ShowStatus | ShowOrders | History | HouseRules | ReadDiary
Query = Looking | Reading | Help | ListGames | Resend | Verify | Ratings | Archive
"""Questions: they change nothing at all."""

Account = Confirm | Deny | Register | MyZone | MyName | NewAddress | DropAddress | NewPassword | Reminders | ForgetMe
Taking = JoinGame | AssignByAddress | VacateByAddress | StandBy | Queue | PracticeGame | Observe | Unobserve
Errand = Account | Taking | ReportForgery | UndoAct | DeputyByAddress | HandOverByAddress
"""Requests about persons."""

Request = Command | Query | Errand
"""All that one line of a mail can ask for."""

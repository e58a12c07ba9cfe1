"""What a mail may ask for beside the commands of a game: questions, and acts upon persons and their addresses.

Nothing here changes a game by itself. The service answers the questions (help, list, status, history, resend,
verify), settles what concerns a person (register, zone, confirm, join) and turns the requests that name somebody by
address into game commands once it knows the person.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from judge.game.commands import Command


@dataclass(frozen=True, slots=True)
class Help:
    """The help letter; `topic` is a verb's name, a topic that the service knows, or empty for the overview."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class ListGames:
    """The list of openings and running games."""


@dataclass(frozen=True, slots=True)
class Status:
    """What is going on in a game: phase, deadline, own orders on file. Empty: the game of the address."""

    game: str = ""


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
class Verify:
    """Is this copy of a letter or an order mail the one on record (B10)? `proof` is the proof code, where given."""

    proof: str = ""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Yes to whatever the letter replied to asked; `code` where one was typed."""

    code: str = ""


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


Query = Help | ListGames | Status | History | Resend | Verify
"""Questions: they change nothing at all."""

Errand = Confirm | Register | MyZone | JoinGame | AssignByAddress | NewAddress | DropAddress | NewPassword
"""Requests about persons."""

Request = Command | Query | Errand
"""All that one line of a mail can ask for."""

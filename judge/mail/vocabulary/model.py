"""What a verb is: the words it goes by, who may use it, how its line is read, and an example that is also its test."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, tzinfo
from enum import StrEnum
from functools import partial

from judge.board.model import Board
from judge.board.phase import Phase
from judge.game.core.commands import Role
from judge.mail.queries import Request
from judge.rules.calendar import CALENDAR_1976, Calendar, read_phase


class AddressKind(StrEnum):
    """Which kind of address understands a verb."""

    JUDGE = "judge"
    """judge@: no game is meant yet."""
    GAME = "game"
    """judge+GAME@, or a line that names the game."""
    SEAT = "seat"
    """The reply address of a player or of the GM."""


class BodyRule(StrEnum):
    """What may follow a verb's line and belongs to it."""

    NONE = "none"
    TEXT = "text"
    """Prose up to the end word, or to the end of what the author wrote."""
    ORDERS = "orders"
    """Orders that are not given: up to the end word, to another command, or to the end of the mail."""
    SETTINGS = "settings"
    """Lines NAME = VALUE."""
    PARAGRAPH = "paragraph"
    """What follows the line without a blank one between, up to another command."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line that was recognised but not understood. `candidates` are lines to send instead, or, where there is a
    `word`, what may stand in its place in the line.
    """

    reason: str
    sentence: str
    candidates: tuple[str, ...] = ()
    word: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """What the next lines are for: a game, a power, the code of a phase; each "" if the heading does not say."""

    game: str = ""
    power: str = ""
    turn: str = ""
    secret: str = ""
    """A password that stood on the same line (sign on)."""
    replace: bool = False
    """The orders below replace what is on file."""
    amends: bool = False
    """The orders below put right what was read wrongly then, in a phase that was taken back."""
    then: Request | None = None
    """What it asks for besides: who signs on to watch a game, or to join it, has no seat there yet."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A password or PIN line."""

    value: str


@dataclass(frozen=True, slots=True)
class Around:
    """What is known at a line of a mail, to read names, dates and games in it."""

    now: datetime
    zone: tzinfo
    role: Role = Role.STRANGER
    game: str = ""
    board: Board | None = None
    phase: Phase | None = None
    calendar: Calendar = CALENDAR_1976
    calendar_of: Callable[[str], Calendar] = lambda game: CALENDAR_1976
    """Any game's calendar."""
    powers: tuple[str, ...] = ()
    games: Mapping[str, Board] = field(default_factory=dict)
    default_time: time | None = None
    """Time of day of a date that names none; None is the end of the day."""
    find: Callable[[str], Match | None] = field(default=lambda line: None, compare=False)
    """The verb that begins a line, for verbs that take another one ("dry-run: extend 24h")."""

    def phase_in(self, text: str) -> str | None:
        """The code of the phase that a text names in this game, or None."""
        return read_phase(text, self.calendar, self.phase)


Reading = Request | Unclear | Heading | Secret
"""What a verb's line comes to."""


@dataclass(frozen=True, slots=True)
class Clause:
    """The line of a verb: `word` as matched, `rest` what follows it, `body` the lines that belong to it."""

    word: str
    rest: str
    around: Around
    body: str = ""


Read = Callable[[Clause], Reading]


ANYONE = frozenset(Role) - {Role.JUDGE}
PLAYERS = frozenset({Role.PLAYER})
GMS = frozenset({Role.GM, Role.OPERATOR})
EVERYWHERE = frozenset(AddressKind)
IN_GAMES = frozenset({AddressKind.GAME, AddressKind.SEAT})


def named(words: str) -> tuple[str, ...]:
    """Words with commas between them, each by itself."""
    return tuple(filter(None, map(str.strip, words.split(","))))


@dataclass(frozen=True, slots=True)
class Verb:
    """One row of the table. `words` are all its names, the one that help prints first; a name may have blanks."""

    name: str
    words: tuple[str, ...]
    summary: str
    usage: tuple[str, ...]
    example: str
    read: Read
    roles: frozenset[Role] = PLAYERS
    places: frozenset[AddressKind] = IN_GAMES
    body: BodyRule = BodyRule.NONE
    ends: tuple[str, ...] = ()
    """Lines that end its body."""
    verbatim: bool = False
    """Its body is all that stands below, whatever it looks like, up to one of `ends`."""
    aside: bool = False
    """It has to do with no game: in a letter about one it takes nothing of what stands below, which may be orders."""
    fills: re.Pattern[str] | None = None
    """A line with this behind the verb has such a body, though others of the verb have none: "item 14 edit"."""
    risky: bool = False
    """Never abbreviated and never guessed: it cannot be taken back."""
    names_game: bool = False
    """Its own arguments begin with a game, so that the reader must not take it off."""
    after_orders: bool = False
    """A line that reads as an order is one, although it begins with this word ("hold F Lon")."""
    whole: bool = False
    """Only a line that says nothing else is meant: "Orders for Spring 1901:" and "Orders:" are headings."""
    topic: str = ""
    """The page of help that it stands on: the name of a `HelpTopic`."""
    some_games: tuple[str, ...] = ()
    """Of its usage what the house rules of a game may forbid: help shows it, and nobody is told to write it."""
    after: str = ""
    """The verb behind which help prints it; "": it stands where its row does."""


class Part(StrEnum):
    """Parts of the handbook, by their headings, in its order."""

    BEGINNING = "First steps"
    ORDERS = "Orders"
    TIME = "Deadlines"
    TALK = "Press and votes"
    SEAT = "Your place in the game, your letters and you"
    GAMEMASTER = "For the Gamemaster"
    EDITOR = "Zines"
    OLDER = "Words of older judges"


@dataclass(frozen=True, slots=True)
class HelpTopic:
    """A page of help. Its text is the template `help/pages/NAME.txt`, with `_` for each blank; without one it is the
    list of its verbs. A module of verbs may have topics of its own, in `TOPICS`.
    """

    name: str
    title: str
    part: Part
    asks: str = ""
    """Other words that ask for it, in lower case, with commas between them."""
    more: tuple[str, ...] = ()
    """Topics that go on from here."""
    kind: str = ""
    """The kind of order that it is about: where the rules of a game know none, it has no such page."""
    after: str = ""
    """The topic behind which it stands; "": those of the modules stand at the end of their part."""
    paged: bool = False
    """A module's own topic that has a text; those of `judge.mail.vocabulary.topics` all have one."""

    @property
    def names(self) -> tuple[str, ...]:
        """All words that ask for it, its own name first."""
        return (self.name, *named(self.asks))


VerbOfAll = partial(Verb, roles=ANYONE, places=EVERYWHERE)
"""A verb for everybody, understood at every address."""
VerbOfGm = partial(Verb, roles=GMS)
"""A verb of the Gamemaster and the operator."""


@dataclass(frozen=True, slots=True)
class Match:
    """A verb found at the beginning of a line: the name it was called by, and what follows."""

    verb: Verb
    word: str
    rest: str

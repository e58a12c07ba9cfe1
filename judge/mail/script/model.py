"""The script of a mail: what its author asks for, line by line, with nothing left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, tzinfo
from enum import StrEnum

from judge.board.model import Board
from judge.board.position import Position
from judge.game.core.commands import Role, Submit
from judge.mail.queries import PersonRequest, Request
from judge.mail.vocabulary import Around, find_verb
from judge.rules.business import Business
from judge.rules.calendar import CALENDAR_1976, Calendar
from judge.rules.questions import NO_BUSINESS

SUBJECT = 0
"""The line number of the subject."""


class Unasked(StrEnum):
    """Why a line asks for nothing."""

    BLANK = "blank"
    COMMENT = "comment"
    COURTESY = "courtesy"
    """A greeting, thanks, a name."""
    UNASKED = "unasked"
    """A yes beside lines that ask for something, in no answer to a letter that asks for one."""
    CHATTER = "chatter"
    """Words that are neither a command nor an order."""
    HEADING = "heading"
    """Says for what the lines below are."""
    PASSWORD = "password"
    STOP = "stop"
    """END, SIGNOFF: nothing is read below."""
    AFTER_STOP = "after-stop"
    AFTER_FAILURES = "after-failures"
    """Below several lines in a row that could not be read."""
    UNTRIED = "untried"
    """Below a `dry-run` without a command: its author meant to try what stands here, not to do it."""
    REPEATED = "repeated"
    """Asks for what the line above it asks for."""
    REPLACED = "replaced"
    """Takes earlier orders back, above others for every unit."""
    FORM = "form"
    """A line of the order form that was left as it was."""
    REPORT = "report"
    """Part of a report that was sent back."""
    OTHERS = "others"
    """Another power's line in a list of results."""
    QUOTED = "quoted"
    ATTRIBUTION = "attribution"
    SIGNATURE = "signature"
    DISCLAIMER = "disclaimer"
    FOOTER = "footer"
    FORWARDED = "forwarded"
    SUBJECT = "subject"
    """A subject that asks for nothing."""
    ANSWER = "answer"
    """The yes or no, or the like, with which a mail answers a letter; what came of it is known elsewhere."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """One request, and the lines it was read from. `text` is what was written, passwords hidden.

    `game`: the game it is for, as the line, a heading or the address says; empty at judge@.
    `notes`: slugs of what was done to read it: "abbreviated", "choice", "form", "from-subject".
    `here`: of a line in the words of another judge, a sentence that shows it in ours.
    """

    request: Request
    lines: tuple[int, ...]
    text: str
    verb: str
    game: str = ""
    notes: tuple[str, ...] = ()
    here: str = ""

    @property
    def named(self) -> str:
        """What it asks for, as letters name it without quoting: "leave", "zine close"."""
        doing = self.request.doing if isinstance(self.request, PersonRequest) else ""
        return f"{self.verb} {doing}" if doing else self.verb


@dataclass(frozen=True, slots=True)
class Unread:
    """Lines that were to be a command and could not be followed. `candidates` are lines to send instead."""

    lines: tuple[int, ...]
    text: str
    reason: str
    sentence: str
    candidates: tuple[str, ...] = ()
    verb: str = ""

    @property
    def line(self) -> int:
        """The first of its lines."""
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line that asks for nothing, and why."""

    line: int
    text: str
    why: Unasked


@dataclass(frozen=True, slots=True)
class LineTaken:
    """A line that was read. `by`: what it was taken for, then what its parts were (`reader.READERS`), nothing for one
    that belongs to the line above it. `became`: "said", "unread", or why it asks for nothing.
    """

    line: int
    by: tuple[str, ...]
    became: str


@dataclass(frozen=True, slots=True)
class Script:
    """A mail read: requests in the order in which they are to be carried out, and every other line.

    `secrets` are the passwords that the author typed, three at most; no text in here shows them, nor any that stood in
    a quotation, which proves nothing. `edited`: numbers of quoted lines that
    count as typed, being lines of our order form that were changed. `read`: the lines that somebody typed, each
    with who took it.
    """

    said: tuple[ReadRequest, ...] = ()
    unread: tuple[Unread, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    secrets: tuple[str, ...] = field(default=(), repr=False)
    edited: tuple[int, ...] = ()
    read: tuple[LineTaken, ...] = field(default=(), compare=False)

    @property
    def orders(self) -> Iterator[Submit]:
        """The order blocks."""
        return (said.request for said in self.said if isinstance(said.request, Submit))

    @property
    def empty(self) -> bool:
        """Whether the mail asks for nothing at all."""
        return not self.said and not self.unread

    def accounts(self) -> dict[int, str]:
        """What became of each line: "said", "unread", or why it was ignored."""
        found = {number: "said" for said in self.said for number in said.lines}
        found |= {number: "unread" for unread in self.unread for number in unread.lines}
        return found | {ignored.line: str(ignored.why) for ignored in self.ignored}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptContext:
    """What is known of a mail's sender and address before its text is read.

    - `game`, `board`, `position`: the game of the address, and how it stands; None before the start, or at judge@.
    - `addressed`: whether the address named that game; else it is the only one that the sender plays.
    - `role`, `powers`: the seat that the mail speaks for; a stranger's role where nobody knows yet.
    - `games`: every game that the sender may name, with its board; `calendar_of`: its calendar;
      `business_of`: the lines that its rules know beside orders, by their words.
    - `vacant_in`: the powers of a game that nobody plays and that the sender might take over.
    - `players_of`: the powers of each player of a game, by name and by address in small letters; None where that is
      secret.
    - `votes`: numbers of the votes that are open for the sender, `ballots`: the lines that vote in them; `called`: the
      one whose call the mail answers; `free`: whether the letter answered, if any, asks for nothing that a yes could be
      about.
    - `press`: the line that answers the press to which the mail replies, "press to France".
    - `turn`: the phase code of the letter replied to, if it called for orders.
    - `form`: lines of the order form in that letter, exactly as sent.
    - `choices`: the lines that its numbered answers stand for.
    - `domain`: the judge's mail domain; `offered`: games that a line without one may mean: the sender's own, else those
      that everybody sees.
    """

    now: datetime
    zone: tzinfo
    role: Role = Role.STRANGER
    game: str = ""
    addressed: bool = True
    board: Board | None = None
    position: Position | None = None
    powers: tuple[str, ...] = ()
    games: Mapping[str, Board] = field(default_factory=dict)
    calendar_of: Callable[[str], Calendar] = lambda game: CALENDAR_1976
    business_of: Callable[[str], Mapping[str, Business]] = lambda game: NO_BUSINESS
    vacant_in: Callable[[str], Collection[str]] = lambda game: ()
    players_of: Callable[[str], Mapping[str, tuple[str, ...]] | None] = lambda game: {}
    votes: tuple[int, ...] = ()
    ballots: tuple[str, ...] = ()
    called: int = 0
    free: bool = True
    press: str = ""
    turn: str = ""
    form: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    domain: str = ""
    offered: Callable[[], tuple[str, ...]] = tuple
    default_time: time | None = None

    def around(self, game: str = "") -> Around:
        """What a verb of this mail can know, in the game that a line or heading names."""
        elsewhere = bool(game) and game != self.game
        return Around(
            now=self.now,
            zone=self.zone,
            role=Role.STRANGER if elsewhere else self.role,
            game=game or self.game,
            board=self.games.get(game) if elsewhere else self.board or self.games.get(self.game),
            phase=self.position.phase if self.position and not elsewhere else None,
            calendar=self.calendar_of(game or self.game),
            calendar_of=self.calendar_of,
            powers=() if elsewhere else self.powers,
            games=self.games,
            default_time=self.default_time,
            find=find_verb,
        )

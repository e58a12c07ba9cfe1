"""A letter before it is composed: its kind, its reader, its view; the frame of every letter (game, persons, footer);
and what the service hands over for a receipt.

The transaction that changes a game stores its letters in this shape. Composing happens later, from the stored JSON
alone, so that a letter tells what was true when it was decided on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum, StrEnum
from types import MappingProxyType, NoneType
from typing import Any

import msgspec

from judge.board.model import Board
from judge.game.core.commands import GM_SEAT, Decision, Refusal, Status, Verdict
from judge.game.core.immutable import remembered, remembered_briefly
from judge.game.core.model import Game, Stage
from judge.game.talk.press import edits
from judge.languages import tell
from judge.report.core.naming import Moment, Said, Who, power_name, powers_named
from judge.rules import Rules
from judge.rules.model import RULE_SYSTEMS

Json = Any
"""Plain JSON: dicts, lists, strings, numbers, booleans, None."""


class Kind(StrEnum):
    """Kinds of letters; `templates/` holds a folder for each, and one for each kind of answer to a question."""

    CREATED = "created"
    WELCOME = "welcome"
    STARTED = "started"
    TAKEOVER = "takeover"
    VACANCY = "vacancy"
    INVITATION = "invitation"
    RESULTS = "results"
    RECEIPT = "receipt"
    REMINDER = "reminder"
    LATE = "late"
    NOTICE = "notice"
    PRESS = "press"
    VOTE = "vote"
    ENDED = "ended"
    ERROR = "error"
    STRANGER = "stranger"
    CONFIRM = "confirm"
    HELD = "held"
    AWAITED = "awaited"
    CORRECTED = "corrected"
    APPEAL = "appeal"
    ALERT = "alert"
    PRACTICE = "practice"
    SANDBOX = "sandbox"
    SHOWN = "shown"
    TOURNAMENT = "tournament"
    STATEMENTS = "statements"
    DIGEST = "digest"
    DOSSIER = "dossier"
    ARCHIVE = "archive"


class Thread(StrEnum):
    """Under what a letter is filed in the reader's mailbox."""

    GAME = "game"
    """The one thread of the game: results, notices, reminders, votes."""
    MAIL = "mail"
    """Under the reader's own mail, which it answers."""
    ALONE = "alone"
    """Nothing to hang on: press, and answers to mails without a Message-ID."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter to one reader.

    `person` is 0 for somebody we know only by `address`; otherwise the person's address of record is looked up when
    the letter is sent. `reply_as` is the seat whose token address goes into Reply-To ("": the judge's own address).
    `parent` is the Message-ID of the mail answered (Thread.MAIL); `topic` names a thread other than the game's.
    `idem_key` says what the letter is: a second letter with the same key is the same letter. `answers`: it says all
    that a receipt for the mail that caused it would say.
    """

    kind: str
    idem_key: str
    view: Mapping[str, Json]
    game: str = ""
    seat: str = ""
    person: int = 0
    address: str = ""
    reply_as: str = ""
    thread: Thread = Thread.GAME
    parent: str = ""
    topic: str = ""
    answers: bool = False
    veil: timedelta = timedelta()
    """How long at most it waits so that its moment tells nothing about its author, who is hidden; 0: nobody is."""
    wait: timedelta = timedelta()
    """How long it stays here, so that it can be recalled."""

    def frozen(self) -> str:
        """What the outbox keeps: the view and where to file it, as JSON text."""
        kept = {
            "view": self.view,
            "reply_as": self.reply_as,
            "thread": self.thread.value,
            "parent": self.parent,
            "topic": self.topic or self.game,
        }
        return msgspec.json.encode(kept).decode()


def frozen(letters: Iterable[Letter]) -> list[str]:
    """What the outbox keeps of several letters, in their order."""
    return [letter.frozen() for letter in letters]


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer to a letter may refer to; stored with the view for whoever reads the answer.

    `turn`: code of the phase that the letter calls orders for, `version` of the results it stands on; `form`: the
    lines of its order form; `choices`: the lines that its numbers stand for, the first being number 1; `yes`: the line
    that a plain yes stands for.
    """

    turn: str = ""
    version: int = 0
    form: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    yes: str = ""


@dataclass(frozen=True, slots=True)
class Plain:
    """Facts that are plain JSON already, shared by several letters."""

    json: Json


def plain(value: Any) -> Json:
    """A view as plain JSON: the one codec of views. Dataclasses become objects, tuples lists, moments ISO UTC,
    spans of time seconds; a fact to be put into words holds its key under "say".

    >>> plain({"kind": Kind.RECEIPT, "lines": ("a", "b")})
    {'kind': 'receipt', 'lines': ['a', 'b']}
    """
    kind = type(value)
    if kind is Plain:
        return value.json
    if kind is Said:
        return _each_plain({"say": value.key, **value.facts})
    if kind in _SCALARS:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in _SCALARS else plain(item) for item in value]
    if (names := _FIELDS.get(kind)) is None and is_dataclass(kind):
        names = _FIELDS[kind] = tuple(field.name for field in fields(kind))
    if names is not None:
        return _each_plain({name: getattr(value, name) for name in names})
    return _rarer(value)


def _each_plain(facts: dict[str, Any]) -> dict[str, Json]:
    for name, fact in facts.items():
        if type(fact) not in _SCALARS:
            facts[name] = [] if fact is _NOTHING else plain(fact)
    return facts


_NOTHING: tuple[()] = ()
"""There is one empty tuple, and it is what most lists of a view are."""


_SCALARS = frozenset({str, int, bool, NoneType})
"""What is plain JSON as it is: most of every view, so it is passed over where it stands."""

_FIELDS: dict[type, tuple[str, ...]] = {}
"""The fields of every class of view met so far."""


def _rarer(value: Any) -> Json:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, timedelta):
        return int(value.total_seconds())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, frozenset, set)):
        items = sorted(value) if isinstance(value, (set, frozenset)) else value
        return [plain(item) for item in items]
    return value


@dataclass(frozen=True, slots=True)
class Member:
    """A person: number, name, address of record, own time zone ("": none known), check phrase."""

    person: int
    name: str
    address: str = ""
    zone: str = ""
    phrase: str = ""
    record: str = ""
    """Their reliability in words, for Gamemasters and for themselves."""
    language: str = ""
    """The code of the language in which they get letters; "" for the usual one."""


@dataclass(frozen=True, slots=True)
class Office:
    """The judge itself: its name, the mail domain, the address that takes commands."""

    name: str = "Judge"
    domain: str = "localhost"
    address: str = "judge@localhost"

    def game_address(self, key: str) -> str:
        """The public address of a game: "judge+tannenburg@..."."""
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{key}@{domain}" if key else self.address


@dataclass(frozen=True, slots=True)
class Cast:
    """Everybody a batch of letters may name or reach. `observers`: persons who get what everybody gets."""

    members: Mapping[int, Member]
    office: Office = Office()
    observers: tuple[int, ...] = ()
    standbys: tuple[int, ...] = ()
    """Persons who would take a seat of this game."""
    openings: tuple[int, ...] = ()
    """Persons who wish to hear of every seat that is free."""
    writer: int = 0
    """The person whose mail brought it about, who gets an answer to it; 0 for nobody's."""
    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Further facts for footers: "number" (of the custodian), "house_rules" (version)."""

    def member(self, person: int) -> Member:
        """The person's facts; an unknown number yields a nameless member."""
        try:
            return self.members[person]  # of those who are looked up when asked for, `get` knows only who was
        except KeyError:
            return Member(person, f"player {person}")


def shown_name(game: Game, cast: Cast, seat: str) -> str:
    """The name of whoever holds a seat, as the other players may read it; "" when nobody does or it is secret.

    In an anonymous game names are secret until the end; the Gamemaster is always known.
    """
    if seat == GM_SEAT:
        return cast.member(game.gm).name
    person = game.seats[seat].person if seat in game.seats else None
    if person is None or (game.settings.anonymous and game.stage is not Stage.ENDED):
        return ""
    return cast.member(person).name


@dataclass(frozen=True, slots=True)
class Reader:
    """One person who gets a letter, and the seat that they hold in its game ("" for an observer or an editor). A
    `deputy` acts for whoever holds it, the Gamemaster or a player who has a substitute, and reads what they read.
    """

    seat: str
    member: Member
    deputy: bool = False

    @property
    def slot(self) -> str:
        """The reader's part of a letter's key: their seat, or their number where they have none."""
        return self.seat if self.seat and not self.deputy else f"p{self.member.person}"


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of a letter as its templates see it.

    `phase`: for subjects ("F1901 Moves"); `to`: who reads ("France", "Gamemaster", "observer", "editor", "player");
    `variant` and `differences`: board and rules in words; `own_rules`: whether these differ from another system's
    rules than those of 1976; `label`: what a reconstructed board must say; `number`: that of the custodian;
    `house_rules`: their version; `phrase`: the reader's check phrase.
    """

    game: str
    phase: str
    to: str
    name: str
    variant: str
    rules: str = ""
    phrase: str = ""
    differences: str = ""
    own_rules: bool = False
    label: str = ""
    number: str = ""
    house_rules: str = ""
    judge: str = "Judge"
    help: str = ""
    most: int = 0
    """Bytes of text that the letter may have between its first line and its foot; 0: no bound."""
    part: tuple[str, ...] | None = None
    """Of a board that no telephone can show whole: the powers whose part of it concerns the reader."""
    last: str = ""
    """That there are no more answers for a while, in a sentence."""


@remembered
def _differences(rules: Rules) -> str:
    """The choices that are not answered as the rules themselves do, by name; a system of its own has a page for what
    makes it one.
    """
    usual = type(rules)().choices()
    return ", ".join(f"{name} = {answer}" for name, answer in rules.choices().items() if answer != usual[name])


@dataclass(frozen=True, slots=True)
class Letterhead:
    """What all letters about a game have in common at one moment: the `frame` without its reader, what a `reply` refers
    to, the `board`, and whether the game has one player only (`alone`).
    """

    game: Game
    board: Board
    alone: bool
    frame: Frame
    reply: Reply

    def to(self, reader: Reader, cast: Cast, *, most: int = 0) -> Frame:
        """The frame of a letter to this reader; `most`: bytes of text that it may have, 0 for any."""
        return replace(
            self.frame,
            to=self._title(reader),
            name=reader.member.name,
            phrase=reader.member.phrase,
            number=cast.names.get("number", ""),
            house_rules=cast.names.get("house_rules", "") or self.frame.house_rules,
            judge=cast.office.name,
            help=cast.office.address,
            most=most,
            part=powers_of_seat(self.game, reader.seat) if self.board.facts.get("crowded") else None,
        )

    def _title(self, reader: Reader) -> str:
        """What the letter calls its reader: the powers of their seat, or what they are.

        It is "" where they play them all, and for a stranger.
        """
        if self.alone:
            return ""
        if reader.seat == GM_SEAT:
            return "deputy" if reader.deputy else "Gamemaster"
        seat = self.game.seats.get(reader.seat)
        if seat is None and not reader.member.person:
            return ""
        if seat is None:
            return "editor" if edits(self.game, reader.member.person) else "observer"
        return powers_named(seat.powers, self.board) or "player"


def powers_of_seat(game: Game, seat: str) -> tuple[str, ...]:
    """The powers of a seat; none where there is no such seat."""
    found = game.seats.get(seat)
    return found.powers if found is not None else ()


@remembered_briefly
def letterhead(game: Game) -> Letterhead:
    """The letterhead of a game; make it once for all readers of a batch."""
    board, rules, phase = game.board, game.rules, game.phase
    words = _rules_words(rules)
    common = Frame(
        game=game.key,
        phase=rules.calendar.label(phase) if phase and game.stage is Stage.RUNNING else "",
        to="",
        name="",
        variant=_variant_words(board, words),
        rules=words,
        differences=_differences(rules),
        own_rules=type(rules) is not Rules,
        label=tell(board.reconstruction) if board.reconstruction else "",
        house_rules=str(game.rules_version) if game.rules_version > 1 else "",
    )
    reply = Reply(str(phase) if phase else "", game.results_version)
    return Letterhead(game, board, game.sandbox is not None, common, reply)


def variant_words(game: Game) -> str:
    """Board and rules: "Diplomacy (1976 rules)", "Diplomacy (Four players)"; the title alone where the rules are called
    like their board. A board's title may name the rules that it was made for; those of the game stand in their place.
    """
    return _variant_words(game.board, _rules_words(game.rules))


def played_by(board: Board, rules: Rules) -> str:
    """Board and rules in words, of games that are still to be made."""
    return _variant_words(board, _rules_words(rules))


def _variant_words(board: Board, rules: str) -> str:
    title = board.title
    return tell(title) if rules == tell(title) else f"{tell(_MADE_FOR.sub('', title))} ({rules})"


def _rules_words(rules: Rules) -> str:
    title = RULE_SYSTEMS[rules.key].title
    return tell(title) if " " in title else tell("{title} rules", title=tell(title))


def labelled(game: Game) -> str:
    """Board and rules in words, with the note that the board is a reconstruction if it is one; for places without a
    frame.
    """
    return "; ".join(filter(None, (variant_words(game), tell(game.board.reconstruction or ""))))


_MADE_FOR = re.compile(r" \([^()]* rules\)$")


def office_frame(member: Member, office: Office) -> Frame:
    """The frame of a letter that is about no game."""
    return Frame("", "", "you", member.name, "", phrase=member.phrase, judge=office.name, help=office.address)


def who(game: Game, seat: str, deputy: str = "") -> Who:
    """A seat as a fact, for templates to name. `deputy`: the name of the one who acts for the Gamemaster, where one
    does.
    """
    if seat == GM_SEAT:
        return Who("gm", (deputy,) if deputy else ())
    if seat in ("judge", "operator", ""):
        return Who("judge")
    held, board = game.seats.get(seat), game.board
    powers = tuple([power_name(power, board) for power in (held.powers if held else ())])
    return Who("powers", powers) if powers else Who("seat", (seat,))


def moment(game: Game, at: datetime, member: Member | None = None) -> Moment:
    """A moment of a game as a fact. `member`: the reader whose own zone is to be printed too; None for the game's
    alone.
    """
    return Moment(at, game.settings.zone, member.zone if member else "")


def seat_title(game: Game, seat: str) -> str:
    """What others call a seat: its powers, "the Gamemaster", "the judge", or "seat 3" before the lot."""
    if seat == GM_SEAT:
        return tell("the Gamemaster")
    if seat in ("judge", "operator", ""):
        return tell("the judge")
    held = game.seats.get(seat)
    return powers_named(held.powers if held else (), game.board) or tell("seat {number}", number=seat)


def readers(game: Game, cast: Cast, at: datetime) -> Iterator[Reader]:
    """Everybody with a seat, in the order of seats, then the Gamemaster, whoever is their deputy at this moment, and
    the observers.
    """
    for seat in game.seats.values():
        if seat.person is not None:
            yield Reader(seat.id, cast.member(seat.person))
    acting = {
        (seat.id, one.person)
        for seat in game.seats.values()
        if seat.substitute is not None and (one := seat.substitute_at(at)) and one.person
    }
    for played, person in sorted(acting):
        yield Reader(played, cast.member(person), deputy=True)
    if game.gm:
        yield Reader(GM_SEAT, cast.member(game.gm))
    deputy = game.deputy.person if game.deputy is not None and at <= game.deputy.until else 0
    if deputy:
        yield Reader(GM_SEAT, cast.member(deputy), deputy=True)
    seated = {seat.person for seat in game.seats.values()} | {game.gm, deputy} | {person for _, person in acting}
    for person in cast.observers:
        if person not in seated:
            yield Reader("", cast.member(person))


BY_PROXY = "orders by proxy"
"""The verb of orders for units of another player: they say nothing about how their author stands with their own."""

ORDERING = ("orders", "clear", "undo", "drop line")
"""Verbs after which the receipt says how the orders stand."""


@dataclass(frozen=True, slots=True)
class Received:
    """The mail that is answered, and what proves it.

    `id`: the judge's own number for it; `message_id`: its Message-ID with brackets, "" if it had none; `at`: when it
    arrived at our site; `sha256`: of the bytes received, in hex; `subject`: decoded; `mistrusted`: "" or a sentence
    that the reader must see first ("This came from an address that is not on file.").
    """

    id: str
    at: datetime
    sha256: str
    message_id: str = ""
    subject: str = ""
    mistrusted: str = ""
    unfilled: bool = False
    """Whether it brought nothing but our order form, as it was sent."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The answer to a question (help, list, status, history) as a view; it travels inside the receipt."""

    kind: str
    """Of its template: a folder."""
    view: Mapping[str, Any]
    game: str = ""
    """The game that it is about, "" for none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One command of the mail and what became of it.

    `line`: its line number (0: from the subject); `text`: as written, secrets redacted; `sentence`: finished
    English; `mend`: the line to send instead; `verdicts`: for orders, one for each line of orders; `game`: for which.
    """

    line: int
    text: str
    status: Status
    sentence: str = ""
    mend: str = ""
    clause: str = ""
    verb: str = ""
    slug: str = ""
    verdicts: tuple[Verdict, ...] = ()
    game: str = ""
    enclosed: bool = False
    """Whether it was a question that an enclosure answers, unless it was refused."""
    about: str = ""
    """The name of what it is about, where the subject must say it."""

    @property
    def orders_own(self) -> bool:
        """Whether it was about orders for the author's own units, so that their receipt says how they stand."""
        return self.verb != BY_PROXY and (bool(self.verdicts) or self.verb in ORDERING)

    @classmethod
    def of(
        cls, result: Decision | Refusal, *, line: int, text: str, verb: str = "", game: str = "", enclosed: bool = False
    ) -> Answer:
        """The answer that a decision or a refusal comes to."""
        if isinstance(result, Refusal):
            said, mend, clause, slug = tell(result.sentence), result.mend, result.clause, result.slug
            return cls(line, text, Status.REFUSED, said, mend, clause, verb, slug, game=game, enclosed=enclosed)
        verdicts = result.verdicts
        return cls(line, text, Status.TAKEN, result.said, verb=verb, verdicts=verdicts, game=game, enclosed=enclosed)

"""The hearing of one mail: its author, its requests, whether the proofs suffice, the outcome of each line, and the
errands that it leaves for a reply.

Everything happens in one unit of work. A mail has exactly one disposition: answered, held, or silent with a logged
reason.

Who answers which request of a mail: one table, to which `@answers` adds a function by the class of its request; and
trying a request out.

Who may read about a game: everybody about one that is on the list, else those who have to do with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from inspect import signature
from typing import Any, TypeVar

from judge.game.core.commands import GM_SEAT, Actor, Command, Context, Create, Decision, Question, Refusal, Role
from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.game.decide import decide
from judge.game.table.substitutes import BeSubstitute
from judge.game.table.vacancies import Claim
from judge.languages import tell
from judge.mail.envelope import Envelope
from judge.mail.queries import PersonRequest, Query, Request
from judge.mail.script import ReadRequest, Script
from judge.mail.vocabulary.account import Register
from judge.mail.vocabulary.founding import HearOfGames
from judge.mail.vocabulary.participants import Observe, PracticeGame, Queue, StandBy
from judge.mail.vocabulary.player import JoinGame
from judge.mail.vocabulary.sandbox import SandboxGame
from judge.mail.vocabulary.tournament import EnterTournament
from judge.report.core import naming
from judge.report.core.letter import Answer, Enclosure, Letter, Received
from judge.service.core.directory import (
    Errand,
    topic_of,
    write_errand,
)
from judge.service.core.judge import Judge
from judge.service.core.keeper import GameChange, Ledger, thaw_all
from judge.service.posting.outgoing import put
from judge.service.trust.prove import ActKind, Speaker, act_of
from judge.store import Transaction
from judge.store.rows import Mail, Person

HELD_FOR = timedelta(hours=72)
"""How long a mail, or a question, waits for a word; our letter says so."""

_COMES_IN = (
    JoinGame, Register, StandBy, Claim, BeSubstitute, Observe, Queue, HearOfGames, PracticeGame, SandboxGame,
    EnterTournament, Create,
)  # fmt: skip
"""What an unknown address may ask for, once it is confirmed, beside requests that are about no game."""


def comes_in_by(request: object) -> bool:
    """Whether an unknown address may ask for this, once it is confirmed."""
    return isinstance(request, _COMES_IN) or (isinstance(request, PersonRequest) and request.beside)


@dataclass(frozen=True, slots=True)
class AnsweredLetter:
    """The letter of ours that a mail answers, as it was sent."""

    kind: str = ""
    """"" for none."""
    called: tuple[str, int] = ("", 0)
    """The game and the number of the vote that it called."""
    press: str = ""
    """The line that answers it, where it is press."""
    turn: str = ""
    version: int = 0
    """Of the results on which it stands."""
    form: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    yes: str = ""
    """The line that a plain yes stands for; "" where it stands for none."""
    tournament: str = ""
    """The tournament that the letter is about."""
    unfilled: bool = False
    """Whether the mail brought nothing but its order form, as it was sent."""


@dataclass(frozen=True, slots=True)
class Consent:
    """What the author of a mail has said yes or no to."""

    agreed: tuple[str, ...] = ()
    """What they have said yes to, as the questions had it."""
    first_mail: int = 0
    """The mail whose lines are carried out here, where that is not the one that is heard: its author said yes."""
    word_taken: str = ""
    """What the yes or no in this mail brought about."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """Whether a mail is heard after others of its author that came later."""

    comes_late: bool = False
    """It is, or may be."""
    later: Mapping[str, frozenset[tuple[str, str, str]]] = field(default_factory=dict)
    """By game: what mails that came after this one have said (`judge.service.trust.lateness`)."""


@dataclass(slots=True)
class Done:
    """What a mail has brought about so far. Every handler of a request adds to it."""

    changes: dict[str, GameChange] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    enclosures: list[Enclosure] = field(default_factory=list)
    commands: list[dict[str, Any]] = field(default_factory=list)
    """For the log and `judge feed --json`: one entry per line that asked for something."""
    letters: list[dict[str, str]] = field(default_factory=list)
    questions: list[tuple[ReadRequest, Question]] = field(default_factory=list)
    """Lines that wait for their author's yes, and what they are asked."""
    asked: set[tuple[object, str]] = field(default_factory=set)
    """Questions that were answered, with the game that they were about."""
    pressed: int = 0
    """Pieces of press that this mail has sent."""
    newcomer: Person | None = None
    """Its author, who was nobody before it, or has another name since."""
    forgotten: int = 0
    """The person to erase once their last letter is written."""
    remarks: str = ""
    """What the reader of the receipt must see first."""


@dataclass(frozen=True, slots=True, eq=False)
class HeardMail:
    """A mail while it is heard. Each stage hands on a new one, with what it has found out: `judge/service/README.md`.

    `read` finds the mail and its envelope, `prove` the speaker, `hear` the script, the letter that it answers and its
    consent, `act` the lateness and what is done.
    """

    judge: Judge
    unit: Transaction
    ledger: Ledger
    now: datetime
    mail: Mail
    envelope: Envelope
    speaker: Speaker
    script: Script = field(default_factory=Script)
    letter: AnsweredLetter = field(default_factory=AnsweredLetter)
    consent: Consent = field(default_factory=Consent)
    lateness: Lateness = field(default_factory=Lateness)
    stranger: bool = False
    """Whether its author is nobody whom we know, and nothing in it makes them known: questions are answered."""
    done: Done = field(default_factory=Done)

    @property
    def proved(self) -> bool:
        """Whether anything vouches for the author: what is said to a mail that nothing vouches for is bounded."""
        return self.speaker.proved or self.envelope.auth == "pass"

    @property
    def received(self) -> Received:
        """The mail as letters cite it."""
        return Received(
            str(self.mail.id), self.mail.arrived_at, self.mail.digest, self.envelope.message_id or "",
            self.envelope.subject, self.done.remarks, self.letter.unfilled,
        )  # fmt: skip

    def game(self, key: str) -> Game | None:
        """A game as it stands after what this mail did so far."""
        if key in self.done.changes:
            return self.done.changes[key].after
        return self.ledger.game(key) if key else None

    def change(self, game: Game) -> GameChange:
        """The change of a game by this mail, begun if need be."""
        return self.done.changes.setdefault(game.key, GameChange(game, game))

    def story(self, game: Game) -> list[Event]:
        """All events of a game, those that earlier lines of this very mail brought about included."""
        pending = self.done.changes[game.key].events if game.key in self.done.changes else ()
        return [*thaw_all(self.unit.events.load(game.key)), *pending]

    def actor(self, game: Game | None) -> Actor:
        """In which capacity the speaker acts in a game."""
        person, seat = self.speaker.acting, self.speaker.seat
        mail, arrived = self.envelope.message_id or str(self.mail.id), self.mail.arrived_at

        later = self.lateness.later.get(game.key, frozenset()) if game is not None else frozenset()

        def acts(role: Role, seat: str = "", who: int = 0, deputy: int = 0) -> Actor:
            return Actor(role, seat, who, mail, deputy, arrived, self.consent.agreed, later)

        if game is None or person is None:
            return acts(Role.STRANGER, who=person.id if person else 0)
        if seat is not None and seat.game == game.key and seat.person_id == person.id:
            return acts(Role.GM if seat.seat == GM_SEAT else Role.PLAYER, seat.seat, person.id)
        if game.gm == person.id:
            return acts(Role.GM, GM_SEAT, person.id)
        if game.is_deputy(person.id, self.now):
            return acts(Role.GM, GM_SEAT, game.gm, deputy=person.id)
        held = game.seat_held_by(person.id)
        if held is not None:
            return acts(Role.PLAYER, held.id, person.id)
        if (played := game.seat_played_by(person.id, self.now)) is not None:
            return acts(Role.PLAYER, played.id, played.person or 0, deputy=person.id)
        return acts(Role.STRANGER, who=person.id)

    def spelled(self, text: str, game: Game | None) -> str:
        """A sentence with its moments in the game's zone and, where their clock differs, the author's."""
        person = self.speaker.acting
        zone = game.settings.zone if game is not None else self.judge.config.zone
        return naming.spelled(text, zone, person.zone if person is not None else "")

    def would(self, game: Game, command: Command) -> Decision | Refusal:
        """What a game says to a command by whoever speaks; nothing comes of it."""
        return decide(game, command, Context(self.actor(game), self.now, self.judge.lot, self.judge.shelf))

    def apply(self, game: Game, command: Command) -> Decision | Refusal:
        """One command to a game, by whoever speaks; what it decides is part of what this mail has done."""
        decision = self.would(game, command)
        if isinstance(decision, Decision) and decision.events:
            self.judge.keeper.apply(self.change(game), decision.events)
        return decision

    def games_of(self, person: int) -> Iterator[tuple[Game, str]]:
        """The games in which somebody has a seat after what this mail did so far, each with that seat, by name."""
        keys = {row.game for row in self.unit.games.seats_of(person)} | set(self.done.changes)
        for game in filter(None, map(self.game, sorted(keys))):
            held = game.seat_held_by(person)
            if game.gm == person or held is not None:
                yield game, GM_SEAT if held is None else held.id

    def only_game(self) -> str:
        """Without a game in the address: the one game in which the sender has a seat, if it is one; a practice game
        only if they play no other."""
        person = self.speaker.person
        if person is None:
            return ""
        keys = {seat.game for seat in self.unit.games.seats_of(person.id)}
        games = [game for key in keys if (game := self.game(key)) is not None and game.ending is None]
        games = [game for game in games if game.practice is None] or games
        return games[0].key if len(games) == 1 else ""

    def acts(self) -> tuple[tuple[ReadRequest, ActKind], ...]:
        """What the mail asks for, each with the row of the table of authority that it belongs to, for the person in
        whose name it acts.
        """
        speaker = self.speaker
        claimed = self
        if speaker.claimed is not speaker.acting:
            claimed = replace(self, speaker=replace(speaker, confirmed=True))
        return tuple(
            (said, act_of(said.request, claimed.actor(self.game(said.game)).role)) for said in self.script.said
        )

    def known(self, person: Person) -> HeardMail:
        """The same mail, whose author has become a person by it, or has another name since."""
        self.done.newcomer = person
        return replace(self, speaker=replace(self.speaker, person=person))

    def enclose(self, view: Enclosure) -> None:
        """What answers a question, for the receipt."""
        self.done.enclosures.append(view)

    def taken(self, verdict: str, reason: str = "") -> Taken:
        """What becomes of it, where nothing in it is carried out."""
        return Taken(verdict, reason, letters=self.done.letters, speaker=self.speaker)

    def send(self, letter: Letter, *, also: str = "") -> bool:
        """Put a letter that this mail brings about into the outbox; False if its reader has no address any more.

        `also`: a second address that gets a copy.
        """
        return put(
            self.judge, self.unit, letter, self.now,
            mail_id=self.mail.id, noted=self.done.letters, members=self.ledger.members, also=also,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ready:
    """What a mail asks for may be carried out. `rest`: the reply that said yes to it, where that asks for more; it is
    heard afterwards.
    """

    first: HeardMail
    rest: HeardMail | None = None


@dataclass
class Taken:
    """What became of a mail: the contract of `judge feed --json`."""

    verdict: str
    reason: str = ""
    commands: list[dict[str, Any]] = field(default_factory=list)
    unread: list[dict[str, Any]] = field(default_factory=list)
    read: list[dict[str, Any]] = field(default_factory=list)
    """By line: who has read it ("by"), and as what it counts ("as": said, unread, or why it asks for nothing)."""
    letters: list[dict[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """Of a dry run: the letters as their readers would see them."""
    speaker: Speaker | None = field(default=None, repr=False)
    """Its author, as far as was found out."""

    def facts(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "verdict": self.verdict,
            "reason": self.reason,
            "commands": self.commands,
            "unread": self.unread,
            "letters": self.letters,
            "read": self.read,
        }


def owner_of(heard: HeardMail) -> Person | None:
    """The person in whose name the mail acts: the holder of the seat it was sent to, else who wrote it."""
    return heard.speaker.holder or heard.speaker.person


Result = Decision | Refusal

R = TypeVar("R", bound=Request)
Handler = Callable[[HeardMail, ReadRequest, R], Result]
"""(heard, what was read, its request) -> what comes of it."""

MOST_ENCLOSED = 20
"""Different questions that one mail may ask."""

_HANDLERS: dict[type[Any], Handler[Any]] = {}


def answers(handler: Handler[R]) -> Handler[R]:
    """Register a function for the class that its last parameter is annotated with, and for the classes below it.

    Raises ValueError for a class that is answered for already.
    """
    *_, request = signature(handler, eval_str=True).parameters.values()
    kind = request.annotation
    if kind in _HANDLERS:
        raise ValueError(f"{kind.__name__} is answered for twice")
    _HANDLERS[kind] = handler
    return handler


def handler_of(kind: type[Any]) -> Handler[Any]:
    """What answers requests of a class: its own handler, else that of the nearest class above it (`Command`)."""
    return next(_HANDLERS[one] for one in kind.__mro__ if one in _HANDLERS)


def handle(heard: HeardMail, said: ReadRequest) -> Result:
    """What comes of one request. A question that was asked before in this mail is answered there."""
    if isinstance(said.request, Query) and said.request.once:
        if (said.request, said.game) in heard.done.asked:
            return Decision()
        if len(heard.done.asked) >= MOST_ENCLOSED:
            return Refusal(
                "too-many",
                tell(
                    "One letter answers {most_enclosed} questions; please ask this one in another.",
                    most_enclosed=MOST_ENCLOSED,
                ),
            )
        heard.done.asked.add((said.request, said.game))
    return handler_of(type(said.request))(heard, said, said.request)


class _Undone(Exception):
    """Ends the part of a transaction that was only tried."""


def tried(heard: HeardMail, said: ReadRequest) -> tuple[Result, Done]:
    """What would come of a request, and what the mail would have done then. It is carried out in a part of the
    transaction that is undone, and nobody is told.
    """
    changes = {key: GameChange(c.before, c.after, list(c.events)) for key, c in heard.done.changes.items()}
    trial = replace(heard, done=Done(changes, pressed=heard.done.pressed))
    result: Result = Decision()
    members = dict(heard.ledger.members)
    with suppress(_Undone), heard.unit.part():
        result = handle(trial, said)
        raise _Undone
    heard.ledger.members.clear()  # whoever was enrolled, renamed or moved is so no longer
    heard.ledger.members.update(members)
    return result, trial.done


def not_to_see(heard: HeardMail, game: Game) -> Refusal | None:
    """Why the author of a mail may not read about a game; None where they may."""
    if game.settings.listed and game.practice is None:
        return None
    if concerned(heard, game):
        if heard.speaker.may(ActKind.PLAY):
            return None
        sentence = tell(
            "{game} is not on the public list, and nothing proves that this mail is yours: ask in "
            "answer to one of my letters.",
            game=game.key,
        )
        return Refusal("not-proved", sentence)
    readers = tell("its players, its Gamemaster, its observers and its editors")
    sentence = tell("{game} is not on the public list: only {readers} read of it.", game=game.key, readers=readers)
    return Refusal("not-public", sentence, mend="list")


def concerned(heard: HeardMail, game: Game) -> bool:
    """Whether the author of a mail plays, runs or observes a game, as far as their address tells."""
    person = heard.speaker.acting
    if person is None:
        return False
    if person.id == game.gm or game.is_deputy(person.id, heard.now):
        return True
    if game.seat_played_by(person.id, heard.now) is not None:
        return True
    return any(row.topic == topic_of(game.key) for row in heard.unit.lists.subscriptions(person.id))


A = TypeVar("A")


def _kept_once(table: dict[str, A], key: str, twice: str, function: A) -> A:
    """Put a function into a table. Raises ValueError, with the words, where there is one already."""
    if key in table:
        raise ValueError(twice)
    table[key] = function
    return function


Answerer = Callable[[HeardMail, Errand], Taken | Ready | HeardMail]
"""(the reply, the errand of the letter that it answers) -> what becomes of it, as `replies.reply` has it."""

_ANSWERERS: dict[str, Answerer] = {}


def errand_answered(do: str) -> Callable[[Answerer], Answerer]:
    """`@errand_answered("invitation")`: who hears the replies to these letters. Raises ValueError for a second one."""
    return partial(_kept_once, _ANSWERERS, do, f"replies to {do} are answered for twice")


def answerer_of(errand: Errand) -> Answerer | None:
    """Who hears the replies to an errand's letter, where its kind has somebody of its own."""
    return _ANSWERERS.get(errand.do)


LetterReader = Callable[[HeardMail], Taken | HeardMail]
"""What a mail comes to, once it is read, that answers a letter of one kind in its author's own words."""

_READERS: dict[str, LetterReader] = {}


def letter_answered(kind: str) -> Callable[[LetterReader], LetterReader]:
    """`@letter_answered(Kind.SHOWN)`: what answers to letters of this kind come to. Raises ValueError for a second."""
    return partial(_kept_once, _READERS, kind, f"answers to {kind} letters are read twice")


def reader_of(kind: str) -> LetterReader | None:
    """What answers to letters of a kind come to, where that is something of its own."""
    return _READERS.get(kind)


def keep_errand(heard: HeardMail, do: str, person: int, within: timedelta, *, key: str = "", **facts: Any) -> str:
    """Remember an errand; returns its reference, for the letter's token: `key`, or a fresh one."""
    key = key or heard.judge.entropy(8).hex()
    write_errand(heard.unit, Errand(key, do, person, heard.now + within, facts))
    return key

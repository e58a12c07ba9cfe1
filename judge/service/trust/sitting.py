"""The hearing of one mail: its author, its requests, whether the proofs suffice, the outcome of each line, one answer.

Everything happens in one unit of work. A mail has exactly one disposition: answered, held, or silent with a logged
reason (ruling 1a).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from judge.board.model import Board
from judge.game.core.commands import GM_SEAT, Actor, Command, Create, Process, Role, Submit
from judge.game.core.decision import Context, Decision, Question, Refusal, Status, Verdict
from judge.game.core.model import Game, Stage
from judge.game.decide import decide
from judge.game.office.offices import acting_deputy
from judge.game.settings.spans import zone_info
from judge.game.table.vacancies import Claim
from judge.mail.assent import hides
from judge.mail.envelope import Envelope
from judge.mail.script import ReadRequest, Script, ScriptContext, answered_turn, read_script
from judge.mail.vocabulary.account import Register
from judge.mail.vocabulary.founding import DryCreate
from judge.mail.vocabulary.gathering import HearOfGames
from judge.mail.vocabulary.participants import Observe, Queue
from judge.mail.vocabulary.player import JoinGame
from judge.mail.vocabulary.sandbox import SandboxGame
from judge.mail.vocabulary.standby import PracticeGame, StandBy
from judge.mail.vocabulary.tournament import EnterTournament
from judge.report.core import times
from judge.report.core.answer import Answer, Enclosure, Received
from judge.report.core.letter import Kind, Letter
from judge.rules.calendar import CALENDAR_1976, Calendar
from judge.service.core.house import House
from judge.service.core.keeper import GameChange, Ledger
from judge.service.posting.mailbag import put
from judge.service.trust.authority import Act, act_of
from judge.service.trust.speaker import Speaker
from judge.service.trust.versions import two_versions
from judge.store import Transaction
from judge.store.rows import Mail, Person

HELD_FOR = timedelta(hours=72)
"""How long a mail, or a question, waits for a word; our letter says so."""

DOORSTEP = (
    JoinGame, Register, StandBy, Claim, Observe, Queue, HearOfGames, PracticeGame, SandboxGame, EnterTournament, Create,
)  # fmt: skip
"""What an unknown address may ask for, once it is confirmed."""


@dataclass
class Sitting:
    """The state of one mail's hearing."""

    house: House
    unit: Transaction
    ledger: Ledger
    mail: Mail
    envelope: Envelope
    speaker: Speaker
    now: datetime
    script: Script = field(default_factory=Script)
    changes: dict[str, GameChange] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    enclosures: list[Enclosure] = field(default_factory=list)
    commands: list[dict[str, Any]] = field(default_factory=list)
    """For the log and `judge feed --json`: one entry per line that asked for something."""
    letters: list[dict[str, str]] = field(default_factory=list)
    quoted: tuple[str, int] = ("", 0)
    """Turn and version of the results on which the letter stands that this mail answers."""
    answered: str = ""
    """The kind of that letter."""
    called: tuple[str, int] = ("", 0)
    """The game and the number of the vote that it called."""
    press_answer: str = ""
    """The line that answers it, where it is press."""
    forgotten: int = 0
    """The person to erase once their last letter is written."""
    remarks: str = ""
    """What the reader of the receipt must see first."""
    questions: list[tuple[ReadRequest, Question]] = field(default_factory=list)
    """Lines that wait for their author's yes, and what they are asked."""
    agreed: tuple[str, ...] = ()
    """What the author has said yes to, as the questions had it."""
    later: dict[str, frozenset[tuple[str, str, str]]] = field(default_factory=dict)
    """By game: what mails that came after this one have said (`judge.service.trust.confirmed`)."""
    first_mail: int = 0
    """The mail whose lines are carried out here, where that is not the one that is heard: its author said yes."""
    word_taken: str = ""
    """What the yes or no in this mail brought about."""

    @property
    def asked_in(self) -> int:
        """The number of the mail that asks for what is carried out."""
        return self.first_mail or self.mail.id

    pressed: int = 0
    """Pieces of press that this mail has sent."""
    asked: set[tuple[object, str]] = field(default_factory=set)
    """Questions that were answered, with the game that they were about."""

    @property
    def proved(self) -> bool:
        """Whether anything vouches for the author: what is said to a mail that nothing vouches for is bounded."""
        return self.speaker.proved or self.envelope.auth == "pass"

    @property
    def received(self) -> Received:
        """The mail as letters cite it."""
        return Received(
            str(self.mail.id), self.mail.arrived_at, self.mail.digest, self.envelope.message_id or "",
            self.envelope.subject, self.remarks,
        )  # fmt: skip

    def game(self, key: str) -> Game | None:
        """A game as it stands after what this mail did so far."""
        if key in self.changes:
            return self.changes[key].after
        return self.ledger.game(key) if key else None

    def change(self, game: Game) -> GameChange:
        """The change of a game in this sitting, begun if need be."""
        return self.changes.setdefault(game.key, GameChange(game, game))

    def actor(self, game: Game | None) -> Actor:
        """In which capacity the speaker acts in a game."""
        person, seat = self.speaker.acting, self.speaker.seat
        mail, arrived = self.envelope.message_id or str(self.mail.id), self.mail.arrived_at

        later = self.later.get(game.key, frozenset()) if game is not None else frozenset()

        def acts(role: Role, seat: str = "", who: int = 0, deputy: int = 0) -> Actor:
            return Actor(role, seat, who, mail, deputy, arrived, self.agreed, later)

        if game is None or person is None:
            return acts(Role.STRANGER, who=person.id if person else 0)
        if seat is not None and seat.game == game.key and seat.person_id == person.id:
            return acts(_role(seat.seat), seat.seat, person.id)
        if game.gm == person.id:
            return acts(Role.GM, GM_SEAT, person.id)
        if acting_deputy(game, person.id, self.now):
            return acts(Role.GM, GM_SEAT, game.gm, deputy=person.id)
        held = game.seat_held_by(person.id)
        if held is not None:
            return acts(Role.PLAYER, held.id, person.id)
        return acts(Role.STRANGER, who=person.id)

    def spelled(self, text: str, game: Game | None) -> str:
        """A sentence with its moments in the game's zone and, where their clock differs, the author's."""
        person = self.speaker.acting
        zone = game.settings.zone if game is not None else self.house.config.zone
        return times.spelled(text, zone, person.zone if person is not None else "")

    def would(self, game: Game, command: Command) -> Decision | Refusal:
        """What a game says to a command by whoever speaks; nothing comes of it."""
        return decide(game, command, Context(self.actor(game), self.now, self.house.lot, self.house.shelf))

    def tell(self, game: Game, command: Command) -> Decision | Refusal:
        """One command to a game, by whoever speaks; what it decides is part of this sitting."""
        decision = self.would(game, command)
        if isinstance(decision, Decision) and decision.events:
            self.house.keeper.apply(self.change(game), decision.events)
        return decision

    def read(self) -> None:
        """Read the script, knowing what the address and the sender tell."""
        script = read_script(self.envelope.text_lines, subject=self.envelope.subject, context=self._context())
        processing = any(isinstance(said.request, Process) for said in script.said)
        self.script = replace(script, said=tuple(map(self._bound, script.said))) if processing else script

    def _bound(self, said: ReadRequest) -> ReadRequest:
        """`process` without a phase is for the one that the letter was about which it answers (ruling 32)."""
        request = said.request
        if not isinstance(request, Process) or request.phase:
            return said
        return replace(said, request=replace(request, phase=self.quoted[0]))

    def _context(self) -> ScriptContext:
        key = self.speaker.game or self.only_game()
        game = self.game(key)
        actor = self.actor(game)
        seat = game.seats.get(actor.seat) if game else None
        zone = game.settings.zone if game else self.house.config.zone
        form, choices, turn = self._letter_replied_to()
        turn = turn or self._overtaken_turn(game)
        return ScriptContext(
            now=self.now,
            zone=zone_info(zone),
            # Alone in a practice game or a sandbox one may try every word, `process` too.
            role=Role.STRANGER if game is not None and game.practice is not None else actor.role,
            game=game.key if game else "",
            addressed=bool(self.speaker.game),
            board=game.board if game else None,
            position=game.position if game else None,
            powers=seat.powers if seat else (),
            games=GameBoards(self),
            calendar_of=self._calendar_of,
            business_of=self._business_of,
            vacant_in=self._vacant_in,
            votes=(votes := self._votes_of(game, actor)),
            ballots=tuple(line for number in votes for line in game.votes[number].lines) if game else (),
            called=self.called[1] if game is not None and self.called[0] == game.key else 0,
            free=self.answered in _ASKING_NOTHING,
            press=self.press_answer,
            turn=turn,
            form=form,
            choices=choices,
            domain=self.house.config.domain,
        )

    def _calendar_of(self, key: str) -> Calendar:
        """The calendar of a game, or of the house where there is none."""
        game = self.game(key) if key else None
        return game.calendar if game else CALENDAR_1976

    def _business_of(self, key: str) -> Collection[str]:
        """The words of a game's own business."""
        game = self.game(key)
        return game.rules.business() if game else ()

    def _votes_of(self, game: Game | None, actor: Actor) -> tuple[int, ...]:
        """The votes that are open for whoever speaks; none where a part of what they wrote is hidden from us."""
        if game is None or actor.seat not in {seat.id for seat in game.active_seats} or hides(self.envelope):
            return ()
        return tuple(sorted(game.votes))

    def _vacant_in(self, key: str) -> Collection[str]:
        """Powers of a running game that nobody plays, for somebody who has no seat there and does not govern it."""
        game = self.game(key)
        if game is None or game.stage is not Stage.RUNNING or self.actor(game).role is not Role.STRANGER:
            return ()
        return tuple(power for seat in game.seats.values() if not seat.filled for power in seat.powers)

    def games_of(self, person: int) -> Iterator[tuple[Game, str]]:
        """The games in which somebody has a seat after what this mail did so far, each with that seat, by name."""
        keys = {row.game for row in self.unit.games.seats_of(person)} | set(self.changes)
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

    def _letter_replied_to(self) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """Form, numbered choices and turn of the letter that this mail answers, as they were sent."""
        for reference in (self.envelope.in_reply_to, *reversed(self.envelope.references)):
            letter = self.unit.letters.by_message_id(reference) if reference else None
            if letter is None:
                continue
            reply = json.loads(letter.view)["view"].get("reply") or {}
            self.answered = letter.kind
            self.called = letter.game or "", _number_called(letter.view)
            self.press_answer = _answer_to_press(letter.view) if letter.kind == Kind.PRESS else ""
            self.quoted = str(reply.get("turn", "")), int(reply.get("version", 0))
            return tuple(reply.get("form", ())), tuple(reply.get("choices", ())), str(reply.get("turn", ""))
        return (), (), ""

    def _overtaken_turn(self, game: Game | None) -> str:
        """The turn for which a delayed mail was written: its Date is older than the results that the game has seen
        since, and its subject, an answer to a letter of ours, names a turn before them. Else ""."""
        written, subject = self.envelope.date_claimed, self.envelope.subject
        if game is None or game.phase is None or game.turn_opened_at is None or written is None:
            return ""
        named = answered_turn(subject, game.key, game.phase, game.calendar) if written < game.turn_opened_at else ""
        return named if named and game.calendar.rank(named) < game.calendar.rank(game.phase) else ""

    def acts(self) -> tuple[tuple[ReadRequest, Act], ...]:
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

    def send(self, letter: Letter, *, also: str = "") -> bool:
        """Put a letter that this mail brings about into the outbox; False if its reader has no address any more.

        `also`: a second address that gets a copy.
        """
        return put(
            self.house, self.unit, letter, self.now,
            mail_id=self.mail.id, noted=self.letters, members=self.ledger.members, also=also,
        )  # fmt: skip

    def note(self, said: ReadRequest, answer: Answer) -> None:
        """Keep what became of a request, for the receipt and for the log."""
        self.answers.append(answer)
        if isinstance(said.request, Submit):
            self.commands += [
                _fact(said, v.line, v.text, v.status, v.sentence or v.reason, v.order) for v in answer.verdicts
            ]
            if answer.verdicts:
                return
        self.commands.append(_fact(said, said.lines[0], said.text, answer.status, answer.sentence, ""))

    def unread(self) -> tuple[Verdict, ...]:
        """Verdicts on lines that were to be commands and could not be followed, and on those that ask for nothing."""
        refused = [
            Verdict(u.line, u.text, Status.REFUSED, reason=u.reason, sentence=u.sentence, candidates=u.candidates)
            for u in self.script.unread
        ]
        silent = ("blank", "quoted", "attribution", "signature", "disclaimer", "footer", "form", "report", "subject")
        ignored = [
            Verdict(i.line, i.text, Status.IGNORED, reason=str(i.why))
            for i in self.script.ignored
            if str(i.why) not in silent
        ]
        return (*refused, *ignored, *self._not_read())

    def _not_read(self) -> Iterator[Verdict]:
        """What of the mail lay beyond the text that was read: said, so that nothing is dropped in silence."""
        envelope = self.envelope
        last = envelope.text_lines[-1].number + 1 if envelope.text_lines else 1
        if envelope.lines_cut:
            sentence = f"{envelope.lines_cut} more lines were not read; send them in another mail."
            yield Verdict(last, "...", Status.REFUSED, reason="text-cut", sentence=sentence)
        if envelope.only_in_html or envelope.only_in_text:
            yield from two_versions(envelope, self._context(), last)
        if "encrypted" in envelope.defects:
            sentence = "This mail is encrypted; I cannot read it. Send it in the clear."
            yield Verdict(last, "(encrypted)", Status.REFUSED, reason="encrypted", sentence=sentence)
        if "signed-opaque" in envelope.defects:
            sentence = "This mail is signed in a way that hides its text from me; send it unsigned, or clear-signed."
            yield Verdict(last, "(signed)", Status.REFUSED, reason="signed-opaque", sentence=sentence)
        creates = any(isinstance(said.request, (Create, DryCreate)) for said in self.script.said)
        for attachment in envelope.attachments:
            if attachment.name and not (creates and attachment.text):
                name = f"({attachment.name})"
                yield Verdict(last, name, Status.IGNORED, reason="attachment", sentence="attachments are not read")


_ASKING_NOTHING = ("", Kind.VOTE, Kind.RESULTS, Kind.REMINDER, Kind.LATE)
"""Kinds of letters to which a plain yes can only mean a vote that is open."""


def _number_called(view: str) -> int:
    """The number of the vote that a letter called, of its view as it is stored; 0 for any other letter."""
    opened = json.loads(view)["view"].get("open")
    return int(opened.get("number", 0)) if isinstance(opened, dict) else 0


def _answer_to_press(view: str) -> str:
    """The line that answers a letter of press, as it printed it: "press to France"; "" where nobody signed."""
    return str(json.loads(view)["view"].get("answer") or "")


class GameBoards(Mapping[str, Board]):
    """Every game by name with its board."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting

    def __getitem__(self, key: str) -> Board:
        table = self._sitting.ledger.table_of(key)
        if table is None:
            raise KeyError(key)
        return self._sitting.house.shelf.played(*table)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._sitting.ledger.table_of(key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._sitting.ledger.keys())

    def __len__(self) -> int:
        return len(self._sitting.ledger.keys())


def _role(seat: str) -> Role:
    return Role.GM if seat == GM_SEAT else Role.PLAYER


def _fact(said: ReadRequest, line: int, text: str, status: Status, reason: str, order: str) -> dict[str, Any]:
    return {
        "line": line, "text": text, "verb": said.verb, "game": said.game, "status": str(status), "reason": reason,
        "order": order or None,
    }  # fmt: skip


def owner_of(sitting: Sitting) -> Person | None:
    """The person in whose name the mail acts: the holder of the seat it was sent to, else who wrote it."""
    return sitting.speaker.holder or sitting.speaker.person

"""What a soak holds against the judge: promises that must be kept whatever players, machines and clocks do.

Everything is read off the letters that went out and off the database; a broken promise is a sentence that names the
game and the number of the event, mail or letter.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import msgspec

from judge.board.model import province_of
from judge.board.position import Position
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.events import to_json
from judge.game.core.evolve import begin, evolve
from judge.game.core.model import Game
from judge.game.filing.standing import State, standing
from judge.service.core.keeper import thaw
from judge.service.upkeep.moving import adjudicate_again, rebuild_all
from judge.store import View
from judge.store.rows import DeliveryState, LetterState, Mail, MailState, StoredEvent
from judge.store.rows import LetterRow as Stored
from judge.testing.local import LocalJudge

WIDTH = 78
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Promise:
    """A player whose complete set was taken after event `seq`, before the phase was processed."""

    game: str
    phase: str
    power: str
    seat: str
    tenure: int
    seq: int
    at: datetime


class Promises:
    """Collects promises while a stage plays and says at the end which were broken."""

    def __init__(self, stage: LocalJudge) -> None:
        self._stage = stage
        self._given: list[Promise] = []
        self._broken: list[str] = []

    def promise(self, before: Game, power: str, sender: str) -> None:
        """A complete set for a power was just mailed with proof, by its player, while the phase of `before` was on."""
        game, seat = self._stage.game(before.key), before.seat_of(power)
        if seat is None or game.phase != before.phase or game.seats[seat.id].person != seat.person:
            return
        with self._stage.judge.store.read() as view:
            writer = view.people.by_address(sender, verified=True)
        if writer is None or writer.id != seat.person:
            return
        sheet, phase = game.sheets.get(power), str(before.phase)
        if sheet is None or not any(line.phase == phase for line in sheet.lines):
            self._broken.append(f"{game.key} {phase}: the sure mail of {power} left nothing on file (event {game.seq})")
            return
        if not standing(game, power).late:  # a turn may ask for more than its first phase
            self._given.append(
                Promise(game.key, phase, power, seat.id, game.seats[seat.id].tenure, game.seq, self._stage.now)
            )

    def forget(self, key: str) -> None:
        """Somebody takes back what he sent: what was promised in this game so far holds no longer."""
        self._given = [one for one in self._given if one.game != key]

    def findings(self) -> list[str]:
        """Every broken promise, as a sentence."""
        judge = self._stage.judge
        found = [*self._broken, *self._letters()]
        with judge.store.read() as view:
            found += _dispositions(view, len(self._stage.sent) - len(self._stage.refused))
            found += _outbox(view)
            for row in view.games.list():
                found += self._game(view, row.key)
        for finding in (*rebuild_all(judge), *adjudicate_again(judge)):
            found += [f"{finding.game}: {line}" for line in finding.drift]
        return found

    def _letters(self) -> Iterator[str]:
        bytes_of: dict[str, bytes] = {}
        for letter in self._stage.post.letters:
            if bytes_of.setdefault(letter.message_id, letter.raw) != letter.raw:
                yield f"letter {letter.number}: another letter with other bytes has its Message-ID {letter.message_id}"
            if wide := next((line for line in letter.lines if len(line) > WIDTH), ""):
                yield f"letter {letter.number} to {letter.to} has a line of {len(wide)} columns: {wide}"

    def _game(self, view: View, key: str) -> Iterator[str]:
        stored = view.events.load(key)
        letters = view.letters.list(game=key, limit=_ALL)
        yield from _round_trips(stored)
        yield from _once(stored)
        yield from _told(view, self._states(stored), letters)
        yield from _anonymity(view, self._states(stored), letters)
        for before, event, after in self._states(stored):
            yield from _board(after, event)
            yield from self._lateness(before, event)

    def _states(self, stored: tuple[StoredEvent, ...]) -> Iterator[tuple[Game, StoredEvent, Game]]:
        systems = self._stage.judge.shelf
        first = thaw(stored[0])
        assert isinstance(first, ev.GameCreated)
        game = begin(first, systems)
        for row in stored[1:]:
            before, game = game, evolve(game, thaw(row), systems)
            yield before, row, game

    def _lateness(self, before: Game, row: StoredEvent) -> Iterator[str]:
        event = thaw(row)
        if isinstance(event, ev.LateCalled):
            seats, powers = set(event.seats), set()
        elif isinstance(event, ev.PhaseAdjudicated):
            seats, powers = set(), {*event.missing, *event.disorder}
        else:
            return
        for one in self._given:
            due = one.game == before.key and one.phase == str(before.phase) and one.seq < row.seq
            same = due and one.seat in before.seats and before.seats[one.seat].tenure == one.tenure
            if same and _asked_later(before, one):
                continue
            if same and (one.seat in seats or one.power in powers):
                yield f"{one.game} event {row.seq}: {row.kind} of {one.power}, whose orders for {one.phase} are in"


def _dispositions(view: View, offered: int) -> Iterator[str]:
    mails = view.inbox.list(limit=_ALL)
    if len(mails) != offered:
        yield f"{offered} mails were taken at the door, {len(mails)} are in the inbox"
    written = Counter(letter.mail_id for letter in view.letters.list(limit=_ALL))
    for mail in mails:
        if fault := _disposed(mail, written[mail.id]):
            yield f"mail {mail.id} from {mail.envelope_from}: {fault}"


def _disposed(mail: Mail, letters: int) -> str:
    """What is wrong with the one disposition of a mail; "" if nothing is."""
    match mail.state:
        case MailState.NEW | MailState.QUARANTINED:
            return f"it is {mail.state}: {(mail.traceback or '').strip()[-600:]}"
        case MailState.IGNORED if letters == 0 and not mail.reason:
            return "it was ignored without a reason"
        case MailState.PROCESSED if letters == 0 and not mail.reason:
            return f"it was processed without an answer or a reason: {mail.verdict}"
        case MailState.HELD if letters == 0:
            return "it is held and nobody was asked"
        case MailState.DUPLICATE if mail.first_id is None:
            return "it is a duplicate of nothing"
    return ""


def _outbox(view: View) -> Iterator[str]:
    for letter in view.letters.list(states=(LetterState.BROKEN, LetterState.COMPOSING), limit=_ALL):
        yield f"letter {letter.id} ({letter.kind}) is {letter.state}: {letter.error}"
    for line in view.outbox.list(states=(DeliveryState.LEASED,), limit=_ALL):
        yield f"delivery {line.delivery.id} of a {line.kind} is still in somebody's hand"


def _round_trips(stored: tuple[StoredEvent, ...]) -> Iterator[str]:
    for row in stored:
        if json.loads(msgspec.json.encode(to_json(thaw(row)))) != json.loads(row.data):
            yield f"{row.game} event {row.seq}: {row.kind} does not survive being stored and read"


def _once(stored: tuple[StoredEvent, ...]) -> Iterator[str]:
    """Nothing that belongs to one version of the deadline, or to one phase, happens twice."""
    seen: Counter[tuple[object, ...]] = Counter()
    version = 0
    for row in stored:
        event = thaw(row)
        match event:
            case ev.DeadlineSet():
                if event.version != version + 1:
                    yield f"{row.game} event {row.seq}: deadline {event.version} follows deadline {version}"
                version = event.version
            case ev.ReminderDue():
                seen[row.game, "reminder", event.version, event.rung] += 1
            case ev.LateCalled():
                seen[row.game, "late call", event.version] += 1
            case ev.ProcessingDelayed():
                seen[row.game, "delay", event.version, event.reason] += 1
            case ev.PhaseAdjudicated():
                seen[row.game, event.phase, event.version] += 1
            case _:
                pass
    for what, times in seen.items():
        if times > 1:
            yield f"{' '.join(map(str, what))}: {times} times"


def _board(game: Game, row: StoredEvent) -> Iterator[str]:
    if row.kind not in ("PhaseAdjudicated", "PhaseSkipped") or game.position is None:
        return
    position = game.position
    places = Counter(province_of(unit.at) for unit in position.units)
    if len(position.units) > len(position.board.centres):
        yield f"{game.key} event {row.seq}: {len(position.units)} units on the board"
    if crowded := [place for place, units in places.items() if units > 1]:
        yield f"{game.key} event {row.seq}: two units in {', '.join(crowded)}"
    if position.phase.season == "S" and position.phase.kind == "M":
        yield from (f"{game.key} event {row.seq}: {fault}" for fault in _overstrength(position))


def _overstrength(position: Position) -> Iterator[str]:
    for power in position.board.powers:
        units, centres = len(position.of(power)), len(position.centres(power))
        if units > centres:
            yield f"{power} has {units} units and {centres} centres after adjustments"


def _asked_later(before: Game, one: Promise) -> bool:
    """Whether a later mail of theirs had a line to put right, as its receipt said: that ends a promise."""
    found = standing(before, one.power)
    asked = [fault for fault in found.faults if fault.at is not None and fault.at > one.at]
    return found.state is State.NEEDS_CORRECTION and bool(asked)


_TELLING = {
    "PhaseAdjudicated": ("results",), "LateCalled": ("late", "notice"),
    "GameStarted": ("started",), "GameEnded": ("ended",),
    "DeadlineSet": ("results", "notice", "started"),
    "SeatVacated": ("notice", "results", "takeover", "receipt"),
    "SeatFilled": ("notice", "takeover", "receipt"), "GameHeld": ("notice", "receipt"),
    "VoteCalled": ("vote", "receipt"), "VoteClosed": ("vote", "results", "ended", "notice"),
    "GameResumed": ("notice", "receipt"),
}  # fmt: skip
"""Events that concern everybody at the table -> kinds of letters that tell them."""


def _told(view: View, states: Iterator[tuple[Game, StoredEvent, Game]], letters: tuple[Stored, ...]) -> Iterator[str]:
    """Every change of state reaches those whom it concerns: a table for all, the sender's receipt for his own."""
    told: dict[tuple[object, object], list[Stored]] = {}
    answered = {letter.mail_id for letter in letters}
    for letter in letters:
        told.setdefault((letter.created_at, letter.seat), []).append(letter)
    rows = list(states)
    after = {(row.at, row.mail_id): game for _, row, game in rows}
    for _, row, _ in rows:
        if kinds := _TELLING.get(row.kind):
            readers = [seat.id for seat in after[row.at, row.mail_id].seats.values() if seat.filled]
            for seat in (*readers, GM_SEAT):
                # Whoever brought it about by his own mail reads of it in his receipt.
                own = ("receipt",) if seat == thaw(row).by else ()
                came = told.get((row.at, seat), [])
                if not any(letter.kind in (*kinds, *own) or _names_deadline(letter, thaw(row)) for letter in came):
                    yield f"{row.game} event {row.seq}: nobody told seat {seat} of {row.kind}"
        if row.kind != "OrdersFiled" or row.mail_id is None or row.mail_id in answered:
            continue
        if not view.inbox.get(row.mail_id).reason:
            yield f"{row.game} event {row.seq}: orders were filed by mail {row.mail_id} and nobody was told"


def _names_deadline(letter: Stored, event: ev.Event) -> bool:
    """Whether the letter to a new player, or the answer to whoever seated them, says to when the deadline moves."""
    if not isinstance(event, ev.DeadlineSet) or event.why != "replacement":
        return False
    return letter.kind in ("takeover", "receipt") and f"{event.deadline:%Y-%m-%dT%H:%M:%S}" in letter.view


def _anonymity(
    view: View, states: Iterator[tuple[Game, StoredEvent, Game]], letters: tuple[Stored, ...]
) -> Iterator[str]:
    """In an anonymous game no player reads another's name or address before the end."""
    game, people = None, set()
    for _, _, game in states:
        people |= {seat.person for seat in game.seats.values() if seat.person is not None}
    if game is None or not game.settings.anonymous:
        return
    marks = {person: _marks_of(view, person) for person in people}
    for letter in letters:
        if letter.seat == GM_SEAT or (game.ending is not None and letter.created_at >= game.ending.at):
            continue
        text = (view.letters.mime(letter.id) or b"").lower() + letter.view.encode().lower()
        for person in people - {letter.person_id}:
            if hit := next((mark for mark in marks[person] if mark in text), b""):
                yield f"letter {letter.id} ({letter.kind}, {game.key}) to seat {letter.seat} names {hit.decode()}"


def _marks_of(view: View, person: int) -> list[bytes]:
    known = view.people.get(person)
    texts = [known.name, *(row.address for row in view.people.addresses(person))]
    return [text.lower().encode() for text in texts if text]

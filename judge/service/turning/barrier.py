"""The stage `barrier` of a deadline: what keeps a phase from being adjudicated although its time has come; and outages
of the judge, whose time is given back.

Mail counts by its arrival at our site. Before a phase is adjudicated everything that arrived in time must have been
taken: a source out of reach, a downtime just over, mail of this very game that is on its way to the disk, unread or in
quarantine make it wait until that is over. Mail that is held for want of proof is another matter: for how long the turn
waits for a word on it is a rule of the game (`judge.game.clock.clockwork`).

Three things are told apart. A silence of the heartbeat is an *outage*: mail that came meanwhile is read first, and what
an outage of more than two hours touched is moved by its length (`game.clock.outages`). A wall clock that departs from
the steady one by minutes has *stepped*: the door closes and no phase runs. A step that stays is taken to be the truth
after ten minutes (the machine slept, or somebody set its clock right), and the time jumped over is an outage: whoever
was right, nobody is late through it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.game.core.commands import Actor, Context, Decision, HeldMail, Role, Tick
from judge.game.core.model import Game, Running, Stage
from judge.game.core.reasons import AWAY, NOBODY_RECEIVES, STORED, UNREACHABLE, UNREAD
from judge.game.decide import decide
from judge.mail.envelope import Envelope
from judge.service.core.judge import Judge
from judge.service.core.keeper import GameChange
from judge.service.posting.bounces import CALLS_FOR_ORDERS
from judge.service.posting.outgoing import post_letters
from judge.service.trust.consent import claim_on
from judge.service.trust.prove import prove
from judge.service.trust.read import read_again
from judge.store import Conflict, Transaction, View
from judge.store.rows import Mail, MailState

OUR_FAULT = (MailState.NEW, MailState.QUARANTINED)
"""States of a mail that nobody has read to its end."""

RECEIVE = "receive"
"""The role of a daemon that takes mail in."""

_INSTANT = timedelta(microseconds=1)
"""What came in this very moment has come."""


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which we were not there. Phases that fell due in it wait until `until` plus the backlog window."""

    since: datetime
    until: datetime


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the daemon knows beside the database: sources that cannot be read, the last outage, an operator's stop, and
    when the oldest of the mails arrived that the door has in hand at this moment, if there is one.
    """

    unreachable: tuple[str, ...] = ()
    outage: Outage | None = None
    backlog_window: timedelta = timedelta(minutes=30)
    stopped: str = ""
    in_hand: Callable[[], datetime | None] = _nothing
    waits_for_others: Callable[[], object] = _nothing
    """Called where a turn waits for what another daemon has still to store."""
    receives: bool = True
    """Whether this daemon takes mail in."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why no phase may be adjudicated now, in a few words; and the same as a slug."""

    reason: str = ""
    cause: str = ""


def barrier(judge: Judge, unit: Transaction, game: Game, now: datetime, around: Surroundings) -> Tick:
    """The facts that a tick needs: what stands in its way, mails that wait for a word, and the seats whose last call
    for orders has not left the outbox, or came back. Read inside the transaction that acts on them.
    """
    found = obstacle(judge, unit, game, now, around)
    unheard: tuple[str, ...] = ()
    if game.deadline is not None and now >= game.deadline.at and not game.deadline.called:
        opened = game.turn_opened_at or game.created_at
        unheard = tuple(sorted(unit.outbox.unsent_seats(game.key, kinds=CALLS_FOR_ORDERS, since=opened)))
    return Tick(found.reason, found.cause, held_mails(unit, game, now), unheard)


def obstacle(judge: Judge, unit: Transaction, game: Game, now: datetime, around: Surroundings) -> Obstacle:
    """What stands in the way of this game's phase. To be asked inside the transaction that would adjudicate it."""
    if not isinstance(game, Running):
        return Obstacle()
    if around.stopped:
        return Obstacle(around.stopped, "stopped")
    if around.unreachable:
        return Obstacle(UNREACHABLE.format(sources=", ".join(around.unreachable)), "unreachable")
    if (outage := around.outage) is not None and game.deadline.at >= outage.since:
        until = outage.until + around.backlog_window
        if now < until and game.deadline.at <= until:
            return Obstacle(AWAY, "outage")
    if (arrived := around.in_hand()) is not None and arrived < counted_before(game, now):
        return Obstacle(STORED, "unread")
    if judge.store.many and (found := _behind(judge, unit, counted_before(game, now), around)).cause:
        return found
    if unread := unread_mails(judge, unit, game, now):
        numbers = ", ".join(str(mail.id) for mail in unread)
        line = f"process {game.phase} despite {numbers.replace(',', '')}"
        return Obstacle(UNREAD.format(numbers=numbers, line=line), "unread")
    return Obstacle()


def _behind(judge: Judge, unit: Transaction, moment: datetime, around: Surroundings) -> Obstacle:
    """What another daemon that takes mail, and lives, may still have in its hands of what reached it before a moment.
    To be asked before the inbox is: what has been stored by then is seen there.
    """
    receivers = [daemon for daemon in unit.daemons.others(judge.store.owner) if RECEIVE in daemon.roles]
    if not receivers and not around.receives:
        return Obstacle(NOBODY_RECEIVES, "stopped")
    if behind := next((daemon for daemon in receivers if daemon.settled_until < moment), None):
        around.waits_for_others()
        if behind.trouble:
            return Obstacle(behind.trouble, "unreachable")
        return Obstacle(STORED, "unread")
    return Obstacle()


def counted_before(game: Running, now: datetime) -> datetime:
    """Up to when mail counts for what is to happen now: the deadline; after the late call, all that has come."""
    return now + _INSTANT if game.deadline.called else min(now + _INSTANT, game.deadline.at)


def unread_mails(judge: Judge, unit: Transaction, game: Running, now: datetime) -> tuple[Mail, ...]:
    """Mails that came in time, may concern this game, and were not read to their end. Other games' hold nobody up."""
    mails = unit.inbox.unsettled(counted_before(game, now), game=game.key)
    return tuple(mail for mail in mails if mail.state in OUR_FAULT and _concerns(judge, unit, game, mail))


def held_mails(view: View, game: Game, now: datetime) -> tuple[HeldMail, ...]:
    """Mails that are held for want of proof and speak for seats of this game."""
    mails = view.inbox.unsettled(now + _INSTANT, game=game.key)
    claims = (claim_on(mail, game.key) for mail in mails if mail.state is MailState.HELD)
    return tuple(claim for claim in claims if claim is not None)


def _concerns(judge: Judge, unit: Transaction, game: Game, mail: Mail) -> bool:
    """Whether an unread mail is one of this game's: by its recipients, else by its sender, else by a word in it."""
    if mail.game is not None:
        return mail.game == game.key
    envelope = read_again(judge, mail, unit.inbox.raw(mail.id) or b"")
    people = judge.directory.open(unit)
    speaker = prove(judge, unit, people, mail, envelope)
    if speaker.game:
        return speaker.game == game.key
    persons = {person.id for person in (speaker.person, people.owner(mail.envelope_from)) if person is not None}
    if persons & _at_table(game):
        return True
    return mail.state is MailState.NEW and _names(envelope, game.key)


def _at_table(game: Game) -> set[int]:
    deputy = {game.deputy.person} if game.deputy is not None else set()
    acting = {seat.substitute.person for seat in game.seats.values() if seat.substitute is not None}
    return {seat.person for seat in game.seats.values() if seat.person is not None} | {game.gm} | deputy | acting


def _names(envelope: Envelope, game: str) -> bool:
    """Whether the name of the game stands anywhere in the mail; its author may be known by a password alone."""
    word = re.compile(rf"(?<![\w-]){re.escape(game)}(?![\w-])", re.IGNORECASE)
    return any(word.search(text) for text in (envelope.subject, *(line.text for line in envelope.text_lines)))


log = logging.getLogger("judge.turn")

OUTAGE_FROM = timedelta(minutes=2)
"""A silence shorter than this is a restart, not an outage."""
STEP = timedelta(minutes=5)
"""A wall clock that departs from the steady one by more than this has stepped (architecture 3)."""
SETTLING = timedelta(minutes=10)
"""A step that stays for so long is taken to be the truth."""


def outage_between(last_seen: datetime | None, now: datetime) -> Outage | None:
    """The outage between the last heartbeat and now; None for a restart, a first start, or a clock behind itself.

    >>> from datetime import UTC
    >>> noon = datetime(2027, 1, 8, 12, tzinfo=UTC)
    >>> outage_between(noon, noon + timedelta(hours=3)).until == noon + timedelta(hours=3)
    True
    """
    if last_seen is None or now - last_seen <= OUTAGE_FROM:
        return None
    return Outage(last_seen, now)


@dataclass(frozen=True, slots=True)
class ClockReading:
    """Both clocks at one moment: the wall's time, and seconds of the steady one."""

    wall: datetime
    steady: float

    def step_to(self, later: ClockReading) -> timedelta:
        """By how much the wall clock jumped in between."""
        return later.wall - self.wall - timedelta(seconds=later.steady - self.steady)


@dataclass(frozen=True, slots=True)
class ClockLook:
    """What a look at the clocks found: `step` is not zero while the wall clock is not believed; `outage` is a time
    that has to be made up for."""

    step: timedelta = timedelta()
    outage: Outage | None = None

    @property
    def sane(self) -> bool:
        return not self.step


@dataclass(frozen=True, slots=True)
class Watch:
    """What is remembered between two looks: the last good reading, and since when the wall clock stands elsewhere."""

    good: ClockReading
    jumped: ClockReading | None = None

    def look(self, now: ClockReading) -> tuple[Watch, ClockLook]:
        """The next state, and what it means."""
        step = self.good.step_to(now)
        if abs(step) <= STEP:
            back = self.good.wall if self.jumped is not None else None
            return Watch(now), ClockLook(outage=outage_between(back, now.wall))
        if self.jumped is None or abs(self.jumped.step_to(now)) > STEP:
            return Watch(self.good, now), ClockLook(step)
        if timedelta(seconds=now.steady - self.jumped.steady) < SETTLING:
            return Watch(self.good, self.jumped), ClockLook(step)
        return Watch(now), ClockLook(outage=outage_between(self.good.wall, now.wall))


def make_up(judge: Judge, outage: Outage) -> int:
    """Give every running game the time back that an outage took from it; returns how many were touched.

    To be called before any phase is processed and before the heartbeat moves on. Asked again it changes nothing.
    """
    with judge.store.read() as view:
        keys = [row.key for row in view.games.list(states=[Stage.RUNNING])]
    touched = 0
    for key in keys:
        try:
            touched += _make_up_one(judge, key, outage)
        except Conflict:
            log.warning("made up for by somebody else", extra={"game": key})
        except Exception:
            log.exception("an outage could not be made up for", extra={"game": key})
    return touched


def _make_up_one(judge: Judge, key: str, outage: Outage) -> bool:
    now = judge.clock.now()
    command = Tick(away=(outage.since, outage.until))
    with judge.store.write() as unit:
        game = judge.keeper.load(unit, key)
        if game is None:
            return False
        decision = decide(game, command, Context(Actor(Role.JUDGE), now, judge.lot, judge.shelf))
        if not isinstance(decision, Decision) or not decision.events:
            return False
        change = GameChange(game, game)
        judge.keeper.apply(change, decision.events)
        judge.keeper.save(unit, change, now, judge.entropy)
        post_letters(judge, unit, change, now)
    judge.keeper.settle(change)
    log.info("outage made up for", extra={"game": key})
    return True

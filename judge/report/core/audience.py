"""Who is told what: one table, of every event that somebody gets a letter about.

A row names those who are told, by what they are to the game. Nobody is told of what they did themselves, because the
answer to their mail says it. What each of them reads is the letter's business; that they read something is decided here
and nowhere else. The handbook prints the table (`templates/help/pages/told.txt`).

One transaction's worth of events, with the questions that every letter asks of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from judge.game.clock.clockwork import WordAwaited
from judge.game.clock.ladder import UNVOTED
from judge.game.clock.schedule import GraceMoved, TimeLost
from judge.game.clock.turnover import TurnSplit
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.events import Event, GameStarted, PhaseAdjudicated, PhaseSkipped, VoteCalled, VoteClosed
from judge.game.core.model import Game, Replay
from judge.game.filing.advance import KeptBound
from judge.game.filing.standing import told_of
from judge.game.filing.submitting import deeds_from_json
from judge.game.office.rulings import Revealed
from judge.game.office.undoing import GraceRestored
from judge.game.repair.correcting import PositionCorrected
from judge.game.repair.rewriting import PhaseReopened, RolledBack, replay_of
from judge.game.table.filling import FillingSet, HopefulLeft, JoinedTold, ReserveJoined, SeatApplied, TurnedAway
from judge.game.table.seating import StartCalledOff, StartScheduled
from judge.game.table.substitutes import ProxyGiven, SubstituteEnded, SubstituteFound, SubstituteSought, proxy_of
from judge.game.table.vacancies import DisorderChanged, PlayerExcused
from judge.game.talk.ballots import RulesAmended
from judge.game.talk.closing import WORD
from judge.game.talk.epilogue import StatementMade, StatementsPublished, StatementsReminded
from judge.game.talk.press import EditorDismissed, EditorNamed, edits
from judge.report.core.letter import (
    Cast,
    Frame,
    Json,
    Kind,
    Letter,
    Letterhead,
    Reader,
    letterhead,
    plain,
    readers,
    who,
)
from judge.report.core.naming import Who


class Involvement(StrEnum):
    """What somebody is to a game when something happens in it."""

    PLAYER = "player"
    ELIMINATED = "eliminated"
    GAMEMASTER = "gamemaster"
    DEPUTY = "deputy"
    OBSERVER = "observer"
    EDITOR = "editor"
    CONCERNED = "concerned"
    """The persons or seats that the event names: who joined or left, was named or dismissed, is late, is asked."""
    FORMER = "former"
    """Whose office or offer has gone to somebody else."""
    HOPEFUL = "hopeful"
    """The reserve list, standbys, and readers of the openings."""


Involvements = frozenset[Involvement]

OFFICE: Involvements = frozenset({Involvement.GAMEMASTER, Involvement.DEPUTY})
TABLE: Involvements = OFFICE | {Involvement.PLAYER, Involvement.ELIMINATED}
PUBLIC: Involvements = TABLE | {Involvement.OBSERVER, Involvement.EDITOR}
CONCERNED: Involvements = frozenset({Involvement.CONCERNED})
FORMER: Involvements = frozenset({Involvement.FORMER})
HOPEFUL: Involvements = frozenset({Involvement.HOPEFUL})

Matter = type[ev.Event] | tuple[type[ev.Event], str]
"""An event, or a step of the ladder by its kind."""

AUDIENCE: dict[Matter, Involvements] = {
    # A game fills up.
    ev.GameCreated: frozenset({Involvement.GAMEMASTER}),
    ev.PlayerJoined: OFFICE | CONCERNED,
    SeatApplied: OFFICE,
    TurnedAway: CONCERNED,
    ReserveJoined: OFFICE | CONCERNED,
    HopefulLeft: OFFICE,
    JoinedTold: OFFICE,
    FillingSet: TABLE,
    StartScheduled: PUBLIC,
    StartCalledOff: PUBLIC,
    ev.GameStarted: PUBLIC | HOPEFUL,
    # The turns.
    ev.PhaseAdjudicated: PUBLIC,
    ev.PhaseSkipped: PUBLIC,
    ev.DeadlineSet: PUBLIC,
    ev.GameHeld: PUBLIC,
    ev.GameResumed: PUBLIC,
    TimeLost: PUBLIC,
    TurnSplit: PUBLIC,
    ev.OrdersFiled: CONCERNED,
    ev.DeedsFiled: CONCERNED,
    KeptBound: CONCERNED,
    ProxyGiven: CONCERNED | FORMER,
    # Orders that do not come.
    ev.ReminderDue: CONCERNED,
    ev.LateCalled: PUBLIC,
    (ev.LadderStep, "hint"): OFFICE,
    (ev.LadderStep, "grace"): OFFICE | CONCERNED,
    (ev.LadderStep, "standby"): OFFICE | HOPEFUL,
    (ev.LadderStep, "waiting"): PUBLIC,
    (ev.LadderStep, "vacant"): OFFICE,
    (ev.LadderStep, "wanted"): OFFICE | HOPEFUL,
    (ev.LadderStep, "overdue"): TABLE,
    (ev.LadderStep, WORD): OFFICE,
    (ev.LadderStep, UNVOTED): CONCERNED,
    GraceMoved: PUBLIC,
    GraceRestored: PUBLIC,
    PlayerExcused: PUBLIC,
    WordAwaited: TABLE | CONCERNED,
    ev.ProcessingDelayed: TABLE,
    ev.SeatVacated: PUBLIC | CONCERNED | HOPEFUL,
    ev.SeatFilled: PUBLIC | CONCERNED,
    DisorderChanged: PUBLIC,
    # Votes, rules, press.
    VoteCalled: PUBLIC,
    VoteClosed: PUBLIC,
    RulesAmended: PUBLIC,
    ev.SettingChanged: PUBLIC,
    ev.PressSent: CONCERNED,
    # Offices, and what is put right.
    SubstituteSought: OFFICE | HOPEFUL,
    SubstituteFound: PUBLIC | CONCERNED,
    SubstituteEnded: PUBLIC | CONCERNED,
    EditorNamed: PUBLIC | CONCERNED,
    EditorDismissed: PUBLIC | CONCERNED,
    Revealed: PUBLIC,
    PositionCorrected: PUBLIC,
    RolledBack: PUBLIC,
    PhaseReopened: PUBLIC,
    # The end.
    ev.GameEnded: PUBLIC | HOPEFUL,
    StatementsReminded: CONCERNED,
    StatementMade: PUBLIC,
    StatementsPublished: PUBLIC,
}
"""What happened -> who is told of it. An event that is absent is nobody's news; `judge.acts` adds those of its acts."""

_NOBODY: Involvements = frozenset()


def audience_of(event: ev.Event) -> Involvements:
    """The involved that are told of an event."""
    matter = (type(event), event.kind) if isinstance(event, ev.LadderStep) else type(event)
    return AUDIENCE.get(matter, _NOBODY)


def involvement_of(game: Game, reader: Reader, alive: frozenset[str]) -> Involvement:
    """What a reader is to the game as it stands. `alive`: the powers that survive."""
    if reader.seat == GM_SEAT:
        return Involvement.DEPUTY if reader.deputy else Involvement.GAMEMASTER
    seat = game.seats.get(reader.seat)
    if seat is None:
        return Involvement.EDITOR if edits(game, reader.member.person) else Involvement.OBSERVER
    return Involvement.PLAYER if not seat.powers or not alive.isdisjoint(seat.powers) else Involvement.ELIMINATED


def concerned(game: Game, event: ev.Event, before: Game | None = None) -> frozenset[str]:
    """The seats that an event names as those whom it is about; of a proxy, who holds it and who held it before."""
    seats = getattr(event, "seats", None)
    if seats is not None:
        return frozenset(seats)
    if isinstance(event, ev.DeedsFiled):
        deeds = (*deeds_from_json(event.deeds), *(before.deeds.get(event.power, ()) if before is not None else ()))
        told = {power for deed in deeds for power in told_of(game, deed)}
        return frozenset(held.id for power in told if (held := game.seat_of(power)) is not None)
    if isinstance(event, ProxyGiven):
        given = proxy_of(before, before.seats[event.seat]) if before is not None else None
        return frozenset(filter(None, (event.holder, given.holder if given is not None else "")))
    if (seat := getattr(event, "seat", None)) is not None:
        return frozenset({seat})
    held = game.seat_of(power) if (power := getattr(event, "power", None)) else None
    return frozenset({held.id} if held is not None else ())


class Audience:
    """Everybody at and beside the table of a game, and what they are to it: asked once for each of several events."""

    def __init__(self, game: Game, before: Game | None, cast: Cast, at: datetime) -> None:
        self._game, self._before = game, before
        self.readers = tuple(readers(game, cast, at))
        alive = frozenset(game.survivors)
        self._involved = {reader: involvement_of(game, reader, alive) for reader in self.readers}

    def told(self, event: ev.Event, *, doer: bool = False) -> Iterator[Reader]:
        """Those who are told of an event. People without any place in the game, whom it may concern too, are their
        letters' own business. Whoever did it is among them only where `doer` says so.
        """
        involved = audience_of(event)
        if not involved:
            return
        about = concerned(self._game, event, self._before) if Involvement.CONCERNED in involved else ()
        for reader in self.readers:
            if (self._involved[reader] in involved or reader.seat in about) and (doer or not did(event, reader)):
                yield reader


def did(event: ev.Event, reader: Reader) -> bool:
    """Whether a reader is the one who caused an event: where somebody acted for the seat's holder, that is who did."""
    if event.by != reader.seat or not reader.seat:
        return False
    return event.deputy == reader.member.person if event.deputy else not reader.deputy


E = TypeVar("E", bound=Event)


@dataclass(frozen=True)
class Batch:
    """`before` is the game before `events` (None if they create it), `after` the game after them.

    `earlier`: events since the last report, whose broadcast press the next one repeats.
    """

    before: Game | None
    events: tuple[Event, ...]
    after: Game
    cast: Cast
    earlier: tuple[Event, ...] = ()

    def numbered(self) -> Iterator[tuple[int, Event]]:
        """The events with their numbers in the game's log."""
        first = self.after.seq - len(self.events) + 1
        return enumerate(self.events, first)

    def every(self, kind: type[E]) -> tuple[E, ...]:
        """All events of one kind, in order."""
        return tuple(event for event in self.events if isinstance(event, kind))

    def has(self, *kinds: type[Event]) -> bool:
        """Whether any event is of these kinds."""
        return any(isinstance(event, kinds) for event in self.events)

    @property
    def tells_results(self) -> bool:
        """Whether a results letter goes out, which says next deadline, closed votes and notes itself."""
        return self.has(PhaseAdjudicated, PhaseSkipped)

    def after_rollback(self) -> Replay | None:
        """What was taken back and is processed again by these events; None if nothing was."""
        if self.before is None or not self.tells_results:
            return None
        if self.before.replay is not None:
            return self.before.replay
        back = next((event for event in self.events if isinstance(event, RolledBack)), None)
        return replay_of(self.before, back) if back is not None else None

    @property
    def starts(self) -> bool:
        """Whether the game begins."""
        return self.has(GameStarted)

    def readers(self) -> Sequence[Reader]:
        """Everybody who reads about the game as it stands after the events."""
        return self._audience.readers

    @cached_property
    def _audience(self) -> Audience:
        return Audience(self.after, self.before, self.cast, self.events[-1].at)

    def told(self, *events: Event, doer: bool = False) -> Sequence[Reader]:
        """Those with a place at or beside the table who are told of any of these events, by the table of who is told
        what; whoever did it only where `doer` says so, because the letter is the answer to their mail.
        """
        rows = [self._audience.told(event, doer=doer) for event in events]
        return tuple({reader.slot: reader for row in rows for reader in row}.values())

    def frame(self, reader: Reader) -> Frame:
        """The frame of a letter to this reader."""
        return self._letterhead.to(reader, self.cast)

    @cached_property
    def _letterhead(self) -> Letterhead:
        return letterhead(self.after)

    def doer(self, event: Event) -> Who:
        """Who did what an event tells; of a Gamemaster's act their deputy by name, where one did it."""
        return who(self.after, event.by, self.cast.member(event.deputy).name if event.deputy else "")

    def letter(self, kind: Kind, about: str, reader: Reader, view: Json, *, yes: str = "") -> Letter:
        """A letter of the game's thread. `about`: what its key says before the reader; `yes`: the line that a plain yes
        in answer stands for.
        """
        facts = plain(view)
        reply = replace(self._letterhead.reply, yes=yes)
        if "desk" in facts:
            reply = replace(reply, form=tuple(facts["desk"]["form"]))
        return Letter(
            kind=kind,
            idem_key=f"{self.after.key}/{about}/{kind}/{reader.slot}",
            view={"frame": plain(self.frame(reader)), "reply": plain(reply), **facts},
            game=self.after.key,
            seat=reader.seat,
            person=reader.member.person,
            reply_as="" if reader.deputy else reader.seat,  # the Gamemaster's own address is not for a deputy
        )

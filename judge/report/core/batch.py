"""One transaction's worth of events, with the questions that every letter asks of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from judge.game.core.events import Event, GameStarted, PhaseAdjudicated, PhaseSkipped
from judge.game.core.model import Game, Replay
from judge.game.repair.rewriting import RolledBack, replay_of
from judge.report.core.audience import Audience
from judge.report.core.frame import Cast, Frame, Letterhead, Reader, letterhead, who
from judge.report.core.letter import Json, Kind, Letter, plain
from judge.report.core.naming import Who

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

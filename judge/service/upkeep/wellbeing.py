"""How a judge is, as its database tells: queues and their ages, turns that are overdue, the last backup.

For monitoring and for the operator's weekly letter. Nothing here names a person or a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.service.core.house import House
from judge.store.backup import last_backup
from judge.store.rows import DeliveryState, LetterState, MailState

PATIENCE = timedelta(minutes=2)
"""A turn that is processed within this is on time: mail is being read."""

_OPEN = (DeliveryState.READY, DeliveryState.DEFERRED, DeliveryState.LEASED)


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many wait, and since when the oldest of them does (None: none waits)."""

    length: int
    oldest: datetime | None

    def age(self, now: datetime) -> timedelta:
        """How long the oldest has waited."""
        return max(now - self.oldest, timedelta()) if self.oldest is not None else timedelta()


@dataclass(frozen=True, slots=True)
class Wellbeing:
    """A look at one moment. `late`: for each turn that is overdue, by how much; `paused`: why nothing is sent, ""."""

    now: datetime
    mails: Mapping[MailState, int]
    deliveries: Mapping[DeliveryState, int]
    broken_letters: int
    queues: Mapping[str, Backlog]
    late: tuple[timedelta, ...]
    games: Mapping[str, int]
    paused: str
    last_backup: datetime | None


def look(house: House) -> Wellbeing:
    """How the judge is now. Raises StoreTrouble."""
    now = house.clock.now()
    with house.store.read() as view:
        mails, oldest = view.inbox.counts(), view.inbox.oldest()
        deliveries, letters = view.outbox.counts(), view.letters.counts()
        queues = {str(state): Backlog(mails.get(state, 0), oldest.get(state)) for state in _WAITING}
        waiting = sum(deliveries.get(state, 0) for state in _OPEN)
        queues["outbox"] = Backlog(waiting, view.outbox.oldest_open() if waiting else None)
        games: dict[str, int] = {}
        for row in view.games.list():
            games[row.state] = games.get(row.state, 0) + 1
        due = (now - row.next_due_at for row in view.games.due(now) if row.next_due_at is not None)
        return Wellbeing(
            now=now,
            mails=mails,
            deliveries=deliveries,
            broken_letters=letters.get(LetterState.BROKEN, 0),
            queues=queues,
            late=tuple(wait for wait in due if wait > PATIENCE),
            games=games,
            paused=view.outbox.paused() or "",
            last_backup=last_backup(view),
        )


_WAITING = (MailState.NEW, MailState.HELD, MailState.QUARANTINED)

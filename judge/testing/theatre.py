"""A theatre: a whole judge that can be written to, whose clock can be moved, that can be killed and started again.

There are two: `judge.testing.stage.Playhouse` in this process, and `judge.testing.tour.Tour`, a real daemon in a
process of its own. A rehearsal does not know which one it plays in.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from judge.config import Config
from judge.game.core.model import Game
from judge.service.core.house import House
from judge.store import View
from judge.store.rows import DeliveryState, GameRow
from judge.testing.mails import AUTHSERV, RawMail, build, plain
from judge.testing.matching import ReceivedLetter

START = datetime(1901, 3, 1, 12, 0, tzinfo=UTC)
DOMAIN = "judge.test"
GM = "gm@players.test"

OPEN = (DeliveryState.READY, DeliveryState.DEFERRED, DeliveryState.LEASED)
"""States of deliveries that are still to be tried."""


def rehearsal_config(var: Path) -> Config:
    """The configuration of a judge that plays before no audience."""
    return Config(var=var, domain=DOMAIN, gms=(GM,), authserv_id=AUTHSERV, smtp_listen="127.0.0.1:0", log="json",
                  pictures=False, weekly=None)  # fmt: skip


class Theatre(ABC):
    """What a rehearsal asks of a judge. `house` looks into the same database, whoever works on it."""

    house: House
    vouching = True
    """Whether our own mail server gives its word for senders, unless a mail says otherwise."""

    def __init__(self) -> None:
        self.sent: list[RawMail] = []
        self.refused: list[RawMail] = []
        """Mails that the door turned away for good: unknown recipients, too large."""
        self.numbered = 0
        self.quiet_until: datetime | None = None
        """After an outage: the moment from which phases are adjudicated again."""

    @abstractmethod
    def appoint(self, operator: str) -> None:
        """Name the operator of this judge, before anything happens."""

    @property
    def now(self) -> datetime:
        """The judge's time."""
        return self.house.clock.now()

    @property
    def address(self) -> str:
        """The judge's own address."""
        return self.house.config.address

    def send(
        self,
        sender: str,
        text: str,
        *,
        to: str = "",
        subject: str = "",
        headers: Mapping[str, str] | None = None,
        vouched: bool | None = None,
    ) -> None:
        """One mail, and all that comes of it."""
        self.perform(*plain(sender, subject, text, headers or {}), to=to, vouched=vouched)

    def perform(self, headers: list[tuple[str, str]], body: str, *, to: str = "", vouched: bool | None = None) -> None:
        """A mail by its headers and body, and all that comes of it."""
        self.numbered += 1
        trusted = self.vouching if vouched is None else vouched
        mail = build(headers, body, now=self.now, number=self.numbered, to=to or self.address, vouched=trusted)
        self.offer(mail)

    def offer(self, mail: RawMail) -> None:
        """Bring a mail to the door, and wait for all that comes of it."""
        self.sent.append(mail)
        self.deliver(mail)
        self.settle()

    def advance(
        self, by: timedelta | None = None, *, to: datetime | None = None, until: Callable[[], bool] = lambda: False
    ) -> None:
        """Move the clock on, halting at every moment at which the judge means to do something; no further than to the
        first of these after which `until` is so.
        """
        end = to if to is not None else self.now + (by or timedelta())
        self.settle()
        while not until() and (moment := self._next_moment(end)) is not None:
            self.set_clock(moment)
            self.settle()
        if until():
            return
        self.set_clock(end)
        self.settle()

    def game(self, key: str) -> Game:
        """A game as the database has it. Raises KeyError."""
        with self.house.store.read() as view:
            game = self.house.keeper.load(view, key)
        if game is None:
            raise KeyError(key)
        return game

    def _next_moment(self, end: datetime) -> datetime | None:
        now = self.now
        if self.dead:
            return None
        with self.house.store.read() as view:
            rows = view.games.list()
            moments = [row.next_due_at for row in rows]
            moments.append(view.zines.next_at())
            moments += self._awaited(view, rows)
            moments += [line.delivery.next_try for line in view.outbox.list(states=OPEN, limit=100_000)]
        moments.append(self.quiet_until)
        return min((moment for moment in moments if moment is not None and now < moment <= end), default=None)

    def _awaited(self, view: View, rows: Sequence[GameRow]) -> list[datetime]:
        """Where a phase is held up: until when it waits at most."""
        stuck = (row.key for row in rows if row.next_due_at is not None and row.next_due_at <= self.now)
        games = (game for key in stuck if (game := self.house.keeper.load(view, key)) is not None)
        return [word.until for game in games for word in game.awaited.values()]

    @property
    @abstractmethod
    def dead(self) -> str:
        """Why nobody is at work, "" while somebody is."""

    @property
    @abstractmethod
    def armed(self) -> str:
        """The arrow at which the judge is still to die, "" for none."""

    @abstractmethod
    def begin(self) -> None:
        """The scenery stands; from now on the judge works by itself."""

    @abstractmethod
    def deliver(self, mail: RawMail) -> None:
        """Hand a mail to the judge's door. A mail that cannot be taken now is offered again after the restart."""

    @abstractmethod
    def settle(self) -> None:
        """Wait until the judge has done everything that is to be done at this moment."""

    @abstractmethod
    def set_clock(self, moment: datetime) -> None:
        """Move the clock to a moment, without halting on the way."""

    @abstractmethod
    def inbox(self, address: str) -> list[ReceivedLetter]:
        """All letters that have reached an address, in order."""

    @abstractmethod
    def everything(self) -> list[ReceivedLetter]:
        """All letters that have reached anybody, each mailbox in order."""

    @abstractmethod
    def stop(self) -> None:
        """End the judge in an orderly way; nobody is at work until the restart."""

    @abstractmethod
    def restart(self, *, misprint: str = "") -> None:
        """Start the judge again on the same database, after ending it if it is at work.

        `misprint`: the border that is missing on its maps this time (`judge.testing.misprints`).
        """

    @abstractmethod
    def kill_at(self, arrow: str) -> None:
        """Let the judge die when it next reaches an arrow."""

    @abstractmethod
    def close(self) -> None:
        """Close everything."""

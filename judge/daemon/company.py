"""The daemons beside this one on a PostgreSQL: who lives, what they call out, and how far our clock is from theirs.

A thread of its own says every second that we live and up to when what reached us is stored (`judge.store.daemons`), and
hears what the others call out: that mail waits, that letters do, that a turn waits for what we may still hold.

Of a mailbox that several daemons can fetch from, the one that has been there longest does; one that cannot reach it
leaves it to the next until it can. This spares connections and mails fetched twice, and nothing rests on it: a mail
that two fetch is stored once, and before a turn every daemon looks into every mailbox that it has.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from threading import Event
from typing import Protocol

from judge.clock import Clock, CorrectedClock, SystemClock
from judge.release import release
from judge.service.core.house import House
from judge.store import StoreTrouble
from judge.store.daemons import Presence
from judge.store.engine import parse
from judge.store.rows import DaemonRow
from judge.transport.ports import MailSource, SourceUnreachable

log = logging.getLogger("judge.daemon")

EVERY = 1.0
"""Seconds between two signs of life."""
MOST_OFF = timedelta(seconds=2)
"""By how much a machine's clock may be off: beyond that its daemon decides no deadline."""


class DaemonCall(StrEnum):
    """What daemons call out to each other."""

    MAIL = "mail"
    """Mail waits in the inbox."""
    LETTERS = "letters"
    """Letters wait to be composed or sent."""
    SETTLE = "settle"
    """A turn waits for what others may hold: fetch what came, and say that it is stored."""
    SETTLED = "settled"
    """It is."""
    DRAWN = "drawn"
    """A picture is there, or will not come; its name follows."""
    JOINED = "joined"
    """One more is there."""
    LEFT = "left"
    """One is gone. Nobody calls this out: it is seen."""


TOO_SILENT = 120.0
"""Seconds without an answer of a mailbox, after which it is left to another daemon: two slices of IDLE and some
patience. As often we look whether it answers again.
"""


class SharedMailbox:
    """A mailbox of ours that other daemons may fetch from too. Looked after by one thread, fetched from by another."""

    def __init__(self, source: MailSource, tick: Callable[[], float]) -> None:
        self._source = source
        self._tick = tick
        self._next_look = 0.0
        self.left = False
        """Whether we left it to others because it did not answer us."""
        self._ours, self._others = Event(), Event()
        self._others.set()

    @property
    def name(self) -> str:
        return self._source.mailbox

    @property
    def ours(self) -> bool:
        """Whether it is we who fetch from it."""
        return self._ours.is_set()

    def within_reach(self, *, anybody_else: bool) -> bool:
        """Whether we could fetch from it: not while it is silent, if somebody else is there who might."""
        if self.ours and anybody_else and (self._source.silent_for() or 0.0) > TOO_SILENT:
            self.left, self._next_look = True, self._tick() + TOO_SILENT
        return not self.left or not anybody_else

    def share(self, *, ours: bool) -> None:
        """Begin to fetch from it, or leave it to another."""
        if ours == self.ours:
            return
        log.info("a mailbox is ours" if ours else "a mailbox is another daemon's", extra={"source": self._source.name})
        before, after = (self._others, self._ours) if ours else (self._ours, self._others)
        before.clear()
        after.set()

    def fetch(self, seconds: float) -> None:
        """Fetch from it while it is ours; else wait so long for that, and look at what we left now and then."""
        if self._ours.wait(seconds):
            self._source.run(self._others)
        elif self.left and self._tick() >= self._next_look:
            self._next_look = self._tick() + TOO_SILENT
            with suppress(SourceUnreachable):
                self._source.poll_once()
                self.left = False


class StoredUntil(Protocol):
    """Up to when what reached this daemon is stored, and what is wrong with it, "" if nothing."""

    def __call__(self) -> tuple[datetime, str]: ...


class OtherDaemons:
    """What one daemon knows of the others. `heard` is told of each call, in this thread."""

    def __init__(
        self,
        house: House,
        roles: tuple[str, ...],
        *,
        settled: StoredUntil,
        heard: Callable[[str], object],
        sources: Sequence[MailSource] = (),
        machine: Clock | None = None,
        tick: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._pause = pause
        self._house = house
        self._roles = roles
        self._settled = settled
        self._heard = heard
        self._machine = machine or SystemClock()
        self._began = house.clock.now()
        self._presence = Presence(parse(house.config.database), house.store.owner)
        self._release = release()
        self._mailboxes = {source.name: SharedMailbox(source, tick) for source in sources if source.mailbox}
        self.others: tuple[DaemonRow, ...] = ()
        self.gone: frozenset[str] = frozenset()
        self.off = timedelta()
        self._revision = ""

    @property
    def wrong_clock(self) -> str:
        """Why this daemon decides no deadline; "" where its clock may be believed."""
        if abs(self.off) <= MOST_OFF:
            return ""
        seconds, way = abs(self.off.total_seconds()), "behind" if self.off > timedelta() else "ahead of"
        return (
            f"the clock of this machine is {seconds:.0f} s {way} the database's, so this daemon processes no turn; "
            "set it right (chrony or systemd-timesyncd keep it so)"
        )

    def join(self) -> None:
        """Be known to the others before anything is taken in hand. Raises StoreTrouble."""
        self.look()
        self._presence.call(DaemonCall.JOINED)

    def look(self) -> None:
        """Say that we live, and see who else does. Raises StoreTrouble."""
        settled, trouble = self._settled()
        place = f"{socket.gethostname()}:{self._house.config.var}"
        mailboxes = self._within_reach()
        about = DaemonRow("", place, self._release, self._roles, self._began, settled, settled, 0, trouble, mailboxes)
        seen = self._presence.look(about, self._machine.now)
        if self._revision not in ("", seen.revision):
            log.warning(
                "a newer version has changed the database (to revision %s); this daemon, of version %s, works on with "
                "what it knows: upgrade it next, it cannot be started again as it is",
                seen.revision,
                self._release,
            )
        self._revision = seen.revision
        self.off = seen.off
        if isinstance(self._house.clock, CorrectedClock):
            self._house.clock.ahead = seen.off
        came = {row.owner for row in seen.others} - {row.owner for row in self.others}
        left = {row.owner for row in self.others} - {row.owner for row in seen.others}
        for what, owners in (("a daemon joined", came), ("a daemon left", left)):
            for owner in owners:
                log.info(what, extra={"daemon": owner})
        died = seen.gone - self.gone
        self.others, self.gone = seen.others, seen.gone
        self._house.store.company = bool(seen.others)
        self._share_mailboxes(mailboxes)
        if died:
            self._heard(DaemonCall.LEFT)

    def _within_reach(self) -> tuple[str, ...]:
        named = {name for daemon in self.others for name in daemon.mailboxes}
        boxes = self._mailboxes.values()
        return tuple(box.name for box in boxes if box.within_reach(anybody_else=box.name in named))

    def _share_mailboxes(self, within_reach: Sequence[str]) -> None:
        """Whose each mailbox is: of those who can reach it the first that came."""
        us = (self._began, self._house.store.owner)
        for box in self._mailboxes.values():
            sooner = any(box.name in other.mailboxes and (other.began_at, other.owner) < us for other in self.others)
            box.share(ours=box.name in within_reach and not sooner)

    def shared(self, source: MailSource) -> SharedMailbox | None:
        """What this source fetches from, if others may too."""
        return self._mailboxes.get(source.name)

    def leave_mailboxes(self) -> None:
        """End fetching."""
        for box in self._mailboxes.values():
            box.share(ours=False)

    def run(self, stopped: Callable[[], bool]) -> None:
        """Live among the others until told to stop."""
        while not stopped():
            try:
                self._live()
            except StoreTrouble as trouble:
                log.warning("the other daemons are out of sight: %s", trouble)
                self._pause(EVERY)

    def _live(self) -> None:
        self.look()
        for word in self._presence.listen(EVERY):
            if word in (DaemonCall.JOINED, DaemonCall.SETTLE):
                self.look()
            self._heard(word)

    def call(self, word: DaemonCall, about: str = "") -> None:
        """Have the others told, if there are any. For any thread. Trouble of the store is no matter: they look by
        themselves before long.
        """
        if self.others:
            with suppress(StoreTrouble):
                self._presence.call(f"{word} {about}".strip())

    def anybody(self, role: str) -> bool:
        """Whether another daemon lives that does this."""
        return any(role in daemon.roles for daemon in self.others)

    def leave(self) -> None:
        """Say that we stop. Raises StoreTrouble."""
        self._presence.leave()

    def facts(self) -> list[Mapping[str, object]]:
        """Every other daemon as monitoring and `judge doctor` tell of it."""
        return [facts_of(row) for row in self.others]


def facts_of(row: DaemonRow) -> Mapping[str, object]:
    """A daemon as monitoring and `judge doctor` tell of it."""
    return {
        "daemon": row.owner,
        "place": row.place,
        "version": row.version,
        "does": list(row.roles),
        "since": row.began_at.isoformat(),
        "seen": row.seen_at.isoformat(),
        "clock_off_seconds": round(row.off / 1e6, 3),
        "trouble": row.trouble,
        "mailboxes": list(row.mailboxes),
    }

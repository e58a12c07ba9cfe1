"""The daemons beside this one on a PostgreSQL: who lives, what they call out, and how far our clock is from theirs.

A thread of its own says every second that we live and up to when what reached us is stored (`judge.store.daemons`), and
hears what the others call out: that mail waits, that letters do, that a turn waits for what we may still hold.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from judge.clock import Clock, CorrectedClock, SystemClock
from judge.release import release
from judge.service.core.house import House
from judge.store import StoreTrouble
from judge.store.daemons import Presence
from judge.store.engine import parse
from judge.store.rows import DaemonRow

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
        machine: Clock | None = None,
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
        about = DaemonRow("", place, self._release, self._roles, self._began, settled, settled, 0, trouble)
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
        if died:
            self._heard(DaemonCall.LEFT)

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
    }

"""Whether a judge may go on from where it was: alone on its database or beside which daemons, on the database that ran
last, after how long, by a clock that may be believed.

Two daemons on one SQLite file would both send its letters and process its deadlines. The lock is held by the open file,
so that it dies with its process however that ends; what stands in the file is only for whoever reads the refusal.
Everything else (`judge feed`, `judge gm`, `judge doctor` ...) works beside a daemon.

A thread of its own says every second that we live and up to when what reached us is stored (`judge.store.daemons`), and
hears what the others call out: that mail waits, that letters do, that a turn waits for what we may still hold.

Of a mailbox that several daemons can fetch from, the one that has been there longest does; one that cannot reach it
leaves it to the next until it can. This spares connections and mails fetched twice, and nothing rests on it: a mail
that two fetch is stored once, and before a turn every daemon looks into every mailbox that it has.
"""

from __future__ import annotations

import fcntl
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import IO, Protocol

from judge.clock import Clock, CorrectedClock, SystemClock
from judge.config import Config
from judge.daemon.loops import DAMAGED
from judge.release import release
from judge.service.core.judge import Judge
from judge.service.intake.door import Door
from judge.service.posting.operator import tell_operator
from judge.service.turning.barrier import ClockReading, Outage, Watch, make_up, outage_between
from judge.service.upkeep.backups import HEARTBEAT, awaits_recovery, recover
from judge.service.upkeep.wellbeing import send_weekly, warn_of_room
from judge.store import MARKER_FILE, StoreDamaged, StoreTrouble, advance_marker, marker_state
from judge.store.daemons import Presence
from judge.store.engine import file_of, parse
from judge.store.files import private_file
from judge.store.rows import DaemonRow
from judge.store.sql import is_dead
from judge.transport.ports import MailSource, SourceUnreachable

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
        judge: Judge,
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
        self._judge = judge
        self._roles = roles
        self._settled = settled
        self._heard = heard
        self._machine = machine or SystemClock()
        self._began = judge.clock.now()
        self._presence = Presence(parse(judge.config.database), judge.store.owner)
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
        place = f"{socket.gethostname()}:{self._judge.config.var}"
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
        if isinstance(self._judge.clock, CorrectedClock):
            self._judge.clock.ahead = seen.off
        came = {row.owner for row in seen.others} - {row.owner for row in self.others}
        left = {row.owner for row in self.others} - {row.owner for row in seen.others}
        for what, owners in (("a daemon joined", came), ("a daemon left", left)):
            for owner in owners:
                log.info(what, extra={"daemon": owner})
        died = seen.gone - self.gone
        self.others, self.gone = seen.others, seen.gone
        self._judge.store.company = bool(seen.others)
        self._share_mailboxes(mailboxes)
        if died:
            self._heard(DaemonCall.LEFT)

    def _within_reach(self) -> tuple[str, ...]:
        named = {name for daemon in self.others for name in daemon.mailboxes}
        boxes = self._mailboxes.values()
        return tuple(box.name for box in boxes if box.within_reach(anybody_else=box.name in named))

    def _share_mailboxes(self, within_reach: Sequence[str]) -> None:
        """Whose each mailbox is: of those who can reach it the first that came."""
        us = (self._began, self._judge.store.owner)
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


log = logging.getLogger("judge.daemon")

_LAST_OUTAGE = "daemon.last_outage"
"""When nobody took mail in last, from when to when, for all daemons of a database."""

NOT_TRUSTED = "the database looks like a restored backup; the operator must confirm it: judge doctor"
"""Why a daemon stands still, and what the others hear of it till it has looked."""
_STEPPED = "the clock of this machine stepped; waiting for it to be set right"


class Continuity:
    """What a process knows of the judge before it, and of its own time."""

    door: Door
    company: OtherDaemons | None
    receives = True
    """Whether this process takes mail in."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._letters = threading.Event()
        self._outage: Outage | None = None
        self._frozen = ""
        self._trusted = False
        self._unwritable = ""
        self._recovering = False
        self._marker = judge.config.var / MARKER_FILE
        self._watch = Watch(self._reading())

    def _check_marker(self) -> None:
        marker = marker_state(self.judge.store, self._marker)
        if not marker.trusted and not self._others_go_on():
            self._frozen = NOT_TRUSTED
            log.error("database not trusted", extra={"state": str(marker.state)})
            self._report_restored(f"{marker.generation}/{marker.marked}")
            return
        self._trusted = True
        if self.company is not None:
            self.company.look()  # before the generation is another: who finds that one finds us
        advance_marker(self.judge.store, self._marker)
        self._recovering = awaits_recovery(self.judge)

    def _others_go_on(self) -> bool:
        """Whether a daemon lives on this database that trusts it. Asked after our marker was compared."""
        if self.company is None:
            return False
        self.company.look()
        return any(daemon.trouble != NOT_TRUSTED for daemon in self.company.others)

    def _recover(self, sources: Sequence[MailSource]) -> bool:
        """After a restore: fetch what can be had again, and tell everybody what is lost. Whether that is done now."""
        if self._recovering and not self._frozen and recover(self.judge, sources):
            self._recovering = False
            self._letters.set()
            return True
        return False

    def _report_restored(self, finding: str) -> None:
        with self.judge.store.write() as unit:
            tell_operator(
                self.judge, unit, f"restored/{finding}", subject="the judge stands still until you look at it",
                items=(f"At its start: {self._frozen}.", "Mail is taken in, but no letter leaves and no phase runs."),
            )  # fmt: skip

    def _note_outage(self) -> None:
        with self.judge.store.read() as view:
            seen = view.meta.get(HEARTBEAT)
        last = datetime.fromisoformat(seen) if seen else None
        if (outage := outage_between(last, self.judge.clock.now())) is not None:
            self._make_up(outage)

    def _make_up(self, outage: Outage) -> None:
        """We were not there, or could take no mail: phases wait for the backlog, and lost time is given back."""
        self._outage = outage
        if self.judge.store.many:
            with self.judge.store.write(shared=True) as unit:
                unit.meta.set(_LAST_OUTAGE, f"{outage.since.isoformat()} {outage.until.isoformat()}", safe=True)
        log.warning("back after an outage", extra={"minutes": int((outage.until - outage.since).total_seconds() // 60)})
        if not self._frozen and not self._recovering:  # a restored judge gives back more than that
            make_up(self.judge, outage)
            self._letters.set()

    def _learn_of_outages(self) -> None:
        """What another daemon found that nobody took in keeps turns waiting here, too."""
        if not self.judge.store.many:
            return
        with self.judge.store.read() as view:
            noted = view.meta.get(_LAST_OUTAGE)
        if noted is None:
            return
        since, until = map(datetime.fromisoformat, noted.split())
        if self._outage is None or self._outage.until < until:
            self._outage = Outage(since, until)

    def _note_heartbeat(self) -> None:
        """Note that mail is taken in at this moment; while nobody does that, time is lost to everybody."""
        if self._frozen or self.door.closed == DAMAGED:
            return  # whoever confirms the database starts us again: all that time is to be made up for then
        try:
            also = {HEARTBEAT: self.judge.clock.now().isoformat()} if self.receives else {}
            advance_marker(self.judge.store, self._marker, also=also)
        except OSError as error:
            self._unwritable = f"the marker beside the database cannot be written: {error.strerror}"
            log.error(self._unwritable)
        except StoreTrouble as trouble:
            self._unwritable = "" if isinstance(trouble, StoreDamaged) else str(trouble)  # the door says that one
            raise
        else:
            self._unwritable = ""

    def _note_put_off(self) -> None:
        """Mails that could not be stored come again after a while: what fell due in between waits for them, as it does
        after an outage.
        """
        if (span := self.door.refusals.taken()) is None:
            return
        (since, until), before = span, self._outage
        if before is not None and since <= before.until + self.judge.config.backlog_window:
            since = min(since, before.since)
        self._make_up(Outage(since, until))

    def _tell_operator(self) -> None:
        """What comes by letter, unasked: the week, and that the disk fills up."""
        send_weekly(self.judge)
        warn_of_room(self.judge)

    def _reading(self) -> ClockReading:
        return ClockReading(self.judge.clock.now(), time.monotonic())

    def _clock_is_sane(self) -> bool:
        """Whether the wall clock may be believed; a step stops intake and phases until it is undone or has settled."""
        self._watch, look = self._watch.look(self._reading())
        if not look.sane:
            self.door.closed = _STEPPED
            log.error("the clock stepped", extra={"seconds": int(look.step.total_seconds())})
            return False
        if self.door.closed == _STEPPED:
            self.door.closed = ""
        if look.outage is not None:
            self._make_up(look.outage)
        return True

    def _give_back(self) -> None:
        """What dead processes had in hand need not wait for its leases to lapse; what living ones have stays theirs."""
        now = self.judge.clock.now()
        with self.judge.store.write(shared=True) as unit:
            for room in (unit.inbox, unit.letters, unit.outbox):
                for owner in filter(self._is_gone, room.holders()):
                    room.give_back(owner, now)

    def _is_gone(self, owner: str) -> bool:
        """Whether an owner of leases is no more; "daemon" is what every daemon was called once."""
        gone = self.company.gone if self.company is not None else ()
        return owner == "daemon" or owner in gone or is_dead(owner)


class NotAlone(Exception):
    """Another daemon holds the lock; the message says which process, and what to do."""


class Alone:
    """The lock of one daemon, from `take` to `free`, or to the end of the process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def take(self) -> None:
        """Raises NotAlone, OSError."""
        private_file(self._path)
        file = self._path.open("r+", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = file.read().strip()
            file.close()
            raise NotAlone(_refusal(self._path, holder)) from error
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        self._file = file

    def free(self) -> None:
        """Release the lock. The file stays: removing it could remove the lock of a third process."""
        if self._file is not None:
            self._file.close()
            self._file = None


def running_since(config: Config) -> datetime | None:
    """When the judge took its lock that runs on this database; None if none runs."""
    path = lock_of(config)
    if not path.exists():
        return None
    alone = Alone(path)
    try:
        alone.take()
    except NotAlone:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    alone.free()
    return None


def lock_of(config: Config) -> Path:
    """Where the lock of this judge's database lies: beside an SQLite file, else in var/."""
    database = file_of(parse(config.database))
    return (database or config.var / "judge").resolve().with_name(f"{(database or Path('judge')).name}.lock")


def _refusal(path: Path, holder: str) -> str:
    process = f"process {holder}" if holder.isdigit() else "another process"
    return (
        f"another judge runs on this database already ({process} holds {path}); stop it first, or give this one a "
        "configuration of its own (another paths.var, or another store.url)"
    )

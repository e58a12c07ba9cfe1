"""Whether a judge may go on from where it was: alone on its database, the database that ran last, how long nobody was
here, a clock that may be believed.

Two daemons on one SQLite file would both send its letters and process its deadlines. The lock is held by the open file,
so that it dies with its process however that ends; what stands in the file is only for whoever reads the refusal.
Everything else (`judge feed`, `judge gm`, `judge doctor` ...) works beside a daemon.
"""

from __future__ import annotations

import fcntl
import logging
import os
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from judge.config import Config
from judge.daemon.company import OtherDaemons
from judge.daemon.loops import DAMAGED
from judge.service.core.house import House
from judge.service.intake.door import Door
from judge.service.posting.operator import tell_operator
from judge.service.turning.barrier import ClockReading, Outage, Watch, make_up, outage_between
from judge.service.upkeep.backups import HEARTBEAT, awaits_recovery, recover
from judge.service.upkeep.wellbeing import send_weekly, warn_of_room
from judge.store import MARKER_FILE, StoreDamaged, StoreTrouble, advance_marker, marker_state
from judge.store.engine import file_of, parse
from judge.store.files import private_file
from judge.store.sql import is_dead
from judge.transport.ports import MailSource

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

    def __init__(self, house: House) -> None:
        self.house = house
        self._letters = threading.Event()
        self._outage: Outage | None = None
        self._frozen = ""
        self._trusted = False
        self._unwritable = ""
        self._recovering = False
        self._marker = house.config.var / MARKER_FILE
        self._watch = Watch(self._reading())

    def _check_marker(self) -> None:
        marker = marker_state(self.house.store, self._marker)
        if not marker.trusted and not self._others_go_on():
            self._frozen = NOT_TRUSTED
            log.error("database not trusted", extra={"state": str(marker.state)})
            self._report_restored(f"{marker.generation}/{marker.marked}")
            return
        self._trusted = True
        if self.company is not None:
            self.company.look()  # before the generation is another: who finds that one finds us
        advance_marker(self.house.store, self._marker)
        self._recovering = awaits_recovery(self.house)

    def _others_go_on(self) -> bool:
        """Whether a daemon lives on this database that trusts it. Asked after our marker was compared."""
        if self.company is None:
            return False
        self.company.look()
        return any(daemon.trouble != NOT_TRUSTED for daemon in self.company.others)

    def _recover(self, sources: Sequence[MailSource]) -> bool:
        """After a restore: fetch what can be had again, and tell everybody what is lost. Whether that is done now."""
        if self._recovering and not self._frozen and recover(self.house, sources):
            self._recovering = False
            self._letters.set()
            return True
        return False

    def _report_restored(self, finding: str) -> None:
        with self.house.store.write() as unit:
            tell_operator(
                self.house, unit, f"restored/{finding}", subject="the judge stands still until you look at it",
                items=(f"At its start: {self._frozen}.", "Mail is taken in, but no letter leaves and no phase runs."),
            )  # fmt: skip

    def _note_outage(self) -> None:
        with self.house.store.read() as view:
            seen = view.meta.get(HEARTBEAT)
        last = datetime.fromisoformat(seen) if seen else None
        if (outage := outage_between(last, self.house.clock.now())) is not None:
            self._make_up(outage)

    def _make_up(self, outage: Outage) -> None:
        """We were not there, or could take no mail: phases wait for the backlog, and lost time is given back."""
        self._outage = outage
        if self.house.store.many:
            with self.house.store.write(shared=True) as unit:
                unit.meta.set(_LAST_OUTAGE, f"{outage.since.isoformat()} {outage.until.isoformat()}", safe=True)
        log.warning("back after an outage", extra={"minutes": int((outage.until - outage.since).total_seconds() // 60)})
        if not self._frozen and not self._recovering:  # a restored judge gives back more than that
            make_up(self.house, outage)
            self._letters.set()

    def _learn_of_outages(self) -> None:
        """What another daemon found that nobody took in keeps turns waiting here, too."""
        if not self.house.store.many:
            return
        with self.house.store.read() as view:
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
            also = {HEARTBEAT: self.house.clock.now().isoformat()} if self.receives else {}
            advance_marker(self.house.store, self._marker, also=also)
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
        if before is not None and since <= before.until + self.house.config.backlog_window:
            since = min(since, before.since)
        self._make_up(Outage(since, until))

    def _tell_operator(self) -> None:
        """What comes by letter, unasked: the week, and that the disk fills up."""
        send_weekly(self.house)
        warn_of_room(self.house)

    def _reading(self) -> ClockReading:
        return ClockReading(self.house.clock.now(), time.monotonic())

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
        now = self.house.clock.now()
        with self.house.store.write(shared=True) as unit:
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

"""How a judge is: queues and their ages, turns that are overdue, room on its disk, and files that nobody else may read.

The operator's weekly letter: what the judge did, and what wants a look. It comes in quiet weeks too: a letter that
comes every week is missed when it does not.

Left as they are: a Maildir that a mail server fills, with the way to it, and the configuration, which its author may
want to show.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from judge.config import Config
from judge.game.clock.clockwork import awaited, still_awaited
from judge.game.core import events as ev
from judge.game.core.model import Running
from judge.pace import zone_info
from judge.service.core.judge import Judge
from judge.service.posting.operator import tell_operator
from judge.service.turning.barrier import held_mails
from judge.store import View
from judge.store.backup import last_backup
from judge.store.engine import file_of, parse
from judge.store.files import narrow, too_open
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


def look(judge: Judge) -> Wellbeing:
    """How the judge is now. Raises StoreTrouble."""
    now = judge.clock.now()
    with judge.store.read() as view:
        mails, oldest = view.inbox.counts(), view.inbox.oldest()
        deliveries, letters = view.outbox.counts(), view.letters.counts()
        queues = {str(state): Backlog(mails.get(state, 0), oldest.get(state)) for state in _WAITING}
        waiting = sum(deliveries.get(state, 0) for state in _OPEN)
        queues["outbox"] = Backlog(waiting, view.outbox.oldest_open() if waiting else None)
        games: dict[str, int] = {}
        for row in view.games.list():
            games[row.state] = games.get(row.state, 0) + 1
        return Wellbeing(
            now=now,
            mails=mails,
            deliveries=deliveries,
            broken_letters=letters.get(LetterState.BROKEN, 0),
            queues=queues,
            late=tuple(_late(judge, view, now)),
            games=games,
            paused=view.outbox.paused() or "",
            last_backup=last_backup(view),
        )


def _late(judge: Judge, view: View, now: datetime) -> Iterator[timedelta]:
    """For each turn that is overdue, by how much. One that waits for a word on a mail, as the rules of its game have
    it and as its players were told, is not.
    """
    for row in view.games.due(now - PATIENCE):
        assert row.next_due_at is not None, "it is due"
        game = judge.keeper.load(view, row.key)
        waits = isinstance(game, Running) and any(
            awaited(game, mail.seat) for mail in still_awaited(game, held_mails(view, game, now), now, row.next_due_at)
        )
        if not waits:
            yield now - row.next_due_at


_WAITING = (MailState.NEW, MailState.HELD, MailState.QUARANTINED)


LITTLE, TOO_LITTLE = 1_000_000_000, 200_000_000
"""Bytes of free disk below which somebody should know, and below which the next backup or upgrade may fail."""
FEW_FILES = 10_000

Usage = Callable[[Path], tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """What is free on the disk of `place`, and what the database has, in bytes. `files`: for how many more; None: for
    any number.
    """

    place: Path
    free: int
    database: int
    files: int | None

    @property
    def short(self) -> str:
        """Why somebody has to make room now; "" while nobody has to."""
        if self.free < TOO_LITTLE + self.database:
            return self.said
        if self.files is not None and self.files < FEW_FILES:
            return f"room for {self.files} more files only"
        return ""

    @property
    def little(self) -> bool:
        """Whether somebody should know of it before long."""
        return self.free < LITTLE + 2 * self.database

    @property
    def said(self) -> str:
        """The figures."""
        return f"{megabytes(self.free)} are free, the database has {megabytes(self.database)}"


def room(config: Config, *, usage: Usage = shutil.disk_usage) -> DiskRoom:
    """How much room there is. Raises OSError."""
    database = file_of(parse(config.database))
    size = database.stat().st_size if database is not None and database.exists() else 0
    place = next(path for path in (config.var, *config.var.parents) if path.exists())
    inodes = os.statvfs(place)
    return DiskRoom(place, usage(place)[2], size, inodes.f_favail if inodes.f_files else None)


def warn_of_room(judge: Judge, *, usage: Usage = shutil.disk_usage) -> bool:
    """Tell the operator while a letter can still be written: once a day for as long as room is short."""
    found = room(judge.config, usage=usage).short
    if not found or not judge.config.operator:
        return False
    key = f"disk/{judge.clock.now().date().isoformat()}"
    with judge.store.read() as view:
        if view.letters.by_key(f"judge/operator/{key}") is not None:
            return False
    with judge.store.write() as unit:
        return tell_operator(
            judge, unit, key, subject="the disk is nearly full",
            items=(
                f"On the disk of {judge.config.var} {found}.",
                "When it is full I can take no mail: other servers keep it for some days, and turns wait. "
                f"What fills it: du -xh {judge.config.var} | sort -h | tail",
            ),
        )  # fmt: skip


def megabytes(size: int) -> str:
    """A size in bytes, as a person reads it."""
    return f"{size / 1e6:,.0f} MB"


LAST = "weekly.last"
"""The point of the week whose letter is written."""
WEEK = timedelta(days=7)
OLD_BACKUP = timedelta(days=2)


def send_weekly(judge: Judge) -> bool:
    """Write the letter that is due, if one is. Harmless when asked again."""
    pace = judge.config.weekly
    if not judge.config.operator or pace is None:
        return False
    now = judge.clock.now()
    points = pace.points(now - 2 * WEEK, zone_info(judge.config.zone))
    slot = max((moment for moment in _until(points, now)), default=now)
    with judge.store.read() as view:
        done = view.meta.get(LAST)
        if done is not None and done >= slot.isoformat():
            return False
        items = tuple(_items(view, look(judge), slot - WEEK))
    with judge.store.write() as unit:
        unit.meta.set(LAST, slot.isoformat())
        if done is None:
            return False  # a judge that begins has no week behind it
        return tell_operator(judge, unit, f"weekly/{slot.isoformat()}", subject=_subject(items), items=items)


def _until(points: Iterator[datetime], now: datetime) -> Iterator[datetime]:
    for moment in points:
        if moment > now:
            return
        yield moment


def _subject(items: tuple[str, ...]) -> str:
    return "the week: all is well" if items[0] == _WELL else "the week: something wants a look"


_WELL = "Nothing wants a look."


def _items(view: View, now: Wellbeing, since: datetime) -> Iterator[str]:
    wants = list(_wants_a_look(now))
    yield f"{'One thing wants' if len(wants) == 1 else f'{len(wants)} things want'} a look." if wants else _WELL
    yield from wants
    week = view.inbox.settled_since(since)
    became = ", ".join(f"{said} {week[state]}" for state, said in _BECAME.items() if week.get(state))
    yield f"Mails that came this week: {sum(week.values())}{became and '; '}{became}."
    sent = view.outbox.done_since(since)
    yield (
        f"Letters that went out: {sent.get(DeliveryState.SENT, 0)}; {sent.get(DeliveryState.FAILED, 0)} did not arrive."
    )
    turns = view.events.count_since(ev.PhaseAdjudicated.__name__, since)
    ended = view.events.count_since(ev.GameEnded.__name__, since)
    begun = view.events.count_since(ev.GameStarted.__name__, since)
    yield (
        f"Phases played: {turns}. Games begun: {begun}, ended: {ended}; {now.games.get('running', 0)} running now, "
        f"{now.games.get('open', 0)} looking for players."
    )
    last = now.last_backup
    backup = f"{last:%a} {last.day} {last:%b, %H:%M} UTC" if last is not None else "never taken"
    yield f"People known here: {view.people.count()}. The last backup: {backup}."


_BECAME = {
    MailState.PROCESSED: "answered or passed on",
    MailState.IGNORED: "from machines and without an answer",
    MailState.DUPLICATE: "copies of others",
    MailState.HELD: "waiting for their author's yes",
    MailState.QUARANTINED: "unreadable",
}
"""What is said of mails that stand so; what there is none of goes without saying."""


def _wants_a_look(now: Wellbeing) -> Iterator[str]:
    if now.paused:
        yield f"NOTHING IS SENT: {now.paused}. When that is mended: judge outbox resume"
    if aside := now.mails.get(MailState.QUARANTINED, 0):
        yield f"{_many(aside, 'mail')} could not be processed: judge quarantine list"
    if now.broken_letters:
        yield f"{_many(now.broken_letters, 'letter')} cannot be written: judge outbox list"
    if (age := now.queues["outbox"].age(now.now)) > timedelta(hours=4):
        waited = f"{age // timedelta(hours=1)} hours" if age < timedelta(days=2) else f"{age.days} days"
        yield f"The oldest letter has waited for {waited}: judge outbox list"
    if now.late:
        yield f"{_many(len(now.late), 'turn')} overdue: judge game list, judge doctor"
    if now.last_backup is None:
        yield "There is no backup: judge backup FOLDER --keep 14, every night"
    elif now.now - now.last_backup > OLD_BACKUP:
        yield f"The last backup is {(now.now - now.last_backup).days} days old: judge backup FOLDER --keep 14"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


log = logging.getLogger("judge.daemon")


def open_to_others(config: Config) -> Iterator[Path]:
    """The files and folders of the judge that others may read or write."""
    watched = (config.var / config.maildir).resolve() if config.maildir else None
    for path in (*too_open(config.var), *_database(config)):
        way = watched and (path.is_relative_to(watched) or watched.is_relative_to(path))
        if path != config.file and not way:
            yield path


def narrow_own(config: Config) -> None:
    """Remove others' rights from all files of the judge; failures are logged."""
    left = [path for path in open_to_others(config) if not narrow(path)]
    if left:
        log.warning(
            "others may read what is ours; see: judge doctor", extra={"files": len(left), "first": str(left[0])}
        )


def _database(config: Config) -> Iterator[Path]:
    """The files of an SQLite database that lies elsewhere."""
    database = file_of(parse(config.database))
    if database is not None and not database.resolve().is_relative_to(config.var.resolve()):
        for ending in ("", "-wal", "-shm", ".lock"):
            path = database.with_name(database.name + ending)
            if path.is_file():
                yield from too_open(path)

"""The database and what waits in it: schema, pages, queues, the last sign of life, the last backup."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta

from judge import resources
from judge.cli.examine.finding import Diagnosis, look, ok, wrong
from judge.config import Config
from judge.daemon.company import MOST_OFF
from judge.daemon.continuity import running_since
from judge.service.core.house import House, open_house
from judge.service.upkeep.recovering import HEARTBEAT, trust_database
from judge.store import MARKER_FILE, SchemaState, StoreError, check, check_soundness, marker_state
from judge.store.backup import TAKEN_AT
from judge.store.rows import DeliveryState, LetterState, MailState

_OLD = timedelta(days=2)
"""A backup that is older than this does not save today's orders."""
_QUIET = timedelta(minutes=3)
"""A judge that runs notes the time with each sweep, twice a minute."""
_STUCK = timedelta(hours=4)


def database(config: Config, *, trust: bool) -> Iterator[Diagnosis]:
    """Schema and soundness; and if the database can be opened, what is in it."""
    mend = "judge restore FILE puts a backup in its place; the page for it is in the RUNBOOK"
    try:
        schema = check(config.database, migrations=resources.folder("migrations"))
        if schema.state is not SchemaState.OK:
            yield wrong("database", str(schema.state), "judge db upgrade")
            return
        check_soundness(config.database, thorough=True)
        house = open_house(config)
    except StoreError as error:
        yield wrong("database", str(error), mend)
        return
    with closing(house):
        yield ok("database", f"schema {schema.found}, every page is sound")
        yield _marker(house, trust=trust)
        yield from _queues(house)
        yield _life(house)
        yield from _daemons(house)
        if not house.store.many:  # a server has its own backup
            yield _backup(house)


def _marker(house: House, *, trust: bool) -> Diagnosis:
    path = house.config.var / MARKER_FILE
    if trust:
        trust_database(house, path)
    if marker_state(house.store, path).trusted:
        return ok("database marker", "of this judge")
    return wrong("database marker", "looks like a restored backup", "if it is right: judge doctor --trust-database")


def _queues(house: House) -> Iterator[Diagnosis]:
    with house.store.read() as view:
        mails = view.inbox.counts()
        letters, written = view.outbox.counts(), view.letters.counts()
        oldest = view.outbox.oldest_open()
        paused = view.outbox.paused()
    quarantined, held = mails.get(MailState.QUARANTINED, 0), mails.get(MailState.HELD, 0)
    if quarantined:
        yield wrong("quarantine", f"{quarantined} mails could not be read", "judge quarantine list")
    else:
        yield ok("quarantine", "empty")
    say = f"{held} wait to be confirmed"
    yield look("held mails", say, "judge quarantine list") if held else ok("held mails", say)
    if paused:
        yield wrong("outbox", f"paused: {paused}", "mend what the relay said, then: judge outbox resume")
    else:
        yield ok("outbox", "letters may go")
    if broken := written.get(LetterState.BROKEN, 0):
        mend = "judge outbox list; after an upgrade, or when the template is mended: judge outbox retry --all"
        yield wrong("unwritten letters", f"{broken} could not be written, and nobody has them", mend)
    waiting = sum(n for state, n in letters.items() if state not in (DeliveryState.SENT, DeliveryState.FAILED))
    if oldest is not None and house.clock.now() - oldest > _STUCK:
        yield wrong("letters", f"{waiting} waiting, the oldest since {oldest:%a %H:%M} UTC", "judge outbox list")
    else:
        yield ok("letters", f"{waiting} waiting")


def _life(house: House) -> Diagnosis:
    """Whether a judge runs, and sweeps."""
    with house.store.read() as view:
        noted = view.meta.get(HEARTBEAT)
    last, now = datetime.fromisoformat(noted) if noted else None, house.clock.now()
    started = running_since(house.config)
    if last is not None and last > now + _QUIET:
        return wrong("heartbeat", f"the last sign of life is in the future: {last:%c} UTC", "set this machine's clock")
    if started is None:
        return look("heartbeat", "no judge runs on this database", "systemctl start judge, or judge run")
    if now - started <= _QUIET and (last is None or last < started):
        return ok("heartbeat", "a judge has just been started")
    if last is None or now - last > _QUIET:
        if now - started <= _QUIET:
            return ok("heartbeat", "a judge runs; it has just begun, and sweeps within half a minute")
        since = f"{last:%a %H:%M:%S} UTC" if last else "its start"
        return wrong("heartbeat", f"a judge runs, and has not swept since {since}", "systemctl restart judge")
    return ok("heartbeat", f"a judge runs; {max(0, int((now - last).total_seconds()))} s ago it noted that")


def _daemons(house: House) -> Iterator[Diagnosis]:
    """Of a PostgreSQL: who works on it, and how far their clocks are off."""
    if not house.store.many:
        return
    with house.store.read() as view:
        living, known = view.daemons.others(""), view.daemons.all()
    for row in known:
        does = f"{', '.join(row.roles)}; {row.version}; last seen {row.seen_at:%a %H:%M:%S} UTC"
        off = abs(row.off) / 1e6
        if row not in living:
            yield look(f"daemon {row.place}", f"gone: {does}", "if it was not stopped, start it: systemctl start judge")
        elif off > MOST_OFF.total_seconds():
            yield wrong(f"daemon {row.place}", f"its clock is {off:.1f} s off, and it processes no turn: {does}",
                        "set that machine's clock; chrony or systemd-timesyncd keeps it right")  # fmt: skip
        elif row.trouble:
            yield wrong(f"daemon {row.place}", f"{row.trouble}: {does}", "turns may wait for it: judge doctor there")
        else:
            yield ok(f"daemon {row.place}", does)


def _backup(house: House) -> Diagnosis:
    with house.store.read() as view:
        noted = view.meta.get(TAKEN_AT)
    mend = "judge backup FILE, once a day; the RUNBOOK has a timer for it"
    if noted is None:
        return look("backup", "none was ever made", mend)
    age = house.clock.now() - datetime.fromisoformat(noted)
    if age > _OLD:
        return wrong("backup", f"the last one is {age.days} days old", mend)
    return ok("backup", f"the last one is {int(age.total_seconds() // 3600)} hours old")

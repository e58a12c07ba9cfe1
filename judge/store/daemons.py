"""The daemons on one database: who is there, until when each has stored what reached it, and what they sent together.

Each keeps a row of its own up to date, and one connection besides those it works with (`Presence`). That connection
holds a lock in the daemon's name, which ends with it however the daemon ends: whose lock is free is gone at once. Whose
is held, but who was not seen for a minute, stands still, and is taken for gone too. It listens there for what others
call out, and learns how far its clock is from the database's.

SQLite has one daemon, and nobody writes these rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, bindparam, create_engine, delete, func, insert, select
from sqlalchemy.engine import URL

from judge.store.engine import lock_number, out_of_reach, translated
from judge.store.rows import DaemonRow
from judge.store.sql import build_all, facts, put, shape
from judge.store.tables import UtcMoment, daemons, departures

STILL = timedelta(seconds=60)
"""Who was not seen for so long stands still: nobody waits for them, and what they had in hand is free."""
KEPT = timedelta(days=1)
"""How long one that is gone is still told of."""
CHANNEL = "judge"

_DAEMON = shape(DaemonRow, daemons)
_ALL = select(*_DAEMON).order_by(daemons.c.began_at, daemons.c.owner)
_MICROSECONDS = func.extract("epoch", func.clock_timestamp()) * 1000000
_NOW = select(_MICROSECONDS.cast(UtcMoment()))
_OTHERS = _ALL.where(
    daemons.c.owner != bindparam("owner"),
    daemons.c.seen_at.cast(BigInteger) > _MICROSECONDS - STILL // timedelta(microseconds=1),
)


class Daemons:
    """What the daemons say of themselves."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self) -> tuple[DaemonRow, ...]:
        """Every daemon that was seen lately, the longest there first."""
        return build_all(DaemonRow, self._connection.execute(_ALL))

    def others(self, owner: str) -> tuple[DaemonRow, ...]:
        """Those of a PostgreSQL that were seen within the last minute, without the one that asks."""
        return build_all(DaemonRow, self._connection.execute(_OTHERS, {"owner": owner}))

    def put(self, row: DaemonRow) -> None:
        """What a daemon says of itself."""
        put(self._connection, daemons, facts(row))

    def remove(self, owner: str) -> None:
        """It has stopped."""
        self._connection.execute(delete(daemons).where(daemons.c.owner == owner))

    def forget(self, before: datetime) -> None:
        """Drop those that were seen last before a moment."""
        self._connection.execute(delete(daemons).where(daemons.c.seen_at < before))


class DaemonsSeen(NamedTuple):
    """What one look brought. `others`: the living ones; `gone`: owners of leases that live no more; `now`: the
    database's time, and `off` by how much it is ahead of ours.
    """

    others: tuple[DaemonRow, ...]
    gone: frozenset[str]
    now: datetime
    off: timedelta
    revision: str
    """Of the tables."""


class Presence:
    """The connection by which a daemon is known to live. For one thread, but for `call`."""

    def __init__(self, url: URL, owner: str) -> None:
        # Its own engine: this connection neither waits for those that work, nor do they wait for it.
        self._engine = create_engine(url, isolation_level="AUTOCOMMIT", pool_size=2, max_overflow=2)
        self._owner = owner
        self._connection: Connection | None = None
        self._locked = False

    def look(self, about: DaemonRow, clock: Callable[[], datetime]) -> DaemonsSeen:
        """Say that we live, and see who else does. Raises StoreTrouble; the next look connects again."""
        try:
            with translated():
                connection = self._connected()
                before = clock()
                now: datetime = connection.execute(_NOW).scalar_one()
                off = now - (before + (clock() - before) / 2)
                rows = Daemons(connection)
                rows.put(replace(about, owner=self._owner, seen_at=now, off=off // timedelta(microseconds=1)))
                found, held = rows.all(), _held(connection)
                revision = str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar())
                rows.forget(now - KEPT)
        except BaseException:
            self.close()
            raise
        gone = {row.owner for row in found if now - row.seen_at >= STILL or lock_number(_key(row.owner)) not in held}
        gone.discard(self._owner)
        others = tuple(row for row in found if row.owner not in gone and row.owner != self._owner)
        return DaemonsSeen(others, frozenset(gone), now, off, revision)

    def listen(self, seconds: float) -> frozenset[str]:
        """What was called out since, waiting for it up to so long. Raises StoreTrouble."""
        try:
            with translated():
                connection = self._connected()
                driver: Any = connection.connection.driver_connection
            try:
                return frozenset(call.payload for call in driver.notifies(timeout=seconds, stop_after=1))
            except connection.dialect.loaded_dbapi.Error as error:  # the driver's own: we asked past SQLAlchemy
                raise out_of_reach(error) from error
        except BaseException:
            self.close()
            raise

    def call(self, word: str) -> None:
        """Call out to all daemons. For any thread. Raises StoreTrouble."""
        with translated(), self._engine.connect() as connection:
            connection.execute(select(func.pg_notify(CHANNEL, word)))

    def leave(self) -> None:
        """Say that we stop. Raises StoreTrouble."""
        with translated():
            Daemons(self._connected()).remove(self._owner)
        self.close()

    def close(self) -> None:
        """Give the connection back, and with it the lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()
        self._engine.dispose()

    def _connected(self) -> Connection:
        if self._connection is None:
            connection = self._engine.connect()
            self._connection = connection
            self._locked = False
            connection.exec_driver_sql(f"LISTEN {CHANNEL}")
        if not self._locked:
            # After trouble of the network an earlier connection of ours may hold it for a while.
            asked = f"SELECT pg_try_advisory_lock({lock_number(_key(self._owner))})"
            self._locked = bool(self._connection.exec_driver_sql(asked).scalar_one())
        return self._connection


def _key(owner: str) -> tuple[str, str]:
    return ("daemon", owner)


def _held(connection: Connection) -> frozenset[int]:
    """The numbers of the advisory locks that anybody holds in this database."""
    found = connection.exec_driver_sql(
        "SELECT classid::bigint, objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    return frozenset(((high << 32 | low) + 2**63) % 2**64 - 2**63 for high, low in found)


_WENT = select(departures.c.provider, departures.c.at).where(
    departures.c.rests.is_(False), departures.c.at > bindparam("since", type_=UtcMoment())
)
_RESTS = (
    select(departures.c.provider, func.max(departures.c.at))
    .where(departures.c.rests.is_(True), departures.c.at > bindparam("since", type_=UtcMoment()))
    .group_by(departures.c.provider)
)


class Departures:
    """What went out lately, by provider, and who is left alone until when: the measures of sending are the judge's, not
    each daemon's.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def since(self, moment: datetime) -> Sequence[tuple[str, datetime]]:
        """The provider and the moment of everything that went since then, oldest first."""
        rows = self._connection.execute(_WENT.order_by(departures.c.at), {"since": moment})
        return [(provider, at) for provider, at in rows]

    def resting(self, now: datetime) -> dict[str, datetime]:
        """Who is left alone at this moment, and until when."""
        return dict(self._connection.execute(_RESTS, {"since": now}).all())

    def add(self, went: Collection[tuple[str, datetime]]) -> None:
        """Note what goes."""
        if went:
            self._connection.execute(insert(departures), [{"provider": who, "at": at} for who, at in went])

    def rest(self, provider: str, until: datetime) -> None:
        """Leave a provider alone."""
        self._connection.execute(insert(departures), {"provider": provider, "at": until, "rests": True})

    def forget(self, before: datetime) -> None:
        """Throw away what lies before a moment."""
        self._connection.execute(delete(departures).where(departures.c.at < before))

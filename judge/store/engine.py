"""Database connections: how SQLite and PostgreSQL are opened, how their errors become `StoreTrouble`, and the locks by
which several daemons write at once.

Writers begin with BEGIN IMMEDIATE: a transaction that reads first and writes later would otherwise fail at once
whenever another one wrote in between, however long it is willing to wait. WAL lets readers go on meanwhile, and
synchronous=FULL keeps what we acknowledged through a loss of power. Within one process, writers queue for a single
connection (`judge.store.unit.InTurn`).

A PostgreSQL comes in by its URL. Its writers keep apart by locks (below); what only reads is of one
moment. Numbers may be left out there, and be committed in another order than they were given: nobody may read on from
the last number that they saw.

There is one lock of the judge. A unit of work takes it whole and is alone then, or shares it with others (`sharing`):
those that hear mails, turn pages, take mails in, write and send letters. What such a unit may touch is narrow, and a
second lock keeps each thing in one hand: one for a game, one for whoever writes (`Locks`). A unit that wants more than
that is undone with `NotShared`, and done again alone. Locks end with their transaction, so with their connection, so
with their process; one that stands still within a transaction loses it (`IDLE_SECONDS`).

SQLite has one writer: there every unit is alone, and nothing of this is asked.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, Delete, Engine, Insert, Table, Update, create_engine, event
from sqlalchemy.engine import URL, Dialect, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, NoSuchModuleError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.util import LRUCache

from judge.store import sql
from judge.store.errors import (
    Contended,
    NotShared,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreTrouble,
    StoreUndone,
    StoreUnusable,
)
from judge.store.files import private_file
from judge.store.meta import watch_directory
from judge.store.sql import SAFE
from judge.store.tables import (
    addresses,
    meta,
    persons,
    secrets,
    standbys,
    subscriptions,
    zine_chapters,
    zine_games,
    zine_issues,
    zine_items,
    zine_people,
    zines,
)

_HOUSE = 0x6A756467
"""The lock of the judge; its numbers are the database's own."""

_SHARING = "judge sharing"
_GUARDED: frozenset[Table] = frozenset(
    (
        addresses, meta, persons, secrets, standbys, subscriptions,
        zine_chapters, zine_games, zine_issues, zine_items, zine_people, zines,
    )
)  # fmt: skip
"""What is read, changed and written back without a lock of its own: only by a unit that is alone."""

Key = tuple[str, str]
"""What a lock is for: "game" and its key, "who" and an address or a person, "mail" and a mark of its content."""


def game_key(game: str) -> Key:
    """The lock of a game."""
    return ("game", game)


@dataclass(slots=True)
class Sharing:
    """What a unit that shares the judge holds besides."""

    held: set[Key] = field(default_factory=set)
    persons: set[int] = field(default_factory=set)
    """Persons whose rows it has locked, so that it may change them."""


def sharing(connection: Connection) -> Sharing | None:
    """What a unit of work holds that shares the judge; None for one that is alone."""
    found: Sharing | None = connection.info.get(_SHARING)
    return found


def enter(connection: Connection, *, shared: bool) -> None:
    """Take the lock of the judge, whole or shared with others, for the transaction that has just begun."""
    connection.info.pop(_SHARING, None)
    if connection.dialect.name == "sqlite":
        return
    how = "_shared" if shared else ""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock{how}({_HOUSE})")
    if shared:
        connection.info[_SHARING] = Sharing()


def guard(engine: Engine) -> None:
    """Undo every unit that shares the judge and changes what only one that is alone may change."""
    event.listen(engine, "before_execute", _look)


def _look(connection: Connection, statement: Any, _many: Any, _values: Any, options: Any) -> None:
    if _SHARING not in connection.info or not isinstance(statement, (Insert, Update, Delete)):
        return
    if statement.table in _GUARDED and SAFE not in options:
        raise NotShared(statement.table.name)


class Locks:
    """The locks of one unit of work. To one that is alone everything belongs already."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, keys: Iterable[Key]) -> frozenset[Key]:
        """Those of these locks that are ours now. Nobody is waited for."""
        wanted, ours = frozenset(keys), sharing(self._connection)
        if ours is None or not (missing := wanted - ours.held):
            return wanted
        numbers = {lock_number(key): key for key in missing}
        asked = "SELECT k, pg_try_advisory_xact_lock(k) FROM unnest(%s::bigint[]) AS k"
        found = self._connection.exec_driver_sql(asked, (list(numbers),))
        ours.held |= {numbers[number] for number, got in found if got}
        return wanted & ours.held

    def wait(self, keys: Collection[Key]) -> None:
        """Wait until these locks are ours. In one order for everybody; so whoever waits holds none but these, or they
        could wait for one another. Raises StoreBusy where that takes too long.
        """
        ours = sharing(self._connection)
        if ours is None or not keys:
            return
        asked = "SELECT pg_advisory_xact_lock(k) FROM unnest(%s::bigint[]) AS k"
        try:
            self._connection.exec_driver_sql(asked, (sorted(map(lock_number, keys)),))
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", "") == "55P03":
                raise StoreBusy("another daemon has had this in hand for too long; try again later") from error
            raise
        ours.held.update(keys)


def hold_game(connection: Connection, game: str) -> bool:
    """The lock of a game that is about to be written to. False if it was taken only now: then what was read of the
    game may be old. Raises Contended if somebody else has it.
    """
    ours = sharing(connection)
    if ours is None or game_key(game) in ours.held:
        return True
    if not Locks(connection).get((game_key(game),)):
        raise Contended(*game_key(game))
    return False


def lock_number(key: Key) -> int:
    """A lock's number: of two things with one number one waits for the other, and no harm is done."""
    mark = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(mark[:8], "big", signed=True)


BUSY_SECONDS = 5
QUEUE_SECONDS = 30
_PAUSE = 0.02
READERS = 8

IDLE_SECONDS = 60
"""How long a transaction may stand still in a PostgreSQL. One of a machine that was stopped keeps everybody waiting for
its locks no longer than that, and commits nothing when it goes on.
"""

_DISCREET = True
"""Errors name the statement, never its values: those are words and addresses of mails, and errors go to the log."""

Synchronous = Literal["FULL", "OFF"]

# Of PostgreSQL: lock_not_available; data_corrupted, index_corrupted; disk_full; serialization_failure,
# deadlock_detected (its manual, appendix A).
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED", "55P03")
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_CORRUPTFS", "XX001", "XX002")
_FULL = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "53100")
_UNDONE = ("40001", "40P01")
# Connection exceptions; admin_shutdown, crash_shutdown, cannot_connect_now; read_only_sql_transaction: a standby.
_AWAY = ("08", "57P01", "57P02", "57P03", "25006")


def parse(url: str) -> URL:
    """The database's URL. Raises StoreUnusable where it names no database that this program has a driver for, and for
    SQLite in memory, which two connections cannot share.
    """
    try:
        parsed = make_url(url)
        parsed.get_dialect().import_dbapi()
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreUnusable("store.url names no database; write one such as sqlite:///judge.db") from error
    except ImportError as error:
        raise StoreUnusable(
            f"store.url wants a driver that is not installed ({error.name}); for PostgreSQL: "
            "pip install 'psycopg[binary]', and write postgresql+psycopg://..."
        ) from error
    if is_sqlite(parsed) and (parsed.database or ":memory:") == ":memory:":
        raise StoreUnusable(f"{url} names no file; the store needs one, such as sqlite:///judge.db")
    return parsed


def is_sqlite(url: URL) -> bool:
    """Whether the URL names an SQLite file."""
    return url.get_backend_name() == "sqlite"


def file_of(url: URL) -> Path | None:
    """The file of an SQLite database, None for a server."""
    return Path(url.database) if is_sqlite(url) and url.database else None


def write_engine(url: URL, *, synchronous: Synchronous = "FULL", foreign_keys: bool = True) -> Engine:
    """The engine for transactions that write. Makes the folder of an SQLite file; StoreTrouble where it cannot."""
    if not is_sqlite(url):
        engine = create_engine(url, hide_parameters=_DISCREET, pool_size=1, max_overflow=0, pool_timeout=QUEUE_SECONDS)
        event.listen(engine, "connect", _be_patient_with_others)
        _watched(engine)
        guard(engine)
        return engine
    path = file_of(url)
    if path is not None:
        try:
            private_file(path)
        except OSError as error:
            raise StoreTrouble(f"{error.filename or path}: this cannot be made ({error.strerror})") from error
    engine = _sqlite(url, pool_size=1, max_overflow=0)
    keys = "ON" if foreign_keys else "OFF"
    pragmas = (f"synchronous={synchronous}", f"foreign_keys={keys}")
    _prepare(engine, pragmas, "BEGIN IMMEDIATE", also=_write_ahead)
    _watched(engine)
    return engine


def _be_patient_with_others(connection: Any, _record: Any) -> None:
    """Of each connection that writes. By statements: a pooler that stands in between passes on no options."""
    connection.execute(f"SET lock_timeout = '{BUSY_SECONDS}s'")
    connection.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
    connection.commit()


def _watched(engine: Engine) -> None:
    sql.watch(engine)
    watch_directory(engine)


def read_engine(url: URL) -> Engine:
    """The engine for read-only transactions; SQLite enforces that."""
    if not is_sqlite(url):
        options = {"postgresql_readonly": True, "isolation_level": "REPEATABLE READ"}
        return create_engine(
            url, hide_parameters=_DISCREET, pool_size=READERS, max_overflow=READERS, pool_timeout=QUEUE_SECONDS,
            execution_options=options,
        )  # fmt: skip
    engine = _sqlite(url, pool_size=READERS, max_overflow=READERS)
    _prepare(engine, ("query_only=ON",), "BEGIN")
    return engine


def _sqlite(url: URL, *, pool_size: int, max_overflow: int) -> Engine:
    """An engine for a file. All of them in one process speak one dialect, and keep compiled statements together: what
    one has compiled, for readers or for writers or for another file, none compiles again.
    """
    engine = create_engine(
        url,
        hide_parameters=_DISCREET,
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=QUEUE_SECONDS,
        execution_options={"compiled_cache": _COMPILED},
    )
    engine.dialect = _dialect(url.drivername)
    return engine


@lru_cache
def _dialect(driver: str) -> Dialect:
    """What a driver's databases have in common. It is learned from an empty one: the file that is met first may be
    broken, and whoever shared what was learned there would fail at sound ones, too.
    """
    engine = create_engine(f"{driver}://")
    engine.connect().close()
    engine.dispose()
    return engine.dialect


_COMPILED: LRUCache[Any, Any] = LRUCache(1000)


def _prepare(
    engine: Engine, pragmas: tuple[str, ...], begin: str, *, also: Callable[[Any], None] = lambda _: None
) -> None:
    every = (f"busy_timeout={BUSY_SECONDS * 1000}", *pragmas, "trusted_schema=OFF")

    def opened(connection: Any, _record: Any) -> None:
        # None hands the transactions to us: the driver's own would begin late and deferred.
        connection.isolation_level = None
        for pragma in every:
            connection.execute(f"PRAGMA {pragma}")
        also(connection)

    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", opened)
    event.listen(engine, "begin", begun)


def _write_ahead(connection: Any) -> None:
    """Keep a write-ahead log. Only the switch itself, on a new file, does not wait for others; so we do."""
    for _ in range(int(BUSY_SECONDS / _PAUSE)):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith(_BUSY):
                raise
        time.sleep(_PAUSE)
    connection.execute("PRAGMA journal_mode=WAL")


@contextmanager
def translated() -> Iterator[None]:
    """Turn operational errors of the database into StoreTrouble and its subclasses.

    Mistakes of ours (a broken constraint, bad SQL) pass through unchanged.
    """
    try:
        yield
    except PoolTimeout as error:
        raise StoreBusy(f"no connection came free within {QUEUE_SECONDS} s; is a transaction stuck?") from error
    except OperationalError as error:
        raise _trouble(error) from error
    except DatabaseError as error:
        if _name(error).startswith(_DAMAGED) or error.connection_invalidated:
            raise _trouble(error) from error
        raise


def damaged(finding: str) -> StoreDamaged:
    """What to say of a database whose bytes are broken."""
    return StoreDamaged(
        f"the database is damaged ({finding}); "
        "stop the judge, keep a copy of the file, and restore your last backup of it"
    )


def _name(error: DBAPIError) -> str:
    """What SQLite calls an error, or PostgreSQL's code for it; "" for none."""
    return str(getattr(error.orig, "sqlite_errorname", "") or getattr(error.orig, "sqlstate", None) or "")


def _trouble(error: DBAPIError) -> StoreTrouble:
    name = _name(error)
    if name.startswith(_DAMAGED):
        return damaged(str(error.orig))
    if name.startswith(_BUSY):
        return StoreBusy(f"another process has held the database for more than {BUSY_SECONDS} s ({error.orig})")
    if name.startswith(_UNDONE):
        return StoreUndone(f"two transactions waited for each other ({error.orig})")
    if name.startswith(_FULL):
        return StoreFull(f"the database cannot be written ({error.orig}); make room on its disk, check its owner")
    if name.startswith(_AWAY) or error.connection_invalidated or (not name and hasattr(error.orig, "sqlstate")):
        return out_of_reach(error.orig)
    return StoreTrouble(f"the database failed: {error.orig}")


def out_of_reach(error: BaseException | None) -> StoreTrouble:
    """What to say where a server, or the way there, is down."""
    why = str(error).partition("\n")[0]
    return StoreTrouble(f"the database server is out of reach ({why}); a judge that runs goes on when it is back")

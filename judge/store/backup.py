"""Copies of a whole database: backups, the marker by which a restored one is noticed, and the move into another
database.

A backup is a plain SQLite file that depends on no log beside it. It says itself when it was taken. Nothing here
overwrites a file that is there: neither a backup nor a database.

Whoever restores an old backup without a word would make the judge mail old letters again and adjudicate old phases.
The database counts generations, the file remembers the last one; a database behind its marker is a restored one,
and the operator is asked before outbox and deadlines go on. The marker stays out of backups for that reason.

All rows go over in two transactions, one that keeps everybody else from writing to the old database, and one that makes
the new one: it has all of them, or it is empty as before. Numbers go on behind the last one that was ever given, also
where its row is gone. Then every table is read from both and compared.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    LargeBinary,
    RowMapping,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import DataError, IntegrityError

from judge.store.daemons import Daemons
from judge.store.engine import enter, file_of, parse, translated, write_engine
from judge.store.errors import BackupUnusable, StoreDamaged, StoreError, StoreFull, StoreUnusable
from judge.store.files import private_file
from judge.store.schema import SchemaState, check, check_soundness, upgrade
from judge.store.tables import AnyText, StringTuple, daemons, games, inbox, metadata, persons
from judge.store.unit import Store, View

TAKEN_AT = "backup.taken_at"
"""In a backup: when it was taken. In the living database: when the last one was."""

_STOPPED = "backup.stopped"
"""In a backup: "yes" where no judge ran while it was taken."""

_HEADER = b"SQLite format 3\0"
_LOGS = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """What a backup says of itself: its schema's revision, when it was taken (None: a copy made by other means), and
    whether the judge had been stopped by then.
    """

    path: Path
    size: int
    schema: str
    taken_at: datetime | None
    stopped: bool


def last_backup(view: View) -> datetime | None:
    """When the last backup of this database was taken, None if none ever was."""
    found = view.meta.get(TAKEN_AT)
    return datetime.fromisoformat(found) if found else None


def copy_living(url: str, target: Path, *, at: datetime, stopped: bool = False) -> Path:
    """Copy a living database, whole and as it stood at one moment, while others read and write it. `stopped`: no judge
    runs on it.

    The copy appears under its name when it is complete and on the disk. Raises BackupUnusable where there is nothing
    to copy or the target is there, StoreDamaged where pages are broken: then there is no copy.
    """
    source = database_file(url)
    if target.exists():
        raise BackupUnusable(f"{target} is there already; a backup never overwrites a file, so give another name")
    if not source.exists():
        raise BackupUnusable(f"there is no database {source} yet, so there is nothing to back up")
    with _under_construction(target) as fresh:
        _copy(source, fresh)
        _stamp(fresh, at, stopped=stopped)
        _check_pages(source, fresh)
        _flush(fresh)
        _publish(fresh, target)
    return target


def look_at(path: Path, *, migrations: Path) -> BackupFacts:
    """What a backup is; every page of it is read. Raises BackupUnusable, StoreNewer, StoreDamaged."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
        size = path.stat().st_size
    except OSError as error:
        mend = f"; it has to be the judge's own: chown judge: {path}" if isinstance(error, PermissionError) else ""
        raise BackupUnusable(f"{path}: the backup cannot be read ({error.strerror}){mend}") from error
    if not head.startswith(_HEADER):
        raise BackupUnusable(f"{path} is no backup of a judge: it is no SQLite file")
    if size < (promised := _promised_size(head)):
        raise StoreDamaged(f"{path} is cut short: {size} bytes are there of {promised}; take another backup")
    if any(Path(f"{path}{log}").exists() for log in _LOGS):
        raise BackupUnusable(
            f"{path} is a database in use, or the copy of one: a log lies beside it; judge backup makes one whole file"
        )
    url = f"sqlite:///{path}"
    try:
        schema = check(url, migrations=migrations)
        check_soundness(url)
    except StoreDamaged as error:
        raise StoreDamaged(f"{path} is damaged ({error.__cause__ or error}); take another backup") from error
    if schema.found is None:
        raise BackupUnusable(f"{path} is no backup of a judge: it is another program's database, or an empty one")
    taken, stopped = _said(path, TAKEN_AT), _said(path, _STOPPED) == "yes"
    return BackupFacts(path, size, schema.found, datetime.fromisoformat(taken) if taken else None, stopped)


def check_vacant(url: str) -> Path:
    """Where a database would lie, if nothing is there. Raises BackupUnusable: a restore never overwrites one."""
    target = database_file(url)
    if target.exists():
        raise BackupUnusable(f"{target} is there already; a restore never overwrites a database: move it away first")
    for log in _LOGS:
        if (left := Path(f"{target}{log}")).exists():
            raise BackupUnusable(f"{left} is left of another database and would spoil this one; move it away first")
    return target


def database_file(url: str) -> Path:
    """The file of an SQLite database. Raises BackupUnusable for a server, which has its own tools."""
    path = file_of(parse(url))
    if path is None:
        raise BackupUnusable("store.url names a database server: use its own backup, such as pg_dump")
    return path


def settle_in(prepared: Path, target: Path) -> None:
    """Let a prepared database appear in its place, as one file, if the place is vacant."""
    with closing(sqlite3.connect(prepared)) as base:
        base.execute("PRAGMA journal_mode=DELETE")
    _flush(prepared)
    check_vacant(f"sqlite:///{target}")
    _publish(prepared, target)


@contextmanager
def _under_construction(target: Path) -> Iterator[Path]:
    """A private file beside the target, gone in the end whatever happens."""
    fresh = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        private_file(fresh)
    except OSError as error:
        raise BackupUnusable(f"{target}: the backup cannot be written ({error.strerror})") from error
    try:
        yield fresh
    except sqlite3.DatabaseError as error:
        raise _trouble(error, target) from error
    except FileExistsError as error:
        raise BackupUnusable(f"{target} is there already; a backup never overwrites a file") from error
    except OSError as error:
        raise BackupUnusable(f"{target}: the backup cannot be written ({error.strerror})") from error
    finally:
        for name in (fresh, *(Path(f"{fresh}{log}") for log in _LOGS)):
            with suppress(OSError):
                name.unlink()


def _trouble(error: sqlite3.DatabaseError, target: Path) -> StoreDamaged | StoreFull | BackupUnusable:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreDamaged(f"the database is damaged ({error}): no backup was made; judge doctor says more")
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return StoreFull(f"{target}: the backup cannot be written ({error}); make room on its disk")
    return BackupUnusable(f"{target}: the backup cannot be made ({error})")


def _copy(source: Path, target: Path) -> None:
    # All pages in one step: whoever copied in several would begin again whenever somebody writes.
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as living,
        closing(sqlite3.connect(target)) as copy,
    ):
        living.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


def _stamp(path: Path, at: datetime, *, stopped: bool) -> None:
    with closing(sqlite3.connect(path)) as base, base:
        if base.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            said = ((TAKEN_AT, at.isoformat()), (_STOPPED, "yes" if stopped else "no"))
            base.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", said)


def _said(path: Path, key: str) -> str | None:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
        row = base.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else None


def _check_pages(source: Path, copy: Path) -> None:
    try:
        check_soundness(f"sqlite:///{copy}")
    except StoreDamaged as error:
        raise StoreDamaged(f"{source}: {error}; no backup was made of it") from error


def _promised_size(head: bytes) -> int:
    """How large the file is by its own header (SQLite file format, 1.3): page size at 16, number of pages at 28."""
    size = int.from_bytes(head[16:18], "big")
    return (65_536 if size == 1 else size) * int.from_bytes(head[28:32], "big")


def _publish(fresh: Path, target: Path) -> None:
    """Give a file its name. Unlike a rename a link never replaces what somebody else put there meanwhile."""
    try:
        os.link(fresh, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if target.exists():
            raise FileExistsError(target) from None
        fresh.rename(target)
    _flush(target.parent)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


MARKER_FILE = "generation.json"
"""The marker's name, in var/."""


class MarkerState(StrEnum):
    """What the marker says about the database."""

    FRESH = "fresh"  # a new database, no marker yet
    CURRENT = "current"
    OLDER = "older"  # a restored backup: the marker has seen a later generation
    FOREIGN = "foreign"  # the marker belongs to another database
    MISSING = "missing"  # a used database without a (readable) marker: moved here, or restored elsewhere


@dataclass(frozen=True, slots=True)
class Marker:
    """The finding: the database's generation and the marker's (None: no marker)."""

    state: MarkerState
    generation: int
    marked: int | None

    @property
    def trusted(self) -> bool:
        """Whether letters and deadlines may go on without asking the operator."""
        return self.state in (MarkerState.FRESH, MarkerState.CURRENT)


def marker_state(store: Store, path: Path) -> Marker:
    """Compare the database with its marker file; changes nothing."""
    with store.read() as view:
        generation = view.meta.generation()
    found = _read(path)
    if found is None:
        return Marker(MarkerState.MISSING if generation else MarkerState.FRESH, generation, None)
    database, marked = found
    if database != store.id:
        return Marker(MarkerState.FOREIGN, generation, marked)
    return Marker(MarkerState.OLDER if generation < marked else MarkerState.CURRENT, generation, marked)


def advance_marker(store: Store, path: Path, *, also: Mapping[str, str] = MappingProxyType({})) -> int:
    """Begin a new generation and mark it: at start, and with each sweep. `also`: settings to write with it.

    The database goes first, so that a crash in between leaves it ahead of its marker, which is harmless. When the
    operator confirms a restored backup this is called too: the new generation passes the marker's. Returns it. Raises
    OSError where the marker cannot be written: the database is ahead of it then.
    """
    marked = _read(path)
    least = marked[1] if marked is not None and marked[0] == store.id else 0
    with store.write(shared=True) as unit:
        generation = unit.meta.advance_generation(at_least=least + 1)
        for key, value in also.items():
            unit.meta.set(key, value, safe=True)
    _write(path, json.dumps({"database": store.id, "generation": generation}))
    return generation


def _read(path: Path) -> tuple[str, int] | None:
    try:
        found = json.loads(path.read_text("utf-8"))
        return str(found["database"]), int(found["generation"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, text: str) -> None:
    fresh = private_file(path.with_name(f"{path.name}.new"))
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


_ROWS, _BIG_ROWS = 500, 20
"""Rows that are carried together, and such that hold pictures or mails."""
_LEFT = frozenset((daemons,))
"""Who works on a database is no part of it."""


class TransferFailed(StoreError):
    """The new database does not hold what the old one does; the text says where. The new one is empty again."""


def transfer(source: str, target: str, *, migrations: Path) -> Mapping[str, int]:
    """Copy a database into one that is empty, or not there yet; returns how many rows of each table went over.

    Nobody may go on with the old one afterwards. Raises StoreUnusable for a target that holds something or is at work
    and a source that is not up to date, TransferFailed, StoreTrouble.
    """
    if check(source, migrations=migrations).state is not SchemaState.OK:
        raise StoreUnusable("the database is not up to date; run `judge db upgrade` first")
    if check(target, migrations=migrations).state is SchemaState.BEHIND:
        raise StoreUnusable(_TAKEN)
    upgrade(target, migrations=migrations)
    tables = [table for table in metadata.sorted_tables if table not in _LEFT]
    with _alone(target) as new:
        if any(new.scalar(select(func.count()).select_from(table)) for table in (inbox, persons, games)):
            raise StoreUnusable(_TAKEN)
        if new.dialect.name != "sqlite" and (there := Daemons(new).others("")):
            owners = ", ".join(one.owner for one in there)
            raise StoreUnusable(f"a judge runs on that database ({owners}); stop it first")
        with _alone(source) as old:
            for table in reversed(tables):
                new.execute(delete(table))  # what migrations wrote
            moved = {table.name: _carry(old, new, table) for table in tables}
            for table in tables:
                _go_on_counting(old, new, table)
            for table in tables:
                if _digest(old, table) != _digest(new, table):
                    raise TransferFailed(f"the table {table.name} did not come over as it was")
    return moved


_TAKEN = "there is a judge's database already where this one is to go; name an empty one"


@contextmanager
def _alone(url: str) -> Iterator[Connection]:
    """A transaction of a database that nobody else writes to meanwhile."""
    engine = write_engine(parse(url))
    try:
        with translated(), engine.begin() as connection:
            enter(connection, shared=False)
            yield connection
    finally:
        engine.dispose()


def _carry(old: Connection, new: Connection, table: Table) -> int:
    """How many rows went over. What refers to a row of the same table is set when all of them are there: a mail may be
    the copy of a later one.
    """
    keys = [column.name for column in table.primary_key]
    own = [column.name for column in table.columns if any(key.column.table is table for key in column.foreign_keys)]
    count, refer = 0, []
    for rows in _parts(old, table):
        values = [dict(row) for row in rows]
        refer += [
            {name: row[name] for name in own} | {f"this_{name}": row[name] for name in keys}
            for row in values
            if any(row[name] is not None for name in own)
        ]
        try:
            new.execute(insert(table), [row | dict.fromkeys(own) for row in values])
        except (DataError, IntegrityError, ValueError) as error:
            which = ", ".join(f"{name}={values[0][name]!r}" for name in keys)
            why = getattr(error, "orig", error)
            raise TransferFailed(f"a row of {table.name} (from {which} on) cannot be kept there: {why}") from error
        count += len(values)
    if refer:
        these = (table.c[name] == bindparam(f"this_{name}") for name in keys)
        new.execute(update(table).where(*these), refer)
    return count


def _parts(connection: Connection, table: Table) -> Iterator[Sequence[RowMapping]]:
    """The rows of a table, never many of them at a time."""
    big = any(isinstance(column.type, LargeBinary) for column in table.columns)
    rows = connection.execute(select(table), execution_options={"stream_results": True})
    yield from rows.mappings().partitions(_BIG_ROWS if big else _ROWS)


def _digest(connection: Connection, table: Table) -> tuple[int, int]:
    """How many rows a table has, and a sum over them that does not ask in which order a database sorts words."""
    count, total = 0, 0
    for rows in _parts(connection, table):
        for row in rows:
            count += 1
            said = repr([_as_kept(column, row[column.name]) for column in table.columns]).encode()
            total += int.from_bytes(hashlib.sha256(said).digest())
    return count, total % (1 << 256)


def _as_kept(column: Column[Any], value: Any) -> Any:
    """What a column keeps of a value that an older program may have stored as no server can."""
    return value if value is None or not isinstance(column.type, (AnyText, StringTuple)) else column.type.kept(value)


def _go_on_counting(old: Connection, new: Connection, table: Table) -> None:
    """The next row gets the number that it would have got."""
    column = table.autoincrement_column
    if column is None:
        return
    last = max(_last_given(old, table, column), new.scalar(select(func.max(column))) or 0)
    if not last:
        return
    if new.dialect.name != "sqlite":
        where = {"t": table.name, "c": column.name, "n": last}
        new.execute(text("SELECT setval(pg_get_serial_sequence(:t, :c), :n)"), where)
    elif _counts(table):
        new.execute(text("DELETE FROM sqlite_sequence WHERE name = :t"), {"t": table.name})
        new.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:t, :n)"), {"t": table.name, "n": last})


def _last_given(connection: Connection, table: Table, column: Column[Any]) -> int:
    """The last number that a table has given, also where its row is gone; 0 for none."""
    if connection.dialect.name == "sqlite":
        if not _counts(table):
            return 0
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :t")
        return connection.scalar(query, {"t": table.name}) or 0
    named = connection.scalar(text("SELECT pg_get_serial_sequence(:t, :c)"), {"t": table.name, "c": column.name})
    if named is None:
        return 0
    last, called = connection.execute(text(f"SELECT last_value, is_called FROM {named}")).one()
    return int(last) if called else 0


def _counts(table: Table) -> bool:
    """Whether SQLite remembers the last number of a table."""
    return bool(table.dialect_options["sqlite"]["autoincrement"])

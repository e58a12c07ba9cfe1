"""Backups: one file, copied from a living database, looked through when it is made; and the way back.

A backup is a plain SQLite file that depends on no log beside it. It says itself when it was taken. Nothing here
overwrites a file that is there: neither a backup nor a database.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from judge.store.engine import file_of, parse
from judge.store.errors import BackupUnusable, StoreDamaged, StoreFull
from judge.store.files import private_file
from judge.store.schema import check, check_soundness
from judge.store.unit import View

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

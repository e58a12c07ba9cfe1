"""The database as a whole: is it ours, is it current, is it sound, and the way up, with a snapshot taken before.

The migrations are Alembic's; their folder is passed in by the caller, who knows where the program lies. An upgrade
holds the write lock from its first look to its commit, so that two processes that start together do it once.

A broken page is met only by whoever reads it: without a look at all of them (`check_soundness`) a judge could say yes
to a mail whose game it cannot read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select
from sqlalchemy.engine import URL

from judge.store.engine import damaged, enter, file_of, is_sqlite, parse, read_engine, translated, write_engine
from judge.store.errors import StoreDamaged, StoreNewer
from judge.store.tables import metadata

_UPGRADE_LOCK = 1976


class SchemaState(StrEnum):
    """How the database's revision compares with the program's."""

    OK = "ok"
    EMPTY = "empty"
    BEHIND = "behind"


@dataclass(frozen=True, slots=True)
class Schema:
    """What `check` found: the database's revision (None: no tables yet) and the program's newest."""

    state: SchemaState
    found: str | None
    known: str


@dataclass(frozen=True, slots=True)
class Upgraded:
    """What `upgrade` did: from and to which revision, and the snapshot it took before (None: nothing to save)."""

    before: str | None
    after: str
    snapshot: Path | None


def check(url: str, *, migrations: Path) -> Schema:
    """Compare the database with the program; changes nothing. Raises StoreNewer, StoreTrouble."""
    parsed = parse(url)
    path = file_of(parsed)
    config = _config(migrations)
    if path is not None and not path.exists():
        return Schema(SchemaState.EMPTY, None, _head(config))
    engine = read_engine(parsed)
    try:
        with translated(), engine.connect() as connection:
            return _compare(connection, config)
    except StoreDamaged as error:
        raise StoreDamaged(f"{path}: {error}") from error
    finally:
        engine.dispose()


def upgrade(url: str, *, migrations: Path, revision: str = "head") -> Upgraded:
    """Bring the database to the program's newest revision, or to the one named; make it if there is none.

    An SQLite file with tables is copied first, to `NAME.before-REVISION` beside it. Everything happens in one
    transaction: if a migration fails, the database is as it was. Raises StoreNewer, StoreTrouble, StoreDamaged.
    """
    parsed = parse(url)
    config = _config(migrations)
    with _locked(parsed) as connection:
        schema = _compare(connection, config)
        if schema.state is SchemaState.OK and revision == "head":
            return Upgraded(schema.found, schema.known, None)
        copy = _snapshot_before(parsed, schema)
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        _check_keys(connection)
        return Upgraded(schema.found, _revision(connection) or "", copy)


def snapshot(url: str, target: Path) -> Path:
    """Copy a living SQLite database, whole and consistent, and check the copy.

    Raises StoreDamaged if the copy fails its integrity check, FileExistsError if `target` is there, ValueError for
    a database server (which has its own tools).
    """
    source = file_of(parse(url))
    if source is None:
        raise ValueError("only an SQLite file is copied here; use the server's own backup for anything else")
    if target.exists():
        raise FileExistsError(f"{target} exists; a snapshot never overwrites another")
    with closing(sqlite3.connect(source)) as living, closing(sqlite3.connect(target)) as copy:
        living.backup(copy)
        # A copy is one file: it must not depend on a log beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
        verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if verdict != "ok":
        raise StoreDamaged(f"the copy {target} of {source} is damaged ({verdict}); do not upgrade, look at the disk")
    return target


def _config(migrations: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    return config


def _head(config: Config) -> str:
    folder = Path(str(config.get_main_option("script_location")))
    return _newest(folder, tuple(sorted((file.name, file.stat().st_mtime_ns) for file in folder.glob("versions/*.py"))))


@lru_cache(maxsize=4)
def _newest(folder: Path, _revisions: tuple[tuple[str, int], ...]) -> str:
    """The newest revision of a folder; its files are read once in a process, until one of them changes."""
    head = ScriptDirectory.from_config(_config(folder)).get_current_head()
    if head is None:
        raise FileNotFoundError("the migrations folder holds no revisions; install the package again")
    return head


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _compare(connection: Connection, config: Config) -> Schema:
    known = _head(config)
    found = _revision(connection)
    if found is None:
        return Schema(SchemaState.EMPTY, None, known)
    if found == known:
        return Schema(SchemaState.OK, found, known)
    scripts = ScriptDirectory.from_config(config)
    if found not in {each.revision for each in scripts.walk_revisions()}:
        raise StoreNewer(found, known)
    return Schema(SchemaState.BEHIND, found, known)


@contextmanager
def _locked(url: URL) -> Iterator[Connection]:
    """A transaction that excludes other upgrades: by SQLite's write lock, or by an advisory lock on a server."""
    engine = write_engine(url, foreign_keys=False)
    try:
        with translated(), engine.begin() as connection:
            if not is_sqlite(url):
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})")
                enter(connection, shared=False)
            yield connection
    finally:
        engine.dispose()


def _snapshot_before(url: URL, schema: Schema) -> Path | None:
    source = file_of(url)
    if source is None or schema.found is None:
        return None
    plain = source.with_name(f"{source.name}.before-{schema.known}")
    target, count = plain, 1
    while target.exists():
        count += 1
        target = plain.with_name(f"{plain.name}-{count}")
    return snapshot(url.render_as_string(hide_password=False), target)


def _check_keys(connection: Connection) -> None:
    """Tables are rebuilt with foreign keys off; look before the commit whether any row was orphaned."""
    if not is_sqlite(connection.engine.url):
        return
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if orphans:
        tables = ", ".join(sorted({str(row[0]) for row in orphans}))
        raise StoreDamaged(f"rows in {tables} refer to rows that do not exist; nothing was changed")


_MOST = 3
"""Findings that are told; one is enough to restore a backup."""


def check_soundness(url: str, *, thorough: bool = False) -> None:
    """Look at every page of the database; `thorough`: compare indexes with tables too, and read every table.

    Raises StoreDamaged with what is broken, StoreTrouble where it cannot be read now.
    """
    engine = read_engine(parse(url))
    try:
        with translated(), engine.connect() as connection:
            if is_sqlite(engine.url):
                _check_pages(connection, "integrity_check" if thorough else "quick_check")
            for table in metadata.sorted_tables if thorough else ():
                connection.scalar(select(func.count()).select_from(table))
    finally:
        engine.dispose()


def _check_pages(connection: Connection, how: str) -> None:
    found = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA {how}({_MOST})")]
    if found != ["ok"]:
        raise damaged("; ".join(" ".join(line.split()) for line in found))

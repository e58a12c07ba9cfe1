"""A whole database into another one: from SQLite to a PostgreSQL, and back.

All rows go over in two transactions, one that keeps everybody else from writing to the old database, and one that makes
the new one: it has all of them, or it is empty as before. Numbers go on behind the last one that was ever given, also
where its row is gone. Then every table is read from both and compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
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

from judge.store.columns import AnyText, StringTuple
from judge.store.daemons import Daemons
from judge.store.engine import parse, translated, write_engine
from judge.store.errors import StoreError, StoreUnusable
from judge.store.locks import enter
from judge.store.schema import SchemaState, check, upgrade
from judge.store.tables import daemons, games, inbox, metadata, persons

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

"""The few tools that every repository shares: rows into dataclasses, and inserts that meet an existing row.

Whatever differs between SQL dialects is said here and in `engine`, nowhere else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Row, Table
from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")

# The two dialects say "on conflict" alike; they only keep the word in different drawers.
_INSERTS: dict[str, Callable[[Table], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def shape(kind: type, table: Table) -> list[Column[Any]]:
    """The columns of `table` that make up the dataclass `kind`, found by the names of its fields."""
    return [table.c[each.name] for each in fields(kind)]


def build(kind: type[T], row: Row[Any] | None) -> T | None:
    """The row as the dataclass `kind`, None for no row."""
    return None if row is None else kind(**row._mapping)


def build_all(kind: type[T], rows: Sequence[Row[Any]]) -> tuple[T, ...]:
    """Every row as the dataclass `kind`."""
    return tuple(kind(**row._mapping) for row in rows)


def put_new(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless one with the same key is there; True if it was inserted."""
    insert = _INSERTS[connection.dialect.name](table).on_conflict_do_nothing()
    return connection.execute(insert, dict(values)).rowcount == 1


def put(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Insert a row, or overwrite the one with the same primary key."""
    keys = [column.name for column in table.primary_key]
    insert = _INSERTS[connection.dialect.name](table)
    changes = {name: insert.excluded[name] for name in values if name not in keys}
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=changes), dict(values))

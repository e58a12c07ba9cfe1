"""Helpers shared by the repositories: rows to dataclasses and back, upserts.

Statements that run for every mail are built once, at the top of their repository's module: building one costs
several times as much as running it. Whatever differs between SQL dialects is said here and in `engine`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import BindParameter, Column, Connection, Integer, Row, Table, bindparam
from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

SAFE = "judge_safe"
"""Execution option of a change that a unit of work may make while others write, although its table is guarded
(`judge.store.locks`): its row is locked, or whoever comes last is right.
"""

# Both dialects have "on conflict", in modules of their own.
_INSERTS: dict[str, Callable[[Table], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def shape(kind: type[Any], table: Table) -> list[Column[Any]]:
    """The columns of `table` that make up the dataclass `kind`, found by the names of its fields."""
    return [table.c[each.name] for each in fields(kind)]


def build(kind: Callable[..., T], row: Row[*tuple[Any, ...]] | None) -> T | None:
    """The row, selected by `shape`, as the dataclass `kind`; None for no row."""
    return None if row is None else kind(*row)


def build_all(kind: Callable[..., T], rows: Iterable[Row[*tuple[Any, ...]]]) -> tuple[T, ...]:
    """Every row, selected by `shape`, as the dataclass `kind`."""
    return tuple(kind(*row) for row in rows)


def facts(row: "DataclassInstance") -> dict[str, Any]:
    """A dataclass as the values of its columns."""
    return {each.name: getattr(row, each.name) for each in fields(row)}


UP_TO = bindparam("up_to", type_=Integer())
"""How many rows a prepared statement brings at most."""


def any_of(name: str) -> BindParameter[Any]:
    """A list to be given by name when a prepared statement is run: `column.in_(any_of("ids"))`."""
    return bindparam(name, expanding=True)


def put_new(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless one with the same key is there; True if it was inserted."""
    return connection.execute(_insert_new(connection.dialect.name, table), dict(values)).rowcount == 1


def put(connection: Connection, table: Table, values: Mapping[str, Any], *, safe: bool = False) -> None:
    """Insert a row, or overwrite the one with the same primary key. `safe`: see `SAFE`."""
    options = {SAFE: True} if safe else None
    connection.execute(
        _insert_over(connection.dialect.name, table, tuple(values)), dict(values), execution_options=options
    )


def put_all(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows of one shape, or overwrite those with the same primary keys."""
    connection.execute(_insert_over(connection.dialect.name, table, tuple(rows[0])), [dict(row) for row in rows])


def put_once(connection: Connection, table: Table, key: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Insert rows of one shape, unless one with the same value in the unique column `key` is there.

    Returns the ids of those that were inserted, by that value.
    """
    found = connection.execute(_insert_once(connection.dialect.name, table, key), [dict(row) for row in rows])
    return dict(found.all())


@cache
def _insert_new(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    # Some drivers forget how many rows an insert brought, unless they are told to keep the number.
    return _INSERTS[dialect](table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)


@cache
def _insert_once(dialect: str, table: Table, key: str) -> Any:
    return _INSERTS[dialect](table).on_conflict_do_nothing(index_elements=[key]).returning(table.c[key], table.c.id)


@cache
def _insert_over(dialect: str, table: Table, names: tuple[str, ...]) -> sqlite.Insert | postgresql.Insert:
    keys = [column.name for column in table.primary_key]
    insert = _INSERTS[dialect](table)
    changes = {name: insert.excluded[name] for name in names if name not in keys}
    return insert.on_conflict_do_update(index_elements=keys, set_=changes)

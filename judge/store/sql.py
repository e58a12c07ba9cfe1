"""What all repositories do with rows: to dataclasses and back, upserts, leases in the name of a process, and writing
that is put off and done many at a time.

Statements that run for every mail are built once, at the top of their repository's module: building one costs
several times as much as running it. Whatever differs between SQL dialects is said here and in `engine`.

A name is never used twice: host, process number, the moment at which that process began, and a few drawn letters.
What a dead process had in hand is given back at once; what a living one has, or one on another machine of which we
cannot tell, stays its own until its lease lapses.

A busy evening's group of mails writes the same five kinds of rows for each mail; together they cost little more than
for one. Nothing is lost sight of: before a query, what goes into the tables that it reads is written; before any
statement that changes something, and before the commit, everything is.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Engine,
    Integer,
    Row,
    Select,
    Table,
    bindparam,
    event,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import visitors

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

SAFE = "judge_safe"
"""Execution option of a change that a unit of work may make while others write, although its table is guarded
(`judge.store.engine`): its row is locked, or whoever comes last is right.
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


def facts(row: DataclassInstance) -> dict[str, Any]:
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


_BEGAN = 19
"""The place of the starting time among the fields of /proc/PID/stat that follow the command's name."""


class LeaseOwner(NamedTuple):
    """One process of a judge."""

    host: str
    pid: int
    began: str
    """When the process began, in the words of this machine; "" where it does not tell."""
    nonce: str

    def __str__(self) -> str:
        """The text stored in a lease."""
        return f"{self.host}:{self.pid}:{self.began}:{self.nonce}"

    @classmethod
    def read(cls, name: str) -> LeaseOwner | None:
        """The owner of a lease; None where the name is none of ours."""
        parts = name.rsplit(":", 3)
        if len(parts) != 4 or not parts[1].isdigit():
            return None
        return cls(parts[0], int(parts[1]), parts[2], parts[3])


def this_process() -> LeaseOwner:
    """A new name for this process."""
    return LeaseOwner(socket.gethostname(), os.getpid(), _began(os.getpid()), secrets.token_hex(4))


def is_dead(name: str) -> bool:
    """Whether the owner of a lease was a process of this machine that has ended. False where that cannot be known."""
    owner = LeaseOwner.read(name)
    if owner is None or owner.host != socket.gethostname():
        return False
    return not _lives(owner.pid) or _began(owner.pid) != owner.began


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _began(pid: int) -> str:
    """When a process began, "" where this machine does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The command's name comes second, in parentheses, and may hold anything, blanks and parentheses too.
    fields = stat.rpartition(")")[2].split()
    return fields[_BEGAN] if len(fields) > _BEGAN else ""


class Leased:
    """Repositories of rows with a lease: those of `table` that are `in_hand`; `freed` is their state without one."""

    _connection: Connection
    table: ClassVar[Table]
    in_hand_state: ClassVar[StrEnum]
    freed_state: ClassVar[StrEnum]

    def holders(self) -> frozenset[str]:
        """The lease owners that have rows in hand."""
        owner, state = self.table.c.lease_owner, self.table.c.state
        held = select(owner).where(state == self.in_hand_state, owner.is_not(None))
        return frozenset(self._connection.scalars(held.distinct()))

    def give_back(self, owner: str, now: datetime) -> int:
        """Free what a dead owner had in hand, to be taken at once; the attempts stay counted. Returns how many."""
        columns = self.table.c
        owned = (columns.state == self.in_hand_state, columns.lease_owner == owner)
        theirs = update(self.table).where(*owned)
        if self._connection.dialect.name != "sqlite":
            # Of one that stands still in the middle of a transaction some are locked: they are freed when it is ended.
            free = select(columns.id).where(*owned).with_for_update(skip_locked=True)
            theirs = theirs.where(columns.id.in_(list(self._connection.scalars(free))))
        values = {"state": self.freed_state, "next_try": now, "lease_owner": None}
        return self._connection.execute(theirs, values).rowcount


Values = dict[str, Any]

_WAITING = "waiting"
_WRITES = "writes"
_APART = "judge_apart"

Q = TypeVar("Q", bound=Select[Any])


@dataclass(frozen=True, eq=False)
class Late:
    """A kind of row that may wait: the tables that it goes into, and what writes many of it at once."""

    tables: frozenset[Table]
    write: Callable[[Connection, Sequence[Values]], None]


def apart(query: Q) -> Q:
    """The query, marked as one whose result cannot contain deferred rows, so that it does not flush them."""
    return query.execution_options(**{_APART: True})


def later(connection: Connection, kind: Late, row: Values) -> None:
    """Write this row with the next ones of its kind, at the latest with the commit. Raises RuntimeError where nothing
    is written: on a connection that only reads it would be lost without a word.
    """
    if _WRITES not in connection.info:
        raise RuntimeError("this connection only reads; ask for a unit of work to write")
    rows: dict[Late, list[Values]] = connection.info.setdefault(_WAITING, {})
    rows.setdefault(kind, []).append(row)


def settle(connection: Connection, tables: Collection[Table] | None = None) -> None:
    """Write everything that waits; with `tables`, only what goes into one of them."""
    # Out of sight meanwhile: the statements that write them come by here too.
    rows: dict[Late, list[Values]] = connection.info.pop(_WAITING, {})
    for kind in [kind for kind in rows if tables is None or not kind.tables.isdisjoint(tables)]:
        kind.write(connection, rows.pop(kind))
    if rows:
        connection.info[_WAITING] = rows


def forget(connection: Connection) -> None:
    """Drop the deferred rows: their transaction was rolled back."""
    connection.info.pop(_WAITING, None)


def watch(engine: Engine) -> None:
    """Install listeners that write deferred rows before any statement of this engine that could read or change them."""
    event.listen(engine, "connect", _note_writer)
    event.listen(engine, "before_execute", partial(_first, tables_of=_TablesOf()))


def _note_writer(_connection: Any, record: Any) -> None:
    record.info[_WRITES] = True


class _TablesOf:
    """The tables that a query reads. Prepared queries are looked through once."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Select[Any], frozenset[Table]] = WeakKeyDictionary()

    def __call__(self, query: Select[Any]) -> frozenset[Table]:
        known = self._known.get(query)
        if known is None:
            known = frozenset(part for part in visitors.iterate(query) if isinstance(part, Table))
            self._known[query] = known
        return known


def _first(
    connection: Connection, statement: Any, _many: Any, _values: Any, options: Any, *, tables_of: _TablesOf
) -> None:
    if connection.info.get(_WAITING) and _APART not in options:
        settle(connection, tables_of(statement) if isinstance(statement, Select) else None)

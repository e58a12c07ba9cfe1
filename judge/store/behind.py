"""Rows whose writing is deferred within a unit of work, then done many at a time.

A busy evening's group of mails writes the same five kinds of rows for each mail; together they cost little more than
for one. Nothing is lost sight of: before a query, what goes into the tables that it reads is written; before any
statement that changes something, and before the commit, everything is.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, Select, Table, event
from sqlalchemy.sql import visitors

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

"""Locks of a PostgreSQL, by which several daemons write at once and nothing is done twice or out of order.

There is one lock of the house. A unit of work takes it whole and is alone then, or shares it with others (`sharing`):
those that hear mails, turn pages, take mails in, write and send letters. What such a unit may touch is narrow, and a
second lock keeps each thing in one hand: one for a game, one for whoever writes (`Locks`). A unit that wants more than
that is undone with `NotShared`, and done again alone. Locks end with their transaction, so with their connection, so
with their process; one that stands still within a transaction loses it (`engine.IDLE_SECONDS`).

SQLite has one writer: there every unit is alone, and nothing of this is asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Delete, Engine, Insert, Table, Update, event
from sqlalchemy.exc import OperationalError

from judge.store.errors import Contended, NotShared, StoreBusy
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
"""The lock of the house; its numbers are the database's own."""

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
    """What a unit that shares the house holds besides."""

    held: set[Key] = field(default_factory=set)
    persons: set[int] = field(default_factory=set)
    """Persons whose rows it has locked, so that it may change them."""


def sharing(connection: Connection) -> Sharing | None:
    """What a unit of work holds that shares the house; None for one that is alone."""
    found: Sharing | None = connection.info.get(_SHARING)
    return found


def enter(connection: Connection, *, shared: bool) -> None:
    """Take the lock of the house, whole or shared with others, for the transaction that has just begun."""
    connection.info.pop(_SHARING, None)
    if connection.dialect.name == "sqlite":
        return
    how = "_shared" if shared else ""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock{how}({_HOUSE})")
    if shared:
        connection.info[_SHARING] = Sharing()


def guard(engine: Engine) -> None:
    """Undo every unit that shares the house and changes what only one that is alone may change."""
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

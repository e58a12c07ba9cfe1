"""What the database knows about itself: identity, secret, generation, settings of no person, and two things more.

**The stamp** is a random word that changes with every change of a person, an address or a seat: the key of caches of
them. Who asks the same persons again and again may keep the answers as long as the stamp is the one that they saw with
them, whichever process changed what. It is drawn, not counted: a restored backup never bears a stamp of later times.

**Recovery** is going on from an earlier state, as a restored backup does. Letters that were on their way may have gone
since: they are kept back. Numbers that were given meanwhile stand in letters, tokens and bounces that people still
have: they are not given again. And the time that was lost is remembered until everybody who must know of it was told.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection, Delete, Engine, Insert, Update, bindparam, delete, event, func, select

from judge.store.sql import put, put_new
from judge.store.tables import addresses, deliveries, inbox, letters, meta, persons, seats

INSTANCE = "instance.id"
SECRET = "instance.secret"
GENERATION = "instance.generation"
EPOCH = "instance.epoch"
"""Drawn again when a backup is restored: so the letters from then on are not those of the time that was lost."""

_GET = select(meta.c.value).where(meta.c.key == bindparam("this"))


class Meta:
    """The settings of the database."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, key: str, default: str | None = None) -> str | None:
        """The value under a key, or the default."""
        found: str | None = self._connection.scalar(_GET, {"this": key})
        return default if found is None else found

    def all(self, prefix: str = "") -> dict[str, str]:
        """Every setting whose key begins with the prefix, by key. The judge's secret is not among them."""
        query = select(meta.c.key, meta.c.value).where(meta.c.key.startswith(prefix, autoescape=True))
        return {key: value for key, value in self._connection.execute(query.order_by(meta.c.key)) if key != SECRET}

    def generation(self) -> int:
        """How often this database was marked as alive; see `judge.store.backup`."""
        return int(self.get(GENERATION, "0") or 0)

    def set(self, key: str, value: str, *, safe: bool = False) -> None:
        """Write a setting. `safe`: whoever writes it, the last one counts, so that others may write meanwhile."""
        put(self._connection, meta, {"key": key, "value": value}, safe=safe)

    def set_once(self, key: str, make: Callable[[], str]) -> str:
        """The value under a key, made and kept if there was none."""
        found = self.get(key)
        if found is not None:
            return found
        put_new(self._connection, meta, {"key": key, "value": make()})
        return self.get(key) or ""

    def unset(self, key: str) -> None:
        """Forget a setting."""
        self._connection.execute(delete(meta).where(meta.c.key == key))

    def advance_generation(self, *, at_least: int = 1) -> int:
        """Count one generation more, or as many as it takes to reach `at_least`; returns it. Of several daemons one
        counts after the other: none goes back behind what another has marked.
        """
        last = self._connection.scalar(_GET.with_for_update(), {"this": GENERATION})
        generation = max(int(last or 0) + 1, at_least)
        self.set(GENERATION, str(generation), safe=True)
        return generation


STAMP = "directory.stamp"

_DIRECTORY = (persons, addresses, seats)
_TOUCH = "directory touched"


@dataclass(slots=True)
class Touch:
    """Whether a transaction may have changed persons, addresses or seats: then only the tables themselves tell."""

    directory: bool = False


def watch_directory(engine: Engine) -> None:
    """Take note of every statement of this engine that may change the directory."""
    event.listen(engine, "before_execute", _note)


def touch_of(connection: Connection) -> Touch:
    """What is noted of this transaction, kept up to date."""
    touch: Touch = connection.info.setdefault(_TOUCH, Touch())
    return touch


def renew(connection: Connection) -> None:
    """Before the commit: a new stamp, if the directory was touched."""
    if touch_of(connection).directory:
        put(connection, meta, {"key": STAMP, "value": token_hex(8)}, safe=True)


def untouched(connection: Connection) -> None:
    """A transaction begins."""
    connection.info[_TOUCH] = Touch()


def _note(connection: Connection, statement: Any, _many: Any, _values: Any, _options: Any) -> None:
    if isinstance(statement, (Insert, Update, Delete)) and statement.table in _DIRECTORY:
        touch_of(connection).directory = True


PENDING = "restored.pending"
KEPT_BACK = "it may have gone before the backup was restored"
"""The last answer of a copy that is kept back for that reason."""

ROUND = 100_000
"""Numbers go on at the next multiple: more than a judge gives between two backups, and plain to see in a list."""

_NUMBERED = (inbox, letters, deliveries, persons)


@dataclass(frozen=True, slots=True)
class LostTime:
    """What happened between these two moments the database does not know; `kept_back`: copies that were not sent."""

    since: datetime
    until: datetime
    kept_back: int


def lost_time(meta: Meta) -> LostTime | None:
    """The time that was lost by a restored backup and is still to be told of."""
    found = meta.get(PENDING)
    if found is None:
        return None
    facts = json.loads(found)
    since, until = (datetime.fromisoformat(facts[name]) for name in ("since", "until"))
    return LostTime(since, until, int(facts["kept_back"]))


class Recovery:
    """Going on from an earlier state, inside a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = Meta(connection)

    def begin(self, lost: LostTime, *, epoch: str) -> None:
        """Skip numbers, begin a new epoch of letters, and remember what is still to be told."""
        for table in _NUMBERED:
            last = self._connection.scalar(select(func.max(table.c.id))) or 0
            self._skip(table.name, (last // ROUND + 1) * ROUND)
        self._meta.set(EPOCH, epoch)
        facts = {"since": lost.since.isoformat(), "until": lost.until.isoformat(), "kept_back": lost.kept_back}
        self._meta.set(PENDING, json.dumps(facts))

    def told(self) -> None:
        """Everybody knows."""
        self._meta.unset(PENDING)

    def _skip(self, table: str, to: int) -> None:
        if self._connection.dialect.name != "sqlite":
            self._connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {to})")
            return
        found = self._connection.exec_driver_sql("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (table,))
        given = max(to, ((found.scalar() or 0) // ROUND + 1) * ROUND)
        self._connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        self._connection.exec_driver_sql("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, given))

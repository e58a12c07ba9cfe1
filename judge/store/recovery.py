"""What a database needs when it goes on from an earlier state of itself, as a restored backup does.

Letters that were on their way may have gone since: they are kept back. Numbers that were given meanwhile stand in
letters, tokens and bounces that people still have: they are not given again. And the time that was lost is remembered
until everybody who must know of it was told.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from judge.store.engine import is_sqlite
from judge.store.meta import EPOCH, Meta, MetaView
from judge.store.tables import deliveries, inbox, letters, persons

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


def lost_time(meta: MetaView) -> LostTime | None:
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
        if not is_sqlite(self._connection.engine.url):
            self._connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {to})")
            return
        found = self._connection.exec_driver_sql("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (table,))
        given = max(to, ((found.scalar() or 0) // ROUND + 1) * ROUND)
        self._connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        self._connection.exec_driver_sql("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, given))

"""The event log: append-only, numbered per game, and the only truth about a game.

The unique key (game, seq) is the compare-and-set that keeps two processes from doing one thing twice.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, insert, select
from sqlalchemy.exc import IntegrityError

from judge.store.behind import Late, Values, apart, later
from judge.store.errors import Conflict
from judge.store.rows import NewEvent, StoredEvent
from judge.store.sql import build_all, facts, shape
from judge.store.tables import events

_EVENT = shape(StoredEvent, events)

_LAST = select(func.max(events.c.seq)).where(events.c.game == bindparam("game"))
_LAST_APART = apart(_LAST)
_LAST_OF = (
    select(events.c.seq)
    .where(events.c.game == bindparam("game"), events.c.kind == bindparam("kind"), events.c.seq <= bindparam("upto"))
    .order_by(events.c.seq.desc())
    .limit(1)
)
_LOAD = (
    select(*_EVENT).where(events.c.game == bindparam("game"), events.c.seq > bindparam("after")).order_by(events.c.seq)
)


class EventsView:
    """The event log for those who only look."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def load(self, game: str, *, after_seq: int = 0, upto_seq: int | None = None) -> tuple[StoredEvent, ...]:
        """The events of a game in order, from the one after `after_seq` up to `upto_seq` (None: the last)."""
        query = _LOAD if upto_seq is None else _LOAD.where(events.c.seq <= upto_seq)
        return build_all(StoredEvent, self._connection.execute(query, {"game": game, "after": after_seq}))

    def last_seq(self, game: str) -> int:
        """The number of the game's last event, 0 if it has none."""
        last: int | None = self._connection.scalar(_LAST, {"game": game})
        return last or 0

    def count_since(self, kind: str, since: datetime) -> int:
        """How many events of a kind there are since a moment, in all games; reads the whole log."""
        query = select(func.count()).select_from(events).where(events.c.kind == kind, events.c.at >= since)
        return self._connection.scalar(query) or 0

    def last_of(self, game: str, kind: str, *, upto_seq: int) -> int:
        """The number of the game's last event of a kind up to `upto_seq`, 0 if it has none."""
        which = {"game": game, "kind": kind, "upto": upto_seq}
        last: int | None = self._connection.scalar(_LAST_OF, which)
        return last or 0

    def games(self) -> tuple[str, ...]:
        """The keys of all games that have events, sorted."""
        return tuple(self._connection.scalars(select(events.c.game).distinct().order_by(events.c.game)))


def _append(connection: Connection, rows: Sequence[Values]) -> None:
    try:
        connection.execute(insert(events), rows)
    except IntegrityError as error:
        # Where writers do not queue for one lock, another one may have come between the look and the insert.
        raise Conflict(rows[0]["game"], rows[0]["seq"] - 1, rows[0]["seq"]) from error


_EVENTS = Late(frozenset((events,)), _append)


class Events(EventsView):
    """The event log inside a unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._last: dict[str, int] = {}

    def last_seq(self, game: str) -> int:
        """The number of the game's last event, 0 if it has none; within a unit of work only we add to it."""
        if game not in self._last:
            # Whatever waits to be written for this game would be known here.
            last: int | None = self._connection.scalar(_LAST_APART, {"game": game})
            self._last[game] = last or 0
        return self._last[game]

    def forget(self) -> None:
        """Drop cached sequence numbers after a part of the unit of work was rolled back."""
        self._last.clear()

    def append(
        self,
        game: str,
        expected_seq: int,
        new: Sequence[NewEvent],
        *,
        at: datetime,
        mail_id: int | None = None,
    ) -> int:
        """Add events after `expected_seq`, the last one the caller has seen (0: a new game).

        Returns the number of the last event now. Raises Conflict if the game has moved on; let it end the unit of
        work, then load again and decide again.
        """
        found = self.last_seq(game)
        if found != expected_seq:
            raise Conflict(game, expected_seq, found)
        if not new:
            return found
        shared = {"game": game, "at": at, "mail_id": mail_id}
        rows = [{**shared, "seq": seq, **facts(each)} for seq, each in enumerate(new, start=expected_seq + 1)]
        for row in rows:
            later(self._connection, _EVENTS, row)
        self._last[game] = expected_seq + len(rows)
        return self._last[game]

"""What is kept of the games: their events, their index cards and seats, and their drawn pictures.

The event log is append-only, numbered per game, and the only truth about a game: the unique key (game, seq) is the
compare-and-set that keeps two processes from doing one thing twice. Cards and seats are what lists, doors and the sweep
ask without replaying events; they could be rebuilt from them, and are written in the same transaction.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from judge.store.engine import hold_game
from judge.store.errors import Conflict, NoSuchRow
from judge.store.rows import GameRow, NewEvent, PictureRow, SeatRow, StoredEvent
from judge.store.sql import (
    UP_TO,
    Late,
    Values,
    any_of,
    apart,
    build,
    build_all,
    facts,
    later,
    put,
    put_all,
    put_new,
    shape,
)
from judge.store.tables import events, games, pictures, seats

_GAME = shape(GameRow, games)
_SEAT = shape(SeatRow, seats)

_FIND = select(*_GAME).where(games.c.key == bindparam("key"))
_DUE = (
    select(*_GAME)
    .where(games.c.next_due_at <= bindparam("now"))
    .order_by(games.c.next_due_at, games.c.key)
    .limit(UP_TO)
)
_KNOWN = select(games.c.key).where(games.c.key.in_(any_of("names")))
_NEXT_DUE = select(func.min(games.c.next_due_at))
_FIND_SEAT = select(*_SEAT).where(seats.c.game == bindparam("game"), seats.c.seat == bindparam("seat"))
_SEATS = select(*_SEAT).where(seats.c.game == bindparam("game")).order_by(seats.c.seat)
_SEATS_IN = select(*_SEAT).where(seats.c.game.in_(any_of("games")))
_SEAT_BY_NONCE = select(*_SEAT).where(seats.c.nonce == bindparam("nonce"))
_SEATS_OF = select(*_SEAT).where(seats.c.person_id == bindparam("person_id")).order_by(seats.c.game, seats.c.seat)


def _write_cards(connection: Connection, rows: Sequence[Values]) -> None:
    last = {row["key"]: row["draw"] for row in rows}
    put_all(connection, games, [facts(draw()) for draw in last.values()])


_CARDS = Late(frozenset((games,)), _write_cards)


class Games:
    """The index cards of games and of their seats."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, key: str) -> GameRow | None:
        """The card of a game, None if there is no such game."""
        return build(GameRow, self._connection.execute(_FIND, {"key": key}).first())

    def get(self, key: str) -> GameRow:
        """The card of a game. Raises NoSuchRow."""
        card = self.find(key)
        if card is None:
            raise NoSuchRow("game", key)
        return card

    def list(self, *, states: Collection[str] = ()) -> tuple[GameRow, ...]:
        """All games by key; no states means whatever their state."""
        query = select(*_GAME).order_by(games.c.key)
        if states:
            query = query.where(games.c.state.in_(states))
        return build_all(GameRow, self._connection.execute(query))

    def known(self, names: Collection[str]) -> frozenset[str]:
        """Which of these are names of games."""
        return frozenset(self._connection.scalars(_KNOWN, {"names": sorted(names)})) if names else frozenset()

    def due(self, now: datetime, *, limit: int = 1000) -> tuple[GameRow, ...]:
        """The games that want attention now, the longest overdue first: the question of the sweep."""
        return build_all(GameRow, self._connection.execute(_DUE, {"now": now, "up_to": limit}))

    def next_due(self) -> datetime | None:
        """The next moment at which any game wants attention: what the alarm clock is set to."""
        found: datetime | None = self._connection.scalar(_NEXT_DUE)
        return found

    def seat(self, game: str, seat: str) -> SeatRow | None:
        """The row of a seat, None if it was never filled."""
        return build(SeatRow, self._connection.execute(_FIND_SEAT, {"game": game, "seat": seat}).first())

    def seat_by_nonce(self, nonce: str) -> SeatRow | None:
        """The seat whose present nonce this is: what a token names; None once it was revoked."""
        return build(SeatRow, self._connection.execute(_SEAT_BY_NONCE, {"nonce": nonce}).first())

    def seats(self, game: str) -> tuple[SeatRow, ...]:
        """All seats of a game by name."""
        return build_all(SeatRow, self._connection.execute(_SEATS, {"game": game}))

    def seats_in(self, games: Collection[str]) -> dict[tuple[str, str], SeatRow]:
        """The seats of several games, by game and seat."""
        rows = build_all(SeatRow, self._connection.execute(_SEATS_IN, {"games": list(games)}))
        return {(row.game, row.seat): row for row in rows}

    def seats_of(self, person_id: int) -> tuple[SeatRow, ...]:
        """All seats that a person holds, by game."""
        return build_all(SeatRow, self._connection.execute(_SEATS_OF, {"person_id": person_id}))

    def put(self, card: GameRow) -> None:
        """Write a game's card, new or changed."""
        self.put_drawn(card.key, lambda: card)

    def put_drawn(self, key: str, draw: Callable[[], GameRow]) -> None:
        """Write a game's card at the commit; `draw` is called once, for the last of several in one unit of work."""
        later(self._connection, _CARDS, {"key": key, "draw": draw})

    def put_seat(self, seat: SeatRow) -> None:
        """Write who sits where; give it a new nonce whenever the occupant changes."""
        put(self._connection, seats, facts(seat))

    def remove(self, key: str) -> None:
        """Take a game out of the index; the tokens of its seats die with it. Its events stay."""
        self._connection.execute(delete(seats).where(seats.c.game == key))
        self._connection.execute(delete(games).where(games.c.key == key))


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


def _append(connection: Connection, rows: Sequence[Values]) -> None:
    try:
        connection.execute(insert(events), rows)
    except IntegrityError as error:
        # A command of the shell that writes beside a daemon may have come between the look and the insert.
        raise Conflict(rows[0]["game"], rows[0]["seq"] - 1, rows[0]["seq"]) from error


_EVENTS = Late(frozenset((events,)), _append)


class Events:
    """The event log. What was read and appended in this unit of work is remembered."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last: dict[str, int] = {}

    def load(self, game: str, *, after_seq: int = 0, upto_seq: int | None = None) -> tuple[StoredEvent, ...]:
        """The events of a game in order, from the one after `after_seq` up to `upto_seq` (None: the last)."""
        query = _LOAD if upto_seq is None else _LOAD.where(events.c.seq <= upto_seq)
        return build_all(StoredEvent, self._connection.execute(query, {"game": game, "after": after_seq}))

    def last_seq(self, game: str) -> int:
        """The number of the game's last event, 0 if it has none; within a unit of work only we add to it."""
        if game not in self._last:
            # Whatever waits to be written for this game would be known here.
            last: int | None = self._connection.scalar(_LAST_APART, {"game": game})
            self._last[game] = last or 0
        return self._last[game]

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
        if not hold_game(self._connection, game):
            self._last.pop(game, None)  # somebody else may have written since it was read
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


_PICTURE = shape(PictureRow, pictures)


class Pictures:
    """Drawn pictures."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, game: str, phase: str, kind: str) -> PictureRow | None:
        """The picture, None if it has not been drawn yet."""
        which = (pictures.c.game == game, pictures.c.phase == phase, pictures.c.kind == kind)
        return build(PictureRow, self._connection.execute(select(*_PICTURE).where(*which)).first())

    def put(self, picture: PictureRow) -> bool:
        """Keep a picture; the first one stays. False if there was one already."""
        return put_new(self._connection, pictures, facts(picture))

    def drop(self, game: str, phase: str, kinds: Collection[str]) -> int:
        """Throw pictures away; returns how many there were."""
        which = (pictures.c.game == game, pictures.c.phase == phase, pictures.c.kind.in_(kinds))
        return self._connection.execute(delete(pictures).where(*which)).rowcount

"""The index cards of the games and of their seats: what lists, doors and the sweep ask without replaying events.

Everything here could be rebuilt from the events; it is written in the same transaction as they are.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, func, select

from judge.store.behind import Late, Values, later
from judge.store.errors import NoSuchRow
from judge.store.rows import GameRow, SeatRow
from judge.store.sql import any_of, build, build_all, facts, put, put_all, shape
from judge.store.tables import games, seats

_GAME = shape(GameRow, games)
_SEAT = shape(SeatRow, seats)

_FIND = select(*_GAME).where(games.c.key == bindparam("key"))
_DUE = (
    select(*_GAME)
    .where(games.c.next_due_at <= bindparam("now"))
    .order_by(games.c.next_due_at, games.c.key)
    .limit(bindparam("up_to"))
)
_NEXT_DUE = select(func.min(games.c.next_due_at))
_FIND_SEAT = select(*_SEAT).where(seats.c.game == bindparam("game"), seats.c.seat == bindparam("seat"))
_SEATS = select(*_SEAT).where(seats.c.game == bindparam("game")).order_by(seats.c.seat)
_SEATS_IN = select(*_SEAT).where(seats.c.game.in_(any_of("games")))
_SEAT_BY_NONCE = select(*_SEAT).where(seats.c.nonce == bindparam("nonce"))
_SEATS_OF = select(*_SEAT).where(seats.c.person_id == bindparam("person_id")).order_by(seats.c.game, seats.c.seat)


class GamesView:
    """The index for those who only look."""

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


def _write_cards(connection: Connection, rows: Sequence[Values]) -> None:
    last = {row["key"]: row["draw"] for row in rows}
    put_all(connection, games, [facts(draw()) for draw in last.values()])


_CARDS = Late(frozenset((games,)), _write_cards)


class Games(GamesView):
    """The index inside a unit of work."""

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

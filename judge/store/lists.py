"""Lists that persons stand on: subscriptions to what the judge publishes, and standbys for seats."""

from datetime import datetime

from sqlalchemy import Connection, delete, or_, select

from judge.store.rows import Standby, Subscription
from judge.store.sql import build_all, put, shape
from judge.store.tables import standbys, subscriptions

_SUBSCRIPTION = shape(Subscription, subscriptions)
_STANDBY = shape(Standby, standbys)

ANY_GAME = ""


class ListsView:
    """The lists for those who only look."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def subscribers(self, topic: str) -> tuple[Subscription, ...]:
        """Who gets a topic, the oldest subscription first."""
        query = select(*_SUBSCRIPTION).where(subscriptions.c.topic == topic)
        ordered = query.order_by(subscriptions.c.since, subscriptions.c.person_id)
        return build_all(Subscription, self._connection.execute(ordered))

    def subscriptions(self, person_id: int) -> tuple[Subscription, ...]:
        """What a person gets, by topic."""
        query = select(*_SUBSCRIPTION).where(subscriptions.c.person_id == person_id)
        return build_all(Subscription, self._connection.execute(query.order_by(subscriptions.c.topic)))

    def standbys(self, game: str) -> tuple[Standby, ...]:
        """Who would take a seat of this game: its own standbys first, then those for any game, first come first."""
        query = select(*_STANDBY).where(or_(standbys.c.game == game, standbys.c.game == ANY_GAME))
        ordered = query.order_by((standbys.c.game == ANY_GAME), standbys.c.since, standbys.c.person_id)
        return build_all(Standby, self._connection.execute(ordered))


class Lists(ListsView):
    """The lists inside a unit of work."""

    def subscribe(self, person_id: int, topic: str, now: datetime, *, options: str = "{}") -> None:
        """Put a person on a topic's list, or change the options they have there."""
        put(
            self._connection,
            subscriptions,
            {"person_id": person_id, "topic": topic, "since": now, "options": options},
        )

    def unsubscribe(self, person_id: int, topic: str) -> bool:
        """Take a person off a topic's list. False if they were not on it."""
        which = (subscriptions.c.person_id == person_id, subscriptions.c.topic == topic)
        return self._connection.execute(delete(subscriptions).where(*which)).rowcount == 1

    def stand_by(self, person_id: int, now: datetime, *, game: str = ANY_GAME, options: str = "{}") -> None:
        """Put a person on the standby list of a game, or of any game."""
        put(self._connection, standbys, {"person_id": person_id, "game": game, "since": now, "options": options})

    def stand_down(self, person_id: int, *, game: str = ANY_GAME) -> bool:
        """Take a person off a standby list. False if they were not on it."""
        which = (standbys.c.person_id == person_id, standbys.c.game == game)
        return self._connection.execute(delete(standbys).where(*which)).rowcount == 1

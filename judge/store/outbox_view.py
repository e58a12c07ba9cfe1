"""A look at the outbox: which copies wait, which have gone, which gave up."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, exists, func, select

from judge.store.errors import NoSuchRow
from judge.store.letter_rows import Delivery, DeliveryState, LetterState, OutboxLine
from judge.store.sql import any_of, build, build_all, shape
from judge.store.tables import deliveries, letters, meta

PAUSED = "outbox.paused"
"""Where the database notes why nothing is sent."""

DELIVERY = shape(Delivery, deliveries)
"""The columns of a copy, in the order of its fields."""

OPEN = (DeliveryState.READY, DeliveryState.DEFERRED, DeliveryState.LEASED)
"""States of a copy that may still go."""

_GET = select(*DELIVERY).where(deliveries.c.id == bindparam("delivery_id"))

_OF_LETTER = select(*DELIVERY).where(deliveries.c.letter_id == bindparam("letter_id")).order_by(deliveries.c.id)

_WHY_PAUSED = select(meta.c.value).where(meta.c.key == PAUSED)

_LINES = select(
    *DELIVERY,
    letters.c.kind,
    letters.c.game,
    letters.c.seat,
    letters.c.subject,
    letters.c.message_id,
    letters.c.state.label("letter_state"),
    letters.c.created_at,
).join(letters, letters.c.id == deliveries.c.letter_id)

_copies = deliveries.alias()

_ARRIVED = exists().where(_copies.c.letter_id == letters.c.id, _copies.c.state == DeliveryState.SENT)

_UNSENT_SEATS = (
    select(letters.c.seat)
    .distinct()
    .join(deliveries, deliveries.c.letter_id == letters.c.id)
    .where(
        letters.c.game == bindparam("game"),
        letters.c.kind.in_(any_of("kinds")),
        letters.c.created_at >= bindparam("since"),
        letters.c.seat.is_not(None),
        ~_ARRIVED,
    )
)


class OutboxView:
    """The outbox for those who only look."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, delivery_id: int) -> Delivery:
        """The delivery with this number. Raises NoSuchRow."""
        delivery = build(Delivery, self._connection.execute(_GET, {"delivery_id": delivery_id}).first())
        if delivery is None:
            raise NoSuchRow("delivery", delivery_id)
        return delivery

    def of_letter(self, letter_id: int) -> tuple[Delivery, ...]:
        """All deliveries of a letter, in the order in which they were written."""
        return build_all(Delivery, self._connection.execute(_OF_LETTER, {"letter_id": letter_id}))

    def list(
        self,
        *,
        states: Collection[DeliveryState] = (),
        letter_states: Collection[LetterState] = (),
        game: str | None = None,
        kind: str | None = None,
        seat: str | None = None,
        address: str | None = None,
        created_from: datetime | None = None,
        after_id: int = 0,
        limit: int = 100,
        latest: bool = False,
    ) -> tuple[OutboxLine, ...]:
        """Deliveries with what is known of their letters, oldest first; what is left out does not narrow the list. Of
        more than `limit` the first ones, or the `latest`.

        The lateness rule asks here too: has the call for orders to this seat left us, or did it bounce?
        """
        order = deliveries.c.id.desc() if latest else deliveries.c.id
        query = _LINES.where(deliveries.c.id > after_id).order_by(order).limit(limit)
        if states:
            query = query.where(deliveries.c.state.in_(states))
        if letter_states:
            query = query.where(letters.c.state.in_(letter_states))
        if created_from is not None:
            query = query.where(letters.c.created_at >= created_from)
        if address is not None:
            query = query.where(func.lower(deliveries.c.address) == address.lower())
        for column, wanted in ((letters.c.game, game), (letters.c.kind, kind), (letters.c.seat, seat)):
            if wanted is not None:
                query = query.where(column == wanted)
        found = [_line(row) for row in self._connection.execute(query)]
        return tuple(reversed(found) if latest else found)

    def unsent_seats(self, game: str, *, kinds: Collection[str], since: datetime) -> frozenset[str]:
        """The seats of a game to which a letter of these kinds, written since a moment, has not been sent, or came
        back from every address that was tried.
        """
        which = {"game": game, "kinds": list(kinds), "since": since}
        return frozenset(self._connection.scalars(_UNSENT_SEATS, which))

    def counts(self) -> dict[DeliveryState, int]:
        """How many deliveries stand in each state; states without deliveries are left out."""
        query = select(deliveries.c.state, func.count()).group_by(deliveries.c.state)
        return dict(self._connection.execute(query).all())

    def done_since(self, since: datetime) -> dict[DeliveryState, int]:
        """How many deliveries came to their end since a moment, and to which; reads the whole outbox."""
        query = select(deliveries.c.state, func.count()).where(deliveries.c.done_at >= since)
        return dict(self._connection.execute(query.group_by(deliveries.c.state)).all())

    def next_try(self) -> datetime | None:
        """The next moment at which anything may be tried: what the drain's alarm is set to."""
        query = select(func.min(deliveries.c.next_try))
        found: datetime | None = self._connection.scalar(query)
        return found

    def oldest_open(self) -> datetime | None:
        """When the oldest letter that has still to go was written; for the health page."""
        query = (
            select(func.min(letters.c.created_at))
            .join(deliveries, deliveries.c.letter_id == letters.c.id)
            .where(deliveries.c.state.in_(OPEN), letters.c.state.in_((LetterState.READY, LetterState.COMPOSING)))
        )
        found: datetime | None = self._connection.scalar(query)
        return found

    def paused(self) -> str | None:
        """Why nothing is sent at present, None if letters may go."""
        found: str | None = self._connection.scalar(_WHY_PAUSED)
        return found


def _line(row: Row[*tuple[Any, ...]]) -> OutboxLine:
    width = len(DELIVERY)
    return OutboxLine(Delivery(*row[:width]), *row[width:])

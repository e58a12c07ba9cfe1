"""The outbox: one delivery per recipient, taken by lease, tried until it is sent or given up.

At least once, one Message-ID: a copy goes twice only if its worker dies, or its lease lapses, between the relay's
acceptance and our commit. The clock of the next attempt lies in the row, so that it survives every restart.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, literal, select, update

from judge.store.errors import NoSuchRow
from judge.store.rows import Delivery, DeliveryState, LetterState, OutboxLine, Parcel
from judge.store.sql import build, build_all, put, shape
from judge.store.tables import deliveries, letter_bytes, letters, meta
from judge.store.types import Moment

LEASE = timedelta(minutes=10)
PAUSED = "outbox.paused"

_DELIVERY = shape(Delivery, deliveries)
_OPEN = (DeliveryState.READY, DeliveryState.DEFERRED, DeliveryState.LEASED)


class OutboxView:
    """The outbox for those who only look."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, delivery_id: int) -> Delivery:
        """The delivery with this number. Raises NoSuchRow."""
        query = select(*_DELIVERY).where(deliveries.c.id == delivery_id)
        delivery = build(Delivery, self._connection.execute(query).first())
        if delivery is None:
            raise NoSuchRow("delivery", delivery_id)
        return delivery

    def of_letter(self, letter_id: int) -> tuple[Delivery, ...]:
        """All deliveries of a letter, in the order in which they were written."""
        query = select(*_DELIVERY).where(deliveries.c.letter_id == letter_id).order_by(deliveries.c.id)
        return build_all(Delivery, self._connection.execute(query).all())

    def list(
        self,
        *,
        states: Collection[DeliveryState] = (),
        letter_states: Collection[LetterState] = (),
        game: str | None = None,
        kind: str | None = None,
        seat: str | None = None,
        created_from: datetime | None = None,
        after_id: int = 0,
        limit: int = 100,
    ) -> tuple[OutboxLine, ...]:
        """Deliveries with what is known of their letters, oldest first; what is left out does not narrow the list.

        The lateness rule asks here too: has the call for orders to this seat left us, or did it bounce?
        """
        query = _lines().where(deliveries.c.id > after_id).order_by(deliveries.c.id).limit(limit)
        if states:
            query = query.where(deliveries.c.state.in_(states))
        if letter_states:
            query = query.where(letters.c.state.in_(letter_states))
        if created_from is not None:
            query = query.where(letters.c.created_at >= created_from)
        for column, wanted in ((letters.c.game, game), (letters.c.kind, kind), (letters.c.seat, seat)):
            if wanted is not None:
                query = query.where(column == wanted)
        return tuple(_line(row._mapping) for row in self._connection.execute(query))

    def counts(self) -> dict[DeliveryState, int]:
        """How many deliveries stand in each state; states without deliveries are left out."""
        query = select(deliveries.c.state, func.count()).group_by(deliveries.c.state)
        return dict(self._connection.execute(query).tuples().all())

    def next_try(self) -> datetime | None:
        """The next moment at which anything may be tried: what the drain's alarm is set to."""
        query = select(func.min(deliveries.c.next_try)).where(deliveries.c.state.in_(_OPEN))
        found: datetime | None = self._connection.scalar(query)
        return found

    def oldest_open(self) -> datetime | None:
        """When the oldest letter that has still to go was written; for the health page."""
        query = (
            select(func.min(letters.c.created_at))
            .join(deliveries, deliveries.c.letter_id == letters.c.id)
            .where(deliveries.c.state.in_(_OPEN), letters.c.state.in_((LetterState.READY, LetterState.COMPOSING)))
        )
        found: datetime | None = self._connection.scalar(query)
        return found

    def paused(self) -> str | None:
        """Why nothing is sent at present, None if letters may go."""
        found: str | None = self._connection.scalar(select(meta.c.value).where(meta.c.key == PAUSED))
        return found


class Outbox(OutboxView):
    """The outbox inside a unit of work."""

    def claim(self, now: datetime, *, owner: str, limit: int = 50, lease: timedelta = LEASE) -> tuple[Parcel, ...]:
        """Take deliveries in hand whose time has come, and count the attempt; commit before you send any.

        A lease that lapsed without word is taken again. Nothing comes while the outbox is paused.
        """
        if self.paused() is not None:
            return ()
        query = (
            select(deliveries.c.id)
            .join(letters, letters.c.id == deliveries.c.letter_id)
            .where(deliveries.c.state.in_(_OPEN), deliveries.c.next_try <= now, letters.c.state == LetterState.READY)
            .order_by(deliveries.c.next_try, deliveries.c.id)
            .limit(limit)
        )
        ids = list(self._connection.scalars(query.with_for_update(skip_locked=True, of=deliveries)))
        if not ids:
            return ()
        self._connection.execute(
            update(deliveries)
            .where(deliveries.c.id.in_(ids))
            .values(
                state=DeliveryState.LEASED,
                attempts=deliveries.c.attempts + 1,
                next_try=now + lease,
                lease_owner=owner,
                first_try=func.coalesce(deliveries.c.first_try, literal(now, Moment())),
            )
        )
        return self._parcels(ids)

    def address_from(self, delivery_id: int, envelope_from: str) -> None:
        """Note the envelope sender (VERP) that the copy goes out with, so that its bounce is recognised."""
        self._change(deliveries.c.id == delivery_id, {"envelope_from": envelope_from})

    def sent(self, delivery_id: int, now: datetime, *, code: int | None = None, text: str | None = None) -> None:
        """The relay took it. True whoever holds the lease by now: gone is gone."""
        self._settle(deliveries.c.id == delivery_id, DeliveryState.SENT, now, code, text)

    def deferred(
        self, delivery_id: int, next_try: datetime, *, owner: str, code: int | None = None, text: str | None = None
    ) -> bool:
        """A temporary refusal: try again at `next_try`. False if the lease is no longer the owner's."""
        values = {"state": DeliveryState.DEFERRED, "next_try": next_try, "lease_owner": None}
        return self._change(_in_hand(delivery_id, owner), {**values, "last_code": code, "last_text": text})

    def failed(
        self, delivery_id: int, now: datetime, *, owner: str, code: int | None = None, text: str | None = None
    ) -> bool:
        """Refused for good, or given up. False if the lease is no longer the owner's."""
        return self._settle(_in_hand(delivery_id, owner), DeliveryState.FAILED, now, code, text)

    def untried(self, delivery_id: int, now: datetime, *, owner: str) -> bool:
        """Put a parcel back that was never tried (shutdown, relay gone); the attempt is not counted."""
        values = {
            "state": DeliveryState.READY,
            "next_try": now,
            "lease_owner": None,
            "attempts": deliveries.c.attempts - 1,
        }
        return self._change(_in_hand(delivery_id, owner), values)

    def bounced(self, delivery_id: int, now: datetime, *, code: int | None = None, text: str | None = None) -> bool:
        """It came back after it was sent. False if it was not sent."""
        sent = and_(deliveries.c.id == delivery_id, deliveries.c.state == DeliveryState.SENT)
        return self._settle(sent, DeliveryState.FAILED, now, code, text)

    def hold(self, delivery_id: int) -> bool:
        """Keep a delivery back. False if it has gone, has failed or is in hand."""
        waiting = deliveries.c.state.in_((DeliveryState.READY, DeliveryState.DEFERRED))
        return self._change(and_(deliveries.c.id == delivery_id, waiting), {"state": DeliveryState.HELD})

    def release(self, delivery_id: int, now: datetime) -> bool:
        """Let a held delivery go; its delay (`not_before`) still counts. False if it was not held."""
        held = and_(deliveries.c.id == delivery_id, deliveries.c.state == DeliveryState.HELD)
        return self._change(held, {"state": DeliveryState.READY, "next_try": self._start(delivery_id, now)})

    def retry(self, delivery_id: int, now: datetime) -> bool:
        """Try a failed or deferred delivery again now, with a whole new lifetime. False if it is neither."""
        stuck = deliveries.c.state.in_((DeliveryState.FAILED, DeliveryState.DEFERRED))
        values: dict[str, Any] = {"state": DeliveryState.READY, "next_try": now, "attempts": 0}
        values |= {"first_try": None, "done_at": None}
        return self._change(and_(deliveries.c.id == delivery_id, stuck), values)

    def give_back(self, owner: str, now: datetime) -> int:
        """Free what a dead worker had in hand; it may go a second time, with the same Message-ID."""
        theirs = and_(deliveries.c.state == DeliveryState.LEASED, deliveries.c.lease_owner == owner)
        values = {"state": DeliveryState.READY, "next_try": now, "lease_owner": None}
        return self._connection.execute(update(deliveries).where(theirs), values).rowcount

    def pause(self, reason: str) -> None:
        """Send nothing until `resume` (a restored backup, a relay that refuses our password)."""
        put(self._connection, meta, {"key": PAUSED, "value": reason})

    def resume(self) -> None:
        """Let letters go again."""
        self._connection.execute(delete(meta).where(meta.c.key == PAUSED))

    def _parcels(self, ids: list[int]) -> tuple[Parcel, ...]:
        query = (
            select(*_DELIVERY, *_extra("message_id", "kind", "game", "seat"), letter_bytes.c.mime)
            .join(letters, letters.c.id == deliveries.c.letter_id)
            .join(letter_bytes, letter_bytes.c.letter_id == letters.c.id)
            .where(deliveries.c.id.in_(ids))
            .order_by(deliveries.c.id)
        )
        rows = (dict(row._mapping) for row in self._connection.execute(query))
        return tuple(Parcel(delivery=_take_delivery(row), **row) for row in rows)

    def _start(self, delivery_id: int, now: datetime) -> datetime:
        query = select(letters.c.not_before).join(deliveries, deliveries.c.letter_id == letters.c.id)
        not_before: datetime | None = self._connection.scalar(query.where(deliveries.c.id == delivery_id))
        return max(now, not_before or now)

    def _settle(
        self, which: ColumnElement[bool], state: DeliveryState, now: datetime, code: int | None, text: str | None
    ) -> bool:
        values = {"state": state, "done_at": now, "lease_owner": None, "last_code": code, "last_text": text}
        return self._change(which, values)

    def _change(self, which: ColumnElement[bool], values: dict[str, Any]) -> bool:
        return self._connection.execute(update(deliveries).where(which).values(values)).rowcount == 1


def _in_hand(delivery_id: int, owner: str) -> ColumnElement[bool]:
    return and_(
        deliveries.c.id == delivery_id,
        deliveries.c.state == DeliveryState.LEASED,
        deliveries.c.lease_owner == owner,
    )


def _extra(*names: str) -> list[Any]:
    return [letters.c[name] for name in names]


def _lines() -> Select[Any]:
    of_letter = _extra("kind", "game", "seat", "subject", "message_id", "created_at")
    return select(*_DELIVERY, *of_letter, letters.c.state.label("letter_state")).join(
        letters, letters.c.id == deliveries.c.letter_id
    )


def _line(mapping: Any) -> OutboxLine:
    row = dict(mapping)
    return OutboxLine(delivery=_take_delivery(row), **row)


def _take_delivery(row: dict[str, Any]) -> Delivery:
    """Take the delivery's columns out of a joined row; what stays belongs to its letter."""
    return Delivery(**{column.name: row.pop(column.name) for column in _DELIVERY})

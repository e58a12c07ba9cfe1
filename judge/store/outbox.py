"""The outbox: one delivery per recipient, taken by lease, tried until it is sent or given up.

At least once, one Message-ID: a copy goes twice only if its worker dies, or its lease lapses, between the relay's
acceptance and our commit. The clock of the next attempt lies in the row, so that it survives every restart.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Update, bindparam, case, delete, func, or_, select, update

from judge.store.leases import Leased
from judge.store.letter_rows import Delivery, DeliveryState, LetterState, ParcelRow
from judge.store.outbox_view import DELIVERY, OPEN, PAUSED, OutboxView
from judge.store.sql import any_of, put
from judge.store.tables import deliveries, inbox, letter_bytes, letters, meta
from judge.store.turns import SendingOrder, in_turn
from judge.store.types import UtcMoment

LEASE = timedelta(minutes=10)

# Only what may go has a next try: not what is done, held, or still to be composed. So one short index answers.
_CLAIMABLE = (
    select(deliveries.c.id)
    .where(deliveries.c.next_try <= bindparam("now"))
    .order_by(deliveries.c.next_try, deliveries.c.id)
    .limit(bindparam("up_to"))
    .with_for_update(skip_locked=True)
)
_DUE = (
    select(deliveries.c.id, letters.c.kind, func.coalesce(inbox.c.sender, "").label("cause"))
    .join(letters, letters.c.id == deliveries.c.letter_id)
    .outerjoin(inbox, inbox.c.id == letters.c.mail_id)
    .where(deliveries.c.next_try <= bindparam("now"))
    .order_by(deliveries.c.next_try, deliveries.c.id)
    .limit(bindparam("up_to"))
    .with_for_update(skip_locked=True, of=deliveries)
)
_DUE_FIRST = _DUE.where(letters.c.kind.in_(any_of("kinds")))
FORESIGHT = 1000
"""How far down a long queue letters are put in turn by age; what is to go first is looked for in all of it."""
_CLAIM = (
    update(deliveries)
    .where(deliveries.c.id.in_(any_of("ids")))
    .values(
        state=DeliveryState.LEASED,
        attempts=deliveries.c.attempts + 1,
        next_try=bindparam("until"),
        lease_owner=bindparam("owner"),
        first_try=func.coalesce(deliveries.c.first_try, bindparam("now", type_=UtcMoment())),
    )
)
_PARCELS = (
    select(
        *DELIVERY,
        letters.c.message_id,
        letters.c.kind,
        letters.c.game,
        letters.c.seat,
        letter_bytes.c.mime,
        inbox.c.arrived_at,
    )
    .join(letters, letters.c.id == deliveries.c.letter_id)
    .join(letter_bytes, letter_bytes.c.letter_id == letters.c.id)
    .outerjoin(inbox, inbox.c.id == letters.c.mail_id)
    .where(deliveries.c.id.in_(any_of("ids")))
    .order_by(deliveries.c.id)
)
_THIS = update(deliveries).where(deliveries.c.id == bindparam("delivery_id"))
_IN_HAND = _THIS.where(deliveries.c.state == DeliveryState.LEASED, deliveries.c.lease_owner == bindparam("holder"))
_SENT = _THIS.where(deliveries.c.state == DeliveryState.SENT)
_WAITING = _THIS.where(deliveries.c.state.in_((DeliveryState.READY, DeliveryState.DEFERRED)))
_HELD = _THIS.where(deliveries.c.state == DeliveryState.HELD)
_STUCK = _THIS.where(deliveries.c.state.in_((DeliveryState.FAILED, DeliveryState.DEFERRED)))
_ANEW = (
    update(letters)
    .where(
        letters.c.id.in_(select(deliveries.c.letter_id).where(deliveries.c.id == bindparam("delivery_id"))),
        letters.c.state == LetterState.BROKEN,
    )
    .values(state=LetterState.COMPOSING, attempts=0, next_try=bindparam("now", type_=UtcMoment()), error=None)
)


class Outbox(OutboxView, Leased):
    """The outbox inside a unit of work."""

    table, in_hand_state, freed_state = deliveries, DeliveryState.LEASED, DeliveryState.READY

    def claim(
        self,
        now: datetime,
        *,
        owner: str,
        limit: int = 50,
        lease: timedelta = LEASE,
        to: str | None = None,
        order: SendingOrder | None = None,
    ) -> tuple[ParcelRow, ...]:
        """Take deliveries in hand whose time has come, and count the attempt; commit before you send any.

        A lease that lapsed without word is taken again. Nothing comes while the outbox is paused. With `to` only
        copies to this address are taken. With `order` a queue that is longer than one can take is not gone through by
        age alone: what goes first goes first however long the queue is; of one rank everybody whose mails caused
        letters gets their turn, so that one sender's hundred letters do not go ahead of another's one.
        """
        if self.paused() is not None:
            return ()
        ids = self._due(now, limit, to, order)
        if not ids:
            return ()
        self._connection.execute(_CLAIM, {"ids": ids, "until": now + lease, "owner": owner, "now": now})
        taken = {row.id: _parcel(row) for row in self._connection.execute(_PARCELS, {"ids": ids})}
        return tuple(taken[number] for number in ids)

    def _due(self, now: datetime, limit: int, to: str | None, order: SendingOrder | None) -> list[int]:
        if to is not None or order is None:
            query = _CLAIMABLE if to is None else _CLAIMABLE.where(deliveries.c.address == to)
            return list(self._connection.scalars(query, {"now": now, "up_to": limit}))
        up_to = max(FORESIGHT, limit)
        rows = list(self._connection.execute(_DUE, {"now": now, "up_to": up_to}))
        if len(rows) == up_to and not any(row.kind in order.first for row in rows):
            ahead = {"now": now, "up_to": limit, "kinds": list(order.first)}
            rows = [*self._connection.execute(_DUE_FIRST, ahead), *rows]
        if len(rows) <= limit:
            return [row.id for row in rows]
        return in_turn([(order.rank(row.kind), row.cause, row.id) for row in rows])[:limit]

    def sent(self, delivery_id: int, now: datetime, *, code: int | None = None, text: str | None = None) -> bool:
        """Mark as sent. Lease ownership is ignored: the relay has it. False if there is no such delivery."""
        return self._change(_THIS, delivery_id, _done(DeliveryState.SENT, now, code, text))

    def deferred(
        self, delivery_id: int, next_try: datetime, *, owner: str, code: int | None = None, text: str | None = None
    ) -> bool:
        """A temporary refusal: try again at `next_try`. False if the lease is no longer the owner's."""
        values = {"state": DeliveryState.DEFERRED, "next_try": next_try, "lease_owner": None}
        return self._change(_IN_HAND, delivery_id, {**values, "last_code": code, "last_text": text}, holder=owner)

    def failed(
        self, delivery_id: int, now: datetime, *, owner: str, code: int | None = None, text: str | None = None
    ) -> bool:
        """Refused for good, or given up. False if the lease is no longer the owner's."""
        return self._change(_IN_HAND, delivery_id, _done(DeliveryState.FAILED, now, code, text), holder=owner)

    def untried(self, delivery_id: int, now: datetime, *, owner: str) -> bool:
        """Put a parcel back that was never tried (shutdown, relay gone); the attempt is not counted."""
        values = {
            "state": DeliveryState.READY,
            "next_try": now,
            "lease_owner": None,
            "attempts": deliveries.c.attempts - 1,
            "first_try": case((deliveries.c.attempts > 1, deliveries.c.first_try), else_=None),
        }
        which = {"delivery_id": delivery_id, "holder": owner}
        return self._connection.execute(_IN_HAND.values(values), which).rowcount == 1

    def bounced(self, delivery_id: int, now: datetime, *, code: int | None = None, text: str | None = None) -> bool:
        """Mark a sent copy as returned. False if it was not sent."""
        return self._change(_SENT, delivery_id, _done(DeliveryState.FAILED, now, code, text))

    def hold(self, delivery_id: int) -> bool:
        """Keep a delivery back. False if it has gone, has failed or is in hand."""
        return self._change(_WAITING, delivery_id, {"state": DeliveryState.HELD, "next_try": None})

    def shelve(self, delivery_id: int, *, owner: str, text: str) -> bool:
        """Keep back a copy in hand that its address cannot take at present; the attempt is not counted."""
        values = {
            "state": DeliveryState.HELD,
            "next_try": None,
            "lease_owner": None,
            "attempts": deliveries.c.attempts - 1,
            "first_try": case((deliveries.c.attempts > 1, deliveries.c.first_try), else_=None),
            "last_text": text,
        }
        which = {"delivery_id": delivery_id, "holder": owner}
        return self._connection.execute(_IN_HAND.values(values), which).rowcount == 1

    def unshelve(self, address: str, now: datetime, *, text: str) -> int:
        """Let the copies to an address go that were kept back with this text; returns how many."""
        shelved = select(deliveries.c.id).where(
            deliveries.c.address == address, deliveries.c.state == DeliveryState.HELD, deliveries.c.last_text == text
        )
        return sum(self.release(number, now) for number in list(self._connection.scalars(shelved)))

    def hold_open(self, text: str) -> int:
        """Keep back every copy that has not gone; returns how many. Their last answer is replaced by the text."""
        values = {"state": DeliveryState.HELD, "next_try": None, "lease_owner": None, "last_text": text}
        return self._connection.execute(update(deliveries).where(deliveries.c.state.in_(OPEN)), values).rowcount

    def release(self, delivery_id: int, now: datetime) -> bool:
        """Let a held delivery go; its delay (`not_before`) still counts. False if it was not held."""
        values = {"state": DeliveryState.READY, "next_try": self._start(delivery_id, now)}
        return self._change(_HELD, delivery_id, values)

    def retry(self, delivery_id: int, now: datetime) -> bool:
        """Try a failed or deferred delivery again now, with a whole new lifetime; a broken letter is composed anew.

        False if it is none of these.
        """
        if self._connection.execute(_ANEW, {"delivery_id": delivery_id, "now": now}).rowcount:
            return True  # its copies set out when it is composed
        start = self._start(delivery_id, now)
        values = {"state": DeliveryState.READY, "next_try": start, "attempts": 0, "first_try": None, "done_at": None}
        return self._change(_STUCK, delivery_id, values)

    def release_all(self, now: datetime, *, but: str) -> int:
        """Let every held delivery go, but those that were kept back with this text; returns how many."""
        spared = func.coalesce(deliveries.c.last_text, "") != but
        held = select(deliveries.c.id).where(deliveries.c.state == DeliveryState.HELD, spared).order_by(deliveries.c.id)
        return sum(self.release(number, now) for number in list(self._connection.scalars(held)))

    def retry_all(self, now: datetime, *, domain: str = "") -> int:
        """Try every failed, deferred or uncomposed delivery (of a domain) again now; returns how many."""
        stuck = deliveries.c.state.in_((DeliveryState.FAILED, DeliveryState.DEFERRED))
        broken = deliveries.c.letter_id.in_(select(letters.c.id).where(letters.c.state == LetterState.BROKEN))
        query = select(deliveries.c.id).where(or_(stuck, broken)).order_by(deliveries.c.id)
        if domain:
            query = query.where(func.lower(deliveries.c.address).endswith(f"@{domain.lower()}", autoescape=True))
        return sum(self.retry(number, now) for number in list(self._connection.scalars(query)))

    def pause(self, reason: str) -> None:
        """Send nothing until `resume` (a restored backup, a relay that refuses our password)."""
        put(self._connection, meta, {"key": PAUSED, "value": reason})

    def resume(self) -> None:
        """Let letters go again."""
        self._connection.execute(delete(meta).where(meta.c.key == PAUSED))

    def _start(self, delivery_id: int, now: datetime) -> datetime | None:
        """When a copy may go, None as long as its letter may not."""
        query = select(letters.c.state, letters.c.not_before).join(deliveries, deliveries.c.letter_id == letters.c.id)
        row = self._connection.execute(query.where(deliveries.c.id == delivery_id)).first()
        if row is None or row.state is not LetterState.READY:
            return None
        return max(now, row.not_before or now)

    def _change(self, query: Update, delivery_id: int, values: dict[str, Any], **which: str) -> bool:
        given = {**values, **which, "delivery_id": delivery_id}
        return self._connection.execute(query, given).rowcount == 1


def _done(state: DeliveryState, now: datetime, code: int | None, text: str | None) -> dict[str, Any]:
    done = {"state": state, "done_at": now, "next_try": None, "lease_owner": None}
    return {**done, "last_code": code, "last_text": text}


def _parcel(row: Row[*tuple[Any, ...]]) -> ParcelRow:
    width = len(DELIVERY)
    return ParcelRow(Delivery(*row[:width]), *row[width:])

"""The outbox: one delivery per recipient, taken by lease, tried until it is sent or given up.

At least once, one Message-ID: a copy goes twice only if its worker dies, or its lease lapses, between the relay's
acceptance and our commit. The clock of the next attempt lies in the row, so that it survives every restart: 1, 5, 15,
60, 60 ... minutes, until the copy is given up after five days.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Integer, Row, Update, bindparam, case, delete, exists, func, or_, select, update

from judge.store.errors import NoSuchRow
from judge.store.rows import Delivery, DeliveryState, LetterState, OutboxLine, ParcelRow
from judge.store.sql import SAFE, UP_TO, Leased, any_of, build, build_all, put, shape
from judge.store.tables import UtcMoment, deliveries, inbox, letter_bytes, letters, meta

ANSWERS, MOST, BULK = range(3)
"""Ranks of letters. What answers a mail is composed and sent ahead of all that waits; then come calls for orders,
results and most others; press and what goes to many is last.
"""


class SendingOrder(NamedTuple):
    """In which order letters are composed and sent. `calls`: kinds that are no answer though a mail may have caused
    them (results, when the last orders come in); `bulk`: kinds that can wait.
    """

    calls: frozenset[str] = frozenset()
    bulk: frozenset[str] = frozenset()

    def kinds(self) -> dict[str, list[str]]:
        """The values of `RANK`."""
        return {"calls": list(self.calls), "bulk": list(self.bulk)}


BY_CAUSE = SendingOrder()
"""What answers a mail, then the rest."""

RANK = case(
    (letters.c.kind.in_(any_of("bulk")), BULK),
    (letters.c.kind.in_(any_of("calls")), MOST),
    (letters.c.mail_id.is_not(None), ANSWERS),
    else_=MOST,
)
"""The rank of a letter, by the kinds of a `SendingOrder`."""


def in_turn(waiting: Sequence[tuple[int, str, int]]) -> Sequence[int]:
    """The numbers of (rank, cause, number): by rank; within one, the first of each cause, then the second of each, and
    so on. What has no cause ("") takes its place by age.

    >>> in_turn([(2, "anna", 1), (2, "anna", 2), (2, "bert", 3), (1, "", 4)])
    [4, 1, 3, 2]
    """
    seen: dict[tuple[int, str], int] = {}
    places = []
    for age, (rank, cause, number) in enumerate(waiting):
        turn = seen[rank, cause] = seen.get((rank, cause), -1) + 1
        places.append((rank, turn if cause else 0, age, number))
    return [number for *_, number in sorted(places)]


STEPS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(minutes=60))
GIVE_UP = timedelta(days=5)
SPREAD = 0.1


def delay(attempts: int) -> timedelta:
    """The pause after the given number of failed attempts, without jitter.

    >>> [str(delay(n)) for n in (1, 2, 3, 4, 5)]
    ['0:01:00', '0:05:00', '0:15:00', '1:00:00', '1:00:00']
    """
    if attempts < 1:
        raise ValueError(f"a delivery is put off after at least one attempt, not after {attempts}")
    return STEPS[min(attempts, len(STEPS)) - 1]


def next_try(
    attempts: int,
    *,
    now: datetime,
    first_try: datetime,
    jitter: Callable[[], float],
    give_up: timedelta = GIVE_UP,
) -> datetime | None:
    """The moment of the next attempt, None if the letter is to be given up.

    `jitter` answers numbers from 0 to 1, which lengthen the pause by up to a tenth, so that letters which failed
    together do not come back together. The last attempt falls exactly at the end of the lifetime.
    """
    end = first_try + give_up
    if now >= end:
        return None
    pause = delay(attempts)
    return min(now + pause + SPREAD * jitter() * pause, end)


PAUSED = "outbox.paused"
"""Where the database notes why nothing is sent."""
_PAUSED_UNTIL = "outbox.paused.until"

DELIVERY = shape(Delivery, deliveries)
"""The columns of a copy, in the order of its fields."""

OPEN = (DeliveryState.READY, DeliveryState.DEFERRED, DeliveryState.LEASED)
"""States of a copy that may still go."""

_GET = select(*DELIVERY).where(deliveries.c.id == bindparam("delivery_id"))

_OF_LETTER = select(*DELIVERY).where(deliveries.c.letter_id == bindparam("letter_id")).order_by(deliveries.c.id)

_WHY_PAUSED = select(meta.c.value).where(meta.c.key == PAUSED)
_RESUME = delete(meta).where(meta.c.key.in_((PAUSED, _PAUSED_UNTIL))).execution_options(**{SAFE: True})
_PAUSE_ENDS = select(meta.c.value).where(meta.c.key == _PAUSED_UNTIL)

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


def _line(row: Row[*tuple[Any, ...]]) -> OutboxLine:
    width = len(DELIVERY)
    return OutboxLine(Delivery(*row[:width]), *row[width:])


LEASE = timedelta(minutes=10)

# Only what may go has a next try: not what is done, held, or still to be composed. So one short index answers.
_CLAIMABLE = (
    select(deliveries.c.id)
    .where(deliveries.c.next_try <= bindparam("now"))
    .order_by(deliveries.c.next_try, deliveries.c.id)
    .limit(UP_TO)
    .with_for_update(skip_locked=True)
)
_DUE = (
    select(deliveries.c.id, RANK.label("rank"), func.coalesce(inbox.c.sender, "").label("cause"))
    .join(letters, letters.c.id == deliveries.c.letter_id)
    .outerjoin(inbox, inbox.c.id == letters.c.mail_id)
    .where(deliveries.c.next_try <= bindparam("now"))
    .order_by(deliveries.c.next_try, deliveries.c.id)
    .limit(UP_TO)
    .with_for_update(skip_locked=True, of=deliveries)
)
_DUE_OF_RANK = _DUE.where(bindparam("of_rank", type_=Integer()) == RANK)
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


class Outbox(Leased):
    """Copies of letters on their way."""

    table, in_hand_state, freed_state = deliveries, DeliveryState.LEASED, DeliveryState.READY

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

    def _due(self, now: datetime, limit: int, to: str | None, order: SendingOrder | None) -> Sequence[int]:
        if to is not None or order is None:
            query = _CLAIMABLE if to is None else _CLAIMABLE.where(deliveries.c.address == to)
            return list(self._connection.scalars(query, {"now": now, "up_to": limit}))
        up_to, kinds = max(FORESIGHT, limit), order.kinds()
        rows = list(self._connection.execute(_DUE, {"now": now, "up_to": up_to, **kinds}))
        if len(rows) == up_to:
            for rank in {ANSWERS, MOST} - {row.rank for row in rows}:
                ahead = {"now": now, "up_to": limit, "of_rank": rank, **kinds}
                rows += self._connection.execute(_DUE_OF_RANK, ahead)
        if len(rows) <= limit:
            return [row.id for row in rows]
        return in_turn([(row.rank, row.cause, row.id) for row in rows])[:limit]

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

    def pause(self, reason: str, *, until: datetime | None = None) -> None:
        """Send nothing until `resume` (a restored backup, a relay that refuses our password), or until a moment."""
        self.resume()
        put(self._connection, meta, {"key": PAUSED, "value": reason}, safe=True)
        if until is not None:
            put(self._connection, meta, {"key": _PAUSED_UNTIL, "value": until.isoformat()}, safe=True)

    def resume(self) -> None:
        """Let letters go again."""
        self._connection.execute(_RESUME)

    def resume_in_time(self, now: datetime) -> None:
        """Let letters go again where they were to be held until a moment that has come."""
        until: str | None = self._connection.scalar(_PAUSE_ENDS)
        if until is not None and datetime.fromisoformat(until) <= now:
            self.resume()

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

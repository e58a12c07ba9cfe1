"""Letters: what a transaction decided to say, first as frozen facts, later as the bytes that are sent.

A letter is written with the events that cause it; it is composed after the commit, once, outside any transaction.
What cannot be composed is set aside as broken and never rolls anything back.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, bindparam, case, exists, func, insert, or_, select, update

from judge.store.errors import NoSuchRow
from judge.store.outbox import BY_CAUSE, RANK, SendingOrder
from judge.store.rows import DeliveryState, LetterRow, LetterState, NewLetter
from judge.store.sql import (
    UP_TO,
    Late,
    Leased,
    Values,
    any_of,
    build,
    build_all,
    facts,
    later,
    put_all,
    put_new,
    put_once,
    shape,
)
from judge.store.tables import UtcMoment, deliveries, letter_bytes, letters, persons, storable_name

COMPOSE_LEASE = timedelta(minutes=5)
MAX_COMPOSE_ATTEMPTS = 3

_LETTER = shape(LetterRow, letters)

_GET = select(*_LETTER).where(letters.c.id == bindparam("letter_id"))
_BY_KEY = select(*_LETTER).where(letters.c.idem_key == bindparam("idem_key"))
_BY_MESSAGE_ID = select(*_LETTER).where(letters.c.message_id == bindparam("message_id"))
_MIME = select(letter_bytes.c.mime).where(letter_bytes.c.letter_id == bindparam("letter_id"))
_DELIVER = insert(deliveries)
_UNCOMPOSED_NOW = and_(letters.c.state == LetterState.COMPOSING, letters.c.next_try <= bindparam("now"))
_IN_TURN = select(*_LETTER).where(_UNCOMPOSED_NOW).order_by(RANK, letters.c.id).limit(UP_TO)
_CLAIMABLE = (
    select(letters.c.id)
    .where(_UNCOMPOSED_NOW, letters.c.id.in_(any_of("ids")))
    .order_by(letters.c.id)
    .with_for_update(skip_locked=True)
)
_NEXT_TRY = select(func.min(letters.c.next_try)).where(letters.c.state == LetterState.COMPOSING)
_CLAIM = (
    update(letters)
    .where(letters.c.id.in_(any_of("ids")))
    .values(attempts=letters.c.attempts + 1, next_try=bindparam("until"), lease_owner=bindparam("owner"))
    .returning(*_LETTER)
)
_PUT_BACK = (
    update(letters)
    .where(
        letters.c.id.in_(any_of("ids")),
        letters.c.state == LetterState.COMPOSING,
        letters.c.lease_owner == bindparam("holder"),
    )
    .values(attempts=letters.c.attempts - 1, next_try=bindparam("at"), lease_owner=None)
)
_PUT_OFF = (
    update(letters)
    .where(letters.c.id.in_(any_of("ids")), _UNCOMPOSED_NOW)
    .values(next_try=bindparam("until", type_=UtcMoment()), lease_owner=None)
)
_WAITING = update(letters).where(
    letters.c.state == LetterState.COMPOSING,
    letters.c.lease_owner.is_(None),
    letters.c.next_try > bindparam("now", type_=UtcMoment()),
)
_WAKE_ALL = _WAITING.values(next_try=bindparam("now", type_=UtcMoment()))
_WAKE = _WAKE_ALL.where(letters.c.id.in_(any_of("ids")))
_STILL_UNCOMPOSED = (
    select(letters.c.id)
    .where(letters.c.id.in_(any_of("ids")), letters.c.state == LetterState.COMPOSING)
    .order_by(letters.c.id)
    .with_for_update()
)
_ADDRESSEES = (
    select(deliveries.c.letter_id, deliveries.c.address, persons.c.name)
    .join(letters, letters.c.id == deliveries.c.letter_id)
    .outerjoin(persons, persons.c.id == letters.c.person_id)
    .where(deliveries.c.letter_id.in_(any_of("ids")))
    .order_by(deliveries.c.id.desc())
)
_UNCOMPOSED = update(letters).where(letters.c.id == bindparam("letter_id"), letters.c.state == LetterState.COMPOSING)

_SETS_OUT_AT = (
    select(func.coalesce(letters.c.not_before, letters.c.created_at))
    .where(letters.c.id == deliveries.c.letter_id)
    .scalar_subquery()
)
# The state is no condition of the search: SQLite would look through everything in that state for one letter's copies.
_SET_OUT = (
    update(deliveries)
    .where(deliveries.c.letter_id == bindparam("of_letter"))
    .values(next_try=case((deliveries.c.state == DeliveryState.READY, _SETS_OUT_AT), else_=deliveries.c.next_try))
)


def _write(connection: Connection, rows: Sequence[Values]) -> None:
    """Letters and their deliveries; of two with the same key, the first one counts."""
    first: dict[str, Values] = {}
    for row in rows:
        first.setdefault(row["idem_key"], row)
    recipients = {key: row.pop("recipients") for key, row in first.items()}
    fresh = put_once(connection, letters, "idem_key", list(first.values()))
    copies = [_copy(fresh[key], each) for key, some in recipients.items() if key in fresh for each in some]
    if copies:
        connection.execute(_DELIVER, copies)


_LETTERS = Late(frozenset((letters, deliveries)), _write)


class Letters(Leased):
    """Letters, as facts and as bytes."""

    table, in_hand_state, freed_state = letters, LetterState.COMPOSING, LetterState.COMPOSING

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, letter_id: int) -> LetterRow:
        """The letter with this number. Raises NoSuchRow."""
        letter = build(LetterRow, self._connection.execute(_GET, {"letter_id": letter_id}).first())
        if letter is None:
            raise NoSuchRow("letter", letter_id)
        return letter

    def by_key(self, idem_key: str) -> LetterRow | None:
        """The letter that says this, None if it was never written."""
        return build(LetterRow, self._connection.execute(_BY_KEY, {"idem_key": idem_key}).first())

    def by_message_id(self, message_id: str) -> LetterRow | None:
        """The letter with this Message-ID: what an incoming In-Reply-To names."""
        return build(LetterRow, self._connection.execute(_BY_MESSAGE_ID, {"message_id": message_id}).first())

    def addressees(self, letter_ids: Collection[int]) -> dict[int, tuple[str, str]]:
        """Letter -> its first address, and the name of the person it is for, "" where there is none."""
        rows = self._connection.execute(_ADDRESSEES, {"ids": list(letter_ids)})
        return {number: (address, name or "") for number, address, name in rows}

    def next_try(self) -> datetime | None:
        """The next moment at which a letter may be composed, None if none waits for it."""
        found: datetime | None = self._connection.scalar(_NEXT_TRY)
        return found

    def counts(self) -> dict[LetterState, int]:
        """How many letters stand in each state; states without letters are left out."""
        return dict(self._connection.execute(select(letters.c.state, func.count()).group_by(letters.c.state)).all())

    def mime(self, letter_id: int) -> bytes | None:
        """The composed bytes, None while there are none."""
        found: bytes | None = self._connection.scalar(_MIME, {"letter_id": letter_id})
        return found

    def list(
        self,
        *,
        states: Collection[LetterState] = (),
        game: str | None = None,
        kind: str | None = None,
        mail_id: int | None = None,
        person_id: int | None = None,
        after_id: int = 0,
        limit: int = 100,
    ) -> tuple[LetterRow, ...]:
        """Letters by number, oldest first; what is left out does not narrow the list."""
        query = select(*_LETTER).where(letters.c.id > after_id).order_by(letters.c.id).limit(limit)
        if states:
            query = query.where(letters.c.state.in_(states))
        which = {letters.c.game: game, letters.c.kind: kind, letters.c.mail_id: mail_id, letters.c.person_id: person_id}
        for column, wanted in which.items():
            if wanted is not None:
                query = query.where(column == wanted)
        return build_all(LetterRow, self._connection.execute(query))

    def last(self, *, kind: str, person_id: int) -> LetterRow | None:
        """The newest letter of a kind to a person."""
        query = select(*_LETTER).where(letters.c.kind == kind, letters.c.person_id == person_id)
        return build(LetterRow, self._connection.execute(query.order_by(letters.c.id.desc()).limit(1)).first())

    def add(self, letter: NewLetter) -> None:
        """Write a letter and one delivery per recipient, at the latest with the commit.

        A letter whose key is known already is the same letter: nothing is written.
        """
        self.add_all((letter,))

    def add_all(self, letters: Iterable[NewLetter]) -> None:
        """As `add`, for each of them in this order."""
        for letter in letters:
            later(self._connection, _LETTERS, _values(letter))

    def add_recipient(self, letter_id: int, address: str, now: datetime) -> bool:
        """Send the same letter to one address more (an alternative after a bounce). False if it has it already."""
        start = now if self.get(letter_id).state is LetterState.READY else None
        return put_new(self._connection, deliveries, {**_copy(letter_id, address), "next_try": start})

    def in_turn(self, now: datetime, *, limit: int = 20, order: SendingOrder = BY_CAUSE) -> tuple[LetterRow, ...]:
        """Letters without bytes that nobody has in hand. Answers come first however many others wait, then the rest by
        `order`, of one rank the oldest.
        """
        return build_all(LetterRow, self._connection.execute(_IN_TURN, {"now": now, "up_to": limit, **order.kinds()}))

    def claim(
        self, letter_ids: Collection[int], now: datetime, *, owner: str, lease: timedelta = COMPOSE_LEASE
    ) -> tuple[LetterRow, ...]:
        """Take those of these letters in hand that wait to be composed still, the oldest first, and count the attempt;
        commit before composing.
        """
        ids = list(self._connection.scalars(_CLAIMABLE, {"now": now, "ids": list(letter_ids)}))
        if not ids:
            return ()
        taken = self._connection.execute(_CLAIM, {"ids": ids, "until": now + lease, "owner": owner})
        return tuple(sorted(build_all(LetterRow, taken), key=lambda letter: letter.id))

    def composed(self, letter_id: int, mime: bytes, *, subject: str | None = None) -> bool:
        """Store the final bytes; from now on they never change. False if the letter no longer waits for them."""
        return self.composed_all([(letter_id, mime, subject)]) == 1

    def composed_all(self, done: Sequence[tuple[int, bytes, str | None]]) -> int:
        """Store number, final bytes and subject of several letters; returns how many of them still waited for them."""
        waiting = set(self._connection.scalars(_STILL_UNCOMPOSED, {"ids": [number for number, _, _ in done]}))
        rows = [(number, mime, subject) for number, mime, subject in done if number in waiting]
        if not rows:
            return 0
        ready = {"state": LetterState.READY, "lease_owner": None, "error": None}
        put_all(self._connection, letter_bytes, [{"letter_id": number, "mime": mime} for number, mime, _ in rows])
        self._connection.execute(
            _UNCOMPOSED, [{**ready, "letter_id": number, "subject": subject} for number, _, subject in rows]
        )
        self._connection.execute(_SET_OUT, [{"of_letter": number} for number, _, _ in rows])
        return len(rows)

    def broken(self, letter_id: int, error: str) -> bool:
        """Set aside a letter that cannot be composed, with the reason. False if it no longer waits for its bytes."""
        values = {"state": LetterState.BROKEN, "error": error, "lease_owner": None}
        return self._connection.execute(_UNCOMPOSED, {**values, "letter_id": letter_id}).rowcount == 1

    def break_exhausted(self, now: datetime, *, limit: int = MAX_COMPOSE_ATTEMPTS) -> tuple[int, ...]:
        """Set aside the letters whose composing process died at every attempt; returns their numbers."""
        spent = and_(letters.c.state == LetterState.COMPOSING, letters.c.attempts >= limit, letters.c.next_try <= now)
        ids = tuple(self._connection.scalars(select(letters.c.id).where(spent)))
        for letter_id in ids:
            self.broken(letter_id, "the process ended each time while it composed this letter")
        return ids

    def withdraw(self, letter_id: int) -> bool:
        """Recall a letter. False if a copy has gone, or may be going, or the letter is withdrawn already."""
        gone = exists().where(
            deliveries.c.letter_id == letters.c.id,
            or_(
                deliveries.c.state.in_((DeliveryState.LEASED, DeliveryState.SENT)),
                deliveries.c.attempts > 0,
            ),
        )
        query = update(letters).where(letters.c.id == letter_id, letters.c.state != LetterState.WITHDRAWN, ~gone)
        if not self._connection.execute(query, {"state": LetterState.WITHDRAWN}).rowcount:
            return False
        copies = update(deliveries).where(deliveries.c.letter_id == letter_id)
        self._connection.execute(copies, {"state": DeliveryState.HELD, "next_try": None})
        return True

    def put_back(self, letter_ids: Collection[int], *, owner: str, now: datetime) -> None:
        """Return claimed letters whose bytes could not be stored, to be composed from this moment on; their attempt is
        not counted.
        """
        self._connection.execute(_PUT_BACK, {"ids": list(letter_ids), "holder": owner, "at": now})

    def put_off(self, letter_ids: Collection[int], now: datetime, until: datetime) -> None:
        """Letters that wait for their pictures: those that nobody has in hand are composed from a later moment on, or
        when they are woken.
        """
        self._connection.execute(_PUT_OFF, {"ids": list(letter_ids), "now": now, "until": until})

    def wake(self, letter_ids: Collection[int], now: datetime) -> None:
        """What letters were put off for has come: they can be composed now."""
        if letter_ids:
            self._connection.execute(_WAKE, {"ids": list(letter_ids), "now": now})

    def wake_all(self, now: datetime) -> None:
        """Nobody knows any more what letters were put back for: they are looked at now."""
        self._connection.execute(_WAKE_ALL, {"now": now})


def _copy(letter_id: int, address: str) -> dict[str, Any]:
    return {"letter_id": letter_id, "address": address, "state": DeliveryState.READY}


def _values(letter: NewLetter) -> dict[str, Any]:
    values = {
        "idem_key": storable_name(letter.idem_key),
        "recipients": tuple(dict.fromkeys(map(storable_name, letter.recipients))),
        "state": LetterState.COMPOSING,
        "next_try": letter.created_at,
    }
    return facts(letter) | values

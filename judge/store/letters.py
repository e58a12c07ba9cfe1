"""Letters: what a transaction decided to say, first as frozen facts, later as the bytes that are sent.

A letter is written with the events that cause it; it is composed after the commit, once, outside any transaction.
What cannot be composed is set aside as broken and never rolls anything back.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, exists, insert, or_, select, update

from judge.store.errors import NoSuchRow
from judge.store.rows import DeliveryState, Letter, LetterState, NewLetter
from judge.store.sql import build, build_all, put, put_new, shape
from judge.store.tables import deliveries, letter_bytes, letters

COMPOSE_LEASE = timedelta(minutes=5)
MAX_COMPOSE_ATTEMPTS = 3

_LETTER = shape(Letter, letters)


class LettersView:
    """The letters for those who only look."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, letter_id: int) -> Letter:
        """The letter with this number. Raises NoSuchRow."""
        query = select(*_LETTER).where(letters.c.id == letter_id)
        letter = build(Letter, self._connection.execute(query).first())
        if letter is None:
            raise NoSuchRow("letter", letter_id)
        return letter

    def by_key(self, idem_key: str) -> Letter | None:
        """The letter that says this, None if it was never written."""
        query = select(*_LETTER).where(letters.c.idem_key == idem_key)
        return build(Letter, self._connection.execute(query).first())

    def by_message_id(self, message_id: str) -> Letter | None:
        """The letter with this Message-ID: what an incoming In-Reply-To names."""
        query = select(*_LETTER).where(letters.c.message_id == message_id)
        return build(Letter, self._connection.execute(query).first())

    def mime(self, letter_id: int) -> bytes | None:
        """The composed bytes, None while there are none."""
        query = select(letter_bytes.c.mime).where(letter_bytes.c.letter_id == letter_id)
        found: bytes | None = self._connection.scalar(query)
        return found

    def list(
        self,
        *,
        states: Collection[LetterState] = (),
        game: str | None = None,
        kind: str | None = None,
        mail_id: int | None = None,
        after_id: int = 0,
        limit: int = 100,
    ) -> tuple[Letter, ...]:
        """Letters by number, oldest first; what is left out does not narrow the list."""
        query = select(*_LETTER).where(letters.c.id > after_id).order_by(letters.c.id).limit(limit)
        if states:
            query = query.where(letters.c.state.in_(states))
        for column, wanted in ((letters.c.game, game), (letters.c.kind, kind), (letters.c.mail_id, mail_id)):
            if wanted is not None:
                query = query.where(column == wanted)
        return build_all(Letter, self._connection.execute(query).all())


class Letters(LettersView):
    """The letters inside a unit of work."""

    def add(self, letter: NewLetter) -> int:
        """Write a letter and one delivery per recipient; returns its number.

        A letter whose key is known already is the same letter: nothing is written, the earlier number comes back.
        """
        known = self.by_key(letter.idem_key)
        if known is not None:
            return known.id
        start = max(letter.created_at, letter.not_before or letter.created_at)
        key = self._connection.execute(insert(letters), _values(letter)).inserted_primary_key
        assert key is not None
        letter_id: int = key[0]
        for address in letter.recipients:
            self._add_delivery(letter_id, address, start)
        return letter_id

    def add_recipient(self, letter_id: int, address: str, now: datetime) -> bool:
        """Send the same letter to one address more (an alternative after a bounce). False if it has it already."""
        return self._add_delivery(letter_id, address, now)

    def claim_uncomposed(
        self, now: datetime, *, owner: str, limit: int = 20, lease: timedelta = COMPOSE_LEASE
    ) -> tuple[Letter, ...]:
        """Take letters without bytes in hand, oldest first, and count the attempt; commit before composing."""
        waiting = and_(letters.c.state == LetterState.COMPOSING, letters.c.next_try <= now)
        query = select(letters.c.id).where(waiting).order_by(letters.c.id).limit(limit)
        ids = list(self._connection.scalars(query.with_for_update(skip_locked=True)))
        if not ids:
            return ()
        taken = update(letters).where(letters.c.id.in_(ids))
        self._connection.execute(taken.values(attempts=letters.c.attempts + 1, next_try=now + lease, lease_owner=owner))
        query_taken = select(*_LETTER).where(letters.c.id.in_(ids)).order_by(letters.c.id)
        return build_all(Letter, self._connection.execute(query_taken).all())

    def composed(self, letter_id: int, mime: bytes, *, subject: str | None = None) -> bool:
        """Store the final bytes; from now on they never change. False if the letter no longer waits for them."""
        waiting = and_(letters.c.id == letter_id, letters.c.state == LetterState.COMPOSING)
        values = {"state": LetterState.READY, "subject": subject, "lease_owner": None, "error": None}
        if not self._connection.execute(update(letters).where(waiting), values).rowcount:
            return False
        put(self._connection, letter_bytes, {"letter_id": letter_id, "mime": mime})
        return True

    def broken(self, letter_id: int, error: str) -> bool:
        """It could not be composed: set it aside with the reason. False if it no longer waits for its bytes."""
        waiting = and_(letters.c.id == letter_id, letters.c.state == LetterState.COMPOSING)
        values = {"state": LetterState.BROKEN, "error": error, "lease_owner": None}
        return self._connection.execute(update(letters).where(waiting), values).rowcount == 1

    def break_exhausted(self, now: datetime, *, limit: int = MAX_COMPOSE_ATTEMPTS) -> tuple[int, ...]:
        """Set aside the letters that died with their composer each time; returns their numbers."""
        spent = and_(letters.c.state == LetterState.COMPOSING, letters.c.attempts >= limit, letters.c.next_try <= now)
        ids = tuple(self._connection.scalars(select(letters.c.id).where(spent)))
        for letter_id in ids:
            self.broken(letter_id, "the process ended each time while it composed this letter")
        return ids

    def recompose(self, letter_id: int, now: datetime) -> bool:
        """Try a broken letter again, its template mended. False if it is not broken."""
        mended = and_(letters.c.id == letter_id, letters.c.state == LetterState.BROKEN)
        values = {"state": LetterState.COMPOSING, "attempts": 0, "next_try": now, "error": None}
        return self._connection.execute(update(letters).where(mended), values).rowcount == 1

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
        return self._connection.execute(query, {"state": LetterState.WITHDRAWN}).rowcount == 1

    def give_back(self, owner: str, now: datetime) -> int:
        """Free the letters that a dead composer had in hand; returns how many."""
        theirs = and_(letters.c.state == LetterState.COMPOSING, letters.c.lease_owner == owner)
        query = update(letters).where(theirs)
        return self._connection.execute(query, {"next_try": now, "lease_owner": None}).rowcount

    def _add_delivery(self, letter_id: int, address: str, start: datetime) -> bool:
        values = {
            "letter_id": letter_id,
            "address": address,
            "state": DeliveryState.READY,
            "next_try": start,
        }
        return put_new(self._connection, deliveries, values)


def _values(letter: NewLetter) -> dict[str, Any]:
    return {
        "idem_key": letter.idem_key,
        "message_id": letter.message_id,
        "kind": letter.kind,
        "view": letter.view,
        "created_at": letter.created_at,
        "game": letter.game,
        "seat": letter.seat,
        "person_id": letter.person_id,
        "mail_id": letter.mail_id,
        "not_before": letter.not_before,
        "state": LetterState.COMPOSING,
        "next_try": letter.created_at,
    }

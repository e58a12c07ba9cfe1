"""The inbox: every mail that we acknowledged, its bytes, and what became of it.

A mail is committed here before the wire is told that we have it. Its attempts are counted and committed before
anything reads it, so that a mail which kills the process is found out.
"""

import hashlib
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, or_, select, update

from judge.store.errors import NoSuchRow
from judge.store.rows import Duplicate, Mail, MailState, NewMail, Stored
from judge.store.sql import build, build_all, shape
from judge.store.tables import inbox, mail_bytes

MAX_ATTEMPTS = 3
LEASE = timedelta(minutes=5)

# A new mail may be taken whatever the clock says: a step of the clock must not hide it.
_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)

_MAIL = shape(Mail, inbox)
_UNSETTLED = (MailState.NEW, MailState.HELD, MailState.QUARANTINED)
_FINISHED = (MailState.PROCESSED, MailState.IGNORED, MailState.DUPLICATE, MailState.DROPPED)


class InboxView:
    """The inbox for those who only look."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, mail_id: int) -> Mail:
        """The mail with this number. Raises NoSuchRow."""
        return self._one(inbox.c.id == mail_id, mail_id)

    def raw(self, mail_id: int) -> bytes | None:
        """The bytes as they came, None once they were purged."""
        found: bytes | None = self._connection.scalar(select(mail_bytes.c.raw).where(mail_bytes.c.mail_id == mail_id))
        return found

    def list(
        self,
        *,
        states: Collection[MailState] = (),
        game: str | None = None,
        after_id: int = 0,
        limit: int = 100,
    ) -> tuple[Mail, ...]:
        """Mails by number, oldest first; no states means all of them."""
        query = select(*_MAIL).where(inbox.c.id > after_id).order_by(inbox.c.id).limit(limit)
        if states:
            query = query.where(inbox.c.state.in_(states))
        if game is not None:
            query = query.where(inbox.c.game == game)
        return build_all(Mail, self._connection.execute(query).all())

    def counts(self) -> dict[MailState, int]:
        """How many mails stand in each state; states without mails are left out."""
        query = select(inbox.c.state, func.count()).group_by(inbox.c.state)
        return dict(self._connection.execute(query).tuples().all())

    def held_under(self, confirm_key: str) -> Mail | None:
        """The mail that waits for this confirmation token, if it still waits."""
        query = select(*_MAIL).where(inbox.c.confirm_key == confirm_key, inbox.c.state == MailState.HELD)
        return build(Mail, self._connection.execute(query).first())

    def unsettled(self, before: datetime, *, game: str | None = None) -> tuple[Mail, ...]:
        """What the deadline barrier asks: mails that arrived before `before` and still wait for a verdict.

        These are unprocessed, held and quarantined ones, except those that the GM waived. With `game`: mails that
        were attributed to it, and new ones that nobody has attributed yet.
        """
        query = (
            select(*_MAIL)
            .where(inbox.c.state.in_(_UNSETTLED), inbox.c.arrived_at < before, inbox.c.waived.is_(False))
            .order_by(inbox.c.id)
        )
        if game is not None:
            unread = and_(inbox.c.state == MailState.NEW, inbox.c.game.is_(None))
            query = query.where(or_(inbox.c.game == game, unread))
        return build_all(Mail, self._connection.execute(query).all())

    def _one(self, condition: ColumnElement[bool], key: object) -> Mail:
        mail = build(Mail, self._connection.execute(select(*_MAIL).where(condition)).first())
        if mail is None:
            raise NoSuchRow("mail", key)
        return mail


class Inbox(InboxView):
    """The inbox inside a unit of work."""

    def put(self, mail: NewMail) -> Stored | Duplicate:
        """Store a mail, or recognise it.

        The same transport key is the same receipt: nothing is stored. The same content by another route is logged
        as a duplicate, with its bytes. The same Message-ID with another content is a new mail that says which
        earlier one it repeats. The first two come back as Duplicate, everything else as Stored.
        """
        known = self._known(mail)
        if known is not None and known.transport_key == mail.transport_key:
            return Duplicate(known.first_id or known.id)
        if known is not None:
            return Duplicate(known.id, self._insert(mail, first_id=known.id))
        repeats = self._bearer_of(mail.message_id)
        return Stored(self._insert(mail, repeats_id=repeats), repeats)

    def claim(self, now: datetime, *, owner: str, limit: int = 1, lease: timedelta = LEASE) -> tuple[Mail, ...]:
        """Take the oldest new mails in hand and count the attempt; commit before you read any of them.

        A mail that was tried before comes alone: if it is the one that kills us, no other is counted with it.
        """
        ready = and_(inbox.c.state == MailState.NEW, inbox.c.next_try <= now)
        query = select(inbox.c.id, inbox.c.attempts).where(ready).order_by(inbox.c.id).limit(limit)
        rows = self._connection.execute(query.with_for_update(skip_locked=True)).all()
        if not rows:
            return ()
        tried = rows[0].attempts > 0
        ids = [rows[0].id] if tried else [row.id for row in rows if row.attempts == 0]
        self._connection.execute(
            update(inbox)
            .where(inbox.c.id.in_(ids))
            .values(attempts=inbox.c.attempts + 1, next_try=now + lease, lease_owner=owner)
        )
        query_taken = select(*_MAIL).where(inbox.c.id.in_(ids)).order_by(inbox.c.id)
        return build_all(Mail, self._connection.execute(query_taken).all())

    def claim_next(self, now: datetime, *, owner: str, lease: timedelta = LEASE) -> Mail | None:
        """Take the oldest new mail in hand, None if there is none."""
        return next(iter(self.claim(now, owner=owner, lease=lease)), None)

    def give_back(self, owner: str, now: datetime) -> int:
        """Free what `owner` had in hand (its process died); the attempts stay counted. Returns how many."""
        held_by = and_(inbox.c.state == MailState.NEW, inbox.c.lease_owner == owner)
        return self._connection.execute(update(inbox).where(held_by).values(next_try=now, lease_owner=None)).rowcount

    def attribute(
        self, mail_id: int, *, game: str | None = None, seat: str | None = None, sender: str | None = None
    ) -> None:
        """Note whose mail this seems to be, as soon as it is known; what is left out stays as it was."""
        known = {"game": game, "seat": seat, "sender": sender}
        self._change(mail_id, {name: value for name, value in known.items() if value is not None})

    def finish(
        self,
        mail_id: int,
        state: MailState,
        now: datetime,
        *,
        verdict: str | None = None,
        reason: str | None = None,
    ) -> None:
        """Settle a mail: PROCESSED or IGNORED, with the verdict as JSON. Raises ValueError for other states."""
        if state not in (MailState.PROCESSED, MailState.IGNORED):
            raise ValueError(f"a mail is finished as processed or ignored, not as {state}")
        self._change(
            mail_id,
            {"state": state, "verdict": verdict, "reason": reason, "finished_at": now, "lease_owner": None},
        )

    def hold(self, mail_id: int, confirm_key: str, *, reason: str, verdict: str | None = None) -> None:
        """Keep a mail until the confirmation that carries `confirm_key` comes."""
        changes = {"state": MailState.HELD, "confirm_key": confirm_key, "reason": reason, "verdict": verdict}
        self._change(mail_id, {**changes, "lease_owner": None})

    def confirm(self, mail_id: int, now: datetime) -> bool:
        """The confirmation came: the mail is new again, counts from its own arrival. False if it was not held."""
        values = {"state": MailState.NEW, "confirmed_at": now, "next_try": now, "attempts": 0}
        return self._change_if(mail_id, inbox.c.state == MailState.HELD, values)

    def stumbled(self, mail_id: int, traceback: str, now: datetime, *, limit: int = MAX_ATTEMPTS) -> bool:
        """Processing raised: keep the traceback; try again, or quarantine after `limit` attempts (True then)."""
        attempts: int = self.get(mail_id).attempts
        if attempts >= limit:
            self.quarantine(mail_id, traceback)
            return True
        self._change(mail_id, {"traceback": traceback, "next_try": now, "lease_owner": None})
        return False

    def quarantine(self, mail_id: int, traceback: str, *, reason: str | None = None) -> None:
        """Set a mail aside for the operator."""
        changes = {"state": MailState.QUARANTINED, "traceback": traceback, "reason": reason, "lease_owner": None}
        self._change(mail_id, changes)

    def quarantine_exhausted(self, now: datetime, *, limit: int = MAX_ATTEMPTS) -> tuple[int, ...]:
        """Set aside what was tried `limit` times and lies in nobody's hand: it died with its process each time."""
        spent = and_(inbox.c.state == MailState.NEW, inbox.c.attempts >= limit, inbox.c.next_try <= now)
        ids = tuple(self._connection.scalars(select(inbox.c.id).where(spent)))
        for mail_id in ids:
            earlier = self.get(mail_id).traceback
            self.quarantine(mail_id, earlier or "the process ended each time while it had this mail in hand")
        return ids

    def retry(self, mail_id: int, now: datetime) -> bool:
        """Give a quarantined mail three new attempts. False if it is not in quarantine."""
        values = {"state": MailState.NEW, "attempts": 0, "next_try": now, "reason": None}
        return self._change_if(mail_id, inbox.c.state == MailState.QUARANTINED, values)

    def drop(self, mail_id: int, now: datetime, *, reason: str) -> bool:
        """Throw away a held or quarantined mail; its row and bytes stay until the purge. False if it is neither."""
        droppable = inbox.c.state.in_((MailState.QUARANTINED, MailState.HELD))
        return self._change_if(mail_id, droppable, {"state": MailState.DROPPED, "reason": reason, "finished_at": now})

    def waive(self, mail_id: int) -> None:
        """The deadline barrier need not wait for this mail (`process despite N`)."""
        self._change(mail_id, {"waived": True})

    def purge(self, finished_before: datetime, *, game: str | None = None) -> int:
        """Forget the bytes of mails that were settled before a moment; their rows and digests stay.

        With `game`, only of mails that were attributed to it. Returns how many were forgotten.
        """
        settled = and_(
            inbox.c.id == mail_bytes.c.mail_id,
            inbox.c.state.in_(_FINISHED),
            func.coalesce(inbox.c.finished_at, inbox.c.received_at) < finished_before,
        )
        if game is not None:
            settled = and_(settled, inbox.c.game == game)
        return self._connection.execute(delete(mail_bytes).where(exists().where(settled))).rowcount

    def _known(self, mail: NewMail) -> Mail | None:
        same = inbox.c.transport_key == mail.transport_key
        if mail.content_hash is not None:
            same = or_(same, inbox.c.content_hash == mail.content_hash)
        rows = build_all(Mail, self._connection.execute(select(*_MAIL).where(same)).all())
        by_wire = [row for row in rows if row.transport_key == mail.transport_key]
        return next(iter(by_wire or rows), None)

    def _bearer_of(self, message_id: str | None) -> int | None:
        if message_id is None:
            return None
        query = select(func.min(inbox.c.id)).where(inbox.c.message_id == message_id)
        found: int | None = self._connection.scalar(query)
        return found

    def _insert(self, mail: NewMail, *, first_id: int | None = None, repeats_id: int | None = None) -> int:
        duplicate = first_id is not None
        values: dict[str, Any] = {
            "source": mail.source,
            "transport_key": mail.transport_key,
            "content_hash": None if duplicate else mail.content_hash,
            "message_id": mail.message_id,
            "digest": hashlib.sha256(mail.raw).hexdigest(),
            "size": len(mail.raw),
            "envelope_from": mail.envelope_from,
            "rcpts": mail.rcpts,
            "peer": mail.peer,
            "received_at": mail.received_at,
            "arrived_at": mail.arrived_at or mail.received_at,
            "state": MailState.DUPLICATE if duplicate else MailState.NEW,
            "next_try": _AT_ONCE,
            "game": mail.game,
            "seat": mail.seat,
            "first_id": first_id,
            "repeats_id": repeats_id,
        }
        key = self._connection.execute(insert(inbox), values).inserted_primary_key
        assert key is not None
        mail_id: int = key[0]
        self._connection.execute(insert(mail_bytes), {"mail_id": mail_id, "raw": mail.raw})
        return mail_id

    def _change(self, mail_id: int, values: dict[str, Any]) -> None:
        if values and not self._connection.execute(update(inbox).where(inbox.c.id == mail_id), values).rowcount:
            raise NoSuchRow("mail", mail_id)

    def _change_if(self, mail_id: int, condition: ColumnElement[bool], values: dict[str, Any]) -> bool:
        query = update(inbox).where(inbox.c.id == mail_id, condition)
        return self._connection.execute(query, values).rowcount == 1

"""The inbox: every mail that we acknowledged, its bytes, and what became of it.

A mail is committed here before the wire is told that we have it. Its attempts are counted and committed before
anything reads it, so that a mail which kills the process is found out.
"""

import sys
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Update, and_, bindparam, delete, exists, func, or_, select, update

from judge.store.acceptance import AT_ONCE, Accepted, Receipt, Taker, accept
from judge.store.behind import Late, Values, later
from judge.store.errors import NoSuchRow
from judge.store.inbox_view import MAIL, THIS, InboxView
from judge.store.leases import Leased
from judge.store.rows import RETRIED, Mail, MailState, NewMail
from judge.store.sql import any_of, build_all
from judge.store.tables import events, games, inbox, mail_bytes

MAX_ATTEMPTS = 3
LEASE = timedelta(minutes=5)
PURGED_AT_ONCE = 2000
"""The most mails purged in one transaction."""

_ENDED = "ended"
"""The state of a game's card when it is over."""

_FINISHED = (MailState.PROCESSED, MailState.IGNORED, MailState.DUPLICATE, MailState.DROPPED)

_CHANGE = update(inbox).where(THIS)
_CONFIRM = _CHANGE.where(inbox.c.state == MailState.HELD)
_RETRY = _CHANGE.where(inbox.c.state == MailState.QUARANTINED)
_REOPEN = _CHANGE.where(inbox.c.state == MailState.DUPLICATE)
_GIVE_WAY = _CHANGE.where(inbox.c.state.in_((MailState.HELD, MailState.IGNORED)))
_DROP = _CHANGE.where(inbox.c.state.in_((MailState.QUARANTINED, MailState.HELD)))
_FINISH = _CHANGE.values(
    state=bindparam("new_state"),
    # Whose mail it is may be known already; what is not said now stays as it was.
    **{name: func.coalesce(bindparam(f"of_{name}"), inbox.c[name]) for name in ("game", "seat", "sender")},
    **{name: bindparam(f"as_{name}") for name in ("verdict", "reason", "finished_at")},
    lease_owner=None,
)
_CLAIMABLE = (
    select(inbox.c.id, inbox.c.attempts)
    .where(inbox.c.state == MailState.NEW, inbox.c.next_try <= bindparam("now"), inbox.c.id < bindparam("before_id"))
    .order_by(inbox.c.id)
    .limit(bindparam("up_to"))
    .with_for_update(skip_locked=True)
)
_HELD_BY = and_(
    inbox.c.id.in_(any_of("ids")), inbox.c.state == MailState.NEW, inbox.c.lease_owner == bindparam("holder")
)
_IN_HAND = select(inbox.c.id).where(_HELD_BY)
_PUT_BACK = update(inbox).where(_HELD_BY).values(attempts=inbox.c.attempts - 1, next_try=AT_ONCE, lease_owner=None)
_CLAIM = (
    update(inbox)
    .where(inbox.c.id.in_(any_of("ids")))
    .values(attempts=inbox.c.attempts + 1, next_try=bindparam("until"), lease_owner=bindparam("owner"))
    .returning(*MAIL)
)


def _finish(connection: Connection, rows: Sequence[Values]) -> None:
    if connection.execute(_FINISH, rows).rowcount != len(rows):
        raise NoSuchRow("mail", ", ".join(str(row["mail_id"]) for row in rows))


_FINISHES = Late(frozenset((inbox,)), _finish)


class Inbox(InboxView, Leased):
    """The inbox inside a unit of work."""

    table, in_hand_state, freed_state = inbox, MailState.NEW, MailState.NEW

    def put(self, mail: NewMail) -> Receipt:
        """Store a mail, or recognise it; see `put_all`."""
        return self.put_all((mail,))[0]

    def put_all(self, mails: Sequence[NewMail]) -> tuple[Receipt, ...]:
        """Store mails in their order, or recognise them; one receipt each.

        The same transport key is the same receipt: nothing is stored. The same content by another route is logged
        as a duplicate, with its bytes; if the first one has not acted (it is held, or was ignored), the copy is a new
        mail with `first_id`, for whoever hears it to compare. The same Message-ID with another content is a new mail
        that says which earlier one it repeats. What needs no hearing comes back as Duplicate, all else as Stored.
        """
        return tuple(receipt for receipt, _ in accept(self._connection, mails))

    def take_all(self, mails: Sequence[NewMail], *, owner: str, until: datetime) -> tuple[Accepted, ...]:
        """Store mails as `put_all` does, and take the new ones in hand at once, as `claim` would: with each receipt
        comes the mail, unless it is a duplicate.
        """
        return accept(self._connection, mails, Taker(owner, until))

    def claim(
        self, now: datetime, *, owner: str, limit: int = 1, before: int = sys.maxsize, lease: timedelta = LEASE
    ) -> tuple[Mail, ...]:
        """Take the oldest new mails in hand and count the attempt; commit before you read any of them.

        Only mails with numbers lower than `before`. A mail that was tried before comes alone: if it is the one that
        kills us, no other is counted with it.
        """
        rows = self._connection.execute(_CLAIMABLE, {"now": now, "up_to": limit, "before_id": before}).all()
        if not rows:
            return ()
        tried = rows[0].attempts > 0
        ids = [rows[0].id] if tried else [row.id for row in rows if row.attempts == 0]
        taken = self._connection.execute(_CLAIM, {"ids": ids, "until": now + lease, "owner": owner})
        return tuple(sorted(build_all(Mail, taken), key=lambda mail: mail.id))

    def in_hand(self, mail_ids: Collection[int], *, owner: str) -> frozenset[int]:
        """Which of these mails are still new and still in this owner's hand: no lease lapsed, nobody settled them."""
        return frozenset(self._connection.scalars(_IN_HAND, {"ids": list(mail_ids), "holder": owner}))

    def put_back(self, mail_ids: Collection[int], *, owner: str) -> None:
        """Return claimed mails that were not read; their attempt is not counted."""
        self._connection.execute(_PUT_BACK, {"ids": list(mail_ids), "holder": owner})

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
        game: str | None = None,
        seat: str | None = None,
        sender: str | None = None,
    ) -> None:
        """Settle a mail, at the latest with the commit: PROCESSED or IGNORED, the verdict as JSON, and whose it was.

        Raises ValueError for other states; the commit raises NoSuchRow for a mail that is not there.
        """
        if state not in (MailState.PROCESSED, MailState.IGNORED):
            raise ValueError(f"a mail is finished as processed or ignored, not as {state}")
        whose = {"of_game": game, "of_seat": seat, "of_sender": sender}
        verdicts = {"new_state": state, "as_verdict": verdict, "as_reason": reason, "as_finished_at": now}
        later(self._connection, _FINISHES, {"mail_id": mail_id, **verdicts, **whose})

    def hold(
        self,
        mail_id: int,
        confirm_key: str,
        *,
        reason: str,
        verdict: str | None = None,
        claims: tuple[str, ...] = (),
    ) -> None:
        """Keep a mail until the confirmation that carries `confirm_key` comes. `claims`: whose turn may wait for it."""
        changes = {"state": MailState.HELD, "confirm_key": confirm_key, "reason": reason, "verdict": verdict}
        self._change(mail_id, {**changes, "claims": claims, "lease_owner": None})

    def confirm(self, mail_id: int, now: datetime) -> bool:
        """The confirmation came: the mail is new again, counts from its own arrival. False if it was not held."""
        values = {"state": MailState.NEW, "confirmed_at": now, "next_try": now, "attempts": 0}
        return self._change_if(_CONFIRM, mail_id, values)

    def deny(self, mail_id: int, *, reason: str) -> None:
        """Record a "no": nothing waits for the mail any longer. It stays held, and a later "yes" still counts."""
        self._change(mail_id, {"waived": True, "reason": reason})

    def stumbled(self, mail_id: int, traceback: str, now: datetime, *, limit: int = MAX_ATTEMPTS) -> bool:
        """Processing raised: keep the traceback; try again, or quarantine after `limit` attempts (True then)."""
        if self.get(mail_id).attempts >= limit:
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
        ids = tuple(self._connection.scalars(select(inbox.c.id).where(spent).order_by(inbox.c.id)))
        for mail_id in ids:
            earlier = self.get(mail_id).traceback
            self.quarantine(mail_id, earlier or "the process ended each time while it had this mail in hand")
        return ids

    def retry(self, mail_id: int, now: datetime) -> bool:
        """Give a quarantined mail three new attempts. False if it is not in quarantine."""
        values = {"state": MailState.NEW, "attempts": 0, "next_try": now, "reason": RETRIED}
        return self._change_if(_RETRY, mail_id, values)

    def drop(self, mail_id: int, now: datetime, *, reason: str) -> bool:
        """Throw away a held or quarantined mail; its row and bytes stay until the purge. False if it is neither."""
        values = {"state": MailState.DROPPED, "reason": reason, "finished_at": now}
        return self._change_if(_DROP, mail_id, values)

    def set_duplicate(self, mail_id: int, now: datetime) -> None:
        """Mark a mail as a duplicate of an earlier one."""
        self._change(mail_id, {"state": MailState.DUPLICATE, "finished_at": now, "lease_owner": None})

    def reopen(self, mail_id: int, now: datetime) -> bool:
        """Make a duplicate a new mail again. False if it is no duplicate."""
        values = {"state": MailState.NEW, "attempts": 0, "next_try": now, "finished_at": None}
        return self._change_if(_REOPEN, mail_id, values)

    def take_place(self, mail_id: int, first: Mail, now: datetime, *, arrived_at: datetime) -> None:
        """A copy takes the place of the first one, which becomes the duplicate. Raises NoSuchRow if that one has acted
        meanwhile.
        """
        gone = {"state": MailState.DUPLICATE, "content_hash": None, "first_id": mail_id, "finished_at": now}
        if not self._change_if(_GIVE_WAY, first.id, gone):
            raise NoSuchRow("mail that has not acted", first.id)
        others = and_(inbox.c.message_id == first.message_id, inbox.c.first_id == first.id, inbox.c.id != mail_id)
        self._connection.execute(update(inbox).where(others), {"first_id": mail_id})
        self._change(mail_id, {"content_hash": first.content_hash, "first_id": None, "arrived_at": arrived_at})

    def waive(self, mail_id: int) -> None:
        """The deadline barrier need not wait for this mail (`process despite N`)."""
        self._change(mail_id, {"waived": True})

    def purge(self, finished_before: datetime, *, game: str | None = None, limit: int = PURGED_AT_ONCE) -> int:
        """Forget the bytes of mails that were settled before a moment; their rows and digests stay.

        Mails that were attributed to a game are kept until it has ended, and nothing in it is younger than that. With
        `game`, only mails of that one. Returns how many were forgotten, `limit` at most, the oldest first.
        """
        young = exists().where(events.c.game == games.c.key, events.c.at >= finished_before)
        alive = select(games.c.key).where(or_(games.c.state != _ENDED, young))
        # A mail that names its game in the subject only is known by what it brought about there.
        at_work = select(events.c.mail_id).where(events.c.game.in_(alive), events.c.mail_id.is_not(None))
        old = (
            select(inbox.c.id)
            .join_from(inbox, mail_bytes, inbox.c.id == mail_bytes.c.mail_id)
            .where(inbox.c.state.in_(_FINISHED))
            .where(func.coalesce(inbox.c.finished_at, inbox.c.received_at) < finished_before)
            .where(or_(inbox.c.game.is_(None), inbox.c.game.not_in(alive)), inbox.c.id.not_in(at_work))
            .order_by(inbox.c.id)
            .limit(limit)
        )
        if game is not None:
            old = old.where(inbox.c.game == game)
        ids = list(self._connection.scalars(old))
        return self._connection.execute(
            delete(mail_bytes).where(mail_bytes.c.mail_id.in_(any_of("ids"))), {"ids": ids}
        ).rowcount

    def _change(self, mail_id: int, values: dict[str, Any]) -> None:
        if values and not self._change_if(_CHANGE, mail_id, values):
            raise NoSuchRow("mail", mail_id)

    def _change_if(self, query: Update, mail_id: int, values: dict[str, Any]) -> bool:
        return self._connection.execute(query, {**values, "mail_id": mail_id}).rowcount == 1

"""The inbox: every mail that we acknowledged, its bytes, and what became of it.

A mail is committed here before the wire is told that we have it. Its attempts are counted and committed before
anything reads it, so that a mail which kills the process is found out.
"""

import hashlib
import sys
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Update, and_, bindparam, delete, exists, func, or_, select, type_coerce, update

from judge.store.acceptance import AT_ONCE, Accepted, Receipt, Taker, accept
from judge.store.errors import NoSuchRow
from judge.store.rows import RETRIED, Mail, MailState, NewMail
from judge.store.sql import UP_TO, Late, Leased, Values, any_of, apart, build, build_all, later, shape
from judge.store.tables import AnyText, events, games, inbox, mail_bytes

_UNSETTLED = (MailState.NEW, MailState.HELD, MailState.QUARANTINED)
MAIL = shape(Mail, inbox)
THIS = inbox.c.id == bindparam("mail_id")
_GET = select(*MAIL).where(THIS)
_RAW = select(mail_bytes.c.raw).where(mail_bytes.c.mail_id == bindparam("mail_id"))
_RAWS = select(mail_bytes.c.mail_id, mail_bytes.c.raw).where(mail_bytes.c.mail_id.in_(any_of("ids")))
_UNSETTLED_MAIL = (
    select(*MAIL)
    .where(inbox.c.state.in_(_UNSETTLED), inbox.c.arrived_at < bindparam("before"), inbox.c.waived.is_(False))
    .order_by(inbox.c.id)
)
_UNSETTLED_OF_GAME = _UNSETTLED_MAIL.where(
    or_(
        inbox.c.game == bindparam("game"),
        inbox.c.game.is_(None),
        type_coerce(inbox.c.claims, AnyText).like(bindparam("claiming")),
    )
)
_HEARD = inbox.c.state == MailState.PROCESSED
# What is heard in this transaction its ledger knows.
_NEWEST_HEARD = apart(
    select(inbox.c.arrived_at)
    .where(_HEARD, inbox.c.arrived_at <= bindparam("until"))
    .order_by(inbox.c.arrived_at.desc())
    .limit(1)
)
_HEARD_BETWEEN = (
    select(*MAIL)
    .where(_HEARD, inbox.c.arrived_at > bindparam("since"), inbox.c.arrived_at <= bindparam("until"))
    .where(
        or_(
            inbox.c.sender.in_(any_of("senders")),
            and_(inbox.c.game == bindparam("game"), inbox.c.seat == bindparam("seat")),
        )
    )
    .order_by(inbox.c.arrived_at, inbox.c.id)
)
_ARRIVALS = select(inbox.c.id, inbox.c.arrived_at).where(inbox.c.id.in_(any_of("ids")))
_FIRST_WAITING = select(func.min(inbox.c.id)).where(
    inbox.c.state == MailState.NEW, inbox.c.next_try <= bindparam("now")
)
_LAST = select(func.max(inbox.c.id))


MAX_ATTEMPTS = 3
LEASE = timedelta(minutes=5)
_MOST_DIGITS = 18
"""What has more is no number of a row."""
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
    **{of: func.coalesce(bindparam(f"of_{of}", type_=AnyText()), inbox.c[of]) for of in ("game", "seat", "sender")},
    **{name: bindparam(f"as_{name}") for name in ("verdict", "reason", "finished_at")},
    lease_owner=None,
)
_CLAIMABLE = (
    select(inbox.c.id, inbox.c.attempts)
    .where(inbox.c.state == MailState.NEW, inbox.c.next_try <= bindparam("now"), inbox.c.id < bindparam("before_id"))
    .order_by(inbox.c.id)
    .limit(UP_TO)
    .with_for_update(skip_locked=True)
)
_HELD_BY = and_(
    inbox.c.id.in_(any_of("ids")), inbox.c.state == MailState.NEW, inbox.c.lease_owner == bindparam("holder")
)
_IN_HAND = select(inbox.c.id).where(_HELD_BY).order_by(inbox.c.id).with_for_update()
_AHEAD = (
    select(inbox.c.envelope_from, func.min(inbox.c.id))
    .where(
        inbox.c.state == MailState.NEW,
        inbox.c.id < bindparam("before_id"),
        inbox.c.id.not_in(any_of("ids")),
        inbox.c.envelope_from.in_(any_of("authors")),
    )
    .group_by(inbox.c.envelope_from)
)
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


class Inbox(Leased):
    """Received mails, and what became of each. Those who only look get one whose connection cannot write."""

    table, in_hand_state, freed_state = inbox, MailState.NEW, MailState.NEW

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, mail_id: int) -> Mail:
        """The mail with this number. Raises NoSuchRow."""
        mail = build(Mail, self._connection.execute(_GET, {"mail_id": mail_id}).first())
        if mail is None:
            raise NoSuchRow("mail", mail_id)
        return mail

    def raw(self, mail_id: int) -> bytes | None:
        """The bytes as they came, None once they were purged."""
        found: bytes | None = self._connection.scalar(_RAW, {"mail_id": mail_id})
        return found

    def raws(self, mail_ids: Collection[int]) -> dict[int, bytes]:
        """The bytes of several mails by number; those that were purged are left out."""
        found = self._connection.execute(_RAWS, {"ids": list(mail_ids)})
        return {row.mail_id: row.raw for row in found}

    def first_waiting(self, now: datetime) -> int | None:
        """The lowest number of a new mail that is in nobody's hand."""
        found: int | None = self._connection.scalar(_FIRST_WAITING, {"now": now})
        return found

    def last(self) -> int:
        """The number of the mail that was stored last; 0 if there is none."""
        return self._connection.scalar(_LAST) or 0

    def newest_heard(self, until: datetime) -> datetime | None:
        """When the last of the processed mails arrived that arrived up to a moment; None if there is none."""
        found: datetime | None = self._connection.scalar(_NEWEST_HEARD, {"until": until})
        return found

    def heard_between(
        self, since: datetime, until: datetime, *, senders: Collection[str], game: str, seat: str
    ) -> tuple[Mail, ...]:
        """Processed mails that arrived after `since` and up to `until`, from these addresses or for this seat."""
        given = {"since": since, "until": until, "senders": [*senders], "game": game, "seat": seat}
        return build_all(Mail, self._connection.execute(_HEARD_BETWEEN, given))

    def arrivals(self, mail_ids: Collection[int]) -> dict[int, datetime]:
        """When mails arrived, by number."""
        return dict(self._connection.execute(_ARRIVALS, {"ids": [*mail_ids]}).all())

    def list(
        self,
        *,
        states: Collection[MailState] = (),
        game: str | None = None,
        after_id: int = 0,
        limit: int = 100,
    ) -> tuple[Mail, ...]:
        """Mails by number, oldest first; no states means all of them."""
        query = select(*MAIL).where(inbox.c.id > after_id).order_by(inbox.c.id).limit(limit)
        if states:
            query = query.where(inbox.c.state.in_(states))
        if game is not None:
            query = query.where(inbox.c.game == game)
        return build_all(Mail, self._connection.execute(query))

    def find_proof(self, proof: str) -> Mail | None:
        """The mail with this number, or the first whose digest begins with these hex digits (eight or more)."""
        if not proof.isascii():
            return None
        if proof.isdigit() and len(proof) < 8:
            return build(Mail, self._connection.execute(_GET, {"mail_id": int(proof)}).first())
        digits = proof.replace("-", "").lower()
        if len(digits) < 8 or not set(digits) <= set("0123456789abcdef"):
            return None
        # Hex digits end before "g": a range, which the index answers, where LIKE would read every row.
        begins = and_(inbox.c.digest >= digits, inbox.c.digest < digits + "g")
        return build(Mail, self._connection.execute(select(*MAIL).where(begins).order_by(inbox.c.id)).first())

    def knows(self, digest: str) -> bool:
        """Whether a mail of these very bytes came before, by any way; `digest`: their SHA-256 in hex."""
        return self._connection.scalar(select(inbox.c.id).where(inbox.c.digest == digest).limit(1)) is not None

    def altered(self) -> int | None:
        """The first mail whose bytes are not those that came, by their digest, None if all are; reads every mail."""
        query = select(inbox.c.id, inbox.c.digest, mail_bytes.c.raw).join_from(inbox, mail_bytes)
        for row in self._connection.execute(query.order_by(inbox.c.id), execution_options={"yield_per": 100}):
            if hashlib.sha256(row.raw).hexdigest() != row.digest:
                return int(row.id)
        return None

    def numbers_from(self, addresses: Collection[str]) -> tuple[int, ...]:
        """The mails that come from any of these addresses, by header or envelope; reads the whole inbox."""
        wanted = sorted({address.lower() for address in addresses})
        theirs = or_(func.lower(inbox.c.sender).in_(wanted), func.lower(inbox.c.envelope_from).in_(wanted))
        return tuple(self._connection.scalars(select(inbox.c.id).where(theirs).order_by(inbox.c.id)))

    def by_reference(self, reference: str) -> Mail | None:
        """The last mail with this Message-ID, or with this number where it had none."""
        if reference.isdecimal() and len(reference) <= _MOST_DIGITS:
            return build(Mail, self._connection.execute(_GET, {"mail_id": int(reference)}).first())
        query = select(*MAIL).where(inbox.c.message_id == reference).order_by(inbox.c.id.desc()).limit(1)
        return build(Mail, self._connection.execute(query).first())

    def counts(self) -> dict[MailState, int]:
        """How many mails stand in each state; states without mails are left out."""
        query = select(inbox.c.state, func.count()).group_by(inbox.c.state)
        return dict(self._connection.execute(query).all())

    def settled_since(self, since: datetime) -> dict[MailState, int]:
        """How many mails that arrived since a moment stand in each state; reads the whole inbox."""
        query = select(inbox.c.state, func.count()).where(inbox.c.arrived_at >= since).group_by(inbox.c.state)
        return dict(self._connection.execute(query).all())

    def oldest(self) -> dict[MailState, datetime]:
        """When the oldest of the mails arrived that are not settled, by state; states without mails are left out."""
        query = select(inbox.c.state, func.min(inbox.c.arrived_at)).where(inbox.c.state.in_(_UNSETTLED))
        return dict(self._connection.execute(query.group_by(inbox.c.state)).all())

    def copies(self, mail: Mail) -> tuple[Mail, ...]:
        """What was logged as a duplicate of a mail that carries a Message-ID, oldest first."""
        same = and_(inbox.c.message_id == mail.message_id, inbox.c.first_id == mail.id)
        query = select(*MAIL).where(same, inbox.c.state == MailState.DUPLICATE).order_by(inbox.c.id)
        return build_all(Mail, self._connection.execute(query))

    def under(self, confirm_key: str) -> Mail | None:
        """The mail that waits, or waited, for this confirmation token."""
        query = select(*MAIL).where(inbox.c.confirm_key == confirm_key)
        return build(Mail, self._connection.execute(query).first())

    def waiting_for_a_word(self, before: datetime, *, limit: int = 1000) -> tuple[Mail, ...]:
        """Held mails that arrived before a moment, oldest first, whether or not anything waits for them."""
        query = select(*MAIL).where(inbox.c.state == MailState.HELD, inbox.c.arrived_at < before)
        return build_all(Mail, self._connection.execute(query.order_by(inbox.c.id).limit(limit)))

    def unsettled(self, before: datetime, *, game: str | None = None) -> tuple[Mail, ...]:
        """What the deadline barrier asks: mails that arrived before `before` and still wait for a verdict.

        These are unprocessed, held and quarantined ones, except those that the GM waived. With `game`: mails that
        were attributed to it or claim something in it, and those that nobody has attributed.
        """
        query, given = _UNSETTLED_MAIL, {}
        if game is not None:
            query, given = _UNSETTLED_OF_GAME, {"game": game, "claiming": f'%"{game} %'}
        return build_all(Mail, self._connection.execute(query, {**given, "before": before}))

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
        """Which of these mails are still new and still in this owner's hand: no lease lapsed, nobody settled them. To
        the end of this transaction nobody else takes them.
        """
        return frozenset(self._connection.scalars(_IN_HAND, {"ids": list(mail_ids), "holder": owner}))

    def behind(self, mails: Sequence[Mail]) -> frozenset[int]:
        """Those of these mails whose author wrote an earlier one that is in other hands and was not heard yet."""
        if not mails:
            return frozenset()
        authors = sorted({mail.envelope_from for mail in mails if mail.envelope_from})
        given = {"before_id": max(mail.id for mail in mails), "ids": [mail.id for mail in mails], "authors": authors}
        first: dict[str, int] = dict(self._connection.execute(_AHEAD, given).all())
        return frozenset(mail.id for mail in mails if first.get(mail.envelope_from, mail.id) < mail.id)

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
        query = select(inbox.c.id).where(spent).order_by(inbox.c.id).with_for_update(skip_locked=True)
        ids = tuple(self._connection.scalars(query))
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

"""The inbox for those who only look: mails by number, state, sender and game."""

import hashlib
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, Text, and_, bindparam, func, or_, select, type_coerce

from judge.store.behind import apart
from judge.store.errors import NoSuchRow
from judge.store.rows import Mail, MailState
from judge.store.sql import any_of, build, build_all, shape
from judge.store.tables import inbox, mail_bytes

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
        type_coerce(inbox.c.claims, Text).like(bindparam("claiming")),
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


class InboxView:
    """The inbox for those who only look."""

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
        if reference.isdigit():
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

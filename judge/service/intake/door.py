"""The door: what the wires ask. A mail is acknowledged when it is committed; whom it put off is told.

Mails that a source could not take in and moved aside: too large, or such that their server cannot show them.

Nothing in them was read, so it is reported: the operator, of each mail once; its sender, once a day, if the
address is a registered one that was proved. Strangers and machines hear nothing.

What would come of a mail: everything is done inside a transaction that is undone.
"""

from __future__ import annotations

import json
import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

from judge.languages import tell
from judge.mail.envelope import Envelope, read_envelope
from judge.mail.letters import Posting
from judge.mail.tokens import looks_like_token, read_token
from judge.report.reply.unproved import alert
from judge.service.core.directory import member
from judge.service.core.judge import Judge, has_address
from judge.service.core.keeper import Ledger
from judge.service.hearing.stages import hear_mail
from judge.service.posting.operator import STANDING_ADDRESSES, full_address, tell_operator
from judge.service.posting.outgoing import put
from judge.service.posting.post import is_plain, reaches
from judge.service.trust.heard import Taken
from judge.service.trust.read import read_arrival
from judge.store import InboxWriter, StoreCrowded, StoreTrouble, Transaction
from judge.store.rows import Duplicate, NewMail, Stored
from judge.transport.ports import Arrival, TemporaryTrouble, known_sender


def report_aside(judge: Judge, unit: Transaction, head: Arrival, size: int) -> None:
    """Tell whom it concerns of a mail that lies in its source's quarantine folder; `head`: its first bytes, as far as
    they could be read, and `size` its length in bytes.
    """
    envelope = read_envelope(
        head.raw, head.received_at, mail_from=known_sender(head.source, head.mail_from), trusted=judge.site
    )
    large = size > judge.config.max_bytes
    _tell_operator(judge, unit, head, envelope, size, large=large)
    if large and not envelope.noise.is_noise:
        _tell_sender(judge, unit, head, envelope, size)


def _tell_operator(
    judge: Judge, unit: Transaction, head: Arrival, envelope: Envelope, size: int, *, large: bool
) -> None:
    limit, wire = judge.config.max_bytes, head.source.partition(":")[0]
    what = f"is larger than the {_kb(limit)} that I take" if large else "cannot be read there, tried three times"
    sender = envelope.from_address or "an unreadable address"
    if large:
        mend = "raise mail.max_bytes, restart the judge and move the mail back to where it came from"
    else:
        mend = "look at it with a mail program, and move it back when it can be read"
    tell_operator(
        judge, unit, f"oversize/{head.transport_key}", subject=f"a mail was set aside ({_kb(size)})",
        items=(
            f"A mail of {_kb(size)} that came by {wire} from {sender} {what}. It goes unread to the quarantine folder "
            f'of its mailbox, and from then on no deadline waits for it; its subject: "{envelope.subject}".',
            f"If its author needs it: {mend}.",
        ),
    )  # fmt: skip


def _tell_sender(judge: Judge, unit: Transaction, head: Arrival, envelope: Envelope, size: int) -> None:
    address, now = envelope.from_address, judge.clock.now()
    person = unit.people.by_address(address, verified=True) if address else None
    key = f"judge/oversize/{head.transport_key}"
    if person is None or unit.letters.by_key(key) is not None:
        return
    if not unit.contacts.allow(f"person:{person.id}", "oversize", now.date(), 1):
        return
    letter = alert(
        member(unit, person.id),
        judge.office,
        key=key,
        subject="your mail was too large",
        items=(
            tell(
                'A mail of {kb} came from your address ("{subject}"). I take up to {kb2}, so nothing '
                "in it was read and nothing was changed.",
                kb=_kb(size),
                subject=envelope.subject,
                kb2=_kb(judge.config.max_bytes),
            ),
            tell("Please send it again as plain text, or with attachments that are smaller."),
        ),
    )
    put(judge, unit, letter, now)


def _kb(octets: int) -> str:
    return f"{max(1, octets // 1024)} KB"


Span = tuple[datetime, datetime]


class Refusals:
    """From when to when mails were put off, until somebody asks. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._span: Span | None = None

    def note(self, trouble: StoreTrouble, arrived: datetime, now: datetime) -> None:
        """A mail that arrived then was put off now. Too many at a time count as none: whoever floods the door could
        hold up every turn by it.
        """
        if isinstance(trouble, StoreCrowded):
            return
        with self._lock:
            since, until = self._span or (arrived, now)
            self._span = (min(since, arrived), max(until, now))

    def taken(self) -> Span | None:
        """The span, which is forgotten by that; None if nothing was put off."""
        with self._lock:
            span, self._span = self._span, None
            return span


log = logging.getLogger("judge.mail")

SMALL = 16 << 10
"""A mail up to this size is read at once, in a millisecond; larger ones are read in a thread, for the listener must
not keep its other sessions waiting."""

READERS = 2


class Door:
    """Takes arrivals from every wire into the inbox. `closed` says why nothing is taken at present, "" otherwise;
    `refusals` notes since when the database could not take what came.
    """

    def __init__(self, judge: Judge, writer: InboxWriter) -> None:
        self._judge = judge
        self._writer = writer
        self._readers = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="door")
        self.closed = ""
        self.refusals = Refusals()
        self._in_hand: dict[str, datetime] = {}

    def oldest_in_hand(self) -> datetime | None:
        """When the oldest of the mails arrived that are on their way to the disk; None: none is."""
        return min(tuple(self._in_hand.values()), default=None)

    def knows(self, recipient: str, /) -> bool:
        """Our own address, a game's, a genuine token's, postmaster and abuse; everything else is unknown here."""
        local, _, domain = full_address(recipient, self._judge.config.domain).rpartition("@")
        if domain != self._judge.config.domain.lower():
            return False
        name, _, detail = local.partition("+")
        if local in STANDING_ADDRESSES:
            return True
        if name != self._judge.config.local_part.lower():
            return False
        if not detail or read_token(detail, self._judge.store.secret) is not None:
            return True
        if looks_like_token(detail):
            return False
        with self._judge.store.read() as view:
            return view.games.find(detail) is not None or has_address(view, detail)

    def answers(self, sender: str, /) -> bool:
        """Whoever has an address that our relay can write to, as far as that is known."""
        if is_plain(sender):
            return True
        with self._judge.store.read() as view:
            return reaches(view, sender)

    def take(self, mail: Arrival, /) -> Future[bool]:
        """Store the mail; the future is done after the commit (False: its key was known), or fails with
        TemporaryTrouble.
        """
        done: Future[bool] = Future()
        # A client that hangs up takes nothing back: the mail is on its way to the disk.
        done.set_running_or_notify_cancel()
        if self.closed:
            done.set_exception(TemporaryTrouble(self.closed))
            return done
        self._in_hand[mail.transport_key] = mail.received_at
        done.add_done_callback(lambda _: self._in_hand.pop(mail.transport_key, None))
        if len(mail.raw) <= SMALL:
            self._store(mail, done)
        else:
            self._readers.submit(self._store, mail, done)
        return done

    def oversize(self, head: Arrival, size: int, /) -> None:
        """A mail that cannot be taken is moved aside by its source: the operator hears of it, and a sender we know.

        Raises TemporaryTrouble if nobody can be told just now: it must not lie aside unknown.
        """
        try:
            with self._judge.store.write() as unit:
                report_aside(self._judge, unit, head, size)
        except StoreTrouble as trouble:
            raise TemporaryTrouble(str(trouble)) from trouble
        except Exception:
            # A mail about which we cannot even write must not keep its source from all that came after it.
            log.exception("nobody is told of a mail set aside", extra={"source": head.source})
        log.warning("mail set aside", extra={"source": head.source, "size": size})

    def close(self) -> None:
        """Wait for the mails that are being read."""
        self._readers.shutdown()

    def _store(self, mail: Arrival, done: Future[bool]) -> None:
        def settled(receipt: Future[Stored | Duplicate]) -> None:
            error = receipt.exception()
            if error is None:
                done.set_result(receipt.result().id is not None)
            elif isinstance(error, StoreTrouble):
                self.refusals.note(error, mail.received_at, self._judge.clock.now())
                done.set_exception(TemporaryTrouble(str(error)))
            else:
                done.set_exception(error)

        try:
            self._writer.submit(new_mail(self._judge, mail)).add_done_callback(settled)
        except Exception as error:  # whatever it is, the wire must hear that the mail is not stored
            done.set_exception(error)


def new_mail(judge: Judge, arrival: Arrival) -> NewMail:
    """The inbox row of an arrival. The envelope is total, so this cannot fail on any bytes."""
    envelope = read_arrival(judge, arrival)
    judge.envelopes.keep(arrival.transport_key, envelope)
    return NewMail(
        raw=arrival.raw,
        source=arrival.source,
        transport_key=arrival.transport_key,
        received_at=arrival.received_at,
        envelope_from=arrival.mail_from,
        rcpts=arrival.rcpt_to,
        peer=arrival.peer or None,
        arrived_at=envelope.arrived_at,
        message_id=envelope.message_id,
        content_hash=envelope.content_hash,
    )


def dry_run(judge: Judge, arrival: Arrival) -> Taken:
    """The verdict, commands, events and letters that this mail would bring about; nothing is kept."""
    with judge.store.rehearse() as unit:
        receipt = unit.inbox.put(new_mail(judge, arrival))
        if isinstance(receipt, Duplicate):
            return Taken("ignored", f"a duplicate of mail {receipt.first_id}")
        mail = unit.inbox.get(receipt.id)
        taken = hear_mail(judge, unit, Ledger(judge.keeper, unit, judge.directory), mail, arrival.raw)
        return replace(taken, texts=_texts(judge, unit, receipt.id, taken))


def _texts(judge: Judge, unit: Transaction, mail_id: int, taken: Taken) -> list[str]:
    """The letters as their readers would see them, and their subjects into the summary."""
    texts = []
    for number, letter in enumerate(unit.letters.list(mail_id=mail_id, limit=1000)):
        posting = Posting(
            to="reader@localhost",
            to_name="",
            from_address=judge.office.address,
            reply_to=judge.office.address,
            date=letter.created_at,
            domain=judge.config.domain,
            secret=judge.store.secret,
            instance=judge.store.id,
            judge=judge.config.name,
        )
        composed, _ = judge.pressroom.compose(
            letter.kind, letter.idem_key, json.loads(letter.view), posting, game=letter.game or ""
        )
        if number < len(taken.letters):
            taken.letters[number]["subject"] = composed.subject
        texts.append(f"Subject: {composed.subject}\n\n{composed.text}")
    return texts

"""The door: what the wires ask. A mail is acknowledged when it is committed; whom it put off is told."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime

from judge.mail.tokens import looks_like_token, read_token
from judge.service.core.house import House
from judge.service.core.subjects import has_address
from judge.service.intake.oversize import report_aside
from judge.service.posting.allowance import is_plain, reaches
from judge.service.posting.operator import STANDING_ADDRESSES, full_address
from judge.service.trust.read import read_arrival
from judge.store import InboxWriter, StoreCrowded, StoreTrouble
from judge.store.rows import Duplicate, NewMail, Stored
from judge.transport.ports import Arrival, TemporaryTrouble

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

    def __init__(self, house: House, writer: InboxWriter) -> None:
        self._house = house
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
        local, _, domain = full_address(recipient, self._house.config.domain).rpartition("@")
        if domain != self._house.config.domain.lower():
            return False
        name, _, detail = local.partition("+")
        if local in STANDING_ADDRESSES:
            return True
        if name != self._house.config.local_part.lower():
            return False
        if not detail or read_token(detail, self._house.store.secret) is not None:
            return True
        if looks_like_token(detail):
            return False
        with self._house.store.read() as view:
            return view.games.find(detail) is not None or has_address(view, detail)

    def answers(self, sender: str, /) -> bool:
        """Whoever has an address that our relay can write to, as far as that is known."""
        if is_plain(sender):
            return True
        with self._house.store.read() as view:
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
            with self._house.store.write() as unit:
                report_aside(self._house, unit, head, size)
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
                self.refusals.note(error, mail.received_at, self._house.clock.now())
                done.set_exception(TemporaryTrouble(str(error)))
            else:
                done.set_exception(error)

        try:
            self._writer.submit(new_mail(self._house, mail)).add_done_callback(settled)
        except Exception as error:  # whatever it is, the wire must hear that the mail is not stored
            done.set_exception(error)


def new_mail(house: House, arrival: Arrival) -> NewMail:
    """The inbox row of an arrival. The envelope is total, so this cannot fail on any bytes."""
    envelope = read_arrival(house, arrival)
    house.envelopes.keep(arrival.transport_key, envelope)
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

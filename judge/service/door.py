"""The door: what the wires ask. A mail is acknowledged only when it is committed to the inbox."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime

from judge.mail.envelope import read_envelope
from judge.mail.tokens import looks_like_token, read_token
from judge.service.house import House
from judge.store import InboxWriter, StoreTrouble
from judge.store.rows import Duplicate, NewMail, Stored
from judge.transport.ports import Arrival, TemporaryTrouble, known_sender

STANDING_ADDRESSES = frozenset({"postmaster", "abuse"})


class Door:
    """Takes arrivals from every wire into the inbox. `closed` says why nothing is taken at present, "" otherwise."""

    def __init__(self, house: House, writer: InboxWriter) -> None:
        self._house = house
        self._writer = writer
        self.closed = ""

    def knows(self, recipient: str, /) -> bool:
        """Our own address, a game's, a genuine token's, postmaster and abuse; everything else is unknown here."""
        local, _, domain = recipient.strip().lower().rpartition("@")
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
            return view.games.find(detail) is not None

    def take(self, mail: Arrival, /) -> Future[None]:
        """Store the mail; the future is done after the commit, or fails with TemporaryTrouble."""
        done: Future[None] = Future()
        if self.closed:
            done.set_exception(TemporaryTrouble(self.closed))
            return done
        stored = self._writer.submit(new_mail(self._house, mail))

        def settled(receipt: Future[Stored | Duplicate]) -> None:
            error = receipt.exception()
            if error is None:
                done.set_result(None)
            elif isinstance(error, StoreTrouble):
                done.set_exception(TemporaryTrouble(str(error)))
            else:
                done.set_exception(error)

        stored.add_done_callback(settled)
        return done


def new_mail(house: House, arrival: Arrival) -> NewMail:
    """The inbox row of an arrival. The envelope is total, so this cannot fail on any bytes."""
    envelope = read_envelope(
        arrival.raw,
        arrival.received_at,
        rcpt=arrival.rcpt_to[0] if arrival.rcpt_to else None,
        mail_from=known_sender(arrival.source, arrival.mail_from),
        trusted=house.site,
        peer=arrival.peer or None,
    )
    house.envelopes.keep(arrival.transport_key, envelope)
    return NewMail(
        raw=arrival.raw,
        source=arrival.source,
        transport_key=arrival.transport_key,
        received_at=arrival.received_at,
        envelope_from=arrival.mail_from,
        rcpts=arrival.rcpt_to,
        peer=arrival.peer or None,
        arrived_at=_not_later(envelope.arrived_at, arrival.received_at),
        message_id=envelope.message_id,
        content_hash=envelope.content_hash,
    )


def _not_later(arrived: datetime, received: datetime) -> datetime:
    return min(arrived, received)

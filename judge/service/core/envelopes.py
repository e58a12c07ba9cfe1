"""The envelope of a stored mail, read again from its bytes as the door read it."""

from __future__ import annotations

from collections.abc import Sequence

from judge.mail.envelope import Envelope, read_envelope
from judge.service.core.house import House
from judge.store.rows import Mail
from judge.transport.ports import Arrival, known_sender


def read_again(house: House, mail: Mail, raw: bytes) -> Envelope:
    """The envelope of a mail in the inbox."""
    return read_envelope(
        raw,
        mail.received_at,
        rcpt=telling_recipient(house, mail.rcpts),
        mail_from=known_sender(mail.source, mail.envelope_from),
        peer=mail.peer,
        trusted=house.site,
        vouched=_is_vouched(house, mail.source, mail.peer or ""),
    )


def envelope_of(house: House, mail: Mail, raw: bytes) -> Envelope:
    """The envelope of a stored mail; the one the door read, if it is still at hand."""
    known = house.envelopes.pop(mail.transport_key, None)
    return known or read_again(house, mail, raw)


def read_arrival(house: House, arrival: Arrival) -> Envelope:
    """The envelope of a mail as a wire hands it over."""
    return read_envelope(
        arrival.raw,
        arrival.received_at,
        rcpt=telling_recipient(house, arrival.rcpt_to),
        mail_from=known_sender(arrival.source, arrival.mail_from),
        peer=arrival.peer or None,
        trusted=house.site,
        vouched=_is_vouched(house, arrival.source, arrival.peer),
    )


def _is_vouched(house: House, source: str, peer: str) -> bool:
    """Whether a program of this machine handed the mail to our own SMTP listener, and its word counts here."""
    return house.config.smtp_vouched and source == "smtp" and peer in _LOOPBACK


_LOOPBACK = frozenset({"127.0.0.1", "::1"})


def telling_recipient(house: House, recipients: Sequence[str]) -> str | None:
    """Which of several recipients tells most: one with a plus-detail at our address, else one that is ours at all."""

    def worth(address: str) -> int:
        local, _, domain = address.lower().rpartition("@")
        name, _, detail = local.partition("+")
        ours = domain == house.config.domain.lower() and name == house.config.local_part.lower()
        return 2 if ours and detail else 1 if ours else 0

    return max(recipients, key=worth, default=None)

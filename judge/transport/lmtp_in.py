"""Mail by LMTP: what a mail server on this machine uses to hand over, with one answer per recipient (RFC 2033).

A unix socket or a loopback port. Each recipient is an `Arrival` of its own, so that the mail server may retry exactly
those that could not be stored. aiosmtpd answers DATA once; here the reply carries one line per accepted recipient,
also when the mail as a whole was too large.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope

from judge.transport.listener import Endpoint, Listener, ListenerLimits
from judge.transport.ports import Accept, Arrival
from judge.transport.session import (
    STORED,
    TROUBLE,
    MailSession,
    SessionHandler,
    content_of,
    envelope_sender,
    session_factory,
)
from judge.transport.smtp_in import acceptance_key, stored


class LmtpSession(MailSession, LMTP):
    """One LMTP connection: LHLO instead of EHLO, and as many final replies as there are recipients."""

    _owed = 0

    async def smtp_DATA(self, arg: str | None) -> None:
        """Receive one mail; after the 354 every reply is owed to each recipient."""
        try:
            await super().smtp_DATA(arg)
        finally:
            self._owed = 0

    smtp_DATA.__smtp_syntax__ = "DATA"  # type: ignore[attr-defined]
    smtp_DATA.__smtp_syntax_extended__ = ""  # type: ignore[attr-defined]
    smtp_DATA.__smtp_syntax_when__ = ""  # type: ignore[attr-defined]

    async def push(self, status: str | bytes) -> None:
        """Write a reply; one that is owed to each recipient is repeated for each."""
        reply = status.encode() if isinstance(status, str) else status
        lines = reply.split(b"\r\n")
        if self._owed and len(lines) != self._owed:
            reply = b"\r\n".join(lines[:1] * self._owed)
        await super().push(reply)
        if self.busy and reply.startswith(b"354") and self.envelope is not None:
            self._owed = len(self.envelope.rcpt_tos)


def lmtp_listener(
    accept: Accept,
    listen: Endpoint,
    *,
    now: Callable[[], datetime],
    hostname: str = "localhost",
    limits: ListenerLimits | None = None,
) -> Listener:
    """A listener, not yet started, that brings mail to `accept`, one `Arrival` per recipient."""
    limits = limits or ListenerLimits()

    async def take(envelope: Envelope, peer: str) -> str:
        moment = now()
        # A recipient named twice is one arrival and two answers.
        recipients = list(dict.fromkeys(envelope.rcpt_tos))
        arrivals = [_arrival(envelope, recipient, moment, peer) for recipient in recipients]
        results = await asyncio.gather(*(stored(accept, arrival) for arrival in arrivals))
        answers = {name: STORED if done else TROUBLE for name, done in zip(recipients, results, strict=True)}
        return "\r\n".join(answers[recipient] for recipient in envelope.rcpt_tos)

    door = SessionHandler(accept, limits, take)
    return Listener(listen, limits, session_factory(door, limits, hostname, LmtpSession), name="lmtp-in")


def _arrival(envelope: Envelope, recipient: str, moment: datetime, peer: str) -> Arrival:
    return Arrival(
        raw=content_of(envelope),
        source="lmtp",
        transport_key=acceptance_key("lmtp"),
        mail_from=envelope_sender(envelope),
        rcpt_to=(recipient,),
        received_at=moment,
        peer=peer,
    )

"""Mail by SMTP and LMTP: a listener that says 250 only when the mail is stored.

SMTP is meant for the loopback interface, behind a real mail server or for local clients; it offers no TLS and no AUTH.
One acceptance is one `Arrival` with all its recipients. The handler never blocks the loop: the judge hands back a
future that is done with the commit, and the other sessions go on while this one waits.

LMTP (RFC 2033) is what a mail server on this machine uses to hand over, by a unix socket or a loopback port. Each
recipient is an `Arrival` of its own, so that the mail server may retry exactly those that could not be stored.
aiosmtpd answers DATA once; here the reply carries one line per accepted recipient, also when the mail as a whole was
too large.

A session is aiosmtpd's protocol with our limits: connections are counted and turned away politely, an exception never
leaves the judge as text, mail in hand survives a shutdown, and addresses in angle brackets are read without the header
parser (ten times faster).
"""

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Protocol

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.transport.listener import Endpoint, Listener, ListenerLimits, Porch
from judge.transport.ports import Accept, Arrival, TemporaryTrouble

TROUBLE = "451 4.3.0 The mail could not be stored just now, please try again later"
UNKNOWN = "550 5.1.1 No such address here"
MALFORMED = "553 5.1.7 The sender address holds signs that no address has"
MALFORMED_RECIPIENT = "553 5.1.3 The recipient address holds signs that no address has"
UNANSWERABLE = "553 5.6.7 No answer can leave here to a sender address beyond ASCII, please write from another one"
TOO_MANY = "452 4.5.3 Too many recipients, send the rest in another mail"
STORED = "250 2.0.0 Stored"

_PLAIN_ADDRESS = re.compile(r"\s*<([A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+|)>(?:\s+(.*)|)", re.DOTALL)

# aiosmtpd writes every command, addresses included, to this log at INFO. Ours name no addresses.
logging.getLogger("mail.log").setLevel(logging.ERROR)

log = logging.getLogger("judge.transport")


class TakesData(Protocol):
    """What is done with a complete mail: the reply to DATA, one line, or (LMTP) one line per recipient."""

    async def __call__(self, envelope: Envelope, peer: str) -> str: ...


class SessionHandler:
    """aiosmtpd's handler: asks the judge whom it knows, and passes complete mails on."""

    def __init__(self, accept: Accept, limits: ListenerLimits, take: TakesData) -> None:
        self._accept = accept
        self._limits = limits
        self._take = take

    async def handle_MAIL(
        self, server: "MailSession", session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Admit a sender whom we can answer (RFC 6531, 3.5: better refused than silently cut off)."""
        if not _is_sound(address):
            return MALFORMED
        if not self._accept.answers(address):
            return UNANSWERABLE
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: "MailSession", session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Admit a recipient, or say precisely why not."""
        if len(envelope.rcpt_tos) >= self._limits.recipients:
            return TOO_MANY
        if not _is_sound(address):
            return MALFORMED_RECIPIENT
        if not self._accept.knows(address):
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: "MailSession", session: Session, envelope: Envelope) -> str:
        """Hand the mail over; the session stays open through a shutdown until the answer is out."""
        return await self._take(envelope, server.peer_host)

    async def handle_exception(self, error: Exception) -> str:
        """The reply to an unexpected exception: a temporary failure without details."""
        log.error("session failed", exc_info=error)
        return TROUBLE


class MailSession(SMTP):
    """One connection. Created by the listener for each client, on the listener's loop."""

    def __init__(
        self, door: SessionHandler, limits: ListenerLimits, porch: Porch, loop: asyncio.AbstractEventLoop, hostname: str
    ) -> None:
        self.line_length_limit = limits.line
        per_mail = limits.mails_per_connection
        super().__init__(
            door,
            data_size_limit=limits.message,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="Judge",
            timeout=limits.idle,
            command_call_limit={
                "MAIL": per_mail,
                "DATA": per_mail,
                "RSET": per_mail,
                "RCPT": per_mail * (limits.recipients + 1),
                "*": limits.other_commands,
            },
            loop=loop,
        )
        self._porch = porch
        self._mail_within = limits.mail_within
        self.busy = False
        self.peer_host = ""
        self._admitted = False

    def connection_made(self, transport: Any) -> None:
        """Admit the client, or send one line and hang up."""
        self.peer_host = _host_of(transport.get_extra_info("peername"))
        refusal = self._porch.admit(self, self.peer_host)
        if refusal is not None:
            transport.write(f"{refusal}\r\n".encode("ascii"))
            transport.close()
            return
        self._admitted = True
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Count the connection as closed; a client that was refused had no session to end."""
        if not self._admitted:
            return
        self._porch.leave(self, self.peer_host)
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on, except from a client that was turned away and still talks."""
        if self._admitted:
            super().data_received(data)

    def eof_received(self) -> bool | None:
        """A half-closed line ends the session."""
        return super().eof_received() if self._admitted else None

    async def smtp_DATA(self, arg: str | None) -> None:
        """Receive one mail; the session counts as busy until the reply is out. One that drips in is hung up on."""
        self.busy = True
        try:
            await asyncio.wait_for(super().smtp_DATA(arg), self._mail_within)
        except TimeoutError:
            self.abort()
        finally:
            self.busy = False

    smtp_DATA.__smtp_syntax__ = "DATA"  # type: ignore[attr-defined]
    smtp_DATA.__smtp_syntax_extended__ = ""  # type: ignore[attr-defined]
    smtp_DATA.__smtp_syntax_when__ = ""  # type: ignore[attr-defined]

    def dismiss(self) -> None:
        """Say goodbye between commands and close."""
        if isinstance(self.transport, asyncio.WriteTransport) and not self.transport.is_closing():
            self.transport.write(b"421 4.3.2 Closing down, try again later\r\n")
            self.transport.close()

    def abort(self) -> None:
        """Close at once, whatever is going on."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        match = _PLAIN_ADDRESS.fullmatch(arg)
        if match is None:
            return super()._getaddr(arg)
        return match[1] or "<>", match[2] or ""


def session_factory(
    door: SessionHandler, limits: ListenerLimits, hostname: str, kind: type[MailSession] = MailSession
) -> Callable[[asyncio.AbstractEventLoop, Porch], asyncio.Protocol]:
    """What the listener calls for each connection."""

    def make(loop: asyncio.AbstractEventLoop, porch: Porch) -> asyncio.Protocol:
        session: asyncio.Protocol = kind(door, limits, porch, loop, hostname)
        return session

    return make


def envelope_sender(envelope: Envelope) -> str:
    """The envelope sender as we write it: the null sender is the empty string."""
    sender: str = envelope.mail_from or ""
    return "" if sender == "<>" else sender


def content_of(envelope: Envelope) -> bytes:
    """The mail as it came over the line, dots unstuffed."""
    content = envelope.content or b""
    return content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")


def _is_sound(address: str) -> bool:
    """Whether an address holds no control signs and none that cannot be seen: a database does not take all of them,
    and neither does a mail server on the way of an answer.
    """
    return address.isprintable()


def _host_of(peername: Any) -> str:
    return peername[0] if isinstance(peername, tuple) else "unix"


def smtp_listener(
    accept: Accept,
    listen: Endpoint,
    *,
    now: Callable[[], datetime],
    hostname: str = "localhost",
    limits: ListenerLimits | None = None,
) -> Listener:
    """A listener, not yet started, that brings mail to `accept`. `now` gives the moment of acceptance in UTC."""
    limits = limits or ListenerLimits()

    async def take(envelope: Envelope, peer: str) -> str:
        arrival = _arrival("smtp", envelope, envelope.rcpt_tos, now(), peer)
        return STORED if await stored(accept, arrival) else TROUBLE

    door = SessionHandler(accept, limits, take)
    return Listener(listen, limits, session_factory(door, limits, hostname), name="smtp-in")


def _arrival(source: str, envelope: Envelope, recipients: Sequence[str], moment: datetime, peer: str) -> Arrival:
    return Arrival(
        raw=content_of(envelope),
        source=source,
        transport_key=acceptance_key(source),
        mail_from=envelope_sender(envelope),
        rcpt_to=tuple(recipients),
        received_at=moment,
        peer=peer,
    )


def acceptance_key(source: str) -> str:
    """A transport key for wires without an identity of their own: every acceptance is a new one."""
    return f"{source}:{secrets.token_hex(16)}"


async def stored(accept: Accept, arrival: Arrival) -> bool:
    """Hand one mail to the judge and wait; False on any trouble, which is logged without the mail."""
    try:
        pending = accept.take(arrival)
        if isinstance(pending, Future):
            await asyncio.wrap_future(pending)
    except TemporaryTrouble as trouble:
        log.warning("mail not stored: %s", trouble)
        return False
    except Exception:
        log.exception("mail not stored")
        return False
    return True


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
        arrivals = [_arrival("lmtp", envelope, [recipient], moment, peer) for recipient in recipients]
        results = await asyncio.gather(*(stored(accept, arrival) for arrival in arrivals))
        answers = {name: STORED if done else TROUBLE for name, done in zip(recipients, results, strict=True)}
        return "\r\n".join(answers[recipient] for recipient in envelope.rcpt_tos)

    door = SessionHandler(accept, limits, take)
    return Listener(listen, limits, session_factory(door, limits, hostname, LmtpSession), name="lmtp-in")

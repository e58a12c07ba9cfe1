"""One SMTP or LMTP session: aiosmtpd's protocol with our limits.

What is ours here: connections are counted and turned away politely, an exception never leaves the house as text, mail
in hand survives a shutdown, and addresses in angle brackets are read without the header parser (ten times faster).
"""

import asyncio
import logging
import re
from collections.abc import Callable
from typing import Any, Protocol

from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.transport.listener import ListenerLimits, Porch
from judge.transport.ports import Accept

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
    """aiosmtpd's handler: asks the house whom it knows, and passes complete mails on."""

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

"""The other end of the wire: servers and a post office in memory that swallow, refuse or defer mail as told."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Self

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from judge.testing.transcript import ReceivedLetter
from judge.transport.listener import Endpoint, Listener, ListenerLimits, Porch
from judge.transport.ports import Fate, Handed, Parcel, PauseQueue, Sent
from judge.transport.smtp_in import envelope_sender

HANG_UP = "hang up"
"""As a reply: close the connection instead of answering; the mail is not kept."""

KEEP_AND_HANG_UP = "keep and hang up"
"""As a reply at DATA: keep the mail, then close before the 250. The sender cannot know."""

HANG = "hang"
"""As a reply: say nothing at all, until the client gives up or the server stops."""

Stage = Literal["MAIL", "RCPT", "DATA"]


@dataclass(frozen=True)
class SunkMail:
    """One mail as the sink received it, with the number of the connection that brought it and MAIL's parameters."""

    mail_from: str
    rcpt_to: tuple[str, ...]
    data: bytes
    connection: int
    options: tuple[str, ...] = ()


class SinkServer:
    """An SMTP server for tests; use it as a context manager.

    >>> with SinkServer() as sink:
    ...     sink.answer("busy@outside.test", "451 4.7.1 Greylisted")
    ...     sink.port > 0
    True
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        tls_context: ssl.SSLContext | None = None,
        users: Mapping[str, str] | None = None,
        smtputf8: bool = True,
        pipelining: bool = False,
    ) -> None:
        self.host = host
        self.port = port
        self.mails: list[SunkMail] = []
        self.connections = 0
        self.helo_names: list[str] = []
        self.mood = ""
        """The reply to every recipient while it is set."""
        self._tls = tls_context
        self._users = users
        self.smtputf8 = smtputf8
        self.pipelining = pipelining
        self._scripts: dict[tuple[Stage, str], deque[str]] = defaultdict(deque)
        self._news = threading.Condition()
        self._listener: Listener | None = None

    def answer(self, address: str, *replies: str, at: Stage = "RCPT") -> None:
        """Give these replies, one each time, when `address` is named at that stage; afterwards all is well again.

        At MAIL the address is the sender, at RCPT and DATA a recipient. A reply is a whole SMTP line, `HANG_UP`, or
        (at DATA) `KEEP_AND_HANG_UP`.
        """
        self._scripts[at, address].extend(replies)

    def start(self) -> Self:
        """Listen; the real port is in `port` afterwards."""
        limits = ListenerLimits(connections=1000, connections_per_host=1000)
        self._listener = Listener(Endpoint(self.host, self.port), limits, self._session, name="sink")
        self.port = self._listener.start().port
        return self

    def stop(self) -> None:
        """Close every connection and stop listening; the port stays known, `start()` opens it again."""
        if self._listener is not None:
            self._listener.stop(grace=0.0)
            self._listener = None

    def wait_for(self, count: int, *, timeout: float = 60.0) -> list[SunkMail]:
        """The mails, once there are `count` of them; AssertionError if they do not come in time."""
        with self._news:
            if not self._news.wait_for(lambda: len(self.mails) >= count, timeout):
                raise AssertionError(f"the sink has {len(self.mails)} mails, {count} were expected")
            return list(self.mails)

    def scripted(self, stage: Stage, address: str) -> str | None:
        """The next scripted reply for this address, if any is left."""
        script = self._scripts.get((stage, address))
        if script:
            return script.popleft()
        return (self.mood or None) if stage == "RCPT" else None

    def keep(self, mail: SunkMail) -> None:
        """Put a mail into the sink."""
        with self._news:
            self.mails.append(mail)
            self._news.notify_all()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _session(self, loop: asyncio.AbstractEventLoop, porch: Porch) -> asyncio.Protocol:
        self.connections += 1
        session: asyncio.Protocol = _SinkSession(
            _SinkHandler(self, self.connections),
            porch,
            loop=loop,
            hostname="sink.test",
            enable_SMTPUTF8=self.smtputf8,
            tls_context=self._tls,
            auth_require_tls=self._tls is not None,
            auth_required=self._users is not None,
            authenticator=self._authenticate,
        )
        return session

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        if not isinstance(data, LoginPassword) or self._users is None:
            return AuthResult(success=False, handled=False)
        known = self._users.get(data.login.decode()) == data.password.decode()
        return AuthResult(success=known, handled=False)


class _SinkSession(SMTP):
    busy = False

    def __init__(self, handler: _SinkHandler, porch: Porch, **settings: Any) -> None:
        super().__init__(handler, **settings)
        self._porch = porch

    def connection_made(self, transport: Any) -> None:
        self._porch.guests[self] = ""
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._porch.guests.pop(self, None)
        super().connection_lost(error)

    def dismiss(self) -> None:
        self.abort()

    def abort(self) -> None:
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()


class _SinkHandler:
    def __init__(self, sink: SinkServer, connection: int) -> None:
        self._sink = sink
        self._connection = connection

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        self._sink.helo_names.append(hostname)
        session.host_name = hostname
        return ["250-PIPELINING", *responses] if self._sink.pipelining else responses

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        reply = await self._scripted(server, "MAIL", address)
        if reply is None:
            envelope.mail_from = address
            envelope.mail_options.extend(options)
        return reply or "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        reply = await self._scripted(server, "RCPT", address)
        if reply is None:
            envelope.rcpt_tos.append(address)
        return reply or "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        for address in envelope.rcpt_tos:
            reply = self._sink.scripted("DATA", address)
            if reply == KEEP_AND_HANG_UP:
                self._keep(envelope)
            if reply is not None:
                return await _speak(server, reply)
        self._keep(envelope)
        return "250 2.0.0 Kept"

    async def _scripted(self, server: SMTP, stage: Stage, address: str) -> str | None:
        reply = self._sink.scripted(stage, address)
        return None if reply is None else await _speak(server, reply)

    def _keep(self, envelope: Envelope) -> None:
        data, options = envelope.original_content or b"", tuple(option.lower() for option in envelope.mail_options)
        sender, recipients = envelope_sender(envelope), tuple(envelope.rcpt_tos)
        self._sink.keep(SunkMail(sender, recipients, data, self._connection, options))


async def _speak(server: SMTP, reply: str) -> str:
    if reply == HANG:
        await asyncio.sleep(3600)
    if reply in (HANG_UP, KEEP_AND_HANG_UP):
        if isinstance(server, _SinkSession):
            server.abort()
        raise asyncio.CancelledError
    return reply


class MemoryPost:
    """A `judge.transport.ports.Courier`. `letters`: what was delivered, in order; `tried`: every parcel handed over.

    post.answers["france@players.test"] = Deferred(451, "try later")
    """

    def __init__(self) -> None:
        self.letters: list[ReceivedLetter] = []
        self.tried: list[Parcel] = []
        self.answers: dict[str, Fate] = {}
        """What becomes of parcels by address in lower case, where they are not delivered."""
        self.strike = ""
        """Why the relay rejects everything of ours; "" while it does not."""

    def to(self, address: str) -> list[ReceivedLetter]:
        """All letters delivered to an address."""
        return [letter for letter in self.letters if letter.to == address.lower()]

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        """Take parcels as a relay would."""
        for parcel in batch:
            if self.strike:
                yield Handed(parcel, {address: PauseQueue(self.strike) for address in parcel.rcpt_to})
                return
            self.tried.append(parcel)
            yield Handed(parcel, {address: self._take(parcel, address.lower()) for address in parcel.rcpt_to})

    def close(self) -> None:
        """Nothing is kept open."""

    def _take(self, parcel: Parcel, address: str) -> Fate:
        fate = self.answers.get(address, Sent(250, "kept in memory"))
        if isinstance(fate, Sent):
            self.letters.append(ReceivedLetter(len(self.letters) + 1, address, parcel.data))
        return fate

"""Mail by SMTP: a listener that says 250 only when the mail is stored.

Meant for the loopback interface, behind a real mail server or for local clients; it offers no TLS and no AUTH. One
acceptance is one `Arrival` with all its recipients. The handler never blocks the loop: the house hands back a future
that is done with the commit, and the other sessions go on while this one waits.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime

from aiosmtpd.smtp import Envelope

from judge.transport.listener import Endpoint, Listener, ListenerLimits
from judge.transport.ports import Accept, Arrival, TemporaryTrouble
from judge.transport.session import STORED, TROUBLE, SessionHandler, content_of, envelope_sender, session_factory

log = logging.getLogger("judge.transport")


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
        arrival = Arrival(
            raw=content_of(envelope),
            source="smtp",
            transport_key=acceptance_key("smtp"),
            mail_from=envelope_sender(envelope),
            rcpt_to=tuple(envelope.rcpt_tos),
            received_at=now(),
            peer=peer,
        )
        return STORED if await stored(accept, arrival) else TROUBLE

    door = SessionHandler(accept, limits, take)
    return Listener(listen, limits, session_factory(door, limits, hostname), name="smtp-in")


def acceptance_key(source: str) -> str:
    """A transport key for wires without an identity of their own: every acceptance is a new one."""
    return f"{source}:{secrets.token_hex(16)}"


async def stored(accept: Accept, arrival: Arrival) -> bool:
    """Hand one mail to the house and wait; False on any trouble, which is logged without the mail."""
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

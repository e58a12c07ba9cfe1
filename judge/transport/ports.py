"""The interfaces between the transports and the service, and the values that they exchange.

Incoming wires make an `Arrival` and give it to an `Accept`; outgoing wires take a `Parcel` and answer with a `Handed`.
The wires never look into a mail: everything that is read from its text is read further up.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from typing import Protocol

NO_CODE = 0
"""The code of a fate that no server spoke: a broken line, a refusal of our own."""

AT_ONCE = 25
"""Mails waiting in a source that are taken together."""
HEAD = 65_536
"""Bytes that are read of a mail which is too large to be taken."""
ATTEMPTS = 3
"""A mail that could not be read so often is set aside."""


@dataclass(frozen=True)
class Arrival:
    """One mail as a wire handed it over, before anybody has read it.

    - `source`: the wire's kind ("smtp", "lmtp", "maildir", "imap:ACCOUNT");
    - `transport_key`: the identity that this wire can vouch for; the same key means the same acceptance;
    - `mail_from`: the envelope sender, "" for the null sender and where a wire knows none (see `known_sender`);
    - `rcpt_to`: the envelope recipients, empty where a wire knows none;
    - `received_at`: the moment of arrival at this site, in UTC;
    - `peer`: the bare address of the handing host, "unix" for a local socket, "" where unknown.
    """

    raw: bytes
    source: str
    transport_key: str
    mail_from: str
    rcpt_to: tuple[str, ...]
    received_at: datetime
    peer: str


def known_sender(source: str, mail_from: str) -> str | None:
    """The envelope sender as far as a wire can vouch for it: only a wire with a dialogue tells "nobody" from "unknown".

    >>> known_sender("smtp", ""), known_sender("imap:main", ""), known_sender("pipe", "anna@x.test")
    ('', None, 'anna@x.test')
    """
    return mail_from if mail_from or source in ("smtp", "lmtp") else None


class TemporaryTrouble(Exception):
    """The mail could not be stored just now; whoever brought it must keep it and try again."""


class Accept(Protocol):
    """Accepts mails, as a transport sees it."""

    def knows(self, recipient: str, /) -> bool:
        """Whether mail for this address is ours at all. Cheap, never raises; a no becomes `550 5.1.1`."""
        ...

    def answers(self, sender: str, /) -> bool:
        """Whether a letter to this envelope sender could leave here at all. Cheap; a no becomes `553 5.6.7`."""
        ...

    def take(self, mail: Arrival, /) -> Future[bool] | bool:
        """Store the mail so that it survives a crash.

        Returns when it is stored, or hands back a future that is done when it is stored (a group commit). Trouble is
        a `TemporaryTrouble`, raised or set on the future; any other exception counts as the same trouble. A transport
        key that was taken before is no trouble, but False: the wire died between our storing and its own tidying up,
        or another process works on the same mailbox and is about to tidy up.
        """
        ...


def content_mark(raw: bytes) -> str:
    """A few letters that stand for these bytes. In the key of a source they keep mails apart that bear one name: a
    mailbox that has moved to another server may count from one again, a file may be called as one before it was.

    >>> content_mark(b"A PAR - BUR"), content_mark(b"A PAR - GAS")
    ('b26c0c462927', 'af7edb2c2616')
    """
    return hashlib.sha256(raw).hexdigest()[:12]


def store_all(accept: Accept, mails: Sequence[Arrival], *, timeout: float = 60.0) -> list[TemporaryTrouble | bool]:
    """For wires that wait: hand over several mails, so that one commit may hold them all, and wait for each.

    One entry per mail: as `Accept.take` says when it is stored, else the trouble with it; any exception whatever counts
    as trouble.
    """
    begun = [_begin(accept, mail) for mail in mails]
    return [_finish(pending, timeout) for pending in begun]


def _begin(accept: Accept, mail: Arrival) -> Future[bool]:
    done: Future[bool] = Future()
    try:
        pending = accept.take(mail)
    except Exception as error:
        done.set_exception(error)
        return done
    if isinstance(pending, Future):
        return pending
    done.set_result(pending)
    return done


def _finish(pending: Future[bool], timeout: float) -> TemporaryTrouble | bool:
    try:
        return pending.result(timeout)
    except Exception as error:
        return _as_trouble(error)


def _as_trouble(error: Exception) -> TemporaryTrouble:
    if isinstance(error, TemporaryTrouble):
        return error
    return TemporaryTrouble(f"the store failed: {type(error).__name__}")


Knows = Callable[[bytes], bool]
"""Whether a mail of these very bytes is in the inbox."""


class SourceUnreachable(Exception):
    """A source that we ask for mail could not be read to its end; a deadline has to wait for it."""


class MailSource(Protocol):
    """A place where we fetch mail ourselves: a Maildir, an IMAP account."""

    name: str
    mailbox: str
    """What it fetches from, the same for every daemon that may fetch from there too; "" where no other can."""

    def poll_once(self) -> int:
        """Take everything that waits there now and return how many; raises `SourceUnreachable`. Any thread may call."""
        ...

    def run(self, stop: Event, /) -> None:
        """Fetch mail until told to stop; keeps trying through every trouble. For a thread of its own."""
        ...

    def silent_for(self) -> float | None:
        """Seconds since the source last answered well, or since `run` was asked to fetch from it, if that is later;
        None before either.
        """
        ...

    def recall(self, since: datetime, knows: Knows, /) -> int:
        """Take mail once more that was taken since a moment and that is not known; returns how many came.

        For a judge that was restored from a backup. A wire that keeps nothing of what it handed over returns 0. Raises
        `SourceUnreachable`.
        """
        ...


class Oversize(Protocol):
    """Told of a mail that cannot be taken, before it is moved aside: its first bytes as an arrival, and its full size.

    Raises TemporaryTrouble, and nothing else, if that could not be noted: the mail stays where it is until it can.
    """

    def __call__(self, head: Arrival, size: int, /) -> None: ...


@dataclass(frozen=True)
class Parcel:
    """One letter to hand to a relay: stored bytes, one envelope, usually one recipient. `id` is the caller's own."""

    id: int | str
    mail_from: str
    rcpt_to: tuple[str, ...]
    data: bytes


@dataclass(frozen=True)
class Sent:
    """The next host has taken responsibility for this recipient."""

    code: int
    text: str


@dataclass(frozen=True)
class Deferred:
    """Not now: a 4xx answer, a broken connection, a timeout. Try again later."""

    code: int
    text: str


@dataclass(frozen=True)
class Refused:
    """Never: a 5xx answer for this recipient or this letter."""

    code: int
    text: str


@dataclass(frozen=True)
class PauseQueue:
    """The relay rejects *us*, not this letter (bad password, no right to relay): stop until the operator has looked.
    `passes`: what stands in the way may be mended without them, so that it is worth a try by and by.
    """

    reason: str
    passes: bool = False


Fate = Sent | Deferred | Refused | PauseQueue


@dataclass(frozen=True)
class Handed:
    """What became of one parcel, recipient by recipient; `smtputf8`: whether the relay takes addresses beyond ASCII
    (RFC 6531), None where that was not heard; `more`: whether the next result is there already, so that both can be
    committed together.
    """

    parcel: Parcel
    fates: Mapping[str, Fate]
    smtputf8: bool | None = None
    more: bool = False


class Courier(Protocol):
    """Sends letters."""

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        """Hand over parcels, those to one recipient in order, and yield each result as soon as it is known, so that it
        can be committed at once. A batch that tells its length (`operator.length_hint`) may go side by side.

        A `PauseQueue` ends the batch: what is not yielded has not been touched. So does a batch that ends early; what
        is under way then is yielded still.
        """
        ...

    def close(self) -> None:
        """Close what is kept open between batches. The courier may be used again afterwards."""
        ...

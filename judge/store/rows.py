"""What the store hands out and takes in: small frozen facts, one class per kind of row.

Text that ends in `_json` or is called `data`, `view`, `verdict`, `summary` or `options` is JSON that the store
keeps and never reads. Every moment is an aware datetime in UTC.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

# ----------------------------------------------------------------------------------------------- inbox


RETRIED = "taken out of quarantine"
"""The reason noted with a new mail that was set aside before."""


class MailState(StrEnum):
    """Where a received mail stands."""

    NEW = "new"  # stored, not taken yet
    HELD = "held"  # waits for a confirmation from the address of record
    PROCESSED = "processed"
    IGNORED = "ignored"  # silent on purpose, with a logged reason
    QUARANTINED = "quarantined"  # it made us stumble too often; the operator decides
    DUPLICATE = "duplicate"  # the same mail by another route; acts no second time
    DROPPED = "dropped"  # thrown away by the operator


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail at the door, before anything of it was understood.

    `transport_key` is its identity on its wire and never repeats: account, UIDVALIDITY and UID for IMAP, one fresh
    key per acceptance for SMTP and pipe. `content_hash` (without trace headers) is given only for mails that carry
    a Message-ID and a Date. `arrived_at` is the arrival at our site, which deadlines count by.
    """

    raw: bytes
    source: str
    transport_key: str
    received_at: datetime
    envelope_from: str = ""
    rcpts: tuple[str, ...] = ()
    peer: str | None = None
    arrived_at: datetime | None = None
    message_id: str | None = None
    content_hash: str | None = None
    game: str | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """The mail is in the inbox; `repeats` is an earlier mail with the same Message-ID and other bytes."""

    id: int
    repeats: int | None = None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """We have this mail already, as `first_id`.

    `id` is the row that logs the second receipt, or None when even the transport key was the same (a receipt that
    was repeated because our acknowledgement got lost).
    """

    first_id: int
    id: int | None = None


@dataclass(frozen=True, slots=True)
class DaemonRow:
    """A daemon, as it said of itself when it was last seen, by the database's clock. `off`: by how many microseconds
    that clock was ahead of its own; `settled_until`: what had reached it before that moment is stored; `trouble`: why
    that moment does not move on, or why it stands still, "" if nothing is wrong; `mailboxes`: those that it can fetch
    from, as others may (`judge.daemon.continuity`).
    """

    owner: str
    place: str
    version: str
    roles: tuple[str, ...]
    began_at: datetime
    seen_at: datetime
    settled_until: datetime
    off: int
    trouble: str
    mailboxes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mail:
    """One row of the inbox, without its bytes. `claims`: for which seats a held mail speaks, in words of the service
    (`judge.service.trust.consent`).
    """

    id: int
    source: str
    transport_key: str
    content_hash: str | None
    message_id: str | None
    digest: str
    size: int
    envelope_from: str
    rcpts: tuple[str, ...]
    peer: str | None
    received_at: datetime
    arrived_at: datetime
    state: MailState
    attempts: int
    lease_owner: str | None
    sender: str | None = None
    game: str | None = None
    seat: str | None = None
    claims: tuple[str, ...] = ()
    confirm_key: str | None = None
    confirmed_at: datetime | None = None
    first_id: int | None = None
    repeats_id: int | None = None
    waived: bool = False
    reason: str | None = None
    verdict: str | None = None
    traceback: str | None = None
    finished_at: datetime | None = None

    @property
    def comes_late(self) -> bool:
        """Whether it is heard after mails that came later may have been: it was held, or in quarantine."""
        return self.confirmed_at is not None or self.reason == RETRIED


# ---------------------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event as the game made it: its kind, the version of its schema, its facts as JSON."""

    kind: str
    version: int
    data: str


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it stands in the log of its game; `seq` counts from 1."""

    game: str
    seq: int
    kind: str
    version: int
    data: str
    at: datetime
    mail_id: int | None


# ----------------------------------------------------------------------------------------------- games


@dataclass(frozen=True, slots=True)
class GameRow:
    """The index card of a game: what lists and the sweep ask without loading its events.

    `next_due_at` is the next moment at which the game wants attention (deadline, reminder, end of grace), None if
    it sleeps. `summary` is JSON for the public list.
    """

    key: str
    name: str
    state: str
    map: str
    rules: str
    created_at: datetime
    phase: str | None = None
    next_due_at: datetime | None = None
    seq: int = 0
    summary: str = "{}"


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits where. A new `nonce` revokes every token that was written for the seat before."""

    game: str
    seat: str
    nonce: str
    since: datetime
    person_id: int | None = None


# ---------------------------------------------------------------------------------------------- people


@dataclass(frozen=True, slots=True)
class Person:
    """One human being, whatever the number of addresses and games."""

    id: int
    name: str
    zone: str
    check_phrase: str
    created_at: datetime
    options: str


@dataclass(frozen=True, slots=True)
class Address:
    """An address of a person: proved if `verified_at` is set; bounce scores count since the last good delivery."""

    address: str
    person_id: int
    primary: bool
    verified_at: datetime | None
    added_at: datetime
    bounce_soft: int
    bounce_hard: int
    bounced_at: datetime | None
    suspended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Subscription:
    """A person gets what `topic` names (a game's reports, the openings, a zine)."""

    person_id: int
    topic: str
    since: datetime
    options: str


@dataclass(frozen=True, slots=True)
class Standby:
    """A person is ready to take a seat: of one game, or of any when `game` is empty."""

    person_id: int
    game: str
    since: datetime
    options: str


@dataclass(frozen=True, slots=True)
class Contact:
    """Somebody who wrote to us or was written to, known or not."""

    address: str
    first_at: datetime
    last_at: datetime


class LetterState(StrEnum):
    """Where a letter stands before it can be sent."""

    COMPOSING = "composing"  # a frozen view, no bytes yet
    READY = "ready"  # bytes stored; its deliveries may go
    BROKEN = "broken"  # it could not be composed; the operator was told
    WITHDRAWN = "withdrawn"  # recalled before anything was sent


class DeliveryState(StrEnum):
    """Where one recipient's copy stands."""

    READY = "ready"
    LEASED = "leased"  # a worker has it in hand
    SENT = "sent"
    DEFERRED = "deferred"  # a temporary refusal; will be tried again
    FAILED = "failed"  # refused for good, given up, or bounced later
    HELD = "held"


@dataclass(frozen=True, slots=True)
class NewLetter:
    """A letter as a transaction decides on it: facts only, no bytes.

    `idem_key` says what the letter is ("g17/S1902M/results/r1/austria"): a second letter with the same key is the
    same letter. `recipients` are envelope addresses, each with a delivery of its own. `not_before` delays it
    (anonymous press, the recall window).
    """

    idem_key: str
    message_id: str
    kind: str
    view: str
    recipients: tuple[str, ...]
    created_at: datetime
    game: str | None = None
    seat: str | None = None
    person_id: int | None = None
    mail_id: int | None = None
    not_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class LetterRow:
    """One row of the letters, without its bytes. `subject` is known once it is composed."""

    id: int
    idem_key: str
    message_id: str
    kind: str
    view: str
    created_at: datetime
    game: str | None
    seat: str | None
    person_id: int | None
    mail_id: int | None
    not_before: datetime | None
    state: LetterState
    subject: str | None
    attempts: int
    error: str | None


@dataclass(frozen=True, slots=True)
class Delivery:
    """One recipient's copy.

    `next_try` is the moment at which it is looked at again: when it is due, or, while it is leased, when the lease
    lapses; None while its letter is being composed, while it is held, and once it is done.
    """

    id: int
    letter_id: int
    address: str
    state: DeliveryState
    attempts: int
    next_try: datetime | None
    first_try: datetime | None
    lease_owner: str | None
    done_at: datetime | None
    last_code: int | None
    last_text: str | None


@dataclass(frozen=True, slots=True)
class ParcelRow:
    """A delivery in a worker's hand, with all that it takes to send it."""

    delivery: Delivery
    message_id: str
    kind: str
    game: str | None
    seat: str | None
    mime: bytes = field(repr=False)
    asked_at: datetime | None = None
    """When the mail arrived that it answers."""


@dataclass(frozen=True, slots=True)
class OutboxLine:
    """What `judge outbox list` shows of one delivery."""

    delivery: Delivery
    kind: str
    game: str | None
    seat: str | None
    subject: str | None
    message_id: str
    letter_state: LetterState
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A picture drawn once per game, phase and kind."""

    game: str
    phase: str
    kind: str
    media_type: str
    data: bytes = field(repr=False)
